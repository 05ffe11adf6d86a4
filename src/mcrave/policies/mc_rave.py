"""MC–RAVE (Gelly & Silver §4.3; with a prior, Algorithm 2)."""

from __future__ import annotations

from mcrave.policies._schedules import Hand, Schedule, beta, blend
from mcrave.policies.base import AMAF, TreePolicy


class McRave(TreePolicy, name="mc_rave"):
    """Eq. 12: argmax (1 − β) Q(s,a) + β Q̃(s,a), with β by a schedule.

    Moves about which only one value is known are judged by that value alone; moves without any come first.
    """

    schedule: Schedule = Hand()

    def needs(policy):
        """AMAF of the mover's legal moves."""
        return AMAF

    def score(policy, node, edge):
        """Eq. 12."""
        return blend(policy.schedule, node.total, edge)

    def weight(policy, node, edge):
        """β of Eq. 12."""
        return beta(policy.schedule, node.total, edge.n, edge.w, edge.an, edge.aw)
