"""MCTS-Solver (Winands, Björnsson & Saito 2008): results that are certain are kept and used.

An edge's proof is the exact outcome for the player to move, or UNKNOWN. A node is proven once a move is proven to
win, or once all moves are proven: then its value is the best of them. Draws are proven like wins and losses. For
two players whose outcomes sum to 1.
"""

from __future__ import annotations

import numpy as np

from mcrave.games import base
from mcrave.kernel import dispatched, jit
from mcrave.specs import Spec
from mcrave.trees.arena import UNKNOWN

CERTAIN = 1e12


@dispatched
def prove_nothing(proofs, tree, first, last):
    """Mark new moves as open."""


@dispatched
def rate_proven(proofs, tree, first, last, scores):
    """Take a proven win at once, and a proven loss or draw only when nothing open is better."""


@dispatched
def prove(proofs, rules, tree, scratch, state, in_tree):
    """After the descent: if the game is over, or a node was proven, carry the proof toward the root."""


class Proofs(Spec):
    """Results that are certain are kept and used."""

    def prove_nothing(proofs, tree, first, last):
        """Nothing is known."""
        for edge in range(first, last):
            tree.proof[edge] = UNKNOWN

    def rate_proven(proofs, tree, first, last, scores):
        """Scores far beyond those of any policy."""
        proof = tree.proof[first:last]
        for i in range(proof.shape[0]):
            if proof[i] != UNKNOWN:
                scores[i] = CERTAIN * (proof[i] - 0.75) if proof[i] > 0.75 or proof[i] < 0.25 else -CERTAIN / 8.0

    def prove(proofs, rules, tree, scratch, state, in_tree):
        """From the last edge up, as far as nodes become proven."""
        last = in_tree - 1
        if last < 0 or scratch.edge[last] < 0 or not base.is_over(rules, state):
            return
        tree.proof[scratch.edge[last]] = base.outcome(rules, state, np.int64(scratch.who[last]))
        for t in range(last, 0, -1):
            node = np.int64(scratch.node[t])
            value = node_value(tree, node)
            if value == UNKNOWN:
                return
            same = tree.nodes[node].player == scratch.who[t - 1]
            tree.proof[scratch.edge[t - 1]] = value if same else 1.0 - value


@jit
def node_value(tree, node):
    """The proven value of a node for its player, or UNKNOWN."""
    view = tree.nodes[node]
    best = UNKNOWN
    open_moves = False
    for edge in range(view.first, view.first + view.count):
        if tree.proof[edge] == UNKNOWN:
            open_moves = True
        else:
            best = max(best, np.float64(tree.proof[edge]))
    if best == 1.0 or not open_moves:
        return best
    return UNKNOWN
