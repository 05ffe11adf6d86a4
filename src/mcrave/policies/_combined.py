"""The combined value of MC–RAVE (Eq. 12), shared by the policies built on it."""

from __future__ import annotations

from mcrave.kernel import jit
from mcrave.policies.base import UNTRIED


@jit
def mean(total, count):
    """A mean that is 0 where nothing was counted."""
    return total / count if count > 0.0 else 0.0


@jit
def combined(beta, edge):
    """Q⋆ = (1 − β) Q + β Q̃ (Eq. 12); where only one of the two is known, it stands alone; where neither, UNTRIED."""
    if edge.n <= 0.0:
        return edge.aw / edge.an if edge.an > 0.0 else UNTRIED
    if edge.an <= 0.0:
        return edge.w / edge.n
    return (1.0 - beta) * (edge.w / edge.n) + beta * (edge.aw / edge.an)
