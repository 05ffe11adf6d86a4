"""What happens in one game: it is set up, a player thinks, a move is chosen and made.

The search itself is `one_simulation`, unchanged. The choice of the move and the customs of passing are those of
`mcrave.search.choices` and `mcrave.players.search`, written as kernels here; tests compare whole games with theirs.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from mcrave.games import base
from mcrave.games._position import drop_repeats
from mcrave.kernel import inlined, jit, record
from mcrave.parallel.gpu.rows import scratch_of, tree_of
from mcrave.search.backups import read_values
from mcrave.search.loop import one_simulation
from mcrave.trees.arena import EDGES, NODES, UNKNOWN

FACTS = record(
    mover=np.int32,  # whose turn it is
    moves=np.int32,  # how many legal moves there are; 0 once the game is over
    played=np.int32,  # moves since the opening
    seen=np.int32,  # entries in `Table.seen`
    over=np.int32,
    ready=np.int32,  # a move that is made without a search, or -1
    move=np.int32,  # the last move made, or -1
    done=np.int32,  # simulations of the move that is thought about
    began=np.uint64,  # the random state with which that began
    estimate=np.float64,  # what the last move was worth to its player
)
MOST_VISITS, BEST_VALUE, SECURE, GIVEN = 0, 1, 2, 3

drop = drop_repeats.kernel


class Table(NamedTuple):
    """What a game holds beside the trees and the scratch memory: a row for each."""

    facts: Any
    history: Any  # int32, the moves since the opening
    seen: Any  # uint64, the situations so far, where the rules forbid repetition
    results: Any  # the outcome for each seat


class Customs(NamedTuple):
    """How a player moves once its search is done."""

    choice: int  # one of MOST_VISITS …
    a: float  # the constant of SECURE
    hopeless: float  # at most so much worth, and the player passes
    simulations: int = 0  # of a move
    early_stop: int = 0  # whether fewer will do, if the most visited move cannot be overtaken any more


class Fresh(NamedTuple):
    """Games to be set up, one a row."""

    root: Any
    streams: Any  # the random state of each seat
    seen: Any
    count: Any  # entries in `seen`


class Memory(NamedTuple):
    """All that a game reads and writes, as rows."""

    trees: Any
    scratches: Any
    table: Any


class Sizes(NamedTuple):
    """How much of the rows one player's search uses."""

    tree: Any
    scratch: Any


@inlined
def begin_game(k, args):
    """Put the k-th new game into its slot."""
    rules, memory, sizes, slots, fresh, passing = args
    game = np.int64(slots[k])
    table = memory.table
    facts = table.facts[game]
    seats = table.results.shape[1]
    memory.scratches.root[game][0] = fresh.root[k][0]
    for seat in range(seats):
        own = game * seats + seat
        memory.scratches.rng[own][0].state = fresh.streams[k][seat]
        learnt = memory.scratches.memory[own]
        for i in range(learnt.shape[0]):
            learnt[i] = 0.0
    count = np.int64(fresh.count[k])
    for i in range(count):
        table.seen[game][i] = fresh.seen[k][i]
    marks = memory.scratches.seen[game]
    for i in range(marks.shape[0]):
        marks[i] = 0.0
    facts.seen = count
    facts.played = 0
    facts.move = -1
    facts.done = 0
    facts.estimate = 0.5
    scratch = scratch_of(memory.scratches, sizes.scratch, game, game * seats, memory.scratches.root_moves.shape[1])
    settle(rules, scratch, facts, table.seen[game], table.results[game], passing)


@inlined
def settle(rules, scratch, facts, seen, results, passing):
    """Say what holds in the position at hand: as `Position` does, and whether passing wins at once."""
    state = scratch.root[0]
    facts.over = int(base.is_over(rules, state))
    facts.mover = base.to_move(rules, state)
    facts.ready = -1
    facts.moves = 0
    if facts.over != 0:
        for player in range(results.shape[0]):
            results[player] = base.outcome(rules, state, player)
        return
    count = np.int64(base.legal(rules, state, scratch.root_moves))
    situation = base.situation(rules, state)
    if situation != np.uint64(0):
        count = np.int64(drop(rules, scratch.root, scratch.work, scratch.root_moves, count, seen[: facts.seen]))
    facts.moves = count
    if place_of(scratch.root_moves, count, passing) >= 0:
        scratch.work[0] = scratch.root[0]
        base.play(rules, scratch.work[0], np.int64(passing))
        if base.is_over(rules, scratch.work[0]):
            if base.outcome(rules, scratch.work[0], np.int64(facts.mover)) == 1.0:
                facts.ready = passing


@jit
def place_of(moves, count, move):
    """Where a move stands in a list, or -1."""
    for i in range(count):
        if moves[i] == move:
            return np.int64(i)
    return np.int64(-1)


@inlined
def clear_tree(k, args):
    """Empty the tree of the k-th of some games, where a move begins to be thought about."""
    memory, sizes, slots = args
    game = np.int64(slots[k])
    facts = memory.table.facts[game]
    if facts.done == 0:
        facts.began = memory.scratches.rng[game * memory.table.results.shape[1] + np.int64(facts.mover)][0].state
        tree = tree_of(memory.trees, sizes.tree, game)
        tree.used[NODES] = 0
        tree.used[EDGES] = 0
        for i in range(tree.slots.shape[0]):
            tree.slots[i] = -1


@inlined
def think(k, args):
    """Let the player whose turn it is in the k-th of some games do some simulations, of all that it has for a move."""
    plan, memory, sizes, slots, some, all_ = args
    game = np.int64(slots[k])
    facts = memory.table.facts[game]
    if facts.ready < 0 and facts.over == 0:
        own = game * memory.table.results.shape[1] + np.int64(facts.mover)
        tree = tree_of(memory.trees, sizes.tree, game)
        scratch = scratch_of(memory.scratches, sizes.scratch, game, own, np.int64(facts.moves))
        count = min(some, all_ - np.int64(facts.done))
        for _ in range(count):
            one_simulation(plan, tree, scratch)
        facts.done += count


@inlined
def move(k, args):
    """Choose a move in the k-th of some games, and make it, if its player has thought enough."""
    rules, backup, customs, memory, sizes, slots, given, passing = args
    game = np.int64(slots[k])
    table = memory.table
    facts = table.facts[game]
    tree = tree_of(memory.trees, sizes.tree, game)
    own = game * table.results.shape[1] + np.int64(facts.mover)
    scratch = scratch_of(memory.scratches, sizes.scratch, game, own, memory.scratches.root_moves.shape[1])
    if customs.choice != GIVEN and facts.ready < 0 and facts.done < customs.simulations:
        if customs.early_stop == 0 or not is_decided(tree, customs.simulations - np.int64(facts.done)):
            return
    facts.done = 0
    if customs.choice == GIVEN:
        chosen, estimate = np.int64(given[k]), 0.5
    elif facts.ready >= 0:
        chosen, estimate = np.int64(facts.ready), 1.0
    else:
        chosen, estimate = decide(rules, backup, customs, tree, scratch, np.int64(facts.moves), np.int64(passing))
    table.history[game][facts.played] = chosen
    facts.played += 1
    facts.move = chosen
    facts.estimate = estimate
    base.play(rules, scratch.root[0], chosen)
    situation = base.situation(rules, scratch.root[0])
    if situation != np.uint64(0):
        table.seen[game][facts.seen] = situation
        facts.seen += 1
    settle(rules, scratch, facts, table.seen[game], table.results[game], passing)


@jit
def is_decided(tree, left):
    """Whether the runner-up at the root could not catch up even if it got all simulations that are left."""
    first, count = tree.nodes[0].first, np.int64(tree.nodes[0].count)
    most, second = -math.inf, -math.inf
    for edge in range(first, first + count):
        visits = np.float64(tree.n[edge])
        if tree.given.shape[0] > 0:
            visits -= tree.given[edge]
        if visits > most:
            most, second = visits, most
        elif visits > second:
            second = visits
    return count < 2 or most - second > left


@inlined
def decide(rules, backup, customs, tree, scratch, count, passing):
    """The move that the root's statistics and the customs of passing give, and what it is worth."""
    n, w = read_values(backup, tree, scratch, np.int64(0))
    best = first_best(customs, tree, n, w, np.int64(-1), True)
    passes = place_of(scratch.root_moves, count, passing)
    if passes >= 0 and worth_of(n, w, best) <= customs.hopeless and proof_of(tree, best) != 1.0:
        best = passes
    elif best == passes and count > 1 and gives_away(rules, scratch, passing):
        best = first_best(customs, tree, n, w, passes, False)
    first = tree.nodes[0].first
    proven = proof_of(tree, best)
    return np.int64(tree.move[first + best]), worth_of(n, w, best) if proven == UNKNOWN else proven


@jit
def worth_of(n, w, i):
    """The mean outcome of a move."""
    return np.float64(w[i]) / np.float64(n[i]) if n[i] != 0.0 else 0.0


@jit
def proof_of(tree, i):
    """The proven outcome of a move of the root, or UNKNOWN."""
    return np.float64(tree.proof[tree.nodes[0].first + i]) if tree.proof.shape[0] > 0 else UNKNOWN


@jit
def first_best(customs, tree, n, w, without, by_proof):
    """The first of the best moves of the root, one of them left out."""
    best, certain, high, low = np.int64(-1), 0.0, 0.0, 0.0
    for i in range(tree.nodes[0].count):
        if i == without:
            continue
        edge = tree.nodes[0].first + i
        visits = math.floor(n[i] - (tree.given[edge] if tree.given.shape[0] > 0 else 0.0) + 0.5)
        value = worth_of(n, w, i)
        major, minor = float(visits), value
        if customs.choice == BEST_VALUE:
            major, minor = (value if visits > 0 else -1.0), float(visits)
        elif customs.choice == SECURE:
            major, minor = (value - customs.a / math.sqrt(visits) if visits > 0 else -math.inf), float(visits)
        sure = 0.0
        proven = proof_of(tree, i)
        if by_proof and proven == 1.0:
            sure = 1.0
        if by_proof and proven == 0.0:
            sure = -1.0
        better = sure > certain or (sure == certain and (major > high or (major == high and minor > low)))
        if best < 0 or better:
            best, certain, high, low = np.int64(i), sure, major, minor
    return best


@inlined
def gives_away(rules, scratch, passing):
    """Whether the opponent can answer a pass by another that wins."""
    mover = base.to_move(rules, scratch.root[0])
    scratch.work[0] = scratch.root[0]
    state = scratch.work[0]
    base.play(rules, state, np.int64(passing))
    if base.is_over(rules, state):
        return False
    count = np.int64(base.legal(rules, state, scratch.moves))
    if place_of(scratch.moves, count, passing) < 0:
        return False
    base.play(rules, state, np.int64(passing))
    return base.is_over(rules, state) and base.outcome(rules, state, np.int64(mover)) == 0.0
