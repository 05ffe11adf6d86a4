"""Uniformly random playouts, and their mean result: the Monte-Carlo value of a position (Gelly & Silver §2.3)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mcrave.errors import Error
from mcrave.games import Position, base
from mcrave.kernel import entry
from mcrave.kernel.rng import stream
from mcrave.playouts.base import Playout, random_rest
from mcrave.specs import lowered


class Uniform(Playout, name="uniform"):
    """Every legal move with the same probability; in Go, no move that fills an own eye."""

    def choose(playout, rules, state, memory, rng, out):
        """The game's own random move."""
        return base.random_move(rules, state, rng, out)

    def play_out(playout, recording, rules, state, scratch, ply, last):
        """The game's fast path."""
        return random_rest(recording, rules, state, scratch, ply, last)


@entry
def run(rules, root, work, rng, out, plies, count, totals):
    """Play `count` random games from the root, add their results to `totals`; return the plies played."""
    played = 0
    for _ in range(count):
        work[0] = root[0]
        played += base.random_playout(rules, work[0], rng[0], out, plies)
        for player in range(totals.shape[0]):
            totals[player] += base.outcome(rules, work[0], player)
    return played


class Sample(NamedTuple):
    """What some random playouts gave."""

    values: tuple[float, ...]
    """The mean outcome for each player."""
    playouts: int
    plies: int
    """All moves played, in all playouts together."""


def sample(position: Position, playouts: int, seed: int = 1) -> Sample:
    """Play uniformly random games from a position; the same seed gives the same games.

    >>> import mcrave
    >>> result = sample(mcrave.game("nim(heaps=1)").start(), 10)
    >>> result.values, result.plies
    ((1.0, 0.0), 10)
    """
    if playouts < 1:
        raise Error(f"at least 1 playout is needed, not {playouts}")
    game = position.game
    totals = np.zeros(game.players)
    root: Any = position.state
    out = np.zeros(game.max_moves(), np.int32)
    plies = run(lowered(game), root, root.copy(), stream(seed), out, game.max_plies(), playouts, totals)
    return Sample(tuple((totals / playouts).tolist()), playouts, int(plies))
