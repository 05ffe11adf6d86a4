"""Who will own each point, estimated by random games from a position (Bouzy; Gelly & Silver §3.5)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mcrave.games import Position, base
from mcrave.games import _stones as stones
from mcrave.games._stones import EMPTY
from mcrave.games.go import Go
from mcrave.kernel import entry
from mcrave.kernel.rng import stream
from mcrave.specs import lowered

PLAYOUTS = 400
BLACK, WHITE = 1, 2


@entry
def count_owners(rules: Any, root: Any, work: Any, rng: Any, out: Any, plies: Any, count: Any, owned: Any) -> Any:
    """Play `count` random games; add 1 to `owned` where Black ends up, subtract 1 where White does."""
    for _ in range(count):
        work[0] = root[0]
        base.random_playout(rules, work[0], rng[0], out, plies)
        state = work[0]
        for p in range(owned.shape[0]):
            color = int(state.color[p])
            if color == EMPTY:  # whose eye is it?
                color = BLACK * int(stones.same_neighbours(state, np.uintp(p), BLACK) == 4)
                color += WHITE * int(stones.same_neighbours(state, np.uintp(p), WHITE) == 4)
            if color == BLACK:
                owned[p] += 1.0
            elif color == WHITE:
                owned[p] -= 1.0


class Ownership(NamedTuple):
    """What the random games ended like."""

    points: dict[str, float]
    """For every point, row by row from the top: 1 always Black's, -1 always White's."""
    lead: float
    """By how much Black was ahead in the mean, komi included."""

    def of(self, player: int) -> list[float]:
        """The points with the sign of a player."""
        return [value if player == 0 else -value for value in self.points.values()]


def ownership(position: Position, playouts: int = PLAYOUTS, seed: int = 1) -> Ownership:
    """Estimate the ownership of every point; the same seed gives the same estimate.

    >>> import mcrave
    >>> found = ownership(mcrave.game("go(size=5)").parse(".XO.. / XXOOO / .XO.O / XXO.. / .XOOO"))
    >>> found.points["A1"], found.points["E1"]
    (1.0, -1.0)
    """
    game = position.game
    assert isinstance(game, Go)
    root = position.state
    root[0].passes = 0
    width = game.cols + 1
    owned = np.zeros(width * (game.rows + 1))
    rules, out = lowered(game), np.zeros(game.max_moves(), np.int32)
    count_owners(rules, root, root.copy(), stream(seed), out, game.max_plies(), playouts, owned)
    owned /= playouts
    places = [width * (row + 1) + col + 1 for row in range(game.rows) for col in range(game.cols)]
    points = {position.name(place): float(owned[place]) for place in places}
    return Ownership(points, sum(points.values()) - game.komi)
