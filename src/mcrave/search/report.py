"""What a search found, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class MoveReport:
    """The statistics of one move at the root."""

    move: str
    visits: int
    """Simulations that began with this move."""
    value: float
    """Q(s,a), the mean outcome for the player to move, the prior included; 0 if nothing is known."""
    amaf_visits: float
    """Ñ(s,a), the prior included; 0 for policies without AMAF values."""
    amaf_value: float
    """Q̃(s,a)."""
    beta: float
    """The weight of the AMAF value."""
    prior: float
    """The prior count of the move, C(s,a)."""
    score: float
    """What the tree policy makes of it."""
    proven: float | None = None
    """The exact outcome, where the search proved it (`Options.solve`)."""


@dataclass(frozen=True)
class Report:
    """What a search found; `moves` is sorted by visits."""

    game: str
    best: str | None
    """The chosen move; None if the game is over."""
    moves: list[MoveReport]
    value: float
    """The mean of the moves' values by their visits, for the player to move: without prior, of all outcomes."""
    pv: list[str]
    """The principal variation: the most visited move at every node."""
    simulations: int
    """How many simulations this run added."""
    seconds: float
    nodes: int
    owners: dict[str, list[float]] = field(default_factory=dict)
    """For every point the share of simulations at whose end each player owned it (`Options.ownership`)."""

    def to_json(self) -> str:
        """Everything as JSON text.

        >>> Report("nim()", None, [], 0.5, [], 0, 0.0, 0).to_json()[:20]
        '{"game": "nim()", "b'
        """
        return json.dumps(asdict(self))
