"""Drawing and reading boards made of cells, and naming the cells.

A diagram is one line per row, with or without coordinates and spaces, then a line that says whose turn it is
and whatever else a game must remember:

    3 . X .
    2 . O .
    1 . . .
      a b c
    X to move

A short form for one line of text: `.X. / .O. / ...`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mcrave.errors import DiagramError

LETTERS = "abcdefghijklmnopqrstuvwxyz"
GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class Grid(NamedTuple):
    """How a game draws its board: its size, its symbols (index = cell value), and its coordinates."""

    rows: int
    cols: int
    symbols: str
    letters: str = LETTERS
    top_down: bool = False
    """Row 1 is at the top, as in Othello and Hex; otherwise at the bottom, as in chess and Go."""
    slant: int = 0
    """How far each row is shifted to the right of the one above, for hexagonal boards."""

    def label(self, row: int) -> str:
        """The number of a row; row 0 is drawn at the top."""
        return str(row + 1 if self.top_down else self.rows - row)

    def column(self, col: int) -> str:
        """The letter of a column; after z comes aa."""
        n = len(self.letters)
        return self.letters[col] if col < n else self.letters[col // n - 1] + self.letters[col % n]

    def cell_name(self, row: int, col: int) -> str:
        """The name of a cell, as in a1.

        >>> Grid(8, 8, ".XO").cell_name(7, 0), Grid(8, 8, ".XO", top_down=True).cell_name(7, 0)
        ('a1', 'a8')
        """
        return self.column(col) + self.label(row)

    def draw(self, cells: Sequence[int], *footer: str) -> str:
        """The diagram of cells given row by row from the top, with lines below it.

        >>> print(Grid(2, 3, ".XO").draw([0, 1, 0, 2, 0, 0], "X to move"))
        2 . X .
        1 O . .
          a b c
        X to move
        """
        width = len(str(self.rows))
        lines = []
        for row in range(self.rows):
            marks = " ".join(self.symbols[int(v)] for v in cells[row * self.cols : (row + 1) * self.cols])
            lines.append(" " * (self.slant * row) + f"{self.label(row):>{width}} {marks}")
        shift = " " * (width + 1 + (self.slant * (self.rows - 1) if self.slant else 0))
        names = [self.column(col) for col in range(self.cols)]
        lines.append((shift + " ".join(names)).rstrip())
        return "\n".join([*lines, *(line for line in footer if line)])

    def read(self, text: str) -> tuple[list[int], list[str]]:
        """The cell values of a diagram, row by row from the top, and the lines below the board.

        >>> Grid(2, 3, ".XO").read(".X. / O..")
        ([0, 1, 0, 2, 0, 0], [])
        """
        lines = [line.strip() for line in text.replace("/", "\n").splitlines() if line.strip()]
        if len(lines) < self.rows:
            raise DiagramError(f"the diagram has {len(lines)} rows, but the board has {self.rows}")
        cells: list[int] = []
        for row, line in enumerate(lines[: self.rows]):
            cells += self._read_row(row, line)
        footer = lines[self.rows :]
        if footer and self._is_column_line(footer[0]):
            footer = footer[1:]
        return cells, footer

    def _read_row(self, row: int, line: str) -> list[int]:
        label = self.label(row)
        marks = line.split()
        if marks[0] == label and (len(marks) > 1 or label not in self.symbols):
            marks = marks[1:]
        squeezed = "".join(marks)
        if len(squeezed) != self.cols:
            raise DiagramError(f"row {label} of the diagram has {len(squeezed)} cells ({line!r}), not {self.cols}")
        unknown = [mark for mark in squeezed if mark not in self.symbols]
        if unknown:
            raise DiagramError(f"row {label} of the diagram has '{unknown[0]}'; use {' '.join(self.symbols)}")
        return [self.symbols.index(mark) for mark in squeezed]

    def _is_column_line(self, line: str) -> bool:
        names = [self.column(col).lower() for col in range(self.cols)]
        return line.lower().split() == names or line.lower().replace(" ", "") == "".join(names)


def turn_line(symbols: str, player: int, *notes: str) -> str:
    """Whose turn it is, with notes.

    >>> turn_line("XO", 1, "ko at c3", "")
    'O to move, ko at c3'
    """
    return ", ".join([f"{symbols[player]} to move", *(note for note in notes if note)])


def read_turn(symbols: str, footer: Sequence[str], notes: Sequence[str] = ()) -> tuple[int, dict[str, str]]:
    r"""The player to move (the first if nothing is said) and the notes found, by the pattern that matched.

    Each pattern in `notes` has one group: what it captures is the note's value.

    >>> read_turn("XO", ["O to move, ko at c3"], ["ko at (..)"])
    (1, {'ko at (..)': 'c3'})
    """
    if not footer:
        return 0, {}
    if len(footer) > 1:
        odd = footer[1] if " to move" in footer[0] else footer[0]
        raise DiagramError(f"cannot read {odd!r} below the diagram; one line like '{symbols[0]} to move' may follow")
    first, *rest = [part.strip() for part in footer[0].split(",")]
    match = re.fullmatch(r"(\S) to move", first)
    if match is None or match.group(1) not in symbols:
        turns = " or ".join(f"'{symbol} to move'" for symbol in symbols)
        raise DiagramError(f"cannot read {first!r} below the diagram; write {turns}")
    found: dict[str, str] = {}
    for note in rest:
        pattern = next((p for p in notes if re.fullmatch(p, note)), None)
        if pattern is None:
            raise DiagramError(f"cannot read the note {note!r} below the diagram")
        found[pattern] = re.fullmatch(pattern, note).group(1)  # type: ignore[union-attr]
    return symbols.index(match.group(1)), found
