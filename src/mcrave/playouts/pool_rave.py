"""PoolRAVE: playouts that often make one of the best AMAF moves of the tree (Rimmel, Teytaud & Teytaud 2011)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mcrave.errors import Error, SpecError
from mcrave.games import base
from mcrave.kernel import jit
from mcrave.kernel.rng import below, uniform
from mcrave.playouts._moves import CODES, HEAD
from mcrave.playouts.base import Playout

if TYPE_CHECKING:
    from mcrave.games import Game


class PoolRave(Playout, name="pool_rave"):
    """With probability `p` a move from the pool: the `k` moves of highest Q̃(s,a) at s; else a random move.

    s is the last node on the way down with at least `visits` simulations (the paper: 50). Only moves with
    Ñ(s,a) ≥ `least` come into the pool; of equal values the first in the game's order. Deviations:

    - Q̃(s,·) is about the moves of the player to move at s. So that a pool does not help one side alone, every
      player has one: from the last such node at which that player is to move. Without such a node the player's
      moves are random;
    - the paper draws from the pool and takes the move if it is legal. Here the draw is among those moves of the
      pool that a random playout could make now, as if it were repeated until it succeeds; if there are none the
      move is random.

    The tree policy must keep AMAF values.
    """

    p: float = 0.5
    k: int = 10
    visits: int = 50
    least: int = 5

    @property
    def reads_tree(self) -> bool:
        """For its pools."""
        return True

    def validate(self) -> None:
        """A probability, and a pool that can hold something."""
        if not 0.0 <= self.p <= 1.0:
            raise SpecError(f"pool_rave needs p from 0 to 1, not {self.p}")
        for field in ("k", "visits", "least"):
            if getattr(self, field) < 1:
                raise SpecError(f"pool_rave needs {field} to be at least 1, not {getattr(self, field)}")

    def check(self, game: Game, amaf: bool) -> None:
        """There must be AMAF values to make pools of."""
        if not amaf:
            raise Error("pool_rave needs a tree policy that keeps AMAF values, such as rave(), mc_rave() or grave()")

    def memory_size(self, game: Game) -> int:
        """For each player a mark for each code, then how large the pool is, its codes, and their values."""
        return HEAD + game.players * (game.codes() + 1 + 2 * self.k)

    def begin(playout, rules, tree, scratch, in_tree):
        """Fill the pools; those of players without a node of enough simulations are empty."""
        memory = scratch.memory
        players = scratch.results.shape[0]
        codes = scratch.seen.shape[0] // players
        memory[CODES] = codes
        pools = HEAD + players * codes
        for player in range(players):
            marks = memory[HEAD + player * codes : HEAD + (player + 1) * codes]
            pool = memory[pools + player * (1 + 2 * playout.k) : pools + (player + 1) * (1 + 2 * playout.k)]
            mark(marks, pool, 0.0)
            pool[0] = 0.0
            t = in_tree - 1
            while t >= 0:
                node = tree.nodes[scratch.node[t]]
                if node.player == player and node.visits >= playout.visits:
                    break
                t -= 1
            if t >= 0:
                fill(playout, tree, np.int64(scratch.node[t]), scratch.seen.shape[0], codes, pool)
                mark(marks, pool, 1.0)

    def choose(playout, rules, state, memory, rng, out):
        """From the pool, or by the game."""
        if uniform(rng) < playout.p:
            n = base.candidates(rules, state, out)
            marks = HEAD + base.to_move(rules, state) * np.int64(memory[CODES])
            found = 0
            for i in range(n):
                if memory[marks + base.code(rules, state, np.int64(out[i]))] > 0.0:
                    out[found] = out[i]
                    found += 1
            if found > 0:
                return np.int64(out[below(rng, found)])
        return base.random_move(rules, state, rng, out)


@jit
def mark(marks, pool, value):
    """Set the marks of all codes in a pool."""
    for i in range(np.int64(pool[0])):
        marks[np.int64(pool[1 + i])] = value


@jit
def fill(playout, tree, node, entries, codes, pool):
    """Collect the best moves of a node: their number, their codes, their values, best first."""
    held = 0
    view = tree.nodes[node]
    values = 1 + playout.k
    for edge in range(view.first, view.first + view.count):
        code = np.int64(tree.code[edge])
        if tree.an.shape[0] > 0:
            n, w = tree.an[edge], tree.aw[edge]
        elif tree.table_n.shape[0] > 0:
            entry = node * entries + np.int64(view.player) * codes + code
            n, w = tree.table_n[entry], tree.table_w[entry]
        else:
            n, w = 0.0, 0.0
        if n < playout.least or (held == playout.k and w / n <= pool[values + held - 1]):
            continue
        i = min(held, playout.k - 1)
        while i > 0 and pool[values + i - 1] < w / n:
            pool[1 + i] = pool[i]
            pool[values + i] = pool[values + i - 1]
            i -= 1
        pool[1 + i] = code
        pool[values + i] = w / n
        held = min(held + 1, playout.k)
    pool[0] = held
