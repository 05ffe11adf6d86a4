"""Learnt ratings of move patterns in the tree (Coulom 2007, §4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from mcrave.features import ratings
from mcrave.features.moves import CLASSES, GROUPS, look
from mcrave.games._stones import PASS
from mcrave.games.go import is_playable
from mcrave.kernel import jit
from mcrave.playouts.mogo import check_go
from mcrave.priors.base import Prior

if TYPE_CHECKING:
    from mcrave.games import Game

LOWEST = 1e-6  # of a move that a playout never makes


class Ratings(Prior, name="ratings"):
    """H(s,a) = Π γ_i / Σ_b Π γ_i, the probability that a move is chosen by learnt ratings; only for Go.

    The moves of a node are put in the order of H, the highest first. So progressive widening by `search(widen_from=…)`
    tries them in this order, as Crazy Stone does, and ties go to the better rated one. H is a probability, not a value:
    C̃ = `m` and C = `c` are 0, and it is for policies that read it as such, as `puct` does: P(s,a) = H(s,a).

    `weights` is a file that `mcrave learn mm` wrote; without one it is what comes with mcrave, learnt on 9×9. A move
    that fills an own eye, and pass, come last.
    """

    m: float = 0.0
    c: float = 0.0
    weights: str = ""
    reads_weights: ClassVar[bool] = True

    def check(self, game: Game) -> None:
        """Only Go, with ratings that can be read."""
        check_go(self.name, "prior", game)
        ratings.load("full", self.weights)

    def room(self, game: Game) -> int:
        """The features of a move."""
        return max(game.max_moves(), len(GROUPS))

    def loaded(self, game: Game) -> Any:
        """With the ratings."""
        return LoadedRatings(self.m, self.c, CLASSES, ratings.load("full", self.weights))


class LoadedRatings(NamedTuple):
    """The prior as kernels see it."""

    m: float
    c: float
    classes: Any
    gamma: Any

    def survey(prior, rules, state, tree, first, count, out):
        """The probability of each move goes to `w`, and the moves into its order."""
        total = 0.0
        for edge in range(first, first + count):
            tree.w[edge] = strength(prior, rules, state, np.int64(tree.move[edge]), out[: len(GROUPS)])
            total += tree.w[edge]
        for edge in range(first, first + count):
            tree.w[edge] /= total
        put_in_order(tree, first, first + count)

    def heuristic(prior, rules, state, tree, grandparent, edge):
        """What the survey found."""
        return tree.w[edge], prior.c, prior.m


@jit
def strength(prior, rules, state, move, found):
    """The product of the ratings of a move."""
    me = state.turn + np.int64(1)
    if move == PASS or not is_playable(state, np.uintp(move), me):
        return LOWEST
    look(prior.classes, rules, state, np.uintp(move), me, found)
    value = 1.0
    for group in range(found.shape[0]):
        value *= prior.gamma[np.uintp(found[group])]
    return max(value, LOWEST)


@jit
def put_in_order(tree, first, last):
    """Sort edges by `w`, the highest first, those that are equal as they were."""
    for edge in range(first + 1, last):
        w, move, code = tree.w[edge], tree.move[edge], tree.code[edge]
        place = edge
        while place > first and tree.w[place - 1] < w:
            tree.w[place], tree.move[place], tree.code[place] = (
                tree.w[place - 1],
                tree.move[place - 1],
                tree.code[place - 1],
            )
            place -= 1
        tree.w[place], tree.move[place], tree.code[place] = w, move, code
