"""The handcrafted heuristic for Go (Gelly & Silver §5.1, the third of four)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mcrave.errors import SpecError
from mcrave.games import _stones as stones
from mcrave.games import _tactics as tactics
from mcrave.games._stones import PASS
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

    Stages that try their luck cannot be told by the position: the playout must have fill_board=0, proximity=0 and
    heed=1.
    """

    m: float = 50.0
    c: float = 0.0
    playout: Playout = Mogo()

    def validate(self) -> None:
        """No stage of the playout may depend on luck."""
        if not isinstance(self.playout, Mogo):
            raise SpecError(f"handcrafted needs a playout mogo(...), not {self.playout}")
        if self.playout.fill_board > 0 or self.playout.proximity > 0.0 or self.playout.heed < 1.0:
            raise SpecError(
                f"handcrafted needs a playout with fill_board=0, proximity=0 and heed=1, not {self.playout}"
            )

    def check(self, game: Game) -> None:
        """Only Go."""
        check_go(self.name, "prior", game)

    def survey(prior, rules, state, tree, first, count, out):
        """Good, bad, or neither, for each move."""
        playout, me, last = prior.playout, state.turn + np.int64(1), np.uintp(state.last)
        n = answers(playout, state, last, me, out) if last != PASS else 0
        wanted = False
        for edge in range(first, first + count):
            move = np.uintp(tree.move[edge])
            if move == PASS:
                continue
            is_wanted = tactics.is_wanted(state, move, me, playout.avoid_self_atari)
            wanted = wanted or is_wanted
            tree.w[edge] = 0.5 if is_wanted else 0.0
            if tactics.holds(out, n, move) if n > 0 else stones.captures(state, move, me):
                tree.w[edge] = 1.0
        for edge in range(first, first + count):
            if tree.move[edge] == PASS:
                tree.w[edge] = 0.0 if wanted else 0.5

    def heuristic(prior, rules, state, tree, grandparent, edge):
        """What the survey found."""
        return tree.w[edge], prior.c, prior.m
