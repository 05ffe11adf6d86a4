"""A simulation by a whole warp: 32 threads share the loops over a node's moves and over AMAF entries.

The same algorithm as `mcrave.search.loop`, and the same numbers: every move's score is computed by one thread with the
kernels of the policy, a maximum does not depend on the order in which it is taken, and no two threads add to one
entry. What depends on an order (the playout, counts along the path, marks) is done by the first thread, while the
others wait. Measured on an H200, a simulation of GRAVE at Domineering 8×8 by one thread takes 63,000
instructions, most of them for divisions in scores, so this is where the time is.

Everything that is only read is read by all threads; whoever writes is followed by `syncwarp`. Loops in steps of 32 are
written with `while`: for `range` with a step Numba divides, which makes the kernel larger, and slower.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from mcrave.games import base
from mcrave.kernel import dispatched, inlined
from mcrave.parallel.gpu.rows import scratch_of, tree_of
from mcrave.playouts.base import begin, evaluate, horizon, learn, play_out
from mcrave.policies.base import Edge, NodeView, depth_limit, prepare, reference, score
from mcrave.priors.base import heuristic, survey
from mcrave.priors.even import Even
from mcrave.search.amaf import EdgeAmaf, TableAmaf, mark_moves
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

ALL = 0xFFFFFFFF
WIDTH = 32


@dispatched
def edge_amaf(amaf, tree, scratch, node, guide, i):
    """Ñ and Ñ · Q̃ of a node's i-th move."""
    return 0.0, 0.0


@dispatched
def clear_entries(amaf, tree, scratch, node, lane):
    """A thread's share of the table of a new node."""


@dispatched
def start_entry(amaf, tree, scratch, node, edge, count, value):
    """Put the prior of a new move in."""


@dispatched
def add_entries(amaf, tree, scratch, node, listed, lane):
    """A thread's share of the marked moves."""


class Team(NamedTuple):
    """How the threads of a warp share the work."""

    amaf: Any
    graph: Any
    all_ask: int  # whether each asks the prior about its own moves: only where a prior writes nothing at all
    roots: Any  # the states at the roots, as plain words
    works: Any  # the states that are played on


def team_of(plan: Plan, codes: int, roots: Any, works: Any) -> Team:
    """For a search of a game with so many move codes."""
    kinds = {EdgeAmaf: Edges(codes=codes), TableAmaf: Tables(codes=codes)}
    graph = Positions() if isinstance(plan.graph, Graph) else Nothing()
    return Team(kinds.get(type(plan.amaf), Nothing()), graph, int(isinstance(plan.prior, Even)), roots, works)


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


@dispatched
def mark_together(kind, amaf, scratch, from_, to, listed, lane):
    """Mark the moves of the plies from `from_` to `to`; returns how many marks there are."""
    return listed


class Nothing(Spec):
    """No AMAF statistics."""


class Edges(Spec):
    """`EdgeAmaf`. The number of move codes is brought along: a GPU takes a hundred instructions to divide for it."""

    codes: int = 0

    def start_entry(amaf, tree, scratch, node, edge, count, value):
        """The edge's own numbers."""
        tree.an[edge] = count
        tree.aw[edge] = count * value

    def edge_amaf(amaf, tree, scratch, node, guide, i):
        """The edge's own numbers."""
        edge = tree.nodes[node].first + i
        return tree.an[edge], tree.aw[edge]

    def mark_together(kind, amaf, scratch, from_, to, listed, lane):
        """All threads at once."""
        return mark_in_parallel(kind.codes, amaf, scratch, from_, to, listed, lane)

    def add_entries(amaf, tree, scratch, node, listed, lane):
        """Every 32nd edge."""
        view = tree.nodes[node]
        result = scratch.results[view.player]
        i = np.int64(lane)
        while i < view.count:
            edge = view.first + i
            played = max(scratch.seen[np.int64(view.player) * amaf.codes + tree.code[edge]], 0.0)
            if played > 0.0:
                tree.an[edge] += played
                tree.aw[edge] += played * result
            i += WIDTH


class Tables(Spec):
    """`TableAmaf`."""

    codes: int = 0

    def start_entry(amaf, tree, scratch, node, edge, count, value):
        """The entry of the player to move, which is empty until then."""
        if count > 0.0:
            entry = node * scratch.seen.shape[0] + np.int64(tree.nodes[node].player) * amaf.codes + tree.code[edge]
            tree.table_n[entry] = count
            tree.table_w[entry] = count * value

    def edge_amaf(amaf, tree, scratch, node, guide, i):
        """What the reference node's table says."""
        view = tree.nodes[node]
        entry = guide * scratch.seen.shape[0] + np.int64(view.player) * amaf.codes + tree.code[view.first + i]
        return tree.table_n[entry], tree.table_w[entry]

    def mark_together(kind, amaf, scratch, from_, to, listed, lane):
        """All threads at once."""
        return mark_in_parallel(kind.codes, amaf, scratch, from_, to, listed, lane)

    def clear_entries(amaf, tree, scratch, node, lane):
        """Every 32nd entry."""
        entries = scratch.seen.shape[0]
        i = node * entries + lane
        while i < (node + 1) * entries:
            tree.table_n[i] = 0.0
            tree.table_w[i] = 0.0
            i += WIDTH

    def add_entries(amaf, tree, scratch, node, listed, lane):
        """Every 32nd of the list, in which no entry stands twice."""
        start = node * scratch.seen.shape[0]
        i = np.int64(lane)
        while i < listed:
            entry = np.int64(scratch.listed[i])
            played = max(scratch.seen[entry], 0.0)
            if played > 0.0:
                player, beyond = 0, amaf.codes  # entry // codes, without a division
                while entry >= beyond:
                    player, beyond = player + 1, beyond + amaf.codes
                tree.table_n[start + entry] += played
                tree.table_w[start + entry] += played * scratch.results[player]
            i += WIDTH


@inlined
def mark_in_parallel(codes, amaf, scratch, from_, to, listed, lane):
    """`mark_moves`: of threads with the same move the first marks it; the list's order differs, its entries do not."""
    if amaf.by_point != 0:
        if lane == 0:
            listed = np.int64(mark_moves(amaf, scratch, from_, to, listed))
        return np.int64(cuda.shfl_sync(ALL, listed, 0))
    below = np.uint32((1 << lane) - 1)
    for start in range(from_, to, WIDTH):
        u = start + lane
        entry, fresh = np.int64(-1 - lane), False
        if u < to:
            entry = np.int64(scratch.who[u] * codes + scratch.code[u])
            fresh = scratch.seen[entry] == 0.0
        # Not by an atomic maximum: Numba's returns a value read before, and two threads would both be the first.
        twins = np.uint32(cuda.match_any_sync(ALL, entry))
        fresh = fresh and (twins & below) == np.uint32(0)
        finders = np.uint32(cuda.ballot_sync(ALL, fresh))
        if fresh:
            scratch.seen[entry] = 1.0
            scratch.listed[listed + np.int64(cuda.popc(finders & below))] = entry
        listed += np.int64(cuda.popc(finders))
        cuda.syncwarp()
    return listed


@inlined
def think_together(k, lane, args):
    """Let the player whose turn it is in the k-th of some games do some simulations."""
    plan, memory, sizes, slots, simulations, team = args
    game = np.int64(slots[k])
    facts = memory.table.facts[game]
    if facts.ready < 0 and facts.over == 0:
        own = game * memory.table.results.shape[1] + np.int64(facts.mover)
        tree = tree_of(memory.trees, sizes.tree, game)
        scratch = scratch_of(memory.scratches, sizes.scratch, game, own, np.int64(facts.moves))
        for _ in range(simulations):
            root, work = team.roots[game], team.works[game]
            i = np.int64(lane)
            while i < root.shape[0]:
                work[i] = root[i]
                i += WIDTH
            cuda.syncwarp()
            simulate_together(plan, team, tree, scratch, lane)


@inlined
def simulate_together(plan, team, tree, scratch, lane):
    """`one_simulation`, from a copy of the root's state."""
    rules = plan.rules
    state = scratch.work[0]
    node = np.int64(0) if tree.used[NODES] > 0 else np.int64(-1)
    guide = np.int64(0)
    ply = np.int64(0)
    in_tree = np.int64(0)
    wanted = True
    while ply < scratch.who.shape[0] and not base.is_over(rules, state):
        if node < 0:
            if not wanted:
                break
            found, count, key = np.int64(-1), np.int64(0), np.uint64(0)
            if lane == 0:
                count = np.int64(base.legal(rules, state, scratch.moves))
                key = key_of(team.graph, rules, state)
                found = found_by(team.graph, tree, key, scratch.moves, count)
            node = np.int64(cuda.shfl_sync(ALL, found, 0))
            is_new = node < 0
            if is_new:
                node = expand_together(plan, team, tree, scratch, state, ply, lane, count, key)
            if node >= 0 and is_new:
                in_tree = ply + 1
            if lane == 0:
                if ply > 0 and node >= 0:
                    link(plan.threads, tree, np.int64(scratch.edge[ply - 1]), node)
                if node >= 0 and is_new:
                    scratch.node[ply] = node
                    scratch.edge[ply] = -1
            cuda.syncwarp()
            if is_new:
                break
        if closes_a_cycle(plan.graph, scratch, ply, node):
            break
        if tree.nodes[node].visits > reference(plan.policy):
            guide = node
        edge = select_together(plan, team, tree, scratch, node, guide, ply, lane)
        if lane == 0:
            scratch.node[ply] = node
            scratch.edge[ply] = edge
            scratch.who[ply] = tree.nodes[node].player
            scratch.code[ply] = tree.code[edge]
            base.play(rules, state, np.int64(tree.move[edge]))
        cuda.syncwarp()
        ply += 1
        in_tree = ply
        node = np.int64(tree.child[edge])
        visits = tree.n[edge] - tree.given[edge] if tree.given.shape[0] > 0 else tree.n[edge]
        wanted = visits >= plan.options.expand_after and ply <= depth_limit(plan.policy)
    reached = np.int64(0)
    cuda.syncwarp()
    if lane == 0:
        prove(plan.proofs, rules, tree, scratch, state, in_tree)
        last = min(scratch.who.shape[0], ply + horizon(plan.playout))
        begin(plan.playout, rules, tree, scratch, in_tree)
        reached = np.int64(play_out(plan.playout, plan.recording, rules, state, scratch, ply, last))
        for player in range(scratch.results.shape[0]):
            scratch.results[player] = evaluate(plan.playout, rules, state, player)
    plies = np.int64(cuda.shfl_sync(ALL, reached, 0))
    cuda.syncwarp()
    back_up_together(plan, team, tree, scratch, in_tree, plies, lane)
    if lane == 0:
        learn(plan.playout, rules, scratch, plies)
    cuda.syncwarp()


@inlined
def select_together(plan, team, tree, scratch, node, guide, ply, lane):
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
    i = np.int64(lane)
    while i < count:
        an, aw = edge_amaf(team.amaf, tree, scratch, node, guide, np.int64(i))
        scores[i] = score(plan.policy, context, Edge(n[i], w[i], an, aw, squares[i], share[i]))
        if ply < plan.options.full_width:
            scores[i] = -n[i]
        i += WIDTH
    cuda.syncwarp()
    if lane == 0:
        if ply >= plan.options.full_width:
            prune(plan.pruning, n, w, scores)
        rate_proven(plan.proofs, tree, first, first + count, scores)
    cuda.syncwarp()
    count = np.int64(considered(plan.options, total, count))
    best = -math.inf
    i = np.int64(lane)
    while i < count:
        best = scores[i] if scores[i] > best else best
        i += WIDTH
    for far in (16, 8, 4, 2, 1):
        there = cuda.shfl_xor_sync(ALL, best, far)
        best = there if there > best else best
    chosen = np.int64(count)
    i = np.int64(lane)
    while i < count:
        if scores[i] >= best - TIE:
            chosen = np.int64(i)
            break
        i += WIDTH
    for far in (16, 8, 4, 2, 1):
        there_ = np.int64(cuda.shfl_xor_sync(ALL, chosen, far))
        chosen = there_ if there_ < chosen else chosen
    return first + chosen


@inlined
def expand_together(plan, team, tree, scratch, state, ply, lane, count, key):
    """`expand`; the first thread knows how many moves stand in `scratch.moves`, and the key."""
    rules = plan.rules
    node, first = np.int64(-1), np.int64(-1)
    moves = scratch.moves
    if ply == 0:
        moves = scratch.root_moves
        count = np.int64(moves.shape[0])
    if lane == 0:
        node, first = take_room(plan.threads, tree, scratch, count)
        if node >= 0:
            head(tree, node, first, count, base.to_move(rules, state))
    count = np.int64(cuda.shfl_sync(ALL, count, 0))
    node = np.int64(cuda.shfl_sync(ALL, node, 0))
    first = np.int64(cuda.shfl_sync(ALL, first, 0))
    cuda.syncwarp()
    if node >= 0:
        i = np.int64(lane)
        while i < count:
            tree.move[first + i] = moves[i]
            tree.child[first + i] = -1
            tree.code[first + i] = base.code(rules, state, np.int64(moves[i]))
            i += WIDTH
        clear_entries(team.amaf, tree, scratch, node, lane)
        cuda.syncwarp()
        if lane == 0:
            survey(plan.prior, rules, state, tree, first, count, scratch.moves)
        cuda.syncwarp()
        grandparent = last_turn(tree.nodes, scratch.node, ply, tree.nodes[node].player)
        begin_at, step = (np.int64(lane), np.int64(WIDTH)) if team.all_ask != 0 else (count * min(lane, 1), np.int64(1))
        i = begin_at
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
        cuda.syncwarp()
        if lane == 0:
            if tree.given.shape[0] > 0:
                given = 0.0
                for i in range(count):
                    given += scratch.n[i]
                tree.nodes[node].given = given
            start_squares(plan.squares, tree, first, first + count)
            start_shares(plan.shares, tree, first, first + count, scratch.scores)
            prove_nothing(plan.proofs, tree, first, first + count)
            enter_node(team.graph, tree, node, key)
        cuda.syncwarp()
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
def back_up_together(plan, team, tree, scratch, in_tree, plies, lane):
    """`back_up`."""
    listed = np.int64(0)
    later = np.int64(plies)
    for t in range(in_tree - 1, -1, -1):
        node, edge = np.int64(scratch.node[t]), np.int64(scratch.edge[t])
        if lane == 0:
            view = tree.nodes[node]
            result = scratch.results[view.player]
            add_visit(plan.threads, tree, scratch, node, result)
            if edge < 0:
                view.first_result = result
            else:
                add_outcome(plan.threads, tree, scratch, node, edge, result)
                add_square(plan.squares, tree, edge, result)
            revalue(plan.backup, tree, node)
        listed = mark_together(team.amaf, plan.amaf, scratch, np.int64(t), later, listed, lane)
        later = np.int64(t)
        cuda.syncwarp()
        add_entries(team.amaf, tree, scratch, node, listed, lane)
        cuda.syncwarp()
    i = np.int64(lane)
    while i < listed:
        scratch.seen[scratch.listed[i]] = 0.0
        i += WIDTH
    cuda.syncwarp()
