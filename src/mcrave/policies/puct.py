"""PUCT (Rosin 2011, in the form of Silver et al. 2016): exploration in proportion to a prior."""

from __future__ import annotations

import math

from mcrave.policies.base import SHARES, TreePolicy


class Puct(TreePolicy, name="puct"):
    """Q(s,a) + c P(s,a) √N(s) / (1 + N(s,a)).

    P(s,a) is the prior's value H(s,a) divided by the sum over the node's moves; without a prior all are equal. A move
    not yet tried has Q = `urgency`.
    """

    c: float = 1.0
    urgency: float = 0.5

    def needs(policy):
        """The prior's values as probabilities."""
        return SHARES

    def prepare(policy, total, n, w, squares):
        """√N(s)."""
        return math.sqrt(total), 0.0

    def score(policy, node, edge):
        """Mean and exploration."""
        q = edge.w / edge.n if edge.n > 0.0 else policy.urgency
        return q + policy.c * edge.share * node.aid / (1.0 + edge.n)
