"""What a player is, and how much it may think."""

from __future__ import annotations

import math
import re
from typing import NamedTuple, Protocol

import numpy as np

from mcrave.errors import Error, SpecError
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

    def new_game(self, seed: int, seconds: float = 0.0) -> None:
        """Forget the last game; the same seed gives the same moves. `seconds` is the most for a move, 0 for no limit.

        A player that was not prepared yet only notes the seed. What goes wrong is a `Forfeit`.
        """
        ...

    def choose(self, position: Position) -> int:
        """The number of a legal move; `Forfeit` or `Resigned` if there is none."""
        ...

    def close(self) -> None:
        """Give back what is held, as memory or a process."""
        ...


class Forfeit(Error):
    """A player cannot go on with a game; `reason` is one of a few words, the text tells what happened."""

    def __init__(self, reason: str, text: str) -> None:
        """For example `Forfeit("time", "no answer to genmove within 10 s")`."""
        super().__init__(text)
        self.reason = reason


class Resigned(Error):
    """A player gives the game up."""


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
