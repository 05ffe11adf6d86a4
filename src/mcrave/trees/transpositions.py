"""The table that finds a position's node by its key.

Keys are 64-bit hashes of all that matters for the rest of the game (Go's ko included); a hit counts only if the legal
moves are the same too.
"""

from __future__ import annotations

import numpy as np

from mcrave.kernel import jit
from mcrave.trees.arena import NODES


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
    """Whether a node has exactly these moves; a prior may have put them in another order."""
    view = tree.nodes[node]
    if view.count != count:
        return False
    for i in range(count):
        if tree.move[view.first + i] != moves[i] and not is_among(tree, view.first, count, moves[i]):
            return False
    return True


@jit
def is_among(tree, first, count, move):
    """Whether one of these edges is a move."""
    for edge in range(first, first + count):
        if tree.move[edge] == move:
            return True
    return False


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
