"""The even-game heuristic (Gelly & Silver §5.1, the first of four)."""

from __future__ import annotations

from mcrave.priors.base import Prior


class Even(Prior, name="even"):
    """H(s,a) = 0.5 with C̃ = `m` and C = `c`; with both 0, the default, nothing is assumed.

    The paper varies C̃ = M alone and does not give C; it is 0 here unless set.
    """

    m: float = 0.0
    c: float = 0.0

    def heuristic(prior, rules, state, tree, grandparent, edge):
        """Most positions between strong players are close."""
        return 0.5, prior.c, prior.m
