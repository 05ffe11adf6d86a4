"""Nodes that many simulations pass: each thread has a copy of its own, and only now and then do copies meet the tree.

Two threads that write to the same line of memory hand it to and fro, and each time costs as much as tens of additions.
So the statistics of the nodes near the root stand in `scratch.kept` once more, where only this thread reads them and
adds to them. When enough has come in, and at the end of a run, it adds to the tree what is new since the last time, and
takes over what the others added meanwhile: the others see it a little later. Counts and sums of edges are added
atomically; AMAF only at the end of a run, when all threads come at once: at other times two that meet the same node
at the same instant may lose some of it.

`kept` begins with the simulations since the last time, and with a name for each place: the node that has it, plus 1. A
node may have one place, by the remainder of its number. A place is two rows, the thread's copy and what the tree
held when they last met:

    visits | N per edge | N · Q per edge | Ñ per entry | Ñ · Q̃ per entry

An entry of AMAF is an edge, or, for GRAVE, a move code of a player. The sum of a node's outcomes is not kept up: only
backups read it with which nodes get no places.
"""

from __future__ import annotations

import numpy as np

from mcrave.kernel import dispatched, jit
from mcrave.kernel.atomics import add_field, add_item, expect_item, let_others_run
from mcrave.search.amaf import EdgeAmaf, LateTableAmaf, TableAmaf, add_marked, add_played, table_of
from mcrave.search.threads import Threads
from mcrave.trees.arena import TABLE
from mcrave.trees.late import add_records, write_record

PLACES = 128
LEAST, SHARE = 64, 256  # worth a place: so many visits, and one in so many of the root's
UNSEEN, MOST = (
    16,
    4096,
)  # copies may meet the tree when all threads made one in 16 of the root's visits, or so many
ENOUGH = 512  # and one does when they have added one in 16 of its visits, or so many, if all add like this one
SOON = 16  # but not earlier than after so many simulations of a thread
OFTEN = 16  # after so many simulations, nodes that want places are looked for
HEAD = 1  # visits


@dispatched
def amaf_of(amaf, tree):
    """The tree's AMAF counts and sums, and whether they are tables, not edges; if there are none, what nobody reads."""
    return tree.n, tree.w, False


# What follows has tuples of many arrays as arguments, and is short, so that it is compiled into its callers; the rest
# has only the arrays that it needs.


class Hot(Threads):
    """Atomic additions, and places for the nodes near the root; `crew` is the number of threads."""

    crew: int = 1

    def visits_at(threads, tree, scratch, node):
        """The thread's copy."""
        return own_visits(tree.nodes, scratch.kept, node)

    def own_values(threads, tree, scratch, node, n, w):
        """The thread's copy."""
        return own_or(n, w, scratch.kept, node, 0, scratch.n.shape[0])

    def expect_additions(threads, tree, scratch, node, edge):
        """What is not in the thread's copy."""
        expect_all(tree.nodes, tree.n, tree.w, tree.child, scratch.kept, node, edge)

    def go_below(threads, tree, scratch, node, edge):
        """Virtual visits."""
        add_to_edge(tree.nodes, tree.n, scratch.kept, node, edge, 0, threads.virtual)

    def add_outcome(threads, tree, scratch, node, edge, result):
        """To the thread's copy, or both atomically."""
        if not threads.is_visit:
            add_to_edge(tree.nodes, tree.n, scratch.kept, node, edge, 0, 1.0)
        if result != 0.0:
            add_to_edge(tree.nodes, tree.w, scratch.kept, node, edge, scratch.n.shape[0], result)

    def add_visit(threads, tree, scratch, node, result):
        """To the thread's copy, or atomically."""
        return add_to_node(tree.nodes, scratch.kept, node)

    def come_back(threads, tree, scratch, length):
        """Take the virtual visits back."""
        if not threads.is_visit:
            take_back(tree.nodes, tree.n, scratch.kept, scratch.node, scratch.edge, length, threads.virtual)

    def now_and_then(threads, amaf, tree, scratch, length):
        """Let copies meet the tree when it is time, and find places for nodes of the path."""
        kept = scratch.kept
        kept[0] += 1.0
        if np.int64(kept[0]) % OFTEN == 0:
            counts, sums, tables = amaf_of(amaf, tree)
            most = scratch.n.shape[0]
            if kept[0] >= max(SOON, min(MOST, tree.nodes[0].visits // UNSEEN) // threads.crew):
                meet_all(tree.nodes, tree.n, tree.w, counts, sums, tables, kept, most, threads.crew, False)
            take_places(tree.nodes, tree.n, tree.w, counts, sums, tables, kept, most, scratch.node, length)

    def at_the_end(threads, amaf, tree, scratch):
        """Let all copies meet the tree, and leave all places: nodes may get other numbers."""
        counts, sums, tables = amaf_of(amaf, tree)
        most = scratch.n.shape[0]
        meet_all(tree.nodes, tree.n, tree.w, counts, sums, tables, scratch.kept, most, threads.crew, True)


class HotEdgeAmaf(EdgeAmaf):
    """`EdgeAmaf` with places.

    Elsewhere two threads that add to the same node at the same instant may lose an addition: atomic ones would cost
    more than a third of a search's time.
    """

    def amaf_of(amaf, tree):
        """Those of the edges."""
        return tree.an, tree.aw, False

    def read_amaf(amaf, tree, scratch, node, guide, n):
        """The thread's copy."""
        first = tree.nodes[node].first
        last = first + tree.nodes[node].count
        most = scratch.n.shape[0]
        return own_or(tree.an[first:last], tree.aw[first:last], scratch.kept, node, 2 * most, most)

    def add_amaf(amaf, tree, scratch, node, before, listed):
        """To the thread's copy, or to the tree."""
        view = tree.nodes[node]
        codes = scratch.seen.shape[0] // scratch.results.shape[0]
        first, last = view.first, view.first + view.count
        most = scratch.n.shape[0]
        an, aw = own_or(tree.an[first:last], tree.aw[first:last], scratch.kept, node, 2 * most, most)
        seen = table_of(scratch.seen, np.int64(view.player), codes)
        add_played(tree.code[first:last], an, aw, seen, scratch.an, scratch.results[view.player])


class HotTableAmaf(TableAmaf):
    """`TableAmaf` with places; elsewhere as `HotEdgeAmaf`."""

    def amaf_of(amaf, tree):
        """The tables."""
        return tree.table_n, tree.table_w, True

    def read_amaf(amaf, tree, scratch, node, guide, n):
        """The thread's copy, of the reference node."""
        view = tree.nodes[node]
        entries, players = scratch.seen.shape[0], scratch.results.shape[0]
        codes = entries // players
        turn = guide * players + view.player
        table_n, table_w = table_of(tree.table_n, turn, codes), table_of(tree.table_w, turn, codes)
        offset = 2 * scratch.n.shape[0] + np.int64(view.player) * codes
        table_n, table_w = own_or(table_n, table_w, scratch.kept, guide, offset, entries)
        an, aw = scratch.an[: view.count], scratch.aw[: view.count]
        pick_entries(table_n, table_w, tree.code[view.first : view.first + view.count], an, aw)
        return an, aw

    def add_amaf(amaf, tree, scratch, node, before, listed):
        """To the thread's copy, or to the tree."""
        entries = scratch.seen.shape[0]
        first, last = node * entries, (node + 1) * entries
        table_n, table_w = tree.table_n[first:last], tree.table_w[first:last]
        table_n, table_w = own_or(table_n, table_w, scratch.kept, node, 2 * scratch.n.shape[0], entries)
        add_marked(table_n, table_w, scratch.seen, scratch.results, scratch.listed[:listed])


class HotLateTableAmaf(HotTableAmaf):
    """`LateTableAmaf` with places; nodes that are only on record have none.

    A thread's visit is the number of its record, so that no two write to the same. Who comes with the first visit that
    has no record waits until all records are written, and makes the table; who comes after waits until it is made.
    """

    most: int = 0
    half: int = 0

    start_amaf = LateTableAmaf.start_amaf
    expect_amaf = LateTableAmaf.expect_amaf
    mark_moves = LateTableAmaf.mark_moves

    def add_amaf(amaf, tree, scratch, node, before, listed):
        """To the record, or to the table."""
        entries = scratch.seen.shape[0]
        first, last = node * entries, (node + 1) * entries
        table_n, table_w = tree.table_n[first:last], tree.table_w[first:last]
        if tree.nodes[node].records != TABLE and before < amaf.most:
            write_record(table_n, table_w, scratch.bits, scratch.results, amaf.half, before)
            add_field(tree.nodes, node, "records", 1)
        else:
            if tree.nodes[node].records != TABLE:
                make_or_await(tree.nodes, table_n, table_w, scratch.spare, scratch.results, node, before, amaf.most)
            table_n, table_w = own_or(table_n, table_w, scratch.kept, node, 2 * scratch.n.shape[0], entries)
            add_marked(table_n, table_w, scratch.seen, scratch.results, scratch.listed[:listed])


@jit
def make_or_await(nodes, table_n, table_w, spare, results, node, before, most):
    """Make the table of a node, once all that goes into it is written, or wait for who does."""
    if before == most:
        while nodes[node].records < most:
            let_others_run()
        add_records(table_n, table_w, spare, results.shape[0], most)
        add_field(nodes, node, "records", TABLE - most)
    else:
        while nodes[node].records != TABLE:
            let_others_run()


# ------------------------------------------------------------------------------------------------ places


def kept_length(branching: int, entries: int) -> int:
    """The size of `scratch.kept` for so many moves at most, and so many AMAF statistics of a node."""
    return 1 + PLACES + PLACES * 2 * (HEAD + 2 * branching + 2 * entries)


@jit
def name(node):
    """Where the name of the node stands that has the place which this one may have."""
    return 1 + node % PLACES


@jit
def row_length(kept):
    """Of one of the two rows of a place."""
    return (kept.shape[0] - 1) // (2 * PLACES)


@jit
def room(kept, node):
    """Where the place begins that a node may have."""
    return 1 + PLACES + (node % PLACES) * 2 * row_length(kept)


@jit
def place(kept, node):
    """Where the place begins that a node has, or -1."""
    return room(kept, node) if kept[name(node)] == node + 1.0 else np.int64(-1)


@jit
def is_worth_it(nodes, kept, node):
    """Whether a node should have a place and has none, nor has a better one its place."""
    visits = nodes[node].visits
    if visits < LEAST or visits * SHARE < nodes[0].visits or nodes[node].records != TABLE:
        return False
    other = np.int64(kept[name(node)]) - 1
    return other < 0 or nodes[other].visits < visits  # itself has as many


# ------------------------------------------------------------------------------------------------ reading and adding


@jit
def own_visits(nodes, kept, node):
    """The visits of a node."""
    at = place(kept, node)
    return kept[at] if at >= 0 else float(nodes[node].visits)


@jit
def own_or(counts, sums, kept, node, offset, length):
    """Where counts and sums of a node stand: in the thread's copy, `length` apart from an offset on, or in the tree."""
    at = place(kept, node)
    if at < 0:
        return counts, sums
    start = at + HEAD + offset
    return kept[start : start + counts.shape[0]], kept[start + length : start + length + counts.shape[0]]


@jit
def pick_entries(table_n, table_w, code, an, aw):
    """What a table says about some moves."""
    for i in range(code.shape[0]):
        an[i] = table_n[np.uintp(code[i])]
        aw[i] = table_w[np.uintp(code[i])]


@jit
def add_to_edge(nodes, values, kept, node, edge, offset, amount):
    """Add to a number of an edge: the thread's copy, or atomically the tree's."""
    at = place(kept, node)
    if at < 0:
        add_item(values, edge, amount)
    else:
        kept[at + HEAD + offset + edge - nodes[node].first] += amount


@jit
def expect_all(nodes, n, w, child, kept, node, edge):
    """Let the processor fetch what will be written to on the way down or back, unless it is this thread's copy."""
    if place(kept, node) < 0:
        expect_item(n, edge)
        expect_item(nodes, node)
        expect_item(w, edge)
        expect_item(child, edge)


@jit
def add_to_node(nodes, kept, node):
    """Count a visit; returns how many there were before."""
    at = place(kept, node)
    if at < 0:
        return np.int64(add_field(nodes, node, "visits", 1))
    kept[at] += 1.0
    return np.int64(kept[at]) - 1


@jit
def take_back(nodes, n, kept, path, edges, length, virtual):
    """Take the virtual visits of a path back."""
    for t in range(length):
        if edges[t] >= 0:
            add_to_edge(nodes, n, kept, np.int64(path[t]), np.int64(edges[t]), 0, -virtual)


# ------------------------------------------------------------------------------------------------ meeting the tree


@jit
def take_places(nodes, n, w, counts, sums, tables, kept, most, path, length):
    """Give places, if need be those of others, to nodes of a path."""
    for t in range(length):
        node = np.int64(path[t])
        if is_worth_it(nodes, kept, node):
            meet(nodes, n, w, counts, sums, tables, kept, most, node % PLACES, False)
            kept[name(node)] = node + 1.0
            start = room(kept, node)
            for i in range(2 * row_length(kept)):
                kept[start + i] = 0.0
            meet(nodes, n, w, counts, sums, tables, kept, most, node % PLACES, False)


@jit
def meet_all(nodes, n, w, counts, sums, tables, kept, most, crew, leave):
    """Let copies meet the tree that are due, or all if they leave their places then."""
    kept[0] = 0.0
    for i in range(PLACES):
        if leave or is_due(kept, i, crew):
            meet(nodes, n, w, counts, sums, tables, kept, most, i, leave)
        if leave:
            kept[name(i)] = 0.0


@jit
def is_due(kept, which, crew):
    """Whether a thread of so many has added so much to a place that the others should know it."""
    at = room(kept, which)
    more = kept[at] - kept[at + row_length(kept)]
    return more * crew >= ENOUGH or more * crew * UNSEEN >= kept[at]


@jit
def meet(nodes, n, w, counts, sums, tables, kept, most, which, carefully):
    """Add to the tree what a place has more than before, and take over what the tree holds then."""
    node = np.int64(kept[name(which)]) - 1
    if node >= 0:
        at, gap = room(kept, which), row_length(kept)
        visits = kept[at] - kept[at + gap]
        kept[at] = add_field(nodes, node, "visits", np.int64(visits)) + visits
        kept[at + gap] = kept[at]
        first, count = np.int64(nodes[node].first), np.int64(nodes[node].count)
        start = at + HEAD
        exchange(n, first, count, kept, start, gap)
        exchange(w, first, count, kept, start + most, gap)
        start += 2 * most
        entries = (at + gap - start) // 2
        if tables:
            first, count = node * entries, entries
        if entries > 0 and carefully:
            exchange(counts, first, count, kept, start, gap)
            exchange(sums, first, count, kept, start + entries, gap)
        elif entries > 0:
            exchange_quickly(counts, first, count, kept, start, gap)
            exchange_quickly(sums, first, count, kept, start + entries, gap)


@jit
def exchange(values, first, count, kept, start, gap):
    """Add to some numbers of the tree, atomically, what the thread has more than before, and read them."""
    for i in range(start, start + count):
        more = kept[i] - kept[i + gap]
        value = values[first + i - start]
        if more != 0.0:
            value = add_item(values, first + i - start, more) + more
        kept[i] = value
        kept[i + gap] = value


@jit
def exchange_quickly(values, first, count, kept, start, gap):
    """The same, not atomically."""
    theirs, mine = values[first : first + count], kept[start : start + count]
    before = kept[start + gap : start + gap + count]
    for i in range(count):
        value = theirs[i] + (mine[i] - before[i])
        theirs[i] = value
        mine[i] = value
        before[i] = value
