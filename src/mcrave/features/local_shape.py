"""Local shape features (RLGO 1.0: Silver, Sutton & Müller 2007; Gelly & Silver §3.4).

Every configuration of black, white and empty points in every 1×1, 2×2 and 3×3 window of the board is a feature: 969,894
of them on 9×9. A window shows one configuration at a time, so that as many features are active as there are windows.
Each has two weights, one for this configuration at this place, and one for it anywhere.

Weights are shared over the eight symmetries of the board, and with the opposite sign over an exchange of the colours:
63,000 pairs of weights remain on 9×9. A shape that an exchange of the colours turns into itself has the weight 0.

Two more features are always active: 1, whose weight answers komi, and +1 or −1 for Black or White to move.

How it is done: a window's configuration is a number in base three, written as if the window were turned to the place
in the first octant that stands for all its images, plus a number for that place. `Shapes.weight` leads from there to
both weights. Weights stand in pairs θ, −θ, so that reading one needs no sign.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from mcrave.errors import Error
from mcrave.games import _stones as stones
from mcrave.games._stones import BORDER, EMPTY, ONE, PASS
from mcrave.games.go import is_playable
from mcrave.kernel import entry, jit, room

SIDES = (1, 2, 3)
COVER = sum(side * side for side in SIDES)  # windows over one point at most
LARGEST = max(SIDES) ** 2  # points of a window at most
NOTHING = 0  # the first pair of weights is always 0


class Shapes(NamedTuple):
    """The tables of one board size."""

    over: Any  # int32, per point and number: a window over it
    power: Any  # int32: what a stone there adds to the window's configuration
    covers: Any  # int32, per point: how many windows there are
    cells: Any  # int32, per window and number: a point of it, 0 beyond the last
    digits: Any  # int32: what a stone there adds, 0 beyond the last
    empty: Any  # int32, per window: its configuration on an empty board
    weight: Any  # int32, per configuration: the weights of the shape here, and anywhere

    @property
    def windows(self) -> int:
        """How many windows the board has."""
        return int(self.empty.shape[0])

    @property
    def pairs(self) -> int:
        """How many pairs of weights there are, that of nothing included."""
        return int(self.weight.max()) // 2 + 1

    @property
    def weights(self) -> int:
        """How many numbers a set of weights has: the pairs, and at last those of komi and of the turn."""
        return 2 * self.pairs + 2

    @property
    def active(self) -> int:
        """How many features are active in any position; the step size is divided by it."""
        return 2 * self.windows + 2


@lru_cache(maxsize=4)
def shapes_of(size: int) -> Shapes:
    """The tables of a square board.

    >>> shapes_of(9).windows, shapes_of(9).pairs
    (194, 63304)
    """
    if not 2 <= size <= 19:
        raise Error(f"local shapes are for boards from 2x2 to 19x19, not {size}x{size}")
    points = room((size + 2) * (size + 1) + 1, *stones.CAPACITIES)
    over, power = np.zeros((2, points, COVER), np.int32)
    covers = np.zeros(points, np.int32)
    empty: list[int] = []
    weight: list[np.ndarray[Any, Any]] = []
    length, pairs = 0, 1
    for side in (side for side in SIDES if side <= size):
        turned, inverse = _images(side)
        anywhere, pairs = _shared(turned, inverse, range(8), pairs)
        starts: dict[tuple[int, int], int] = {}
        last = size - side
        for row, col in product(range(last + 1), repeat=2):
            images = [_turn(g, row, col, last) for g in range(8)]
            home = min(images)
            if home not in starts:
                fixed = [g for g in range(8) if _turn(g, *home, last) == home]
                here, pairs = _shared(turned, inverse, fixed, pairs)
                weight.append(np.stack([here, anywhere], axis=1))
                starts[home], length = length, length + here.size
            _lay_window(over, power, covers, len(empty), (row, col), side, images.index(home), size)
            empty.append(starts[home])
    cells, digits = np.zeros((2, len(empty), LARGEST), np.int32)
    filled = np.zeros(len(empty), np.int32)
    for p in np.flatnonzero(covers):
        for window, digit in zip(over[p, : covers[p]], power[p, : covers[p]], strict=True):
            cells[window, filled[window]], digits[window, filled[window]] = p, digit
            filled[window] += 1
    return Shapes(over, power, covers, cells, digits, np.array(empty, np.int32), np.concatenate(weight))


def _turn(g: int, row: int, col: int, last: int) -> tuple[int, int]:
    """Where one of the eight symmetries takes a place on a board of last + 1 lines."""
    if g & 4:
        row, col = col, row
    return (last - row if g & 1 else row, last - col if g & 2 else col)


def _images(side: int) -> tuple[Any, Any]:
    """Every configuration of a window under each symmetry, and with its colours exchanged."""
    cells = side * side
    numbers = np.arange(3**cells)
    colours = numbers[:, None] // 3 ** np.arange(cells) % 3
    turned = []
    for g in range(8):
        target = [side * r + c for r, c in (_turn(g, *divmod(cell, side), side - 1) for cell in range(cells))]
        turned.append(colours @ 3 ** np.array(target))
    return np.array(turned), (-colours % 3) @ 3 ** np.arange(cells)


def _shared(turned: Any, inverse: Any, group: Any, pairs: int) -> tuple[Any, int]:
    """The weights of all configurations, equal over a group of symmetries, numbered from a pair on."""
    least = turned[list(group)].min(axis=0)
    other = least[inverse]
    names, rank = np.unique(np.minimum(least, other), return_inverse=True)
    own = np.zeros(least.size, bool)
    own[names] = least[names] != other[names]
    number = np.cumsum(own[names]) - 1 + pairs
    weight = np.where(least == other, NOTHING, 2 * number[rank] + (least > other))
    return weight.astype(np.int32), pairs + int(own.sum())


def _lay_window(
    over: Any, power: Any, covers: Any, window: int, corner: tuple[int, int], side: int, g: int, size: int
) -> None:
    """Note a window at each of its points; g turns it to where its weights are."""
    for row, col in product(range(side), repeat=2):
        p = (corner[0] + row + 1) * (size + 1) + corner[1] + col + 1
        turned_row, turned_col = _turn(g, row, col, side - 1)
        over[p, covers[p]] = window
        power[p, covers[p]] = 3 ** (side * turned_row + turned_col)
        covers[p] += 1


# --------------------------------------------------------------------------------------------- kernels


@jit
def note_board(shapes, state, config):
    """Write the configuration of every window."""
    for window in range(shapes.empty.shape[0]):
        config[window] = shapes.empty[window]
    for p in range(state.color.shape[0]):
        color = np.int64(state.color[p])
        if color != EMPTY and color != BORDER:
            for i in range(shapes.covers[p]):
                config[shapes.over[p, i]] += color * shapes.power[p, i]


@jit
def worth_of(shapes, theta, now):
    """Both weights of a configuration."""
    return theta[np.uintp(shapes.weight[np.uintp(now), 0])] + theta[np.uintp(shapes.weight[np.uintp(now), 1])]


@jit
def shape_sum(shapes, theta, config, worth):
    """The weights of the active shapes together; those of each window go to `worth`."""
    total = 0.0
    for window in range(config.shape[0]):
        worth[window] = worth_of(shapes, theta, config[window])
        total += worth[window]
    return total


@jit
def position_sum(shapes, theta, config, sign):
    """θ·φ, its weights of komi and turn included; `sign` is 1 if Black moves and −1 if White."""
    total = theta[theta.shape[0] - 2] + sign * theta[theta.shape[0] - 1]
    for window in range(shapes.empty.shape[0]):
        total += worth_of(shapes, theta, config[window])
    return total


@jit
def board_value(shapes, theta, state):
    """V(s), what a position is worth to Black, from the board alone."""
    total = theta[theta.shape[0] - 2] + (1.0 if state.turn == 0 else -1.0) * theta[theta.shape[0] - 1]
    for window in range(shapes.empty.shape[0]):
        now = np.int64(shapes.empty[window])
        for i in range(shapes.cells.shape[1]):
            now += np.int64(state.color[shapes.cells[window, i]]) * shapes.digits[window, i]
        total += worth_of(shapes, theta, now)
    return logistic(total)


@jit
def logistic(x):
    """σ(x) = 1 / (1 + e^−x)."""
    return 1.0 / (1.0 + math.exp(-x))


@jit
def value_after(shapes, theta, config, state, move, now):
    """What the position after a move is worth to the player who makes it; `now` is θ·φ before it."""
    sign = 1.0 if state.turn == 0 else -1.0
    after = now - 2.0 * sign * theta[theta.shape[0] - 1]
    if move != PASS:
        after += lay(shapes, theta, config, state, np.uintp(move), state.turn + np.int64(1))
        lift(shapes, theta, config, state, np.uintp(move), state.turn + np.int64(1))
    return logistic(sign * after)


@jit
def doubt_after(shapes, doubt, config, state, move, now):
    """The variances of the weights that are active after a move, added up; `now` is their sum before it."""
    after = now
    if move != PASS:
        after += lay(shapes, doubt, config, state, np.uintp(move), state.turn + np.int64(1))
        lift(shapes, doubt, config, state, np.uintp(move), state.turn + np.int64(1))
    return after


@entry
def rate_moves(shapes, theta, states, config, moves, values):
    """Write what each move is worth to the player who makes it; −1 for filling an own eye."""
    state = states[0]
    note_board(shapes, state, config)
    now = position_sum(shapes, theta, config, 1.0 if state.turn == 0 else -1.0)
    for i in range(moves.shape[0]):
        move = np.int64(moves[i])
        values[i] = -1.0
        if move == PASS or is_playable(state, np.uintp(move), state.turn + np.int64(1)):
            values[i] = value_after(shapes, theta, config, state, move, now)


@jit
def move_gain(shapes, theta, config, worth, state, p, me):
    """By how much a stone on an empty point changes the sum, captures and all; the windows stay as they are."""
    if not stones.captures(state, p, me):
        total = 0.0
        for i in range(np.int64(shapes.covers[p])):
            window = np.uintp(shapes.over[p, i])
            total += worth_of(shapes, theta, config[window] + me * shapes.power[p, i]) - worth[window]
        return total
    total = lay(shapes, theta, config, state, p, me)
    lift(shapes, theta, config, state, p, me)
    return total


@jit
def shift(shapes, theta, config, p, step):
    """A stone comes (its colour) or goes (minus its colour): change the windows over it, and return the gain."""
    total = 0.0
    for i in range(np.int64(shapes.covers[p])):
        window = np.uintp(shapes.over[p, i])
        before = worth_of(shapes, theta, config[window])
        config[window] += step * shapes.power[p, i]
        total += worth_of(shapes, theta, config[window]) - before
    return total


@jit
def lay(shapes, theta, config, state, p, me):
    """Bring the windows to where they are after a stone on p, which the board does not hold yet; return the gain."""
    total = shift(shapes, theta, config, p, me)
    for i in range(4):
        if is_first_captured(state, p, i, me):
            total += shift_chain(shapes, theta, config, state, neighbour(state, p, i), np.int64(-1))
    return total


@jit
def lift(shapes, theta, config, state, p, me):
    """Undo `lay`."""
    shift(shapes, theta, config, p, -me)
    for i in range(4):
        if is_first_captured(state, p, i, me):
            shift_chain(shapes, theta, config, state, neighbour(state, p, i), np.int64(1))


@jit
def shift_chain(shapes, theta, config, state, q, sign):
    """All stones of a chain come (1) or go (−1)."""
    step = sign * np.int64(state.color[q])
    total = 0.0
    r = q
    while True:
        total += shift(shapes, theta, config, r, step)
        r = np.uintp(state.next[r])
        if r == q:
            break
    return total


@jit
def neighbour(state, p, i):
    """North, west, east, south."""
    width = np.uintp(state.width)
    if i == 0:
        return p - width
    if i == 1:
        return p - ONE
    return p + ONE if i == 2 else p + width


@jit
def is_first_captured(state, p, i, me):
    """Whether a stone on p captures the chain at its i-th neighbour, and no earlier neighbour is of that chain."""
    q = neighbour(state, p, i)
    color = state.color[q]
    if color == me or color == EMPTY or color == BORDER or not stones.suffocates(state, q, p):
        return False
    for j in range(i):
        if state.chain[neighbour(state, p, j)] == state.chain[q]:
            return False
    return True
