"""Checkers of general game playing: jumps are free, and after 101 moves who has more pieces wins.

Pieces stand on the light cells, as b1. Men move one cell diagonally forward, kings also backward; a piece jumps
over an opponent's piece next to it onto the empty cell behind and takes it. Nobody has to jump. A move is one step,
or one, two or three jumps of the same piece, and who could jump on need not. A man whose move ends on the last row
becomes a king. The game ends when the player to move has no move, when a player has no pieces, or after 101
moves (`moves`); however it ends, who has more pieces wins, kings and men alike, and as many each are a draw.

Rules as in a public copy of `checkers.kif`, in the Game Description Language that general game players such as
CadiaPlayer are given their games in; its `step` of 102 is the end after 101 moves. White (w, kings W) stands at the
bottom and moves first. Moves are written b3-c4, jumps b3xd5, b3xd5xf7 and so on.

What must be empty or an opponent's is looked up on the board before the move, so a king cannot come back to where it
started. The rules also forbid it to jump straight back; both together mean that no piece is jumped twice in a move.

A move is the number of a path from cell to cell, and a king's path has another number than a man's. AMAF counts what
the rules call a move, (move wp b 3 c 4): piece and cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from mcrave.errors import DiagramError, SpecError
from mcrave.games._chessboard import CELLS, STRIDE, bit, cell_name, pack, unpack
from mcrave.games._grid import Grid, read_turn, turn_line
from mcrave.games.base import Game
from mcrave.games.checkers import DIRECTIONS, Checkers, shifted
from mcrave.kernel import bits, jit, record
from mcrave.kernel.bits import WORD

PIECES = 12  # of each player, at the most
JUMPS = 3  # in one move, at the most
LONGEST = 9999  # moves of a game, at the most
LAST_ROWS = WORD(0xFF000000000000FF)  # a man comes to one of them only, and becomes a king there
STEPS = ((-1, -1), (-1, 1), (1, 1), (1, -1))  # the directions of `checkers`: rows down, columns to the right
KING, MAN = 0, 1  # kinds of paths: of kings, of White's men, of Black's men

PLAYED = r"after ([0-9]{1,4}) moves?"

Path = tuple[int, ...]
"""The cells that a piece starts from and comes to."""


def _next(cell: int, direction: int, reach: int) -> int:
    """The cell so many steps away, or -1 beyond the edge."""
    row, col = cell // STRIDE + reach * STEPS[direction][0], cell % STRIDE + reach * STEPS[direction][1]
    return row * STRIDE + col if 0 <= row < STRIDE and 0 <= col < STRIDE else -1


def _jumps(path: Path, directions: Iterable[int]) -> Iterator[Path]:
    """The ways to jump on, each followed by its own continuations."""
    for direction in directions:
        end = _next(path[-1], direction, 2)
        if end >= 0 and end not in path:
            yield (*path, end)
            if len(path) < JUMPS:
                yield from _jumps((*path, end), directions)


def _paths() -> tuple[list[Path], Any]:
    """The paths by kind and cell, and where those of a kind and cell begin."""
    paths: list[Path] = []
    first = np.zeros((3, CELLS + 1), np.uint16)
    for kind, directions in enumerate((range(DIRECTIONS), range(2), range(2, 4))):
        for cell in range(CELLS):
            first[kind, cell] = len(paths)
            if not is_dark(cell):
                steps = [(cell, end) for d in directions if (end := _next(cell, d, 1)) >= 0]
                paths += [*steps, *_jumps((cell,), directions)]
        first[kind, CELLS] = len(paths)
    return paths, first


def is_dark(cell: int) -> bool:
    """Whether a cell is one of those that stay empty, as a1."""
    return (cell // STRIDE + cell % STRIDE) % 2 == 1


def is_jump(path: Path) -> bool:
    """Whether a path is more than a step."""
    return abs(path[1] - path[0]) > STRIDE + 1


def _tables(paths: list[Path]) -> tuple[Any, Any, Any]:
    """By path: the cells landed on and those jumped over, and the next path that does not begin with this one."""
    landings, jumped = np.zeros((2, len(paths)), np.uint64)
    beyond = np.zeros(len(paths), np.uint16)
    for i, path in enumerate(paths):
        landings[i] = sum(1 << cell for cell in path[1:])
        if is_jump(path):
            jumped[i] = sum(1 << (a + b) // 2 for a, b in pairwise(path))
        beyond[i] = i + 1
        while beyond[i] < len(paths) and paths[beyond[i]][: len(path)] == path:
            beyond[i] += 1
    return landings, jumped, beyond


PATHS, FIRST = _paths()
LANDINGS, JUMPED, BEYOND = _tables(PATHS)
STARTS, ENDS = np.array([(path[0], path[-1]) for path in PATHS], np.uint8).T.copy()
MEN = int(FIRST[MAN, 0])  # from here on, paths are those of men


class GdlCheckers(Game, name="gdl_checkers"):
    """Checkers of general game playing: no need to jump, and the pieces left decide."""

    symbols: ClassVar[str] = "wb"
    look: ClassVar[str] = "chequered"
    moves: int = 101

    def validate(self) -> None:
        """As many moves as a note below the diagram can tell."""
        if not 1 <= self.moves <= LONGEST:
            raise SpecError(f"gdl_checkers ends after 1 to {LONGEST} moves, not {self.moves}")

    def state_type(self):
        """Men and kings by player; moves made; who moves."""
        return record(men=(np.uint64, 2), kings=(np.uint64, 2), played=np.int16, turn=np.int8)

    def max_moves(self):
        """Kings on the cells with the most paths; in the direction of a jump there is no step, so that one counts."""
        by_cell = np.bincount([path[0] for path in PATHS[:MEN] if len(path) > 2 or not is_jump(path)])
        return int(np.sort(by_cell)[-PIECES:].sum())

    def codes(self):
        """A move is a path of a piece."""
        return len(PATHS)

    def max_plies(self):
        """The game ends then."""
        return self.moves

    def setup(self, state):
        """Three rows of men on the light cells."""
        self.read("b.b.b.b. / .b.b.b.b / b.b.b.b. / ........ / ........ / .w.w.w.w / w.w.w.w. / .w.w.w.w", state)

    def legal(rules, state, out):
        """The paths of all pieces: men's, then kings'."""
        me = np.int64(state.turn)
        theirs = state.men[1 - me] | state.kings[1 - me]
        empty = ~(state.men[me] | state.kings[me] | theirs)
        n = listed(state.men[me], MAN + me, theirs, empty, out, 0)
        return listed(state.kings[me], KING, theirs, empty, out, n)

    def play(rules, state, move):
        """Move the piece, take those jumped over, and crown."""
        me = np.int64(state.turn)
        start, end = bit(STARTS[move]), bit(ENDS[move])
        state.men[1 - me] &= ~JUMPED[move]
        state.kings[1 - me] &= ~JUMPED[move]
        if move < MEN:
            state.kings[me] ^= start | end
        else:
            state.men[me] ^= start
            if end & LAST_ROWS != 0:
                state.kings[me] |= end
            else:
                state.men[me] |= end
        state.played += 1
        state.turn = 1 - me

    def is_over(rules, state):
        """No moves left by the count or on the board, or no opponent."""
        me = np.int64(state.turn)
        theirs = state.men[1 - me] | state.kings[1 - me]
        return state.played >= rules.moves or theirs == 0 or not can_move(state, theirs)

    def to_move(rules, state):
        """The players alternate."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """Who has more pieces wins."""
        mine = bits.popcount(state.men[player] | state.kings[player])
        theirs = bits.popcount(state.men[1 - player] | state.kings[1 - player])
        if mine == theirs:
            return 0.5
        return 1.0 if mine > theirs else 0.0

    def hash(rules, state):
        """Pieces, turn, and the moves made, on which the end depends."""
        key = bits.combine(WORD(state.turn), state.played)
        for player in range(2):
            key = bits.combine(bits.combine(key, state.men[player]), state.kings[player])
        return key

    predicates = Checkers.predicates
    predicate = Checkers.predicate

    def change(rules, state, move, i):
        """The piece arrives, maybe crowned, and leaves; those jumped over are taken."""
        me = np.int64(state.turn)
        start, end = np.int64(STARTS[move]), np.int64(ENDS[move])
        was_king = move < MEN
        if i == 0:
            is_king = was_king or bit(end) & LAST_ROWS != 0
            return 2 * (4 * end + 2 * np.int64(is_king) + me)
        if i == 1:
            return 2 * (4 * start + 2 * np.int64(was_king) + me) + 1
        if i - 2 < bits.popcount(JUMPED[move]):
            cell = bits.nth(JUMPED[move], i - 2)
            took_king = state.kings[1 - me] & bit(cell) != 0
            return 2 * (4 * cell + 2 * np.int64(took_king) + 1 - me) + 1
        return np.int64(-1)

    def _grid(self) -> Grid:
        return Grid(STRIDE, STRIDE, ".wbWB")

    def move_name(self, state: Any, move: int) -> str:
        """From and to, as in b3-c4, or b3xd5xf7 for two jumps."""
        path = PATHS[move]
        return "-x"[is_jump(path)].join(cell_name(self._grid(), cell) for cell in path)

    def move_aliases(self, name: str) -> Iterable[str]:
        """The signs between the cells may be left out, or be a - for jumps too."""
        return name, name.replace("x", "-"), name.replace("x", "").replace("-", "")

    def render(self, state: Any) -> str:
        """Board, turn and the number of moves made."""
        grid, played = self._grid(), int(state.played)
        note = f"after {played} move{'s'[: played > 1]}" if played else ""
        return grid.draw(unpack(grid, *state.men, *state.kings), turn_line(self.symbols, state.turn, note))

    def read(self, text: str, state: Any) -> None:
        """Board, turn and the number of moves made."""
        grid = self._grid()
        cells, footer = grid.read(text)
        state.turn, notes = read_turn(self.symbols, footer, (PLAYED,))
        state.men[:] = pack(grid, cells, 1), pack(grid, cells, 2)
        state.kings[:] = pack(grid, cells, 3), pack(grid, cells, 4)
        self._check_pieces(grid, cells)
        state.played = int(notes.get(PLAYED, 0))
        if state.played > self.moves:
            raise DiagramError(f"the game ends after {self.moves} moves, not {state.played}")

    def _check_pieces(self, grid: Grid, cells: list[int]) -> None:
        for cell, value in enumerate(cells):
            if value and is_dark(cell):
                raise DiagramError(f"a piece stands on the dark cell {cell_name(grid, cell)}")
            if (value, cell // STRIDE) in ((1, 0), (2, STRIDE - 1)):
                raise DiagramError(f"the man on {cell_name(grid, cell)} must be a king: it is on its last row")
        for player, symbol in enumerate(self.symbols):
            count = cells.count(1 + player) + cells.count(3 + player)
            if count > PIECES:
                raise DiagramError(f"{symbol} has {count} pieces, and {PIECES} at the most in a game")


@jit
def listed(pieces, kind, theirs, empty, out, n):
    """Write the paths open to pieces of a kind behind the first n; return how many there are then."""
    while pieces != 0:
        cell = bits.lowest(pieces)
        path, end = np.int64(FIRST[kind, cell]), np.int64(FIRST[kind, cell + 1])
        while path < end:
            if (LANDINGS[path] & ~empty) | (JUMPED[path] & ~theirs) == 0:
                out[n] = path
                n += 1
                path += 1
            else:
                path = np.int64(BEYOND[path])
        pieces &= pieces - bits.ONE
    return n


@jit
def can_move(state, theirs):
    """Whether the player to move can step or jump."""
    me = np.int64(state.turn)
    empty = ~(state.men[me] | state.kings[me] | theirs)
    for direction in range(DIRECTIONS):
        pieces = state.kings[me]
        if direction // 2 == me:
            pieces |= state.men[me]
        next_ = shifted(pieces, direction)
        if (next_ | shifted(next_ & theirs, direction)) & empty != 0:
            return True
    return False
