"""How long to think about a move.

Time comes in three forms: `absolute`, so many seconds for all moves; `canadian`, then so many seconds for so many
stones, again and again; `byoyomi`, then so many periods of so many seconds, of which one is lost whenever a move takes
longer. A clock never changes: what happens to it gives another one.

The time for a move is the main time over the moves that are still expected, so that early moves get more; never more
than what is left, less a margin for the way to the other side and back (`lag`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

Kind = Literal["none", "absolute", "canadian", "byoyomi"]

LENGTH = 0.35  # own moves of a whole game, as a share of the board's points
LEAST_LEFT = 0.1  # own moves that are expected at any time, likewise
LONGER = 2.0  # how much longer an unsettled move may take
SHARE = 0.25  # of the main time that one move may take
HURRY = 0.005  # seconds for a move when there are none


class TimeLimit(NamedTuple):
    """What was agreed upon."""

    kind: Kind = "none"
    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    """Stones in a period (canadian), or periods (byoyomi)."""


class TimeLeft(NamedTuple):
    """What a player has left."""

    seconds: float
    """Of the main time, or of the period."""
    stones: int = 0
    """Stones or periods left; 0 in the main time."""


class Allowance(NamedTuple):
    """For one move."""

    seconds: float
    """To think if all is as usual."""
    most: float
    """To think if it is unclear what is best."""


NO_LIMIT = TimeLimit()
NOTHING = TimeLeft(0.0)


@dataclass(frozen=True)
class Clock:
    """Both players' time.

    >>> clock = Clock.start(TimeLimit("byoyomi", 60, 10, 5))
    >>> clock.allowance(0, points=81, moves=0, lag=0.5).seconds < clock.left[0].seconds / 4
    True
    >>> clock.spend(0, 75.0).left[0]
    TimeLeft(seconds=10, stones=4)
    """

    limit: TimeLimit = NO_LIMIT
    left: tuple[TimeLeft, TimeLeft] = (NOTHING, NOTHING)

    @classmethod
    def start(cls, limit: TimeLimit) -> Clock:
        """Both players with all their time."""
        full = TimeLeft(limit.main) if limit.main > 0 or limit.kind == "absolute" else TimeLeft(*limit[2:])
        return cls(limit, (full, full))

    def tell(self, player: int, seconds: float, stones: int) -> Clock:
        """What the other side says is left; nothing, where no time was agreed upon, means no limit."""
        if self.limit.kind == "none":
            return Clock.start(TimeLimit("absolute", seconds)) if seconds > 0 else self
        return self._with(player, TimeLeft(max(seconds, 0.0), max(stones, 0)))

    def spend(self, player: int, seconds: float) -> Clock:
        """The clock after a move took so long."""
        limit, (had, stones) = self.limit, self.left[player]
        if limit.kind == "none":
            return self
        rest = had - seconds
        if stones == 0:  # in the main time
            if rest > 0 or limit.kind == "absolute" or limit.period <= 0:
                return self._with(player, TimeLeft(max(rest, 0.0)))
            rest, stones = rest + limit.period, limit.stones
        if limit.kind == "byoyomi":
            lost = 1 + int(-rest // limit.period) if rest <= 0 else 0
            return self._with(player, TimeLeft(limit.period, max(stones - lost, 1)))
        left = TimeLeft(limit.period, limit.stones) if stones <= 1 else TimeLeft(max(rest, 0.0), stones - 1)
        return self._with(player, left)

    def _with(self, player: int, left: TimeLeft) -> Clock:
        return replace(self, left=(left, self.left[1]) if player == 0 else (self.left[0], left))

    def allowance(self, player: int, points: int, moves: int, lag: float, beside: float = 0.0) -> Allowance | None:
        """The time to think about a player's next move on a board of so many points after so many moves; None for any.

        Every move takes some time `beside` thinking.
        """
        limit, (seconds, stones) = self.limit, self.left[player]
        if limit.kind == "none":
            return None
        usable = max(seconds - lag, 0.0)
        if stones:  # a period runs
            aim = _less(usable if limit.kind == "byoyomi" else usable / stones, beside)
            return Allowance(max(aim, HURRY), max(aim, HURRY))
        expected = max(points * LEAST_LEFT, points * LENGTH - moves / 2, 1.0)
        share = 1 if limit.kind == "byoyomi" else max(limit.stones, 1)
        later = max(limit.period - lag, 0.0) / share if limit.period > 0 else 0.0
        aim = max(_less(min(max(usable / expected, later), usable), beside), HURRY)
        return Allowance(aim, max(aim, min(LONGER * aim, SHARE * usable)))


def _less(seconds: float, beside: float) -> float:
    """What is left to think; some of it always, as there is no telling how long the next move takes beside that."""
    return max(seconds - beside, seconds / 4)


NO_CLOCK = Clock()
