"""What the results of a match say: a rate with its interval, and Elo.

Symbols: n games, x points (a draw is half a point), p = x / n, z = 1.96 for 95%.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

LEVEL = 0.95
RESAMPLES = 4000
SCALE = 400 / math.log(10)  # Elo per unit of log odds


class Elo(NamedTuple):
    """A difference in Elo with its 95% interval; infinite where one side won everything."""

    value: float
    low: float
    high: float


def wilson(points: float, games: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval for a rate (Wilson 1927).

    The rates p₀ at which (p − p₀)² = z² p₀(1 − p₀)/n: the centre is (p + z²/2n)/(1 + z²/n), the half width
    z/(1 + z²/n) · √(p(1 − p)/n + z²/4n²).

    >>> tuple(round(end, 4) for end in wilson(81, 263))
    (0.2553, 0.3662)
    """
    if games == 0:
        return 0.0, 1.0
    z, p = NormalDist().inv_cdf(0.5 + level / 2), points / games
    spread = z * z / games
    centre = (p + spread / 2) / (1 + spread)
    half = math.sqrt(spread * p * (1 - p) + spread * spread / 4) / (1 + spread)
    return (0.0 if points == 0 else max(0.0, centre - half)), (1.0 if points == games else min(1.0, centre + half))


def elo_of(rate: float, players: int = 2) -> float:
    """The difference in Elo that a rate means: 400 log₁₀(p / (1 − p)).

    With more players it is the lead over each of the others, all equal: P(win) = 1 / (1 + (players − 1) 10^(−Elo/400)).

    >>> round(elo_of(0.64), 1), elo_of(0.5), round(elo_of(0.5, players=3), 1)
    (100.0, 0.0, 120.4)
    """
    if rate <= 0.0 or rate >= 1.0:
        return -math.inf if rate <= 0.0 else math.inf
    return SCALE * (math.log(rate / (1 - rate)) + math.log(players - 1))


def rate_of(elo: float) -> float:
    """The rate between two players that a difference in Elo means.

    >>> round(rate_of(100), 4)
    0.6401
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo(rounds: Sequence[Sequence[float]], players: int = 2, seed: int = 1) -> Elo:
    """Elo with a bootstrap interval over rounds.

    A round holds the scores of games from the same opening; they depend on each other, so whole rounds are drawn,
    with replacement (Efron's percentile interval). If one side won everything, the bootstrap says nothing, and
    the finite end is that of Wilson's interval.

    >>> elo([[1.0, 0.0]] * 10)
    Elo(value=0.0, low=0.0, high=0.0)
    """
    points = np.array([sum(scores) for scores in rounds])
    games = np.array([len(scores) for scores in rounds])
    if games.sum() == 0:
        return Elo(0.0, -math.inf, math.inf)
    rate = float(points.sum() / games.sum())
    if rate in (0.0, 1.0):
        low, high = wilson(float(points.sum()), int(games.sum()))
        return Elo(elo_of(rate, players), elo_of(low, players), elo_of(high, players))
    kinds, counts = np.unique(np.stack([points, games]), axis=1, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(counts.sum(), counts / counts.sum(), RESAMPLES)
    rates = (drawn @ kinds[0]) / (drawn @ kinds[1])
    low, high = np.quantile(rates, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Elo(elo_of(rate, players), elo_of(float(low), players), elo_of(float(high), players))


def duplicates(games: Iterable[str]) -> int:
    """How many games repeat the moves of an earlier one: they are no new evidence.

    >>> duplicates(["a1 b2", "a1 b3", "a1 b2", "a1 b2"])
    2
    """
    return sum(count - 1 for count in Counter(games).values())
