"""Atarigo, the capture game (GRAVE §4.1): the first player to capture anything wins.

Stones are put as in Go, with no passing and no suicide (a capture is never suicide). A player without a legal move
loses. Ko cannot arise. With `crosscut` four stones stand crosswise in the middle when the game begins.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from mcrave.errors import SpecError
from mcrave.games import _stones as stones
from mcrave.games._grid import GO_LETTERS, Grid, read_turn, turn_line
from mcrave.games._stones import EMPTY
from mcrave.games.base import Game
from mcrave.games.go import Go, check_size
from mcrave.kernel import bits, jit
from mcrave.kernel.rng import below

NOBODY = 0
WON_NOTE = r"(\S) has won"


class Atarigo(Game, name="atarigo"):
    """The first capture wins, on 1×1 to 25×25 points."""

    symbols: ClassVar[str] = "XO"
    look: ClassVar[str] = "lines"
    size: int = 8
    rows: int = 0
    cols: int = 0
    crosscut: bool = False

    def validate(self) -> None:
        """Boards from 1×1 to 25×25; from 4×4 on with a crosscut."""
        check_size(self)
        if self.crosscut and min(self.rows, self.cols) < 4:
            raise SpecError(f"atarigo needs at least 4x4 points for a crosscut, not {self.rows}x{self.cols}")

    def state_type(self) -> np.dtype[Any]:
        """The board, and the colour that has won, or 0."""
        return stones.stone_record(self.rows, self.cols, winner=np.uint8)

    def max_moves(self) -> int:
        """Every point."""
        return self.rows * self.cols

    max_plies = max_moves

    def codes(self) -> int:
        """Move numbers are points of the bordered board."""
        return (self.rows + 1) * (self.cols + 1)

    def setup(self, state: Any) -> None:
        """An empty board, or the crosscut; on a single point the first player is stuck at once."""
        stones.clear(state, self.rows, self.cols)
        if self.crosscut:
            corner = (self.rows // 2) * (self.cols + 1) + self.cols // 2
            for colour, steps in ((1, (0, self.cols + 2)), (2, (1, self.cols + 1))):
                for step in steps:
                    stones.put(state, np.uintp(corner + step), colour)
        judge(state)

    def legal(rules, state, out):
        """Points that are not suicide, row by row from the top."""
        me = state.turn + np.int64(1)
        n = 0
        for p in range(state.color.shape[0]):
            if state.color[p] == EMPTY and not stones.is_suicide(state, np.uintp(p), me):
                out[n] = p
                n += 1
        return n

    def play(rules, state, move):
        """Put a stone; win by capturing, or by leaving the other player stuck."""
        me = state.turn + np.int64(1)
        captured = stones.put(state, np.uintp(move), me)
        state.ko = 0
        state.turn = 1 - state.turn
        if captured > 0:
            state.winner = me
        else:
            judge(state)

    def is_over(rules, state):
        """Somebody has won; there are no draws."""
        return state.winner != NOBODY

    def to_move(rules, state):
        """0 is Black."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """1 for the winner."""
        return 1.0 if state.winner == player + 1 else 0.0

    def hash(rules, state):
        """Stones, turn and winner."""
        return bits.combine(stones.board_hash(state), np.int64(state.winner) * 2 + state.turn)

    def random_move(rules, state, rng, out):
        """A random legal point."""
        return np.int64(random_legal(state, rng))

    predicates = Go.predicates
    predicate = Go.predicate
    change = Go.change

    def move_name(self, state: Any, move: int) -> str:
        """The point, as in E5."""
        return stones.point_name(self._grid(), move)

    def render(self, state: Any) -> str:
        """Stones, turn, and who has won."""
        grid = self._grid()
        won = f"{self.symbols[state.winner - 1]} has won" if state.winner else ""
        return grid.draw(stones.cells_of(grid, state), turn_line(self.symbols, state.turn, won))

    def read(self, text: str, state: Any) -> None:
        """Stones, turn, and who has won."""
        grid = self._grid()
        cells, footer = grid.read(text)
        turn, notes = read_turn(self.symbols, footer, [WON_NOTE])
        stones.set_cells(grid, cells, state)
        state.turn = turn
        state.winner = self.symbols.find(notes.get(WON_NOTE, " ")) + 1
        if state.winner == NOBODY:
            judge(state)

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, "." + self.symbols, GO_LETTERS)


@jit
def judge(state):
    """Let the other player win if the player to move has no legal move."""
    me = state.turn + np.int64(1)
    for i in range(state.n_empty):
        if not stones.is_suicide(state, np.uintp(state.empty[i]), me):
            return
    state.winner = 3 - me


@jit
def random_legal(state, rng):
    """A random point that is not suicide; the caller knows that there is one."""
    me = state.turn + np.int64(1)
    n = np.int64(state.n_empty)
    while True:
        i = below(rng, n)
        p = np.uintp(state.empty[i])
        if not stones.is_suicide(state, p, me):
            return p
        n -= 1
        stones.refuse(state, i, n)
