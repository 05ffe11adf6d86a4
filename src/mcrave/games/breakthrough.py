"""Breakthrough (Dan Troyka, 2000): pawns that may go straight or diagonally, and capture diagonally.

The first player (W) starts on the two bottom rows and moves up, the other (B) on the two top rows and moves
down. A piece moves one cell forward, straight or diagonally, to an empty cell; diagonally it may also go to
an opponent's piece, which it captures. A piece on the far row wins, and so does capturing all pieces. A
player who has a piece always has a move: no own piece stands before the foremost one, so a diagonal is free.

OpenSpiel's `breakthrough` is the same upside down (its first player, b, starts at the top) on boards of at
least 6 rows; on fewer it gives each side one row only.
"""

from __future__ import annotations

from typing import ClassVar

from mcrave.games._through import Through


class Breakthrough(Through, name="breakthrough"):
    """Pawns race for the last row of a board of `rows` × `cols`."""

    steps: ClassVar[tuple[tuple[int, int, bool], ...]] = ((1, -1, True), (1, 0, False), (1, 1, True))

    def directions(rules):
        """Left, straight, right."""
        return 3
