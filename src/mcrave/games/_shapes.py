"""Eye shapes in Go: the points that kill a small eye space, and those that keep an eye from becoming false."""

from __future__ import annotations

import numpy as np

from mcrave.games import _stones as stones
from mcrave.games import _tactics as tactics
from mcrave.games._stones import BORDER, EMPTY, ONE
from mcrave.kernel import apart, bits, inlined, jit

LARGEST = 6  # points of an eye space with one vital point


@inlined
def list_nakade(state, last, me, out, n):
    """Vital points of eye spaces next to the last move that only enemy stones surround.

    Three in a row or bent, four as a T, five as a cross or a square with a tail, six as the same with two tails: the
    point with the most neighbours inside.
    """
    if not stones.has_empty_neighbour(state, last):
        return n
    width = np.uintp(state.width)
    starts = may_be_eye(state, last - width, me) | may_be_eye(state, last - ONE, me) << 1
    starts |= may_be_eye(state, last + ONE, me) << 2 | may_be_eye(state, last + width, me) << 3
    seen = 0  # points behind the first n that belong to a space that was looked at in vain
    left = bits.WORD(starts)
    while left != bits.WORD(0):
        i = bits.lowest(left)
        left &= left - bits.ONE
        step = ONE if i == 1 or i == 2 else width
        q = last - step if i < 2 else last + step
        if may_be_inside(state, q, me) and not tactics.holds(out[n:], seen, q):
            inside, seen = eye_space(state, q, me, out, n)
            p = vital_point(state, out, n, inside)
            if p != tactics.NOWHERE:
                n = tactics.add(out, n, p)
                seen = 0
    return n


@jit
def may_be_eye(state, q, me):
    """1 if a point is empty, one next to it is, too, and none next to it is an own stone.

    This and the next are without branches, which are hard to predict here.
    """
    return int(state.color[q] == EMPTY) & int(stones.has_empty_neighbour(state, q)) & int(is_enclosed(state, q, me))


@inlined
def may_be_inside(state, q, me):
    """Whether such a point may be inside an eye space with a vital point, as far as two steps show.

    No own stone is next to its empty neighbours, and the empty points so far are not too many, nor just two.
    """
    width = np.uintp(state.width)
    north, west = int(state.color[q - width] == EMPTY), int(state.color[q - ONE] == EMPTY)
    east, south = int(state.color[q + ONE] == EMPTY), int(state.color[q + width] == EMPTY)
    own = north * own_neighbours(state, q - width, me) + west * own_neighbours(state, q - ONE, me)
    own += east * own_neighbours(state, q + ONE, me) + south * own_neighbours(state, q + width, me)
    space = 1 + north * empty_neighbours(state, q - width) + west * empty_neighbours(state, q - ONE)
    space += east * empty_neighbours(state, q + ONE) + south * empty_neighbours(state, q + width)
    space -= north & west & int(state.color[q - width - ONE] == EMPTY)  # seen from both
    space -= north & east & int(state.color[q - width + ONE] == EMPTY)
    space -= south & west & int(state.color[q + width - ONE] == EMPTY)
    space -= south & east & int(state.color[q + width + ONE] == EMPTY)
    return own == 0 and 3 <= space <= LARGEST


@jit
def own_neighbours(state, p, me):
    """How many neighbours are own stones."""
    return 4 - empty_neighbours(state, p) - stones.same_neighbours(state, p, 3 - me)


@inlined
def eye_space(state, start, me, out, n):
    """Write the empty points that hang together with `start` behind the first n.

    Returns how many they are, 0 if too many or open, and how many were written.
    """
    width = np.uintp(state.width)
    out[n] = start
    found = 1
    if not is_enclosed(state, start, me):
        return 0, found
    i = 0
    while i < found:
        p = np.uintp(out[n + i])
        for q in (p - width, p - ONE, p + ONE, p + width):
            if state.color[q] == EMPTY:
                if not is_enclosed(state, q, me):
                    return 0, found
                j = n
                while j < n + found and out[j] != np.int64(q):
                    j += 1
                if j == n + found:
                    if found == LARGEST:
                        return 0, found
                    out[j] = q
                    found += 1
        i += 1
    return found, found


@jit
def is_enclosed(state, p, me):
    """Whether no neighbour of an empty point is an own stone: all are enemies, off the board or empty."""
    return stones.same_neighbours(state, p, 3 - me) + empty_neighbours(state, p) == 4


@jit
def vital_point(state, out, n, inside):
    """The point that kills an eye space of so many points, or 0."""
    best, most, bends = tactics.NOWHERE, np.int64(0), 0
    for i in range(n, n + inside):
        p = np.uintp(out[i])
        inner = empty_neighbours(state, p)
        bends += int(inner == 2)
        if inner > most:
            best, most = p, inner
    three = inside == 3
    four = inside == 4 and most == 3
    five = inside == 5 and (most == 4 or (most == 3 and bends == 3))
    six = inside == 6 and most == 4 and bends == 3
    return best if three or four or five or six else tactics.NOWHERE


@jit
def empty_neighbours(state, p):
    """How many neighbours are empty."""
    return np.int64(state.nbr[p]) >> 12


@apart
def list_eye_repairs(state, last, me, least, out, n):
    """Diagonal points that keep an own eye true, after the enemy has taken the first of its diagonals.

    With two of the four an eye in the middle of the board is false. At the edge one is enough: too late.
    """
    width = np.uintp(state.width)
    for eye in (last - width - ONE, last - width + ONE, last + width - ONE, last + width + ONE):
        if state.color[eye] != EMPTY or stones.same_neighbours(state, eye, me) != 4:
            continue
        corners = (eye - width - ONE, eye - width + ONE, eye + width - ONE, eye + width + ONE)
        taken = 0
        for p in corners:
            taken += 1 if state.color[p] == 3 - me else 2 * int(state.color[p] == BORDER)
        if taken == 1:
            for p in corners:
                if state.color[p] == EMPTY and tactics.is_wanted(state, p, me, least):
                    n = tactics.add(out, n, p)
    return n
