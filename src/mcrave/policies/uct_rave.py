"""UCT–RAVE (Gelly & Silver §4.4)."""

from __future__ import annotations

import math

from mcrave.policies._schedules import Hand, Schedule, beta, blend
from mcrave.policies.base import AMAF, UNTRIED, TreePolicy


class UctRave(TreePolicy, name="uct_rave"):
    """Eq. 18: Q⋆(s,a) + c √(log N(s) / N(s,a)).

    As in UCT a move not yet tried comes first, whatever its AMAF value: the bonus is infinite there. §5.2 found c =
    0 best, which is MC–RAVE but for that.
    """

    c: float = 0.4
    schedule: Schedule = Hand()

    def needs(policy):
        """AMAF of the mover's legal moves."""
        return AMAF

    def score(policy, node, edge):
        """Eq. 18; `node.aid` is log N(s)."""
        if edge.n <= 0.0 and policy.c > 0.0:
            return UNTRIED
        value = blend(policy.schedule, node.total, edge)
        return value + policy.c * math.sqrt(node.aid / edge.n) if edge.n > 0.0 else value

    def weight(policy, node, edge):
        """β of Eq. 12."""
        return beta(policy.schedule, node.total, edge.n, edge.w, edge.an, edge.aw)
