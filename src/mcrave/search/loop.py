"""One simulation after another: select, expand, play out, back up.

Gelly & Silver, Algorithms 1 and 2; Cazenave (GRAVE), Algorithm 1.

The same code runs interpreted, compiled and on a GPU. What it touches comes in three tuples: the specs (`Plan`), the
tree, and scratch memory. A part that is left out of the plan does nothing, and nothing of it is compiled.
"""

from __future__ import annotations

import numpy as np

from mcrave.games import base
from mcrave.kernel import entry, inlined, jit, without_nan
from mcrave.kernel.atomics import add_item
from mcrave.playouts.base import begin, evaluate, horizon, learn, play_out
from mcrave.policies.base import Edge, NodeView, depth_limit, prepare, reference, score
from mcrave.priors.base import heuristic, survey
from mcrave.search.amaf import add_amaf, expect_amaf, mark_moves, read_amaf, start_amaf
from mcrave.search.backups import read_values, revalue
from mcrave.search.bans import leave_out
from mcrave.search.extras import add_square, read_shares, read_squares, start_shares, start_squares
from mcrave.search.graph import closes_a_cycle, find, make_findable
from mcrave.search.ownership import note_owners
from mcrave.search.proofs import prove, prove_nothing, rate_proven
from mcrave.search.pruning import prune
from mcrave.search.threads import (
    add_outcome,
    add_visit,
    at_the_end,
    claim,
    come_back,
    expect_additions,
    give_up,
    go_below,
    link,
    now_and_then,
    own_values,
    take_room,
    visits_at,
)
from mcrave.trees.arena import NODES, TABLE, fill_node

TIE = 1e-12
ROOM = 1e-9
FEW = 8  # simulations that a thread takes on at a time


@entry
def simulate(plan, tree, scratch, count):
    """Run `count` simulations from the root."""
    for _ in range(count):
        one_simulation(plan, tree, scratch)
    at_the_end(plan.threads, plan.amaf, tree, scratch)


@entry
def take_part(plan, tree, scratch, left):
    """Run simulations, a few at a time, while any are left; `left` counts down for all threads."""
    some = np.int64(add_item(left, 0, -FEW))
    while some > 0:
        for _ in range(min(FEW, some)):
            one_simulation(plan, tree, scratch)
        some = np.int64(add_item(left, 0, -FEW))
    at_the_end(plan.threads, plan.amaf, tree, scratch)


@inlined
def one_simulation(plan, tree, scratch):
    """Select through the tree, add one node, play out, back up; with several playouts, each of them."""
    ply, in_tree = descend(plan, tree, scratch)
    if plan.options.playouts > 1:
        scratch.leaf[0] = scratch.work[0]
    play_on(plan, tree, scratch, ply, in_tree)
    come_back(plan.threads, tree, scratch, in_tree)
    now_and_then(plan.threads, plan.amaf, tree, scratch, in_tree)


@inlined
def descend(plan, tree, scratch):
    """Select through the tree and add one node; returns the plies played, and how many of them the tree knows."""
    rules = plan.rules
    scratch.work[0] = scratch.root[0]
    state = scratch.work[0]
    node = np.int64(0) if tree.used[NODES] > 0 else np.int64(-1)
    guide = np.int64(0)  # GRAVE's reference node
    ply = np.int64(0)
    in_tree = np.int64(0)
    wanted = True  # whether the position at hand may become a node
    while ply < scratch.who.shape[0] and not base.is_over(rules, state):
        if node < 0:
            if not wanted or (ply > 0 and not claim(plan.threads, tree, np.int64(scratch.edge[ply - 1]))):
                break
            node = find(plan.graph, rules, tree, scratch, state)
            is_new = node < 0
            if is_new:
                node = expand(plan, tree, scratch, state, ply)
            if ply > 0 and node >= 0:
                link(plan.threads, tree, np.int64(scratch.edge[ply - 1]), node)
            if ply > 0 and node < 0:
                give_up(plan.threads, tree, np.int64(scratch.edge[ply - 1]))
            if node >= 0 and is_new:
                scratch.node[ply] = node
                scratch.edge[ply] = -1
                in_tree = ply + 1
            if is_new:
                break
        if closes_a_cycle(plan.graph, scratch, ply, node):
            break
        if tree.nodes[node].visits > reference(plan.policy) and tree.nodes[node].records == TABLE:
            guide = node
        edge = select(plan, tree, scratch, node, guide, ply)
        expect_additions(plan.threads, tree, scratch, node, edge)
        expect_amaf(plan.amaf, tree, scratch, node)
        if ply > 0:
            go_below(plan.threads, tree, scratch, np.int64(scratch.node[ply - 1]), np.int64(scratch.edge[ply - 1]))
        scratch.node[ply] = node
        scratch.edge[ply] = edge
        scratch.who[ply] = tree.nodes[node].player
        scratch.code[ply] = tree.code[edge]
        base.play(rules, state, np.int64(tree.move[edge]))
        ply += 1
        in_tree = ply
        node = np.int64(tree.child[edge])
        visits = tree.n[edge] - tree.given[edge] if tree.given.shape[0] > 0 else tree.n[edge]
        wanted = visits >= plan.options.expand_after and ply <= depth_limit(plan.policy)
    if ply > 0:
        go_below(plan.threads, tree, scratch, np.int64(scratch.node[ply - 1]), np.int64(scratch.edge[ply - 1]))
    prove(plan.proofs, rules, tree, scratch, state, in_tree)
    return ply, in_tree


@inlined
def play_on(plan, tree, scratch, ply, in_tree):
    """Play out from the leaf and back up, so often as the plan says."""
    rules = plan.rules
    state = scratch.work[0]
    last = min(scratch.who.shape[0], ply + horizon(plan.playout))
    for playout in range(plan.options.playouts):
        if playout > 0:
            scratch.work[0] = scratch.leaf[0]
        begin(plan.playout, rules, tree, scratch, in_tree)
        plies = play_out(plan.playout, plan.recording, rules, state, scratch, ply, last)
        for player in range(scratch.results.shape[0]):
            scratch.results[player] = evaluate(plan.playout, rules, state, player)
        note_owners(plan.ownership, rules, state, scratch, plies - ply)
        back_up(plan, tree, scratch, in_tree, plies)
        learn(plan.playout, rules, scratch, plies)


@inlined
def select(plan, tree, scratch, node, guide, ply):
    """The edge with the highest score; of equal ones (to 1e-12) the first."""
    view = tree.nodes[node]
    first, count = view.first, np.int64(view.count)
    n, w = read_values(plan.backup, tree, scratch, node)
    n, w = own_values(plan.threads, tree, scratch, node, n, w)
    an, aw = read_amaf(plan.amaf, tree, scratch, node, guide, n)
    (squares,) = read_squares(plan.squares, tree, first, first + count, n)
    (share,) = read_shares(plan.shares, tree, first, first + count, n)
    total = view.given + visits_at(plan.threads, tree, scratch, node)
    aid, other = prepare(plan.policy, total, n, w, squares)
    context = NodeView(total, aid, other)
    scores = scratch.scores
    for i in range(count):  # nothing else in this loop: so it is vectorised
        scores[i] = score(plan.policy, context, Edge(n[i], w[i], an[i], aw[i], squares[i], share[i]))
    prune(plan.pruning, n, w, scores)
    if ply < plan.options.full_width:
        for i in range(count):
            scores[i] = -n[i]
    rate_proven(plan.proofs, tree, first, first + count, scores)
    return first + first_of_the_best(scores, considered(plan.options, total, count))


@jit
def considered(options, total, count):
    """How many of a node's moves progressive widening lets in, a + a · N(s)^b; all of them without it.

    A GPU may round powers in its own way. Where one is a whole number that must not matter: hence `ROOM`.
    """
    if options.widen_from > 0.0:
        wide = options.widen_from * (1.0 + total**options.widen_power)
        return max(np.int64(1), np.int64(min(float(count), wide + ROOM)))
    return count


@without_nan
def first_of_the_best(scores, count):
    """The first index whose score is within `TIE` of the highest."""
    best = scores[0]
    for i in range(1, count):
        best = scores[i] if scores[i] > best else best
    chosen = 0
    while scores[chosen] < best - TIE:
        chosen += 1
    return chosen


@inlined
def expand(plan, tree, scratch, state, ply):
    """Add the position as a node with all its moves, their statistics set by the prior; -1 if memory is full."""
    rules = plan.rules
    moves, count = scratch.moves, np.int64(0)
    if ply == 0:
        moves = scratch.root_moves
        count = np.int64(moves.shape[0])
    else:
        count = np.int64(base.legal(rules, state, moves))
    count = np.int64(leave_out(plan.bans, rules, state, scratch, moves, count, ply))
    node, first = take_room(plan.threads, tree, scratch, count)
    if node >= 0:
        fill_node(tree, node, first, moves, count, base.to_move(rules, state))
        grandparent = last_turn(tree.nodes, scratch.node, ply, tree.nodes[node].player)
        last = first + count
        code, n, w = tree.code[first:last], tree.n[first:last], tree.w[first:last]
        value, c = scratch.scores, scratch.n
        for i in range(count):  # several short loops: so they are vectorised
            code[i] = base.code(rules, state, np.int64(moves[i]))
        survey(plan.prior, rules, state, tree, first, count, scratch.moves)
        for i in range(count):
            value[i], c[i], scratch.an[i] = heuristic(plan.prior, rules, state, tree, grandparent, first + i)
        for i in range(count):
            n[i] = c[i]
            w[i] = c[i] * value[i]
        if tree.given.shape[0] > 0:
            given = 0.0
            for i in range(count):
                tree.given[first + i] = c[i]
                given += c[i]
            tree.nodes[node].given = given
        start_amaf(plan.amaf, tree, scratch, node)
        start_squares(plan.squares, tree, first, last)
        start_shares(plan.shares, tree, first, last, value)
        prove_nothing(plan.proofs, tree, first, last)
        make_findable(plan.graph, rules, tree, state, node)
    return node


@jit
def last_turn(nodes, path, ply, player):
    """The node on the path where this player was last to move (two plies up in most games), or -1."""
    for t in range(ply - 1, -1, -1):
        if nodes[path[t]].player == player:
            return np.int64(path[t])
    return np.int64(-1)


@inlined
def back_up(plan, tree, scratch, in_tree, plies):
    """Add the outcome to every node and edge of the path (Eq. 13–17), from the leaf to the root.

    At the node of ply t every move of plies u ≥ t is marked: on the way up, marks only come in.
    """
    listed = np.int64(0)
    later = np.int64(plies)
    for t in range(in_tree - 1, -1, -1):
        node, edge = np.int64(scratch.node[t]), np.int64(scratch.edge[t])
        view = tree.nodes[node]
        result = scratch.results[view.player]
        before = np.int64(add_visit(plan.threads, tree, scratch, node, result))
        if edge < 0:
            view.first_result = result
        else:
            add_outcome(plan.threads, tree, scratch, node, edge, result)
            add_square(plan.squares, tree, edge, result)
        revalue(plan.backup, tree, node)
        listed = mark_moves(plan.amaf, scratch, np.int64(t), later, listed)
        later = np.int64(t)
        add_amaf(plan.amaf, tree, scratch, node, before, listed)
    for i in range(listed):
        scratch.seen[scratch.listed[i]] = 0.0
