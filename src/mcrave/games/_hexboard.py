"""What Hex, Y and Havannah share: stones on six-sided cells, groups that touch sides, and their diagrams.

The board is one array in rows of equal length, with places off the board around it, so that a cell's six
neighbours are six fixed distances away: clockwise -w, -w+1, +1, +w, +w-1, -1 (`w` is the state's `width`).
A move is a place in the array, counted from the first cell.

Groups are a union-find forest. `link` of a stone is its parent; `link` of a group's root is the complement of
the set of sides which the group touches. So an empty cell holds its own sides already, and joining is an `and`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, islice, pairwise
from typing import Any, NamedTuple

import numpy as np

from mcrave.errors import DiagramError
from mcrave.games._grid import LETTERS, Grid, read_turn, turn_line
from mcrave.games.base import Game, is_over, legal, play, random_move
from mcrave.kernel import bits, dispatched, entry, jit, record
from mcrave.kernel.rng import below
from mcrave.specs import lowered

EMPTY, OUTSIDE = 0, 3  # 1 and 2 are the players' stones
NOBODY, BOTH = 0, 3
NEVER, AFTER_FIRST_MOVE, NOW = 0, 1, 2  # when the second player may swap
LOOP = 1 << 12  # above all sides
WHOLE = np.uint64(0b111111)

DOWN = np.array([-1, -1, 0, 1, 1, 0])
RIGHT = np.array([0, 1, 1, 0, -1, -1])
CAPACITIES = (160, 272, 424, 704)  # few record types, so that boards of many sizes share what is compiled
GUESSES = 8


class Shape(NamedTuple):
    """The rectangle around a board: its rows, their length in the array, and the distance `w`."""

    rows: int
    stride: int
    width: int


@dispatched
def wins(rules, state, cell, reached, around):
    """Tell whether the stone just put on a cell wins; `reached` and `around` are what `connect` returned."""


@dispatched
def swapped(rules, state, cell):
    """Tell where the second player's stone stands after a swap: by default it replaces the first one."""
    return cell


@dispatched
def fill(rules, state, rng, out, plies):
    """Play at random to the end of a game that has no swap any more; return how many moves were played."""
    return draw(rules, state, rng, out, plies)


class HexGame(Game):
    """A game of connection: a stone a turn on a free cell. A subclass says where the board is and what wins."""

    def _shape(self) -> Shape:
        """How the board lies in the array."""
        raise NotImplementedError

    def _sides(self, row: int, col: int) -> int | None:
        """The set of sides that a cell touches, as bits; None off the board."""
        raise NotImplementedError

    def _grid(self) -> Grid | Rows:
        """How the board is drawn."""
        raise NotImplementedError

    def _scratch(self) -> dict[str, Any]:
        """Further fields of the state, which only kernels use."""
        return {}

    def state_type(self):
        """Stones and groups by place; the array's measures; who moves, who won, what is free, the swap."""
        shape = self._shape()
        needed = shape.rows * shape.stride + 2 * shape.width
        places = next(capacity for capacity in CAPACITIES if capacity >= needed)
        return record(
            **self._scratch(),
            cells=(np.int8, places),
            link=(np.int16, places),
            width=np.int16,
            span=np.int16,
            free=np.int16,
            turn=np.int8,
            winner=np.int8,
            offer=np.int8,
        )

    def max_moves(self):
        """The cells; a swap is offered when one of them is taken."""
        return len(board(self)[0])

    def max_plies(self):
        """A stone on every cell, and a swap."""
        return self.max_moves() + 1

    def codes(self):
        """The places, and the swap after them."""
        shape = self._shape()
        return shape.rows * shape.stride + 1

    def setup(self, state):
        """An empty board."""
        shape = self._shape()
        state.width = shape.width
        state.span = shape.rows * shape.stride
        state.cells[:] = OUTSIDE
        moves, sides = board(self)
        state.cells[shape.width + moves] = EMPTY
        state.link[shape.width + moves] = ~sides
        state.free = len(moves)
        state.offer = AFTER_FIRST_MOVE if getattr(self, "swap", False) else NEVER

    def legal(rules, state, out):
        """Every free cell, and the swap when it is offered."""
        n = 0
        for move in range(state.span):
            if state.cells[state.width + move] == EMPTY:
                out[n] = move
                n += 1
        if state.offer == NOW:
            out[n] = state.span
            n += 1
        return n

    def play(rules, state, move):
        """Put a stone, or swap."""
        cell = np.int64(state.width) + move
        if move == state.span:
            taken = only_stone(state)
            state.cells[taken] = EMPTY
            state.free += 1
            cell = swapped(rules, state, taken)
        put(rules, state, cell)

    def is_over(rules, state):
        """A win, or a full board."""
        return state.winner != NOBODY or state.free == 0

    def to_move(rules, state):
        """The players alternate."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """1 for the winner."""
        if state.winner == NOBODY:
            return 0.5
        return 1.0 if state.winner == player + 1 else 0.0

    def hash(rules, state):
        """Stones and turn; whether a swap is offered follows from them."""
        key = np.uint64(state.turn)
        for cell in range(state.width, state.width + state.span):
            stone = state.cells[cell]
            if stone != EMPTY and stone != OUTSIDE:
                key ^= bits.placed(cell, stone)
        return key

    def random_move(rules, state, rng, out):
        """Guess free cells a few times before listing them."""
        if state.offer != NOW:
            for _ in range(GUESSES):
                move = below(rng, state.span)
                if state.cells[state.width + move] == EMPTY:
                    return move
        return np.int64(out[below(rng, legal(rules, state, out))])

    def random_playout(rules, state, rng, out, plies):
        """Leave the swap behind, then fill the board until somebody wins."""
        n = 0
        while state.offer != NEVER and n < plies and not is_over(rules, state):
            play(rules, state, random_move(rules, state, rng, out))
            n += 1
        if n < plies and not is_over(rules, state):
            n += fill(rules, state, rng, out, plies - n)
        return n

    def predicate(rules, state, i):
        """Whether a player's stone is in a place: two numbers for each."""
        return state.cells[state.width + (i >> 1)] == (i & 1) + 1

    def change(rules, state, move, i):
        """The stone put; after a swap also the one that is taken away."""
        me, place = np.int64(state.turn), move
        if move == state.span:
            taken = only_stone(state)
            if i == 1:
                return 2 * (2 * (taken - np.int64(state.width)) + 1 - me) + 1
            place = swapped(rules, state, taken) - np.int64(state.width)
        return 2 * (2 * place + me) if i == 0 else np.int64(-1)

    def move_name(self, state: Any, move: int) -> str:
        """Column and row, as in a1, or swap."""
        if move == state.span:
            return "swap"
        row, col = divmod(move, self._shape().stride)
        return f"{LETTERS[col]}{row + 1}"

    def render(self, state: Any) -> str:
        """Board and turn."""
        moves, _ = board(self)
        stones = state.cells[state.width + moves].tolist()
        return self._grid().draw(stones, turn_line(self.symbols, state.turn))

    def read(self, text: str, state: Any) -> None:
        """Board and turn; the groups, the winner and the offer of a swap follow from them."""
        stones, footer = self._grid().read(text)
        turn, _ = read_turn(self.symbols, footer)
        self.setup(state)
        drawn = np.zeros(state.span, np.int8)
        drawn[board(self)[0]] = stones
        winner = put_all(lowered(self), state, drawn)
        if winner == BOTH:
            raise DiagramError("both players have won in this diagram")
        state.winner = winner
        state.turn = turn
        if state.offer != NEVER:
            offers = {(0, 0, 0): AFTER_FIRST_MOVE, (1, 0, 1): NOW}
            state.offer = offers.get((stones.count(1), stones.count(2), turn), NEVER)


@cache
def board(game: HexGame) -> tuple[Any, Any]:
    """The moves, row by row from the top, and the sides that each of them touches, as arrays."""
    shape = game._shape()
    found = {}
    for move in range(shape.rows * shape.stride):
        sides = game._sides(*divmod(move, shape.stride))
        if sides is not None:
            found[move] = sides
    return np.array(list(found)), np.array(list(found.values()))


@jit
def neighbour(state, cell, direction):
    """The place next to a cell; directions go clockwise from 0 to 5."""
    return cell + DOWN[direction] * state.width + RIGHT[direction]


@jit
def surrounding(state, cell, stone):
    """The directions in which a stone of this colour stands next to the cell, as bits."""
    width = np.int64(state.width)
    cells = state.cells
    return np.uint64(
        int(cells[cell - width] == stone)
        | int(cells[cell - width + 1] == stone) << 1
        | int(cells[cell + 1] == stone) << 2
        | int(cells[cell + width] == stone) << 3
        | int(cells[cell + width - 1] == stone) << 4
        | int(cells[cell - 1] == stone) << 5
    )


@jit
def turned(directions):
    """The directions, each one step further clockwise."""
    return (directions << np.uint64(1) | directions >> np.uint64(5)) & WHOLE


@jit
def root(state, cell):
    """The root of a stone's group; the stone is linked to it directly for the next time."""
    top = np.int64(cell)
    parent = np.int64(state.link[top])
    while parent >= 0:
        top = parent
        parent = np.int64(state.link[top])
    if top != cell:
        state.link[cell] = top
    return top


@jit
def connect(state, cell, stone):
    """Put a stone and join its group: the sides reached, with LOOP, and the directions of its neighbours.

    LOOP says that two neighbours which do not touch each other around the cell were in one group already.
    Neighbours that do touch are in one group anyway, so each run of them is joined once.
    """
    state.cells[cell] = stone
    around = surrounding(state, cell, stone)
    runs = around & ~turned(around) if around != WHOLE else np.uint64(1)
    top = np.int64(cell)
    loop = 0
    while runs != np.uint64(0):
        other = root(state, neighbour(state, cell, bits.lowest(runs)))
        if other == top:
            loop = LOOP
        elif top == cell:
            state.link[other] &= state.link[cell]
            state.link[cell] = other
            top = other
        else:
            state.link[top] &= state.link[other]
            state.link[other] = top
        runs &= runs - np.uint64(1)
    return ~np.int64(state.link[top]) | loop, around


@jit
def put(rules, state, cell):
    """Put a stone of the player to move; the turn passes."""
    player = np.int64(state.turn)
    reached, around = connect(state, cell, player + 1)
    if wins(rules, state, cell, reached, around):
        state.winner = player + 1
    state.free -= 1
    state.turn = 1 - player
    state.offer = NOW if state.offer == AFTER_FIRST_MOVE else NEVER


@jit
def draw(rules, state, rng, out, plies):
    """List the free cells once, then draw from the list, `plies` times or until somebody wins."""
    width = np.int64(state.width)
    left = legal(rules, state, out)
    n = 0
    while n < plies and left > 0 and state.winner == NOBODY:
        drawn = below(rng, left)
        left -= 1
        put(rules, state, width + out[drawn])
        out[drawn] = out[left]
        n += 1
    return n


@jit
def only_stone(state):
    """The place of the one stone on the board."""
    cell = np.int64(state.width)
    while state.cells[cell] == EMPTY or state.cells[cell] == OUTSIDE:
        cell += 1
    return cell


@entry
def put_all(rules, state, drawn):
    """Put drawn stones on an empty board; return whose win they show, if any."""
    winner = NOBODY
    for move in range(drawn.shape[0]):
        stone = np.int64(drawn[move])
        if stone != EMPTY:
            cell = np.int64(state.width) + move
            reached, around = connect(state, cell, stone)
            state.free -= 1
            if wins(rules, state, cell, reached, around):
                winner |= stone
    return winner


class Rows(NamedTuple):
    """Draws rows of different lengths, each half a cell to the side of the one above.

    Columns are lettered above the board, and where a row is longer than the one above, at the end of that one.
    """

    lengths: tuple[int, ...]
    symbols: str

    def draw(self, cells: Sequence[int], *footer: str) -> str:
        """The diagram of cells given row by row from the top, with lines below it.

        >>> print(Rows((2, 3, 2), ".XO").draw([0, 1, 0, 2, 0, 0, 0], "X to move"))
            a b
         1 . X c
        2 . O .
         3 . .
        X to move
        """
        steps = self._steps()
        indents = list(accumulate(steps[:-1], initial=0))
        indents = [indent - min(indents) for indent in indents]
        width = len(str(len(self.lengths)))
        marks = iter(self.symbols[int(value)] for value in cells)
        letters = iter(LETTERS)
        lines = [" " * (indents[0] - steps[0] + width + 1) + " ".join(islice(letters, self.lengths[0]))]
        for row, length in enumerate(self.lengths):
            shown = [f"{row + 1:>{width}}", *islice(marks, length)]
            if steps[row] < 0:
                shown.append(next(letters))
            lines.append(" " * indents[row] + " ".join(shown))
        return "\n".join([*lines, *(line for line in footer if line)])

    def read(self, text: str) -> tuple[list[int], list[str]]:
        """The cell values of a diagram, row by row from the top, and the lines below the board.

        >>> Rows((2, 3, 2), ".XO").read(".X / .O. / .. / X to move")
        ([0, 1, 0, 2, 0, 0, 0], ['X to move'])
        """
        lines = [line.strip() for line in text.replace("/", "\n").splitlines() if line.strip()]
        letters = iter(LETTERS)
        header = list(islice(letters, self.lengths[0]))
        if lines and lines[0].split() == header:
            lines = lines[1:]
        if len(lines) < len(self.lengths):
            raise DiagramError(f"the diagram has {len(lines)} rows, but the board has {len(self.lengths)}")
        cells: list[int] = []
        for row, step in enumerate(self._steps()):
            marks = lines[row].split()
            if marks[0] == str(row + 1):
                marks = marks[1:]
            if step < 0 and next(letters) in marks[-1:]:
                marks = marks[:-1]
            cells += self._values(row, "".join(marks))
        return cells, lines[len(self.lengths) :]

    def _steps(self) -> list[int]:
        """Where each next row begins: half a cell to the left (-1) if it is longer, else to the right."""
        return [-1 if under > above else 1 for above, under in pairwise((*self.lengths, 0))]

    def _values(self, row: int, marks: str) -> list[int]:
        if len(marks) != self.lengths[row]:
            raise DiagramError(
                f"row {row + 1} of the diagram has {len(marks)} cells ({marks!r}), not {self.lengths[row]}"
            )
        unknown = [mark for mark in marks if mark not in self.symbols]
        if unknown:
            raise DiagramError(f"row {row + 1} of the diagram has '{unknown[0]}'; use {' '.join(self.symbols)}")
        return [self.symbols.index(mark) for mark in marks]
