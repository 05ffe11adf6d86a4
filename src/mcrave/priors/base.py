"""The contract of a prior: a value H(s,a) with confidences C and C̃ for every move of a new node.

Q(s,a) = Q̃(s,a) = H(s,a), N(s,a) = C(s,a), Ñ(s,a) = C̃(s,a), and N(s) = Σ N(s,a) (Eq. 48–52).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from mcrave.kernel import dispatched
from mcrave.specs import Spec, lowered

if TYPE_CHECKING:
    from mcrave.games import Game


@dispatched
def survey(prior, rules, state, tree, first, count, out):
    """Look once at the position of a new node, before `heuristic` is asked about each of its moves.

    The moves are those of `count` edges from `first` on. What is found about a move may be left in `tree.w` and
    `tree.n` of its edge, where `heuristic` finds it; `out` is scratch for a list of moves. It may put the edges, which
    have no more than `move` and `code` yet, in another order.
    """


@dispatched
def heuristic(prior, rules, state, tree, grandparent, edge):
    """H, C and C̃ of the move on an edge; `grandparent` is where the player was last to move, or -1."""
    return 0.5, 0.0, 0.0


class Prior(Spec, kind="prior"):
    """A prior; subclass it with a name to add one."""

    reads_weights: ClassVar[bool] = False
    """Whether `loaded` adds arrays that were learnt."""

    def check(self, game: Game) -> None:
        """Raise `Error` if the prior cannot be used for this game."""

    def loaded(self, game: Game) -> Any:
        """As kernels see it: the spec itself, or a named tuple with the same kernels that holds what was learnt."""
        return lowered(self)

    def room(self, game: Game) -> int:
        """How many numbers `survey` may write into `out`."""
        return game.max_moves()
