"""Go, with area scoring (Chinese, Tromp–Taylor without suicide).

Players alternate putting a stone on an empty point or passing; enemy chains without a liberty are removed;
a move that leaves its own chain without one is illegal; two passes in a row end the game. A player's score is
the stones on the board plus the empty points that reach only that colour; White adds komi.

Repetition: inside playouts and the search tree the simple ko rule holds (a single stone that just took a single
stone must not be taken back at once). In real games (`Position`) no move may bring back an earlier whole-board
position (`positional` superko), or one with the same player to move (`situational`), or just the simple
ko rule holds (`simple`). Passing is always allowed. Dead stones are not removed at the end: capture
them first.

With `pass_last` nobody fills an own eye, and nobody passes who has another move: so the game is played to its end, and
nobody has to judge which stones are dead.

Handicap stones stand on the usual points, and White moves first. See https://tromp.github.io/go.html for the rules.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from mcrave.errors import DiagramError, SpecError
from mcrave.games import _stones as stones
from mcrave.games._grid import GO_LETTERS, Grid, read_turn, turn_line
from mcrave.games._stones import EMPTY, PASS
from mcrave.games.base import Game
from mcrave.kernel import bits, jit
from mcrave.kernel.rng import below

POSITIONAL, SITUATIONAL = 0, 1
KO_NOTE, PASS_NOTE = r"ko at (\w+)", r"(\d) pass(?:es)?"


class Go(Game, name="go"):
    """Go on 1×1 to 25×25 points."""

    symbols: ClassVar[str] = "XO"
    look: ClassVar[str] = "lines"
    most_passes: ClassVar[int] = 2
    size: int = 9
    rows: int = 0
    cols: int = 0
    komi: float = 7.5
    superko: Literal["positional", "situational", "simple"] = "positional"
    handicap: int = 0
    pass_last: bool = False

    def validate(self) -> None:
        """Sizes, and handicaps that the board has room for."""
        check_size(self)
        if abs(self.komi) > 1000:
            raise SpecError(f"go needs a komi from -1000 to 1000, not {self.komi}")
        if self.handicap not in (0, *range(2, len(handicap_points(self.rows, self.cols)) + 1)):
            most = len(handicap_points(self.rows, self.cols))
            allowed = f"0 or 2 to {most}" if most >= 2 else "0"
            raise SpecError(f"go needs handicap to be {allowed} on {self.rows}x{self.cols}, not {self.handicap}")

    def state_type(self) -> np.dtype[Any]:
        """The board, how many passes stand in a row, and the last two moves, which are no part of the rules."""
        return stones.stone_record(self.rows, self.cols, passes=np.uint8, last=np.uint16, before=np.uint16)

    def max_moves(self) -> int:
        """Every point, and pass."""
        return self.rows * self.cols + 1

    def codes(self) -> int:
        """Move numbers are points of the bordered board."""
        return (self.rows + 1) * (self.cols + 1)

    def points(self) -> dict[int, str]:
        """All of the board, row by row from the top."""
        grid, width = self._grid(), self.cols + 1
        places = [width * (row + 1) + col + 1 for row in range(self.rows) for col in range(self.cols)]
        return {place: stones.point_name(grid, place) for place in places}

    def max_plies(self) -> int:
        """Where playouts are cut off: three times the board, as is usual."""
        return 3 * self.rows * self.cols + 2

    def setup(self, state: Any) -> None:
        """An empty board, or the handicap stones with White to move."""
        stones.clear(state, self.rows, self.cols)
        for row, col in handicap_points(self.rows, self.cols, self.handicap):
            stones.put(state, np.uintp((row + 1) * (self.cols + 1) + col + 1), 1)
            state.turn = 1

    def legal(rules, state, out):
        """Points row by row from the top, then pass; with `pass_last` no own eyes, and pass alone."""
        me = state.turn + np.int64(1)
        if rules.pass_last:
            return playable_points(state, me, out)
        n = legal_points(state, me, out)
        out[n] = PASS
        return n + 1

    def last_resort(rules):
        """Pass, where it is not listed beside the others."""
        return PASS if rules.pass_last else -1

    def play(rules, state, move):
        """Put a stone, or pass."""
        play_or_pass(state, move, state.turn + np.int64(1))
        state.turn = 1 - state.turn

    def is_over(rules, state):
        """Two passes in a row."""
        return state.passes >= 2

    def to_move(rules, state):
        """0 is Black."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """1 for the larger area; equal areas, possible with an integer komi, are a draw."""
        margin = stones.area(state, 1) - stones.area(state, 2) - rules.komi
        if margin == 0.0:
            return 0.5
        return 1.0 if (margin > 0.0) == (player == 0) else 0.0

    def hash(rules, state):
        """Stones, turn, ko and passes."""
        key = bits.combine(stones.board_hash(state), np.int64(state.ko) * 2 + state.turn)
        return bits.combine(key, state.passes)

    def situation(rules, state):
        """What superko forbids to come again."""
        key = stones.board_hash(state)
        if rules.superko == SITUATIONAL:
            key = bits.combine(key, state.turn)
        elif rules.superko != POSITIONAL:
            return np.uint64(0)
        return key | np.uint64(1)

    def next_situation(rules, state, now, move):
        """One stone more, if it captures nothing and the player to move is not looked at."""
        me = state.turn + np.int64(1)
        if rules.superko != POSITIONAL or move == PASS or stones.captures(state, np.uintp(move), me):
            return np.uint64(0)
        return (now ^ bits.placed(move, me)) | np.uint64(1)

    def may_repeat(rules, move):
        """Passing is always allowed."""
        return move == PASS

    def random_move(rules, state, rng, out):
        """A random legal point that does not fill an own eye; pass if there is none."""
        return np.int64(random_point(state, state.turn + np.int64(1), rng))

    def random_playout(rules, state, rng, out, plies):
        """Random moves until both players have none left but eyes."""
        me = state.turn + np.int64(1)
        n = 0
        while n < plies and state.passes < 2:
            play_or_pass(state, random_point(state, me, rng), me)
            me = 3 - me
            n += 1
        state.turn = me - 1
        return n

    def recorded_playout(rules, state, rng, out, ply, last, who, codes):
        """The same with a record of it."""
        me = state.turn + np.int64(1)
        while ply < last and state.passes < 2:
            move = random_point(state, me, rng)
            who[ply] = me - 1
            codes[ply] = move
            play_or_pass(state, move, me)
            me = 3 - me
            ply += 1
        state.turn = me - 1
        return ply

    def candidates(rules, state, out):
        """Legal points that do not fill an own eye; pass if there is none."""
        me = state.turn + np.int64(1)
        n = 0
        for i in range(state.n_empty):
            p = np.uintp(state.empty[i])
            if is_playable(state, p, me):
                out[n] = p
                n += 1
        if n == 0:
            out[0] = PASS
            return 1
        return n

    def add_owners(rules, state, played, owned):
        """By area. A game that ends by passes in the tree still has its dead stones on the board: it is left out."""
        if played > 0:
            stones.add_owners(state, owned)

    def estimate(rules, state, player):
        """By the area so far, linear in the margin."""
        margin = (stones.area(state, 1) - stones.area(state, 2) - rules.komi) / (rules.rows * rules.cols)
        return 0.5 + 0.5 * min(max(margin if player == 0 else -margin, -1.0), 1.0)

    def predicates(rules):
        """A stone of either colour on each point."""
        return 2 * (rules.rows + 1) * (rules.cols + 1)

    def predicate(rules, state, i):
        """Whether the stone stands there."""
        return state.color[i >> 1] == (i & 1) + 1

    def change(rules, state, move, i):
        """The stone put; those that it captures are not looked for."""
        if i > 0 or move == PASS:
            return np.int64(-1)
        return 2 * (2 * move + np.int64(state.turn))

    def move_name(self, state: Any, move: int) -> str:
        """The point, as in E5, or pass."""
        return stones.point_name(self._grid(), move)

    def render(self, state: Any) -> str:
        """Stones, turn, ko, passes."""
        grid = self._grid()
        ko = f"ko at {stones.point_name(grid, int(state.ko))}" if state.ko else ""
        return grid.draw(stones.cells_of(grid, state), turn_line(self.symbols, state.turn, ko, passes_note(state)))

    def read(self, text: str, state: Any) -> None:
        """Stones, turn, ko, passes."""
        grid = self._grid()
        cells, footer = grid.read(text)
        turn, notes = read_turn(self.symbols, footer, [KO_NOTE, PASS_NOTE])
        stones.set_cells(grid, cells, state)
        state.turn = turn
        state.passes = read_passes(notes, self.most_passes)
        if KO_NOTE in notes:
            state.ko = read_point(grid, notes[KO_NOTE], state)

    def score(self, state: Any) -> float:
        """Black's area minus White's, minus komi."""
        return float(stones.area(state, 1) - stones.area(state, 2)) - self.komi

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, "." + self.symbols, GO_LETTERS)


def check_size(game: Any) -> None:
    """Boards from 1×1 to 25×25."""
    if max(game.rows, game.cols) > stones.LARGEST:
        raise SpecError(f"{game.name} boards go up to 25x25, not {game.rows}x{game.cols}")


def handicap_points(rows: int, cols: int, count: int = 9) -> list[tuple[int, int]]:
    """The usual handicap points in GTP's order, as (row, column) from the top; none below 7 × 7.

    >>> handicap_points(9, 9, 2)
    [(6, 2), (2, 6)]
    """
    if min(rows, cols) < 7:
        return []
    edge = [3 if n >= 13 else 2 for n in (rows, cols)]
    top, bottom, middle = edge[0], rows - 1 - edge[0], rows // 2
    left, right, centre = edge[1], cols - 1 - edge[1], cols // 2
    corners = [(bottom, left), (top, right), (top, left), (bottom, right)]
    if rows % 2 == 0 or cols % 2 == 0 or min(rows, cols) == 7:
        return corners[:count]
    sides = [(middle, left), (middle, right), (bottom, centre), (top, centre)]
    chosen = corners[: min(count, 4)] + (sides[:2] if count >= 6 else []) + (sides[2:] if count >= 8 else [])
    return [*chosen, (middle, centre)] if count in (5, 7, 9) else chosen


def passes_note(state: Any) -> str:
    """How many passes stand in a row."""
    return f"{state.passes} pass{'es' if state.passes > 1 else ''}" if state.passes else ""


def read_passes(notes: dict[str, str], most: int) -> int:
    """The number of passes that a diagram notes."""
    passes = int(notes.get(PASS_NOTE, 0))
    if passes > most:
        raise DiagramError(f"at most {most} passes can stand in a row, not {passes}")
    return passes


def read_point(grid: Grid, name: str, state: Any) -> int:
    """The empty point with this name."""
    for row in range(grid.rows):
        for col in range(grid.cols):
            p = (row + 1) * (grid.cols + 1) + col + 1
            if grid.cell_name(row, col) == name and state.color[p] == EMPTY:
                return p
    raise DiagramError(f"ko cannot be at {name}: it is not an empty point of this board")


@jit
def legal_points(state, me, out):
    """Write the points where a stone may be put, by simple ko and without suicide; return how many."""
    n = 0
    for p in range(state.color.shape[0]):
        if state.color[p] == EMPTY and p != state.ko and not stones.is_suicide(state, np.uintp(p), me):
            out[n] = p
            n += 1
    return n


@jit
def playable_points(state, me, out):
    """Write the points that are legal and no own eye, or pass if there is none; return how many."""
    n = 0
    for p in range(state.color.shape[0]):
        if state.color[p] == EMPTY and is_playable(state, np.uintp(p), me):
            out[n] = p
            n += 1
    if n == 0:
        out[0] = PASS
        return 1
    return n


@jit
def play_or_pass(state, move, me):
    """Put a stone of this colour, or pass; the turn is the caller's business."""
    state.before = state.last
    state.last = move
    if move == PASS:
        state.ko = 0
        state.passes += 1
    else:
        stones.put(state, np.uintp(move), me)
        state.passes = 0


@jit
def is_playable(state, p, me):
    """Whether a playout may put a stone on this empty point: it is legal and no own eye."""
    if stones.has_empty_neighbour(state, p):  # so it is neither ko nor eye nor suicide
        return True
    return p != state.ko and not stones.is_eye(state, p, me) and not stones.is_suicide(state, p, me)


@jit
def random_point(state, me, rng):
    """A random point that is legal and no own eye, or PASS."""
    n = np.int64(state.n_empty)
    while n > 0:
        i = below(rng, n)
        p = np.uintp(state.empty[i])
        if stones.has_empty_neighbour(state, p):  # so it is neither ko nor eye nor suicide
            return p
        if p != state.ko and not stones.is_eye(state, p, me) and not stones.is_suicide(state, p, me):
            return p
        n -= 1
        stones.refuse(state, i, n)
    return np.uintp(PASS)
