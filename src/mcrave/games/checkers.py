"""Checkers (English draughts): take all the opponent's pieces or leave them no move.

Pieces stand on the dark cells. Men move one cell diagonally forward, kings also backward; a piece jumps over
an opponent's piece next to it onto the empty cell behind and takes it. Who can jump must; a piece that can
jump again after a jump must do so. A man that reaches the last row becomes a king, which ends the turn. Who
cannot move loses; 40 moves in a row without a jump are a draw.

Rules as in OpenSpiel's `checkers`, also in that every jump is a move of its own: after a jump that another
must follow, the same player moves again with the same piece. White (w, kings W) stands at the bottom and
moves first. Moves are written a3-b4, jumps a3xc5. Each side has three rows of men; on boards of 4 to 6 rows,
where OpenSpiel leaves no room, it has as many as leave two or three rows empty.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from mcrave.errors import DiagramError
from mcrave.games._chessboard import (
    CELLS,
    NOT_EAST,
    NOT_WEST,
    STRIDE,
    bit,
    cell_name,
    cell_number,
    check_size,
    on_board,
    pack,
    row_cells,
    unpack,
)
from mcrave.games._grid import Grid, read_turn, turn_line
from mcrave.games.base import Game
from mcrave.kernel import bits, jit, record
from mcrave.kernel.bits import WORD
from mcrave.kernel.rng import below

PATIENCE = 40  # moves without a jump until the game is drawn
DIRECTIONS = 4  # up-left, up-right, down-right, down-left: White's men go in the first two, Black's in the others
SLIDE, JUMP = 0, 1
MOVES_BY_CELL = 2 * DIRECTIONS

QUIET = r"([0-9]{1,2}) moves? without a jump"
JUMPER = r"([a-h][1-8]) jumps on"


class Checkers(Game, name="checkers"):
    """English draughts, jump by jump, on a board of `rows` × `cols`."""

    symbols: ClassVar[str] = "wb"
    look: ClassVar[str] = "chequered"
    size: int = 8
    rows: int = 0
    cols: int = 0

    def validate(self) -> None:
        """Boards from 4 × 4 to 8 × 8."""
        check_size(self, 4)

    def state_type(self):
        """Men and kings by player; moves without a jump; who moves; 1 + the cell of what must jump on."""
        return record(men=(np.uint64, 2), kings=(np.uint64, 2), quiet=np.int8, turn=np.int8, jumper=np.int8)

    def max_moves(self):
        """Each piece has a move in each direction at the most."""
        return DIRECTIONS * (self.rows * self.cols // 2 + 1)

    def codes(self):
        """A move is a cell, 8·row + col on all boards, a direction, and whether it jumps."""
        return MOVES_BY_CELL * CELLS

    def max_plies(self):
        """Every 40th move takes a piece."""
        return PATIENCE * (self.rows * self.cols // 2 + 1)

    def setup(self, state):
        """Rows of men on the dark cells."""
        depth = 3 if self.rows >= 7 else (self.rows - 2) // 2
        middle = self.rows - 2 * depth
        marks = "b" * depth + "." * middle + "w" * depth
        board = [
            "".join(mark if (row + col) % 2 else "." for col in range(self.cols)) for row, mark in enumerate(marks)
        ]
        self.read("/".join(board), state)

    def legal(rules, state, out):
        """All jumps, or else all moves of one step."""
        n = 0
        kind = kind_of_move(rules, state)
        for direction in range(DIRECTIONS):
            pieces = able(rules, state, direction, kind)
            while pieces != 0:
                out[n] = bits.lowest(pieces) * MOVES_BY_CELL + 2 * direction + kind
                pieces &= pieces - bits.ONE
                n += 1
        return n

    def play(rules, state, move):
        """Move the piece, take the one jumped over, crown, and see whether another jump must follow."""
        me = np.int64(state.turn)
        direction, kind = move // 2 % DIRECTIONS, move % 2
        start = bit(move // MOVES_BY_CELL)
        end = shifted(start, direction)
        state.quiet += 1
        if kind == JUMP:
            state.men[1 - me] &= ~end
            state.kings[1 - me] &= ~end
            end = shifted(end, direction)
            state.quiet = 0
        crowned = False
        if state.kings[me] & start != 0:
            state.kings[me] ^= start | end
        else:
            state.men[me] ^= start
            crowned = end & last_row(rules, me) != 0
            if crowned:
                state.kings[me] |= end
            else:
                state.men[me] |= end
        state.jumper = 0
        if kind == JUMP and not crowned:
            state.jumper = bits.lowest(end) + 1
            if count(rules, state, JUMP) > 0:
                return
            state.jumper = 0
        state.turn = 1 - me

    def is_over(rules, state):
        """No move, or too many without a jump."""
        return state.quiet >= PATIENCE or count(rules, state, kind_of_move(rules, state)) == 0

    def to_move(rules, state):
        """The players alternate, but a piece jumps as long as it can."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """0 for who cannot move."""
        if state.quiet >= PATIENCE:
            return 0.5
        return 0.0 if state.turn == player else 1.0

    def hash(rules, state):
        """Pieces, turn, the piece that must jump on, and the moves without a jump."""
        key = bits.combine(WORD(state.turn), state.jumper)
        key = bits.combine(key, state.quiet)
        for player in range(2):
            key = bits.combine(bits.combine(key, state.men[player]), state.kings[player])
        return key

    def random_move(rules, state, rng, out):
        """Count the moves, and find the one drawn."""
        kind = kind_of_move(rules, state)
        left = below(rng, count(rules, state, kind))
        for direction in range(DIRECTIONS):
            pieces = able(rules, state, direction, kind)
            here = bits.popcount(pieces)
            if left < here:
                return bits.nth(pieces, left) * MOVES_BY_CELL + 2 * direction + kind
            left -= here
        return np.int64(-1)

    def predicates(rules):
        """A man or a king of either player on each cell: 4 · cell + 2 · (king) + player."""
        return 4 * CELLS

    def predicate(rules, state, i):
        """Whether the piece is there."""
        words = state.kings if i & 2 else state.men
        return words[i & 1] & bit(i >> 2) != 0

    def change(rules, state, move, i):
        """The piece arrives, maybe crowned, and leaves; the one jumped over is taken."""
        me = np.int64(state.turn)
        start, direction, kind = bit(move // MOVES_BY_CELL), move // 2 % DIRECTIONS, move % 2
        next_ = shifted(start, direction)
        end = shifted(next_, direction) if kind == JUMP else next_
        was_king = state.kings[me] & start != 0
        if i == 0:
            is_king = was_king or end & last_row(rules, me) != 0
            return 2 * (4 * bits.lowest(end) + 2 * np.int64(is_king) + me)
        if i == 1:
            return 2 * (4 * bits.lowest(start) + 2 * np.int64(was_king) + me) + 1
        if i == 2 and kind == JUMP:
            took_king = state.kings[1 - me] & next_ != 0
            return 2 * (4 * bits.lowest(next_) + 2 * np.int64(took_king) + 1 - me) + 1
        return np.int64(-1)

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, ".wbWB")

    def move_name(self, state: Any, move: int) -> str:
        """From and to, as in a3-b4, or a3xc5 for a jump."""
        cell, direction, kind = move // MOVES_BY_CELL, move // 2 % DIRECTIONS, move % 2
        reach = kind + 1
        row = cell // STRIDE + (reach if direction >= 2 else -reach)
        col = cell % STRIDE + (reach if direction in (1, 2) else -reach)
        return cell_name(self._grid(), cell) + "-x"[kind] + self._grid().cell_name(row, col)

    def move_aliases(self, name: str) -> Iterable[str]:
        """The sign between from and to may be left out, or be a - for jumps too."""
        return name, name.replace("x", "-"), name.replace("x", "").replace("-", "")

    def render(self, state: Any) -> str:
        """Board, turn, moves without a jump, and the piece that must jump on."""
        grid, quiet = self._grid(), int(state.quiet)
        notes = (
            f"{quiet} move{'s'[: quiet > 1]} without a jump" if quiet else "",
            f"{cell_name(grid, int(state.jumper) - 1)} jumps on" if state.jumper else "",
        )
        return grid.draw(unpack(grid, *state.men, *state.kings), turn_line(self.symbols, state.turn, *notes))

    def read(self, text: str, state: Any) -> None:
        """Board, turn and notes."""
        grid = self._grid()
        cells, footer = grid.read(text)
        state.turn, notes = read_turn(self.symbols, footer, (QUIET, JUMPER))
        state.men[:] = pack(grid, cells, 1), pack(grid, cells, 2)
        state.kings[:] = pack(grid, cells, 3), pack(grid, cells, 4)
        self._check_pieces(grid, cells)
        state.quiet = int(notes.get(QUIET, 0))
        if state.quiet > PATIENCE:
            raise DiagramError(f"the game ends after {PATIENCE} moves without a jump, not {state.quiet}")
        if JUMPER in notes:
            name = notes[JUMPER]
            state.jumper = cell_number(grid, name) + 1
            if state.jumper == 0 or state.quiet or count(self, state, JUMP) == 0:
                raise DiagramError(f"no piece on {name} can jump on in this diagram")

    def _check_pieces(self, grid: Grid, cells: list[int]) -> None:
        for i, value in enumerate(cells):
            row, col = divmod(i, self.cols)
            if value and (row + col) % 2 == 0:
                raise DiagramError(f"a piece stands on the light cell {grid.cell_name(row, col)}")
            if (value, row) in ((1, 0), (2, self.rows - 1)):
                raise DiagramError(f"the man on {grid.cell_name(row, col)} must be a king: it is on its last row")


@jit
def shifted(word, direction):
    """Every cell of a word, one step on; what leaves the board at the side vanishes."""
    if direction == 0:
        return (word & NOT_WEST) >> WORD(9)
    if direction == 1:
        return (word & NOT_EAST) >> WORD(7)
    if direction == 2:
        return (word & NOT_EAST) << WORD(9)
    return (word & NOT_WEST) << WORD(7)


@jit
def last_row(rules, player):
    """Where the men of a player become kings."""
    return row_cells(rules, 0 if player == 0 else rules.rows - 1)


@jit
def able(rules, state, direction, kind):
    """The pieces of the player to move that can step, or jump, in a direction."""
    me = np.int64(state.turn)
    theirs = state.men[1 - me] | state.kings[1 - me]
    pieces = state.kings[me]
    if direction // 2 == me:
        pieces |= state.men[me]
    back = (direction + 2) % DIRECTIONS
    before = shifted(on_board(rules) & ~(state.men[me] | state.kings[me] | theirs), back)
    if kind == JUMP:
        before = shifted(before & theirs, back)
        if state.jumper != 0:
            pieces &= bit(np.int64(state.jumper) - 1)
    return pieces & before


@jit
def count(rules, state, kind):
    """How many moves of a kind there are."""
    n = np.int64(0)
    for direction in range(DIRECTIONS):
        n += bits.popcount(able(rules, state, direction, kind))
    return n


@jit
def kind_of_move(rules, state):
    """Jumping is mandatory."""
    return JUMP if count(rules, state, JUMP) > 0 else SLIDE
