"""Hex: a stone a turn on a free cell; X joins the top row to the bottom row, O the left column to the right one.

Each row is drawn half a cell to the right of the one above, so b2 touches b1, c1, a2, c2, a3 and b3. A full
board is always won by exactly one player, so there are no draws. Rules as in OpenSpiel's `hex`.

With `swap=true` (the pie rule) O may answer the first move with `swap`: the stone becomes O's and is reflected
in the long diagonal (b1 becomes a2), so that the players keep their colours and goals; then X moves. On boards
that are not square there is no such reflection, and no swap.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mcrave.errors import SpecError
from mcrave.games._grid import Grid
from mcrave.games._hexboard import EMPTY, HexGame, Shape, draw
from mcrave.kernel import jit
from mcrave.kernel.rng import below

TOP, BOTTOM, LEFT, RIGHT = 1, 2, 4, 8
LARGEST = 25


class Hex(HexGame, name="hex"):
    """Join your two sides of a board of `rows` × `cols`."""

    size: int = 11
    rows: int = 0
    cols: int = 0
    swap: bool = False

    def validate(self) -> None:
        """Boards up to 25 × 25; a swap on square ones."""
        if self.rows > LARGEST or self.cols > LARGEST:
            raise SpecError(f"hex boards go up to {LARGEST}x{LARGEST}, not {self.rows}x{self.cols}")
        if self.swap and self.rows != self.cols:
            raise SpecError(f"hex has swap=true on square boards alone, not on {self.rows}x{self.cols}")

    def _scratch(self) -> dict[str, Any]:
        """One player's stones by line, and those of them that are joined to the first line, for `fill`."""
        return {"lines": (np.int32, LARGEST), "joined": (np.int32, LARGEST)}

    def predicates(rules):
        """A stone of either player in each place."""
        return 2 * rules.rows * (rules.cols + 1)

    def _shape(self) -> Shape:
        return Shape(self.rows, self.cols + 1, self.cols + 1)

    def _sides(self, row: int, col: int) -> int | None:
        if col == self.cols:
            return None
        touched = {TOP: row == 0, BOTTOM: row == self.rows - 1, LEFT: col == 0, RIGHT: col == self.cols - 1}
        return sum(side for side, touches in touched.items() if touches)

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, ".XO", top_down=True, slant=1)

    def wins(rules, state, cell, reached, around):
        """Whether both sides of the stone's owner are joined."""
        goal = TOP | BOTTOM if state.cells[cell] == 1 else LEFT | RIGHT
        return reached & goal == goal

    def swapped(rules, state, cell):
        """The reflection in the long diagonal."""
        width = np.int64(state.width)
        move = cell - width
        return width + move % width * width + move // width

    def fill(rules, state, rng, out, plies):
        """Fill the whole board, find the winner, and take back what came after the win.

        Stones played after a win would not change the winner. The groups are left as they were: they matter
        no more.
        """
        if plies < state.free:
            return draw(rules, state, rng, out, plies)
        free = shuffle(rules, state, rng, out)
        first = np.int64(state.turn)
        for i in range(free):
            state.cells[place(state, out[i])] = 1 + ((first + i) & 1)
        collect(rules, state, 0)
        winner = 0 if joins(state, rules.rows - 1) else 1
        if winner == 1:
            collect(rules, state, 1)
        n = winning_ply(rules, state, out, free, winner)
        for i in range(n, free):
            state.cells[place(state, out[i])] = EMPTY
        state.free -= n
        state.turn = (first + n) & 1
        state.winner = winner + 1
        return n


# A player's stones as lines of bits: X's lines are the rows from the top, O's are the columns from the left. Both
# ways a cell touches the same bit and the next one in the line before.


@jit
def place(state, spot):
    """The place of a cell given as its row and column in five bits each."""
    return np.int64(state.width) * ((spot >> 5) + 1) + (spot & 31)


@jit
def shuffle(rules, state, rng, out):
    """List the free cells in random order, by row and column; return how many."""
    n = 0
    for row in range(rules.rows):
        for col in range(rules.cols):
            spot = row << 5 | col
            if state.cells[place(state, spot)] == EMPTY:
                other = below(rng, n + 1)
                out[n] = out[other]
                out[other] = spot
                n += 1
    return n


@jit
def collect(rules, state, player):
    """Set the lines to a player's stones on the board."""
    lines, length = (rules.rows, rules.cols) if player == 0 else (rules.cols, rules.rows)
    for line in range(lines):
        stones = 0
        for bit in range(length):
            spot = line << 5 | bit if player == 0 else bit << 5 | line
            stones |= int(state.cells[place(state, spot)] == player + 1) << bit
        state.lines[line] = stones


@jit
def winning_ply(rules, state, out, free, winner):
    """How many of the moves in `out`, all on the board, the winner needed, by bisection of their own ones."""
    start = 0 if winner == state.turn else 1
    last = (rules.rows if winner == 0 else rules.cols) - 1
    too_few, enough = 0, (free - start + 1) // 2
    shown = enough
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        for k in range(min(shown, middle), max(shown, middle)):
            toggle(state, np.int64(out[start + 2 * k]), winner)
        shown = middle
        if joins(state, last):
            enough = middle
        else:
            too_few = middle
    return start + 2 * enough - 1


@jit
def toggle(state, spot, player):
    """Add a stone to its line, or remove it."""
    row, col = spot >> 5, spot & 31
    if player == 0:
        state.lines[row] ^= 1 << col
    else:
        state.lines[col] ^= 1 << row


@jit
def joins(state, last):
    """Whether a chain of stones leads from the first line to the last one."""
    state.joined[0] = state.lines[0]
    for line in range(1, last + 1):
        state.joined[line] = 0
    grew = True
    while grew:
        grew = False
        for line in range(1, last + 1):
            before = np.int64(state.joined[line - 1])
            if spread(state, line, before | before >> 1):
                grew = True
        if state.joined[last] != 0:
            return True
        for line in range(last - 1, 0, -1):
            after = np.int64(state.joined[line + 1])
            if spread(state, line, after | after << 1):
                grew = True
    return False


@jit
def spread(state, line, touched):
    """Join the stones of a line that are touched, and those next to them; tell whether there were any new."""
    stones = np.int64(state.lines[line])
    old = np.int64(state.joined[line])
    new = old | touched & stones
    if new == old:
        return False
    while new != old:
        old = new
        new |= (new << 1 | new >> 1) & stones
    state.joined[line] = new
    return True
