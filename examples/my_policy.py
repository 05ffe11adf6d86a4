"""UCB-V (Audibert, Munos & Szepesvári 2009): UCT with the measured variance of each move's outcomes."""

import math

from mcrave.policies.base import SQUARES, UNTRIED, TreePolicy


class MyPolicy(TreePolicy, name="ucb_v"):
    """Q + √(2 V x) + 3 c x with x = ζ log N(s) / N(s,a): what varies little needs few trials."""

    zeta: float = 0.2  # the parameters, as in `--player "my_policy.py:MyPolicy(zeta=0.5)@1000"`
    c: float = 0.1

    def needs(policy):
        """The squares of the outcomes are to be counted too."""
        return SQUARES

    def score(policy, node, edge):
        """How much the move is worth trying now; the highest score is taken."""
        if edge.n <= 0.0:
            return UNTRIED
        mean = edge.w / edge.n
        variance = max(edge.squares / edge.n - mean * mean, 0.0)
        x = policy.zeta * node.aid / edge.n  # `node.aid` is log N(s)
        return mean + math.sqrt(2.0 * variance * x) + 3.0 * policy.c * x
