"""One simulation after another: select, expand, play out, back up.

Gelly & Silver, Algorithms 1 and 2; Cazenave (GRAVE), Algorithm 1.

The same code runs interpreted, compiled and on a GPU. What it touches comes in three tuples: the specs
(`Rules`), the tree, and scratch memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mcrave.games import base
from mcrave.kernel import entry, inlined, jit
from mcrave.playouts.base import begin, choose, evaluate, horizon, is_uniform, learn, records
from mcrave.policies.base import (
    AMAF,
    SHARES,
    SQUARES,
    TABLES,
    Edge,
    NodeView,
    depth_limit,
    needs,
    prepare,
    reference,
    score,
)
from mcrave.priors.base import heuristic
from mcrave.search.proofs import prove, rate_proven
from mcrave.search.pruning import prune
from mcrave.trees.arena import NODES, UNKNOWN, add_node
from mcrave.trees.transpositions import FULL, STATE, enter, is_on_path, look_up, read_children, recompute

TIE = 1e-12


class Plan(NamedTuple):
    """The specs of a search, as kernels see them."""

    rules: Any
    policy: Any
    playout: Any
    prior: Any
    options: Any  # see `Options`


class Options(NamedTuple):
    """What changes the loop itself; every number is off at its default."""

    expand_after: int = 0  # visits of a move before its position becomes a node
    by_point: int = 0  # AMAF counts the first move on a point, whoever made it (§4.3's text)
    widen_from: float = 0.0  # progressive widening: the first a + a · N(s)^b moves are considered; a
    widen_power: float = 0.5  # b
    prune_from: float = 0.0  # progressive pruning: moves that are so many deviations worse are left out
    solve: int = 0  # MCTS-Solver: proven results are kept and used
    transpositions: int = 0  # what a parent reads of a position reached by several paths, see `trees.transpositions`


class Scratch(NamedTuple):
    """Memory that a simulation uses and nobody reads afterwards, but for the random stream."""

    rng: Any  # the random stream
    root: Any  # the root's state
    work: Any  # the state being played on
    moves: Any  # int32, room for a list of legal moves
    root_moves: Any  # the root's legal moves, superko considered
    node: Any  # the node at each ply in the tree
    edge: Any  # the edge taken there, -1 at a new node
    who: Any  # the player at each ply of the simulation
    code: Any  # the move code at each ply
    scores: Any  # room for the scores of a node's moves
    n: Any  # room for counts and sums of a node's moves
    w: Any
    an: Any  # room for AMAF counts of a node's moves, and their sums
    aw: Any
    seen: Any  # per player and code: 1.0 once played below the node being updated
    listed: Any  # which of those are 1.0
    results: Any  # the outcome for each player
    memory: Any  # what the playout policy learnt


@entry
def simulate(plan, tree, scratch, count):
    """Run `count` simulations from the root."""
    for _ in range(count):
        one_simulation(plan, tree, scratch)


@inlined
def one_simulation(plan, tree, scratch):
    """Select through the tree, add one node, play out, back up."""
    rules = plan.rules
    scratch.work[0] = scratch.root[0]
    state = scratch.work[0]
    node = np.int64(0) if tree.used[NODES] > 0 else np.int64(-1)
    guide = np.int64(0)  # GRAVE's reference node
    ply = 0
    in_tree = 0
    wanted = True  # whether the position at hand may become a node
    while ply < scratch.who.shape[0] and not base.is_over(rules, state):
        if node < 0:
            known = False
            if wanted:
                node, known = find_or_expand(plan, tree, scratch, state, ply)
            if node >= 0 and ply > 0:
                tree.child[scratch.edge[ply - 1]] = node
            if node >= 0 and not known:
                scratch.node[ply] = node
                scratch.edge[ply] = -1
                in_tree = ply + 1
            if not known:
                break
        if tree.slots.shape[0] > 0 and is_on_path(scratch.node, ply, node):
            break
        if tree.nodes[node].visits > reference(plan.policy):
            guide = node
        edge = select(plan, tree, scratch, node, guide)
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
    begin(plan.playout, rules, tree, scratch, in_tree)
    if tree.proof.shape[0] > 0 and in_tree > 0:
        prove(plan, tree, scratch, state, in_tree)
    plies = play_out(plan, scratch, state, ply)
    for player in range(scratch.results.shape[0]):
        scratch.results[player] = evaluate(plan.playout, rules, state, player)
    back_up(plan, tree, scratch, in_tree, plies)
    learn(plan.playout, rules, scratch, plies)


@inlined
def find_or_expand(plan, tree, scratch, state, ply):
    """The node of a position that another path has reached, and True; else a new node, or -1, and False."""
    shared = tree.slots.shape[0] > 0
    key = np.uint64(0)
    if shared:
        key = base.hash(plan.rules, state)
        count = np.int64(base.legal(plan.rules, state, scratch.moves))
        node = look_up(tree, key, scratch.moves, count)
        if node >= 0:
            return node, True
    node = expand(plan, tree, scratch, state, ply)
    if shared and node >= 0:
        tree.nodes[node].key = key
        enter(tree, node)
    return node, False


@inlined
def select(plan, tree, scratch, node, guide):
    """The edge with the highest score; of equal ones (to 1e-12) the first."""
    view = tree.nodes[node]
    first, count = view.first, view.count
    last = first + count
    n, w = tree.n[first:last], tree.w[first:last]
    an, aw, squares, share = n, n, n, n  # what the policy does not need is never read
    if plan.options.transpositions >= STATE:
        n, w = scratch.n[:count], scratch.w[:count]
        read_children(tree, first, view.player, n, w)
    if needs(plan.policy) & AMAF:
        an, aw = tree.an[first:last], tree.aw[first:last]
    if needs(plan.policy) & TABLES:
        an, aw = scratch.an[:count], scratch.aw[:count]
        gather(tree, scratch, first, guide, view.player, an, aw)
    if needs(plan.policy) & SQUARES:
        squares = tree.squares[first:last]
    if needs(plan.policy) & SHARES:
        share = tree.share[first:last]
    total = view.given + view.visits
    aid, other = prepare(plan.policy, total, n, w, squares)
    context = NodeView(total, aid, other)
    scores = scratch.scores
    for i in range(count):  # nothing else in this loop: so it is vectorised
        scores[i] = score(plan.policy, context, Edge(n[i], w[i], an[i], aw[i], squares[i], share[i]))
    if plan.options.prune_from > 0.0:
        prune(plan.options.prune_from, n, w, scores)
    if tree.proof.shape[0] > 0:
        rate_proven(tree.proof[first:last], scores)
    if plan.options.widen_from > 0.0:
        wide = plan.options.widen_from * (1.0 + total**plan.options.widen_power)
        count = max(1, int(min(float(count), wide)))
    return first + first_of_the_best(scores, count)


@jit
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
def gather(tree, scratch, first, guide, player, an, aw):
    """Read the AMAF statistics of a node's moves from the tables of the reference node."""
    codes = scratch.seen.shape[0] // scratch.results.shape[0]
    start = guide * scratch.seen.shape[0] + player * codes
    for i in range(an.shape[0]):
        entry_ = start + tree.code[first + i]
        an[i] = tree.table_n[entry_]
        aw[i] = tree.table_w[entry_]


@jit
def last_turn(tree, scratch, ply, player):
    """The node on the path where this player was last to move (two plies up in most games), or -1."""
    for t in range(ply - 1, -1, -1):
        if tree.nodes[scratch.node[t]].player == player:
            return np.int64(scratch.node[t])
    return np.int64(-1)


@inlined
def expand(plan, tree, scratch, state, ply):
    """Add the position as a node with all its moves, their statistics set by the prior; -1 if memory is full."""
    rules = plan.rules
    if ply == 0:
        moves = scratch.root_moves
        count = np.int64(moves.shape[0])
    else:
        moves = scratch.moves
        count = np.int64(base.legal(rules, state, moves))
    node = add_node(tree, moves, count, base.to_move(rules, state))
    if node < 0:
        return node
    first = tree.nodes[node].first
    grandparent = last_turn(tree, scratch, ply, tree.nodes[node].player)
    last = first + count
    move, code = tree.move[first:last], tree.code[first:last]
    for i in range(count):
        code[i] = base.code(rules, state, np.int64(move[i]))
    n, w, an, aw = tree.n[first:last], tree.w[first:last], tree.an[first:last], tree.aw[first:last]
    for i in range(count):
        value, c, m = heuristic(plan.prior, rules, state, tree, grandparent, first + i)
        n[i] = c
        w[i] = c * value
        if needs(plan.policy) & AMAF:
            an[i] = m
            aw[i] = m * value
    if needs(plan.policy) & SQUARES:
        squares = tree.squares[first:last]
        for i in range(count):
            squares[i] = w[i] * w[i] / n[i] if n[i] > 0.0 else 0.0
    if tree.proof.shape[0] > 0:
        for i in range(count):
            tree.proof[first + i] = UNKNOWN
    if needs(plan.policy) & SHARES:
        share_out(plan, tree, state, grandparent, first, tree.share[first:last])
    if tree.given.shape[0] > 0:
        given = 0.0
        for i in range(count):
            tree.given[first + i] = n[i]
            given += n[i]
        tree.nodes[node].given = given
    if needs(plan.policy) & TABLES:
        entries = scratch.seen.shape[0]
        start = node * entries
        for i in range(start, start + entries):
            tree.table_n[i] = 0.0
            tree.table_w[i] = 0.0
        credit_table(plan, tree, scratch, state, node, grandparent)
    return node


@jit
def credit_table(plan, tree, scratch, state, node, grandparent):
    """Put the prior into a new node's AMAF table, for the moves of the player to move."""
    view = tree.nodes[node]
    codes = scratch.seen.shape[0] // scratch.results.shape[0]
    start = node * scratch.seen.shape[0] + view.player * codes
    for edge in range(view.first, view.first + view.count):
        value, _, m = heuristic(plan.prior, plan.rules, state, tree, grandparent, edge)
        tree.table_n[start + tree.code[edge]] = m
        tree.table_w[start + tree.code[edge]] = m * value


@inlined
def play_out(plan, scratch, state, ply):
    """Finish the game by the playout policy, recording what AMAF needs; return the length of the simulation."""
    rules = plan.rules
    rng = scratch.rng[0]
    last = min(scratch.who.shape[0], ply + horizon(plan.playout))
    if is_uniform(plan.playout):
        if is_recorded(plan):
            return base.recorded_playout(rules, state, rng, scratch.moves, ply, last, scratch.who, scratch.code)
        return ply + base.random_playout(rules, state, rng, scratch.moves, last - ply)
    while ply < last and not base.is_over(rules, state):
        move = choose(plan.playout, rules, state, scratch.memory, rng, scratch.moves)
        if is_recorded(plan):
            scratch.who[ply] = base.to_move(rules, state)
            scratch.code[ply] = base.code(rules, state, move)
        base.play(rules, state, move)
        ply += 1
    return ply


@jit
def is_recorded(plan):
    """Whether anybody reads which moves were played."""
    return needs(plan.policy) & (AMAF | TABLES) != 0 or records(plan.playout)


@inlined
def back_up(plan, tree, scratch, in_tree, plies):
    """Add the outcome to every node and edge of the path (Eq. 13–17), from the leaf to the root.

    On the way up `seen` grows (see `note_move`): at the node of ply t it holds every move of plies u ≥ t, so that a
    move counts once however often it was played, for the player who played it.
    """
    codes = scratch.seen.shape[0] // scratch.results.shape[0]
    listed = 0
    u = plies
    for t in range(in_tree - 1, -1, -1):
        node, edge = np.int64(scratch.node[t]), np.int64(scratch.edge[t])
        view = tree.nodes[node]
        result = scratch.results[view.player]
        view.visits += 1
        view.worth += result
        if edge < 0:
            view.first_result = result
        else:
            tree.n[edge] += 1.0
            tree.w[edge] += result
            if needs(plan.policy) & SQUARES:
                tree.squares[edge] += result * result
        if plan.options.transpositions == FULL:
            recompute(tree, node)
        if needs(plan.policy) & (AMAF | TABLES):
            while u > t:
                u -= 1
                listed = note_move(plan, scratch, codes, u, listed)
        if needs(plan.policy) & AMAF:
            last = view.first + view.count
            code, an, aw = tree.code[view.first : last], tree.an[view.first : last], tree.aw[view.first : last]
            seen = scratch.seen[view.player * codes : (view.player + 1) * codes]
            for i in range(view.count):
                played = max(seen[code[i]], 0.0)
                an[i] += played
                aw[i] += played * result
        if needs(plan.policy) & TABLES:
            start = node * scratch.seen.shape[0]
            for i in range(listed):
                entry_ = scratch.listed[i]
                played = max(scratch.seen[entry_], 0.0)
                tree.table_n[start + entry_] += played
                tree.table_w[start + entry_] += played * scratch.results[entry_ // codes]
    for i in range(listed):
        scratch.seen[scratch.listed[i]] = 0.0


@jit
def note_move(plan, scratch, codes, u, listed):
    """Mark the move of ply u as played: 1 in `seen`. Returns the new length of the list of marks.

    By Algorithm 2 a move counts for each player who makes it. By the text of §4.3 only the first move at an
    intersection counts: an earlier move of another player takes the mark away (−1).
    """
    entry_ = scratch.who[u] * codes + scratch.code[u]
    scratch.listed[listed] = entry_
    listed += int(scratch.seen[entry_] == 0.0)  # a branch would be hard to predict
    scratch.seen[entry_] = 1.0
    if plan.options.by_point != 0:
        for player in range(scratch.results.shape[0]):
            other = player * codes + scratch.code[u]
            if other != entry_ and scratch.seen[other] > 0.0:
                scratch.seen[other] = -1.0
    return listed


@jit
def share_out(plan, tree, state, grandparent, first, share):
    """Make probabilities of the prior's values, for policies that want them."""
    total = 0.0
    for i in range(share.shape[0]):
        value, _, _ = heuristic(plan.prior, plan.rules, state, tree, grandparent, first + i)
        share[i] = value
        total += value
    for i in range(share.shape[0]):
        share[i] = share[i] / total if total > 0.0 else 1.0 / share.shape[0]
