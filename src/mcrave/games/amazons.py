"""Amazons: move a queen, shoot an arrow; who cannot move loses.

An amazon moves like a queen in chess, over empty cells only, then shoots an arrow from its new cell, which
flies like a queen too (also over the cell that the amazon left) and blocks the cell where it lands for ever.
X stands at the bottom and moves first. Rules as in OpenSpiel's `amazons`, but a move is the whole of it:
d1-d7/g7 is from, to, and arrow.

On `rows` × `cols` the amazons stand rows/2 - 2 rows and cols/2 - 2 columns off the corners: on 10 × 10 the
usual a4 d1 g1 j4, on 8 × 8 and 6 × 6 as OpenSpiel has them; on 4 × 4 and 5 × 5 only the corners remain, with
two amazons for each player.

AMAF would need a million codes for whole moves on 10 × 10. A code is where the amazon comes to and where the
arrow lands: what that does to the board is much the same whichever amazon came.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from mcrave.errors import DiagramError, SpecError
from mcrave.games import base
from mcrave.games._grid import Grid, read_turn, turn_line
from mcrave.games.base import Game
from mcrave.kernel import bits, jit, record
from mcrave.kernel.bits import WORD
from mcrave.kernel.rng import below

EMPTY, ARROW = 0, 3  # in diagrams; 1 and 2 are the players' amazons
SIDE = 10
CELLS = SIDE * SIDE  # a square is 10·row + col on boards of all sizes; what lies outside counts as occupied
NOBODY = CELLS  # in place of an amazon's square
AMAZONS = 4  # for each player, at the most
DIRECTIONS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
BLOCKED, NOWHERE = len(DIRECTIONS), CELLS + 1  # a direction in which nothing moves, and a square beyond the edge
REACH = 35  # how many squares a queen attacks, at the most
TRIES = 200  # of drawing a move, before all are listed
CROWDED = 0.4  # with a smaller part of the board free, listing is faster than drawing


def _tables() -> tuple[Any, Any, Any, Any]:
    """What a queen attacks on the empty board, by square, direction after direction, the nearest first.

    The squares; their directions; where the next direction begins. And by direction and square, the words
    of all squares from the next one to the edge. Bytes, so that the tables fit into a GPU's constant memory.
    """
    targets = np.full((CELLS + 1, REACH), NOWHERE, np.uint8)
    directions = np.full((CELLS + 1, REACH), BLOCKED, np.uint8)
    following = np.full((CELLS + 1, REACH), REACH, np.uint8)
    rays = np.zeros((BLOCKED + 1, NOWHERE + 1, 2), np.uint64)
    rays[BLOCKED, :NOWHERE] = ~WORD(0)
    for square in range(CELLS):
        n = 0
        for direction, (down, right) in enumerate(DIRECTIONS):
            first = n
            row, col = square // SIDE + down, square % SIDE + right
            while 0 <= row < SIDE and 0 <= col < SIDE:
                target = row * SIDE + col
                targets[square, n], directions[square, n] = target, direction
                rays[direction, square, target // 64] |= WORD(1 << target % 64)
                row, col, n = row + down, col + right, n + 1
            following[square, first:n] = n
    return targets, directions, following, rays


TARGETS, DIRECTION, FOLLOWING, RAYS = _tables()


class Amazons(Game, name="amazons"):
    """The last player who can move wins, on a board of `rows` × `cols`."""

    symbols: ClassVar[str] = "XO"
    look: ClassVar[str] = "chequered"
    size: int = 10
    rows: int = 0
    cols: int = 0

    def validate(self) -> None:
        """Boards from 4 × 4 to 10 × 10."""
        if not (4 <= self.rows <= SIDE and 4 <= self.cols <= SIDE):
            raise SpecError(f"amazons boards go from 4x4 to 10x10, not {self.rows}x{self.cols}")

    def state_type(self):
        """All squares that are not free, in two words; each player's amazons in order; whose turn it is."""
        return record(taken=(np.uint64, 2), amazons=(np.uint8, (2, AMAZONS)), turn=np.int8)

    def max_moves(self):
        """Four amazons and their arrows, each with the reach of a queen on an empty board."""
        return AMAZONS * REACH * REACH

    def codes(self):
        """Pairs of cells: see above."""
        return (self.rows * self.cols) ** 2

    def max_plies(self):
        """Each move takes a cell."""
        return self.rows * self.cols

    def setup(self, state):
        """Amazons near the corners."""
        down, right = self.rows // 2 - 2, self.cols // 2 - 2
        cells = np.zeros((self.rows, self.cols), int)
        for row, col in ((0, right), (0, -1 - right), (down, 0), (down, -1)):
            cells[row, col], cells[-1 - row, col] = 2, 1
        self._place(cells.ravel().tolist(), state)

    def legal(rules, state, out):
        """Every amazon, every way, every arrow."""
        n = 0
        for i in range(AMAZONS):
            start = np.int64(state.amazons[state.turn, i])
            low, high = without(state, start)
            way = 0
            while way < REACH:
                end = np.int64(TARGETS[start, way])
                if is_taken(low, high, end):
                    way = np.int64(FOLLOWING[start, way])
                    continue
                flight = 0
                while flight < REACH:
                    arrow = np.int64(TARGETS[end, flight])
                    if is_taken(low, high, arrow):
                        flight = np.int64(FOLLOWING[end, flight])
                        continue
                    out[n] = whole_move(rules, start, end, arrow)
                    n += 1
                    flight += 1
                way += 1
        return n

    def play(rules, state, move):
        """Move the amazon, keep the amazons in order, and block the arrow's square."""
        cells = rules.rows * rules.cols
        start = square_of(rules, move // (cells * cells))
        end = square_of(rules, move // cells % cells)
        arrow = square_of(rules, move % cells)
        state.taken[0], state.taken[1] = without(state, start)
        for square in (end, arrow):
            state.taken[square // 64] |= bits.ONE << WORD(square % 64)
        mine = state.amazons[state.turn]
        i = 0
        while mine[i] != start:
            i += 1
        while i > 0 and mine[i - 1] > end:
            mine[i] = mine[i - 1]
            i -= 1
        while i < AMAZONS - 1 and mine[i + 1] < end:
            mine[i] = mine[i + 1]
            i += 1
        mine[i] = end
        state.turn = 1 - state.turn

    def is_over(rules, state):
        """All amazons of the player to move are walled in."""
        for i in range(AMAZONS):
            start = np.int64(state.amazons[state.turn, i])
            way = 0
            while way < REACH:
                if not is_taken(state.taken[0], state.taken[1], np.int64(TARGETS[start, way])):
                    return False
                way = np.int64(FOLLOWING[start, way])
        return True

    def to_move(rules, state):
        """The players alternate."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """0 for who cannot move."""
        return 0.0 if state.turn == player else 1.0

    def hash(rules, state):
        """What is taken, by whom, and the turn."""
        key = bits.combine(bits.combine(WORD(state.turn), state.taken[0]), state.taken[1])
        for player in range(2):
            for i in range(AMAZONS):
                key = bits.combine(key, state.amazons[player, i])
        return key

    def code(rules, state, move):
        """Where the amazon comes to, and where the arrow lands."""
        cells = rules.rows * rules.cols
        return move % (cells * cells)

    def predicates(rules):
        """An amazon of either player, or an arrow, on each cell."""
        return 3 * rules.rows * rules.cols

    def predicate(rules, state, i):
        """Whether it is there."""
        square, mark = square_of(rules, i // 3), i % 3
        for player in range(2):
            for amazon in range(AMAZONS):
                if state.amazons[player, amazon] == square:
                    return mark == player
        return mark == 2 and is_taken(state.taken[0], state.taken[1], square)

    def change(rules, state, move, i):
        """The amazon arrives and leaves, and the arrow lands."""
        cells, me = rules.rows * rules.cols, np.int64(state.turn)
        if i == 0:
            return 2 * (3 * (move // cells % cells) + me)
        if i == 1:
            return 2 * (3 * (move // (cells * cells)) + me) + 1
        if i == 2:
            return 2 * (3 * (move % cells) + 2)
        return np.int64(-1)

    def random_move(rules, state, rng, out):
        """Draw an amazon, a way and an arrow as if the board were empty, until nothing blocks them.

        Every whole move is one of the equally likely draws, so all are equally likely.
        """
        free = bits.popcount(~state.taken[0]) + bits.popcount(~state.taken[1])
        for _ in range(TRIES if free > CROWDED * rules.rows * rules.cols else 0):
            drawn = below(rng, AMAZONS * REACH * REACH)
            way, flight = drawn // REACH % REACH, drawn % REACH
            start = np.int64(state.amazons[state.turn, drawn // (REACH * REACH)])
            if is_blocked(state.taken[0], state.taken[1], start, way):
                continue
            end = np.int64(TARGETS[start, way])
            low, high = without(state, start)
            if not is_blocked(low, high, end, flight):
                return whole_move(rules, start, end, np.int64(TARGETS[end, flight]))
        return np.int64(out[below(rng, base.legal(rules, state, out))])

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, ".XO#")

    def move_name(self, state: Any, move: int) -> str:
        """From, to and arrow, as in d1-d7/g7."""
        grid, cells = self._grid(), self.rows * self.cols
        start, end, arrow = (
            grid.cell_name(*divmod(cell, self.cols)) for cell in (move // cells**2, move // cells % cells, move % cells)
        )
        return f"{start}-{end}/{arrow}"

    def move_aliases(self, name: str) -> Iterable[str]:
        """Also d1-d7(g7) and d1 d7 g7."""
        way, arrow = name.split("/")
        return name, f"{way}({arrow})", f"{way} {arrow}".replace("-", " ")

    def render(self, state: Any) -> str:
        """Board and turn."""
        taken = int(state.taken[0]) | int(state.taken[1]) << 64
        cells = []
        for cell in range(self.rows * self.cols):
            square = square_of(self, cell)
            owners = [player for player in (0, 1) if square in state.amazons[player]]
            cells.append(owners[0] + 1 if owners else ARROW if taken >> square & 1 else EMPTY)
        return self._grid().draw(cells, turn_line(self.symbols, state.turn))

    def read(self, text: str, state: Any) -> None:
        """Board and turn."""
        cells, footer = self._grid().read(text)
        state.turn, _ = read_turn(self.symbols, footer)
        self._place(cells, state)

    def _place(self, cells: list[int], state: Any) -> None:
        free = [square_of(self, cell) for cell, piece in enumerate(cells) if piece == EMPTY]
        word = ~sum(1 << square for square in free)
        state.taken[:] = word & bits.MASK, (word >> 64) & bits.MASK
        state.amazons[:] = NOBODY
        for player, symbol in enumerate(self.symbols):
            found = [square_of(self, cell) for cell, piece in enumerate(cells) if piece == player + 1]
            if not 1 <= len(found) <= AMAZONS:
                raise DiagramError(f"each player has 1 to {AMAZONS} amazons, but {symbol} has {len(found)}")
            state.amazons[player, : len(found)] = found


@jit
def square_of(rules, cell):
    """The square of a cell, which is numbered by the board's own columns."""
    return cell // rules.cols * SIDE + cell % rules.cols


@jit
def whole_move(rules, start, end, arrow):
    """The number of a move between these squares."""
    cells = rules.rows * rules.cols
    move = np.int64(0)
    for square in (start, end, arrow):
        move = move * cells + square // SIDE * rules.cols + square % SIDE
    return move


@jit
def without(state, square):
    """What is taken when the amazon on a square has left it."""
    low, high = state.taken[0], state.taken[1]
    if square < 64:
        return low & ~(bits.ONE << WORD(square)), high
    return low, high & ~(bits.ONE << WORD(square - 64))


@jit
def is_taken(low, high, square):
    """Whether something stands on a square, or it lies outside."""
    word = low if square < 64 else high
    return (word >> WORD(square % 64)) & bits.ONE != 0


@jit
def is_blocked(low, high, square, n):
    """Whether something stands on the way from a square to the n-th one that a queen attacks from it."""
    direction, target = np.int64(DIRECTION[square, n]), np.int64(TARGETS[square, n])
    low &= RAYS[direction, square, 0] & ~RAYS[direction, target, 0]
    high &= RAYS[direction, square, 1] & ~RAYS[direction, target, 1]
    return (low | high) != 0
