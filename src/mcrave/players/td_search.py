"""Temporal-difference search: `td_search@10000` (RLGO 2.4; Gelly & Silver §3.4)."""

from __future__ import annotations

import math
import random
import time
from typing import Any

import numpy as np

from mcrave.errors import SpecError
from mcrave.features.local_shape import rate_moves, shapes_of
from mcrave.features.weights import check_shapes, local_shape_weights
from mcrave.games import Game, Position
from mcrave.games._stones import PASS
from mcrave.kernel.rng import stream
from mcrave.learn.look_ahead import look_down, look_on, new_plies
from mcrave.learn.self_play import Learner, self_play
from mcrave.learn.td import NEVER, new_board
from mcrave.players.base import Budget
from mcrave.players.local_shape import best_of
from mcrave.specs import Spec, lowered

SLICE = 0.05  # seconds between looks at the clock
DEEPEST = 8  # plies of alpha–beta
POSITIONS = 500  # that it looks at between looks at the clock
LEARNING = 0.7  # the share of the time for simulations, if alpha–beta follows


class TdSearch(Spec, kind="player", name="td_search"):
    """TD(0) from simulated games that start at the current position, on top of what was learnt before; only for Go.

    The value of a position is σ(φ·(θ + θ̄)): permanent weights θ, from `mcrave learn td`, and transient ones θ̄, which
    begin at zero with every game and are kept from move to move. Every simulation is a game against itself with
    ε-greedy moves, `alpha` and `epsilon` as in `mcrave learn td`; from ply `default` on its moves are random, which
    is faster (0: never). The move with the best value is made, or with `depth` above 1 the best by alpha–beta over
    so many plies, which Silver, Sutton & Müller 2012 add, too; depth and order of moves are ours.
    """

    alpha: float = 0.5
    epsilon: float = 0.1
    default: int = 0
    weights: str = ""
    depth: int = 1

    def validate(self) -> None:
        """Numbers that make sense."""
        if not 0.0 < self.alpha <= 1.0:
            raise SpecError(f"td_search needs alpha above 0 and at most 1, not {self.alpha}")
        if not 0.0 <= self.epsilon <= 1.0:
            raise SpecError(f"td_search needs epsilon from 0 to 1, not {self.epsilon}")
        if self.default < 0:
            raise SpecError(f"td_search needs default to be 0 or more plies, not {self.default}")
        if not 1 <= self.depth <= DEEPEST:
            raise SpecError(f"td_search needs depth from 1 to {DEEPEST}, not {self.depth}")


class TdSearchPlayer:
    """Plays what temporal-difference search finds.

    >>> from mcrave.players import parse_player
    >>> str(parse_player("td_search(epsilon=0.2)@500"))
    'td_search(epsilon=0.2)@500'
    """

    def __init__(self, spec: TdSearch, budget: Budget, seed: int = 1) -> None:
        """The same seed gives the same moves, unless time is the limit."""
        self.spec, self.budget, self.seed = spec, budget, seed
        self.name = f"{str(spec).removesuffix('()')}@{budget}"
        self.estimate: float | None = None
        self._game: Game | None = None
        self._theta: Any = None
        self._begin(seed)

    def prepare(self, game: Game) -> None:
        """Read the permanent weights."""
        if self._game != game:
            check_shapes(self.spec.name, "player", game, self.spec.weights)
            self._game, self._theta = game, None

    def new_game(self, seed: int, seconds: float = 0.0) -> None:
        """Forget the transient weights."""
        self._begin(seed)

    def _begin(self, seed: int) -> None:
        self.seed, self.estimate, self._theta = seed, None, None
        self._rng, self._dice = stream(seed), random.Random(seed)

    def close(self) -> None:
        """Give the memory back."""
        self._theta = None

    def search(self, position: Position) -> int:
        """Learn from simulated games within the budget; returns how many."""
        self.prepare(position.game)
        game, size = position.game, position.game.rows  # type: ignore[attr-defined]
        shapes = shapes_of(size)
        if self._theta is None:
            self._theta = local_shape_weights(size, self.spec.weights).copy()
        alpha, epsilon, default, _, _ = self.spec
        seen = np.zeros(shapes.pairs, np.int64)
        learner = Learner(shapes, self._theta, seen, alpha, epsilon, 0.0, default or NEVER)
        board = new_board(position.state, shapes.windows, self._rng)
        done, batch = np.zeros(1, np.int64), 1
        seconds = (self.budget.seconds or math.inf) * (LEARNING if self.spec.depth > 1 else 1.0)
        self_play(lowered(game), learner, board, done, 0, 0)  # compiling is not thinking time
        began = time.perf_counter()
        while True:
            taken = time.perf_counter() - began
            left = self.budget.simulations - int(done[0]) if self.budget.simulations else batch
            if left <= 0 or (self.budget.seconds and taken >= seconds):
                return int(done[0])
            self_play(lowered(game), learner, board, done, min(left, batch), game.max_plies())
            spent = time.perf_counter() - began - taken
            batch = max(1, min(4 * batch, int(batch * SLICE / max(spent, 1e-6))))

    def choose(self, position: Position) -> int:
        """The best move by what was learnt."""
        self.prepare(position.game)
        if PASS in position.moves and (after := position.play(PASS)).is_over:
            if after.outcome(position.to_move) == 1.0:
                self.estimate = 1.0
                return PASS
        self.search(position)
        move, self.estimate = self.look_ahead(position)
        return move

    def look_ahead(self, position: Position) -> tuple[int, float]:
        """The best move by alpha–beta, and its value; within a budget of time, ever deeper while time is left."""
        game, shapes = position.game, shapes_of(position.game.rows)  # type: ignore[attr-defined]
        rated = self.rate(position)
        move, value = best_of(position, rated, self._dice)
        playable = position.moves[(rated >= 0.0) & (position.moves != PASS)]
        if self.spec.depth == 1 or playable.size == 0:
            return move, value
        plies = new_plies(position.state, shapes.windows, game.max_moves(), self.spec.depth)
        look_down(shapes, self._theta, plies, 0)
        look_on(lowered(game), shapes, self._theta, plies, 1, 0)  # compiling is not thinking time
        until = time.perf_counter() + (1.0 - LEARNING) * (self.budget.seconds or math.inf)
        for depth in range(2 if self.budget.seconds else self.spec.depth, self.spec.depth + 1):
            plies.moves[0, : playable.size] = playable
            look_down(shapes, self._theta, plies, playable.size)
            while not look_on(lowered(game), shapes, self._theta, plies, depth, POSITIONS):
                if time.perf_counter() >= until:
                    return move, value
            move, value = int(plies.now[1]), 0.5 + 0.5 * math.tanh(0.5 * plies.best[0])  # σ, for any number
        return move, value

    def rate(self, position: Position) -> Any:
        """What each legal move is worth to the player to move; −1 for filling an own eye."""
        shapes = shapes_of(position.game.rows)  # type: ignore[attr-defined]
        values, config = np.zeros(position.moves.size), np.zeros(shapes.windows, np.int32)
        rate_moves(shapes, self._theta, position.state, config, position.moves, values)
        return values

    def __str__(self) -> str:
        """The text form."""
        return self.name

    def __eq__(self, other: object) -> bool:
        """Equal if they play the same."""
        mine = (self.spec, self.budget, self.seed)
        return isinstance(other, TdSearchPlayer) and mine == (other.spec, other.budget, other.seed)

    def __hash__(self) -> int:
        """Consistent with equality."""
        return hash((self.spec, self.budget, self.seed))
