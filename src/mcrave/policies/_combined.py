"""The combined value of MC–RAVE (Eq. 12), shared by the policies and schedules built on it."""

from __future__ import annotations

from mcrave.kernel import jit

UNTRIED = 1e6
"""The score of a move about which nothing is known: it is tried before all others (first-play urgency)."""


@jit
def combined(beta, edge):
    """Q⋆ = (1 − β) Q + β Q̃ (Eq. 12); where only one of the two is known, it stands alone; where neither, UNTRIED."""
    top, bottom = (1.0 - beta) * edge.w * edge.an + beta * edge.aw * edge.n, edge.n * edge.an  # one division is enough
    if edge.n <= 0.0:
        top, bottom = edge.aw, edge.an
    elif edge.an <= 0.0:
        top, bottom = edge.w, edge.n
    return top / bottom if bottom > 0.0 else UNTRIED


@jit
def combined_by_bias(bias, edge, urgency=UNTRIED):
    """Q⋆ with β = ñ / (n + ñ + bias · n ñ), in one division.

    With D = n + ñ + bias · n ñ and w = n Q, w̃ = ñ Q̃: (1 − β) Q + β Q̃ = (w (1 + bias · ñ) + w̃) / D. Where neither is
    known, `urgency`.
    """
    weight = edge.n + edge.an + bias * edge.n * edge.an
    return (edge.w * (1.0 + bias * edge.an) + edge.aw) / weight if weight > 0.0 else urgency


@jit
def weight_by_bias(bias, n, an):
    """β = ñ / (n + ñ + bias · n ñ); 0 where nothing is known."""
    return an / max(n + an + bias * n * an, 1e-300)
