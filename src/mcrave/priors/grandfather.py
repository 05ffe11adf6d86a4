"""The grandfather heuristic (Gelly & Silver §5.1, the second of four)."""

from __future__ import annotations

from mcrave.kernel import jit
from mcrave.priors.base import Prior


class Grandfather(Prior, name="grandfather"):
    """H(s_t,a) = Q(s_{t−2},a): the value of the move when the player was last to move, with C̃ = `m` and C = `c`.

    Where the grandfather is outside the tree or never tried the move, H = 0.5. The paper does not say which value Q is:
    here the mean of the move's own simulations, or with `amaf` its AMAF value, if the tree policy keeps one at each
    move (RAVE, MC–RAVE); nearly all moves have that, while MC–RAVE tries few of them itself.
    """

    m: float = 20.0
    c: float = 0.0
    amaf: bool = False

    def heuristic(prior, rules, state, tree, grandparent, edge):
        """What the same move was worth two plies up."""
        found = same_move(tree, grandparent, edge) if grandparent >= 0 else -1
        if found >= 0 and prior.amaf and tree.an.shape[0] > 0:
            if tree.an[found] > 0.0:
                return tree.aw[found] / tree.an[found], prior.c, prior.m
        elif found >= 0 and tree.n[found] > 0.0:
            return tree.w[found] / tree.n[found], prior.c, prior.m
        return 0.5, prior.c, prior.m


@jit
def same_move(tree, node, edge):
    """The edge of a node with the same move code as another edge, or -1."""
    first = tree.nodes[node].first
    for other in range(first, first + tree.nodes[node].count):
        if tree.code[other] == tree.code[edge]:
            return other
    return -1
