"""How many threads of a GPU think about a game, and what each of them has.

A multiprocessor has so many registers and so much shared memory; what one game takes, another has not. Where a state is
small, several games share a warp; where it is so large that a warp has room for only one, threads get fewer registers,
so that more warps run at once. All numbers here are measured on an H200 (docs/gpu.md).
"""

from __future__ import annotations

from typing import NamedTuple

WARP = 32  # threads that a GPU runs in step
PER_BLOCK = 4  # warps
REGISTERS = 65_536  # of a multiprocessor
MANY, FEW = 128, 80  # registers of a thread that shares a game; more, and fewer warps run at once
SHARED = 48 << 10  # bytes of shared memory that a block may take: an H200's first cache has a quarter left
RESERVED = 1 << 10  # bytes of it that a block takes anyway
LANES, SHORT_LANES, SHORT = 8, 4, 48  # lanes that a game has at the least, and one of so many plies


class Shape(NamedTuple):
    """The threads of some games."""

    lanes: int = 1
    """Of a warp, for a game."""
    games: int = 1
    """Of a block."""
    shared: int = 0
    """Bytes of shared memory that a block may take."""
    registers: int = MANY
    """Of a thread."""


class Device(NamedTuple):
    """What a GPU has."""

    cores: int
    """Multiprocessors."""
    shared: int
    """Bytes of shared memory of each."""


def warps_at_once(device: Device, registers: int) -> int:
    """How many warps of such threads run at once.

    >>> warps_at_once(Device(132, 228 << 10), 128)
    2112
    """
    return device.cores * blocks_at_once(registers) * PER_BLOCK


def blocks_at_once(registers: int) -> int:
    """On one multiprocessor."""
    return REGISTERS // (registers * WARP * PER_BLOCK)


def shape_of(games: int, plies: int, state: int, device: Device, lanes: int = 0) -> Shape:
    """For so many games of so many plies at the most, and of states of so many bytes.

    As many lanes as leave no game waiting for room, but not too few: the games of a warp wait for the longest of their
    playouts, and the states of a block must be near. `lanes` says how many, whatever is best.

    >>> shape_of(8000, 245, 1800, Device(132, 228 << 10))
    Shape(lanes=8, games=16, shared=49152, registers=128)
    >>> shape_of(8000, 1085, 8872, Device(132, 228 << 10))
    Shape(lanes=32, games=4, shared=37888, registers=80)
    """
    shared = shared_of(device, MANY)
    least = fewest_lanes(plies, state, device)
    width = WARP
    while width > least and games * width > warps_at_once(device, MANY) * WARP:
        width //= 2
    width = lanes or width
    crowded = width == WARP and games > warps_at_once(device, MANY)
    if crowded and state * games_of(WARP) <= shared_of(device, FEW):
        return Shape(width, games_of(width), shared_of(device, FEW), FEW)
    return Shape(width, games_of(width), shared, MANY)


def fewest_lanes(plies: int, state: int, device: Device) -> int:
    """Of a game of so many plies at the most, the states of a block being near."""
    least = SHORT_LANES if plies <= SHORT else LANES
    while least < WARP and state * games_of(least) > shared_of(device, MANY):
        least *= 2
    return least


def whole_waves(games: int, plies: int, state: int, device: Device, lanes: int = 0) -> int:
    """How many of so many games to play at a time: so many that in every turn the GPU is full as often as it is used.

    One game more than run at once would make every turn take twice as long.

    >>> [whole_waves(games, 245, 1800, Device(132, 228 << 10)) for games in (500, 8448, 9500, 20_000)]
    [500, 8448, 8448, 16896]
    """
    width = lanes or fewest_lanes(plies, state, device)
    few = width == WARP and state * games_of(WARP) <= shared_of(device, FEW)
    at_once = warps_at_once(device, FEW if few else MANY) * (WARP // width)
    return games // at_once * at_once or games


def games_of(lanes: int) -> int:
    """Of a block, if each has so many lanes."""
    return PER_BLOCK * WARP // lanes


def shared_of(device: Device, registers: int) -> int:
    """What a block may take, so that as many run at once as have registers."""
    return min(SHARED, device.shared // blocks_at_once(registers) - RESERVED)
