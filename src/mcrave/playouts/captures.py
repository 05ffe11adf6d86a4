"""Playouts of Atarigo that take what they can: the move that wins is not overlooked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mcrave.errors import Error, SpecError
from mcrave.games import _stones as stones
from mcrave.games import _tactics as tactics
from mcrave.games import base
from mcrave.games._stones import ONE
from mcrave.games.atarigo import Atarigo
from mcrave.kernel import jit
from mcrave.kernel.rng import below
from mcrave.playouts.base import Playout

if TYPE_CHECKING:
    from mcrave.games import Game

NONE = 0  # no point of the board has this number
SEEN, LAST, BEFORE = range(3)  # memory: moves of this playout so far, the last one, the one before


class Captures(Playout, name="captures"):
    """Capture if that is possible, which wins; otherwise every legal move alike; only for Atarigo.

    With `save`, an own chain in atari, which would be captured next, is extended if that gives it two liberties. With
    `patterns`, one of MoGo's 3×3 patterns next to the last move of the playout comes before any other move, unless it
    puts an own chain into atari. With `avoid_self_atari` = n, no other move leaves an own chain of n or more stones,
    the new one counted, with a single liberty, if there is one that does not; 0 allows all.
    """

    save: bool = False
    patterns: bool = False
    avoid_self_atari: int = 0

    def validate(self) -> None:
        """No negative number of stones."""
        if self.avoid_self_atari < 0:
            raise SpecError(f"captures needs avoid_self_atari to be 0 or more stones, not {self.avoid_self_atari}")

    def check(self, game: Game, amaf: bool) -> None:
        """Only Atarigo."""
        if not isinstance(game, Atarigo):
            raise Error(f"captures is a playout for atarigo, not for {game.name}")

    def memory_size(self, game: Game) -> int:
        """The last two moves."""
        return 3

    def begin(playout, rules, tree, scratch, in_tree):
        """Another position: nothing is known of the last moves."""
        scratch.memory[SEEN] = 0.0

    def choose(playout, rules, state, memory, rng, out):
        """A capture, or what saves a chain, or a pattern, or any move."""
        p = find_capture(state) if memory[SEEN] < 2.0 else find_new_capture(state, memory)
        if p == NONE and playout.save:
            p = find_save(state) if memory[SEEN] < 1.0 else find_save_near(state, np.uintp(np.int64(memory[LAST])))
        if p == NONE and playout.patterns and memory[SEEN] > 0.0:
            p = pattern_near(state, np.uintp(np.int64(memory[LAST])), rng, out)
        if p == NONE and playout.avoid_self_atari > 0:
            p = careful_point(state, rng, playout.avoid_self_atari)
        move = np.int64(p) if p != NONE else np.int64(base.random_move(rules, state, rng, out))
        memory[SEEN] += 1.0
        memory[BEFORE] = memory[LAST]
        memory[LAST] = move
        return move


@jit
def find_capture(state):
    """A point where a stone captures, or NONE."""
    me = state.turn + np.int64(1)
    for i in range(state.n_empty):
        p = np.uintp(state.empty[i])
        if stones.captures(state, p, me):
            return p
    return np.uintp(NONE)


@jit
def find_new_capture(state, memory):
    """The same where the player to move could capture nothing a turn ago.

    So what is in atari now was brought there by the opponent's last move, or by the own one before.
    """
    foe = 2 - np.int64(state.turn)
    last, before = np.uintp(np.int64(memory[LAST])), np.uintp(np.int64(memory[BEFORE]))
    width = np.uintp(state.width)
    for q in (last, before - width, before - ONE, before + ONE, before + width):
        if state.color[q] == foe and tactics.in_atari(state, q):
            return np.uintp(tactics.last_liberty(state, q))
    return np.uintp(NONE)


@jit
def find_save(state):
    """A point where an own chain in atari gets out of it, or NONE."""
    me = state.turn + np.int64(1)
    width = np.uintp(state.width)
    for i in range(state.n_empty):
        p = np.uintp(state.empty[i])
        for q in (p - width, p - ONE, p + ONE, p + width):
            if state.color[q] == me and tactics.in_atari(state, q) and gives_two(state, p, me):
                return p
    return np.uintp(NONE)


@jit
def find_save_near(state, last):
    """The same where the opponent could capture nothing before the last move: it gave the atari."""
    me = state.turn + np.int64(1)
    width = np.uintp(state.width)
    for q in (last - width, last - ONE, last + ONE, last + width):
        if state.color[q] == me and tactics.in_atari(state, q):
            p = np.uintp(tactics.last_liberty(state, q))
            if gives_two(state, p, me):
                return p
    return np.uintp(NONE)


@jit
def pattern_near(state, last, rng, out):
    """A random one of the points around the last move where a pattern holds, or NONE."""
    n = np.int64(tactics.list_patterns(state, last, state.turn + np.int64(1), 1, out, 0))
    return np.uintp(out[below(rng, n)]) if n > 0 else np.uintp(NONE)


@jit
def careful_point(state, rng, least):
    """A random point where a stone puts no own chain of so many stones into atari, or NONE; it captures nothing."""
    me, n = state.turn + np.int64(1), np.int64(state.n_empty)
    while n > 0:
        i = below(rng, n)
        p = np.uintp(state.empty[i])
        if gives_two(state, p, me) or (is_short(state, p, me, least) and not stones.is_suicide(state, p, me)):
            return p
        n -= 1
        stones.refuse(state, i, n)
    return np.uintp(NONE)


@jit
def is_short(state, p, me, least):
    """Whether the chain of a stone put on p would have fewer stones than this."""
    return least > 1 and tactics.length_after(state, p, me) < least


@jit
def gives_two(state, p, me):
    """Whether the chain of a stone put on p, which captures nothing, has two liberties or more."""
    return tactics.are_several(tactics.libs_after(state, p, me))
