"""A board of stones with chains and liberties: Go, three-colour Go, Atarigo and NoGo stand on it.

Points are numbered row by row from the top on a board with a border: a row is `cols + 1` wide, its first column
and the rows above and below are border, so point 0 is off the board and stands for a pass.

What is kept per point, so that a move costs a few dozen instructions:

- `nbr`: how many of the four neighbours are of each colour and empty, four bits each; a neighbour off the
  board counts for every colour, so "all four mine" is one comparison, at the edge too;
- `chain`: the point that stands for the chain; `next`: a ring through the chain's stones;
- `libs`, valid at the chain's point: the sum over its pseudo-liberties (an empty point counts once for each
  stone it touches) of 1 + p·2¹² + p²·2³³. The low twelve bits count them: zero means captured. The
  three sums in one word also tell whether all pseudo-liberties are one point: then count · Σp² = (Σp)²;
- `empty`, `where`: the empty points in a list, for drawing one at random.

Points that hold no stone have a large count in `libs`, so that "no liberty left" needs no test for colour.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from mcrave.errors import DiagramError
from mcrave.games._grid import Grid
from mcrave.kernel import apart, bits, jit, record, room

EMPTY, BORDER = 0, 4  # 1, 2, 3 are the players' colours
PASS = 0
ONE = np.uintp(1)

COUNT = 0xFFF  # the bits of `libs` that count
SUM, SQUARES = 12, 33  # where the sums of p and p² start
UNCAPTURABLE = 1 << 11

CAPACITIES = (43, 91, 111, 211, 421, 703)  # boards up to 5×5, 8×8, 9×9, 13×13, 19×19, 25×25
LARGEST = 25


def state_fields(rows: int, cols: int) -> dict[str, Any]:
    """The record fields of a board that holds rows × cols points."""
    points = room((rows + 2) * (cols + 1) + 1, *CAPACITIES)
    place = np.uint8 if points <= 256 else np.uint16  # small states: a GPU has more of them near
    return {
        "libs": (np.int64, points),
        "nbr": (np.uint16, points),
        "chain": (place, points),
        "next": (place, points),
        "length": (place, points),
        "empty": (place, points),
        "where": (place, points),
        "color": (np.uint8, points),
        "count": (np.int16, 5),
        "n_empty": np.int32,
        "width": np.uint16,
        "ko": np.uint16,
        "turn": np.uint8,
    }


def stone_record(rows: int, cols: int, **more: Any) -> np.dtype[Any]:
    """The record type of a board with whatever else a game must remember."""
    return record(**state_fields(rows, cols), **more)


@jit
def clear(state, rows, cols):
    """Set up an empty board."""
    width = cols + 1
    state.width = width
    for p in range(state.color.shape[0]):
        state.color[p] = BORDER
        state.chain[p] = p
        state.next[p] = p
        state.libs[p] = UNCAPTURABLE
        state.nbr[p] = 0
    n = 0
    for row in range(rows):
        for col in range(cols):
            p = (row + 1) * width + col + 1
            off = int(row == 0) + int(row == rows - 1) + int(col == 0) + int(col == cols - 1)
            state.color[p] = EMPTY
            state.nbr[p] = off * 0x111 + (4 - off) * 0x1000
            state.empty[n] = p
            state.where[p] = n
            n += 1
    state.n_empty = n


@jit
def has_empty_neighbour(state, p):
    """Whether a neighbour is empty."""
    return state.nbr[p] >= 0x1000


@jit
def same_neighbours(state, p, color):
    """How many neighbours are of this colour or off the board."""
    return (np.int64(state.nbr[p]) >> (4 * (color - 1))) & 15


@jit
def is_eye(state, p, me):
    """Whether an empty point is an eye of this colour that a playout should not fill.

    All neighbours are own stones, and the enemy holds fewer than two diagonal points, none at the edge.
    """
    if same_neighbours(state, p, me) != 4:
        return False
    width = np.uintp(state.width)
    a = np.int64(state.color[p - width - ONE])
    b = np.int64(state.color[p - width + ONE])
    c = np.int64(state.color[p + width - ONE])
    d = np.int64(state.color[p + width + ONE])
    enemies = enemy(a, me) + enemy(b, me) + enemy(c, me) + enemy(d, me)
    edge = int((a == BORDER) | (b == BORDER) | (c == BORDER) | (d == BORDER))
    return enemies + edge < 2


@jit
def enemy(color, me):
    """1 for a stone of another colour."""
    return int((color != me) & (color != EMPTY) & (color != BORDER))


@jit
def is_suicide(state, p, me):
    """Whether a stone on this empty point would have no liberty after all captures."""
    if has_empty_neighbour(state, p):
        return False
    width = np.uintp(state.width)
    return not (
        breathes(state, p - width, p, me)
        or breathes(state, p - ONE, p, me)
        or breathes(state, p + ONE, p, me)
        or breathes(state, p + width, p, me)
    )


@jit
def breathes(state, q, p, me):
    """Whether the chain at q gives a stone on p a liberty: a friend with another one, an enemy with none."""
    return (state.color[q] == me) != suffocates(state, q, p)


@jit
def suffocates(state, q, p):
    """Whether a stone on the empty point p takes the last liberty of the chain at q, next to it.

    So all its pseudo-liberties are p; no sum of a point without a stone is such.
    """
    libs = state.libs[state.chain[q]]
    return (libs & COUNT) * liberty(p) == libs


@jit
def captures(state, p, me):
    """Whether a stone on this empty point would capture something."""
    width = np.uintp(state.width)
    return bool(
        is_captured(state, p - width, p, me)
        | is_captured(state, p - ONE, p, me)
        | is_captured(state, p + ONE, p, me)
        | is_captured(state, p + width, p, me)
    )


@jit
def is_captured(state, q, p, me):
    """1 if a stone of this colour on the empty point p would capture the chain at q, next to it; without a branch."""
    return int(state.color[q] != me) & int(suffocates(state, q, p))


@jit
def liberty(p):
    """What one pseudo-liberty on p adds to `libs`."""
    i = np.int64(p)
    return 1 + (i << SUM) + ((i * i) << SQUARES)


@jit
def put(state, p, me):
    """Put a stone of colour 1, 2 or 3 on an empty point, remove what it captures; return how many stones.

    Sets `ko` to the point where the next player must not take back, or to 0.
    """
    width = np.uintp(state.width)
    north, west, east, south = p - width, p - ONE, p + ONE, p + width
    state.color[p] = me
    state.count[me] += 1
    n = state.n_empty - 1
    last = state.empty[n]
    i = state.where[p]
    state.empty[i] = last
    state.where[last] = i
    state.n_empty = n
    step = np.int64((1 << (4 * (me - 1))) - 0x1000)
    own = liberty(p)
    libs = 0
    captured = 0
    state.chain[p] = p
    state.next[p] = p
    state.length[p] = 1
    for q in (north, west, east, south):
        state.nbr[q] += step
        state.libs[state.chain[q]] -= own
        libs += liberty(q) * np.int64(state.color[q] == EMPTY)  # a branch here costs 15% of a playout
    state.libs[p] = libs
    dead = 0  # a bit per neighbour; all dead chains leave together, since with three colours the order would matter
    bit = 1
    for q in (north, west, east, south):
        if state.color[q] == me:
            join(state, p, q)
        elif (state.libs[state.chain[q]] & COUNT) == 0:
            dead |= bit
        bit <<= 1
    state.ko = 0
    if dead == 0:
        return 0
    for q in (north, west, east, south):
        if dead & 1 and state.color[q] != EMPTY:  # two neighbours may belong to one chain
            captured += remove(state, q)
        dead >>= 1
    if captured == 1 and state.length[state.chain[p]] == 1 and (state.libs[p] & COUNT) == 1:
        state.ko = state.empty[state.n_empty - 1]
    return captured


@apart
def join(state, p, q):
    """Make one chain of the chains at p and q; the smaller one is renamed."""
    a, b = np.uintp(state.chain[p]), np.uintp(state.chain[q])
    if a == b:
        return
    if state.length[a] < state.length[b]:
        a, b = b, a
    state.libs[a] += state.libs[b]
    state.length[a] += state.length[b]
    r = b
    while True:
        state.chain[r] = a
        r = np.uintp(state.next[r])
        if r == b:
            break
    swap = state.next[a]
    state.next[a] = state.next[b]
    state.next[b] = swap


@apart
def remove(state, p):
    """Take a chain off the board; return how many stones it had."""
    width = np.uintp(state.width)
    color = np.int64(state.color[p])
    step = np.int64((1 << (4 * (color - 1))) - 0x1000)
    removed = 0
    q = p
    while True:
        following = np.uintp(state.next[q])
        state.color[q] = EMPTY
        state.chain[q] = q
        state.next[q] = q
        state.libs[q] = UNCAPTURABLE
        state.empty[state.n_empty] = q
        state.where[q] = state.n_empty
        state.n_empty += 1
        removed += 1
        freed = liberty(q)
        for r in (q - width, q - ONE, q + ONE, q + width):
            state.nbr[r] -= step
            state.libs[state.chain[r]] += freed
        q = following
        if q == p:
            break
    state.count[color] -= removed
    return removed


@jit
def refuse(state, i, n):
    """Exchange the i-th and the n-th empty point of the list, so that the first n can be drawn from again."""
    p, last = state.empty[i], state.empty[n]
    state.empty[n] = p
    state.where[p] = n
    state.empty[i] = last
    state.where[last] = i


@jit
def area(state, color):
    """The stones of a colour plus the empty points that reach only that colour.

    When no two empty points are neighbours, as at the end of a playout, each belongs to the colour all around it.
    """
    total = np.int64(state.count[color])
    for i in range(state.n_empty):
        p = state.empty[i]
        if has_empty_neighbour(state, p):
            return np.int64(state.count[color]) + territory(state, color)
        total += int(same_neighbours(state, p, color) == 4)
    return total


@jit
def territory(state, color):
    """The empty points that reach only this colour."""
    spread(state)
    points = 0
    for i in range(state.n_empty):
        p = state.empty[i]
        points += int(state.next[p] == 1 << (color - 1))
        state.next[p] = p
    return points


@jit
def spread(state):
    """Let the colours spread over the empty points in sweeps: what such a point reaches, as bits in its unused `next`.

    Whoever calls this sets `next` back to the point itself.
    """
    width = np.uintp(state.width)
    for i in range(state.n_empty):
        state.next[state.empty[i]] = 0
    changed = True
    while changed:
        changed = False
        for i in range(state.n_empty):
            p = np.uintp(state.empty[i])
            reach = reached(state, p) | reached(state, p - width) | reached(state, p - ONE)
            reach |= reached(state, p + ONE) | reached(state, p + width)
            if reach != state.next[p]:
                state.next[p] = reach
                changed = True


@jit
def add_owners(state, owned):
    """Add 1 in the row of each point's owner, by area; the last row is for points that are nobody's."""
    nobody = owned.shape[0] - 1
    for p in range(owned.shape[1]):
        color = np.int64(state.color[p])
        if color != EMPTY and color != BORDER:
            owned[color - 1, p] += 1.0
    spread(state)
    for i in range(state.n_empty):
        p = state.empty[i]
        reach = state.next[p]
        owner = nobody
        for player in range(nobody):
            if reach == 1 << player:
                owner = player
        owned[owner, p] += 1.0
        state.next[p] = p


@jit
def reached(state, q):
    """Which colours, one bit each, this point is or reaches so far."""
    color = np.int64(state.color[q])
    if color == EMPTY:
        return np.int64(state.next[q])
    if color == BORDER:
        return np.int64(0)
    return np.int64(1) << (color - 1)


@jit
def board_hash(state):
    """The key of the stones on the board."""
    key = np.uint64(0)
    for p in range(state.color.shape[0]):
        color = np.int64(state.color[p])
        if color != EMPTY and color != BORDER:
            key ^= bits.placed(p, color)
    return key


def point_name(grid: Grid, point: int) -> str:
    """The name of a point, or `pass`."""
    return _point_names(grid)[point]


@cache
def _point_names(grid: Grid) -> list[str]:
    """By number; what lies outside the board has none."""
    width = grid.cols + 1
    names = [""] * ((grid.rows + 2) * width + 1)
    names[PASS] = "pass"
    for row in range(grid.rows):
        for col in range(grid.cols):
            names[(row + 1) * width + col + 1] = grid.cell_name(row, col)
    return names


def cells_of(grid: Grid, state: Any) -> list[int]:
    """The colours of the points, row by row from the top."""
    width = grid.cols + 1
    return [int(state.color[(row + 1) * width + col + 1]) for row in range(grid.rows) for col in range(grid.cols)]


def set_cells(grid: Grid, cells: list[int], state: Any) -> None:
    """Fill a zeroed state with stones; every chain must have a liberty."""
    clear(state, grid.rows, grid.cols)
    for index, color in enumerate(cells):
        if color != EMPTY:
            row, col = divmod(index, grid.cols)
            put(state, np.uintp((row + 1) * (grid.cols + 1) + col + 1), color)
    if cells_of(grid, state) != cells or any(
        state.color[p] not in (EMPTY, BORDER) and not state.libs[state.chain[p]] & COUNT
        for p in range(state.color.shape[0])
    ):
        raise DiagramError("a chain in the diagram has no liberty; every chain needs an empty neighbour")
    state.ko = 0
