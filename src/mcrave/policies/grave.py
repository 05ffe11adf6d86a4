"""GRAVE (Cazenave 2015, Algorithm 1): AMAF values of the closest ancestor that has enough playouts."""

from __future__ import annotations

from mcrave.policies._combined import combined_by_bias, weight_by_bias
from mcrave.policies.base import TABLES, UNTRIED, TreePolicy


class Grave(TreePolicy, name="grave"):
    """RAVE's formula with p̃ and AMAF taken from `ref`'s ancestor.

    The reference is the last node on the way down with more than `ref` playouts (the node itself included); above
    it stands the root, whatever its count. So that a node can serve its descendants, every node counts all moves of
    all players below it. A move with neither count comes first, unless `urgency` says what it is worth; Algorithm 1
    divides 0 by 0 there. With ref = 0 this is RAVE.
    """

    ref: int = 50
    bias: float = 1e-5
    urgency: float = UNTRIED

    def needs(policy):
        """AMAF of all moves of all players."""
        return TABLES

    def reference(policy):
        """The threshold on the playouts of the reference node."""
        return policy.ref

    def score(policy, node, edge):
        """The weighted mean."""
        return combined_by_bias(policy.bias, edge, policy.urgency)

    def weight(policy, node, edge):
        """β."""
        return weight_by_bias(policy.bias, edge.n, edge.an)
