"""Playouts by urgency for Go, in the manner of the first Crazy Stone (Gelly & Silver §3.6; Coulom 2006)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mcrave.errors import SpecError
from mcrave.games import _saves as saves
from mcrave.games import _tactics as tactics
from mcrave.games._stones import PASS
from mcrave.games.go import is_playable
from mcrave.kernel import jit
from mcrave.kernel.rng import uniform
from mcrave.playouts.base import Playout
from mcrave.playouts.mogo import check_go

if TYPE_CHECKING:
    from mcrave.games import Game


class Urgency(Playout, name="urgency"):
    """Every move with a probability proportional to its urgency; only for Go.

    U(a) = (1 + `capture` · stones that a captures + `escape` · stones that a saves) · f(a), where f(a) is the product
    of `near`, if a is one of the eight points around the last move, and `self_atari`, if a puts its own chain into
    atari and captures nothing. Stones are saved if they stand in atari next to the last move and have two liberties
    or more after a.

    The moves are those of a random playout, so no own eye is filled except to save stones, and pass comes when there
    is no other. §3.6 says only that probabilities are proportional to a handcrafted urgency; Coulom's paper was not
    at hand, so the formula and the numbers are ours.
    """

    capture: float = 20.0
    escape: float = 20.0
    near: float = 5.0
    self_atari: float = 0.1

    def validate(self) -> None:
        """Urgencies above zero, so that every move remains possible."""
        for field in ("capture", "escape"):
            if not 0.0 <= getattr(self, field) <= 1e6:
                raise SpecError(f"urgency needs {field} from 0 to 1000000, not {getattr(self, field)}")
        for field in ("near", "self_atari"):
            if not 1e-6 <= getattr(self, field) <= 1e6:
                raise SpecError(f"urgency needs {field} from 0.000001 to 1000000, not {getattr(self, field)}")

    def check(self, game: Game, amaf: bool) -> None:
        """Only Go."""
        check_go(self.name, "playout", game)

    def memory_size(self, game: Game) -> int:
        """The stones that each point saves, then the urgencies of the moves."""
        return 2 * game.codes()

    def choose(playout, rules, state, memory, rng, out):
        """By lot."""
        me = state.turn + np.int64(1)
        last = np.uintp(state.last)
        half = memory.shape[0] // 2
        saved, weights = memory[:half], memory[half:]
        if last != PASS:
            count_saved(state, last, me, saved, out)
        n = 0
        total = 0.0
        for i in range(state.n_empty):
            p = np.uintp(state.empty[i])
            if saved[p] > 0.0 or is_playable(state, p, me):
                weights[n] = urgency(playout, state, p, last, me, saved[p])
                total += weights[n]
                out[n] = p
                n += 1
            saved[p] = 0.0
        if n == 0:
            return np.int64(PASS)
        left = uniform(rng) * total
        for i in range(n - 1):
            left -= weights[i]
            if left < 0.0:
                return np.int64(out[i])
        return np.int64(out[n - 1])


@jit
def count_saved(state, last, me, saved, out):
    """Add up for each point how many stones in atari at the last move a move there saves."""
    for chain in tactics.own_chains(state, last, me):
        if chain != tactics.NOWHERE and tactics.in_atari(state, chain):
            n = saves.list_saves_of(state, chain, me, False, out, 0)
            for i in range(n):
                saved[out[i]] += state.length[chain]


@jit
def urgency(playout, state, p, last, me, saved):
    """U of a move."""
    taken = tactics.captured(state, p, me)
    value = 1.0 + playout.capture * taken + playout.escape * saved
    if last != PASS and tactics.touches(state, p, last):
        value *= playout.near
    if taken == 0 and tactics.is_self_atari(state, p, me, 1):
        value *= playout.self_atari
    return value
