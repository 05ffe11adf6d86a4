"""A board of stones by several lanes of a warp: each does for one neighbour what one thread does for all in turn.

The same states and the same draws as by `mcrave.games._stones` and `mcrave.games.go`. Everything here is called by all
lanes of `me.warp` at once, also by those of games that have nothing to do: they say so, and vote with no.
"""

from __future__ import annotations

import numpy as np
from numba import cuda

from mcrave.games import _stones as stones
from mcrave.games._stones import BORDER, COUNT, EMPTY, PASS
from mcrave.kernel import inlined
from mcrave.kernel.rng import below

CROSS, AROUND = 4, 8  # points next to a point, and with the corners
EAST = sum((step + 1) << (2 * i) for i, step in enumerate((0, -1, 1, 0, -1, 1, -1, 1)))
SOUTH = sum((step + 1) << (2 * i) for i, step in enumerate((-1, 0, 0, 1, -1, -1, 1, 1)))
NOBODY = 1 << 16  # no chain


@inlined
def beside(state, p, i):
    """The i-th of the eight points around p: north, west, east, south, then the corners in the same order."""
    east, south = ((EAST >> (2 * i)) & 3) - 1, ((SOUTH >> (2 * i)) & 3) - 1
    return np.uintp(np.int64(p) + south * np.int64(state.width) + east)


@inlined
def votes_of(said, me):
    """Which lanes of the game say yes: a bit for each, that of the first one the lowest."""
    return (cuda.ballot_sync(me.warp, said) & me.mask) >> me.first


@inlined
def lowest(bits):
    """The place of the lowest bit that is set."""
    return np.int64(cuda.popc((bits & -bits) - 1))


@inlined
def play_together(state, move, plays, me):
    """`Go.play`, the move being known to the first lane; games that do not play stay as they are."""
    color = state.turn + np.int64(1)
    move = np.int64(cuda.shfl_sync(me.warp, np.int32(move), me.first))
    if plays and me.lane == 0:
        state.before = state.last
        state.last = move
        state.turn = 2 - color
        state.ko = 0
        state.passes = state.passes + 1 if move == PASS else 0
    put_together(state, np.uintp(move), color, plays and move != PASS, me)


@inlined
def put_together(state, p, color, puts, me):
    """`stones.put`: neighbours lose a liberty, are joined or removed."""
    near = puts and me.lane < CROSS
    q = beside(state, p, me.lane) if near else np.uintp(PASS)
    chain = np.int64(state.chain[q]) if near else np.int64(NOBODY + me.lane)
    beside_it = np.int64(state.color[q]) if near else np.int64(BORDER)
    same = cuda.match_any_sync(me.warp, np.int32(chain + (me.first << 17)))
    gained = stones.liberty(q) * np.int64(beside_it == EMPTY)
    gained += cuda.shfl_xor_sync(me.warp, gained, 1)
    gained += cuda.shfl_xor_sync(me.warp, gained, 2)
    if near:
        state.nbr[q] += np.int64((1 << (4 * (color - 1))) - 0x1000)
        if same & ((1 << (me.first + me.lane)) - 1) == 0:  # the first of those next to this chain
            state.libs[np.uintp(chain)] -= stones.liberty(p) * np.int64(cuda.popc(same))
    if puts and me.lane == 0:
        state.libs[p] = gained
        take_from_the_empty(state, p, color)
    cuda.syncwarp(me.warp)
    own = votes_of(beside_it == color, me)
    dead = near and beside_it != color and (state.libs[np.uintp(chain)] & COUNT) == 0
    dead_ones = votes_of(dead, me)
    if puts and me.lane == 0:
        while own != 0:
            stones.join(state, p, beside(state, p, lowest(own)))
            own &= own - 1
        if dead_ones != 0:
            capture(state, p, dead_ones)
    cuda.syncwarp(me.warp)


@inlined
def take_from_the_empty(state, p, color):
    """Make a chain of one stone of an empty point."""
    state.color[p] = color
    state.count[color] += 1
    n = state.n_empty - 1
    last = state.empty[n]
    i = state.where[p]
    state.empty[i] = last
    state.where[last] = i
    state.n_empty = n
    state.chain[p] = p
    state.next[p] = p
    state.length[p] = 1


@inlined
def capture(state, p, dead):
    """Remove the dead chains next to p, a bit for each neighbour, and say where the next player must not take back."""
    captured = 0
    while dead != 0:
        q = beside(state, p, lowest(dead))
        if state.color[q] != EMPTY:  # two neighbours may belong to one chain
            captured += stones.remove(state, q)
        dead &= dead - 1
    if captured == 1 and state.length[state.chain[p]] == 1 and (state.libs[p] & COUNT) == 1:
        state.ko = state.empty[state.n_empty - 1]


@inlined
def random_together(state, color, rng, draws, me):
    """`go.random_point` for the games that draw, known to all of their lanes; PASS for the others."""
    left = np.int64(state.n_empty) if draws else np.int64(0)
    found = np.int64(PASS)
    while cuda.any_sync(me.warp, left > 0):
        place = np.int64(0)
        if left > 0 and me.lane == 0:
            place = np.int64(below(rng, left))
        p = np.uintp(state.empty[cuda.shfl_sync(me.warp, np.int32(place), me.first)])
        fits = is_playable_together(state, p, color, left > 0, me)
        if fits:
            found = np.int64(p)
            left = np.int64(0)
        elif left > 0:
            left -= 1
        cuda.syncwarp(me.warp)  # all have read what changes now
        if left > 0 and me.lane == 0:
            stones.refuse(state, place, left)
        cuda.syncwarp(me.warp)
    return found


@inlined
def is_playable_together(state, p, color, asks, me):
    """`go.is_playable`, known to all lanes."""
    fits = asks and stones.has_empty_neighbour(state, p)
    hard = asks and not fits
    if cuda.any_sync(me.warp, hard):
        breath, enemies, edges = 0, 0, 0
        i = np.int64(me.lane)
        while i < me.lane + AROUND:  # once, or twice where a game has four lanes
            there = np.int64(BORDER)
            breathes = False
            if hard and i < AROUND:
                q = beside(state, p, i)
                there = np.int64(state.color[q])
                breathes = i < CROSS and stones.breathes(state, q, p, color)
            corner = hard and CROSS <= i < AROUND
            breath += votes_of(breathes, me)
            enemies += cuda.popc(votes_of(corner and stones.enemy(there, color) != 0, me))
            edges += votes_of(corner and there == BORDER, me)
            i += me.width
        if hard:
            eye = stones.same_neighbours(state, p, color) == CROSS and enemies + min(edges, 1) < 2
            fits = p != state.ko and not eye and breath != 0
    return fits
