"""The search tree as a struct of arrays.

A node holds the statistics of one position and owns a run of edges, one per legal move. An edge's statistics stand at
the same index in several arrays, so that a policy scores all moves of a node in one vectorised sweep. Arrays
that no policy reads are empty. Every value is a sum of outcomes in [0, 1] for the player to move at
the node; a mean is sum / count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mcrave.errors import Error
from mcrave.kernel import in_lines, jit, record

NODE = record(
    first=np.int64,  # its first edge
    count=np.int32,  # how many edges
    player=np.int16,  # who moves here
    records=np.int16,  # how many simulations are on record in the room of its table, or TABLE (see `late`)
    visits=np.int64,  # simulations that came through, the one that made the node included
    given=np.float64,  # the sum of the prior counts of its edges
    key=np.uint64,  # the position's hash, if transpositions are looked for
    worth=np.float64,  # the sum of the outcomes of its visits, for the player to move here
    first_result=np.float64,  # the outcome of the visit that made it
    value=np.float64,  # what its parents read, unless they go by their own edges
)
AMAF, TABLES, SQUARES, SHARES = 1, 2, 4, 8  # what a policy may need beside counts and sums
UNKNOWN = -1.0  # no result is proven
TABLE = -1  # in place of a number of records: the table is there
NODES, EDGES = 0, 1  # what `used` counts


class Tree(NamedTuple):
    """The arrays of a tree; `used` says how many nodes and edges are taken."""

    nodes: Any
    move: Any
    code: Any
    child: Any
    n: Any  # N(s,a), prior counts included
    w: Any  # N(s,a) · Q(s,a)
    given: Any  # the prior count of the edge
    an: Any  # Ñ(s,a)
    aw: Any  # Ñ(s,a) · Q̃(s,a)
    squares: Any  # the sum of squared outcomes
    share: Any  # the prior's value as a share of the node's
    proof: Any  # float32, the proven result for the player to move, or UNKNOWN
    table_n: Any  # per node, player and move code: Ñ of any move of any player below this node
    table_w: Any
    slots: Any  # int32, where to find a position's node by its key (see `transpositions`)
    used: Any


def new_tree(
    bytes_: int,
    needs: int,
    branching: int,
    codes: int,
    *,
    with_prior: bool = False,
    with_proof: bool = False,
    with_slots: bool = False,
) -> Tree:
    """An empty tree within a budget of memory.

    `branching` is the most edges a node can have, `codes` the table entries of a node (players × move codes).
    """
    floats = 2 + with_prior + 2 * bool(needs & AMAF) + bool(needs & SQUARES) + bool(needs & SHARES)
    edge = 4 * (3 + with_proof) + 8 * floats
    node = NODE.itemsize + (16 * codes if needs & TABLES else 0) + 16 * with_slots
    bytes_ -= 64  # the counters, and what does not divide evenly
    nodes = bytes_ // (node + edge * (branching + 1) // 2)  # on average half the moves are left
    edges = (bytes_ - nodes * node) // edge
    if nodes < 2 or edges < 2 * branching:
        raise Error(f"memory for a search tree of this game must be at least {2 * (node + edge * branching)} bytes")

    def column(wanted: bool, kind: Any = np.float64) -> Any:
        return in_lines(edges if wanted else 0, kind)

    tables = nodes * codes if needs & TABLES else 0
    return Tree(
        nodes=in_lines(nodes, NODE).view(np.recarray),
        move=column(True, np.int32),
        code=column(True, np.int32),
        child=column(True, np.int32),
        n=column(True),
        w=column(True),
        given=column(with_prior),
        an=column(bool(needs & AMAF)),
        aw=column(bool(needs & AMAF)),
        squares=column(bool(needs & SQUARES)),
        share=column(bool(needs & SHARES)),
        proof=column(with_proof, np.float32),
        table_n=in_lines(tables, np.float64),
        table_w=in_lines(tables, np.float64),
        slots=np.full(1 << (2 * nodes).bit_length() if with_slots else 0, -1, np.int32),
        used=in_lines(2, np.int64),
    )


@jit
def reserve(tree, count):
    """Take room for a node with so many edges: its number and its first edge, or -1 if there is no room."""
    node, first = tree.used[NODES], tree.used[EDGES]
    if node >= tree.nodes.shape[0] or first + count > tree.move.shape[0]:
        return np.int64(-1), np.int64(-1)
    tree.used[NODES] = node + 1
    tree.used[EDGES] = first + count
    return node, first


@jit
def fill_node(tree, node, first, moves, count, player):
    """Write a new node with these moves, all its own statistics zero."""
    fresh = tree.nodes[node]
    fresh.first = first
    fresh.count = count
    fresh.player = player
    fresh.records = TABLE
    fresh.visits = 0
    fresh.given = 0.0
    fresh.worth = 0.0
    fresh.first_result = 0.0
    fresh.value = 0.0
    for i in range(count):
        tree.move[first + i] = moves[i]
        tree.child[first + i] = -1
