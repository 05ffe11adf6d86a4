"""Havannah: a stone a turn on a free cell of a hexagon; a ring, a bridge or a fork wins.

- A ring is a loop of stones around at least one cell, whatever is on that cell.
- A bridge is a group that touches two of the six corners.
- A fork is a group that touches three of the six sides; a corner belongs to no side.

A full board without any of them is a draw. Rules and coordinates as in OpenSpiel's `havannah`: row 1 is at the
top, and a column goes down to the left, so b2 touches a1, b1, c2, c3, b3 and a2.

With `swap=true` (the pie rule) O may answer the first move with `swap`: the stone becomes O's where it stands,
and X moves. OpenSpiel writes this as a move on the taken cell.
"""

from __future__ import annotations

import numpy as np

from mcrave.errors import SpecError
from mcrave.games._hexboard import LOOP, WHOLE, HexGame, Rows, Shape, neighbour, surrounding, turned
from mcrave.kernel import bits, jit

SIDES = 0b111111
CORNERS = SIDES << 6
SMALLEST, LARGEST = 2, 13


class Havannah(HexGame, name="havannah"):
    """Make a ring, a bridge or a fork on a hexagon with `size` cells a side."""

    size: int = 8
    swap: bool = False

    def validate(self) -> None:
        """Sides of 2 to 13 cells."""
        if not SMALLEST <= self.size <= LARGEST:
            raise SpecError(f"havannah needs size from {SMALLEST} to {LARGEST}, not {self.size}")

    def predicates(rules):
        """A stone of either player in each place."""
        return 2 * (2 * rules.size - 1) ** 2

    def _shape(self) -> Shape:
        diameter = 2 * self.size - 1
        return Shape(diameter, diameter, diameter + 1)

    def _sides(self, row: int, col: int) -> int | None:
        last = self.size - 1
        if abs(row - col) > last:
            return None
        # Around the hexagon, so that neighbouring lines meet in a corner.
        lines = (row == 0, col - row == last, col == 2 * last, row == 2 * last, row - col == last, col == 0)
        touched = [line for line in range(6) if lines[line]]
        if len(touched) == 2:
            return 1 << (6 + (5 if touched == [0, 5] else touched[0]))
        return 1 << touched[0] if touched else 0

    def _grid(self) -> Rows:
        longest = 2 * self.size - 1
        return Rows(tuple(longest - abs(self.size - 1 - row) for row in range(longest)), ".XO")

    def wins(rules, state, cell, reached, around):
        """A fork, a bridge, a ring around another's or a free cell, a ring around an own stone."""
        return (
            bits.popcount(np.uint64(reached & SIDES)) >= 3
            or bits.popcount(np.uint64(reached & CORNERS)) >= 2
            or reached & LOOP != 0
            or surrounds_own(state, cell, around)
        )


@jit
def surrounds_own(state, cell, around):
    """Whether a neighbour of the same colour has all six neighbours of that colour.

    Together with LOOP this finds every ring without a search. If a new ring enters and leaves the cell through
    one run of neighbours, the way along that run was a loop before; it was no ring, so the new one surrounds
    nothing but stones of that run, and one that is next to the cell has own stones on all sides. If it enters
    and leaves through different runs, they were one group before: LOOP.
    """
    stone = state.cells[cell]
    thirds = around & turned(around) & turned(turned(around))
    while thirds != np.uint64(0):
        middle = (bits.lowest(thirds) + 5) % 6
        if surrounding(state, neighbour(state, cell, middle), stone) == WHOLE:
            return True
        thirds &= thirds - np.uint64(1)
    return False
