"""Priors: what a new node's moves are credited with before any simulation (Gelly & Silver §5.1, Eq. 48–52)."""

from mcrave.priors.base import Prior

__all__ = ["Prior"]
