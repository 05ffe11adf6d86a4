"""Flat Monte-Carlo (Gelly & Silver §2.3): only the root's moves are kept."""

from __future__ import annotations

import math

from mcrave.policies.base import UNTRIED, TreePolicy


class MonteCarlo(TreePolicy, name="monte_carlo"):
    """Eq. 3 at the root; all moves are sampled equally often, or by UCB1 if `ucb1` is above 0.

    `ucb1` is the constant c of Eq. 7.
    """

    ucb1: float = 0.0

    def depth_limit(policy):
        """Nothing below the root is kept."""
        return 0

    def score(policy, node, edge):
        """The least sampled move, or UCB1's."""
        if edge.n <= 0.0:
            return UNTRIED
        if policy.ucb1 <= 0.0:
            return -edge.n
        return edge.w / edge.n + policy.ucb1 * math.sqrt(node.aid / edge.n)
