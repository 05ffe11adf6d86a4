"""Connect four: a stone falls to the lowest free cell of a column; a line of `length` stones wins.

Lines are straight or diagonal; a full board without one is a draw. Rules as in OpenSpiel's `connect_four`.

Stones are bit sets, column by column from the bottom with one bit left free on top of each, so that no line
runs from one column into the next (Tromp's layout).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from mcrave.errors import DiagramError, SpecError
from mcrave.games._cells import ZERO, fill, has, marks, members, put, words_for
from mcrave.games._grid import Grid, read_turn, turn_line
from mcrave.games.base import Game
from mcrave.kernel import bits, jit, record
from mcrave.kernel.rng import below

NOBODY = 0  # 1 and 2 are the players


class ConnectFour(Game, name="connect_four"):
    """A line of `length` stones on a standing board of `rows` × `cols`."""

    symbols: ClassVar[str] = "XO"
    size: int = 0
    rows: int = 6
    cols: int = 7
    length: int = 4

    def validate(self) -> None:
        """Boards up to 25 × 25, lines that fit."""
        if self.rows > 25 or self.cols > 25:
            raise SpecError(f"connect_four boards go up to 25x25, not {self.rows}x{self.cols}")
        longest = max(self.rows, self.cols)
        if not 1 <= self.length <= longest:
            raise SpecError(f"connect_four needs length from 1 to {longest} on this board, not {self.length}")

    def state_type(self) -> np.dtype[Any]:
        """The players' stones; how high the columns are; who moves; who has won; how many cells are free."""
        words = words_for((self.rows + 1) * self.cols)
        return record(
            stones=(np.uint64, (2, words)),
            height=(np.int8, 8 if self.cols <= 8 else 25),
            turn=np.int8,
            winner=np.int8,
            free=np.int16,
        )

    def max_moves(self) -> int:
        """A move is a column."""
        return self.cols

    def max_plies(self) -> int:
        """A full board."""
        return self.rows * self.cols

    def setup(self, state: Any) -> None:
        """An empty board."""
        state.free = self.rows * self.cols

    def legal(rules, state, out):
        """Every column that is not full."""
        n = 0
        for col in range(rules.cols):
            if state.height[col] < rules.rows:
                out[n] = col
                n += 1
        return n

    def play(rules, state, move):
        """Drop a stone and look for a line."""
        me = np.int64(state.turn)
        stones = state.stones[me]
        last = move * (rules.rows + 1) + np.int64(state.height[move])
        put(stones, last)
        state.height[move] += 1
        state.free -= 1
        if has_line(rules, stones, last):
            state.winner = me + 1
        state.turn = 1 - me

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
        key = bits.combine(np.uint64(0), state.turn)
        for player in range(2):
            for i in range(state.stones.shape[1]):
                key = bits.combine(key, state.stones[player, i])
        return key

    def random_move(rules, state, rng, out):
        """Draw columns until one is not full."""
        col = below(rng, rules.cols)
        while state.height[col] == rules.rows:
            col = below(rng, rules.cols)
        return col

    def predicates(rules):
        """A stone of either player on each cell."""
        return 2 * (rules.rows + 1) * rules.cols

    def predicate(rules, state, i):
        """Whether the stone is there."""
        return has(state.stones[i & 1], i >> 1)

    def change(rules, state, move, i):
        """The stone that falls."""
        cell = move * (rules.rows + 1) + np.int64(state.height[move])
        return 2 * (2 * cell + np.int64(state.turn)) if i == 0 else np.int64(-1)

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, ".XO")

    def _bit(self, cell: int) -> int:
        """Where a cell of the diagram stands in the sets."""
        return cell % self.cols * (self.rows + 1) + self.rows - 1 - cell // self.cols

    def move_name(self, state: Any, move: int) -> str:
        """The column's letter."""
        return self._grid().column(move)

    def move_aliases(self, name: str) -> tuple[str, str]:
        """The column's letter, or its number from 1."""
        return name, str(ord(name) - ord("a") + 1)

    def render(self, state: Any) -> str:
        """Board and turn."""
        by_bit = marks(state.stones, (self.rows + 1) * self.cols)
        cells = [by_bit[self._bit(cell)] for cell in range(self.rows * self.cols)]
        return self._grid().draw(cells, turn_line(self.symbols, state.turn))

    def read(self, text: str, state: Any) -> None:
        """Board and turn; stones must not hang in the air, and the winner follows from them."""
        cells, footer = self._grid().read(text)
        state.turn, _ = read_turn(self.symbols, footer)
        state.free = cells.count(0)
        for cell, stone in enumerate(cells):
            if stone and cell + self.cols < len(cells) and not cells[cell + self.cols]:
                name = self._grid().cell_name(*divmod(cell, self.cols))
                raise DiagramError(f"the stone at {name} of the diagram has nothing under it")
            state.height[cell % self.cols] += stone != 0
        for player in range(2):
            stones = state.stones[player]
            fill(stones, [self._bit(cell) for cell, stone in enumerate(cells) if stone == player + 1])
            if any(has_line(self, stones, bit) for bit in members(stones)):
                if state.winner != NOBODY:
                    raise DiagramError("both players have a line in this diagram")
                state.winner = player + 1


@jit
def has_line(rules, stones, last):
    """Whether the stone at bit `last` is part of a long enough line."""
    n = rules.length
    step = rules.rows + 1
    if len(stones) == 1:
        word = stones[0]
        found = lines(word, 1, n) | lines(word, step - 1, n) | lines(word, step, n) | lines(word, step + 1, n)
        return found != ZERO
    return (
        longest(stones, last, 1) >= n
        or longest(stones, last, step - 1) >= n
        or longest(stones, last, step) >= n
        or longest(stones, last, step + 1) >= n
    )


@jit
def lines(word, step, length):
    """The lowest stones of all lines in one direction: lines of two, then four, … by shifting and meeting."""
    n = 1
    while n < length:
        more = min(n, length - n)
        word &= word >> np.uint64(more * step) if more * step < 64 else ZERO
        n += more
    return word


@jit
def longest(stones, last, step):
    """How many stones stand in one direction through a stone."""
    n = 1
    cell = last + step
    while cell < 64 * len(stones) and has(stones, cell):
        n += 1
        cell += step
    cell = last - step
    while cell >= 0 and has(stones, cell):
        n += 1
        cell -= step
    return n
