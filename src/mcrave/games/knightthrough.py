"""Knightthrough: breakthrough with knights (Cazenave 2015, §4.3; a game of the GGP competitions).

The first player (W) starts on the two bottom rows and moves up, the other (B) on the two top rows and moves
down. Pieces move as knights in chess, but only forward: two cells forward and one aside, or one forward and
two aside. They may jump, and capture an opponent's piece on the cell they go to. A piece on the far row wins,
and so does capturing all pieces. A player without a legal move loses; the paper is silent about this case,
which needs knights stuck on the last but one row of a narrow board or behind their own.
"""

from __future__ import annotations

from typing import ClassVar

from mcrave.games._through import Through


class Knightthrough(Through, name="knightthrough"):
    """Knights that only go forward race for the last row of a board of `rows` × `cols`."""

    steps: ClassVar[tuple[tuple[int, int, bool], ...]] = ((2, -1, True), (2, 1, True), (1, -2, True), (1, 2, True))

    def directions(rules):
        """Steep left and right, flat left and right."""
        return 4
