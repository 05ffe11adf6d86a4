"""Y: a stone a turn on a free cell of a triangle; a group that touches all three sides wins.

A corner belongs to both of its sides. Each row is one cell shorter than the one above and drawn half a cell to
its right, so b2 touches b1, c1, a2, c2, a3 and b3. A full board is always won by exactly one player, so there
are no draws. Rules as in OpenSpiel's `y`.
"""

from __future__ import annotations

from mcrave.errors import SpecError
from mcrave.games._hexboard import HexGame, Rows, Shape

TOP, LEFT, RIGHT = 1, 2, 4
LARGEST = 25


class Y(HexGame, name="y"):
    """Join the three sides of a triangle with `size` cells a side."""

    size: int = 19

    def validate(self) -> None:
        """Sides of 1 to 25 cells."""
        if not 1 <= self.size <= LARGEST:
            raise SpecError(f"y needs size from 1 to {LARGEST}, not {self.size}")

    def codes(self):
        """The rows of the lower half fill what those of the upper half leave free."""
        return (self.size // 2 + 1) * (self.size + 1)

    def code(rules, state, move):
        """Number the cells almost without gaps."""
        stride = rules.size + 1
        row = move // stride
        if 2 * row <= rules.size:
            return move
        return (rules.size - row) * stride + row + move % stride

    def predicates(rules):
        """A stone of either player in each place."""
        return 2 * rules.size * (rules.size + 1)

    def _shape(self) -> Shape:
        return Shape(self.size, self.size + 1, self.size + 1)

    def _sides(self, row: int, col: int) -> int | None:
        if row + col >= self.size:
            return None
        touched = {TOP: row == 0, LEFT: col == 0, RIGHT: row + col == self.size - 1}
        return sum(side for side, touches in touched.items() if touches)

    def _grid(self) -> Rows:
        return Rows(tuple(range(self.size, 0, -1)), ".XO")

    def wins(rules, state, cell, reached, around):
        """Whether the group touches all sides."""
        return reached & (TOP | LEFT | RIGHT) == TOP | LEFT | RIGHT
