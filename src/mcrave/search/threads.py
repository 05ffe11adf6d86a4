"""Several threads on one tree, without locks (lecture notes: tree parallelism; Gelly & Silver §6).

Counts and sums are added atomically, so that no visit is lost. A node is made by the one thread that wins the edge
(compare-and-swap); others that come by meanwhile play out from there. While a simulation is below an edge, the edge
counts `virtual` visits more, all lost, so that threads spread.

Near the root, where all threads meet, each adds to numbers of its own first (see `hot`). Room for new nodes is taken
in advance, for several at once: each thread has a stock.

What is not added but set (values of `backups`, proofs) is set by whoever comes last; a reader may be one simulation
behind. With one thread none of this is compiled, and the search is the plain one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mcrave.kernel import dispatched, jit
from mcrave.kernel.atomics import add_field, add_item, swap_item
from mcrave.search.amaf import EdgeAmaf, TableAmaf
from mcrave.search.extras import Squares
from mcrave.specs import Spec
from mcrave.trees.arena import EDGES, NODES, Tree, reserve

CLAIMED = -2  # in place of a child: some thread is making it
STOCK = 32  # nodes for which a thread takes room at once, but no more than one in so many of a tree's:
SCARCE = 1024
NODE, LAST_NODE, EDGE, LAST_EDGE = range(4)  # in a stock: the next of each, and where they end


@dispatched
def claim(threads, tree, edge):
    """Whether this thread may make the node behind an edge."""
    return True


@dispatched
def give_up(threads, tree, edge):
    """There was no memory for the node."""


@dispatched
def link(threads, tree, edge, node):
    """Hang a node under an edge, once it is complete."""
    tree.child[edge] = node


@dispatched
def take_room(threads, tree, scratch, count):
    """The numbers of a new node and its first edge, or -1."""
    return reserve(tree, count)


@dispatched
def visits_at(threads, tree, scratch, node):
    """N(s), without the prior."""
    return tree.nodes[node].visits


@dispatched
def own_values(threads, tree, scratch, node, n, w):
    """N and N · Q of a node's moves, with what only this thread knows."""
    return n, w


@dispatched
def expect_additions(threads, tree, scratch, node, edge):
    """Tell the processor what will be written to from here on."""


@dispatched
def go_below(threads, tree, scratch, node, edge):
    """Note that a simulation is below an edge."""


@dispatched
def come_back(threads, tree, scratch, length):
    """Note that the simulation has left the edges of its path."""


@dispatched
def add_outcome(threads, tree, scratch, node, edge, result):
    """Add an outcome to an edge (Eq. 5, 6)."""
    tree.n[edge] += 1.0
    tree.w[edge] += result


@dispatched
def add_visit(threads, tree, scratch, node, result):
    """Add an outcome to a node (Eq. 4); returns its visits before."""
    view = tree.nodes[node]
    before = view.visits
    view.visits = before + 1
    view.worth += result
    return before


@dispatched
def now_and_then(threads, amaf, tree, scratch, length):
    """What a thread does after every simulation, whose path has this length."""


@dispatched
def at_the_end(threads, amaf, tree, scratch):
    """What a thread does after its last simulation."""


class Threads(Spec):
    """Atomic additions. With `is_visit`, a virtual visit stays as the simulation's own."""

    virtual: float = 1.0
    is_visit: int = 0

    def claim(threads, tree, edge):
        """The first to come."""
        return swap_item(tree.child, edge, -1, CLAIMED)

    def give_up(threads, tree, edge):
        """Another may try again when there is room."""
        swap_item(tree.child, edge, CLAIMED, -1)

    def link(threads, tree, edge, node):
        """After this, others see the node, and all that was written before."""
        swap_item(tree.child, edge, CLAIMED, node)

    def take_room(threads, tree, scratch, count):
        """From the thread's stock."""
        return take_from_stock(scratch.stock, tree.used, tree.nodes.shape[0], tree.move.shape[0], count)

    def go_below(threads, tree, scratch, node, edge):
        """Virtual visits."""
        add_item(tree.n, edge, threads.virtual)

    def come_back(threads, tree, scratch, length):
        """Take the virtual visits back."""
        if not threads.is_visit:
            for t in range(length):
                if scratch.edge[t] >= 0:
                    add_item(tree.n, np.int64(scratch.edge[t]), -threads.virtual)

    def add_outcome(threads, tree, scratch, node, edge, result):
        """Both atomically, each for itself."""
        if not threads.is_visit:
            add_item(tree.n, edge, 1.0)
        add_item(tree.w, edge, result)

    def add_visit(threads, tree, scratch, node, result):
        """Both atomically, each for itself."""
        add_field(tree.nodes, node, "worth", result)
        return add_field(tree.nodes, node, "visits", 1)


class SharedEdgeAmaf(EdgeAmaf):
    """`EdgeAmaf` for several threads."""

    def add_amaf(amaf, tree, scratch, node, before, listed):
        """Only what was played is touched."""
        view = tree.nodes[node]
        codes = scratch.seen.shape[0] // scratch.results.shape[0]
        result = scratch.results[view.player]
        start = np.int64(view.player) * codes
        for edge in range(view.first, view.first + view.count):
            played = scratch.seen[start + tree.code[edge]]
            if played > 0.0:
                add_item(tree.an, edge, played)
                add_item(tree.aw, edge, played * result)


class SharedTableAmaf(TableAmaf):
    """`TableAmaf` for several threads."""

    def add_amaf(amaf, tree, scratch, node, before, listed):
        """Only what was played is touched."""
        codes = scratch.seen.shape[0] // scratch.results.shape[0]
        start = node * scratch.seen.shape[0]
        for i in range(listed):
            entry = np.int64(scratch.listed[i])
            played = scratch.seen[entry]
            if played > 0.0:
                add_item(tree.table_n, start + entry, played)
                add_item(tree.table_w, start + entry, played * scratch.results[entry // codes])


class SharedSquares(Squares):
    """`Squares` for several threads."""

    def add_square(squares, tree, edge, result):
        """Atomically."""
        add_item(tree.squares, edge, result * result)


# ------------------------------------------------------------------------------------------------ room for nodes


@jit
def take_from_stock(stock, used, nodes, edges, count):
    """The numbers of a node and of the first of its edges, or -1 if the tree has no room."""
    some = min(STOCK, nodes // SCARCE + 1)
    if stock[NODE] == stock[LAST_NODE]:
        refill(stock, NODE, used, NODES, nodes, some, 1)
    if stock[EDGE] + count > stock[LAST_EDGE]:
        refill(stock, EDGE, used, EDGES, edges, some * count, count)
    node, first = np.int64(stock[NODE]), np.int64(stock[EDGE])
    if node == stock[LAST_NODE] or first + count > stock[LAST_EDGE]:
        return np.int64(-1), np.int64(-1)
    stock[NODE] += 1
    stock[EDGE] += count
    return node, first


@jit
def refill(stock, kind, used, counter, limit, many, few):
    """Take as many as are wanted, or as few as are needed, or none; what does not fit is given back."""
    for wanted in (many, few):
        start = np.int64(add_item(used, counter, wanted))
        if start + wanted <= limit:
            stock[kind] = start
            stock[kind + 1] = start + wanted
            return
        add_item(used, counter, -wanted)


def give_back(tree: Tree, stocks: list[Any]) -> None:
    """Leave no stock to any thread: what was taken last is free again, and the rest are nodes that nobody visited."""
    stocks = [stock for stock in stocks if len(stock)]  # a thread alone has none
    for stock in sorted(stocks, key=lambda stock: -stock[NODE]):
        if stock[LAST_NODE] == tree.used[NODES]:
            tree.used[NODES] = stock[NODE]
        tree.nodes.visits[stock[NODE] : stock[LAST_NODE]] = 0
    for stock in sorted(stocks, key=lambda stock: -stock[EDGE]):
        if stock[LAST_EDGE] == tree.used[EDGES]:
            tree.used[EDGES] = stock[EDGE]
        stock[:] = 0
