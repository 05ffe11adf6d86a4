"""NoGo (Anti-Atarigo): capturing and suicide are both illegal, and who cannot move loses.

Rules as at the 2011 BIRS workshop and the Computer Olympiads: Black moves first, no passing.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from mcrave.games import _stones as stones
from mcrave.games._grid import GO_LETTERS, Grid, read_turn, turn_line
from mcrave.games._stones import EMPTY
from mcrave.games.base import Game
from mcrave.games.go import Go, check_size
from mcrave.kernel import bits, jit
from mcrave.kernel.rng import below


class Nogo(Game, name="nogo"):
    """No captures, on 1×1 to 25×25 points; the last to move wins."""

    symbols: ClassVar[str] = "XO"
    look: ClassVar[str] = "lines"
    size: int = 9
    rows: int = 0
    cols: int = 0

    def validate(self) -> None:
        """Boards from 1×1 to 25×25."""
        check_size(self)

    def state_type(self) -> np.dtype[Any]:
        """The board, and whether the player to move is stuck."""
        return stones.stone_record(self.rows, self.cols, stuck=np.uint8)

    def max_moves(self) -> int:
        """Every point."""
        return self.rows * self.cols

    max_plies = max_moves

    def codes(self) -> int:
        """Move numbers are points of the bordered board."""
        return (self.rows + 1) * (self.cols + 1)

    def setup(self, state: Any) -> None:
        """An empty board; on a single point the first player is stuck at once."""
        stones.clear(state, self.rows, self.cols)
        judge(state)

    def legal(rules, state, out):
        """Points where a stone captures nothing and has a liberty, row by row from the top."""
        me = state.turn + np.int64(1)
        n = 0
        for p in range(state.color.shape[0]):
            if state.color[p] == EMPTY and is_allowed(state, np.uintp(p), me):
                out[n] = p
                n += 1
        return n

    def play(rules, state, move):
        """Put a stone and see whether the other player can go on."""
        stones.put(state, np.uintp(move), state.turn + np.int64(1))
        state.turn = 1 - state.turn
        judge(state)

    def is_over(rules, state):
        """The player to move has no legal move."""
        return state.stuck != 0

    def to_move(rules, state):
        """0 is Black."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """Who is stuck has lost."""
        return 0.0 if state.turn == player else 1.0

    def hash(rules, state):
        """Stones and turn."""
        return bits.combine(stones.board_hash(state), state.turn)

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
        """Stones and turn."""
        grid = self._grid()
        return grid.draw(stones.cells_of(grid, state), turn_line(self.symbols, state.turn))

    def read(self, text: str, state: Any) -> None:
        """Stones and turn."""
        grid = self._grid()
        cells, footer = grid.read(text)
        turn, _ = read_turn(self.symbols, footer)
        stones.set_cells(grid, cells, state)
        state.turn = turn
        judge(state)

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, "." + self.symbols, GO_LETTERS)


@jit
def is_allowed(state, p, me):
    """Whether a stone on this empty point captures nothing and has a liberty."""
    return not stones.captures(state, p, me) and not stones.is_suicide(state, p, me)


@jit
def judge(state):
    """See whether the player to move has a legal move."""
    me = state.turn + np.int64(1)
    state.stuck = 1
    for i in range(state.n_empty):
        if is_allowed(state, np.uintp(state.empty[i]), me):
            state.stuck = 0
            return


@jit
def random_legal(state, rng):
    """A random legal point; the caller knows that there is one."""
    me = state.turn + np.int64(1)
    n = np.int64(state.n_empty)
    while True:
        i = below(rng, n)
        p = np.uintp(state.empty[i])
        if is_allowed(state, p, me):
            return p
        n -= 1
        stones.refuse(state, i, n)
