"""A simulation by several lanes of a warp, which share the loops over a node's moves and over AMAF entries.

The same algorithm as `mcrave.search.loop`, and the same numbers: every move's score is computed by one thread with the
kernels of the policy, a maximum does not depend on the order in which it is taken, and no two threads add to one
entry. What depends on an order (the playout, values that come from those below) is done by the first thread, while the
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
from mcrave.kernel.views import piece
from mcrave.parallel.gpu.lanes import LANES, WHOLE, seat_of
from mcrave.parallel.gpu.near import bring, near_of, part_of, take_back, team_in_block
from mcrave.parallel.gpu.pace import pace_of, play_on
from mcrave.parallel.gpu.rows import scratch_of, tree_of
from mcrave.parallel.gpu.warp_amaf import (
    add_together,
    amaf_at,
    amaf_of,
    edge_amaf,
    keep_outcome,
    list_at,
    mark_together,
    start_entry,
    start_table,
)
from mcrave.playouts.base import begin, evaluate, horizon, learn
from mcrave.policies.base import Edge, NodeView, depth_limit, prepare, reference, score
from mcrave.priors.base import heuristic, survey
from mcrave.priors.even import Even
from mcrave.priors.shuffled import Shuffled
from mcrave.search.backups import Mean, read_values, revalue
from mcrave.search.extras import add_square, read_shares, read_squares, start_shares, start_squares
from mcrave.search.graph import Graph, closes_a_cycle
from mcrave.search.loop import TIE, considered, last_turn
from mcrave.search.plan import Plan, Scratch
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
    pace: Any  # how the games of a warp play out
    values: Any  # where N and N · Q of a move are read
    all_ask: int  # whether each asks the prior about its own moves: only where a prior writes nothing at all
    roots: Any  # the states at the roots, as plain words
    works: Any  # the states that are played on
    places: Any  # where scratch memory lies, see `near`


def team_of(plan: Plan, width: int, scratch: Any, states: tuple[Any, Any], places: Scratch) -> Team:
    """For a search by so many lanes; `scratch` are the lengths of its scratch memory."""
    graph = Positions() if isinstance(plan.graph, Graph) else Nothing()
    values = Own() if isinstance(plan.backup, Mean) else Read()
    parts = LANES[width], amaf_of(plan, scratch), graph, pace_of(plan.playout), values
    return Team(*parts, int(isinstance(plan.prior, Even | Shuffled)), *states, places)


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


@dispatched
def value_at(values, tree, n, w, first, i):
    """N and N · Q of a node's i-th move, of which `read_values` told."""
    return np.float64(n[i]), np.float64(w[i])


@dispatched
def counted_together(values):
    """Whether the outcomes of a path may be counted in any order."""
    return False


class Read(Spec):
    """What `read_values` told."""


class Own(Spec):
    """The edge's own numbers, without a look at where the arrays end."""

    def value_at(values, tree, n, w, first, i):
        """As they stand."""
        return np.float64(tree.n[first + i]), np.float64(tree.w[first + i])

    def counted_together(values):
        """No node's value depends on another's."""
        return True


@inlined
def think_together(k, thread, args):
    """`think`, by a thread of a warp."""
    _, memory, _, slots, some, all_, team = args
    facts = memory.table.facts[np.int64(slots[k])]
    thinks = facts.ready < 0 and facts.over == 0
    me = seat_of(team.lanes, thread, cuda.ballot_sync(WHOLE, thinks))
    if thinks:
        bring(near_memory(k, args, me), far_memory(k, args), me)
        done = np.int64(facts.done)
        count = min(some, all_ - done)
        for _ in range(count):
            simulate_together(k, args, me)
        take_back(near_memory(k, args, me), far_memory(k, args), me)
        if me.lane == 0:
            facts.done = done + count


@inlined
def far_memory(k, args):
    """The scratch memory of the k-th of some games, for the player whose turn it is."""
    _, memory, sizes, slots, _, _, _ = args
    game = np.int64(slots[k])
    facts = memory.table.facts[game]
    own = game * memory.table.results.shape[1] + np.int64(facts.mover)
    return scratch_of(memory.scratches, sizes.scratch, game, own, np.int64(facts.moves))


@inlined
def near_memory(k, args, me):
    """The same, with those parts of it that lie near."""
    return near_of(args[6].places, far_memory(k, args), team_in_block(me.width))


@inlined
def own_tree(k, args):
    """The tree of the k-th of some games.

    Every part of a simulation asks for this and for the scratch memory anew: the compiler cannot know that the game is
    still the same, and so it does not keep dozens of addresses in registers from one part to the next.
    """
    _, memory, sizes, slots, _, _, _ = args
    return tree_of(memory.trees, sizes.tree, np.int64(slots[k]))


@inlined
def take_root(k, args, me):
    """Copy the root's state."""
    slots, team = args[3], args[6]
    game = np.int64(slots[k])
    root = team.roots[game]
    (work,) = part_of(team.places.work, team.works[game], team_in_block(me.width))
    i = np.int64(me.lane)
    while i < root.shape[0]:
        work[i] = root[i]
        i += me.width
    cuda.syncwarp(me.mask)


@inlined
def simulate_together(k, args, me):
    """`one_simulation`."""
    plan, team = args[0], args[6]
    take_root(k, args, me)
    ply, in_tree, number = walk_together(k, args, me)
    plies = finish_game(k, args, ply, in_tree, me)
    tree, scratch = own_tree(k, args), near_memory(k, args, me)
    back_up_together(plan, team, tree, scratch, (in_tree, plies), number, me)
    if me.lane == 0:
        learn(plan.playout, plan.rules, scratch, plies)
    cuda.syncwarp(me.mask)


@inlined
def walk_together(k, args, me):
    """Go down the tree and add a node; returns the ply reached, how many are in the tree, and the root's visits."""
    plan, team = args[0], args[6]
    rules = plan.rules
    tree, scratch = own_tree(k, args), near_memory(k, args, me)
    state = scratch.work[0]
    node, number = np.int64(-1), np.int64(0)
    if tree.used[NODES] > 0:
        node, number = np.int64(0), np.int64(tree.nodes[0].visits)  # read before any thread adds to it
    guide = np.int64(0)
    ply = np.int64(0)
    in_tree = np.int64(0)
    wanted = True
    goes_on = scratch.who.shape[0] > 0 and not base.is_over(rules, state)
    while goes_on:
        while goes_on and node >= 0:
            if closes_a_cycle(plan.graph, scratch, ply, node):
                goes_on = False
            else:
                tree, scratch = own_tree(k, args), near_memory(k, args, me)
                state = scratch.work[0]
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
                goes_on = ply < scratch.who.shape[0] and not base.is_over(rules, state)
        # Behind the loop, and not in it: here the games of a warp meet again, and go on in step.
        goes_on = goes_on and wanted
        if goes_on:
            tree, scratch = own_tree(k, args), near_memory(k, args, me)
            state = scratch.work[0]
            found, count, key = np.int64(-1), np.int64(0), np.uint64(0)
            if me.lane == 0:
                count = np.int64(base.legal(rules, state, scratch.moves))
                key = key_of(team.graph, rules, state)
                found = found_by(team.graph, tree, key, scratch.moves, count)
            node = np.int64(cuda.shfl_sync(me.mask, found, me.first))
            goes_on = node >= 0
            if not goes_on:
                node = expand_together(plan, team, tree, scratch, state, ply, me, count, key)
            if not goes_on and node >= 0:
                in_tree = ply + 1
            if me.lane == 0:
                if ply > 0 and node >= 0:
                    link(plan.threads, tree, np.int64(scratch.edge[ply - 1]), node)
                if not goes_on and node >= 0:
                    scratch.node[ply] = node
                    scratch.edge[ply] = -1
            cuda.syncwarp(me.mask)
    return ply, in_tree, number


@inlined
def finish_game(k, args, ply, in_tree, me):
    """Play out, by the first thread; returns the ply reached."""
    plan, team = args[0], args[6]
    rules = plan.rules
    cuda.syncwarp(me.mask)
    tree, scratch = own_tree(k, args), near_memory(k, args, me)
    state = scratch.work[0]
    last = min(scratch.who.shape[0], ply + horizon(plan.playout))
    if me.lane == 0:
        prove(plan.proofs, rules, tree, scratch, state, in_tree)
        begin(plan.playout, rules, tree, scratch, in_tree)
    reached = play_on(team.pace, plan, state, scratch, ply, last, me)
    if me.lane == 0:
        for player in range(scratch.results.shape[0]):
            scratch.results[player] = evaluate(plan.playout, rules, state, player)
    plies = np.int64(cuda.shfl_sync(me.mask, reached, me.first))
    cuda.syncwarp(me.mask)
    return plies


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
    start = amaf_at(team.amaf, scratch, guide, np.int64(view.player))
    by_count = ply < plan.options.full_width
    i = np.int64(me.lane)
    while i < count:  # three at once: their numbers are on the way together
        j, k = min(i + me.width, count - 1), min(i + 2 * me.width, count - 1)
        ni, wi = value_at(team.values, tree, n, w, first, i)
        nj, wj = value_at(team.values, tree, n, w, first, j)
        nk, wk = value_at(team.values, tree, n, w, first, k)
        ani, awi = edge_amaf(team.amaf, tree, start, first + i)
        anj, awj = edge_amaf(team.amaf, tree, start, first + j)
        ank, awk = edge_amaf(team.amaf, tree, start, first + k)
        si = score(plan.policy, context, Edge(ni, wi, ani, awi, squares[i], share[i]))
        sj = score(plan.policy, context, Edge(nj, wj, anj, awj, squares[j], share[j]))
        sk = score(plan.policy, context, Edge(nk, wk, ank, awk, squares[k], share[k]))
        scores[i] = -ni if by_count else si
        scores[j] = -nj if by_count else sj
        scores[k] = -nk if by_count else sk
        i += 3 * me.width
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
    chosen = np.int32(count)
    i = np.int64(me.lane)
    while i < count:
        if scores[i] >= best - TIE:
            chosen = np.int32(i)
            break
        i += me.width
    far = me.width >> 1
    while far > 0:
        there_ = np.int32(cuda.shfl_xor_sync(me.mask, chosen, far))
        chosen = there_ if there_ < chosen else chosen
        far >>= 1
    return first + np.int64(chosen)


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
            scratch.scores[i] = value
            tree.n[edge] = c
            tree.w[edge] = c * value
            if tree.given.shape[0] > 0:
                tree.given[edge] = scratch.n[i] = c
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
    marks = piece(scratch.listed, list_at(team.amaf, number), scratch.listed.shape[0])
    keep_outcome(team.amaf, scratch, number, me)
    listed = np.int64(0)
    later = np.int64(plies)
    together = counted_together(team.values)
    if together:
        t = np.int64(me.lane)
        while t < in_tree:
            count_outcome(plan, tree, scratch, t)
            t += me.width
    for t in range(in_tree - 1, -1, -1):
        node = np.int64(scratch.node[t])
        if me.lane == 0 and not together:
            count_outcome(plan, tree, scratch, t)
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


@inlined
def count_outcome(plan, tree, scratch, t):
    """Count a simulation at the t-th node of its path, and at the edge taken there."""
    node, edge = np.int64(scratch.node[t]), np.int64(scratch.edge[t])
    view = tree.nodes[node]
    result = scratch.results[view.player]
    add_visit(plan.threads, tree, scratch, node, result)
    if edge < 0:
        view.first_result = result
    else:
        add_outcome(plan.threads, tree, scratch, node, edge, result)
        add_square(plan.squares, tree, edge, result)
    revalue(plan.backup, tree, node)
