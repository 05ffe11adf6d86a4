"""MoGo's playouts by several lanes of a warp: each looks at another neighbour of the last move.

The same moves as `Mogo.choose`. What looks at the four or eight points around the last move, ataris and patterns, is
done by as many lanes, and their answers are put together in the order in which one thread would have found them. The
rest is done by the first lane. The games of a warp go from one rule to the next together: the program of a move is
long, and threads that are in different places of it run one after the other, each waiting for its own instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from mcrave.games import _patterns as patterns
from mcrave.games import _saves as saves
from mcrave.games import _tactics as tactics
from mcrave.games import base
from mcrave.games._stones import EMPTY, PASS
from mcrave.games.go import is_playable, random_point
from mcrave.kernel import dispatched, inlined
from mcrave.kernel.rng import below
from mcrave.playouts.base import goes_on, record
from mcrave.playouts.mogo import (
    ALL,
    PATTERN,
    Mogo,
    after_patterns,
    before_patterns,
    draw_rules,
    list_captures,
    note_ataris,
)
from mcrave.specs import Spec

AROUND = 8  # points around the last move


@dispatched
def drawn_rules(pace, playout, rng):
    """The rules that are heeded in this move."""
    return draw_rules(rng, playout.heed)


@dispatched
def answer(pace, playout, state, last, ataris, color, heeded, rng, out):
    """A move by a rule that comes before patterns, or PASS."""
    return before_patterns(playout, state, last, ataris, color, heeded, rng, out)


@dispatched
def is_wanted(pace, playout, state, p, color):
    """Whether a pattern's move may be played."""
    return tactics.is_wanted(state, p, color, int(playout.avoid_self_atari > 0))


@dispatched
def other_move(pace, playout, state, last, color, heeded, memory, rng, out):
    """A move by a rule that comes after patterns."""
    return after_patterns(playout, state, last, color, heeded, memory, rng, out)


class Together(Spec):
    """All rules of `Mogo`."""

    def play_on(pace, plan, state, scratch, ply, last, me):
        """See `play_together`."""
        return play_together(pace, plan, state, scratch, ply, last, me)


class Rules2006(Spec):
    """Only the rules of Gelly et al. 2006, so that a GPU need not hold the others."""

    def play_on(pace, plan, state, scratch, ply, last, me):
        """See `play_together`."""
        return play_together(pace, plan, state, scratch, ply, last, me)

    def drawn_rules(pace, playout, rng):
        """All."""
        return ALL

    def answer(pace, playout, state, last, ataris, color, heeded, rng, out):
        """Save a chain."""
        n = saves.list_saves_at(state, last, ataris, color, False, out, 0)
        return np.uintp(out[below(rng, n)]) if n > 0 else np.uintp(PASS)

    def is_wanted(pace, playout, state, p, color):
        """Self-atari is allowed."""
        return is_playable(state, p, color)

    def other_move(pace, playout, state, last, color, heeded, memory, rng, out):
        """Capture, or play at random."""
        n = list_captures(state, color, memory, out)
        if n > 0:
            return np.int64(out[below(rng, n)])
        return np.int64(random_point(state, color, rng))


def pace_of_mogo(playout: Mogo) -> Spec:
    """With as few rules as the playout has.

    >>> pace_of_mogo(Mogo()), pace_of_mogo(RULES_OF_2006), pace_of_mogo(RULES_OF_2006._replace(mercy=2.25))
    (Together(), Rules2006(), Rules2006())
    """
    ends: dict[str, Any] = {"mercy": playout.mercy, "margin": playout.margin}  # not a matter of choosing moves
    return Rules2006() if tuple(playout) == tuple(RULES_OF_2006._replace(**ends)) else Together()


RULES_OF_2006 = Mogo(avoid_self_atari=0, two_liberties=False, nakade=False, ladders=False)


@inlined
def play_together(pace, plan, state, scratch, ply, last, me):
    """Finish the game; return the ply reached."""
    reached = np.int64(ply)
    cuda.syncwarp(me.warp)
    plays = reached < last and goes_on(plan.playout, plan.rules, state, scratch)
    while cuda.any_sync(me.warp, plays):
        move = choose_together(pace, plan.playout, state, scratch, plays, me)
        if plays and me.lane == 0:
            record(plan.recording, plan.rules, state, scratch, reached, move)
            base.play(plan.rules, state, move)
        cuda.syncwarp(me.warp)
        if plays:
            reached += 1
            plays = reached < last and goes_on(plan.playout, plan.rules, state, scratch)
    return reached


@inlined
def choose_together(pace, playout, state, scratch, plays, me):
    """The next move, known to the first lane."""
    color = state.turn + np.int64(1)
    last = np.uintp(state.last)
    leads = plays and me.lane == 0
    answers = plays and last != PASS
    ataris = votes_of(answers and me.lane < 4 and is_in_atari(state, last, me.lane, color), me) & 15
    move, heeded = np.int64(PASS), 0
    if leads:
        note_ataris(state, last, ataris, scratch.memory)
        heeded = drawn_rules(pace, playout, scratch.rng[0])
        if answers:
            move = np.int64(answer(pace, playout, state, last, ataris, color, heeded, scratch.rng[0], scratch.moves))
    looks = cuda.ballot_sync(me.warp, leads and answers and move == PASS and heeded & PATTERN != 0)
    found, i = 0, np.int64(0)
    while looks != 0 and i < AROUND:
        fits = False
        if (looks >> me.first) & 1 and i + me.lane < AROUND:
            p = around(state, last, i + me.lane)
            fits = state.color[p] == EMPTY and patterns.matches(state, p, color)
            fits = fits and is_wanted(pace, playout, state, p, color)
        found |= votes_of(fits, me) << i
        i += me.width
    if leads and found != 0:
        left = below(scratch.rng[0], np.int64(cuda.popc(found)))
        while left > 0:
            found &= found - 1
            left -= 1
        move = np.int64(around(state, last, np.int64(cuda.popc((found & -found) - 1))))
    elif leads and move == PASS:
        rng = scratch.rng[0]
        move = other_move(pace, playout, state, last, color, heeded, scratch.memory, rng, scratch.moves)
    return move


@inlined
def votes_of(said, me):
    """Which lanes of the game say yes: a bit for each, that of the first one the lowest."""
    return (cuda.ballot_sync(me.warp, said) & me.mask) >> me.first


@inlined
def around(state, p, i):
    """The i-th of the eight points around p, row by row."""
    width = np.int64(state.width)
    j = i + np.int64(i >= 4)  # with p itself they are nine
    down = (j * 11) >> 5  # j // 3
    return np.uintp(np.int64(p) + (down - 1) * width + j - 3 * down - 1)


@inlined
def is_in_atari(state, p, i, color):
    """Whether the i-th neighbour of p, from the southern to the northern one, is a stone of this colour in atari."""
    width = np.int64(state.width)
    step = np.int64(1) if i == 1 else np.int64(-1)
    step = width if i == 0 else step
    step = -width if i == 3 else step
    q = np.uintp(np.int64(p) + step)
    return state.color[q] == color and tactics.in_atari(state, q)
