"""The lanes of a warp that share a game: how many they are, and which of them a thread is.

A warp of 32 lanes runs in step. With a whole warp for a game most lanes wait while one of them plays out; with several
games in a warp their playouts go on side by side. Measured on an H200, with thousands of games, eight in a warp are
best where games are short, and four elsewhere, as long as all their states lie near (docs/gpu.md).
"""

from __future__ import annotations

from typing import NamedTuple

from mcrave.kernel import dispatched, inlined
from mcrave.specs import Spec

WHOLE = 0xFFFFFFFF  # a bit for each lane of a warp


class Seat(NamedTuple):
    """A thread's place among those that share a game: neighbouring lanes of a warp."""

    lane: int  # which of them it is
    first: int  # where in the warp they begin
    width: int  # how many they are
    mask: int  # a bit for each of them
    warp: int  # a bit for each lane of the warp whose game is thought about


@dispatched
def width_of(lanes):
    """How many lanes of a warp share a game. A kernel is compiled for each number: known to it, it costs nothing."""
    return 32


class Whole(Spec):
    """All lanes of a warp."""


class Half(Spec):
    """Two games in a warp."""

    def width_of(lanes):
        """16 lanes."""
        return 16


class Quarter(Spec):
    """Four games in a warp."""

    def width_of(lanes):
        """8 lanes."""
        return 8


class Eighth(Spec):
    """Eight games in a warp."""

    def width_of(lanes):
        """4 lanes."""
        return 4


LANES = {32: Whole(), 16: Half(), 8: Quarter(), 4: Eighth()}


@inlined
def seat_of(lanes, thread, warp):
    """The place of a warp's thread."""
    width = width_of(lanes)
    lane = thread % width
    first = thread - lane
    return Seat(lane, first, width, ((1 << width) - 1) << first, warp)
