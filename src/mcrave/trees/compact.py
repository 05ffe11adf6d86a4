"""Make room in a tree: keep a subtree after a move, drop what was hardly visited, drop moves that became illegal.

Nodes and their edges lie in the order in which they were made, so what is kept can slide down in one pass.
"""

from __future__ import annotations

import numpy as np

from mcrave.kernel import entry, jit
from mcrave.trees.arena import EDGES, NODES
from mcrave.trees.transpositions import enter_all

DROPPED = -1


@entry
def keep(tree, root, least, place, stack):
    """Keep what is reachable from `root` through nodes with at least so many visits; the root becomes node 0.

    `place` and `stack` are scratch, one int32 per node.
    """
    mark_reachable(tree, root, least, place, stack)
    nodes = np.int64(0)
    edges = np.int64(0)
    for old in range(tree.used[NODES]):
        if place[old] == DROPPED:
            continue
        place[old] = nodes
        move_node(tree, old, nodes, edges)
        edges += tree.nodes[nodes].count
        nodes += 1
    for edge in range(edges):
        child = tree.child[edge]
        if child >= 0:
            tree.child[edge] = place[child]
    tree.used[NODES] = nodes
    tree.used[EDGES] = edges
    enter_all(tree)


@jit
def mark_reachable(tree, root, least, place, stack):
    """Set `place` to 0 for what stays, to DROPPED for the rest."""
    for node in range(tree.used[NODES]):
        place[node] = DROPPED
    waiting = 1
    stack[0] = root
    place[root] = 0
    while waiting > 0:
        waiting -= 1
        view = tree.nodes[stack[waiting]]
        for edge in range(view.first, view.first + view.count):
            child = tree.child[edge]
            if child >= 0 and place[child] == DROPPED and tree.nodes[child].visits >= least:
                place[child] = 0
                stack[waiting] = child
                waiting += 1


@jit
def move_node(tree, old, new, first):
    """Slide a node and its edges down."""
    source = tree.nodes[old].first
    count = np.int64(tree.nodes[old].count)
    tree.nodes[new] = tree.nodes[old]
    tree.nodes[new].first = first
    move_edges(tree, source, first, count)
    if tree.table_n.shape[0] > 0:
        entries = tree.table_n.shape[0] // tree.nodes.shape[0]
        for i in range(entries):
            tree.table_n[new * entries + i] = tree.table_n[old * entries + i]
            tree.table_w[new * entries + i] = tree.table_w[old * entries + i]


@jit
def move_edges(tree, source, target, count):
    """Copy edges to a place before them."""
    for i in range(count):
        tree.move[target + i] = tree.move[source + i]
        tree.code[target + i] = tree.code[source + i]
        tree.child[target + i] = tree.child[source + i]
        tree.n[target + i] = tree.n[source + i]
        tree.w[target + i] = tree.w[source + i]
        if tree.given.shape[0] > 0:
            tree.given[target + i] = tree.given[source + i]
        if tree.an.shape[0] > 0:
            tree.an[target + i] = tree.an[source + i]
            tree.aw[target + i] = tree.aw[source + i]
        if tree.squares.shape[0] > 0:
            tree.squares[target + i] = tree.squares[source + i]
        if tree.share.shape[0] > 0:
            tree.share[target + i] = tree.share[source + i]
        if tree.proof.shape[0] > 0:
            tree.proof[target + i] = tree.proof[source + i]


@entry
def keep_moves(tree, moves):
    """Drop the edges of node 0 whose move is not in `moves` (superko forbids it now), with their visits."""
    root = tree.nodes[0]
    kept = np.int64(0)
    for i in range(root.count):
        edge = root.first + i
        allowed = False
        for j in range(moves.shape[0]):
            if moves[j] == tree.move[edge]:
                allowed = True
        if allowed:
            move_edges(tree, edge, root.first + kept, 1)
            kept += 1
        else:
            given = tree.given[edge] if tree.given.shape[0] > 0 else 0.0
            root.visits -= np.int64(tree.n[edge] - given)
            root.given -= given
    root.count = kept
