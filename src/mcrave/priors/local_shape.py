"""The local shape heuristic for Go (Gelly & Silver §5.1, the fourth of four)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from mcrave.features.local_shape import Shapes, doubt_after, note_board, position_sum, shapes_of, value_after
from mcrave.features.weights import check_shapes, local_shape_doubts, local_shape_weights
from mcrave.kernel import jit
from mcrave.priors.base import Prior

if TYPE_CHECKING:
    from mcrave.games import Game

MOST = 4.0  # times `m`: the largest confidence by variance


class LocalShape(Prior, name="local_shape"):
    """H(s,a) = V(s∘a), the learnt value of the position after the move, with C̃ = `m` and C = `c`; only for Go.

    V is a logistic function of the local shapes on the board, learnt by TD(0) from games against itself (RLGO 1.0).
    `weights` is a file that `mcrave learn td` wrote; weights for 9×9 come with mcrave.

    With `confidence=variance`, C̃ varies with the heuristic's own variance, as §5.1 suggests without saying how. To
    first order V = σ(x) has the variance (V (1 − V))² Var x, and Var x is the sum of the variances of the active
    weights. A mean of C̃ games has the variance V (1 − V) / C̃. Both are equal if

        C̃ = m / (4 V (1 − V) u),

    where u is the sum of variances, divided by its mean over the positions of learning: C̃ is `m` for an even position
    of common shapes, and at most 4 m.
    """

    m: float = 50.0
    c: float = 0.0
    confidence: Literal["constant", "variance"] = "constant"
    weights: str = ""
    reads_weights: ClassVar[bool] = True

    def check(self, game: Game) -> None:
        """Only Go, on boards for which there are weights."""
        check_shapes(self.name, "prior", game, self.weights)
        if self.confidence == "variance":
            local_shape_doubts(game.rows, self.weights)  # type: ignore[attr-defined]

    def room(self, game: Game) -> int:
        """A configuration for each window."""
        return max(game.max_moves(), shapes_of(game.rows).windows)  # type: ignore[attr-defined]

    def loaded(self, game: Game) -> Any:
        """With the weights."""
        size = game.rows  # type: ignore[attr-defined]
        loaded = LoadedShapes(self.m, self.c, shapes_of(size), local_shape_weights(size, self.weights))
        if self.confidence == "variance":
            return DoubtfulShapes(*loaded, local_shape_doubts(size, self.weights))
        return loaded


class LoadedShapes(NamedTuple):
    """The prior as kernels see it."""

    m: float
    c: float
    shapes: Shapes
    theta: Any

    def survey(prior, rules, state, tree, first, count, out):
        """The value after each move goes to `w`; `out` holds the windows."""
        note_values(prior, state, tree, first, count, out)

    def heuristic(prior, rules, state, tree, grandparent, edge):
        """What the survey found."""
        return tree.w[edge], prior.c, prior.m


class DoubtfulShapes(NamedTuple):
    """The prior with a confidence for each move, as kernels see it."""

    m: float
    c: float
    shapes: Shapes
    theta: Any
    doubt: Any

    def survey(prior, rules, state, tree, first, count, out):
        """The value after each move goes to `w`, and its confidence to `n`; `out` holds the windows."""
        note_values(prior, state, tree, first, count, out)
        doubt = position_sum(prior.shapes, prior.doubt, out, 1.0)
        for edge in range(first, first + count):
            value = tree.w[edge]
            unsure = doubt_after(prior.shapes, prior.doubt, out, state, tree.move[edge], doubt)
            tree.n[edge] = prior.m / max(4.0 * value * (1.0 - value) * unsure, 1.0 / MOST)

    def heuristic(prior, rules, state, tree, grandparent, edge):
        """What the survey found."""
        return tree.w[edge], prior.c, tree.n[edge]


@jit
def note_values(prior, state, tree, first, count, out):
    """Put the value after each move into `w`, and the windows of the position into `out`."""
    note_board(prior.shapes, state, out)
    now = position_sum(prior.shapes, prior.theta, out, 1.0 if state.turn == 0 else -1.0)
    for edge in range(first, first + count):
        tree.w[edge] = value_after(prior.shapes, prior.theta, out, state, tree.move[edge], now)
