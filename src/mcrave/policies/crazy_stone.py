"""Crazy Stone's selection (Gelly & Silver §3.6; Coulom 2006)."""

from __future__ import annotations

import math

from mcrave.policies.base import SQUARES, UNTRIED, TreePolicy

MOST = 0.25  # the largest variance that outcomes in [0, 1] can have


class CrazyStone(TreePolicy, name="crazy_stone"):
    """The probability that a move's true value beats the best move's mean, both Gaussian.

    Moves should be drawn in proportion to u(a) = exp(−2.4 (μ₀ − μ_a) / √(2 (σ₀² + σ_a²))) + ε (Coulom 2006), where
    0 is the best move. Selection here is by argmax like everywhere else: the move whose count lags most behind its
    share, u(a) / N(s,a), which spreads the visits in the same proportion without drawing lots. ε is `floor`. A
    variance is that of the outcomes with one virtual outcome of the largest variance added, over the count.
    """

    floor: float = 1e-3

    def needs(policy):
        """Squared outcomes, for the variance."""
        return SQUARES

    def prepare(policy, total, n, w, squares):
        """The mean and variance of the best move."""
        best, spread = -1.0, MOST
        for i in range(n.shape[0]):
            if n[i] > 0.0 and w[i] / n[i] > best:
                best = w[i] / n[i]
                spread = (max(squares[i] - w[i] * w[i] / n[i], 0.0) + MOST) / ((n[i] + 1.0) * n[i])
        return best, spread

    def score(policy, node, edge):
        """The share that the move still lacks."""
        if edge.n <= 0.0:
            return UNTRIED
        q = edge.w / edge.n
        spread = (max(edge.squares - edge.w * q, 0.0) + MOST) / ((edge.n + 1.0) * edge.n)
        urgency = math.exp(-2.4 * (node.aid - q) / math.sqrt(2.0 * (node.other + spread))) + policy.floor
        return urgency / edge.n
