"""MoGo's playouts by several lanes of a warp: each looks at another neighbour of the last move.

The same moves as `Mogo.choose`. What looks at the four or eight points around the last move, ataris and patterns, is
done by as many lanes, and their answers are put together in the order in which one thread would have found them. The
games of a warp go from one rule to the next together: the program of a move is long, and threads that are in different
places of it run one after the other, each waiting for its own instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from mcrave.games import _patterns as patterns
from mcrave.games import _saves as saves
from mcrave.games import _tactics as tactics
from mcrave.games._stones import EMPTY, PASS
from mcrave.games.go import is_playable
from mcrave.kernel import dispatched, inlined
from mcrave.kernel.rng import below
from mcrave.parallel.gpu.stones_together import (
    AROUND,
    CROSS,
    beside,
    lowest,
    play_together,
    random_together,
    votes_of,
)
from mcrave.playouts.base import goes_on, record
from mcrave.playouts.mogo import (
    ALL,
    KNOWN,
    PATTERN,
    Mogo,
    after_patterns,
    before_patterns,
    draw_rules,
    list_captures,
    note,
)
from mcrave.specs import Spec

NORTH, ITSELF = 8, 16  # bits of ataris: those of the neighbours from the southern one on, and of the last move's chain
ROW_BY_ROW = sum(i << (3 * place) for place, i in enumerate((4, 0, 5, 1, 2, 6, 3, 7)))  # of `beside`


@dispatched
def drawn_rules(pace, playout, rng):
    """The rules that are heeded in this move."""
    return draw_rules(rng, playout.heed)


@dispatched
def answer(pace, playout, state, scratch, ataris, heeded, me):
    """A move by a rule that comes before patterns, or PASS; called by all lanes of a game, known to the first."""
    move = np.int64(PASS)
    if me.lane == 0:
        color, last = state.turn + np.int64(1), np.uintp(state.last)
        rng, out = scratch.rng[0], scratch.moves
        move = np.int64(before_patterns(playout, state, last, ataris & 15, color, heeded, rng, out))
    return move


@dispatched
def is_wanted(pace, playout, state, p, color):
    """Whether a pattern's move may be played."""
    return tactics.is_wanted(state, p, color, int(playout.avoid_self_atari > 0))


@dispatched
def other_move(pace, playout, state, scratch, heeded, wants, me):
    """A move by a rule that comes after patterns, if the first lane wants one; known to that lane."""
    move = np.int64(PASS)
    if wants:
        color, last = state.turn + np.int64(1), np.uintp(state.last)
        move = after_patterns(playout, state, last, color, heeded, scratch.memory, scratch.rng[0], scratch.moves)
    return move


class Together(Spec):
    """All rules of `Mogo`."""

    def play_on(pace, plan, state, scratch, ply, last, me):
        """See `finish_together`."""
        return finish_together(pace, plan, state, scratch, ply, last, me)


class Rules2006(Spec):
    """Only the rules of Gelly et al. 2006, so that a GPU need not hold the others."""

    def play_on(pace, plan, state, scratch, ply, last, me):
        """See `finish_together`."""
        return finish_together(pace, plan, state, scratch, ply, last, me)

    def drawn_rules(pace, playout, rng):
        """All."""
        return ALL

    def answer(pace, playout, state, scratch, ataris, heeded, me):
        """Save a chain."""
        move = np.int64(PASS)
        if ataris & 15 != 0:
            n = list_saves_together(state, ataris & 15, scratch.moves, me)
            if n > 0:
                move = np.int64(scratch.moves[below(scratch.rng[0], n)])
        return move

    def is_wanted(pace, playout, state, p, color):
        """Self-atari is allowed."""
        return is_playable(state, p, color)

    def other_move(pace, playout, state, scratch, heeded, wants, me):
        """Capture, or play at random."""
        color, move = state.turn + np.int64(1), np.int64(PASS)
        if wants:
            n = list_captures(state, color, scratch.memory, scratch.moves)
            if n > 0:
                move = np.int64(scratch.moves[below(scratch.rng[0], n)])
        draws = votes_of(wants and move == PASS, me) != 0
        drawn = random_together(state, color, scratch.rng[0], draws, me)
        return drawn if draws else move


def pace_of_mogo(playout: Mogo) -> Spec:
    """With as few rules as the playout has.

    >>> pace_of_mogo(Mogo()), pace_of_mogo(RULES_OF_2006), pace_of_mogo(RULES_OF_2006._replace(mercy=2.25))
    (Together(), Rules2006(), Rules2006())
    """
    ends: dict[str, Any] = {"mercy": playout.mercy, "margin": playout.margin}  # not a matter of choosing moves
    return Rules2006() if tuple(playout) == tuple(RULES_OF_2006._replace(**ends)) else Together()


RULES_OF_2006 = Mogo(avoid_self_atari=0, two_liberties=False, nakade=False, ladders=False)


@inlined
def finish_together(pace, plan, state, scratch, ply, last, me):
    """Finish the game; return the ply reached."""
    reached = np.int64(ply)
    cuda.syncwarp(me.warp)
    plays = reached < last and goes_on(plan.playout, plan.rules, state, scratch)
    note_all(state, scratch.memory, plays, me)
    noted = True
    while cuda.any_sync(me.warp, plays):
        move = choose_together(pace, plan.playout, state, scratch, plays, noted, me)
        if plays and me.lane == 0:
            record(plan.recording, plan.rules, state, scratch, reached, move)
        play_together(state, move, plays, me)
        noted = False
        if plays:
            reached += 1
            plays = reached < last and goes_on(plan.playout, plan.rules, state, scratch)
    return reached


@inlined
def note_all(state, memory, plays, me):
    """Begin the lists of points where something can be captured; see `mogo.note_ataris`."""
    if plays and me.lane == 0:
        memory[KNOWN] = 1.0
        memory[1] = 0.0
        memory[2] = 0.0
    first = np.int64(0)
    while first < state.color.shape[0]:
        p = np.uintp(min(first + me.lane, state.color.shape[0] - 1))
        stone = plays and first + me.lane < state.color.shape[0] and (state.color[p] == 1 or state.color[p] == 2)
        found = votes_of(stone and state.chain[p] == p and tactics.in_atari(state, p), me)
        while me.lane == 0 and found != 0:
            note(state, np.uintp(first + lowest(found)), memory)
            found &= found - 1
        first += me.width


@inlined
def choose_together(pace, playout, state, scratch, plays, noted, me):
    """The next move, known to the first lane; `noted`: the lists of captures are of this position."""
    color = state.turn + np.int64(1)
    last = np.uintp(state.last)
    leads = plays and me.lane == 0
    answers = plays and last != PASS
    ataris = ataris_together(state, last, color, answers, me)
    move, heeded = np.int64(PASS), 0
    if leads and not noted:
        note_around(state, last, ataris, scratch.memory)
    if leads:
        heeded = drawn_rules(pace, playout, scratch.rng[0])
    if answers:
        move = answer(pace, playout, state, scratch, ataris, heeded, me)
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
        move = np.int64(around(state, last, lowest(found)))
    other = other_move(pace, playout, state, scratch, heeded, leads and move == PASS, me)
    return other if move == PASS else move


@inlined
def around(state, p, i):
    """The i-th of the eight points around p, row by row."""
    return beside(state, p, (ROW_BY_ROW >> (3 * i)) & 7)


@inlined
def ataris_together(state, last, color, answers, me):
    """Which neighbours are of this colour and in atari, as bits (see NORTH), and whether the last move's chain is."""
    found, i = 0, np.int64(0)
    while i <= CROSS:
        mine = False
        if answers and i + me.lane <= CROSS:
            itself = i + me.lane == CROSS
            q = last if itself else beside(state, last, CROSS - 1 - i - me.lane)
            mine = state.color[q] == (3 - color if itself else color) and tactics.in_atari(state, q)
        found |= votes_of(mine, me) << i
        i += me.width
    return found


@inlined
def note_around(state, last, ataris, memory):
    """Add what the last move put into atari to the lists."""
    if ataris & ITSELF:
        note(state, last, memory)
    ataris &= ITSELF - 1
    i = np.int64(0)
    while ataris != 0:
        if ataris & NORTH:
            note(state, beside(state, last, i), memory)
        ataris = (ataris << 1) & (ITSELF - 1)
        i += 1


@inlined
def list_saves_together(state, ataris, out, me):
    """`saves.list_saves_at` without ladders, by all lanes of a game; the first knows how many moves there are."""
    color, last = state.turn + np.int64(1), np.uintp(state.last)
    n, i = 0, np.int64(0)
    while ataris != 0:
        if ataris & NORTH:
            chain = np.uintp(state.chain[beside(state, last, i)])
            way = tactics.the_point(state.libs[chain])
            if me.lane == 0 and saves.can_run(state, chain, way, color, False, out):
                n = tactics.add(out, n, way)
            stone = chain
            while True:
                attacked = False
                if me.lane < CROSS:
                    q = beside(state, stone, me.lane)
                    attacked = state.color[q] == 3 - color and tactics.in_atari(state, q)
                found = (cuda.ballot_sync(me.mask, attacked) & me.mask) >> me.first
                while me.lane == 0 and found != 0:
                    p = tactics.last_liberty(state, beside(state, stone, lowest(found)))
                    if p != way and p != state.ko:
                        n = tactics.add(out, n, p)
                    found &= found - 1
                stone = np.uintp(state.next[stone])
                if stone == chain:
                    break
        ataris = (ataris << 1) & (ITSELF - 1)
        i += 1
    return n
