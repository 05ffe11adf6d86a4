"""The player that takes any legal move, all with the same probability."""

from __future__ import annotations

import random
from typing import Any

from mcrave.games import Game, Position


class RandomMoves:
    """Takes any legal move."""

    name = "random"
    estimate: float | None = None

    def __init__(self, seed: int = 1) -> None:
        """The same seed gives the same moves."""
        self.seed = seed
        self._dice = random.Random(seed)

    def prepare(self, game: Game) -> None:
        """Nothing is needed."""

    def new_game(self, seed: int, seconds: float = 0.0) -> None:
        """Throw the dice of this seed from now on."""
        self.seed = seed
        self._dice = random.Random(seed)

    def close(self) -> None:
        """Nothing is held."""

    def choose(self, position: Position) -> int:
        """Any legal move."""
        return self.pick(position.moves)

    def pick(self, moves: Any) -> int:
        """One of some moves."""
        return int(self._dice.choice(moves))

    def __str__(self) -> str:
        """The text form."""
        return self.name

    def __eq__(self, other: object) -> bool:
        """Equal if of the same seed."""
        return isinstance(other, RandomMoves) and self.seed == other.seed

    def __hash__(self) -> int:
        """Consistent with equality."""
        return hash((self.name, self.seed))
