"""A simulation by several lanes of a warp, which share the loops over a node's moves and over AMAF entries.

The same algorithm as `mcrave.search.loop`, and the same numbers: every move's score is computed by one thread with the
kernels of the policy, a maximum does not depend on the order in which it is taken, and no two threads add to one
entry. What depends on an order (the playout, counts along the path, marks) is done by the first thread, while the
others wait. Measured on an H200, a simulation of GRAVE at Domineering 8×8 by one thread takes 63,000
instructions, most of them for divisions in scores, so this is where the time is.

Everything that is only read is read by all threads; whoever writes is followed by `syncwarp`. Loops in steps of as
many as there are lanes are written with `while`: for `range` with a step Numba divides, which makes the kernel larger,
and slower.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from mcrave.games import base
from mcrave.kernel import dispatched, inlined
from mcrave.parallel.gpu.lanes import LANES, seat_of
from mcrave.parallel.gpu.rows import scratch_of, tree_of
from mcrave.parallel.gpu.warp_amaf import (
    add_together,
    amaf_of,
    edge_amaf,
    keep_outcome,
    list_at,
    mark_together,
    start_entry,
    start_table,
)
from mcrave.playouts.base import begin, evaluate, horizon, learn, play_out
from mcrave.policies.base import Edge, NodeView, depth_limit, prepare, reference, score
from mcrave.priors.base import heuristic, survey
from mcrave.priors.even import Even
from mcrave.search.backups import read_values, revalue
from mcrave.search.extras import add_square, read_shares, read_squares, start_shares, start_squares
from mcrave.search.graph import Graph, closes_a_cycle
from mcrave.search.loop import TIE, considered, last_turn
from mcrave.search.plan import Plan
from mcrave.search.proofs import prove, prove_nothing, rate_proven
from mcrave.search.pruning import prune
from mcrave.search.threads import add_outcome, add_visit, link, take_room
from mcrave.specs import Spec
from mcrave.trees.arena import NODES, TABLE
from mcrave.trees.transpositions import enter, look_up


class Team(NamedTuple):
    """How the threads of a game share the work."""

    lanes: Any
    amaf: Any
    graph: Any
    all_ask: int  # whether each asks the prior about its own moves: only where a prior writes nothing at all
    roots: Any  # the states at the roots, as plain words
    works: Any  # the states that are played on


def team_of(plan: Plan, width: int, scratch: Any, roots: Any, works: Any) -> Team:
    """For a search by so many lanes; `scratch` are the lengths of its scratch memory."""
    graph = Positions() if isinstance(plan.graph, Graph) else Nothing()
    return Team(LANES[width], amaf_of(plan, scratch), graph, int(isinstance(plan.prior, Even)), roots, works)


@dispatched
def key_of(graph, rules, state):
    """The key of a position, if positions are looked for."""
    return np.uint64(0)


@dispatched
def found_by(graph, tree, key, moves, count):
    """The node of a position, or -1."""
    return np.int64(-1)


@dispatched
def enter_node(graph, tree, node, key):
    """Make a new node findable."""


class Positions(Spec):
    """`Graph`, with the key and the moves of a position worked out once."""

    def key_of(graph, rules, state):
        """The game's own."""
        return base.hash(rules, state)

    def found_by(graph, tree, key, moves, count):
        """By key and moves."""
        return look_up(tree, key, moves, count)

    def enter_node(graph, tree, node, key):
        """By its key."""
        tree.nodes[node].key = key
        enter(tree, node)


class Nothing(Spec):
    """No positions are shared."""


@inlined
def think_together(k, thread, args):
    """Let the player whose turn it is in the k-th of some games do some simulations, by a thread of a warp."""
    plan, memory, sizes, slots, simulations, team = args
    me = seat_of(team.lanes, thread)
    game = np.int64(slots[k])
    facts = memory.table.facts[game]
    if facts.ready < 0 and facts.over == 0:
        own = game * memory.table.results.shape[1] + np.int64(facts.mover)
        tree = tree_of(memory.trees, sizes.tree, game)
        scratch = scratch_of(memory.scratches, sizes.scratch, game, own, np.int64(facts.moves))
        for _ in range(simulations):
            root, work = team.roots[game], team.works[game]
            i = np.int64(me.lane)
            while i < root.shape[0]:
                work[i] = root[i]
                i += me.width
            cuda.syncwarp(me.mask)
            simulate_together(plan, team, tree, scratch, me)


@inlined
def simulate_together(plan, team, tree, scratch, me):
    """`one_simulation`, from a copy of the root's state."""
    rules = plan.rules
    state = scratch.work[0]
    node, number = np.int64(-1), np.int64(0)
    if tree.used[NODES] > 0:
        node, number = np.int64(0), np.int64(tree.nodes[0].visits)  # read before any thread adds to it
    guide = np.int64(0)
    ply = np.int64(0)
    in_tree = np.int64(0)
    wanted = True
    while ply < scratch.who.shape[0] and not base.is_over(rules, state):
        if node < 0:
            if not wanted:
                break
            found, count, key = np.int64(-1), np.int64(0), np.uint64(0)
            if me.lane == 0:
                count = np.int64(base.legal(rules, state, scratch.moves))
                key = key_of(team.graph, rules, state)
                found = found_by(team.graph, tree, key, scratch.moves, count)
            node = np.int64(cuda.shfl_sync(me.mask, found, me.first))
            is_new = node < 0
            if is_new:
                node = expand_together(plan, team, tree, scratch, state, ply, me, count, key)
            if node >= 0 and is_new:
                in_tree = ply + 1
            if me.lane == 0:
                if ply > 0 and node >= 0:
                    link(plan.threads, tree, np.int64(scratch.edge[ply - 1]), node)
                if node >= 0 and is_new:
                    scratch.node[ply] = node
                    scratch.edge[ply] = -1
            cuda.syncwarp(me.mask)
            if is_new:
                break
        if closes_a_cycle(plan.graph, scratch, ply, node):
            break
        if tree.nodes[node].visits > reference(plan.policy) and tree.nodes[node].records == TABLE:
            guide = node
        edge = select_together(plan, team, tree, scratch, node, guide, ply, me)
        if me.lane == 0:
            scratch.node[ply] = node
            scratch.edge[ply] = edge
            scratch.who[ply] = tree.nodes[node].player
            scratch.code[ply] = tree.code[edge]
            base.play(rules, state, np.int64(tree.move[edge]))
        cuda.syncwarp(me.mask)
        ply += 1
        in_tree = ply
        node = np.int64(tree.child[edge])
        visits = tree.n[edge] - tree.given[edge] if tree.given.shape[0] > 0 else tree.n[edge]
        wanted = visits >= plan.options.expand_after and ply <= depth_limit(plan.policy)
    reached = np.int64(0)
    cuda.syncwarp(me.mask)
    if me.lane == 0:
        prove(plan.proofs, rules, tree, scratch, state, in_tree)
        last = min(scratch.who.shape[0], ply + horizon(plan.playout))
        begin(plan.playout, rules, tree, scratch, in_tree)
        reached = np.int64(play_out(plan.playout, plan.recording, rules, state, scratch, ply, last))
        for player in range(scratch.results.shape[0]):
            scratch.results[player] = evaluate(plan.playout, rules, state, player)
    plies = np.int64(cuda.shfl_sync(me.mask, reached, me.first))
    cuda.syncwarp(me.mask)
    back_up_together(plan, team, tree, scratch, (in_tree, plies), number, me)
    if me.lane == 0:
        learn(plan.playout, rules, scratch, plies)
    cuda.syncwarp(me.mask)


@inlined
def select_together(plan, team, tree, scratch, node, guide, ply, me):
    """`select`."""
    view = tree.nodes[node]
    first, count = view.first, np.int64(view.count)
    n, w = read_values(plan.backup, tree, scratch, node)
    (squares,) = read_squares(plan.squares, tree, first, first + count, n)
    (share,) = read_shares(plan.shares, tree, first, first + count, n)
    total = view.given + view.visits
    aid, other = prepare(plan.policy, total, n, w, squares)
    context = NodeView(total, aid, other)
    scores = scratch.scores
    i = np.int64(me.lane)
    while i < count:
        an, aw = edge_amaf(team.amaf, tree, scratch, node, guide, np.int64(i))
        scores[i] = score(plan.policy, context, Edge(n[i], w[i], an, aw, squares[i], share[i]))
        if ply < plan.options.full_width:
            scores[i] = -n[i]
        i += me.width
    cuda.syncwarp(me.mask)
    if me.lane == 0:
        if ply >= plan.options.full_width:
            prune(plan.pruning, n, w, scores)
        rate_proven(plan.proofs, tree, first, first + count, scores)
    cuda.syncwarp(me.mask)
    count = np.int64(considered(plan.options, total, count))
    best = -math.inf
    i = np.int64(me.lane)
    while i < count:
        best = scores[i] if scores[i] > best else best
        i += me.width
    far = me.width >> 1
    while far > 0:
        there = cuda.shfl_xor_sync(me.mask, best, far)
        best = there if there > best else best
        far >>= 1
    chosen = np.int64(count)
    i = np.int64(me.lane)
    while i < count:
        if scores[i] >= best - TIE:
            chosen = np.int64(i)
            break
        i += me.width
    far = me.width >> 1
    while far > 0:
        there_ = np.int64(cuda.shfl_xor_sync(me.mask, chosen, far))
        chosen = there_ if there_ < chosen else chosen
        far >>= 1
    return first + chosen


@inlined
def expand_together(plan, team, tree, scratch, state, ply, me, count, key):
    """`expand`; the first thread knows how many moves stand in `scratch.moves`, and the key."""
    rules = plan.rules
    node, first = np.int64(-1), np.int64(-1)
    moves = scratch.moves
    if ply == 0:
        moves = scratch.root_moves
        count = np.int64(moves.shape[0])
    if me.lane == 0:
        node, first = take_room(plan.threads, tree, scratch, count)
        if node >= 0:
            head(tree, node, first, count, base.to_move(rules, state))
    count = np.int64(cuda.shfl_sync(me.mask, count, me.first))
    node = np.int64(cuda.shfl_sync(me.mask, node, me.first))
    first = np.int64(cuda.shfl_sync(me.mask, first, me.first))
    cuda.syncwarp(me.mask)
    if node >= 0:
        i = np.int64(me.lane)
        while i < count:
            tree.move[first + i] = moves[i]
            tree.child[first + i] = -1
            tree.code[first + i] = base.code(rules, state, np.int64(moves[i]))
            i += me.width
        start_table(team.amaf, tree, scratch, node, me)
        cuda.syncwarp(me.mask)
        if me.lane == 0:
            survey(plan.prior, rules, state, tree, first, count, scratch.moves)
        cuda.syncwarp(me.mask)
        grandparent = last_turn(tree.nodes, scratch.node, ply, tree.nodes[node].player)
        i, step = np.int64(me.lane), np.int64(me.width)
        if team.all_ask == 0:
            i, step = count * min(i, 1), np.int64(1)
        while i < count:
            edge = first + i
            value, c, m = heuristic(plan.prior, rules, state, tree, grandparent, edge)
            scratch.scores[i], scratch.n[i], scratch.an[i] = value, c, m
            tree.n[edge] = c
            tree.w[edge] = c * value
            if tree.given.shape[0] > 0:
                tree.given[edge] = c
            start_entry(team.amaf, tree, scratch, node, edge, m, value)
            i += step
        cuda.syncwarp(me.mask)
        if me.lane == 0:
            if tree.given.shape[0] > 0:
                given = 0.0
                for i in range(count):
                    given += scratch.n[i]
                tree.nodes[node].given = given
            start_squares(plan.squares, tree, first, first + count)
            start_shares(plan.shares, tree, first, first + count, scratch.scores)
            prove_nothing(plan.proofs, tree, first, first + count)
            enter_node(team.graph, tree, node, key)
        cuda.syncwarp(me.mask)
    return node


@inlined
def head(tree, node, first, count, player):
    """Write a new node without its moves; see `fill_node`."""
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


@inlined
def back_up_together(plan, team, tree, scratch, reach, number, me):
    """`back_up`."""
    in_tree, plies = reach
    marks = scratch.listed[list_at(team.amaf, number) :]
    keep_outcome(team.amaf, scratch, number, me)
    listed = np.int64(0)
    later = np.int64(plies)
    for t in range(in_tree - 1, -1, -1):
        node, edge = np.int64(scratch.node[t]), np.int64(scratch.edge[t])
        if me.lane == 0:
            view = tree.nodes[node]
            result = scratch.results[view.player]
            add_visit(plan.threads, tree, scratch, node, result)
            if edge < 0:
                view.first_result = result
            else:
                add_outcome(plan.threads, tree, scratch, node, edge, result)
                add_square(plan.squares, tree, edge, result)
            revalue(plan.backup, tree, node)
        listed = mark_together(team.amaf, plan.amaf, scratch, marks, (np.int64(t), later), listed, me)
        later = np.int64(t)
        cuda.syncwarp(me.mask)
        add_together(team.amaf, tree, scratch, node, marks, listed, number, me)
        cuda.syncwarp(me.mask)
    i = np.int64(me.lane)
    while i < listed:
        scratch.seen[marks[i]] = 0.0
        i += me.width
    cuda.syncwarp(me.mask)
