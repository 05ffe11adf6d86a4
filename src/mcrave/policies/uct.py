"""UCT (Gelly & Silver §2.5, Algorithm 1; Kocsis & Szepesvári 2006)."""

from __future__ import annotations

import math

from mcrave.policies.base import UNTRIED, TreePolicy


class Uct(TreePolicy, name="uct"):
    """Eq. 7: Q⊕(s,a) = Q(s,a) + c √(log N(s) / N(s,a)).

    c is `c`. Moves not yet tried come first, unless `urgency` says what one is worth: MoGo's first-play urgency, so
    that good moves are tried again before all others were. GRAVE's experiments use c = 0.4.
    """

    c: float = 0.4
    urgency: float = UNTRIED

    def score(policy, node, edge):
        """Eq. 7; `node.aid` is log N(s)."""
        if edge.n <= 0.0:
            return policy.urgency
        return edge.w / edge.n + policy.c * math.sqrt(node.aid / edge.n)
