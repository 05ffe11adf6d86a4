"""UCB1-tuned in the tree (Auer et al. 2002; used by MoGo, Gelly et al. 2006)."""

from __future__ import annotations

import math

from mcrave.policies.base import SQUARES, UNTRIED, TreePolicy


class Ucb1Tuned(TreePolicy, name="ucb1_tuned"):
    """Q(s,a) + c √(log N(s) / N(s,a) · min(¼, V(s,a))).

    V(s,a) = σ²(s,a) + √(2 log N(s) / N(s,a)) bounds the variance of the outcomes from above; ¼ is the most that
    outcomes in [0, 1] can have.
    """

    c: float = 1.0

    def needs(policy):
        """Squared outcomes, for the variance."""
        return SQUARES

    def score(policy, node, edge):
        """UCB1-tuned."""
        if edge.n <= 0.0:
            return UNTRIED
        q = edge.w / edge.n
        bound = max(edge.squares / edge.n - q * q, 0.0) + math.sqrt(2.0 * node.aid / edge.n)
        return q + policy.c * math.sqrt(node.aid / edge.n * min(0.25, bound))
