"""All moves as first: where AMAF statistics are kept, how they are read, and how a simulation adds to them (§4.1–4.3).

- `EdgeAmaf`: at every edge, about its own move (RAVE, MC–RAVE);
- `TableAmaf`: at every node, about every move of every player (GRAVE);
- `LateTableAmaf`: the same, where nobody reads a node's table before it has more than a number of visits.

Which moves of a simulation count is a rule. By Algorithm 2 a move counts once for each player who makes it, however
often that is (`ONCE`). By the text of §4.3 only the first move at an intersection counts (`BY_POINT`): an earlier move
of another player takes the mark of a later one away. Or every play counts, so that a point which is captured and played
on again counts again (`REPLAYS`). Or moves count once, but only those of the playout, and none made in the tree
(`PLAYOUT_ALONE`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mcrave.kernel import dispatched, inlined, jit
from mcrave.kernel.bits import ONE, WORD
from mcrave.specs import Spec
from mcrave.trees.arena import TABLE
from mcrave.trees.late import expect_record, make_table, write_record

ONCE, BY_POINT, REPLAYS, PLAYOUT_ALONE = range(4)
DENSE = 8  # a table is added to as a whole if at least one entry in so many is marked


@dispatched
def start_amaf(amaf, tree, scratch, node):
    """Put the prior of a new node's moves in (Eq. 49, 51): counts from `scratch.an`, values from `scratch.scores`."""


@dispatched
def read_amaf(amaf, tree, scratch, node, guide, n):
    """Ñ and Ñ · Q̃ of a node's moves; `guide` is GRAVE's reference node. If there are none, what nobody reads."""
    return n, n


@dispatched
def expect_amaf(amaf, tree, scratch, node):
    """Tell the processor what `add_amaf` will write to when the simulation comes back."""


@dispatched
def mark_moves(amaf, scratch, from_, to, listed):
    """Mark the moves of the plies from `to` down to `from_` as played; returns how many marks there are."""
    return listed


@dispatched
def add_amaf(amaf, tree, scratch, node, before, listed):
    """Add the outcome for the marked moves to the statistics of a node, which had so many visits before."""


class Amaf(Spec):
    """What both have in common: which moves of a simulation count."""

    rule: int = ONCE

    def mark_moves(amaf, scratch, from_, to, listed):
        """See `mark`. Plies in the tree have an edge; all that come behind the first one without are the playout."""
        if amaf.rule == PLAYOUT_ALONE and scratch.edge[from_] >= 0:
            from_ += 1
        return mark(
            amaf.rule,
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

    def start_amaf(amaf, tree, scratch, node):
        """The edges' own numbers."""
        first = tree.nodes[node].first
        last = first + tree.nodes[node].count
        an, aw = tree.an[first:last], tree.aw[first:last]
        for i in range(an.shape[0]):
            an[i] = scratch.an[i]
            aw[i] = scratch.an[i] * scratch.scores[i]

    def read_amaf(amaf, tree, scratch, node, guide, n):
        """The edges' own numbers."""
        first = tree.nodes[node].first
        last = first + tree.nodes[node].count
        return tree.an[first:last], tree.aw[first:last]

    def add_amaf(amaf, tree, scratch, node, before, listed):
        """Add to every legal move of the player to move that was played from here on."""
        view = tree.nodes[node]
        codes = scratch.seen.shape[0] // scratch.results.shape[0]
        first, last = view.first, view.first + view.count
        seen = table_of(scratch.seen, np.int64(view.player), codes)
        result = scratch.results[view.player]
        add_played(tree.code[first:last], tree.an[first:last], tree.aw[first:last], seen, scratch.an, result)


class TableAmaf(Amaf):
    """Statistics at every node about every move of every player."""

    def start_amaf(amaf, tree, scratch, node):
        """Zero, but for the entries of the player to move."""
        view = tree.nodes[node]
        entries = scratch.seen.shape[0]
        table_n, table_w = table_of(tree.table_n, node, entries), table_of(tree.table_w, node, entries)
        for i in range(entries):
            table_n[i] = 0.0
            table_w[i] = 0.0
        start = np.int64(view.player) * (entries // scratch.results.shape[0])
        for i in range(view.count):
            if scratch.an[i] > 0.0:
                entry = start + tree.code[view.first + i]
                table_n[entry] = scratch.an[i]
                table_w[entry] = scratch.an[i] * scratch.scores[i]

    def read_amaf(amaf, tree, scratch, node, guide, n):
        """What the reference node's table says about this node's moves."""
        view = tree.nodes[node]
        codes = scratch.seen.shape[0] // scratch.results.shape[0]
        turn = guide * scratch.results.shape[0] + view.player
        table_n, table_w = table_of(tree.table_n, turn, codes), table_of(tree.table_w, turn, codes)
        an, aw = scratch.an[: view.count], scratch.aw[: view.count]
        code = tree.code[view.first : view.first + view.count]
        for i in range(view.count):
            an[i] = table_n[np.uintp(code[i])]
            aw[i] = table_w[np.uintp(code[i])]
        return an, aw

    def add_amaf(amaf, tree, scratch, node, before, listed):
        """Add to every marked entry, for the player who made that move."""
        entries = scratch.seen.shape[0]
        table_n, table_w = table_of(tree.table_n, node, entries), table_of(tree.table_w, node, entries)
        add_marked(table_n, table_w, scratch.seen, scratch.results, scratch.listed[:listed])


class LateTableAmaf(TableAmaf):
    """`TableAmaf` without priors: `most` simulations of a node are only put on record (see `trees.late`)."""

    most: int = 0
    half: int = 0

    def start_amaf(amaf, tree, scratch, node):
        """Nothing yet; but the root's table is read from the start."""
        tree.nodes[node].records = 0
        if node == 0:
            make_table(tree.nodes, tree.table_n, tree.table_w, scratch.spare, scratch.results.shape[0], node)

    def expect_amaf(amaf, tree, scratch, node):
        """The next record."""
        number = np.int64(tree.nodes[node].records)
        if number != TABLE:
            entries, width = scratch.seen.shape[0], scratch.bits.shape[0] + scratch.results.shape[0]
            expect_record(tree.table_n, tree.table_w, node * entries, width, amaf.half, number)

    def mark_moves(amaf, scratch, from_, to, listed):
        """Also as bits."""
        players = scratch.results.shape[0]
        return mark_bits(
            scratch.who, scratch.code, scratch.seen, scratch.bits, scratch.listed, players, from_, to, listed
        )

    def add_amaf(amaf, tree, scratch, node, before, listed):
        """To the record, or to the table."""
        entries = scratch.seen.shape[0]
        table_n, table_w = table_of(tree.table_n, node, entries), table_of(tree.table_w, node, entries)
        number = np.int64(tree.nodes[node].records)
        if number != TABLE and number < amaf.most:
            write_record(table_n, table_w, scratch.bits, scratch.results, amaf.half, number)
            tree.nodes[node].records = number + 1
        else:
            make_table(tree.nodes, tree.table_n, tree.table_w, scratch.spare, scratch.results.shape[0], node)
            add_marked(table_n, table_w, scratch.seen, scratch.results, scratch.listed[:listed])


def at_once(amaf: Any) -> Any:
    """The same with tables from the start, for engines that gain nothing by making them late."""
    return TableAmaf(amaf.rule) if isinstance(amaf, LateTableAmaf) else amaf


@inlined
def table_of(tables, which, length):
    """One of many tables of the same length that stand one after the other."""
    return tables[which * length : (which + 1) * length]


@jit
def add_played(code, an, aw, seen, played, result):
    """Add to the moves that are marked."""
    for i in range(code.shape[0]):
        played[i] = seen[np.uintp(code[i])]
    add_all(an, aw, played, result)  # apart, so that it is vectorised


@jit
def add_marked(table_n, table_w, seen, results, listed):
    """Add to the marked entries of a node's tables; if they are many, to all: vectorised, this is quicker."""
    players, entries = results.shape[0], seen.shape[0]
    codes = entries // players
    if entries > DENSE * listed.shape[0]:
        for i in range(listed.shape[0]):
            entry = np.uintp(listed[i])
            played = max(seen[entry], 0.0)
            table_n[entry] += played
            table_w[entry] += played * results[entry // np.uintp(codes)]
    else:
        for player in range(players):
            own_n, own_w = table_of(table_n, player, codes), table_of(table_w, player, codes)
            add_all(own_n, own_w, table_of(seen, player, codes), results[player])


@jit
def add_all(an, aw, seen, result):
    """Add to all of a player's entries; the sums of a lost simulation stay what they are, and are not touched."""
    if result == 0.0:
        for i in range(an.shape[0]):
            an[i] += max(seen[i], 0.0)
    else:
        for i in range(an.shape[0]):
            played = max(seen[i], 0.0)
            an[i] += played
            aw[i] += played * result


@jit
def mark(rule, who, code, seen, marks, players, from_, to, listed):
    """Say in `seen` how often the moves of these plies count, and list in `marks` what was not marked yet."""
    codes = seen.shape[0] // players
    for u in range(to - 1, from_ - 1, -1):
        entry = np.int64(who[u]) * codes + code[u]
        marks[listed] = entry
        listed += np.int64(seen[entry] == 0.0)  # a branch would be hard to predict
        seen[entry] = seen[entry] + 1.0 if rule == REPLAYS else 1.0
        if rule == BY_POINT:
            for player in range(players):
                other = player * codes + code[u]
                if other != entry and seen[other] > 0.0:
                    seen[other] = -1.0
    return listed


@jit
def mark_bits(who, code, seen, bits, marks, players, from_, to, listed):
    """`mark`, by player, and as bits, too; before the first mark no bit is set."""
    codes = seen.shape[0] // players
    if listed == 0:
        for i in range(bits.shape[0]):
            bits[i] = WORD(0)
    for u in range(to - 1, from_ - 1, -1):
        entry = np.uintp(np.int64(who[u]) * codes + code[u])
        marks[listed] = entry
        listed += np.int64(seen[entry] == 0.0)  # a branch would be hard to predict
        seen[entry] = 1.0
        bits[entry >> np.uintp(6)] |= ONE << WORD(entry & np.uintp(63))
    return listed
