"""Boards of up to 8 × 8 cells as 64-bit words: cell (row, col) is bit 8·row + col, row 0 at the top.

The distance between rows is 8 on smaller boards too, so that shifts and tables are the same for all sizes:
what falls outside the board is cut off by `on_board`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mcrave.errors import SpecError
from mcrave.games._grid import Grid
from mcrave.kernel import bits, jit
from mcrave.kernel.bits import WORD

STRIDE = 8
CELLS = 64
NOT_WEST = WORD(0xFEFEFEFEFEFEFEFE)  # every cell but those of column a
NOT_EAST = WORD(0x7F7F7F7F7F7F7F7F)  # every cell but those of column h
INNER = WORD(0x7E7E7E7E7E7E7E7E)
EVERY = WORD(0xFFFFFFFFFFFFFFFF)
NONE = WORD(0)


@jit
def bit(cell):
    """The word with only this cell."""
    return bits.ONE << WORD(cell)


@jit
def on_board(rules):
    """All cells of the board."""
    row = WORD(0xFF) >> WORD(STRIDE - rules.cols)
    return (EVERY >> WORD(STRIDE * (STRIDE - rules.rows))) & (row * WORD(0x0101010101010101))


@jit
def row_cells(rules, row):
    """The cells of one row."""
    return (WORD(0xFF) << WORD(STRIDE * row)) & on_board(rules)


def check_size(rules, least: int) -> None:
    """Raise `SpecError` unless the board has from `least` to 8 rows and columns."""
    if not (least <= rules.rows <= STRIDE and least <= rules.cols <= STRIDE):
        raise SpecError(f"{rules.name} boards go from {least}x{least} to 8x8, not {rules.rows}x{rules.cols}")


def cell_name(grid: Grid, cell: int) -> str:
    """The name of a cell given by its bit's index."""
    return grid.cell_name(cell // STRIDE, cell % STRIDE)


def cell_number(grid: Grid, name: str) -> int:
    """The bit's index of a cell given by name, or -1 if the board has none of that name."""
    for row in range(grid.rows):
        for col in range(grid.cols):
            if grid.cell_name(row, col) == name:
                return row * STRIDE + col
    return -1


def unpack(grid: Grid, *words: int) -> list[int]:
    """The cell values for drawing: the n-th word, counted from 1, holds the cells with value n."""
    return [
        next((n for n, word in enumerate(words, 1) if int(word) >> (row * STRIDE + col) & 1), 0)
        for row in range(grid.rows)
        for col in range(grid.cols)
    ]


def pack(grid: Grid, cells: Sequence[int], value: int) -> np.uint64:
    """The word of the cells that hold this value."""
    return WORD(sum(1 << (i // grid.cols * STRIDE + i % grid.cols) for i, found in enumerate(cells) if found == value))
