"""What a player is, and how much it may think."""

from __future__ import annotations

import math
import re
from typing import NamedTuple, Protocol

import numpy as np

from mcrave.errors import SpecError
from mcrave.games import Game, Position


class Player(Protocol):
    """Whoever chooses moves."""

    name: str
    """The text form."""
    estimate: float | None
    """The result the player expects from its last choice, 1 won to 0 lost; None if it has no opinion."""

    def prepare(self, game: Game) -> None:
        """Get ready for a game; an `Error` says why the player cannot play it."""
        ...

    def choose(self, position: Position) -> int:
        """The number of a legal move."""
        ...


class Budget(NamedTuple):
    """How much a player may think about one move: simulations, or else seconds."""

    simulations: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        """As it stands behind the @.

        >>> str(Budget(1000)), str(Budget(seconds=2.5))
        ('1000', '2.5s')
        """
        return f"{self.simulations}" if self.simulations else f"{np.format_float_positional(self.seconds, trim='-')}s"


def read_budget(budget: str, player: str) -> Budget:
    """The budget that stands behind the @ of a player's text."""
    match = re.fullmatch(r"\s*(?:(\d{1,12})|(\d+(?:\.\d*)?|\.\d+)\s*s)\s*", budget, re.ASCII)
    if match and match[1] and int(match[1]) > 0:
        return Budget(simulations=int(match[1]))
    if match and match[2] and 0 < float(match[2]) < math.inf:
        return Budget(seconds=float(match[2]))
    raise SpecError(f"cannot read the budget of player '{player}'; write @1000 for simulations or @2.5s for time")
