"""Flat Monte-Carlo (Gelly & Silver §2.3): the move after which random playouts end best.

All legal moves get the same number of uniformly random playouts; the greatest mean result for the player who
moves wins, and the first of several equal ones is taken. There is no tree: this is what the tree
searches have to beat.

One thing is added for Go, whose random playouts do not pass while there is anything else to play: once all
playouts after passing are won, or all playouts after any move are lost, the player passes, so games end.
"""

from __future__ import annotations

import random
import time

import numpy as np

from mcrave.games import Position
from mcrave.players.base import Budget, register
from mcrave.playouts import sample

PASS = "pass"
ROUND = 8  # playouts of each move between two looks at the clock


class MonteCarlo:
    """Plays the move with the best mean result of random playouts.

    >>> import mcrave
    >>> player, position = MonteCarlo(Budget(1000)), mcrave.game("mnk").position(["a1", "b2", "a2", "c2"])
    >>> position.name(player.choose(position)), player.estimate
    ('a3', 1.0)
    """

    def __init__(self, budget: Budget = Budget(1000), seed: int = 1) -> None:  # noqa: B008 (immutable)
        """Think that long about a move; the same seed gives the same moves, unless time is the limit."""
        self.name = f"monte_carlo@{budget}"
        self.estimate: float | None = None
        self._budget = budget
        self._seeds = random.Random(seed)

    def choose(self, position: Position) -> int:
        """The move with the best mean."""
        values = self._values(position)
        best = int(np.argmax(values))
        if values[best] in (0.0, 1.0):
            for i, move in enumerate(position.moves.tolist()):
                if values[i] == values[best] and position.name(move).lower() == PASS:
                    best = i
        self.estimate = float(values[best])
        return int(position.moves[best])

    def _values(self, position: Position) -> np.ndarray:
        """The mean result for the player to move of each legal move."""
        children = [position.play(move) for move in position.moves.tolist()]
        if self._budget.simulations:
            return self._sampled(children, position.to_move, -(-self._budget.simulations // len(children)))
        end = time.perf_counter() + self._budget.seconds
        total, rounds = np.zeros(len(children)), 0
        while rounds == 0 or time.perf_counter() < end:
            total += self._sampled(children, position.to_move, ROUND)
            rounds += 1
        return total / rounds

    def _sampled(self, children: list[Position], player: int, playouts: int) -> np.ndarray:
        seeds = (self._seeds.getrandbits(62) for _ in children)
        return np.array(
            [
                child.outcome(player) if child.is_over else sample(child, playouts, seed).values[player]
                for child, seed in zip(children, seeds, strict=True)
            ]
        )


def _make(budget: Budget | None, seed: int) -> MonteCarlo:
    return MonteCarlo(budget or Budget(1000), seed)


register("monte_carlo", _make, "monte_carlo@1000", "flat Monte-Carlo: the best mean of 1000 random playouts in all")
