"""Games in which pieces that only go forward race for the last row: breakthrough and knightthrough.

Each side starts on its two nearest rows, the first player (W) at the bottom. Who brings a piece to the far
row wins at once; a player without a legal move, because no piece is left or all are blocked, loses.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from mcrave.errors import DiagramError, SpecError
from mcrave.games._cells import ZERO, drop, fill, has, holds, marks, moved, put, shifted, step_aliases, words_for
from mcrave.games._grid import Grid, read_turn, turn_line
from mcrave.games._normal import NormalPlay
from mcrave.kernel import bits, record

EMPTY = 2  # the third set of cells; 0 and 1 are the players' pieces


class Through(NormalPlay):
    """Subclasses say in which directions pieces go."""

    symbols: ClassVar[str] = "WB"
    look: ClassVar[str] = "chequered"
    steps: ClassVar[tuple[tuple[int, int, bool], ...]]
    """By direction: rows forward, columns to the right, and whether it may capture."""

    def validate(self) -> None:
        """Two rows for each side, up to 25 × 25."""
        if not 4 <= self.rows <= 25 or not 2 <= self.cols <= 25:
            raise SpecError(f"{self.name} boards go from 4x2 to 25x25, not {self.rows}x{self.cols}")

    def state_type(self) -> np.dtype[Any]:
        """The cells of each player and the empty ones; who moves; whether a piece has arrived; the geometry.

        For each direction: where it stays on the board, the step in cells by player, and whether it captures.
        """
        words, n = words_for(self.rows * self.cols), len(self.steps)
        return record(
            cells=(np.uint64, (3, words)),
            inside=(np.uint64, (n, words)),
            step=(np.int8, (2, n)),
            captures=(np.int8, n),
            turn=np.int8,
            arrived=np.int8,
        )

    def max_moves(self) -> int:
        """Every piece in every direction."""
        return 2 * self.cols * len(self.steps)

    def max_plies(self) -> int:
        """Every piece walks to the far row."""
        return 4 * self.cols * (self.rows - 1)

    def setup(self, state: Any) -> None:
        """Two rows each."""
        camp = 2 * self.cols
        self._place(state, [2] * camp + [0] * (self.rows * self.cols - 2 * camp) + [1] * camp)

    def movable(rules, state, direction, i):
        """The pieces whose target is empty or may be captured; none when a piece has arrived."""
        if state.arrived != 0:
            return ZERO
        me = np.int64(state.turn)
        step = np.int64(state.step[me, direction])
        targets = shifted(state.cells[EMPTY], i, step)
        if state.captures[direction] != 0:
            targets |= shifted(state.cells[1 - me], i, step)
        return state.cells[me, i] & state.inside[direction, i] & targets

    def play(rules, state, move):
        """Move a piece, capture what stands there, and look whether it has arrived."""
        me = np.int64(state.turn)
        source = move // len(state.captures)
        target = source + np.int64(state.step[me, move % len(state.captures)])
        drop(state.cells[me], source)
        put(state.cells[EMPTY], source)
        drop(state.cells[1 - me], target)
        drop(state.cells[EMPTY], target)
        put(state.cells[me], target)
        if target < rules.cols if me == 0 else target >= (rules.rows - 1) * rules.cols:
            state.arrived = 1
        state.turn = 1 - me

    def estimate(rules, state, player):
        """The share of the pieces."""
        mine, both = 0, 0
        for i in range(state.cells.shape[1]):
            here = bits.popcount(state.cells[player, i])
            mine += here
            both += here + bits.popcount(state.cells[1 - player, i])
        return mine / both

    def change(rules, state, move, i):
        """A piece moves, and may capture."""
        me = np.int64(state.turn)
        source = move // len(state.captures)
        target = source + np.int64(state.step[me, move % len(state.captures)])
        return moved(me, source, target, has(state.cells[1 - me], target), i)

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, ".WB")

    def move_name(self, state: Any, move: int) -> str:
        """From and to, as in a2-a3; captures as in a2xb3."""
        source, direction = divmod(move, len(self.steps))
        target = source + int(state.step[state.turn, direction])
        mark = "x" if holds(state.cells[1 - state.turn], target) else "-"
        return self._cell_name(source) + mark + self._cell_name(target)

    def move_aliases(self, name: str) -> tuple[str, ...]:
        """With a dash, an x or neither."""
        return step_aliases(name)

    def render(self, state: Any) -> str:
        """Board and turn."""
        cells = marks(state.cells[:2], self.rows * self.cols)
        return self._grid().draw(cells, turn_line(self.symbols, state.turn))

    def read(self, text: str, state: Any) -> None:
        """Board and turn; no more pieces than at the start, and no move after a piece has arrived."""
        cells, footer = self._grid().read(text)
        state.turn, _ = read_turn(self.symbols, footer)
        self._place(state, cells)
        far_rows = cells[: self.cols], cells[-self.cols :]
        for player, symbol in enumerate(self.symbols):
            pieces = cells.count(player + 1)
            if pieces > 2 * self.cols:
                raise DiagramError(f"{symbol} has {pieces} pieces in this diagram, but starts with {2 * self.cols}")
            if player + 1 in far_rows[player]:
                if state.turn == player:
                    raise DiagramError(f"{symbol} has won in this diagram; write '{self.symbols[1 - player]} to move'")
                state.arrived = 1

    def _place(self, state: Any, cells: list[int]) -> None:
        """Put the pieces on the board and note how they step."""
        for group, mark in enumerate((1, 2, 0)):
            fill(state.cells[group], [cell for cell, m in enumerate(cells) if m == mark])
        for direction, (forward, right, captures) in enumerate(self.steps):
            state.step[:, direction] = right - forward * self.cols, right + forward * self.cols
            state.captures[direction] = captures
            fill(state.inside[direction], self._staying(right))
