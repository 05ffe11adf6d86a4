"""Who will own each point of a Go board, out of what simulations ended like (Bouzy; Gelly & Silver §3.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mcrave.games.go import Go


class Ownership(NamedTuple):
    """What the simulations ended like."""

    points: dict[str, float]
    """For every point, row by row from the top: 1 always Black's, -1 always White's."""
    lead: float
    """By how much Black was ahead in the mean, komi included."""

    def of(self, player: int) -> list[float]:
        """The points with the sign of a player."""
        return [value if player == 0 else -value for value in self.points.values()]


def ownership(owners: Mapping[str, Sequence[float]], game: Go) -> Ownership:
    """What `Report.owners` says, as one number a point; where nothing is known, nobody owns anything.

    >>> ownership({"A2": [1, 0], "B2": [0.5, 0.25], "A1": [0, 0], "B1": [0, 1]}, Go(size=2, komi=0.5))
    Ownership(points={'A2': 1, 'B2': 0.25, 'A1': 0, 'B1': -1}, lead=-0.25)
    """
    points = dict.fromkeys(game.points().values(), 0.0)
    points |= {name: black - white for name, (black, white) in owners.items()}
    return Ownership(points, sum(points.values()) - game.komi)
