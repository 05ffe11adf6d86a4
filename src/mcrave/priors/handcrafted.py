"""The handcrafted heuristic for Go (Gelly & Silver §5.1, the third of four)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mcrave.errors import SpecError
from mcrave.games import _stones as stones
from mcrave.games import _tactics as tactics
from mcrave.games._stones import PASS
from mcrave.kernel import jit
from mcrave.playouts.base import Playout
from mcrave.playouts.mogo import Mogo, answers, check_go
from mcrave.priors.base import Prior

if TYPE_CHECKING:
    from mcrave.games import Game


class Handcrafted(Prior, name="handcrafted"):
    """H(s,a) = 1 for a move that MoGo's playout may choose by a rule, 0 for one it never makes, else 0.5; only for Go.

    C̃ = `m` and C = `c` for all moves. The rules are those of `playout`, so that the moves of the highest H are
    exactly those among which `playout` draws:

    - 1: the moves of the first stage that has any, be it saving stones, patterns or capture;
    - 0: filling an own eye, self-atari as far as the playout avoids it, and pass while another move is left;
    - 0.5: all others.

    Stages that try their luck cannot be told by the position: the playout must have fill_board=0 and proximity=0.
    """

    m: float = 50.0
    c: float = 0.0
    playout: Playout = Mogo()

    def validate(self) -> None:
        """No stage of the playout may depend on luck."""
        if not isinstance(self.playout, Mogo):
            raise SpecError(f"handcrafted needs a playout mogo(...), not {self.playout}")
        if self.playout.fill_board > 0 or self.playout.proximity > 0.0:
            raise SpecError(f"handcrafted needs a playout with fill_board=0 and proximity=0, not {self.playout}")

    def check(self, game: Game) -> None:
        """Only Go."""
        check_go(self.name, "prior", game)

    def heuristic(prior, rules, state, tree, grandparent, edge):
        """Good, bad, or neither."""
        return worth(prior.playout, state, np.uintp(tree.move[edge])), prior.c, prior.m


@jit
def worth(playout, state, move):
    """1, 0.5 or 0, as described above."""
    me = state.turn + np.int64(1)
    if move == PASS:
        return 0.0 if has_wanted(state, me, playout.avoid_self_atari) else 0.5
    last = np.uintp(state.last)
    moves = state.empty[state.n_empty :]  # free, and long enough: see `tactics`
    n = answers(playout, state, last, me, moves) if last != PASS else 0
    if tactics.holds(moves, n, move) if n > 0 else stones.captures(state, move, me):
        return 1.0
    return 0.5 if tactics.is_wanted(state, move, me, playout.avoid_self_atari) else 0.0


@jit
def has_wanted(state, me, least):
    """Whether there is a point that the playout wants."""
    for i in range(state.n_empty):
        if tactics.is_wanted(state, np.uintp(state.empty[i]), me, least):
            return True
    return False
