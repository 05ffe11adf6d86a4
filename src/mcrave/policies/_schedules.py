"""Schedules: how much weight β the AMAF value gets beside the Monte-Carlo value (Gelly & Silver §4.5–4.6).

All are weights of `(1 − β) Q + β Q̃` (Eq. 12), functions of N(s), n = N(s,a) and ñ = Ñ(s,a).
"""

from __future__ import annotations

import math

from mcrave.kernel import dispatched
from mcrave.policies._combined import combined, combined_by_bias, weight_by_bias
from mcrave.specs import Spec


@dispatched
def beta(schedule, total, n, w, an, aw):
    """The weight of the AMAF value, in [0, 1]."""


@dispatched
def blend(schedule, total, edge):
    """Q⋆ (Eq. 12) under the schedule."""
    return combined(beta(schedule, total, edge.n, edge.w, edge.an, edge.aw), edge)


class Schedule(Spec, kind="schedule"):
    """A schedule; subclass it with a name to add one."""


class Hand(Schedule, name="hand"):
    """Eq. 19, hand-selected: β = √(k / (3 N(s) + k)); β = ½ at N(s) = k (Eq. 20–22).

    With `by_move`, N(s,a) stands in place of N(s): a move that was tried seldom keeps its AMAF value.
    """

    k: float = 1000.0
    by_move: bool = False

    def beta(schedule, total, n, w, an, aw):
        """Eq. 19."""
        visits = n if schedule.by_move else total
        return math.sqrt(schedule.k / (3.0 * visits + schedule.k))


class MinMse(Schedule, name="min_mse"):
    """Eq. 47, minimum mean squared error with a constant bias b̃: β = ñ / (n + ñ + 4 n ñ b̃²)."""

    bias: float = 0.1

    def beta(schedule, total, n, w, an, aw):
        """Eq. 47; 0 where nothing is known."""
        return weight_by_bias(4.0 * schedule.bias * schedule.bias, n, an)

    def blend(schedule, total, edge):
        """In one division."""
        return combined_by_bias(4.0 * schedule.bias * schedule.bias, edge)


class MinMseValue(Schedule, name="min_mse_value"):
    """Eq. 46: as Eq. 47 with the variance μ⋆(1 − μ⋆) of the move in place of ¼.

    The paper leaves open where μ⋆, the combined value, comes from, since it depends on β in turn. Here it is the
    pooled mean (w + w̃) / (n + ñ), kept within [0.01, 0.99] so that a move that always won keeps a finite bias
    term.
    """

    bias: float = 0.1

    def beta(schedule, total, n, w, an, aw):
        """Eq. 46."""
        mean = min(max((w + aw) / max(n + an, 1e-300), 0.01), 0.99)
        return an / max(n + an + n * an * schedule.bias * schedule.bias / (mean * (1.0 - mean)), 1e-300)


class Learnt(Schedule, name="learnt"):
    """Eq. 47 with a bias that was learnt (§4.6.2): b̃² = (`level` + `slope` x + `curve` x²)² + `rest`², x = Q̃(s,a) − ½.

    `mcrave learn bias GAME` fits the line to AMAF − Monte-Carlo values after many simulations; `rest` is what it does
    not explain. The defaults are for Go on 9×9 with the playouts `mogo()`.
    """

    level: float = 0.04148
    slope: float = -0.004273
    curve: float = -0.173269
    rest: float = 0.070366

    def beta(schedule, total, n, w, an, aw):
        """Eq. 47; 0 where nothing is known."""
        x = aw / max(an, 1e-300) - 0.5
        error = schedule.level + x * (schedule.slope + x * schedule.curve)
        return weight_by_bias(4.0 * (error * error + schedule.rest * schedule.rest), n, an)


class Bias(Schedule, name="bias"):
    """GRAVE §2: β = p̃ / (p̃ + p + bias · p̃ · p); Eq. 47 with bias = 4 b̃²."""

    bias: float = 1e-3

    def beta(schedule, total, n, w, an, aw):
        """The same form with another constant."""
        return weight_by_bias(schedule.bias, n, an)

    def blend(schedule, total, edge):
        """In one division."""
        return combined_by_bias(schedule.bias, edge)


class Fixed(Schedule, name="fixed"):
    """The same weight everywhere: 0 is plain Monte-Carlo, 1 is AMAF."""

    weight: float = 0.0

    def beta(schedule, total, n, w, an, aw):
        """No schedule at all."""
        return schedule.weight
