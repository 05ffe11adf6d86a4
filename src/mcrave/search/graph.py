"""Positions that are reached by several paths: the tree becomes a graph (lecture notes; Childs et al. 2008).

Off (UCT0) makes a node per path. With `Graph` a position has one node, found by its hash. What differs among the modes
is what a parent reads when it judges a move that leads there (see `backups`):

- edge (UCT1): its own edge's counts alone;
- state (UCT2): the mean over all visits of the position, by whatever path, beside the edge's own count; this has no
  proof of convergence that we know of;
- full (UCT3): as state, with the position's mean recomputed from the values of its own successors at every visit, so
  that what was learnt below on one path reaches the others.
"""

from __future__ import annotations

import numpy as np

from mcrave.games import base
from mcrave.kernel import dispatched
from mcrave.specs import Spec
from mcrave.trees.transpositions import enter, is_on_path, look_up


@dispatched
def find(graph, rules, tree, scratch, state):
    """The node of a position that another path has reached, or -1."""
    return np.int64(-1)


@dispatched
def make_findable(graph, rules, tree, state, node):
    """Enter a new node into the table of positions."""


@dispatched
def closes_a_cycle(graph, scratch, ply, node):
    """Whether the node is already on the path."""
    return False


class Graph(Spec):
    """One node for a position, however it is reached."""

    def find(graph, rules, tree, scratch, state):
        """By its hash and legal moves."""
        count = np.int64(base.legal(rules, state, scratch.moves))
        return look_up(tree, base.hash(rules, state), scratch.moves, count)

    def make_findable(graph, rules, tree, state, node):
        """By its hash."""
        tree.nodes[node].key = base.hash(rules, state)
        enter(tree, node)

    def closes_a_cycle(graph, scratch, ply, node):
        """Then the simulation leaves the tree."""
        return is_on_path(scratch.node, ply, node)
