"""AMAF values in every subtree (Gelly & Silver §4.1–4.2): RAVE before it is mixed with Monte-Carlo values."""

from __future__ import annotations

from mcrave.policies.base import AMAF, UNTRIED, TreePolicy


class Amaf(TreePolicy, name="amaf"):
    """argmax Q̃(s,a) (Eq. 11), learning fast and often wrong: it need not converge.

    With `depth` = 0 only the root has values, which is Gobble's all-moves-as-first (§3.5).
    """

    depth: int = 1 << 30

    def needs(policy):
        """AMAF of the mover's legal moves."""
        return AMAF

    def depth_limit(policy):
        """How much of the tree has values of its own."""
        return policy.depth

    def score(policy, node, edge):
        """Eq. 11."""
        return edge.aw / edge.an if edge.an > 0.0 else UNTRIED

    def weight(policy, node, edge):
        """All of it."""
        return 1.0
