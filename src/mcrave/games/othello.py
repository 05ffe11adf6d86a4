"""Othello (Reversi): a disc turns over the opponent's discs between it and another of one's own.

A move puts a disc on an empty cell and must turn at least one disc over: all straight and diagonal lines of
the opponent's discs, without gaps, between the new disc and the next own one. Who cannot do that must pass;
when neither can, the game is over, and more discs win. Black (X) moves first from two discs each, crosswise
in the centre. Rules as in OpenSpiel's `othello`; cell a1 is at the top left.

Boards have an even number of rows and columns, 4 to 8.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from mcrave.errors import SpecError
from mcrave.games._chessboard import CELLS, INNER, STRIDE, bit, cell_name, check_size, on_board, pack, unpack
from mcrave.games._grid import Grid, read_turn, turn_line
from mcrave.games.base import Game
from mcrave.kernel import bits, jit, record
from mcrave.kernel.bits import WORD
from mcrave.kernel.rng import below

PASS = CELLS


class Othello(Game, name="othello"):
    """More discs win on a board of `rows` × `cols`."""

    symbols: ClassVar[str] = "XO"
    size: int = 8
    rows: int = 0
    cols: int = 0

    def validate(self) -> None:
        """Even sizes, 4 to 8: the centre has four cells, and a board fits into one word."""
        check_size(self, 4)
        if self.rows % 2 or self.cols % 2:
            raise SpecError(f"othello boards have even sizes, not {self.rows}x{self.cols}")

    def state_type(self):
        """Discs by player; where the player to move may put one; who moves; whether the game is over."""
        return record(discs=(np.uint64, 2), targets=np.uint64, turn=np.int8, over=np.int8)

    def max_moves(self):
        """A move is a cell, or a pass if there is no other."""
        return self.rows * self.cols

    def codes(self):
        """Cells are numbered 8·row + col on all boards; then comes the pass."""
        return PASS + 1

    def points(self):
        """All cells."""
        grid = self._grid()
        cells = [STRIDE * row + col for row in range(self.rows) for col in range(self.cols)]
        return {cell: cell_name(grid, cell) for cell in cells}

    def max_plies(self):
        """After a pass a disc must follow."""
        return 2 * self.rows * self.cols

    def setup(self, state):
        """Two discs each in the centre."""
        corner = STRIDE * (self.rows // 2 - 1) + self.cols // 2 - 1
        state.discs[0] = bit(corner + 1) | bit(corner + STRIDE)
        state.discs[1] = bit(corner) | bit(corner + STRIDE + 1)
        look(self, state)

    def legal(rules, state, out):
        """Every cell where a disc turns others, or else the pass."""
        targets = state.targets
        if targets == 0:
            out[0] = PASS
            return 1
        n = 0
        while targets != 0:
            out[n] = bits.lowest(targets)
            targets &= targets - bits.ONE
            n += 1
        return n

    def play(rules, state, move):
        """Put a disc, turn the captured ones over, and see what the opponent can do."""
        me = np.int64(state.turn)
        if move != PASS:
            turned = captured(state.discs[me], state.discs[1 - me], bit(move))
            state.discs[me] |= turned | bit(move)
            state.discs[1 - me] ^= turned
        state.turn = 1 - me
        look(rules, state)

    def is_over(rules, state):
        """Neither player can put a disc."""
        return state.over != 0

    def to_move(rules, state):
        """The players alternate, passes included."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """1 for more discs."""
        margin = bits.popcount(state.discs[player]) - bits.popcount(state.discs[1 - player])
        return 0.5 if margin == 0 else 1.0 if margin > 0 else 0.0

    def hash(rules, state):
        """Discs and turn."""
        return bits.combine(bits.combine(WORD(state.turn), state.discs[0]), state.discs[1])

    def random_move(rules, state, rng, out):
        """One of the cells, or the pass."""
        targets = state.targets
        if targets == 0:
            return np.int64(PASS)
        return bits.nth(targets, below(rng, bits.popcount(targets)))

    def estimate(rules, state, player):
        """The share of the discs."""
        mine, theirs = bits.popcount(state.discs[player]), bits.popcount(state.discs[1 - player])
        return mine / (mine + theirs)

    def predicates(rules):
        """A disc of either player on each cell."""
        return 2 * CELLS

    def add_owners(rules, state, played, owned):
        """The discs."""
        for row in range(rules.rows):
            for col in range(rules.cols):
                cell = STRIDE * row + col
                owner = 2
                if state.discs[0] & bit(cell):
                    owner = 0
                elif state.discs[1] & bit(cell):
                    owner = 1
                owned[owner, cell] += 1.0

    def predicate(rules, state, i):
        """Whether the disc is there."""
        return state.discs[i & 1] & bit(i >> 1) != 0

    def change(rules, state, move, i):
        """The disc put; then for each disc turned over, mine and theirs."""
        me = np.int64(state.turn)
        if move == PASS:
            return np.int64(-1)
        if i == 0:
            return 2 * (2 * move + me)
        turned = captured(state.discs[me], state.discs[1 - me], bit(move))
        if i > 2 * bits.popcount(turned):
            return np.int64(-1)
        cell = bits.nth(turned, (i - 1) // 2)
        return 2 * (2 * cell + me) if i % 2 == 1 else 2 * (2 * cell + 1 - me) + 1

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, ".XO", top_down=True)

    def move_name(self, state: Any, move: int) -> str:
        """The cell, as in d3, or pass."""
        return "pass" if move == PASS else cell_name(self._grid(), move)

    def render(self, state: Any) -> str:
        """Board and turn."""
        grid = self._grid()
        return grid.draw(unpack(grid, *state.discs), turn_line(self.symbols, state.turn))

    def read(self, text: str, state: Any) -> None:
        """Board and turn; everything else follows."""
        grid = self._grid()
        cells, footer = grid.read(text)
        state.turn, _ = read_turn(self.symbols, footer)
        state.discs[:] = pack(grid, cells, 1), pack(grid, cells, 2)
        look(self, state)


@jit
def look(rules, state):
    """Find where the player to move may put a disc, and whether the game is over."""
    mine, theirs = state.discs[state.turn], state.discs[1 - state.turn]
    free = on_board(rules) & ~(mine | theirs)
    state.targets = free & reached(mine, theirs)
    state.over = int(state.targets == 0 and free & reached(theirs, mine) == 0)


@jit
def reached(mine, theirs):
    """The cells just behind an unbroken line of their discs that starts next to one of mine."""
    inner = theirs & INNER  # a line that goes on sideways cannot pass through the first or last column
    return (
        (rise(mine, inner, WORD(1)) << WORD(1))
        | (fall(mine, inner, WORD(1)) >> WORD(1))
        | (rise(mine, inner, WORD(7)) << WORD(7))
        | (fall(mine, inner, WORD(7)) >> WORD(7))
        | (rise(mine, inner, WORD(9)) << WORD(9))
        | (fall(mine, inner, WORD(9)) >> WORD(9))
        | (rise(mine, theirs, WORD(8)) << WORD(8))
        | (fall(mine, theirs, WORD(8)) >> WORD(8))
    )


@jit
def captured(mine, theirs, disc):
    """Their discs that a new disc turns over."""
    inner = theirs & INNER
    return (
        closed(mine, inner, disc, WORD(1))
        | closed(mine, inner, disc, WORD(7))
        | closed(mine, inner, disc, WORD(9))
        | closed(mine, theirs, disc, WORD(8))
    )


@jit
def closed(mine, theirs, disc, by):
    """Their discs on one line through the new disc that stand between it and one of mine."""
    up, down = rise(disc, theirs, by), fall(disc, theirs, by)
    turned = WORD(0)
    if (up << by) & mine != 0:
        turned |= up
    if (down >> by) & mine != 0:
        turned |= down
    return turned


@jit
def rise(start, through, by):
    """The cells of `through` in unbroken lines from the start, towards higher bits; six are the longest."""
    line = through & (start << by)
    line |= through & (line << by)
    pairs = through & (through << by)
    line |= pairs & (line << (by + by))
    line |= pairs & (line << (by + by))
    return line


@jit
def fall(start, through, by):
    """The same towards lower bits."""
    line = through & (start >> by)
    line |= through & (line >> by)
    pairs = through & (through >> by)
    line |= pairs & (line >> (by + by))
    line |= pairs & (line >> (by + by))
    return line
