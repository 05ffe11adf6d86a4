"""All moves as first: where AMAF statistics are kept, how they are read, and how a simulation adds to them (§4.1–4.3).

- `EdgeAmaf`: at every edge, about its own move (RAVE, MC–RAVE);
- `TableAmaf`: at every node, about every move of every player (GRAVE).

A move counts once in a simulation however often it was played. By Algorithm 2 it counts for each player who makes it.
By the text of §4.3 only the first move at an intersection counts (`by_point`): an earlier move of another player takes
the mark of a later one away.
"""

from __future__ import annotations

import numpy as np

from mcrave.kernel import dispatched, jit
from mcrave.specs import Spec


@dispatched
def clear_amaf(amaf, tree, scratch, node):
    """Empty the table of a new node."""


@dispatched
def start_amaf(amaf, tree, scratch, node, edge, count, value):
    """Put the prior of a new move in (Eq. 49, 51)."""


@dispatched
def read_amaf(amaf, tree, scratch, node, guide, n):
    """Ñ and Ñ · Q̃ of a node's moves; `guide` is GRAVE's reference node. If there are none, what nobody reads."""
    return n, n


@dispatched
def mark_moves(amaf, scratch, from_, to, listed):
    """Mark the moves of the plies from `to` down to `from_` as played; returns how many marks there are."""
    return listed


@dispatched
def add_amaf(amaf, tree, scratch, node, listed):
    """Add the outcome for the marked moves to the statistics of a node."""


class Amaf(Spec):
    """What both have in common: which moves of a simulation count."""

    by_point: int = 0

    def mark_moves(amaf, scratch, from_, to, listed):
        """See `mark`."""
        return mark(
            amaf.by_point,
            scratch.who,
            scratch.code,
            scratch.seen,
            scratch.listed,
            scratch.results.shape[0],
            from_,
            to,
            listed,
        )


class EdgeAmaf(Amaf):
    """Statistics at every edge about its own move."""

    def start_amaf(amaf, tree, scratch, node, edge, count, value):
        """The edge's own numbers."""
        tree.an[edge] = count
        tree.aw[edge] = count * value

    def read_amaf(amaf, tree, scratch, node, guide, n):
        """The edges' own numbers."""
        first = tree.nodes[node].first
        last = first + tree.nodes[node].count
        return tree.an[first:last], tree.aw[first:last]

    def add_amaf(amaf, tree, scratch, node, listed):
        """Add to every legal move of the player to move that was played from here on."""
        view = tree.nodes[node]
        codes = scratch.seen.shape[0] // scratch.results.shape[0]
        result = scratch.results[view.player]
        first, last = view.first, view.first + view.count
        code, an, aw = tree.code[first:last], tree.an[first:last], tree.aw[first:last]
        seen = scratch.seen[view.player * codes : (view.player + 1) * codes]
        for i in range(view.count):
            played = max(seen[code[i]], 0.0)
            an[i] += played
            aw[i] += played * result


class TableAmaf(Amaf):
    """Statistics at every node about every move of every player."""

    def clear_amaf(amaf, tree, scratch, node):
        """All zero."""
        entries = scratch.seen.shape[0]
        start = node * entries
        for i in range(start, start + entries):
            tree.table_n[i] = 0.0
            tree.table_w[i] = 0.0

    def start_amaf(amaf, tree, scratch, node, edge, count, value):
        """The entry of the player to move."""
        codes = scratch.seen.shape[0] // scratch.results.shape[0]
        start = node * scratch.seen.shape[0] + tree.nodes[node].player * codes
        tree.table_n[start + tree.code[edge]] = count
        tree.table_w[start + tree.code[edge]] = count * value

    def read_amaf(amaf, tree, scratch, node, guide, n):
        """What the reference node's table says about this node's moves."""
        view = tree.nodes[node]
        codes = scratch.seen.shape[0] // scratch.results.shape[0]
        start = guide * scratch.seen.shape[0] + view.player * codes
        an, aw = scratch.an[: view.count], scratch.aw[: view.count]
        code = tree.code[view.first : view.first + view.count]
        for i in range(view.count):
            an[i] = tree.table_n[start + code[i]]
            aw[i] = tree.table_w[start + code[i]]
        return an, aw

    def add_amaf(amaf, tree, scratch, node, listed):
        """Add to every marked entry, for the player who made that move."""
        codes = scratch.seen.shape[0] // scratch.results.shape[0]
        start = node * scratch.seen.shape[0]
        for i in range(listed):
            entry = scratch.listed[i]
            played = max(scratch.seen[entry], 0.0)
            tree.table_n[start + entry] += played
            tree.table_w[start + entry] += played * scratch.results[entry // codes]


@jit
def mark(by_point, who, code, seen, marks, players, from_, to, listed):
    """Set `seen` to 1 for the moves of these plies, the last first, and list what was not marked yet in `marks`."""
    codes = seen.shape[0] // players
    for u in range(to - 1, from_ - 1, -1):
        entry = who[u] * codes + code[u]
        marks[listed] = entry
        listed += np.int64(seen[entry] == 0.0)  # a branch would be hard to predict
        seen[entry] = 1.0
        if by_point != 0:
            for player in range(players):
                other = player * codes + code[u]
                if other != entry and seen[other] > 0.0:
                    seen[other] = -1.0
    return listed
