"""Progressive pruning (Bouzy; Gelly & Silver §3.5): moves that are clearly worse are not tried any more."""

from __future__ import annotations

import math

from mcrave.kernel import dispatched, jit
from mcrave.specs import Spec

LEAST = 20.0  # visits before a move can be judged


@dispatched
def prune(pruning, n, w, scores):
    """Lower the scores of moves that are clearly worse."""


class Pruning(Spec):
    """A move is left out if its mean is below the best move's by so many standard deviations of both.

    Outcomes count as Bernoulli, so that a mean q of n has the deviation √(q (1 − q) / n). A pruned move comes back
    if the best move falls: nothing is dropped for good.
    """

    deviations: float = 2.0

    def prune(pruning, n, w, scores):
        """Far below what any policy gives."""
        best = -1.0
        for i in range(n.shape[0]):
            if n[i] >= LEAST:
                best = max(best, w[i] / n[i] - pruning.deviations * deviation(n[i], w[i]))
        for i in range(n.shape[0]):
            if n[i] >= LEAST and w[i] / n[i] + pruning.deviations * deviation(n[i], w[i]) < best:
                scores[i] -= 1e9


@jit
def deviation(n, w):
    """The standard deviation of the mean w / n."""
    q = min(max(w / n, 0.0), 1.0)
    return math.sqrt(q * (1.0 - q) / n)
