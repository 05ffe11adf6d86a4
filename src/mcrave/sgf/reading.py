"""Read SGF: rules, set-up stones, moves, variations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from sgfmill import sgf, sgf_grammar
from sgfmill.common import format_vertex

from mcrave.errors import DiagramError, Error, IllegalMove
from mcrave.games.go import Go
from mcrave.sgf.board import Board

MOST_BYTES = 16 << 20
COLOURS = ("b", "w")
Ko = Literal["positional", "situational", "simple"]
KO_RULES: dict[str, Ko] = {
    "japanese": "simple",
    "korean": "simple",
    "aga": "situational",
    "nz": "situational",
}

Line = list[Any]
"""Nodes from the root on, each a child of the one before it."""


@dataclass(frozen=True)
class Record:
    """A game record with its variations.

    >>> record = load(b"(;SZ[9]KM[6.5]AB[cc][gg]HA[2];W[ee](;B[ce])(;B[ge];W[gf]))")
    >>> record.rules, len(record.lines())
    (go(size=9,komi=6.5), 2)
    >>> [play.move for play in record.board(record.lines()[1]).plays]
    ['E5', 'G5', 'G4']
    """

    rules: Go
    handicap: int
    root: Any
    """The first node, as sgfmill has it."""

    def main_line(self) -> Line:
        """The nodes of the first variation everywhere."""
        line = [self.root]
        while len(line[-1]):
            line.append(line[-1][0])
        return line

    def lines(self) -> list[Line]:
        """Every variation from the root to its end, the main line first."""
        return list(self._lines())

    def _lines(self) -> Iterator[Line]:
        stack: list[tuple[Any, int]] = [(self.root, 0)]  # a node, and how many nodes stand above it
        line: Line = []
        while stack:
            node, depth = stack.pop()
            line = [*line[:depth], node]
            children = [node[index] for index in range(len(node))]
            stack += [(child, depth + 1) for child in reversed(children)]
            if not children:
                yield line

    def board(self, line: Line | None = None, moves: int | None = None) -> Board:
        """The board at the end of a line (the main line if none is given), or after so many of its moves."""
        board, played = Board.empty(self.rules), 0
        for number, node in enumerate(self.main_line() if line is None else line):
            try:
                colour, move = node.get_move()
                board = _set_up(board, node, self.handicap if number == 0 else board.handicap)
                if colour is not None:
                    if moves is not None and played >= moves:
                        break
                    played += 1
                    comment = str(node.get("C")) if node.has_property("C") else ""
                    board = board.play(COLOURS.index(colour), format_vertex(move), comment)
            except IllegalMove:
                raise IllegalMove(f"move {played} of the SGF game is illegal: {format_vertex(move)}") from None
            except DiagramError as error:
                raise DiagramError(f"the set-up stones of node {number} cannot stand: {error}") from None
            except (ValueError, IndexError) as error:  # what sgfmill says of a property that it cannot read
                raise Error(f"node {number} of the SGF game cannot be read: {error}") from None
        return board


def _set_up(board: Board, node: Any, handicap: int) -> Board:
    """Put and take away stones as a node says, and let whom it names move."""
    black, white, empty = ({format_vertex(point) for point in points} for points in node.get_setup_stones())
    turn = COLOURS.index(node.get("PL")) if node.has_property("PL") else None
    if not (black or white or empty) and (turn is None or board.plays):
        return board  # in the middle of a game the next move tells whose turn it is
    if turn is None:
        turn = 1 if handicap and not board.plays and black else board.to_move
    changed = black | white | empty
    black |= set(board.stones(0)) - changed
    white |= set(board.stones(1)) - changed
    return Board.set_up(board.game, black, white, turn, handicap)


def load(data: bytes) -> Record:
    """The first game of an SGF text; `Error` says what is wrong with it.

    >>> load(b"(;SZ[99])")
    Traceback (most recent call last):
    mcrave.errors.Error: cannot read the SGF game: size out of range: 99
    """
    if len(data) > MOST_BYTES:
        raise Error(f"the SGF file has over {MOST_BYTES >> 20} MB")
    return _record(lambda: sgf.Sgf_game.from_bytes(data))


def _record(make: Callable[[], Any]) -> Record:
    """What sgfmill reads, as a record."""
    try:
        game = make()
        size, komi, handicap = game.get_size(), game.get_komi(), game.get_handicap() or 0
        root = game.get_root()
        rules = str(root.get("RU")).strip().lower() if root.has_property("RU") else ""
    except (ValueError, LookupError) as error:  # sgfmill's own errors; an unknown encoding is a LookupError
        raise Error(f"cannot read the SGF game: {' '.join(str(error).split())}") from None
    superko = KO_RULES.get(rules, "positional")
    return Record(Go(size=size, komi=komi, superko=superko), handicap, root)


def read(path: str | Path) -> Record:
    """The first game of a file."""
    return load(_bytes_of(path))


def read_all(path: str | Path) -> list[Record | Error]:
    """All games of a file, which may be a collection; in place of one that cannot be read, what is wrong with it."""
    data = _bytes_of(path)
    if len(data) > MOST_BYTES:
        raise Error(f"the SGF file has over {MOST_BYTES >> 20} MB")
    try:
        trees = sgf_grammar.parse_sgf_collection(data)
    except ValueError as error:
        raise Error(f"cannot read the SGF games: {' '.join(str(error).split())}") from None
    found: list[Record | Error] = []
    for tree in trees:
        try:
            found.append(_record(partial(sgf.Sgf_game.from_coarse_game_tree, tree)))
        except Error as error:
            found.append(error)
    return found


def _bytes_of(path: str | Path) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Error(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
