"""RAVE as the GRAVE paper states it (Cazenave 2015 §2): MC–RAVE with its own form of the schedule."""

from __future__ import annotations

from mcrave.policies._combined import combined_by_bias, weight_by_bias
from mcrave.policies.base import AMAF, UNTRIED, TreePolicy


class Rave(TreePolicy, name="rave"):
    """β = p̃ / (p̃ + p + bias · p̃ · p); argmax (1 − β) mean + β AMAF.

    p is N(s,a) and p̃ is Ñ(s,a). `mc_rave(schedule=bias(...))` is the same policy; Eq. 47 of Gelly & Silver is
    bias = 4 b̃². A move with neither count comes first, unless `urgency` says what it is worth.
    """

    bias: float = 1e-3
    urgency: float = UNTRIED

    def needs(policy):
        """AMAF of the mover's legal moves."""
        return AMAF

    def score(policy, node, edge):
        """The weighted mean."""
        return combined_by_bias(policy.bias, edge, policy.urgency)

    def weight(policy, node, edge):
        """β."""
        return weight_by_bias(policy.bias, edge.n, edge.an)
