"""AMAF statistics where several lanes share a game: `mcrave.search.amaf`, with the same numbers.

GRAVE's tables are made late here, too, by records that are shorter than the processor's. The list of moves that a
simulation marked grows from the leaf to the root, and every node on the way counts the first so many of them. So each
simulation keeps its list and its outcomes once, and a node's record is two numbers: which simulation, and how many of
its marks. On an H200 that saves most of what a simulation writes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from mcrave.kernel import dispatched, inlined
from mcrave.parallel.gpu.rows import marks_at_most
from mcrave.policies.base import reference
from mcrave.search.amaf import ONCE, EdgeAmaf, LateTableAmaf, TableAmaf, mark_moves
from mcrave.search.plan import Plan
from mcrave.specs import Spec
from mcrave.trees.arena import TABLE

MOST_RECORDS = 32767  # as many as `records` of a node can count


@dispatched
def amaf_at(amaf, scratch, guide, player):
    """Where the numbers of a player's moves begin, if they are the reference node's."""
    return np.int64(0)


@dispatched
def edge_amaf(amaf, tree, start, edge):
    """Ñ and Ñ · Q̃ of a move; `start` is what `amaf_at` said."""
    return 0.0, 0.0


@dispatched
def start_table(amaf, tree, scratch, node, me):
    """Make the table of a new node, or have none yet."""


@dispatched
def start_entry(amaf, tree, scratch, node, edge, count, value):
    """Put the prior of a new move in."""


@dispatched
def list_at(amaf, number):
    """Where in `Scratch.listed` the simulation of this number lists what it marks."""
    return np.int64(0)


@dispatched
def keep_outcome(amaf, scratch, number, me):
    """Keep the outcome of a simulation for later."""


@dispatched
def mark_together(kind, amaf, scratch, marks, plies, listed, me):
    """Mark the moves of the plies from the first to the second of `plies`; returns how many marks there are."""
    return listed


@dispatched
def add_together(amaf, tree, scratch, node, marks, listed, number, me):
    """Add the outcome for the marked moves to the statistics of a node."""


class Nothing(Spec):
    """No AMAF statistics."""


class Edges(Spec):
    """`EdgeAmaf`. The number of move codes is brought along: a GPU takes a hundred instructions to divide for it."""

    codes: int = 0

    def start_entry(amaf, tree, scratch, node, edge, count, value):
        """The edge's own numbers."""
        tree.an[edge] = count
        tree.aw[edge] = count * value

    def edge_amaf(amaf, tree, start, edge):
        """The edge's own numbers."""
        return np.float64(tree.an[edge]), np.float64(tree.aw[edge])

    def mark_together(kind, amaf, scratch, marks, plies, listed, me):
        """All threads at once."""
        return mark_in_parallel(kind.codes, amaf, scratch, marks, plies, listed, me)

    def add_together(amaf, tree, scratch, node, marks, listed, number, me):
        """A thread's share of the edges."""
        view = tree.nodes[node]
        result = scratch.results[view.player]
        i = np.int64(me.lane)
        while i < view.count:
            edge = view.first + i
            played = max(scratch.seen[np.int64(view.player) * amaf.codes + tree.code[edge]], 0.0)
            if played > 0.0:
                tree.an[edge] += played
                tree.aw[edge] += played * result
            i += me.width


class Tables(Spec):
    """`TableAmaf`."""

    codes: int = 0

    def start_table(amaf, tree, scratch, node, me):
        """Empty."""
        clear_table(tree, scratch, node, me)

    def start_entry(amaf, tree, scratch, node, edge, count, value):
        """The entry of the player to move, which is empty until then."""
        if count > 0.0:
            entry = node * scratch.seen.shape[0] + np.int64(tree.nodes[node].player) * amaf.codes + tree.code[edge]
            tree.table_n[entry] = count
            tree.table_w[entry] = count * value

    def amaf_at(amaf, scratch, guide, player):
        """In the reference node's table."""
        return guide * scratch.seen.shape[0] + player * amaf.codes

    def edge_amaf(amaf, tree, start, edge):
        """What the reference node's table says."""
        entry = start + tree.code[edge]
        return np.float64(tree.table_n[entry]), np.float64(tree.table_w[entry])

    def mark_together(kind, amaf, scratch, marks, plies, listed, me):
        """All threads at once."""
        return mark_in_parallel(kind.codes, amaf, scratch, marks, plies, listed, me)

    def add_together(amaf, tree, scratch, node, marks, listed, number, me):
        """To the table."""
        add_to_table(amaf.codes, tree, scratch, node, marks, listed, me)


class LateTables(Tables):
    """`LateTableAmaf`: `most` simulations of a node are only put on record, and each has `room` for its marks."""

    most: int = 0
    room: int = 0

    def start_table(amaf, tree, scratch, node, me):
        """None yet; but the root's is read from the start."""
        if node == 0:
            clear_table(tree, scratch, node, me)
        elif me.lane == 0:
            tree.nodes[node].records = 0

    def list_at(amaf, number):
        """Every simulation keeps its list."""
        return number * amaf.room

    def keep_outcome(amaf, scratch, number, me):
        """Behind the room for a table."""
        players = scratch.results.shape[0]
        i = np.int64(me.lane)
        while i < players:
            scratch.spare[2 * scratch.seen.shape[0] + number * players + i] = scratch.results[i]
            i += me.width

    def add_together(amaf, tree, scratch, node, marks, listed, number, me):
        """To the record, or to the table."""
        records = np.int64(tree.nodes[node].records)
        cuda.syncwarp(me.mask)
        if records != TABLE and records < amaf.most:
            if me.lane == 0:
                tree.table_n[node * scratch.seen.shape[0] + records] = number
                tree.table_w[node * scratch.seen.shape[0] + records] = listed
                tree.nodes[node].records = records + 1
        else:
            if records != TABLE:
                make_table_together(amaf, tree, scratch, node, records, me)
            add_to_table(amaf.codes, tree, scratch, node, marks, listed, me)


def amaf_of(plan: Plan, scratch: Any) -> Spec:
    """How lanes do what a plan says about AMAF; `scratch` are the lengths of the scratch memory.

    >>> from mcrave import Search
    >>> from mcrave.parallel.gpu.planning import thinker
    >>> each = thinker("x", Search("domineering(size=4)", tree="grave(ref=9)"), 100)
    >>> amaf_of(each.plan, each.sizes().scratch)
    LateTables(codes=16,most=9,room=9)
    """
    codes = scratch.seen // scratch.results
    most = min(scratch.seen, int(reference(plan.policy)), MOST_RECORDS)
    kinds: dict[type, Spec] = {
        EdgeAmaf: Edges(codes),
        TableAmaf: Tables(codes),
        LateTableAmaf: LateTables(codes, most, marks_at_most(scratch)),
    }
    return kinds.get(type(plan.amaf), Nothing())


@inlined
def clear_table(tree, scratch, node, me):
    """A thread's share of the entries."""
    entries = scratch.seen.shape[0]
    i = node * entries + me.lane
    while i < (node + 1) * entries:
        tree.table_n[i] = 0.0
        tree.table_w[i] = 0.0
        i += me.width


@inlined
def player_of(codes, entry):
    """Whose move an entry is about: `entry // codes`, without a division."""
    player, beyond = 0, codes
    while entry >= beyond:
        player, beyond = player + 1, beyond + codes
    return player


@inlined
def add_to_table(codes, tree, scratch, node, marks, listed, me):
    """A thread's share of the list, in which no entry stands twice."""
    start = node * scratch.seen.shape[0]
    i = np.int64(me.lane)
    while i < listed:
        entry = np.int64(marks[i])
        played = max(scratch.seen[entry], 0.0)
        if played > 0.0:
            # Nobody waits for what comes of these, while `+=` would wait for what was there.
            cuda.atomic.add(tree.table_n, start + entry, played)
            cuda.atomic.add(tree.table_w, start + entry, played * scratch.results[player_of(codes, entry)])
        i += me.width


@inlined
def make_table_together(amaf, tree, scratch, node, records, me):
    """Make a node's table of its records, in their order: the same to the last bit as if it had always been there."""
    entries, players = scratch.seen.shape[0], scratch.results.shape[0]
    spare, start = scratch.spare, node * entries
    i = np.int64(me.lane)
    while i < 2 * entries:
        spare[i] = 0.0
        i += me.width
    cuda.syncwarp(me.mask)
    record = np.int64(0)
    while record < records:
        number, listed = np.int64(tree.table_n[start + record]), np.int64(tree.table_w[start + record])
        i = np.int64(me.lane)
        while i < listed:
            entry = np.int64(scratch.listed[number * amaf.room + i])
            spare[entry] += 1.0
            spare[entries + entry] += spare[2 * entries + number * players + player_of(amaf.codes, entry)]
            i += me.width
        cuda.syncwarp(me.mask)
        record += 1
    i = np.int64(me.lane)
    while i < entries:
        tree.table_n[start + i] = spare[i]
        tree.table_w[start + i] = spare[entries + i]
        i += me.width
    if me.lane == 0:
        tree.nodes[node].records = TABLE
    cuda.syncwarp(me.mask)


@inlined
def mark_in_parallel(codes, amaf, scratch, marks, plies, listed, me):
    """`mark_moves`: of threads with the same move the first marks it; the list's order differs, its entries do not."""
    from_, to = plies
    if amaf.rule != ONCE:
        if me.lane == 0:
            listed = np.int64(mark_moves(amaf, scratch, from_, to, listed))
        return np.int64(cuda.shfl_sync(me.mask, listed, me.first))
    below = np.uint32(((1 << me.lane) - 1) << me.first)
    start = from_
    while start < to:
        u = start + me.lane
        entry, fresh = np.int64(-1 - me.lane), False
        if u < to:
            entry = np.int64(scratch.who[u]) * codes + scratch.code[u]
            fresh = scratch.seen[entry] == 0.0
        # Not by an atomic maximum: Numba's returns a value read before, and two threads would both be the first.
        twins = np.uint32(cuda.match_any_sync(me.mask, entry))
        fresh = fresh and (twins & below) == np.uint32(0)
        finders = np.uint32(cuda.ballot_sync(me.mask, fresh))
        if fresh:
            scratch.seen[entry] = 1.0
            marks[listed + np.int64(cuda.popc(finders & below))] = entry
        listed += np.int64(cuda.popc(finders))
        cuda.syncwarp(me.mask)
        start += me.width
    return listed
