"""What a simulation reads and writes all the time, in the memory that the threads of a block share.

A game's scratch memory is small, but that of thousands of games is more than the caches hold. So the parts of it that a
simulation uses most lie in the shared memory of a multiprocessor while a player thinks: as many, in the order of
`PARTS`, as leave the first cache some room. The random stream is brought there and back, and marks are cleared;
everything else is written before it is read.
"""

from __future__ import annotations

import numpy as np
from numba import cuda

from mcrave.kernel import dispatched, inlined
from mcrave.kernel.views import piece
from mcrave.parallel.gpu.rows import Column, maker
from mcrave.search.plan import Scratch
from mcrave.specs import Spec

PARTS = ("work", "results", "rng", "who", "code", "seen", "scores", "moves", "node", "edge")
LINE = 16  # bytes: every part begins at a multiple


@dispatched
def part_of(place, array, team):
    """An array of the block's `team`-th game, where it lies; in a tuple, as a kernel may return no array of its own."""
    return (array,)


class Far(Spec):
    """Where it always lies."""


class Near(Spec):
    """In shared memory, from the `at`-th element on."""

    at: int = 0

    def part_of(place, array, team):
        """Room for every game of the block."""
        shared = cuda.shared.array(0, dtype=array.dtype)
        return (piece(shared, place.at + team * array.shape[0], array.shape[0]),)


def places_of(scratch: dict[str, Column], teams: int, most: int) -> tuple[Scratch, int]:
    """Where the parts of a block of so many games lie, and how many bytes of shared memory that takes, of `most`.

    >>> tiny = dict.fromkeys(Scratch._fields, Column(np.dtype(np.int64), 3))
    >>> places, taken = places_of(tiny, 2, 1000)
    >>> places.work, places.results, places.memory, taken
    (Near(), Near(at=6), Far(), 480)
    """
    places: dict[str, Spec] = dict.fromkeys(Scratch._fields, Far())
    taken = 0
    for part in PARTS:
        column = scratch[part]
        size = -(-column.dtype.itemsize * column.length * teams // LINE) * LINE
        if taken + size <= most and taken % column.dtype.itemsize == 0:
            places[part] = Near(taken // column.dtype.itemsize)
            taken += size
    return Scratch(**places), taken


near_of = maker(
    Scratch,
    "near_of",
    "places, scratch, team",
    lambda field: f"part_of(places.{field}, scratch.{field}, team)[0]",
    part_of=part_of,
)


@inlined
def team_in_block(width):
    """Which of the block's games a thread thinks about."""
    return np.int64(cuda.threadIdx.x // width)


@inlined
def bring(near, far, me):
    """Before a player thinks: the random stream, and no marks."""
    if me.lane == 0:
        near.rng[0] = far.rng[0]
    i = np.int64(me.lane)
    while i < near.seen.shape[0]:
        near.seen[i] = 0
        i += me.width
    cuda.syncwarp(me.mask)


@inlined
def take_back(near, far, me):
    """After a player has thought: the random stream."""
    if me.lane == 0:
        far.rng[0] = near.rng[0]
