"""Ordered simulation with annealing, as in Gobble (Gelly & Silver §3.5; Brügmann 1993)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mcrave.errors import SpecError
from mcrave.games import base
from mcrave.kernel import jit
from mcrave.kernel.rng import below, uniform
from mcrave.playouts import _moves
from mcrave.playouts._moves import HEAD, WIDTH
from mcrave.playouts.base import Playout

if TYPE_CHECKING:
    from mcrave.games import Game

PLAYED = 1e9  # the rank of a move that was made in this playout


class Ordered(Playout, name="ordered"):
    """Each player makes the first possible move of an order; p(N) = max(`floor`, 1 − N / `anneal`) disturbs it.

    A reading of §3.5, which says: moves are sorted by their all-moves-as-first value, the order is perturbed at
    random by a schedule that cools down with the number of simulations, and each simulation plays all moves in that
    order. Exactly:

    - every player has a list of all move codes, sorted by the all-moves-as-first value at the root as in `softmax`,
      highest first; a code without a value has ½, and equal ones keep the order they had, at first that of the
      numbers;
    - before a playout each list is disturbed from the top: with probability p(N) a place is exchanged with one drawn
      from itself and all behind it, N being the simulations of the root so far. At N = 0 that is a random
      permutation, at N ≥ `anneal` with `floor` = 0 the sorted list itself;
    - in the playout a player makes the first move of the list that a random playout could make now and that this
      player has not made in this playout; if there is none, a random move. Where several moves have one code the
      first in the game's order is made.

    Gobble had no tree; here the tree's moves come first. Its orders allow for points that are played again after a
    capture; here a second play comes once the list is used up, by lot. How it perturbed its orders §3.5 does not say:
    the shuffle above was chosen because it reaches from random to strict order. A sort and a shuffle of all codes are
    paid for in every simulation: use it where codes are few.
    """

    anneal: int = 1000
    floor: float = 0.0

    def validate(self) -> None:
        """A schedule that cools."""
        if self.anneal < 1:
            raise SpecError(f"ordered needs anneal to be at least 1 simulation, not {self.anneal}")
        if not 0.0 <= self.floor <= 1.0:
            raise SpecError(f"ordered needs floor from 0 to 1, not {self.floor}")

    def memory_size(self, game: Game) -> int:
        """Entries, then for each player the sorted codes and the rank of each code, then one disturbed list."""
        return _moves.table_size(game) + (2 * game.players + 1) * game.codes()

    def records(playout):
        """Moves are what it learns from."""
        return True

    def begin(playout, rules, tree, scratch, in_tree):
        """Sort and disturb the lists."""
        memory, rng = scratch.memory, scratch.rng[0]
        players = scratch.results.shape[0]
        codes = scratch.seen.shape[0] // players
        memory[_moves.CODES] = codes
        lists = HEAD + WIDTH * players * codes
        memory[_moves.SPARE] = lists + players * codes  # where the ranks begin
        if _moves.starts(memory, tree, scratch, in_tree):
            _moves.forget(memory)
            for i in range(players * codes):
                memory[lists + i] = i % codes
        visits = float(tree.nodes[scratch.node[0]].visits) if in_tree > 0 else 0.0
        p = max(playout.floor, 1.0 - visits / playout.anneal)
        for player in range(players):
            first = player * codes
            sort(memory, player, memory[lists + first : lists + first + codes])
            ranks = memory[lists + (players * codes) + first : lists + (players * codes) + first + codes]
            disturb(memory[lists + first : lists + first + codes], memory[memory.shape[0] - codes :], ranks, p, rng)

    def choose(playout, rules, state, memory, rng, out):
        """The first in the order."""
        n = base.candidates(rules, state, out)
        ranks = np.int64(memory[_moves.SPARE]) + base.to_move(rules, state) * np.int64(memory[_moves.CODES])
        move, where, lowest = np.int64(-1), np.int64(0), PLAYED
        for i in range(n):
            place = ranks + base.code(rules, state, np.int64(out[i]))
            if memory[place] < lowest:
                move, where, lowest = np.int64(out[i]), place, memory[place]
        if move < 0:
            return base.random_move(rules, state, rng, out)
        memory[where] = PLAYED
        return move

    def learn(playout, rules, scratch, plies):
        """Count every move of the simulation once."""
        _moves.remember(scratch.memory, scratch.who, scratch.code, scratch.results, plies, True, 0.0)


@jit
def sort(memory, player, codes):
    """Sort codes by falling worth, equal ones as they were; quick when little has changed."""
    for i in range(1, codes.shape[0]):
        code = codes[i]
        value = _moves.worth(memory, _moves.at(memory, player, code), 0.5)
        j = i
        while j > 0 and _moves.worth(memory, _moves.at(memory, player, codes[j - 1]), 0.5) < value:
            codes[j] = codes[j - 1]
            j -= 1
        codes[j] = code


@jit
def disturb(codes, spare, ranks, p, rng):
    """Give every code its rank in the list after each place was, with probability p, exchanged with a later one."""
    n = codes.shape[0]
    for i in range(n):
        spare[i] = codes[i]
    for i in range(n):
        if uniform(rng) < p:
            j = i + below(rng, n - i)
            kept = spare[i]
            spare[i] = spare[j]
            spare[j] = kept
        ranks[np.int64(spare[i])] = i
