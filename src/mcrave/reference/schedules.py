"""Schedules: the weight β(s,a) of the AMAF value beside the Monte-Carlo value (Gelly & Silver §4.5–4.6).

A schedule is a function of N(s), n = N(s,a), w = n · Q(s,a), ñ = Ñ(s,a) and w̃ = ñ · Q̃(s,a), here `an` and `aw`. It is
asked only where both values are known, n > 0 and ñ > 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable

Schedule = Callable[[float, float, float, float, float], float]


def hand(k: float = 1000.0, by_move: bool = False) -> Schedule:
    """Hand-selected (Eq. 19): both values weigh the same after k simulations from s (Eq. 20–22), or through a.

    >>> hand(k=100.0)(100.0, 9.0, 5.0, 80.0, 40.0)
    0.5
    """
    return lambda total, n, w, an, aw: math.sqrt(k / (3.0 * (n if by_move else total) + k))


def min_mse(bias: float = 0.1) -> Schedule:
    """The least mean squared error if AMAF values are off by b̃ (Eq. 47); EVAL of Algorithm 2.

    >>> min_mse(bias=0.5)(3.0, 1.0, 1.0, 2.0, 0.0)
    0.4
    """
    return lambda total, n, w, an, aw: an / (n + an + 4.0 * n * an * bias**2)


def min_mse_value(bias: float = 0.1) -> Schedule:
    """The same with the variance of a move worth μ⋆ (Eq. 46).

    μ⋆ depends on β, and the paper does not say how to break the circle: it is the mean of all outcomes here, those
    of AMAF included, kept 0.01 away from 0 and 1.

    >>> min_mse_value(bias=0.5)(3.0, 1.0, 0.5, 2.0, 1.0)
    0.4
    """

    def beta(total: float, n: float, w: float, an: float, aw: float) -> float:
        mean = min(max((w + aw) / (n + an), 0.01), 0.99)
        return an / (n + an + n * an * bias**2 / (mean * (1.0 - mean)))

    return beta


def learnt(level: float = 0.0, slope: float = 0.0, curve: float = 0.0, rest: float = 0.0) -> Schedule:
    """Eq. 47 with b̃ predicted from the AMAF value (§4.6.2), and what the prediction leaves open.

    >>> learnt(level=0.3, rest=0.4)(3.0, 1.0, 1.0, 2.0, 1.0) == min_mse(bias=0.5)(3.0, 1.0, 1.0, 2.0, 1.0)
    True
    """

    def beta(total: float, n: float, w: float, an: float, aw: float) -> float:
        x = aw / an - 0.5
        squared = (level + slope * x + curve * x**2) ** 2 + rest**2
        return an / (n + an + 4.0 * n * an * squared)

    return beta


def cazenave(bias: float = 1e-3) -> Schedule:
    """GRAVE §2: p̃ / (p̃ + p + bias · p̃ · p), which is Eq. 47 with bias = 4 b̃².

    >>> cazenave(bias=1.0)(3.0, 1.0, 1.0, 2.0, 0.0)
    0.4
    """
    return lambda total, n, w, an, aw: an / (an + n + bias * an * n)


def fixed(weight: float = 0.0) -> Schedule:
    """No schedule: 0 leaves Monte-Carlo values alone, 1 AMAF values."""
    return lambda total, n, w, an, aw: weight
