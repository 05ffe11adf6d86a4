"""PAST, the predicate-average sampling technique (lecture notes; Finnsson & Björnsson 2010)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from mcrave.errors import SpecError
from mcrave.games import base
from mcrave.kernel import jit
from mcrave.kernel.rng import uniform
from mcrave.playouts import _moves
from mcrave.playouts._moves import CODES, COLDEST, HEAD
from mcrave.playouts.base import Playout
from mcrave.specs import lowered

if TYPE_CHECKING:
    from mcrave.games import Game

STATES, STRIDE = 2, 3  # in the head: states seen in this playout; floats per statement
MEAN = 0


class Past(Playout, name="past"):
    """P(a) = exp(V(p,a) / τ) / Σ_b exp(V(p,b) / τ), V from the statistics of the predicates that the move changes.

    For every predicate of the game (see `predicates` in games/base.py; most declare piece-at-cell) there are two
    statements, "true" and "false", each with a count n of visited states in which it held and the sum w, for
    each player, of the outcomes of those simulations. A state counts every time it is visited. Then, over the
    statements that the move makes hold and that have n ≥ `least`:

    - combine=max: V = max w/n over those that become true, as Finnsson & Björnsson. They take the maximum over all
      predicates true after the move, of which nearly all were true before and are the same for every move; what
      the move does not change cannot tell it from others, so it is left out here;
    - combine=mean: V = Σw / Σn over all, one reading of the notes' "combination of corresponding stats". A cell
      lacks a given piece most of the time, so that where a move makes something false, as when a piece leaves its
      cell, that statistic can outweigh the others: see the matches in docs/algorithms/playouts.md.

    V = ½ where no statement has counts enough. Only states of the playout are seen, from the leaf to the end, not
    those inside the tree: the tree has statistics of its own. What was learnt is kept from one position to the
    next. For a game without predicates the predicate is "p has just made this move", which is `mast`, with ½ for
    moves never made.
    """

    tau: float = 0.2
    combine: Literal["mean", "max"] = "max"
    least: int = 10

    def validate(self) -> None:
        """A temperature that keeps every probability above zero."""
        if not self.tau >= COLDEST:
            raise SpecError(f"past needs tau to be at least {COLDEST}, not {self.tau}")
        if self.least < 1:
            raise SpecError(f"past needs least to be at least 1, not {self.least}")

    def memory_size(self, game: Game) -> int:
        """How often each predicate was true in this playout, the statements, and weights of the moves."""
        count = int(base.predicates(lowered(game)))
        if count == 0:
            return _moves.table_size(game)
        return HEAD + count + 2 * count * (1 + game.players) + game.max_moves()

    def records(playout):
        """Moves are what it learns from if there is nothing else."""
        return True

    def begin(playout, rules, tree, scratch, in_tree):
        """Note how the statistics stand."""
        scratch.memory[CODES] = scratch.seen.shape[0] // scratch.results.shape[0]
        scratch.memory[STRIDE] = 1 + scratch.results.shape[0]

    def choose(playout, rules, state, memory, rng, out):
        """Note what is true now, then draw."""
        if base.predicates(rules) == 0:
            return _moves.draw(rules, state, memory, rng, out, _moves.heat(0.5, playout.tau))
        notice(rules, state, memory)
        n = base.candidates(rules, state, out)
        player = base.to_move(rules, state)
        last = memory.shape[0] - 1  # weights stand at the end, from the back
        total = 0.0
        for i in range(n):
            value = promise(playout, rules, state, np.int64(out[i]), player, memory)
            memory[last - i] = _moves.heat(value, playout.tau)
            total += memory[last - i]
        left = uniform(rng) * total
        for i in range(n - 1):
            left -= memory[last - i]
            if left < 0.0:
                return np.int64(out[i])
        return np.int64(out[n - 1])

    def learn(playout, rules, scratch, plies):
        """Give every statement its visited states with the outcome."""
        memory, results = scratch.memory, scratch.results
        if base.predicates(rules) == 0:
            _moves.remember(memory, scratch.who, scratch.code, results, plies, False, playout.tau)
            return
        notice(rules, scratch.work[0], memory)
        for i in range(base.predicates(rules)):
            times = memory[HEAD + i]
            credit(rules, memory, 2 * i, times, results)
            credit(rules, memory, 2 * i + 1, memory[STATES] - times, results)
            memory[HEAD + i] = 0.0
        memory[STATES] = 0.0


@jit
def notice(rules, state, memory):
    """Count what is true in a state."""
    memory[STATES] += 1.0
    for i in range(base.predicates(rules)):
        memory[HEAD + i] += int(base.predicate(rules, state, i))


@jit
def statement(rules, memory, number):
    """Where a statement's count stands; its sums by player follow."""
    return HEAD + base.predicates(rules) + number * np.int64(memory[STRIDE])


@jit
def credit(rules, memory, number, times, results):
    """Let a statement have held in so many states of a simulation."""
    entry = statement(rules, memory, number)
    memory[entry] += times
    for player in range(results.shape[0]):
        memory[entry + 1 + player] += times * results[player]


@jit
def promise(playout, rules, state, move, player, memory):
    """V of a move: what the statements that it makes hold have been worth."""
    n, w, highest = 0.0, 0.0, -1.0
    i = 0
    number = base.change(rules, state, move, i)
    while number >= 0:
        entry = statement(rules, memory, number)
        if memory[entry] >= playout.least:
            n += memory[entry]
            w += memory[entry + 1 + player]
            if number % 2 == 0:
                highest = max(highest, memory[entry + 1 + player] / memory[entry])
        i += 1
        number = base.change(rules, state, move, i)
    if playout.combine == MEAN:
        return w / n if n > 0.0 else 0.5
    return highest if highest >= 0.0 else 0.5
