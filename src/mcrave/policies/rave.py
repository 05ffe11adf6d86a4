"""RAVE as the GRAVE paper states it (Cazenave 2015 §2): MC–RAVE with its own form of the schedule."""

from __future__ import annotations

from mcrave.policies._combined import combined
from mcrave.policies.base import AMAF, TreePolicy


class Rave(TreePolicy, name="rave"):
    """β = p̃ / (p̃ + p + bias · p̃ · p); argmax (1 − β) mean + β AMAF.

    p is N(s,a) and p̃ is Ñ(s,a). `mc_rave(schedule=bias(...))` is the same policy; Eq. 47 of Gelly & Silver is
    bias = 4 b̃². A move with neither count comes first.
    """

    bias: float = 1e-3

    def needs(policy):
        """AMAF of the mover's legal moves."""
        return AMAF

    def score(policy, node, edge):
        """The weighted mean."""
        return combined(edge.an / max(edge.an + edge.n + policy.bias * edge.an * edge.n, 1e-300), edge)

    def weight(policy, node, edge):
        """β."""
        return edge.an / max(edge.an + edge.n + policy.bias * edge.an * edge.n, 1e-300)
