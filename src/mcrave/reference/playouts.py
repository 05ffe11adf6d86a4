"""Default policies: how a simulation goes on outside the tree, and what some of them learn from it (lecture notes)."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mcrave.reference.protocol import Move, Play, Rng, State, candidates, code_of, random_move
from mcrave.reference.tree import zeros

Fact = tuple[Hashable, bool]
"""A predicate's name, and whether it holds."""


class Playout(Protocol):
    """A default policy."""

    def choose(self, state: State, rng: Rng) -> Move:
        """The next move."""

    def learn(self, plays: Sequence[Play], after: Sequence[State], z: Callable[[int], float]) -> None:
        """Learn from a simulation: its moves, the states behind them, and the outcome for each player."""


class Uniform:
    """Uniformly random moves, or what the game takes for them."""

    def choose(self, state: State, rng: Rng) -> Move:
        """A random move."""
        return random_move(state, rng)

    def learn(self, plays: Sequence[Play], after: Sequence[State], z: Callable[[int], float]) -> None:
        """There is nothing to learn."""


def softmax(moves: Sequence[Move], values: Sequence[float], tau: float, rng: Rng) -> Move:
    """Draw a move with probability e^(Q(a)/τ) / Σ_b e^(Q(b)/τ) (Gelly & Silver §3.5).

    >>> import random
    >>> draws = [softmax("ab", [1.0, 0.0], 1.0, random.Random(seed)) for seed in range(1000)]
    >>> abs(draws.count("a") / 1000 - math.e / (math.e + 1)) < 0.05
    True
    """
    weights = [math.exp((value - 1.0) / tau) for value in values]
    point = rng.random() * sum(weights)
    for move, weight in zip(moves[:-1], weights, strict=False):
        point -= weight
        if point < 0.0:
            return move
    return moves[-1]


@dataclass
class Mast:
    """Move-average sampling: moves that won more often, whenever played, are played more often.

    One mean per player and move for the whole search; `untried` for moves never played. A move is drawn by softmax with
    the temperature `tau`; or, with `epsilon` above 0, the best is taken (of several, one by lot) but for that share of
    random moves.

    >>> import random
    >>> from mcrave.reference.example import TicTacToe
    >>> mast = Mast(tau=0.01)
    >>> mast.learn([(0, cell) for cell in range(9)], [], lambda player: 0.0)
    >>> mast.learn([(0, 4)], [], lambda player: 1.0)
    >>> mast.choose(TicTacToe(), random.Random(1))
    4
    """

    tau: float = 0.2
    epsilon: float = 0.0
    untried: float = 0.5
    n: dict[Play, float] = field(default_factory=zeros)
    w: dict[Play, float] = field(default_factory=zeros)

    def value(self, play: Play) -> float:
        """The mean outcome for the player of all simulations with this move."""
        return self.w[play] / self.n[play] if self.n[play] else self.untried

    def choose(self, state: State, rng: Rng) -> Move:
        """Draw by softmax, or ε-greedily."""
        moves = candidates(state)
        values = [self.value((state.to_move, code_of(state, move))) for move in moves]
        if self.epsilon == 0.0:
            return softmax(moves, values, self.tau, rng)
        if rng.random() < self.epsilon:
            return random_move(state, rng)
        best = [move for move, value in zip(moves, values, strict=True) if value == max(values)]
        return best[rng.randrange(len(best))]

    def learn(self, plays: Sequence[Play], after: Sequence[State], z: Callable[[int], float]) -> None:
        """Every move of the simulation, in the tree and after."""
        for player, code in plays:
            self.n[player, code] += 1.0
            self.w[player, code] += z(player)


@dataclass
class Past:
    """Predicate-average sampling: as MAST, but what counts are the facts that a move makes true or false.

    `predicates(state)` names the facts of a position, each with its truth. Wins and traversals are kept for each fact
    and truth, for the player whose move led there. A move is worth what the facts that it changes are, pooled: all
    their wins over all their traversals. (The notes leave the combination open; facts that a move does not change
    tell it from no other.)

    >>> import random
    >>> from mcrave.reference.example import TicTacToe
    >>> past = Past(lambda state: [("X in the centre", state.cells[4] == "X")], tau=0.01)
    >>> for cell, won in ((4, 1.0), (0, 0.0)):
    ...     past.learn([(0, cell)], [TicTacToe().play(cell)], lambda player: won)
    >>> past.choose(TicTacToe(), random.Random(1))
    4
    """

    predicates: Callable[[Any], Iterable[Fact]]
    tau: float = 0.2
    n: dict[tuple[int, Fact], float] = field(default_factory=zeros)
    w: dict[tuple[int, Fact], float] = field(default_factory=zeros)

    def value(self, state: State, move: Move) -> float:
        """The pooled mean of the facts that a move changes; ½ where nothing is known."""
        keys = [(state.to_move, fact) for fact in {*self.predicates(state.play(move))} - {*self.predicates(state)}]
        n = sum(self.n[key] for key in keys)
        return sum(self.w[key] for key in keys) / n if n else 0.5

    def choose(self, state: State, rng: Rng) -> Move:
        """Draw by softmax."""
        moves = candidates(state)
        return softmax(moves, [self.value(state, move) for move in moves], self.tau, rng)

    def learn(self, plays: Sequence[Play], after: Sequence[State], z: Callable[[int], float]) -> None:
        """The facts of every position that was passed."""
        for (player, _), state in zip(plays, after, strict=True):
            for fact in self.predicates(state):
                self.n[player, fact] += 1.0
                self.w[player, fact] += z(player)
