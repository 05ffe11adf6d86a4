"""Simulation balancing: playouts whose mean outcome is right, rather than whose moves are (Silver & Tesauro 2009).

A policy is balanced if the errors of its moves cancel out: the bias b(s) = V*(s) − V_θ(s) is small, V_θ(s) being the
mean outcome of simulations from s and V*(s) the true value, here that of a deep search. Both ways minimise Σ_s b(s)²
by steps

    θ ← θ + α b(s) ∇V_θ(s)

over training positions s in turn:

- `gradient` (policy gradient simulation balancing): b(s) from one half of the simulations of a step and ∇V_θ(s) from
  the other, so that the product of both is right in the mean. Ours subtracts the mean outcome from each, which changes
  nothing but the noise;
- `two_step`: V_θ(s) is taken two plies ahead, Σ_a Σ_b π(s,a) π(s∘a,b) V*(s∘a∘b), which needs no simulation but V* of
  all these positions.

The paper was not at hand; its algorithms are written here from memory. Its features were local shapes of up to 2×2
points, ours are those of `patterns()`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mcrave.errors import Error
from mcrave.features import ratings, weights
from mcrave.features.moves import CLASSES, LIGHT, OFFSETS
from mcrave.games import Game, Position
from mcrave.games import game as game_of
from mcrave.kernel.rng import below, stream
from mcrave.learn.simulate import Policy, Runner, list_pairs, mean_outcome, simulate, two_steps
from mcrave.playouts.base import Playout
from mcrave.search import Options, Search
from mcrave.search.plan import Off
from mcrave.specs import lowered, parse

METHODS = ("gradient", "two_step")
ORACLE = "mc_rave"
POSITIONS, TRAINING, MEASURING, ORACLE_STREAM = 11, 12, 13, 14  # name streams of random numbers
Note = Callable[[int], None]


class Settings(NamedTuple):
    """What makes a run what it is."""

    size: int = 5
    komi: float = 7.5
    positions: int = 60
    oracle: int = 2000
    """Simulations of the search that values a position."""
    method: str = "gradient"
    start: str = "patterns"
    """uniform, patterns (the ratings that come with mcrave), or a file of ratings."""
    alpha: float = 1.0
    simulations: int = 200
    """Of each step, by `gradient`."""
    seed: int = 1

    def check(self) -> None:
        """Numbers that make sense."""
        if not 3 <= self.size <= 19:
            raise Error(f"balancing is for boards from 3x3 to 19x19, not {self.size}x{self.size}")
        if self.method not in METHODS:
            raise Error(f"the method must be one of {', '.join(METHODS)}, not {self.method!r}")
        if not 0.0 < self.alpha <= 100.0:
            raise Error(f"alpha must be above 0 and at most 100, not {self.alpha:g}")
        for name in ("positions", "oracle", "simulations"):
            if getattr(self, name) < 2:
                raise Error(f"{name} must be 2 or more, not {getattr(self, name)}")


def start_ratings(start: str) -> Any:
    """The ratings that a run begins with."""
    if start == "uniform":
        return np.ones(int(OFFSETS[LIGHT]))
    return ratings.load("light", "" if start == "patterns" else start).copy()


def new_policy(game: Game, theta: Any) -> Policy:
    """A policy for a board."""
    moves = game.max_moves()
    return Policy(CLASSES, theta, np.zeros((moves, LIGHT), np.int16), np.zeros(moves, np.int32), np.zeros(moves))


def random_positions(game: Game, count: int, seed: int) -> list[Position]:
    """Positions of random games, at any ply but the last ones: both players have moves to choose from.

    >>> first, again = (random_positions(game_of("go(size=5)"), 3, seed=1) for _ in range(2))
    >>> [str(p) for p in first] == [str(p) for p in again]
    True
    """
    found: list[Position] = []
    points: int = game.rows * game.cols  # type: ignore[attr-defined]
    number = 0
    while len(found) < count:
        rng, position = stream(seed, POSITIONS, number)[0], game.start()
        number += 1
        for _ in range(below(rng, points)):
            moves = _sensible(position)
            if len(moves) < 4:
                break
            position = position.play(int(moves[below(rng, len(moves))]))
        if len(_sensible(position)) >= 4:
            found.append(position)
    return found


def _sensible(position: Position) -> list[int]:
    """What a random playout may play."""
    from mcrave.games.go import is_playable

    state = position.state[0]
    me = int(state.turn) + 1
    return [int(move) for move in position.moves if move and is_playable(state, np.uintp(move), me)]


class Balancing:
    """Weights that are being balanced.

    >>> run = Balancing(Settings(size=3, komi=0.5, positions=2, start="uniform", simulations=20))
    >>> run.values = [1.0, 0.0]  # or let the oracle say it: run.value_positions()
    >>> run.step()
    >>> run.steps, run.gamma.shape
    (1, (1134,))
    """

    def __init__(self, settings: Settings) -> None:
        """Nothing is known yet."""
        settings.check()
        self.settings = settings
        self.game = game_of(f"go(size={settings.size},komi={settings.komi!r})")
        self.theta = np.log(start_ratings(settings.start))
        self.positions = random_positions(self.game, settings.positions, settings.seed)
        self.values: list[float] = []
        """What the oracle says that each is worth to Black."""
        self.pairs: list[Any] = []
        """For `two_step`: its values after all pairs of moves."""
        self.steps = 0
        self._policy, self._later = (new_policy(self.game, self.theta) for _ in range(2))
        self._rules = lowered(self.game)

    @property
    def gamma(self) -> Any:
        """The ratings."""
        return np.exp(self.theta)

    # ------------------------------------------------------------------------------------------ the oracle

    def value_positions(self, note: Note | None = None, save: Callable[[], None] | None = None) -> None:
        """Ask the oracle for what is not known yet."""
        for number in range(len(self.values), len(self.positions)):
            position, search = self.positions[number], oracle_of(self.game, self.settings.seed, number)
            value = oracle_value(search, position, self.settings.oracle)
            if self.settings.method == "two_step":
                self.pairs[number:] = [self._value_pairs(search, position)]
            self.values.append(value)
            if note is not None:
                note(number + 1)
            if save is not None:
                save()

    def _value_pairs(self, search: Search, position: Position) -> Any:
        """The oracle's values after every pair of moves; each has the fewer simulations the more pairs there are."""
        pairs = np.zeros((self.game.max_moves() ** 2, 2), np.int32)
        root = position.state
        n = list_pairs(self._policy, self._later, self._rules, root, root.copy(), pairs)
        each = max(self.settings.oracle // 10, 20)
        return np.array([oracle_value(search, after(position, pair), each) for pair in pairs[:n].tolist()])

    # ------------------------------------------------------------------------------------------ learning

    def step(self) -> None:
        """Correct the weights by one position; positions come in turn."""
        number = self.steps % len(self.positions)
        value, gradient = self.estimate(number)
        self.theta += self.settings.alpha * (self.values[number] - value) * gradient
        np.clip(self.theta, -10.0, 10.0, out=self.theta)
        self.steps += 1

    def estimate(self, number: int) -> tuple[float, Any]:
        """V_θ of a training position and its gradient, independent of each other."""
        root, score, gradient = self.positions[number].state, *np.zeros((2, self.theta.size))
        if self.settings.method == "two_step":
            work = root.copy()
            value = two_steps(self._policy, self._later, self._rules, root, work, self.pairs[number], score, gradient)
            return float(value), gradient
        rng, half = stream(self.settings.seed, TRAINING, self.steps), self.settings.simulations // 2
        none, ends = np.zeros_like(gradient), (half, self.game.max_plies())
        play = (self._policy, self._rules, root, root.copy(), rng, *ends)
        value = simulate(*play, 0.0, score, none) / half
        simulate(*play, value, score, gradient)
        return float(value), gradient / half

    # ------------------------------------------------------------------------------------------ files

    def about(self) -> dict[str, Any]:
        """What the ratings are."""
        return {"kind": ratings.KIND, **self.settings._asdict(), "steps": self.steps}

    def save(self, path: str | Path) -> None:
        """Everything that is needed to go on as if nothing had happened."""
        arrays = {"light": self.gamma, "theta": self.theta, "values": np.array(self.values)}
        if self.pairs:
            whole = self.pairs[: len(self.values)]  # Ctrl-C may have come between both
            arrays["pairs"] = np.concatenate([np.zeros(0), *whole])
            arrays["lengths"] = np.array([len(values) for values in whole], np.int64)
        weights.write(path, self.about(), arrays)

    def resume(self, path: str | Path) -> None:
        """Go on with what `save` wrote, if it is of the same settings."""
        about, arrays = weights.read(path, ratings.KIND)
        ratings.check(path, arrays)
        for name, wanted in self.settings._asdict().items():
            if about.get(name) != wanted:
                raise Error(
                    f"{path} is of a run with {name}={about.get(name)}, not {wanted}; choose another file by --out"
                )
        try:
            self.values = [float(value) for value in arrays["values"]]
            self.theta[:] = arrays["theta"]
            self.steps = int(about["steps"])
            if self.settings.method == "two_step":
                lengths = arrays.get("lengths", np.zeros(0, np.int64))
                self.pairs = np.split(arrays.get("pairs", np.zeros(0)), np.cumsum(lengths))[:-1]
        except (KeyError, ValueError, TypeError, IndexError):
            raise Error(f"{path} cannot be gone on with: it holds ratings to play with only") from None


def after(position: Position, moves: list[int]) -> Position:
    """The position after moves that a simulation makes, superko or not."""
    for move in moves:
        if not position.is_over:
            position = position.play(move if move in position.moves else 0)
    return position


def oracle_of(game: Game, seed: int, number: int) -> Search:
    """A search that proves what it can; each position has one of its own, so that a run can be stopped anywhere."""
    name = int(stream(seed, ORACLE_STREAM, number)[0].state >> np.uint64(1))
    return Search(game, tree=ORACLE, playout="mogo()", options=Options(solve=1), memory="64MB", seed=name)


def oracle_value(search: Search, position: Position, simulations: int) -> float:
    """V*(s) for Black: the value of the move that the search chooses, 1 or 0 if that is proven."""
    if position.is_over:
        return position.outcome(0)
    report = search.run(position, simulations=simulations)
    best = next(move for move in report.moves if move.move == report.best)
    value = best.value if best.proven is None else best.proven
    return float(value if position.to_move == 0 else 1.0 - value)


class Errors(NamedTuple):
    """How far the mean outcomes of playouts are from the oracle's values, and how they scatter."""

    bias: float
    """Mean of V(s) − V*(s), for Black."""
    error: float
    """Root of the mean of its square, the noise of the measured V(s) taken off."""
    variance: float
    """Mean variance of a single playout's outcome."""


def errors_of(playout: str | Playout, positions: list[Position], values: list[float], playouts: int) -> Errors:
    """Compare playouts with the oracle."""
    spec: Playout = parse(playout, "playout") if isinstance(playout, str) else playout
    game = positions[0].game
    spec.check(game, False)
    memory, moves = np.zeros(spec.memory_size(game)), np.zeros(game.max_moves(), np.int32)
    runner = Runner(stream(MEASURING), memory, moves, positions[0].state)
    loaded, rules, plies = spec.loaded(game), lowered(game), game.max_plies()
    found = np.array([mean_outcome(loaded, Off(), rules, p.state, runner, playouts, plies) for p in positions])
    wrong = found - np.array(values)
    variance = found * (1.0 - found)
    square = float((wrong**2).mean() - variance.mean() / max(playouts - 1, 1))
    return Errors(
        float(wrong.mean()), max(square, 0.0) ** 0.5, float(variance.mean() * playouts / max(playouts - 1, 1))
    )
