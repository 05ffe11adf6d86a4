"""Clobber (Albert, Grossman, Nowakowski, 2001): a stone moves onto an opponent's stone beside it.

The board starts full, in a chequered pattern with the first player's stone (X) in the lower left corner. A
move takes a stone one cell up, right, down or left onto a stone of the opponent, which is removed. Who cannot
move has lost. Rules as in OpenSpiel's `clobber`, which draws the first player as o.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from mcrave.errors import SpecError
from mcrave.games._cells import drop, fill, marks, moved, put, shifted, step_aliases, words_for
from mcrave.games._grid import Grid, read_turn, turn_line
from mcrave.games._normal import NormalPlay
from mcrave.kernel import jit, record

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # by direction: rows down, columns to the right


class Clobber(NormalPlay, name="clobber"):
    """Stones that capture their neighbours on a board of `rows` × `cols`."""

    symbols: ClassVar[str] = "XO"
    size: int = 0
    rows: int = 5
    cols: int = 6

    def validate(self) -> None:
        """Boards up to 25 × 25."""
        if self.rows > 25 or self.cols > 25:
            raise SpecError(f"clobber boards go up to 25x25, not {self.rows}x{self.cols}")

    def state_type(self) -> np.dtype[Any]:
        """The stones of each player; by direction, the cells from which it stays on the board; who moves."""
        words = words_for(self.rows * self.cols)
        return record(cells=(np.uint64, (2, words)), inside=(np.uint64, (4, words)), turn=np.int8)

    def max_moves(self) -> int:
        """Every pair of neighbours is one move for one of the players."""
        return max(1, (self.rows - 1) * self.cols + self.rows * (self.cols - 1))

    def max_plies(self) -> int:
        """Every move removes a stone."""
        return self.rows * self.cols

    def setup(self, state: Any) -> None:
        """Stones in a chequered pattern."""
        self._place(state, [1 + (row + col) % 2 for row in reversed(range(self.rows)) for col in range(self.cols)])

    def directions(rules):
        """Up, right, down, left."""
        return 4

    def movable(rules, state, direction, i):
        """Stones with an opponent's stone beside them."""
        me = np.int64(state.turn)
        targets = shifted(state.cells[1 - me], i, offset(rules, direction))
        return state.cells[me, i] & state.inside[direction, i] & targets

    def play(rules, state, move):
        """Move a stone onto an opponent's."""
        me = np.int64(state.turn)
        source = move // 4
        target = source + offset(rules, move % 4)
        drop(state.cells[me], source)
        drop(state.cells[1 - me], target)
        put(state.cells[me], target)
        state.turn = 1 - me

    def change(rules, state, move, i):
        """A stone moves, and always captures."""
        return moved(np.int64(state.turn), move // 4, move // 4 + offset(rules, move % 4), True, i)

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, ".XO")

    def move_name(self, state: Any, move: int) -> str:
        """From and to, as in a1xa2."""
        source, direction = divmod(move, 4)
        down, right = STEPS[direction]
        return f"{self._cell_name(source)}x{self._cell_name(source + down * self.cols + right)}"

    def move_aliases(self, name: str) -> tuple[str, ...]:
        """With an x, a dash or neither."""
        return step_aliases(name)

    def render(self, state: Any) -> str:
        """Board and turn."""
        return self._grid().draw(marks(state.cells, self.rows * self.cols), turn_line(self.symbols, state.turn))

    def read(self, text: str, state: Any) -> None:
        """Board and turn; any stones may be there."""
        cells, footer = self._grid().read(text)
        state.turn, _ = read_turn(self.symbols, footer)
        self._place(state, cells)

    def _place(self, state: Any, cells: list[int]) -> None:
        for player in range(2):
            fill(state.cells[player], [cell for cell, stone in enumerate(cells) if stone == player + 1])
        for direction, (_, right) in enumerate(STEPS):
            fill(state.inside[direction], self._staying(right))


@jit
def offset(rules, direction):
    """How far the next cell in a direction is."""
    down, right = STEPS[direction]
    return down * rules.cols + right
