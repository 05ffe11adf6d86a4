"""Positions that are reached by several paths: the tree becomes a graph (lecture notes; Childs et al. 2008).

OFF (UCT0) makes a node per path. With the others a position has one node, found by its hash; what differs is
what a parent reads when it judges a move that leads there:

- EDGE (UCT1): its own edge's counts alone;
- STATE (UCT2): the mean over all visits of the position, by whatever path, beside the edge's own count; this has no
  guarantee of convergence;
- FULL (UCT3): as STATE, with the position's mean recomputed from the means of its own successors at every visit, so
  that what was learnt below on one path reaches the others.

Keys are 64-bit hashes of all that matters for the rest of the game (Go's ko included); a hit counts only if the legal
moves are the same too. A position that is already on the path is not entered again, so cycles end.
"""

from __future__ import annotations

import numpy as np

from mcrave.kernel import jit
from mcrave.trees.arena import NODES

OFF, EDGE, STATE, FULL = 0, 1, 2, 3
MODES = ("off", "edge", "state", "full")


@jit
def look_up(tree, key, moves, count):
    """The node of a position, or -1."""
    mask = np.uint64(tree.slots.shape[0] - 1)
    slot = key & mask
    while tree.slots[slot] >= 0:
        node = np.int64(tree.slots[slot])
        if tree.nodes[node].key == key and has_moves(tree, node, moves, count):
            return node
        slot = (slot + np.uint64(1)) & mask
    return np.int64(-1)


@jit
def has_moves(tree, node, moves, count):
    """Whether a node has exactly these moves."""
    view = tree.nodes[node]
    if view.count != count:
        return False
    for i in range(count):
        if tree.move[view.first + i] != moves[i]:
            return False
    return True


@jit
def enter(tree, node):
    """Make a node findable by its key."""
    mask = np.uint64(tree.slots.shape[0] - 1)
    slot = tree.nodes[node].key & mask
    while tree.slots[slot] >= 0:
        slot = (slot + np.uint64(1)) & mask
    tree.slots[slot] = node


@jit
def enter_all(tree):
    """Fill the table anew after nodes have moved."""
    for slot in range(tree.slots.shape[0]):
        tree.slots[slot] = -1
    if tree.slots.shape[0] > 0:
        for node in range(tree.used[NODES]):
            enter(tree, np.int64(node))


@jit
def is_on_path(path, length, node):
    """Whether a node is among the first `length` of the path."""
    for i in range(length):
        if path[i] == node:
            return True
    return False


@jit
def child_value(tree, edge, player):
    """The mean of the position behind an edge over all its visits, for a player of two; -1 if it is no node."""
    child = np.int64(tree.child[edge])
    if child < 0 or tree.nodes[child].visits == 0:
        return -1.0
    mean = tree.nodes[child].worth / tree.nodes[child].visits
    return mean if tree.nodes[child].player == player else 1.0 - mean


@jit
def read_children(tree, first, player, n, w):
    """Replace the sums of a node's moves by what their positions say; the counts stay the edges' own."""
    for i in range(n.shape[0]):
        n[i] = tree.n[first + i]
        w[i] = tree.w[first + i]
        value = child_value(tree, first + i, player)
        if value >= 0.0 and n[i] > 0.0:
            w[i] = value * n[i]


@jit
def recompute(tree, node):
    """Set the worth of a node to its first outcome plus what its moves' positions say now."""
    view = tree.nodes[node]
    worth = view.first_result
    for edge in range(view.first, view.first + view.count):
        count = tree.n[edge] - (tree.given[edge] if tree.given.shape[0] > 0 else 0.0)
        if count > 0.0:
            value = child_value(tree, np.int64(edge), view.player)
            worth += count * (value if value >= 0.0 else tree.w[edge] / tree.n[edge])
    view.worth = worth
