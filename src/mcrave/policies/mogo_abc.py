"""MoGo's three weights (Lee et al. 2009, as GRAVE §2 tells it)."""

from __future__ import annotations

from mcrave.policies.base import AMAF, SHARES, TreePolicy


class MogoAbc(TreePolicy, name="mogo_abc"):
    """argmax α Q(s,a) + β Q̃(s,a) + γ H(s,a), with weights that go over from pattern to AMAF to Monte-Carlo values.

    - α = n / (n + `k`): zero at first, and one at last;
    - β = ñ / (ñ + `rise`) · k / (n + k): zero at first, then up to one, and zero at last;
    - γ = `g` · rise / (ñ + rise): above one at first, and zero at last.

    §2 says how the weights move, not their form: these are the simplest that move so. H(s,a) is the prior's value,
    scaled so that a node's moves have ½ on average; a prior with m=0 is enough, since its value alone is read.
    """

    k: float = 500.0
    rise: float = 20.0
    g: float = 1.2

    def needs(policy):
        """AMAF of the mover's legal moves, and the prior's values."""
        return AMAF | SHARES

    def prepare(policy, total, n, w, squares):
        """Half the number of moves: what a share is multiplied by."""
        return 0.5 * n.shape[0], 0.0

    def score(policy, node, edge):
        """The three values, weighted."""
        alpha = edge.n / (edge.n + policy.k)
        rising = edge.an / (edge.an + policy.rise)
        q = edge.w / max(edge.n, 1e-300)
        amaf = edge.aw / max(edge.an, 1e-300)
        return alpha * q + rising * (1.0 - alpha) * amaf + policy.g * (1.0 - rising) * edge.share * node.aid

    def weight(policy, node, edge):
        """β."""
        return edge.an / (edge.an + policy.rise) * policy.k / (edge.n + policy.k)
