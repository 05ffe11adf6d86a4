"""What a playout policy remembers of moves: for each player and move code how often it was played, and how well.

A policy's memory is an array of floats, zero when the search is made: a head, and one entry of four numbers for
each player and code. Entries stand player by player.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mcrave.games import base
from mcrave.kernel import jit
from mcrave.kernel.rng import below, uniform

if TYPE_CHECKING:
    from mcrave.games import Game

CODES, SIMULATIONS, SPARE = 0, 1, 2  # the head: codes per player, simulations so far; the rest is a policy's own
HEAD = 4
WORTH, COUNT, SUM, LAST = 0, 1, 2, 3  # an entry: what a draw reads, n, the sum of outcomes, the last simulation
WIDTH = 4
COLDEST = 0.01  # below this temperature exp(-1 / tau) may vanish


def table_size(game: Game) -> int:
    """How many floats the head and the entries take."""
    return HEAD + WIDTH * game.players * game.codes()


@jit
def at(memory, player, code):
    """Where the entry of a player's move begins."""
    return HEAD + WIDTH * (np.int64(player) * np.int64(memory[CODES]) + np.int64(code))


@jit
def forget(memory):
    """Set everything behind the head, and the number of simulations, to zero."""
    memory[SIMULATIONS] = 0.0
    for i in range(HEAD, memory.shape[0]):
        memory[i] = 0.0


@jit
def starts(memory, tree, scratch, in_tree):
    """Whether the simulation is the first from its root, or the first of all."""
    return memory[SIMULATIONS] == 0.0 or (in_tree > 0 and tree.nodes[scratch.node[0]].visits == 0)


@jit
def heat(value, tau):
    """exp((value - 1) / tau): the weight of a value in [0, 1], scaled so that it is at most 1."""
    return math.exp((value - 1.0) / tau)


@jit
def worth(memory, entry, unknown):
    """What a move is worth to a draw; `unknown` if it was never played."""
    return memory[entry + WORTH] if memory[entry + COUNT] > 0.0 else unknown


@jit
def remember(memory, who, code, results, plies, once, tau):
    """Add a simulation: each move counts with the outcome for who played it, every time or `once`.

    The worth becomes the weight of the mean at temperature tau, or, with tau = 0, the mean itself.
    """
    memory[SIMULATIONS] += 1.0
    now = memory[SIMULATIONS]
    for ply in range(plies):
        entry = at(memory, np.int64(who[ply]), np.int64(code[ply]))
        if once and memory[entry + LAST] == now:
            continue
        memory[entry + LAST] = now
        memory[entry + COUNT] += 1.0
        memory[entry + SUM] += results[who[ply]]
        mean = memory[entry + SUM] / memory[entry + COUNT]
        memory[entry + WORTH] = heat(mean, tau) if tau > 0.0 else mean


@jit
def draw(rules, state, memory, rng, out, unknown):
    """Draw a move in proportion to its worth."""
    n = base.candidates(rules, state, out)
    player = base.to_move(rules, state)
    total = 0.0
    for i in range(n):
        total += worth(memory, at(memory, player, base.code(rules, state, np.int64(out[i]))), unknown)
    left = uniform(rng) * total
    for i in range(n - 1):
        left -= worth(memory, at(memory, player, base.code(rules, state, np.int64(out[i]))), unknown)
        if left < 0.0:
            return np.int64(out[i])
    return np.int64(out[n - 1])


@jit
def best(rules, state, memory, rng, out, unknown):
    """A move of the highest worth, each of several with the same probability."""
    n = base.candidates(rules, state, out)
    player = base.to_move(rules, state)
    highest, ties = -1.0, 0
    for i in range(n):
        value = worth(memory, at(memory, player, base.code(rules, state, np.int64(out[i]))), unknown)
        if value > highest:
            highest, ties = value, 0
        ties += int(value == highest)
    left = below(rng, ties)
    for i in range(n):
        value = worth(memory, at(memory, player, base.code(rules, state, np.int64(out[i]))), unknown)
        if value == highest:
            if left == 0:
                return np.int64(out[i])
            left -= 1
    return np.int64(out[n - 1])
