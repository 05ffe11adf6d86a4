"""Lines of Action: bring all your pieces together into one group.

A piece moves in any of the eight directions, exactly as many cells as there are pieces of both colours on
the whole line it moves along. It may jump over its own pieces, not over the opponent's, and captures an
opponent's piece that it lands on. Who has all pieces in one group, diagonals included, wins; if a move joins
both players' pieces, the player who made it wins. Black (X) stands at the top and bottom and moves first.

Rules as in OpenSpiel's `lines_of_action` (Winands's MSO rules): who cannot move loses, and the game is drawn
as soon as a board comes again, whoever is to move, and after 1,000 moves. A board cannot come again after a
capture, so the state keeps the moves since the last one; they and the number of moves belong to the position.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from mcrave.errors import DiagramError
from mcrave.games import base
from mcrave.games._cells import moved
from mcrave.games._chessboard import (
    CELLS,
    NONE,
    NOT_EAST,
    NOT_WEST,
    STRIDE,
    bit,
    cell_name,
    cell_number,
    check_size,
    pack,
    unpack,
)
from mcrave.games._grid import Grid, read_turn, turn_line
from mcrave.games.base import Game
from mcrave.kernel import bits, jit, record
from mcrave.kernel.bits import WORD
from mcrave.kernel.rng import below

LIMIT = 1000  # moves until the game is drawn
RUNNING, DRAWN = 0, 3  # 1 and 2: won by that player
DOWN = np.array([-1, -1, 0, 1, 1, 1, 0, -1])
RIGHT = np.array([0, 1, 1, 1, 0, -1, -1, -1])
DIRECTIONS = 8
TRIES = 40  # of drawing a piece and a direction, before all moves are listed

PLAYED = r"after ([0-9]{1,4}) moves?"
QUIET = r"since the last capture ([a-h1-8 -]+)"


def _rays() -> Any:
    """By direction and cell: the cells from there to the edge of the 8 × 8 board."""
    rays = np.zeros((DIRECTIONS, CELLS), np.uint64)
    for direction in range(DIRECTIONS):
        for cell in range(CELLS):
            row, col = cell // STRIDE + DOWN[direction], cell % STRIDE + RIGHT[direction]
            while 0 <= row < STRIDE and 0 <= col < STRIDE:
                rays[direction, cell] |= WORD(1 << int(row * STRIDE + col))
                row, col = row + DOWN[direction], col + RIGHT[direction]
    return rays


RAYS = _rays()
LINES = RAYS[:4] | RAYS[4:] | (WORD(1) << np.arange(CELLS, dtype=np.uint64))


class LinesOfAction(Game, name="lines_of_action"):
    """One group of all own pieces wins on a board of `rows` × `cols`."""

    symbols: ClassVar[str] = "XO"
    look: ClassVar[str] = "chequered"
    size: int = 8
    rows: int = 0
    cols: int = 0

    def validate(self) -> None:
        """Boards from 4 × 4 to 8 × 8."""
        check_size(self, 4)

    def state_type(self):
        """Pieces by player; the moves since the last capture, `quiet` of them; moves in all; turn; result."""
        return record(
            pieces=(np.uint64, 2),
            path=(np.uint16, LIMIT),
            quiet=np.int16,
            plies=np.int16,
            turn=np.int8,
            result=np.int8,
        )

    def max_moves(self):
        """One move for each piece and direction at the most."""
        return DIRECTIONS * self.rows * self.cols

    def codes(self):
        """A move is 64·from + to, with cells 8·row + col on all boards."""
        return CELLS * CELLS

    def max_plies(self):
        """The game is drawn then."""
        return LIMIT

    def setup(self, state):
        """Black at the top and bottom, White at the sides, corners empty."""
        end, side = "X" * (self.cols - 2), "." * (self.cols - 2)
        self.read("/".join([f".{end}.", *[f"O{side}O"] * (self.rows - 2), f".{end}."]), state)

    def legal(rules, state, out):
        """Every own piece in every direction in which its line lets it."""
        mine, theirs = state.pieces[state.turn], state.pieces[1 - state.turn]
        n = 0
        left = mine
        while left != 0:
            start = bits.lowest(left)
            left &= left - bits.ONE
            for direction in range(DIRECTIONS):
                end = landing(rules, mine, theirs, start, direction)
                if end >= 0:
                    out[n] = start * CELLS + end
                    n += 1
        return n

    def play(rules, state, move):
        """Move the piece, capture, and see whether that ends the game."""
        me = np.int64(state.turn)
        start, end = bit(move // CELLS), bit(move % CELLS)
        state.pieces[me] ^= start | end
        capture = state.pieces[1 - me] & end != 0
        if capture:
            state.pieces[1 - me] ^= end
            state.quiet = 0
        else:
            state.path[state.quiet] = move
            state.quiet += 1
        state.plies += 1
        state.turn = 1 - me
        state.result = judged(rules, state, capture)

    def is_over(rules, state):
        """A group, a draw, or nothing to move."""
        return state.result != RUNNING

    def to_move(rules, state):
        """The players alternate."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """1 for the winner."""
        if state.result == RUNNING or state.result == DRAWN:
            return 0.5
        return 1.0 if state.result == player + 1 else 0.0

    def hash(rules, state):
        """Pieces, turn, the number of moves, and those since the last capture."""
        key = bits.combine(bits.combine(WORD(state.turn), state.pieces[0]), state.pieces[1])
        key = bits.combine(key, state.plies)
        for i in range(state.quiet):
            key = bits.combine(key, state.path[i])
        return key

    def random_move(rules, state, rng, out):
        """Draw a piece and a direction until they make a move: then every move is equally likely."""
        mine, theirs = state.pieces[state.turn], state.pieces[1 - state.turn]
        pairs = DIRECTIONS * bits.popcount(mine)
        for _ in range(TRIES):
            pair = below(rng, pairs)
            start = bits.nth(mine, pair // DIRECTIONS)
            end = landing(rules, mine, theirs, start, pair % DIRECTIONS)
            if end >= 0:
                return start * CELLS + end
        return np.int64(out[below(rng, base.legal(rules, state, out))])

    def predicates(rules):
        """A piece of either player on each cell."""
        return 2 * CELLS

    def predicate(rules, state, i):
        """Whether the piece is there."""
        return state.pieces[i & 1] & bit(i >> 1) != 0

    def change(rules, state, move, i):
        """A piece moves, and may capture."""
        me, end = np.int64(state.turn), move % CELLS
        return moved(me, move // CELLS, end, state.pieces[1 - me] & bit(end) != 0, i)

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, ".XO")

    def _name(self, move: int, sign: str) -> str:
        grid = self._grid()
        return cell_name(grid, move // CELLS) + sign + cell_name(grid, move % CELLS)

    def move_name(self, state: Any, move: int) -> str:
        """From and to, as in b1-b3, or b1xb3 for a capture."""
        captures = int(state.pieces[1 - state.turn]) >> (move % CELLS) & 1
        return self._name(move, "x" if captures else "-")

    def move_aliases(self, name: str) -> Iterable[str]:
        """The sign between from and to may be left out, or be a - for captures too."""
        return name, name.replace("x", "-"), name.replace("x", "").replace("-", "")

    def render(self, state: Any) -> str:
        """Board, turn, how many moves were made, and those since the last capture."""
        grid, plies = self._grid(), int(state.plies)
        moves = " ".join(self._name(int(move), "-") for move in state.path[: state.quiet])
        notes = (
            f"after {plies} move{'s'[: plies > 1]}" if plies else "",
            f"since the last capture {moves}" if moves else "",
        )
        return grid.draw(unpack(grid, *state.pieces), turn_line(self.symbols, state.turn, *notes))

    def read(self, text: str, state: Any) -> None:
        """Board, turn and moves; the result follows."""
        grid = self._grid()
        cells, footer = grid.read(text)
        state.turn, notes = read_turn(self.symbols, footer, (PLAYED, QUIET))
        state.pieces[:] = pack(grid, cells, 1), pack(grid, cells, 2)
        if not state.pieces.all():
            raise DiagramError("each player needs a piece: the last one cannot be captured")
        state.plies = min(int(notes.get(PLAYED, 0)), LIMIT)
        path = [self._quiet_move(name) for name in notes.get(QUIET, "").split()]
        if len(path) > state.plies:
            raise DiagramError(f"{len(path)} moves since the last capture are more than {state.plies} in all")
        state.path[: len(path)] = path
        state.quiet = len(path)
        self._check_path(state)
        state.result = judged(self, state, True)

    def _quiet_move(self, name: str) -> int:
        start, _, end = name.partition("-")
        cells = [cell_number(self._grid(), cell) for cell in (start, end)]
        if min(cells) < 0 or cells[0] == cells[1]:
            raise DiagramError(f"cannot read the move {name!r} below the diagram; write it like b1-b3")
        return cells[0] * CELLS + cells[1]

    def _check_path(self, state: Any) -> None:
        """Take the moves back, the last first: each must be possible on the board that it led to."""
        pieces = [int(word) for word in state.pieces]
        player = 1 - int(state.turn)
        for move in map(int, state.path[: state.quiet][::-1]):
            start, end = 1 << (move // CELLS), 1 << (move % CELLS)
            if not pieces[player] & end or (pieces[0] | pieces[1]) & start:
                raise DiagramError(f"the move {self._name(move, '-')} does not lead to this diagram")
            pieces[player] ^= start | end
            player = 1 - player


@jit
def landing(rules, mine, theirs, start, direction):
    """Where a piece of mine comes to when it moves in a direction, or -1 if it may not."""
    steps = bits.popcount((mine | theirs) & LINES[direction % 4, start])
    row = start // STRIDE + steps * DOWN[direction]
    col = start % STRIDE + steps * RIGHT[direction]
    if row < 0 or row >= rules.rows or col < 0 or col >= rules.cols:
        return np.int64(-1)
    end = row * STRIDE + col
    between = RAYS[direction, start] & ~(RAYS[direction, end] | bit(end))
    if mine & bit(end) != 0 or theirs & between != 0:
        return np.int64(-1)
    return np.int64(end)


@jit
def judged(rules, state, both):
    """The result after a move; the player to move may be in one group only if `both`."""
    me = np.int64(state.turn)
    if state.plies >= LIMIT or is_repeated(state):
        return DRAWN
    if is_group(state.pieces[1 - me]):
        return 2 - me
    if both and is_group(state.pieces[me]):
        return me + 1
    if not can_move(rules, state.pieces[me], state.pieces[1 - me]):
        return 2 - me
    return RUNNING


@jit
def is_repeated(state):
    """Whether taking back some of the moves since the last capture gives the same board."""
    changed, other = NONE, NONE  # by the player whose move is taken back next, and by the other
    for i in range(state.quiet - 1, -1, -1):
        move = np.int64(state.path[i])
        changed, other = other, changed ^ bit(move // CELLS) ^ bit(move % CELLS)
        if changed == 0 and other == 0:
            return True
    return False


@jit
def around(word):
    """The cells of a word and all next to them."""
    word |= ((word & NOT_EAST) << WORD(1)) | ((word & NOT_WEST) >> WORD(1))
    return word | (word << WORD(STRIDE)) | (word >> WORD(STRIDE))


@jit
def is_group(pieces):
    """Whether all pieces hang together."""
    found = bit(bits.lowest(pieces))
    while True:
        more = pieces & around(found)
        if more == found:
            return found == pieces
        found = more


@jit
def can_move(rules, mine, theirs):
    """Whether there is a legal move."""
    left = mine
    while left != 0:
        start = bits.lowest(left)
        left &= left - bits.ONE
        for direction in range(DIRECTIONS):
            if landing(rules, mine, theirs, start, direction) >= 0:
                return True
    return False
