"""What came of a contest: points, intervals, Elo, forfeits, duplicates."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mcrave.arena import statistics
from mcrave.arena.records import Record
from mcrave.arena.schedule import Contest
from mcrave.arena.sprt import Sprt, first_verdict, pair_counts
from mcrave.arena.statistics import Elo


@dataclass(frozen=True)
class MatchResult:
    """The games of a contest, and what they say about its first player.

    >>> from mcrave.arena.schedule import contest
    >>> c = contest("nim", ["uct@10", "random"])
    >>> games = [Record(c.key, n, 0, c.seats(n), (1.0, 0.0), "rules") for n in range(4)]
    >>> result = MatchResult(c, games)
    >>> result.rate, result.wins, result.losses
    (0.5, 2, 2)
    """

    contest: Contest
    records: Sequence[Record]
    """By number; with a test that has ended, only the games up to its end."""
    test: Sprt | None = None
    complete: bool = True
    """False if Ctrl-C came first."""

    @property
    def games(self) -> int:
        """How many were played."""
        return len(self.records)

    @cached_property
    def scores(self) -> list[float]:
        """The first player's results."""
        return [record.score() for record in self.records]

    @property
    def points(self) -> float:
        """Wins, and half of the draws."""
        return math.fsum(self.scores)

    @property
    def wins(self) -> int:
        """Games won outright."""
        return sum(score == 1.0 for score in self.scores)

    @property
    def losses(self) -> int:
        """Games without a point."""
        return sum(score == 0.0 for score in self.scores)

    @property
    def draws(self) -> int:
        """Games whose point was shared."""
        return self.games - self.wins - self.losses

    @property
    def rate(self) -> float:
        """The first player's share of the points, a draw being half a point; NaN without games."""
        return self.points / self.games if self.games else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the rate."""
        return statistics.wilson(self.points, self.games)

    @cached_property
    def elo(self) -> Elo:
        """The lead in Elo, with a 95% interval by bootstrap over pairs."""
        return statistics.elo(self.rounds, len(self.contest.players))

    @cached_property
    def rounds(self) -> list[list[float]]:
        """The scores of each round."""
        found: dict[int, list[float]] = {}
        for record, score in zip(self.records, self.scores, strict=True):
            found.setdefault(self.contest.round(record.number), []).append(score)
        return [found[number] for number in sorted(found)]

    @property
    def pairs(self) -> list[int]:
        """How many pairs gave 0, ½, 1, 1½ and 2 points."""
        return pair_counts(self.rounds) if len(self.contest.players) == 2 else []

    @property
    def verdict(self) -> str:
        """What the test accepts: `H0`, `H1`, or nothing yet."""
        return first_verdict(self.test, self.rounds)[0] if self.test else ""

    @property
    def endings(self) -> dict[str, int]:
        """How the games ended, and how often each way."""
        return dict(Counter(record.ending for record in self.records).most_common())

    @property
    def forfeits(self) -> dict[tuple[str, str], int]:
        """How often each player forfeited, and why."""
        found = Counter(
            (self.contest.players[record.seats[record.loser]], record.ending)
            for record in self.records
            if record.is_forfeit
        )
        return dict(sorted(found.items()))

    @property
    def duplicates(self) -> int:
        """How many games repeat an earlier one."""
        return statistics.duplicates(record.moves for record in self.records)

    @property
    def by_seat(self) -> list[tuple[float, int]]:
        """Points and games of the first player in each seat."""
        table = [[0.0, 0] for _ in self.contest.players]
        for record, score in zip(self.records, self.scores, strict=True):
            place = table[record.seats.index(0)]
            place[0] += score
            place[1] += 1
        return [(points, int(games)) for points, games in table]

    @property
    def overhead(self) -> float:
        """The time beside the players' thinking, as a share of it."""
        thinking = math.fsum(math.fsum(record.thinking) for record in self.records)
        return math.fsum(record.wall for record in self.records) / thinking - 1 if thinking else 0.0

    @property
    def length(self) -> float:
        """The mean number of moves."""
        return sum(len(record.moves.split()) for record in self.records) / self.games if self.games else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values; what is infinite becomes None."""
        low, high = self.interval
        said: dict[str, Any] = {
            "game": self.contest.game,
            "players": list(self.contest.players),
            "seed": self.contest.seed,
            "games": self.games,
            "complete": self.complete,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "rate": _finite(self.rate),
            "interval": [low, high],
            "elo": {name: _finite(value) for name, value in self.elo._asdict().items()},
            "pairs": self.pairs,
            "by_seat": [{"points": points, "games": games} for points, games in self.by_seat],
            "endings": self.endings,
            "forfeits": [{"player": who, "reason": why, "games": n} for (who, why), n in self.forfeits.items()],
            "duplicates": self.duplicates,
            "moves": self.length,
            "seconds": math.fsum(record.wall for record in self.records),
            "overhead": self.overhead,
            "key": self.contest.key,
        }
        if self.test is not None:
            low, high = self.test.bounds
            said["sprt"] = {
                "elo0": self.test.elo0,
                "elo1": self.test.elo1,
                "llr": self.test.llr(self.pairs),
                "bounds": [low, high],
                "verdict": self.verdict or None,
            }
        return said

    def to_json(self) -> str:
        """`as_dict` as text."""
        return json.dumps(self.as_dict())

    def __str__(self) -> str:
        """The result in a line."""
        low, high = self.interval
        return (
            f"{self.contest.players[0]}: {100 * self.rate:.1f} % of {self.games} games "
            f"({100 * low:.1f} to {100 * high:.1f}), {self.wins} won, {self.draws} drawn, {self.losses} lost, "
            f"Elo {elo_text(self.elo)}"
        )


def elo_text(elo: Elo) -> str:
    """Elo with its interval.

    >>> elo_text(Elo(12.3, -4.0, 30.2)), elo_text(Elo(math.inf, 200.0, math.inf))
    ('+12 (-4 to +30)', '+∞ (+200 to +∞)')
    """
    value, low, high = (f"{x:+.0f}" if math.isfinite(x) else ("+∞" if x > 0 else "-∞") for x in elo)
    return f"{value} ({low} to {high})"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
