"""Make room in a tree: keep a subtree after a move, drop what was hardly visited, drop moves that became illegal.

What is kept slides down: nodes in the order of their numbers, edges in the order in which they lie. One thread makes
both in the same order, but several do not, and where positions are shared a node may be older than its parent.
"""

from __future__ import annotations

import numpy as np

from mcrave.kernel import entry, jit
from mcrave.trees.arena import EDGES, NODE, NODES, Tree
from mcrave.trees.late import make_tables, spare_for
from mcrave.trees.transpositions import enter_all

DROPPED = -1


def keep(tree: Tree, players: int, root: int, least: int) -> None:
    """Keep what is reachable from `root` through nodes with at least so many visits; the root becomes node 0."""
    place, stack = np.zeros((2, len(tree.nodes)), np.int32)
    order = np.argsort(tree.nodes.first[: tree.used[NODES]], kind="stable")
    slide_down(tree, root, least, place, stack, order, np.zeros(1, NODE))
    if tree.table_n.size:
        make_tables(tree, spare_for(tree), players, 0, 1)  # a root's table is read whatever its visits


@entry
def slide_down(tree, root, least, place, stack, order, spare):
    """See `keep`; `order` has the nodes in the order of their edges, the rest is scratch."""
    mark_reachable(tree, root, least, place, stack)
    edges = np.int64(0)
    for i in range(order.shape[0]):
        if place[order[i]] != DROPPED:
            view = tree.nodes[order[i]]
            move_edges(tree, np.int64(view.first), edges, np.int64(view.count))
            view.first = edges
            edges += view.count
    nodes = np.int64(0)
    oldest = np.int64(root)
    for old in range(tree.used[NODES]):
        if place[old] != DROPPED:
            if nodes == 0:
                oldest = old
            place[old] = nodes
            move_node(tree, old, nodes)
            nodes += 1
    if oldest != root:
        exchange_nodes(tree, np.int64(place[root]), np.int64(0), spare)
        place[oldest] = place[root]
        place[root] = 0
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
def exchange_nodes(tree, a, b, spare):
    """Give each of two nodes the other's number; `spare` is room for one."""
    spare[0] = tree.nodes[a]
    tree.nodes[a] = tree.nodes[b]
    tree.nodes[b] = spare[0]
    if tree.table_n.shape[0] > 0:
        entries = tree.table_n.shape[0] // tree.nodes.shape[0]
        for i in range(entries):
            own, other = a * entries + i, b * entries + i
            tree.table_n[own], tree.table_n[other] = tree.table_n[other], tree.table_n[own]
            tree.table_w[own], tree.table_w[other] = tree.table_w[other], tree.table_w[own]


@jit
def move_node(tree, old, new):
    """Give a node another number, and leave its edges where they are."""
    tree.nodes[new] = tree.nodes[old]
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
