"""Greedy MCTS (Gelly & Silver §2.4)."""

from __future__ import annotations

from mcrave.policies.base import UNTRIED, TreePolicy


class Greedy(TreePolicy, name="greedy"):
    """argmax Q(s,a), no exploration.

    The paper leaves the value of an untried move open. With `urgency` above 1 (the default) every move is tried
    once first; below 1 it is the value an untried move is credited with.
    """

    urgency: float = UNTRIED

    def score(policy, node, edge):
        """The mean outcome."""
        return edge.w / edge.n if edge.n > 0.0 else policy.urgency
