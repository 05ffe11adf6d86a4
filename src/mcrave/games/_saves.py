"""Answers to an atari in Go, and to the threat of one: run, capture what attacks, or gain a liberty in time.

With `ladders`, running counts only where it does not end in a ladder, and an atari that begins a ladder comes before
one that does not.
"""

from __future__ import annotations

import numpy as np

from mcrave.games import _ladders
from mcrave.games import _stones as stones
from mcrave.games._stones import COUNT, EMPTY, ONE, SQUARES, SUM
from mcrave.games._tactics import (
    NOWHERE,
    SUM_BITS,
    add,
    ataris_around,
    in_atari,
    is_wanted,
    last_liberty,
    leaves_atari,
    own_chains,
    the_point,
)
from mcrave.games.go import is_playable
from mcrave.kernel import apart, inlined, jit


@jit
def list_saves(state, last, me, ladders, out, n):
    """Moves after which an own chain that stands in atari next to the last move has two liberties or more."""
    return list_saves_at(state, last, ataris_around(state, last, me), me, ladders, out, n)


@inlined
def list_saves_at(state, last, ataris, me, ladders, out, n):
    """The same if it is known which neighbours are in atari."""
    if ataris == 0:
        return n
    width = np.uintp(state.width)
    for q in (last - width, last - ONE, last + ONE, last + width):
        ataris <<= 1
        if ataris & 16:
            n = list_saves_of(state, np.uintp(state.chain[q]), me, ladders, out, n)
    return n


@apart
def list_saves_of(state, chain, me, ladders, out, n):
    """Extend a chain in atari, or capture what attacks it."""
    width = np.uintp(state.width)
    way = the_point(state.libs[chain])
    if can_run(state, chain, way, me, ladders, out[n:]):
        n = add(out, n, way)
    stone = chain
    while True:
        for q in (stone - width, stone - ONE, stone + ONE, stone + width):
            if state.color[q] == 3 - me and in_atari(state, q):
                p = last_liberty(state, q)
                if p != way and p != state.ko:
                    n = add(out, n, p)
        stone = np.uintp(state.next[stone])
        if stone == chain:
            break
    return n


@apart
def can_run(state, chain, way, me, ladders, out):
    """Whether a chain in atari has two liberties or more after a stone on its last one."""
    if way == state.ko or stones.is_suicide(state, way, me) or leaves_atari(state, way, me):
        return False
    return not (ladders and _ladders.is_caught(state, chain, me, out))


@inlined
def two_liberties(state, chain):
    """The liberties of a chain that has exactly two, the first found last; (0, 0) for any other.

    All lie between the lowest and the highest one; they are these two if Σ (p − low)(high − p) = 0.
    """
    libs = state.libs[chain]
    count = libs & COUNT
    if count > 8 or count < 2 or (state.length[chain] == 1 and count > 2):  # one point is next to at most four stones
        return NOWHERE, NOWHERE
    width = np.uintp(state.width)
    first, low, high = np.int64(0), np.int64(COUNT), np.int64(0)
    stone = chain
    while True:
        for q in (stone - width, stone - ONE, stone + ONE, stone + width):
            empty, point = state.color[q] == EMPTY, np.int64(q)
            low = point if empty & (point < low) else low
            high = point if empty & (point > high) else high
            first = point if empty & (first == 0) else first
        stone = np.uintp(state.next[stone])
        if stone == chain:
            break
        if (first != low) & (first != high):
            return NOWHERE, NOWHERE
    between = ((libs >> SUM) & SUM_BITS) * (low + high) - (libs >> SQUARES) - count * low * high
    if between != 0 or low == high:
        return NOWHERE, NOWHERE
    return np.uintp(low + high - first), np.uintp(first)


@inlined
def list_two_liberties(state, last, me, ladders, out, n):
    """Moves about chains of two liberties at the last move: the enemy's goes into atari, an own one gets a third.

    The first must not be self-atari. The second counts what it captures as enough.
    """
    a, b = two_liberties(state, np.uintp(state.chain[last]))
    a = a if a != NOWHERE and is_wanted(state, a, me, 1) else NOWHERE
    b = b if b != NOWHERE and is_wanted(state, b, me, 1) else NOWHERE
    if ladders and a != NOWHERE and b != NOWHERE:
        threat = _ladders.atari_beside(state, np.uintp(state.chain[last]), me)
        begins_a = _ladders.begins_ladder(state, a, b, last, threat, out[n:])
        begins_b = _ladders.begins_ladder(state, b, a, last, threat, out[n:])
        a = NOWHERE if begins_b and not begins_a else a
        b = NOWHERE if begins_a and not begins_b else b
    for p in (a, b):
        if p != NOWHERE:
            n = add(out, n, p)
    for chain in own_chains(state, last, me):
        if chain != NOWHERE:
            a, b = two_liberties(state, chain)
            if a != NOWHERE and is_playable(state, a, me) and has_three_after(state, a, b, chain, me):
                n = add(out, n, a)
            if b != NOWHERE and is_playable(state, b, me) and has_three_after(state, b, a, chain, me):
                n = add(out, n, b)
    return n


@jit
def has_three_after(state, p, other, chain, me):
    """Whether a stone on one of the two liberties of an own chain gives it three, or captures."""
    more = (np.int64(state.nbr[p]) >> 12) - int(_ladders.is_next(state, p, other))
    if more >= 2 or stones.captures(state, p, me):
        return True
    width = np.uintp(state.width)
    new = NOWHERE
    for q in (p - width, p - ONE, p + ONE, p + width):
        if state.color[q] == EMPTY and q != other:
            new = q
    for friend in own_chains(state, p, me):
        if friend == NOWHERE or friend == chain:
            continue
        stone = friend
        while True:
            for q in (stone - width, stone - ONE, stone + ONE, stone + width):
                if state.color[q] == EMPTY and q != p and q != other and q != new:
                    if new != NOWHERE:
                        return True
                    new = q
            stone = np.uintp(state.next[stone])
            if stone == friend:
                break
    return False
