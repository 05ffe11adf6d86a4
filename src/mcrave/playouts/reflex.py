"""Playouts of three-colour Go that answer an atari and take what they can: MoGo's, without its patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mcrave.errors import Error
from mcrave.games import _stones as stones
from mcrave.games import base
from mcrave.games._stones import PASS
from mcrave.games.go3 import Go3
from mcrave.kernel import jit
from mcrave.kernel.rng import below
from mcrave.playouts.base import Playout
from mcrave.playouts.captures import NONE, find_save_near

if TYPE_CHECKING:
    from mcrave.games import Game


class Reflex(Playout, name="reflex"):
    """Save a chain that stands in atari, or else capture, or else play anywhere; only for three-colour Go.

    An own chain next to one of the opponents' last two moves that has one liberty is extended if that gives it two.
    Of several captures each is as likely as the empty points before it in the board's list allow: the search for one
    begins at a random empty point. As in MoGo (Gelly et al. 2006), nothing looks further than the next move.
    """

    def check(self, game: Game, amaf: bool) -> None:
        """Only three-colour Go."""
        if not isinstance(game, Go3):
            raise Error(f"reflex is a playout for go3, not for {game.name}")

    def choose(playout, rules, state, memory, rng, out):
        """What saves a chain, or a capture, or any move that fills no own eye."""
        p = legal_save(state, np.uintp(state.last))
        if p == NONE:
            p = legal_save(state, np.uintp(state.before))
        if p == NONE:
            p = some_capture(state, rng)
        return np.int64(p) if p != NONE else np.int64(base.random_move(rules, state, rng, out))


@jit
def legal_save(state, last):
    """A point where an own chain next to this move gets out of atari, or NONE."""
    if last == PASS:
        return np.uintp(NONE)
    p = np.uintp(find_save_near(state, last))
    return p if p != state.ko else np.uintp(NONE)


@jit
def some_capture(state, rng):
    """A point where a stone captures, or NONE."""
    me, n = state.turn + np.int64(1), np.int64(state.n_empty)
    if n == 0:
        return np.uintp(NONE)
    i = np.int64(below(rng, n))
    for _ in range(n):
        p = np.uintp(state.empty[i])
        if p != state.ko and stones.captures(state, p, me):
            return p
        i = i + 1 if i + 1 < n else np.int64(0)
    return np.uintp(NONE)
