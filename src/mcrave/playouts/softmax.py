"""The temperature heuristic: softmax playouts over all-moves-as-first values (Gelly & Silver §3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcrave.errors import SpecError
from mcrave.playouts import _moves
from mcrave.playouts._moves import COLDEST
from mcrave.playouts.base import Playout

if TYPE_CHECKING:
    from mcrave.games import Game


class Softmax(Playout, name="softmax"):
    """π(s,a) = exp(Q(s,a) / τ) / Σ_b exp(Q(s,b) / τ), with one Q for all states below the root.

    Bouzy & Helmstetter 2003 bias random moves towards the strongest evaluations, which in their program are those
    of the root's moves. Here Q(s,a) is the all-moves-as-first value at the root: the mean outcome, for the player
    to move at s, of the simulations from this root in which that player made the move with a's code at least once,
    in the tree or below it. A move without a value has ½. The sum is over the moves a random playout could make.
    τ is constant: cooling did not help them either (footnote 11).

    Against `mast`: a move counts once a simulation, not every time, and each new root starts from nothing. A root
    that was reached with `advance` and keeps its tree keeps the values too.
    """

    tau: float = 0.2

    def validate(self) -> None:
        """A temperature that keeps every probability above zero."""
        if not self.tau >= COLDEST:
            raise SpecError(f"softmax needs tau to be at least {COLDEST}, not {self.tau}")

    def memory_size(self, game: Game) -> int:
        """An entry for each player and code."""
        return _moves.table_size(game)

    def records(playout):
        """Moves are what it learns from."""
        return True

    def begin(playout, rules, tree, scratch, in_tree):
        """Start from nothing at a new root."""
        scratch.memory[_moves.CODES] = scratch.seen.shape[0] // scratch.results.shape[0]
        if _moves.starts(scratch.memory, tree, scratch, in_tree):
            _moves.forget(scratch.memory)

    def choose(playout, rules, state, memory, rng, out):
        """By lot."""
        return _moves.draw(rules, state, memory, rng, out, _moves.heat(0.5, playout.tau))

    def learn(playout, rules, scratch, plies):
        """Count every move of the simulation once."""
        _moves.remember(scratch.memory, scratch.who, scratch.code, scratch.results, plies, True, playout.tau)
