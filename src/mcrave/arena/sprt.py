"""A sequential test that stops a match as soon as the answer is clear: the pentanomial GSPRT, as fishtest has it.

H₀: the first player is `elo0` better; H₁: it is `elo1` better. A pair of games (same opening, both colours) gives
0, ½, 1, 1½ or 2 points; pairs are independent, the two games of a pair are not. With N pairs, shares p̂ᵢ of the
five results and their mean scores aᵢ = 0, ¼, ½, ¾, 1, the generalised log likelihood ratio is

    LLR = N Σ p̂ᵢ log(p¹ᵢ / p⁰ᵢ),

where pʰ is the distribution that makes the observations most likely among those with mean sₕ = 1/(1 + 10^(−eloₕ/400)):

    pʰᵢ = p̂ᵢ / (1 + θ (aᵢ − sₕ)),   with θ such that   Σ p̂ᵢ (aᵢ − sₕ) / (1 + θ (aᵢ − sₕ)) = 0.

The test ends when the LLR leaves (log(β/(1 − α)), log((1 − β)/α)): α and β bound the chance to accept the wrong
hypothesis (Wald 1945), for the LLR of a large sample (Van den Bergh, "A practical introduction to the GSPRT").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mcrave.arena.statistics import rate_of
from mcrave.errors import Error

RESULTS = 5
FLOOR = 1e-3  # a result never seen yet counts as this much of a pair, so that no likelihood is zero
LEAST = 4
"""Pairs before which nothing is decided: the variance is not known yet."""


@dataclass(frozen=True)
class Sprt:
    """The two hypotheses and the chances of error.

    >>> test = Sprt(0.25, 1.75)
    >>> round(test.llr([11, 407, 3238, 513, 11]), 2), [round(bound, 2) for bound in test.bounds]
    (2.93, [-2.94, 2.94])
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Check."""
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise Error(f"a test needs two differences in Elo, the smaller one first, not {self.elo0:g},{self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise Error(f"the chances of error must lie between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Where H₀ and H₁ are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[float]) -> float:
        """The log likelihood ratio for the numbers of pairs with 0, ½, 1, 1½ and 2 points."""
        seen = np.maximum(np.asarray(counts, float), FLOOR)
        if sum(counts) == 0:
            return 0.0
        shares = seen / seen.sum()
        scores = np.linspace(0.0, 1.0, len(seen))
        logs = [_log_tilt(shares, scores - rate_of(elo)) for elo in (self.elo0, self.elo1)]
        return float(seen.sum() * (shares @ (logs[0] - logs[1])))

    def verdict(self, counts: Sequence[float]) -> str:
        """`H0` or `H1` if that is accepted, else the empty text: go on."""
        if sum(counts) < LEAST:
            return ""
        llr, (low, high) = self.llr(counts), self.bounds
        return "H1" if llr >= high else "H0" if llr <= low else ""


def _log_tilt(shares: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """log(1 + θ dᵢ) for the θ at which the tilted distribution has mean deviation 0."""
    from scipy.optimize import brentq  # takes a while to import, and only a test needs it

    low, high = -1 / deviations.max(), -1 / deviations.min()
    margin = 1e-10 * (high - low)  # at the ends a probability would be infinite

    def mean(theta: float) -> float:
        return float(shares @ (deviations / (1 + theta * deviations)))

    theta = brentq(mean, low + margin, high - margin, xtol=1e-13)
    tilt: np.ndarray = np.log1p(theta * deviations)
    return tilt


def pair_counts(rounds: Sequence[Sequence[float]]) -> list[int]:
    """How many complete pairs gave 0, ½, 1, 1½ and 2 points.

    >>> pair_counts([[1.0, 1.0], [0.5, 1.0], [0.0, 1.0], [1.0]])
    [0, 0, 1, 1, 1]
    """
    counts = [0] * RESULTS
    for scores in rounds:
        if len(scores) == 2:
            counts[round(2 * sum(scores))] += 1
    return counts


def first_verdict(test: Sprt, rounds: Sequence[Sequence[float]]) -> tuple[str, int]:
    """The verdict of the shortest sequence of pairs that has one, and its length; all pairs if none has.

    >>> first_verdict(Sprt(0, 100), [[1.0, 1.0]] * 50)[0]
    'H1'
    """
    counts = [0] * RESULTS
    for length, scores in enumerate(rounds, 1):
        if len(scores) < 2:
            return "", length - 1
        counts[round(2 * sum(scores))] += 1
        if verdict := test.verdict(counts):
            return verdict, length
    return "", len(rounds)
