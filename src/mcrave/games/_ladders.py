"""Ladders in Go: whether a chain in atari is lost although it can run.

The stones of a ladder are laid on the board that is asked about and lifted again, last first, so nothing is copied.
Only what liberties need is kept meanwhile: `empty`, `count`, `ko` and `last` stay as they are. What was laid stands in
`log`, an array of the caller's: for each stone the chains that became part of another one, then the stone with their
number and, for a stone of the hunter, the liberty that is still to be tried.
"""

from __future__ import annotations

import numpy as np

from mcrave.games import _stones as stones
from mcrave.games import _tactics as tactics
from mcrave.games._stones import COUNT, EMPTY, ONE, UNCAPTURABLE
from mcrave.kernel import jit

POINT = 1 << 10  # a point and two numbers fit into 32 bits
LEFT = 1 << 13
MOST = 8  # pseudo-liberties that two points can be, each next to four stones
ROOM = 10  # entries that a stone of each colour takes at the most


@jit
def is_caught(state, stone, me, log):
    """Whether a chain in atari is lost if its owner, to move, runs.

    It runs to its last liberty. Three liberties are freedom, one is death; with two the hunter tries both, as far as
    that is legal, captures nothing and leaves no three liberties at once. A runner who can capture anything next to
    the chain, or on the liberty itself, is free, ko not considered. So is one whose ladder is longer than `log` has
    room for.
    """
    if state.nbr[tactics.last_liberty(state, stone)] >= 0x3000:  # three liberties, most often
        return False
    top = 0
    while True:
        chain = np.uintp(state.chain[stone])
        way = tactics.the_point(state.libs[chain])
        first, second = tactics.NOWHERE, tactics.NOWHERE
        if top + ROOM <= log.shape[0] and not can_capture(state, chain, way, me):
            top = lay(state, way, me, tactics.NOWHERE, log, top)
            liberties, a, b = few_liberties(state, np.uintp(state.chain[stone]))
            if liberties < 2:
                while top > 0:
                    top = lift(state, log, top)
                return True
            if liberties == 2:
                first, second = ways_to_hunt(state, a, b, 3 - me)
        while first == tactics.NOWHERE:  # so the runner is free: the hunter's other liberty, or that of a stone before
            if top == 0:
                return False
            first = np.uintp(np.int64(log[top - 1]) // LEFT)
            top = lift(state, log, top)
        top = lay(state, first, 3 - me, second, log, top)


@jit
def can_capture(state, chain, way, me):
    """Whether the runner can capture what stands next to the chain, or something by its last liberty."""
    if stones.captures(state, way, me):
        return True
    width = np.uintp(state.width)
    stone = chain
    while True:
        for q in (stone - width, stone - ONE, stone + ONE, stone + width):
            if state.color[q] == 3 - me and tactics.in_atari(state, q):
                return True
        stone = np.uintp(state.next[stone])
        if stone == chain:
            return False


@jit
def few_liberties(state, chain):
    """How many liberties a chain has, three standing for more, and the first two found."""
    width = np.uintp(state.width)
    a, b = tactics.NOWHERE, tactics.NOWHERE
    if (state.libs[chain] & COUNT) > MOST:
        return 3, a, b
    stone = chain
    while True:
        for q in (stone - width, stone - ONE, stone + ONE, stone + width):
            if state.color[q] == EMPTY and q != a and q != b:
                if b != tactics.NOWHERE:
                    return 3, a, b
                a, b = q, a
        stone = np.uintp(state.next[stone])
        if stone == chain:
            return int(a != tactics.NOWHERE) + int(b != tactics.NOWHERE), a, b


@jit
def ways_to_hunt(state, a, b, hunter):
    """Of the two liberties of a chain those by which it can be hunted, 0 in place of what is missing."""
    first = can_hunt(state, a, b, hunter)
    second = can_hunt(state, b, a, hunter)
    if first:
        return a, (b if second else tactics.NOWHERE)
    return (b if second else tactics.NOWHERE), tactics.NOWHERE


@jit
def can_hunt(state, p, other, hunter):
    """Whether a stone on p is legal, captures nothing, and leaves no three liberties at the other point."""
    if leaves_three(state, p, other):
        return False
    return not stones.captures(state, p, hunter) and not stones.is_suicide(state, p, hunter)


@jit
def leaves_three(state, p, other):
    """Whether three neighbours of the other point stay empty."""
    return (np.int64(state.nbr[other]) >> 12) - int(is_next(state, p, other)) >= 3


@jit
def is_next(state, p, q):
    """Whether two points are neighbours."""
    apart = abs(np.int64(p) - np.int64(q))
    return apart == 1 or apart == np.int64(state.width)


@jit
def lay(state, p, me, left, log, top):
    """Put a stone that captures nothing; `left` is kept with it. Returns the new end of the log."""
    width = np.uintp(state.width)
    step = np.int64((1 << (4 * (me - 1))) - 0x1000)
    own = stones.liberty(p)
    libs = np.int64(0)
    for q in (p - width, p - ONE, p + ONE, p + width):
        state.nbr[q] += step
        state.libs[state.chain[q]] -= own
        if state.color[q] == EMPTY:
            libs += stones.liberty(q)
    state.color[p] = me
    state.libs[p] = libs
    state.length[p] = 1
    joined = 0
    for q in (p - width, p - ONE, p + ONE, p + width):
        a, b = np.int64(state.chain[p]), np.int64(state.chain[q])
        if state.color[q] == me and a != b:
            log[top] = a if state.length[a] < state.length[b] else b
            top += 1
            joined += 1
            stones.join(state, p, q)
    log[top] = np.int64(p) + POINT * joined + LEFT * np.int64(left)
    return top + 1


@jit
def lift(state, log, top):
    """Take the last stone off again. Returns the new end of the log."""
    width = np.uintp(state.width)
    top -= 1
    p = np.uintp(np.int64(log[top]) % POINT)
    for _ in range(np.int64(log[top]) // POINT % (LEFT // POINT)):
        top -= 1
        split(state, np.uintp(log[top]))
    me = np.int64(state.color[p])
    step = np.int64((1 << (4 * (me - 1))) - 0x1000)
    state.color[p] = EMPTY
    state.libs[p] = UNCAPTURABLE
    own = stones.liberty(p)
    for q in (p - width, p - ONE, p + ONE, p + width):
        state.nbr[q] -= step
        state.libs[state.chain[q]] += own
    return top


@jit
def split(state, b):
    """Undo the last `join`, in which the chain of b became part of another one."""
    a = np.uintp(state.chain[b])
    swap = state.next[a]
    state.next[a] = state.next[b]
    state.next[b] = swap
    state.libs[a] -= state.libs[b]
    state.length[a] -= state.length[b]
    r = b
    while True:
        state.chain[r] = b
        r = np.uintp(state.next[r])
        if r == b:
            break
