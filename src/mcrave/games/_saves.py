"""Answers to an atari in Go, and to the threat of one: run, capture what attacks, or gain a liberty in time.

With `ladders`, running counts only where it does not end in a ladder, and an atari that begins a ladder comes before
one that does not.
"""

from __future__ import annotations

import numpy as np

from mcrave.games import _ladders
from mcrave.games import _stones as stones
from mcrave.games._stones import COUNT, EMPTY, ONE
from mcrave.games._tactics import NOWHERE, add, in_atari, is_wanted, last_liberty, leaves_atari, own_chains, the_point
from mcrave.games.go import is_playable
from mcrave.kernel import jit


@jit
def list_saves(state, last, me, ladders, out, n):
    """Moves after which an own chain that stands in atari next to the last move has two liberties or more."""
    width = np.uintp(state.width)
    for q in (last - width, last - ONE, last + ONE, last + width):
        if state.color[q] == me and in_atari(state, q):
            n = list_saves_of(state, np.uintp(state.chain[q]), me, ladders, out, n)
    return n


@jit
def list_saves_of(state, chain, me, ladders, out, n):
    """Extend a chain in atari, or capture what attacks it."""
    width = np.uintp(state.width)
    way = the_point(state.libs[chain])
    if way != state.ko and not stones.is_suicide(state, way, me) and not leaves_atari(state, way, me):
        if not (ladders and _ladders.is_caught(state, chain, me, out[n:])):
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


@jit
def two_liberties(state, chain):
    """The liberties of a chain that has exactly two; (0, 0) for any other."""
    a, b = NOWHERE, NOWHERE
    if (state.libs[chain] & COUNT) > 8:  # one point is a liberty of at most four stones
        return a, b
    width = np.uintp(state.width)
    stone = chain
    while True:
        for q in (stone - width, stone - ONE, stone + ONE, stone + width):
            if state.color[q] != EMPTY or q == a or q == b:
                continue
            if b != NOWHERE:
                return NOWHERE, NOWHERE
            a, b = q, a
        stone = np.uintp(state.next[stone])
        if stone == chain:
            break
    return (a, b) if b != NOWHERE else (NOWHERE, NOWHERE)


@jit
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
            for p in two_liberties(state, chain):
                if p != NOWHERE and is_playable(state, p, me) and has_three_after(state, p, me):
                    n = add(out, n, p)
    return n


@jit
def has_three_after(state, p, me):
    """Whether the chain of a stone on p would have three liberties, or it captures."""
    if stones.captures(state, p, me):
        return True
    width = np.uintp(state.width)
    a, b = NOWHERE, NOWHERE
    for q in (p - width, p - ONE, p + ONE, p + width):
        if state.color[q] == EMPTY:
            if b != NOWHERE:
                return True
            a, b = q, a
    for chain in own_chains(state, p, me):
        if chain == NOWHERE:
            continue
        stone = chain
        while True:
            for q in (stone - width, stone - ONE, stone + ONE, stone + width):
                if state.color[q] == EMPTY and q != p and q != a and q != b:
                    if b != NOWHERE:
                        return True
                    a, b = q, a
            stone = np.uintp(state.next[stone])
            if stone == chain:
                break
    return False
