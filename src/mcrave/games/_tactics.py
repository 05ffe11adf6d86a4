"""What playouts and priors of Go ask a board: atari, capture, escape, self-atari, and dead eye shapes.

Everything is computed when it is asked for, from the chains and liberties that the board keeps anyway, so a playout
that asks nothing pays nothing. The sums over pseudo-liberties (`libs`) can be added and subtracted, so the
liberties of a chain after a move are known without making it.

A function that lists moves writes them into `out` from place `n` on, no move twice, and returns the new number. Where
a caller has no room of its own, the unused end of the board's list of empty points, `state.empty[state.n_empty :]`, is
enough: it has a place for every stone and rows + 2 · cols + 3 more, and each move that captures takes another stone.
"""

from __future__ import annotations

import numpy as np

from mcrave.games import _patterns as patterns
from mcrave.games import _stones as stones
from mcrave.games._stones import COUNT, EMPTY, ONE, SQUARES, SUM
from mcrave.games.go import is_playable
from mcrave.kernel import apart, bits, inlined, jit

SUM_BITS = (1 << (SQUARES - SUM)) - 1
NOWHERE = np.uintp(0)
THREE = np.uintp(3)


@jit
def is_one_point(libs):
    """Whether a sum over pseudo-liberties is of one point only, once or several times."""
    count, total = libs & COUNT, (libs >> SUM) & SUM_BITS
    return count > 0 and count * (libs >> SQUARES) == total * total


@jit
def are_several(libs):
    """Whether a sum over pseudo-liberties is of two points or more."""
    total = (libs >> SUM) & SUM_BITS
    return (libs & COUNT) * (libs >> SQUARES) != total * total


@jit
def the_point(libs):
    """The point of such a sum."""
    return np.uintp(np.uint32((libs >> SUM) & SUM_BITS) // np.uint32(libs & COUNT))  # a GPU divides 64 bits slowly


@jit
def in_atari(state, q):
    """Whether the chain of the stone at q has one liberty."""
    return is_one_point(state.libs[state.chain[q]])


@apart
def ataris_around(state, p, color):
    """Which neighbours are of this colour and in atari: four bits, that of the northern one the highest."""
    width = np.uintp(state.width)
    found = 0
    for q in (p - width, p - ONE, p + ONE, p + width):  # without branches, which are hard to predict here
        found = found << 1 | int(state.color[q] == color) & int(in_atari(state, q))
    return found


@jit
def last_liberty(state, q):
    """The liberty of a chain in atari."""
    return the_point(state.libs[state.chain[q]])


@jit
def own_chain(state, q, me):
    """The chain of the stone at q if it is of this colour, else 0."""
    return np.uintp(state.chain[q]) if state.color[q] == me else NOWHERE


@apart
def own_chains(state, p, me):
    """The different chains of this colour next to p, 0 in place of what is missing."""
    width = np.uintp(state.width)
    a = own_chain(state, p - width, me)
    b = own_chain(state, p - ONE, me)
    c = own_chain(state, p + ONE, me)
    d = own_chain(state, p + width, me)
    b = NOWHERE if b == a else b
    c = NOWHERE if c == a or c == b else c
    d = NOWHERE if d == a or d == b or d == c else d
    return a, b, c, d


@jit
def count_chains(state, p, me):
    """How many they are."""
    a, b, c, d = own_chains(state, p, me)
    return int(a != NOWHERE) + int(b != NOWHERE) + int(c != NOWHERE) + int(d != NOWHERE)


@apart
def libs_after(state, p, me):
    """`libs` of the chain that a stone on the empty point p would belong to, before it captures."""
    width = np.uintp(state.width)
    libs, taken = np.int64(0), stones.liberty(p)
    for q in (p - width, p - ONE, p + ONE, p + width):  # without branches, which are hard to predict here
        libs += stones.liberty(q) * np.int64(state.color[q] == EMPTY) - taken * np.int64(state.color[q] == me)
    for chain in own_chains(state, p, me):
        libs += state.libs[chain] * np.int64(chain != NOWHERE)
    return libs


@jit
def length_after(state, p, me):
    """How many stones that chain would have."""
    length = np.int64(1)
    for chain in own_chains(state, p, me):
        if chain != NOWHERE:
            length += state.length[chain]
    return length


@jit
def same_colour_around(state, p, me):
    """How many of the four neighbours are stones of this colour."""
    width = np.uintp(state.width)
    return (
        int(state.color[p - width] == me)
        + int(state.color[p - ONE] == me)
        + int(state.color[p + ONE] == me)
        + int(state.color[p + width] == me)
    )


@jit
def freed_after(state, p, me):
    """What the stones that a stone on p captures add to `libs` of its chain."""
    width = np.uintp(state.width)
    a, b, c, d = own_chains(state, p, me)
    libs = np.int64(0)
    for chain in own_chains(state, p, 3 - me):
        if chain == NOWHERE or not stones.suffocates(state, chain, p):
            continue
        q = chain
        while True:
            for r in (q - width, q - ONE, q + ONE, q + width):
                mine = np.uintp(state.chain[r])
                if r == p or (state.color[r] == me and (mine == a or mine == b or mine == c or mine == d)):
                    libs += stones.liberty(q)
            q = np.uintp(state.next[q])
            if q == chain:
                break
    return libs


@jit
def leaves_atari(state, p, me):
    """Whether the chain of a stone put on p would have one liberty, what it captures included."""
    if (state.nbr[p] >> 12) >= 2:
        return False
    return is_one_point(libs_after(state, p, me) + freed_after(state, p, me))


@apart
def is_self_atari(state, p, me, least):
    """Whether a stone on p captures nothing and puts its own chain of at least so many stones into atari."""
    if (state.nbr[p] >> 12) >= 2 or not is_one_point(libs_after(state, p, me)):
        return False
    return length_after(state, p, me) >= least and not stones.captures(state, p, me)


@jit
def captured(state, p, me):
    """How many stones a stone on p would capture."""
    taken = np.int64(0)
    for chain in own_chains(state, p, 3 - me):
        if chain != NOWHERE and stones.suffocates(state, chain, p):
            taken += state.length[chain]
    return taken


@jit
def gives_atari(state, p, me):
    """Whether a stone on p leaves an enemy chain next to it with one liberty."""
    width = np.uintp(state.width)
    for chain in own_chains(state, p, 3 - me):
        if chain != NOWHERE:
            libs = state.libs[chain]
            for q in (p - width, p - ONE, p + ONE, p + width):
                if state.chain[q] == chain:
                    libs -= stones.liberty(p)
            if is_one_point(libs):
                return True
    return False


@jit
def touches(state, p, q):
    """Whether p is one of the eight points around q."""
    width = np.int64(state.width)
    apart = abs(np.int64(p) - np.int64(q))
    return apart == 1 or width - 1 <= apart <= width + 1


@jit
def add(out, n, p):
    """Put a move on the list unless it stands there."""
    move = np.int64(p)  # an unsigned one would be compared as a float
    for i in range(n):
        if out[i] == move:
            return n
    out[n] = move
    return n + 1


@jit
def holds(out, n, p):
    """Whether a move is among the first n of a list."""
    move = np.int64(p)
    for i in range(n):
        if out[i] == move:
            return True
    return False


# ------------------------------------------------------------------------------------------- patterns


@inlined
def list_patterns(state, last, me, least, out, n):
    """Points around the last move where a pattern holds; no self-atari of at least so many stones."""
    width = np.uintp(state.width)
    corner = last - width - ONE
    left = (
        empty_of_three(state, last + width) << 6
        | empty_of_three(state, last) << 3
        | empty_of_three(state, corner + ONE)
    )
    points = bits.WORD(left)
    while points != bits.WORD(0):
        i = bits.lowest(points)
        points &= points - bits.ONE
        p = corner + np.uintp(i) + (width - THREE) * np.uintp((i * 11) >> 5)  # i // 3 rows further down
        if patterns.matches(state, p, me) and is_wanted(state, p, me, least):
            out[n] = p
            n += 1
    return n


@jit
def empty_of_three(state, p):
    """Which of the western neighbour, the point and the eastern one are empty: three bits, the lowest first."""
    west, east = int(state.color[p - ONE] == EMPTY), int(state.color[p + ONE] == EMPTY)
    return west | int(state.color[p] == EMPTY) << 1 | east << 2


@apart
def is_wanted(state, p, me, least):
    """Whether a playout may play on this empty point: legal, no own eye, no self-atari of so many stones (0: any)."""
    return is_playable(state, p, me) and not (least > 0 and is_self_atari(state, p, me, least))
