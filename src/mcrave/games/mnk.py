"""m,n,k-games: a stone a turn on an empty cell; a line of `length` stones, straight or diagonal, wins.

Tic-tac-toe is mnk(size=3,length=3), gomoku (freestyle: six in a row wins too) mnk(size=15,length=5). A full
board without a line is a draw. Rules as in OpenSpiel's `tic_tac_toe` and `mnk`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from mcrave.errors import DiagramError, SpecError
from mcrave.games._grid import Grid, read_turn, turn_line
from mcrave.games.base import Game
from mcrave.kernel import bits, jit, record, room

EMPTY = 0  # 1 and 2 are the players' stones
NOBODY = 0


class Mnk(Game, name="mnk"):
    """A line of `length` stones on a board of `rows` × `cols`."""

    symbols: ClassVar[str] = "XO"
    size: int = 3
    rows: int = 0
    cols: int = 0
    length: int = 3

    def validate(self) -> None:
        """Boards up to 25 × 25, lines that fit."""
        if self.rows > 25 or self.cols > 25:
            raise SpecError(f"mnk boards go up to 25x25, not {self.rows}x{self.cols}")
        if not 1 <= self.length <= max(self.rows, self.cols):
            raise SpecError(f"mnk needs length from 1 to {max(self.rows, self.cols)} on this board, not {self.length}")

    def state_type(self):
        """Stones by cell, row by row from the top; who moves; who has won; how many cells are free."""
        cells = room(self.rows * self.cols, 16, 64, 225, 625)
        return record(board=(np.int8, cells), turn=np.int8, winner=np.int8, free=np.int16)

    def max_moves(self):
        """A move is a cell."""
        return self.rows * self.cols

    max_plies = max_moves

    def setup(self, state):
        """An empty board."""
        state.free = self.rows * self.cols

    def legal(rules, state, out):
        """Every free cell."""
        n = 0
        for cell in range(rules.rows * rules.cols):
            if state.board[cell] == EMPTY:
                out[n] = cell
                n += 1
        return n

    def play(rules, state, move):
        """Put a stone and look for a line through it."""
        stone = state.turn + 1
        state.board[move] = stone
        state.free -= 1
        if makes_line(rules, state, move, stone):
            state.winner = stone
        state.turn = 1 - state.turn

    def is_over(rules, state):
        """A line, or a full board."""
        return state.winner != NOBODY or state.free == 0

    def to_move(rules, state):
        """The players alternate."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """1 for the line's owner."""
        if state.winner == NOBODY:
            return 0.5
        return 1.0 if state.winner == player + 1 else 0.0

    def hash(rules, state):
        """Stones and turn."""
        key = np.uint64(state.turn)
        for cell in range(rules.rows * rules.cols):
            if state.board[cell] != EMPTY:
                key ^= bits.placed(cell, state.board[cell])
        return key

    def predicates(rules):
        """A stone of either player on each cell."""
        return 2 * rules.rows * rules.cols

    def predicate(rules, state, i):
        """Whether the stone stands there."""
        return state.board[i >> 1] == (i & 1) + 1

    def change(rules, state, move, i):
        """The stone put."""
        return 2 * (2 * move + np.int64(state.turn)) if i == 0 else np.int64(-1)

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, ".XO")

    def move_name(self, state: Any, move: int) -> str:
        """The cell, as in b2."""
        return self._grid().cell_name(move // self.cols, move % self.cols)

    def render(self, state: Any) -> str:
        """Board and turn."""
        return self._grid().draw(state.board.tolist(), turn_line(self.symbols, state.turn))

    def read(self, text: str, state: Any) -> None:
        """Board and turn; the winner follows from the board."""
        cells, footer = self._grid().read(text)
        state.turn, _ = read_turn(self.symbols, footer)
        state.board[: len(cells)] = cells
        state.free = cells.count(EMPTY)
        for cell, stone in enumerate(cells):
            if stone != EMPTY and makes_line(self, state, cell, stone):
                if state.winner not in (NOBODY, stone):
                    raise DiagramError("both players have a line in this diagram")
                state.winner = stone


@jit
def run(rules, state, move, stone, down, right):
    """How many stones of one colour follow on the cell in one direction."""
    row = move // rules.cols + down
    col = move % rules.cols + right
    n = 0
    while 0 <= row < rules.rows and 0 <= col < rules.cols and state.board[row * rules.cols + col] == stone:
        n += 1
        row += down
        col += right
    return n


@jit
def makes_line(rules, state, move, stone):
    """Whether the stone on this cell is part of a long enough line."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        n = 1 + run(rules, state, move, stone, down, right) + run(rules, state, move, stone, -down, -right)
        if n >= rules.length:
            return True
    return False
