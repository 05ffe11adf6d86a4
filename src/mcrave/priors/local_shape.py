"""The local shape heuristic for Go (Gelly & Silver §5.1, the fourth of four)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from mcrave.features.local_shape import Shapes, note_board, position_sum, shapes_of, value_after
from mcrave.features.weights import check_shapes, local_shape_weights
from mcrave.priors.base import Prior

if TYPE_CHECKING:
    from mcrave.games import Game


class LocalShape(Prior, name="local_shape"):
    """H(s,a) = V(s∘a), the learnt value of the position after the move, with C̃ = `m` and C = `c`; only for Go.

    V is a logistic function of the local shapes on the board, learnt by TD(0) from games against itself (RLGO 1.0).
    `weights` is a file that `mcrave learn td` wrote; weights for 9×9 come with mcrave.
    """

    m: float = 50.0
    c: float = 0.0
    weights: str = ""
    reads_weights: ClassVar[bool] = True

    def check(self, game: Game) -> None:
        """Only Go, on boards for which there are weights."""
        check_shapes(self.name, "prior", game, self.weights)

    def room(self, game: Game) -> int:
        """A configuration for each window."""
        return max(game.max_moves(), shapes_of(game.rows).windows)  # type: ignore[attr-defined]

    def loaded(self, game: Game) -> Any:
        """With the weights."""
        size = game.rows  # type: ignore[attr-defined]
        return LoadedShapes(self.m, self.c, shapes_of(size), local_shape_weights(size, self.weights))


class LoadedShapes(NamedTuple):
    """The prior as kernels see it."""

    m: float
    c: float
    shapes: Shapes
    theta: Any

    def survey(prior, rules, state, tree, first, count, out):
        """The value after each move goes to `w`; `out` holds the windows."""
        note_board(prior.shapes, state, out)
        now = position_sum(prior.shapes, prior.theta, out, 1.0 if state.turn == 0 else -1.0)
        for edge in range(first, first + count):
            tree.w[edge] = value_after(prior.shapes, prior.theta, out, state, tree.move[edge], now)

    def heuristic(prior, rules, state, tree, grandparent, edge):
        """What the survey found."""
        return tree.w[edge], prior.c, prior.m
