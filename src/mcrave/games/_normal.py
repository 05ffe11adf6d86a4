"""Games of normal play on a board of cells: who cannot move has lost.

Such a game's moves come from sets of cells (see `_cells`): for each of its directions, the set of cells from
which the player to move can go that way. A move is cell * directions + direction. The state has the sets of
cells that make up the position in `cells`, one a row, and `turn`; two kernels say the rest.
"""

from __future__ import annotations

import numpy as np

from mcrave.games._cells import ZERO, has, write
from mcrave.games._grid import Grid
from mcrave.games.base import Game, code, play
from mcrave.kernel import bits, dispatched, jit
from mcrave.kernel.rng import below


@dispatched
def directions(rules):
    """In how many directions a move can go from a cell."""
    return 1


@dispatched
def movable(rules, state, direction, i):
    """Word `i` of the set of cells from which the player to move can go in a direction."""
    return ZERO


class NormalPlay(Game):
    """What these games have in common."""

    size: int = 8
    rows: int = 0
    cols: int = 0

    def codes(self) -> int:
        """Every cell in every direction."""
        return self.rows * self.cols * directions(self)

    def legal(rules, state, out):
        """Direction by direction, each from the top of the board."""
        n = 0
        for direction in range(directions(rules)):
            for i in range(state.cells.shape[1]):
                n = write(movable(rules, state, direction, i), 64 * i, directions(rules), direction, out, n)
        return n

    def is_over(rules, state):
        """The player to move cannot."""
        for direction in range(directions(rules)):
            for i in range(state.cells.shape[1]):
                if movable(rules, state, direction, i) != ZERO:
                    return False
        return True

    def to_move(rules, state):
        """The players alternate."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """The player to move has lost."""
        return 0.0 if state.turn == player else 1.0

    def hash(rules, state):
        """Cells and turn."""
        key = bits.combine(np.uint64(0), state.turn)
        for group in range(state.cells.shape[0]):
            for i in range(state.cells.shape[1]):
                key = bits.combine(key, state.cells[group, i])
        return key

    def random_move(rules, state, rng, out):
        """Count the moves, then find the one that was drawn."""
        return draw(rules, state, rng)

    def random_playout(rules, state, rng, out, plies):
        """Play until nothing can be drawn."""
        n = 0
        while n < plies:
            move = draw(rules, state, rng)
            if move < 0:
                break
            play(rules, state, move)
            n += 1
        return n

    def recorded_playout(rules, state, rng, out, ply, last, who, codes):
        """The same, written down."""
        while ply < last:
            move = draw(rules, state, rng)
            if move < 0:
                break
            who[ply] = state.turn
            codes[ply] = code(rules, state, move)
            play(rules, state, move)
            ply += 1
        return ply

    def predicates(rules):
        """A piece of either player on each cell."""
        return 2 * rules.rows * rules.cols

    def predicate(rules, state, i):
        """Whether the piece is there."""
        return has(state.cells[i & 1], i >> 1)

    def _cell_name(self, cell: int) -> str:
        return Grid(self.rows, self.cols, "").cell_name(*divmod(cell, self.cols))

    def _staying(self, right: int) -> list[int]:
        """The cells from which so many columns to the right is still on the board."""
        return [cell for cell in range(self.rows * self.cols) if 0 <= cell % self.cols + right < self.cols]


@jit
def draw(rules, state, rng):
    """A random legal move; -1 if there is none."""
    total = 0
    for direction in range(directions(rules)):
        for i in range(state.cells.shape[1]):
            total += bits.popcount(movable(rules, state, direction, i))
    if total == 0:
        return np.int64(-1)
    k = below(rng, total)
    for direction in range(directions(rules)):
        for i in range(state.cells.shape[1]):
            sources = movable(rules, state, direction, i)
            n = bits.popcount(sources)
            if k < n:
                return np.int64((64 * i + bits.nth(sources, k)) * directions(rules) + direction)
            k -= n
    return np.int64(-1)
