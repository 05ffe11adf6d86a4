"""Who owns each point at the end of the simulations: territory statistics (Bouzy; Gelly & Silver §3.5).

Games say what a point is and who owns it (`Game.points`, `add_owners`). The counts are of simulations from the
position at the root: they begin anew when the root moves on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mcrave.games import Game, base
from mcrave.kernel import dispatched
from mcrave.specs import Spec


@dispatched
def note_owners(ownership, rules, state, scratch, played):
    """Count the owners of all points where a simulation ended."""


class Ownership(Spec):
    """The counts are kept."""

    def note_owners(ownership, rules, state, scratch, played):
        """As the game says."""
        base.add_owners(rules, state, played, scratch.owned)


def empty_counts(game: Game) -> Any:
    """Room for the counts: a row for each player, and one for nobody."""
    return np.zeros((game.players + 1, game.codes()))


def shares(game: Game, counts: Sequence[Any]) -> dict[str, list[float]]:
    """The share of simulations in which each player owned each point, all threads together; empty if there were none.

    >>> import mcrave
    >>> game = mcrave.game("go(size=1)")
    >>> counts = empty_counts(game)
    >>> counts[1:, list(game.points())] = [[3], [1]]  # White's three times, once nobody's
    >>> shares(game, [counts])
    {'A1': [0.0, 0.75]}
    """
    points = game.points()
    owned = sum(counts)[:, list(points)]
    total = owned.sum(0)
    if not total.any():
        return {}
    return dict(zip(points.values(), (owned[:-1] / total).T.tolist(), strict=True))
