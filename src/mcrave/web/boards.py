"""What a game's board looks like and where one clicks for a move.

A game describes itself: its diagram tells rows, columns and names of cells, `Game.look` how they are drawn, and the
names of its moves tell the cells to click, one after another. So a game of your own is drawn without a line here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from mcrave.games import Game, Position
from mcrave.games._hexboard import HexGame, Rows, board
from mcrave.games.nim import Nim

LINES, CELLS, CHEQUERED, HEXAGONS, HEAPS, TEXT = "lines", "cells", "chequered", "hexagons", "heaps", "text"
DARK, LIGHT, THIRD = "dark", "light", "third"
ROW = re.compile(r"\s*(\d+) (\S+(?: \S+)*)\s*")
SIGNS = re.compile(r"[^A-Za-z0-9]+")
STONE, KING, BLOCK = "stone", "king", "block"


class Cell(NamedTuple):
    """A place on the board, in units of the distance between neighbours."""

    name: str
    x: float
    y: float
    row: int
    col: int


class Layout(NamedTuple):
    """The board without its pieces."""

    look: str
    cells: tuple[Cell, ...]
    rows: tuple[str, ...] = ()
    """Labels of rows, from the top."""
    columns: tuple[str, ...] = ()
    falls: bool = False
    """Whether moves are columns, into which stones are dropped."""

    def find(self, name: str) -> Cell | None:
        """The cell of that name."""
        return _by_name(self).get(name.lower())


class Mark(NamedTuple):
    """What stands on a cell: a player's stone or king, or a block that belongs to nobody (seat -1)."""

    seat: int
    kind: str = STONE


@lru_cache(maxsize=64)
def layout(game: Game) -> Layout:
    """The board of a game.

    >>> import mcrave
    >>> small = layout(mcrave.game("hex(size=2)"))
    >>> small.look, [(cell.name, cell.x) for cell in small.cells]
    ('hexagons', [('a1', 0.0), ('b1', 1.0), ('a2', 0.5), ('b2', 1.5)])
    """
    if isinstance(game, HexGame):
        return _hexagons(game)
    if isinstance(game, Nim):
        most = max(game.heaps)
        cells = [
            Cell(f"{heap + 1}.{count}", float(heap), float(most - count), most - count, heap)
            for heap, size in enumerate(game.heaps)
            for count in range(1, size + 1)
        ]
        return Layout(HEAPS, tuple(cells), (), tuple(str(heap + 1) for heap in range(len(game.heaps))))
    return _squares(game)


def _hexagons(game: HexGame) -> Layout:
    grid, start = game._grid(), game.start()
    if isinstance(grid, Rows):
        lengths, indents = grid.lengths, list(accumulate(grid._steps()[:-1], initial=0))
    else:
        lengths, indents = (grid.cols,) * grid.rows, list(range(grid.rows))
    names = iter(start.name(int(move)) for move in board(game)[0])
    least = min(indents)
    cells = [
        Cell(next(names), (indent - least) / 2 + col, row * math.sqrt(3) / 2, row, col)
        for row, (length, indent) in enumerate(zip(lengths, indents, strict=True))
        for col in range(length)
    ]
    return Layout(HEXAGONS, tuple(cells), tuple(str(row + 1) for row in range(len(lengths))))


def _squares(game: Game) -> Layout:
    """From the diagram: a label and marks in every row, the columns' letters below."""
    rows, columns = _diagram(str(game.start()))
    if not rows:
        return Layout(TEXT, ())
    cells = [
        Cell(f"{column}{label}", float(col), float(row), row, col)
        for row, (label, _) in enumerate(rows)
        for col, column in enumerate(columns)
    ]
    falls = not {*columns}.isdisjoint(game.start().legal_moves())
    return Layout(game.look, tuple(cells), tuple(label for label, _ in rows), tuple(columns), falls)


def _diagram(text: str) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """Labels with marks, and letters; nothing if the text is no diagram."""
    lines = text.splitlines()
    rows = []
    for line in lines:
        match = ROW.fullmatch(line)
        if match is None:
            break
        rows.append((match[1], match[2].split()))
    columns = lines[len(rows)].split() if rows and len(rows) < len(lines) else []
    fits = all(len(marks) == len(columns) for _, marks in rows)
    return (rows, columns) if columns and fits else ([], [])


@lru_cache(maxsize=64)
def _by_name(shape: Layout) -> dict[str, Cell]:
    return {cell.name.lower(): cell for cell in shape.cells}


def pieces(position: Position) -> dict[str, Mark]:
    """What stands where, by the names of cells.

    >>> import mcrave
    >>> pieces(mcrave.game("mnk").position("b2 a1"))
    {'b2': Mark(seat=0, kind='stone'), 'a1': Mark(seat=1, kind='stone')}
    """
    game, shape = position.game, layout(position.game)
    if isinstance(game, HexGame):
        grid = game._grid()
        values = grid.read(str(position))[0]
        marks = [grid.symbols[value] for value in values]
    elif isinstance(game, Nim):
        heaps = [int(count) for count in str(position).splitlines()[0].split()[1:]]
        return {cell.name: Mark(-1, STONE) for cell in shape.cells if int(cell.name.split(".")[1]) <= heaps[cell.col]}
    else:
        marks = [mark for _, row in _diagram(str(position))[0] for mark in row]
    return {
        cell.name: _mark(game, mark) for cell, mark in zip(shape.cells, marks, strict=False) if mark not in (".", " ")
    }


def _mark(game: Game, mark: str) -> Mark:
    seat = game.symbols.find(mark)
    if seat >= 0:
        return Mark(seat)
    seat = game.symbols.upper().find(mark.upper())
    return Mark(seat, KING) if seat >= 0 else Mark(-1, BLOCK)


def tone(game: Game, seat: int) -> str:
    """Which colour a player's pieces have: W and B are taken at their word, else the first player is dark.

    >>> import mcrave
    >>> tone(mcrave.game("breakthrough"), 0), tone(mcrave.game("go"), 0)
    ('light', 'dark')
    """
    named = {"W": LIGHT, "B": DARK}.get(game.symbols[seat].upper())
    return named or (DARK, LIGHT, THIRD, THIRD)[min(seat, 3)]


def side_name(game: Game, seat: int) -> str:
    """What a player is called.

    >>> import mcrave
    >>> side_name(mcrave.game("go"), 1), side_name(mcrave.game("domineering"), 0)
    ('White', 'Vertical')
    """
    special = {"V": "Vertical", "H": "Horizontal"}.get(game.symbols[seat])
    return special or {DARK: "Black", LIGHT: "White", THIRD: "Orange"}[tone(game, seat)]


def about(game: Game) -> str:
    """What the game is about, in a line: the first of its class's docstring.

    >>> import mcrave
    >>> about(mcrave.game("hex"))
    'Join your two sides of a board of rows × cols.'
    """
    first = (type(game).__doc__ or "").strip().split("\n")[0].replace("`", "")
    by_itself = first.startswith(f"{type(game).__name__}(")  # what Python says of a NamedTuple
    return "" if by_itself or first.lower().startswith(f"{game.name} ") else first


# ------------------------------------------------------------------------------------------- clicks


def path(shape: Layout, move: str) -> tuple[str, ...]:
    """The cells to click for a move, in their order; none for pass and the like.

    >>> import mcrave
    >>> path(layout(mcrave.game("amazons")), "d1-d7/g7"), path(layout(mcrave.game("go")), "pass")
    (('d1', 'd7', 'g7'), ())
    >>> path(layout(mcrave.game("breakthrough")), "b4xa3")
    ('b4', 'a3')
    """
    if shape.look == HEAPS:
        return (move,)
    words = [word for part in SIGNS.split(move) for word in ([part] if shape.find(part) else part.split("x"))]
    return tuple(cell.name for word in words if (cell := shape.find(word)) is not None)


def cells_of(shape: Layout, marks: Mapping[str, Mark], move: str) -> tuple[str, ...]:
    """The cells of a move where these pieces stand: a stone that is dropped into a column stands on the others.

    >>> import mcrave
    >>> position = mcrave.game("connect_four").position("d d")
    >>> cells_of(layout(position.game), pieces(position), "d")
    ('d3',)
    """
    if shape.look == HEAPS:
        heap, count = (int(part) for part in move.split("-"))
        left = sum(name.startswith(f"{heap}.") for name in marks)
        return (f"{heap}.{left - count + 1}",)
    if shape.falls and move in shape.columns:
        free = [cell for cell in shape.cells if cell.col == shape.columns.index(move) and cell.name not in marks]
        return (max(free, key=lambda cell: cell.row).name,) if free else ()
    return path(shape, move)


def choices(position: Position, picked: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """The cells that can be clicked now, each with the moves that go on from there.

    Where a move is the beginning of another, as one jump of two in `gdl_checkers`, a second click on its last cell
    makes it.
    """
    shape, found = layout(position.game), dict[str, list[str]]()
    marks = pieces(position)
    for move in position.legal_moves():
        if shape.falls and move in shape.columns:
            column = shape.columns.index(move)
            for cell in shape.cells:
                if cell.col == column:
                    found.setdefault(cell.name, []).append(move)
            continue
        cells = cells_of(shape, marks, move)
        if cells and cells == picked:
            found.setdefault(cells[-1], []).append(move)
        elif len(cells) > len(picked) and cells[: len(picked)] == picked:
            found.setdefault(cells[len(picked)], []).append(move)
    return found


def other_moves(position: Position) -> list[str]:
    """Legal moves that no cell stands for: pass, swap; all of them where there is no board."""
    shape = layout(position.game)
    if shape.look == HEAPS:
        return []
    return [move for move in position.legal_moves() if move not in shape.columns and not path(shape, move)]


def clicked(position: Position, picked: tuple[str, ...], name: str) -> tuple[str | None, tuple[str, ...]]:
    """What a click means: a move, or the cells picked so far.

    A piece moves when its whole way was clicked; where nothing of the player's stands on the first cell, as in
    Domineering, the first click that leaves one move makes it.

    >>> import mcrave
    >>> start = mcrave.game("breakthrough").start()
    >>> clicked(start, (), "a2"), clicked(start, ("a2",), "a3"), clicked(start, ("a2",), "h8")
    ((None, ('a2',)), ('a2-a3', ()), (None, ()))
    """
    shape = layout(position.game)
    moves = choices(position, picked).get(name)
    if moves is None:
        if not picked or name == picked[-1]:
            return None, ()
        return clicked(position, (), name)
    if len(moves) == 1 and (len(path(shape, moves[0])) <= len(picked) + 1 or not _is_piece(position, moves[0])):
        return moves[0], ()
    return None, (*picked, name)


def _is_piece(position: Position, move: str) -> bool:
    first = path(layout(position.game), move)[0]
    return pieces(position).get(first, Mark(-1)).seat == position.to_move


def territory(position: Position) -> dict[str, int]:
    """In Go, whose each empty point is: of the player whose stones alone surround it.

    >>> import mcrave
    >>> area = territory(mcrave.game("go(size=3)").parse(".X. / XX. / ..O"))
    >>> area
    {'A3': 0}
    """
    shape, marks = layout(position.game), pieces(position)
    if shape.look != LINES:
        return {}
    by_place = {(cell.row, cell.col): cell.name for cell in shape.cells}
    found: dict[str, int] = {}
    seen: set[tuple[int, int]] = set()
    for place, name in by_place.items():
        if place in seen or name in marks:
            continue
        region, border, stack = [], set(), [place]
        seen.add(place)
        while stack:
            row, col = stack.pop()
            region.append(by_place[row, col])
            for near in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
                if near in by_place and by_place[near] in marks:
                    border.add(marks[by_place[near]].seat)
                elif near in by_place and near not in seen:
                    seen.add(near)
                    stack.append(near)
        if len(border) == 1:
            found |= dict.fromkeys(region, border.pop())
    return found
