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
from mcrave.games._stones import EMPTY, ONE, UNCAPTURABLE
from mcrave.games._tactics import NOWHERE
from mcrave.kernel import apart, jit

POINT = 1 << 10  # a point and two numbers fit into 32 bits
LEFT = 1 << 13
ROOM = 10  # entries that a stone of each colour takes at the most
FREE = 3  # liberties
MANY = np.uintp(1)  # a point of the border


@apart
def is_caught(state, stone, me, log):
    """Whether a chain in atari is lost if its owner, to move, runs.

    It runs to its last liberty. Three liberties are freedom, one is death; with two the hunter tries both, as far as
    that is legal, captures nothing and leaves no three liberties at once. A runner who can capture anything next to
    the chain, or on the liberty itself, is free, ko not considered. So is one whose ladder is longer than `log` has
    room for.
    """
    chain = np.uintp(state.chain[stone])
    way = tactics.the_point(state.libs[chain])
    if state.nbr[way] >= 0x3000 or log.shape[0] < ROOM:  # three liberties, most often
        return False
    if stones.captures(state, way, me) or atari_beside(state, chain, 3 - me) != NOWHERE:
        return False
    liberties, a, b = liberties_after(state, chain, way, NOWHERE, me)
    if liberties != 2:
        return liberties < 2
    top = lay(state, way, me, NOWHERE, log, 0)
    return hunt(state, stone, a, b, me, log, top)


@apart
def begins_ladder(state, p, other, stone, threat, log):
    """Whether the enemy catches a chain by a stone on p, one of its two liberties, that is no self-atari.

    `threat` is what `atari_beside` says.
    """
    me = np.int64(state.color[stone])
    liberties, a, b = after_chase(state, np.uintp(state.chain[stone]), p, other, threat, log.shape[0])
    if liberties != 2:
        return liberties < 2
    top = lay(state, p, 3 - me, NOWHERE, log, 0)
    top = lay(state, other, me, NOWHERE, log, top)
    return hunt(state, stone, a, b, me, log, top)


@apart
def hunt(state, stone, a, b, me, log, top):
    """Whether a chain that has just run is lost, a and b being its liberties and the hunter to move.

    All stones in the log, the last of which is the one by which it ran, are lifted again.
    """
    start = top
    while True:
        chain = np.uintp(state.chain[stone])
        threat = atari_after(state, chain, np.int64(log[top - 1]), 3 - me)
        left = log.shape[0] - top
        liberties, a1, b1 = after_chase(state, chain, a, b, threat, left)
        others, a2, b2 = after_chase(state, chain, b, a, threat, left) if liberties >= 2 else (FREE, NOWHERE, NOWHERE)
        if liberties < 2 or others < 2:
            lift_all(state, log, top)
            return True
        if liberties == FREE:
            a, b, a1, b1 = b, a, a2, b2
            liberties, others = others, FREE
        while liberties == FREE:  # the hunter's other liberty, or that of a stone before
            if top == start:
                lift_all(state, log, top)
                return False
            top = lift(state, log, top)
            a, b = np.uintp(np.int64(log[top - 1]) // LEFT), np.uintp(np.int64(log[top - 1]) % POINT)
            top = lift(state, log, top)
            if a != NOWHERE:
                liberties, a1, b1 = liberties_after(state, np.uintp(state.chain[stone]), b, a, me)
        top = lay(state, a, 3 - me, b if others == 2 else NOWHERE, log, top)
        top = lay(state, b, me, NOWHERE, log, top)
        a, b = a1, b1


@apart
def after_chase(state, chain, p, other, threat, left):
    """How many liberties a chain has once the hunter has taken one of its two and it has run to the other.

    `FREE` also if the hunter cannot, should not, or could be captured then, or if no room would be left in the log.
    With the number the first two liberties.
    """
    me = np.int64(state.color[chain])
    if leaves_three(state, p, other) or (threat != NOWHERE and threat != p):
        return FREE, NOWHERE, NOWHERE
    if stones.captures(state, p, 3 - me) or stones.captures(state, other, me):
        return FREE, NOWHERE, NOWHERE
    if state.nbr[p] < 0x2000 and not tactics.are_several(tactics.libs_after(state, p, 3 - me)):
        return FREE, NOWHERE, NOWHERE
    if left < ROOM + 5 and left < ROOM + 1 + tactics.count_chains(state, p, 3 - me):
        return FREE, NOWHERE, NOWHERE
    return liberties_after(state, chain, other, p, me)


@apart
def liberties_after(state, chain, way, taken, me):
    """How many liberties a chain has, three standing for more, and the first two, once it has run to its last one.

    If it has two, the other one is said to be taken.
    """
    width = np.uintp(state.width)
    found, a, b = 0, NOWHERE, NOWHERE
    friends = False
    for q in (way - width, way - ONE, way + ONE, way + width):
        if state.color[q] == EMPTY and q != taken:
            if found == 2:
                return FREE, a, b
            a, b = q, a
            found += 1
        friends |= state.color[q] == me and state.chain[q] != chain
    if friends:
        for friend in tactics.own_chains(state, way, me):
            if friend == NOWHERE or friend == chain:
                continue
            stone = friend
            while True:
                for q in (stone - width, stone - ONE, stone + ONE, stone + width):
                    if state.color[q] == EMPTY and q != way and q != taken and q != a and q != b:
                        if found == 2:
                            return FREE, a, b
                        a, b = q, a
                        found += 1
                stone = np.uintp(state.next[stone])
                if stone == friend:
                    break
    return found, a, b


@jit
def atari_beside(state, chain, hunter):
    """The last liberty of the hunter's chains in atari next to a chain: 0 if there are none, `MANY` if they differ."""
    threat = NOWHERE
    stone = chain
    while True:
        threat = atari_around(state, stone, hunter, threat)
        stone = np.uintp(state.next[stone])
        if stone == chain:
            return threat


@jit
def atari_after(state, chain, entry, hunter):
    """The same when there were none before the chain ran, which the last entry of the log says.

    Only by that stone can they have come, if it joined no other chain to this one.
    """
    if entry // POINT % (LEFT // POINT) > 1:
        return atari_beside(state, chain, hunter)
    return atari_around(state, np.uintp(entry % POINT), hunter, NOWHERE)


@jit
def atari_around(state, p, hunter, threat):
    """The same for what is next to a stone, and an answer so far."""
    width = np.uintp(state.width)
    for q in (p - width, p - ONE, p + ONE, p + width):
        if state.color[q] == hunter and tactics.in_atari(state, q):
            last = tactics.last_liberty(state, q)
            threat = last if threat == NOWHERE or threat == last else MANY
    return threat


@jit
def leaves_three(state, p, other):
    """Whether three neighbours of the other point stay empty."""
    return (np.int64(state.nbr[other]) >> 12) - int(is_next(state, p, other)) >= 3


@jit
def is_next(state, p, q):
    """Whether two points are neighbours."""
    apart = abs(np.int64(p) - np.int64(q))
    return apart == 1 or apart == np.int64(state.width)


@apart
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


@apart
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
def lift_all(state, log, top):
    """Take all stones off again."""
    while top > 0:
        top = lift(state, log, top)


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
