"""Nodes that many simulations pass: each thread adds to numbers of its own, and only now and then to the tree.

Two threads that write to the same line of memory hand it to and fro, and each time costs as much as tens of additions.
So what a thread adds to the nodes near the root is kept in `scratch.kept`, the thread reads the tree's numbers plus its
own, and from time to time and at the end of a run it adds its own to the tree, atomically: nothing is lost, and
the others see it a little later.

`kept` is a row of places, one for each remainder of a node's number:

    node + 1 | visits | sum of outcomes | N per edge | N · Q per edge | Ñ per entry | Ñ · Q̃ per entry

An entry of AMAF is an edge, or, for GRAVE, a move code of a player. In front stands how many simulations are kept.
"""

from __future__ import annotations

import numpy as np

from mcrave.kernel import dispatched, jit
from mcrave.kernel.atomics import add_field, add_item
from mcrave.search.amaf import EdgeAmaf, TableAmaf, add_marked, add_played
from mcrave.search.threads import Threads

PLACES = 256
LEAST, SHARE = 64, 512  # worth a place: so many visits, and one in so many of the root's
SOON, LATE = 16, 512  # simulations until a thread hands over: one in `SHARE` // 8 of the root's visits, within these
HEAD = 3  # node, visits, outcomes


@dispatched
def amaf_of(amaf, tree):
    """The tree's AMAF counts and sums, and whether they are tables, not edges; if there are none, what nobody reads."""
    return tree.n, tree.w, False


# What follows has tuples of many arrays as arguments, and is short, so that it is compiled into its callers; the rest
# has only the arrays that it needs.


class Hot(Threads):
    """Atomic additions, and places for the nodes near the root."""

    def visits_at(threads, tree, scratch, node):
        """With the thread's own."""
        return own_visits(tree.nodes, scratch.kept, node)

    def own_values(threads, tree, scratch, node, n, w):
        """With the thread's own."""
        return with_own(n, w, scratch.n, scratch.w, scratch.kept, node, 0)

    def go_below(threads, tree, scratch, node, edge):
        """Virtual visits."""
        add_to_edge(tree.nodes, tree.n, scratch.kept, node, edge, 0, threads.virtual)

    def add_outcome(threads, tree, scratch, node, edge, result):
        """To the thread's own, or both atomically."""
        if not threads.is_visit:
            add_to_edge(tree.nodes, tree.n, scratch.kept, node, edge, 0, 1.0)
        add_to_edge(tree.nodes, tree.w, scratch.kept, node, edge, scratch.n.shape[0], result)

    def add_visit(threads, tree, scratch, node, result):
        """To the thread's own, or both atomically."""
        add_to_node(tree.nodes, scratch.kept, node, result)

    def come_back(threads, tree, scratch, length):
        """Take the virtual visits back."""
        if not threads.is_visit:
            take_back(tree.nodes, tree.n, scratch.kept, scratch.node, scratch.edge, length, threads.virtual)

    def now_and_then(threads, amaf, tree, scratch, length):
        """Find places for nodes of the path, and hand over when it is time."""
        counts, sums, tables = amaf_of(amaf, tree)
        kept, most = scratch.kept, scratch.n.shape[0]
        if wants_more(tree.nodes, kept, scratch.node, length):
            take_places(tree.nodes, tree.n, tree.w, counts, sums, tables, kept, most, scratch.node, length)

    def at_the_end(threads, amaf, tree, scratch):
        """Hand everything over, and leave all places: nodes may get other numbers."""
        counts, sums, tables = amaf_of(amaf, tree)
        hand_all_over(tree.nodes, tree.n, tree.w, counts, sums, tables, scratch.kept, scratch.n.shape[0], True)


class HotEdgeAmaf(EdgeAmaf):
    """`EdgeAmaf` with places.

    Elsewhere two threads that add to the same node at the same instant may lose an addition: atomic ones would cost
    more than a third of a search's time.
    """

    def amaf_of(amaf, tree):
        """Those of the edges."""
        return tree.an, tree.aw, False

    def read_amaf(amaf, tree, scratch, node, guide, n):
        """With the thread's own."""
        first = tree.nodes[node].first
        last = first + tree.nodes[node].count
        an, aw = tree.an[first:last], tree.aw[first:last]
        return with_own(an, aw, scratch.an, scratch.aw, scratch.kept, node, 2 * scratch.n.shape[0])

    def add_amaf(amaf, tree, scratch, node, listed):
        """To the thread's own, or to the tree."""
        view = tree.nodes[node]
        codes = scratch.seen.shape[0] // scratch.results.shape[0]
        first, last = view.first, view.first + view.count
        an, aw = own_or(tree.an[first:last], tree.aw[first:last], scratch.kept, node, 2 * scratch.n.shape[0])
        seen = scratch.seen[view.player * codes : (view.player + 1) * codes]
        add_played(tree.code[first:last], an, aw, seen, scratch.an, scratch.results[view.player])


class HotTableAmaf(TableAmaf):
    """`TableAmaf` with places; elsewhere as `HotEdgeAmaf`."""

    def amaf_of(amaf, tree):
        """The tables."""
        return tree.table_n, tree.table_w, True

    def read_amaf(amaf, tree, scratch, node, guide, n):
        """With the thread's own, of the reference node."""
        view = tree.nodes[node]
        an, aw = scratch.an[: view.count], scratch.aw[: view.count]
        code = tree.code[view.first : view.first + view.count]
        entries = scratch.seen.shape[0]
        start = view.player * (entries // scratch.results.shape[0])
        pick_entries(tree.table_n, tree.table_w, guide * entries + start, code, an, aw)
        pick_own(scratch.kept, guide, 2 * scratch.n.shape[0] + start, entries, code, an, aw)
        return an, aw

    def add_amaf(amaf, tree, scratch, node, listed):
        """To the thread's own, or to the tree."""
        entries = scratch.seen.shape[0]
        first, last = node * entries, (node + 1) * entries
        table_n, table_w = tree.table_n[first:last], tree.table_w[first:last]
        table_n, table_w = own_or(table_n, table_w, scratch.kept, node, 2 * scratch.n.shape[0])
        add_marked(table_n, table_w, scratch.seen, scratch.results, scratch.listed[:listed])


# ------------------------------------------------------------------------------------------------ places


def kept_length(branching: int, entries: int) -> int:
    """The size of `scratch.kept` for so many moves at most, and so many AMAF statistics of a node."""
    return 1 + PLACES * (HEAD + 2 * branching + 2 * entries)


@jit
def room(kept, node):
    """The place that a node may take."""
    return 1 + (node % PLACES) * ((kept.shape[0] - 1) // PLACES)


@jit
def place(kept, node):
    """The place that a node has, or -1."""
    at = room(kept, node)
    return at if kept[at] == node + 1.0 else np.int64(-1)


@jit
def is_worth_it(nodes, kept, node):
    """Whether a node should have a place and has none, nor has a better one its place."""
    visits = nodes[node].visits
    if visits < LEAST or visits * SHARE < nodes[0].visits:
        return False
    other = np.int64(kept[room(kept, node)]) - 1
    return other < 0 or nodes[other].visits < visits  # itself has as many


# ------------------------------------------------------------------------------------------------ reading


@jit
def own_visits(nodes, kept, node):
    """The visits of a node, with the thread's own."""
    at = place(kept, node)
    return nodes[node].visits + (kept[at + 1] if at >= 0 else 0.0)


@jit
def with_own(counts, sums, out_counts, out_sums, kept, node, offset):
    """Counts and sums with the thread's own, which stand behind one another from an offset on."""
    at = place(kept, node)
    if at < 0:
        return counts, sums
    length = counts.shape[0]
    start = at + HEAD + offset
    gap = out_counts.shape[0]
    for i in range(length):
        out_counts[i] = counts[i] + kept[start + i]
    for i in range(length):
        out_sums[i] = sums[i] + kept[start + gap + i]
    return out_counts[:length], out_sums[:length]


@jit
def pick_entries(table_n, table_w, start, code, an, aw):
    """What a table says about some moves."""
    for i in range(code.shape[0]):
        an[i] = table_n[start + code[i]]
        aw[i] = table_w[start + code[i]]


@jit
def pick_own(kept, node, offset, entries, code, an, aw):
    """Add what the thread's own table says about some moves."""
    at = place(kept, node)
    if at >= 0:
        start = at + HEAD + offset
        for i in range(code.shape[0]):
            an[i] += kept[start + code[i]]
            aw[i] += kept[start + entries + code[i]]


# ------------------------------------------------------------------------------------------------ adding


@jit
def add_to_edge(nodes, values, kept, node, edge, offset, amount):
    """Add to a number of an edge: the thread's own, or atomically the tree's."""
    at = place(kept, node)
    if at < 0:
        add_item(values, edge, amount)
    else:
        kept[at + HEAD + offset + edge - nodes[node].first] += amount


@jit
def add_to_node(nodes, kept, node, result):
    """Count a visit and its outcome."""
    at = place(kept, node)
    if at < 0:
        add_field(nodes, node, "visits", 1)
        add_field(nodes, node, "worth", result)
    else:
        kept[at + 1] += 1.0
        kept[at + 2] += result


@jit
def take_back(nodes, n, kept, path, edges, length, virtual):
    """Take the virtual visits of a path back."""
    for t in range(length):
        if edges[t] >= 0:
            add_to_edge(nodes, n, kept, np.int64(path[t]), np.int64(edges[t]), 0, -virtual)


@jit
def own_or(counts, sums, kept, node, offset):
    """Where the AMAF statistics of a node are added: the thread's own, or the tree's."""
    at = place(kept, node)
    if at < 0:
        return counts, sums
    entries = ((kept.shape[0] - 1) // PLACES - HEAD - offset) // 2
    start = at + HEAD + offset
    return kept[start : start + counts.shape[0]], kept[start + entries : start + entries + counts.shape[0]]


# ------------------------------------------------------------------------------------------------ handing over


@jit
def is_time(nodes, kept):
    """Whether enough simulations are kept."""
    return kept[0] >= max(SOON, min(LATE, nodes[0].visits // (SHARE // 8)))


@jit
def wants_more(nodes, kept, path, length):
    """Count a simulation; whether it is time to hand over, or a node of its path wants a place."""
    kept[0] += 1.0
    if is_time(nodes, kept):
        return True
    for t in range(length):
        if is_worth_it(nodes, kept, np.int64(path[t])):
            return True
    return False


@jit
def take_places(nodes, n, w, counts, sums, tables, kept, most, path, length):
    """Hand over if it is time, and give places to the nodes of a path, if need be those of others."""
    if is_time(nodes, kept):
        hand_all_over(nodes, n, w, counts, sums, tables, kept, most, False)
    for t in range(length):
        node = np.int64(path[t])
        if is_worth_it(nodes, kept, node):
            at = room(kept, node)
            hand_over(nodes, n, w, counts, sums, tables, kept, most, at)
            kept[at] = node + 1.0


@jit
def hand_all_over(nodes, n, w, counts, sums, tables, kept, most, leave):
    """Hand over what stands at all places, and leave them if so wished."""
    kept[0] = 0.0
    for i in range(PLACES):
        at = room(kept, i)
        hand_over(nodes, n, w, counts, sums, tables, kept, most, at)
        if leave:
            kept[at] = 0.0


@jit
def hand_over(nodes, n, w, counts, sums, tables, kept, most, at):
    """Add what stands at a place to the tree; the node stays there."""
    node = np.int64(kept[at]) - 1
    if node >= 0:
        add_field(nodes, node, "visits", np.int64(kept[at + 1]))
        add_field(nodes, node, "worth", kept[at + 2])
        kept[at + 1] = 0.0
        kept[at + 2] = 0.0
        first, count = np.int64(nodes[node].first), np.int64(nodes[node].count)
        start = at + HEAD
        give(n, first, count, kept, start)
        give(w, first, count, kept, start + most)
        start += 2 * most
        entries = (at + (kept.shape[0] - 1) // PLACES - start) // 2
        if tables:
            first, count = node * entries, entries
        if entries > 0:
            give(counts, first, count, kept, start)
            give(sums, first, count, kept, start + entries)


@jit
def give(values, first, count, kept, start):
    """Add some numbers to those of the tree, atomically."""
    for i in range(count):
        if kept[start + i] != 0.0:
            add_item(values, first + i, kept[start + i])
            kept[start + i] = 0.0
