"""The kernels of `leaves`: descents and backups on the processor, playouts and their sums on the device."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mcrave.kernel import bits, dispatched, entry, inlined
from mcrave.kernel.rng import GAMMA, next_word
from mcrave.parallel.gpu.rows import scratch_of
from mcrave.playouts.base import begin, evaluate, horizon, play_out
from mcrave.search.amaf import EdgeAmaf, TableAmaf
from mcrave.search.loop import descend
from mcrave.search.plan import Off
from mcrave.specs import Spec


class Leaves(NamedTuple):
    """Where descents ended, and how they came there; a row for each."""

    state: Any
    ply: Any  # how many plies were played from the root
    in_tree: Any  # how many of them the tree knows, the new node included
    node: Any
    edge: Any
    who: Any
    code: Any


class Playing(NamedTuple):
    """What the device needs of a plan."""

    rules: Any
    playout: Any
    recording: Any


class Sums(NamedTuple):
    """What the playouts of a leaf gave; a row for each leaf."""

    outcomes: Any  # for each player
    squares: Any  # of the outcomes
    played: Any  # for each player and move: in how many playouts it was made
    gained: Any  # the outcomes of these, for who made it


# ------------------------------------------------------------------------------------------------ on the processor


@entry
def find_leaves(plan, tree, scratch, leaves, count, playouts):
    """Go down the tree so often, and count the way as visited already; returns a name for the random streams."""
    for k in range(count):
        ply, in_tree = descend(plan, tree, scratch)
        leaves.state[k][0] = scratch.work[0]
        leaves.ply[k] = ply
        leaves.in_tree[k] = in_tree
        for t in range(in_tree):
            node, edge = np.int64(scratch.node[t]), np.int64(scratch.edge[t])
            leaves.node[k, t] = node
            leaves.edge[k, t] = edge
            tree.nodes[node].visits += playouts
            if edge >= 0:
                tree.n[edge] += playouts
        for t in range(ply):
            leaves.who[k, t] = scratch.who[t]
            leaves.code[k, t] = scratch.code[t]
    return next_word(scratch.rng[0]) if count > 0 else np.uint64(0)


@entry
def back_up_leaves(kind, tree, leaves, sums, count, playouts):
    """Add the outcomes of all playouts to every node and edge on the way to their leaf (Eq. 13–17).

    A move on the way itself was made in all of them.
    """
    codes = sums.played.shape[1] // sums.outcomes.shape[1]
    for k in range(count):
        later = np.int64(leaves.ply[k])
        for t in range(leaves.in_tree[k] - 1, -1, -1):
            node, edge = np.int64(leaves.node[k, t]), np.int64(leaves.edge[k, t])
            view = tree.nodes[node]
            view.worth += sums.outcomes[k, view.player]
            if edge >= 0:
                tree.w[edge] += sums.outcomes[k, view.player]
                if tree.squares.shape[0] > 0:
                    tree.squares[edge] += sums.squares[k, view.player]
            for u in range(t, later):
                mark_all(kind, sums, k, np.int64(leaves.who[k, u]), codes, np.int64(leaves.code[k, u]), playouts)
            later = np.int64(t)
            add_sums(kind, tree, sums, k, node, codes)


@dispatched
def mark_all(kind, sums, k, player, codes, code, playouts):
    """Let a move count as made in all playouts."""


@dispatched
def add_sums(kind, tree, sums, k, node, codes):
    """Add to the AMAF statistics of a node."""


class NoSums(Spec):
    """No AMAF statistics."""


class AmafSums(Spec):
    """What both have in common: a move on the way counts for who made it."""

    def mark_all(kind, sums, k, player, codes, code, playouts):
        """With the outcomes of all playouts."""
        sums.played[k, player * codes + code] = playouts
        sums.gained[k, player * codes + code] = sums.outcomes[k, player]


class EdgeSums(AmafSums):
    """For `EdgeAmaf`."""

    def add_sums(kind, tree, sums, k, node, codes):
        """To every move of the player to move."""
        view = tree.nodes[node]
        for edge in range(view.first, view.first + view.count):
            tree.an[edge] += sums.played[k, np.int64(view.player) * codes + tree.code[edge]]
            tree.aw[edge] += sums.gained[k, np.int64(view.player) * codes + tree.code[edge]]


class TableSums(AmafSums):
    """For `TableAmaf`."""

    def add_sums(kind, tree, sums, k, node, codes):
        """To every entry of the table."""
        start = node * sums.played.shape[1]
        for i in range(sums.played.shape[1]):
            tree.table_n[start + i] += sums.played[k, i]
            tree.table_w[start + i] += sums.gained[k, i]


KINDS: dict[type, Any] = {EdgeAmaf: EdgeSums(), TableAmaf: TableSums(), Off: NoSums()}

# ---------------------------------------------------------------------------------------------------- on the device


@inlined
def play_leaf(k, args):
    """The k-th playout: its outcomes, and which moves were made."""
    plan, rows, sizes, leaves, marks, results, moves, playouts, name = args
    rules, leaf = plan.rules, k // playouts
    scratch = scratch_of(rows, sizes, k, k, 1)
    scratch.work[0] = leaves.state[leaf][0]
    scratch.rng[0].state = bits.mix(bits.add(name, bits.add(GAMMA, np.uint64(k))))
    state, ply = scratch.work[0], np.int64(leaves.ply[leaf])
    begin(plan.playout, rules, scratch, scratch, np.int64(0))
    last = min(scratch.who.shape[0], ply + horizon(plan.playout))
    plies = play_out(plan.playout, plan.recording, rules, state, scratch, ply, last)
    players = results.shape[1]
    for player in range(players):
        results[k][player] = evaluate(plan.playout, rules, state, player)
    if moves > 0:
        for i in range(moves):
            marks[i][k] = 0
        for u in range(ply, plies):
            marks[scratch.who[u] * (moves // players) + scratch.code[u]][k] = 1


@inlined
def add_up(k, args):
    """The k-th sum: of each leaf first one for every player and move, then one for every player."""
    marks, results, sums, moves, playouts = args
    players = results.shape[1]
    leaf, what = k // (moves + players), k % (moves + players)
    first, last = leaf * playouts, (leaf + 1) * playouts
    one, other = 0.0, 0.0
    if what < moves:
        player = what // (moves // players)
        for i in range(first, last):
            if marks[what][i] != 0:
                one += 1.0
                other += results[i][player]
        sums.played[leaf][what] = one
        sums.gained[leaf][what] = other
    else:
        for i in range(first, last):
            one += results[i][what - moves]
            other += results[i][what - moves] * results[i][what - moves]
        sums.outcomes[leaf][what - moves] = one
        sums.squares[leaf][what - moves] = other
