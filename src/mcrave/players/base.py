"""What a player is, and how its text is read.

A player is written `NAME` or `NAME@BUDGET`: a budget is a number of simulations (`@1000`) or seconds (`@2.5s`)
for each move. A file adds a player by `register`; its text is then understood by every command.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from mcrave.errors import SpecError
from mcrave.games import Position


class Player(Protocol):
    """Whoever chooses moves."""

    name: str
    """The text form."""
    estimate: float | None
    """The result the player expects from its last choice, 1 won to 0 lost; None if it has no opinion."""

    def choose(self, position: Position) -> int:
        """The number of a legal move."""
        ...


class Budget(NamedTuple):
    """How much a player may think about one move: simulations, or else seconds."""

    simulations: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        """As it stands behind the @."""
        return f"{self.simulations}" if self.simulations else f"{self.seconds:g}s"


Make = Callable[[Budget | None, int], Player]


class _Kind(NamedTuple):
    make: Make
    example: str
    about: str


_kinds: dict[str, _Kind] = {}


def register(name: str, make: Make, example: str, about: str) -> None:
    """Let `name` or `name@budget` stand for `make(budget or None, seed)`."""
    _kinds[name] = _Kind(make, example, about)


def known_players() -> dict[str, str]:
    """An example of each kind of player, and what it is.

    >>> list(known_players())
    ['monte_carlo@1000', 'random']
    """
    return {kind.example: kind.about for _, kind in sorted(_kinds.items())}


def parse_player(text: str, seed: int = 1) -> Player:
    """The player with that text form; the same seed gives the same moves.

    >>> parse_player("monte_carlo@200").name
    'monte_carlo@200'
    >>> parse_player("montecarlo")
    Traceback (most recent call last):
    mcrave.errors.SpecError: unknown player 'montecarlo'; known: monte_carlo@1000, random
    """
    name, at, budget = text.strip().partition("@")
    kind = _kinds.get(name.strip().lower())
    if kind is None:
        raise SpecError(f"unknown player '{text.strip()}'; known: {', '.join(known_players())}")
    return kind.make(_read_budget(budget, text) if at else None, seed)


def _read_budget(budget: str, text: str) -> Budget:
    match = re.fullmatch(r"\s*(?:(\d{1,12})|(\d+(?:\.\d*)?|\.\d+)\s*s)\s*", budget, re.ASCII)
    if match and match[1] and int(match[1]) > 0:
        return Budget(simulations=int(match[1]))
    if match and match[2] and 0 < float(match[2]) < math.inf:
        return Budget(seconds=float(match[2]))
    raise SpecError(f"cannot read the budget of player '{text.strip()}'; write @1000 for simulations or @2.5s for time")
