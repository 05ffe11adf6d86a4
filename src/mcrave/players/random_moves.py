"""The player that takes any legal move, all with the same probability."""

from __future__ import annotations

import random

from mcrave.errors import SpecError
from mcrave.games import Position
from mcrave.players.base import Budget, register


class RandomMoves:
    """Takes any legal move."""

    name = "random"
    estimate: float | None = None

    def __init__(self, seed: int = 1) -> None:
        """The same seed gives the same moves."""
        self._dice = random.Random(seed)

    def choose(self, position: Position) -> int:
        """Any legal move."""
        return int(self._dice.choice(position.moves))


def _make(budget: Budget | None, seed: int) -> RandomMoves:
    if budget is not None:
        raise SpecError(f"player 'random' does not think, so it takes no budget @{budget}")
    return RandomMoves(seed)


register("random", _make, "random", "any legal move")
