"""Domineering (Göran Andersson, 1973): dominoes on a board, one player's upright, the other's flat.

The first player (V) puts a domino on two free cells above each other, the second (H) on two side by side.
Who cannot move has lost. A move is the upper or left cell; it is written a1-a2 or a1-b1, lower or left first.
Rules and order of play as in Cazenave (2015, §4.4).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from mcrave.errors import SpecError
from mcrave.games._cells import drop, fill, has, marks, shifted, step_aliases, words_for
from mcrave.games._grid import Grid, read_turn, turn_line
from mcrave.games._normal import NormalPlay
from mcrave.kernel import record

FREE = 0


class Domineering(NormalPlay, name="domineering"):
    """Dominoes on a board of `rows` × `cols`; V, who plays upright, begins."""

    symbols: ClassVar[str] = "VH"

    def validate(self) -> None:
        """Boards up to 25 × 25."""
        if self.rows > 25 or self.cols > 25:
            raise SpecError(f"domineering boards go up to 25x25, not {self.rows}x{self.cols}")

    def state_type(self) -> np.dtype[Any]:
        """The free cells; all but the last column, where no flat domino begins; who moves."""
        words = words_for(self.rows * self.cols)
        return record(cells=(np.uint64, (1, words)), inside=(np.uint64, words), turn=np.int8)

    def max_moves(self) -> int:
        """Every cell on which a domino can begin, for the player with more of them."""
        return max(1, (self.rows - 1) * self.cols, self.rows * (self.cols - 1))

    def max_plies(self) -> int:
        """Every domino covers two cells."""
        return max(1, self.rows * self.cols // 2)

    def setup(self, state: Any) -> None:
        """An empty board."""
        self._place(state, range(self.rows * self.cols))

    def movable(rules, state, direction, i):
        """Free cells whose neighbour below or to the right is free too."""
        free = state.cells[FREE]
        if state.turn == 0:
            return free[i] & shifted(free, i, rules.cols)
        return free[i] & shifted(free, i, 1) & state.inside[i]

    def play(rules, state, move):
        """Cover two cells."""
        drop(state.cells[FREE], move)
        drop(state.cells[FREE], move + (rules.cols if state.turn == 0 else 1))
        state.turn = 1 - state.turn

    def predicates(rules):
        """That a cell is covered."""
        return rules.rows * rules.cols

    def predicate(rules, state, i):
        """Whether it is."""
        return not has(state.cells[FREE], i)

    def change(rules, state, move, i):
        """Both halves of the domino."""
        if i > 1:
            return np.int64(-1)
        return 2 * (move + i * (rules.cols if state.turn == 0 else 1))

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, "#.")

    def move_name(self, state: Any, move: int) -> str:
        """Both cells, the lower or left one first."""
        ends = (move + self.cols, move) if state.turn == 0 else (move, move + 1)
        return "-".join(map(self._cell_name, ends))

    def move_aliases(self, name: str) -> tuple[str, ...]:
        """The cells in either order, with or without the dash."""
        first, second = name.split("-")
        return step_aliases(name) + step_aliases(f"{second}-{first}")

    def render(self, state: Any) -> str:
        """Board and turn; whose domino covers a cell no longer matters."""
        return self._grid().draw(marks(state.cells, self.rows * self.cols), turn_line(self.symbols, state.turn))

    def read(self, text: str, state: Any) -> None:
        """Board and turn; any cells may be covered."""
        cells, footer = self._grid().read(text)
        state.turn, _ = read_turn(self.symbols, footer)
        self._place(state, [cell for cell, free in enumerate(cells) if free])

    def _place(self, state: Any, free: Any) -> None:
        fill(state.cells[FREE], free)
        fill(state.inside, self._staying(1))
