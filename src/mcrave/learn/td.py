"""TD(0) self-play as a run that can be stopped and goes on (RLGO 1.0; Gelly & Silver §3.4)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mcrave.errors import Error
from mcrave.features import weights
from mcrave.features.local_shape import shapes_of
from mcrave.games import Game
from mcrave.games import game as game_of
from mcrave.kernel.rng import stream
from mcrave.learn.self_play import Board, Learner, play_greedily, self_play
from mcrave.playouts.base import Playout
from mcrave.specs import lowered, parse

NEVER = 1 << 30
OPPONENTS = ("uniform()", "mogo()")
SLICE = 0.2  # seconds between looks at Ctrl-C
MEASURING = 7919  # names the random streams of games that measure


class Settings(NamedTuple):
    """What makes a run what it is."""

    size: int = 9
    komi: float = 7.5
    alpha: float = 0.5
    epsilon: float = 0.1
    halving: float = 100_000.0
    seed: int = 1

    def check(self) -> None:
        """Numbers that make sense."""
        if not 2 <= self.size <= 19:
            raise Error(f"local shapes are for boards from 2x2 to 19x19, not {self.size}x{self.size}")
        if not 0.0 < self.alpha <= 1.0:
            raise Error(f"alpha must be above 0 and at most 1, not {self.alpha:g}")
        if not 0.0 <= self.epsilon <= 1.0:
            raise Error(f"epsilon must be from 0 to 1, not {self.epsilon:g}")
        if not 0.0 <= self.halving < 1e12:
            raise Error(f"halving must be a number of games, not {self.halving:g}")


class Point(NamedTuple):
    """A point of the learning curve: how often the greedy player won against each opponent."""

    games: int
    seconds: float
    rates: tuple[float, ...]


class Training:
    """Weights that are being learnt.

    >>> training = Training(Settings(size=3, komi=0.5))
    >>> training.run(10)
    >>> training.games
    10
    """

    def __init__(self, settings: Settings) -> None:
        """Nothing is known yet."""
        settings.check()
        self.settings = settings
        self.game: Game = game_of(f"go(size={settings.size},komi={settings.komi!r})")
        self.shapes = shapes_of(settings.size)
        self.theta = np.zeros(self.shapes.weights)
        self.seen = np.zeros(self.shapes.pairs, np.int64)
        self.curve: list[Point] = []
        self.seconds = 0.0
        self._done = np.zeros(1, np.int64)  # counted where games are played, so that Ctrl-C loses none
        self._board = new_board(self.game.start().state, self.shapes.windows, stream(settings.seed))

    @property
    def games(self) -> int:
        """How many games were played."""
        return int(self._done[0])

    def learner(self) -> Learner:
        """As kernels see it."""
        _, _, alpha, epsilon, halving, _ = self.settings
        return Learner(self.shapes, self.theta, self.seen, alpha, epsilon, halving, NEVER)

    def run(self, games: int, on_progress: Callable[[int], None] | None = None) -> None:
        """Play so many more games, and learn from them; Ctrl-C is felt several times a second."""
        rules, learner = lowered(self.game), self.learner()
        until, batch = self.games + games, 1
        self_play(rules, learner, self._board, self._done, 0, 0)  # compiling is not learning time
        while self.games < until:
            began = time.perf_counter()
            self_play(rules, learner, self._board, self._done, min(batch, until - self.games), self.game.max_plies())
            taken = time.perf_counter() - began
            self.seconds += taken
            batch = max(1, min(4 * batch, int(batch * SLICE / max(taken, 1e-6))))
            if on_progress is not None:
                on_progress(self.games)

    def measure(self, games: int) -> Point:
        """Add a point to the curve: the greedy player against fixed playout policies, colours in turn."""
        rates = tuple(duel(self.game, self.theta, text, games, self.games) for text in OPPONENTS)
        self.curve.append(Point(self.games, round(self.seconds, 1), rates))
        return self.curve[-1]

    # ----------------------------------------------------------------------------------------- files

    def save(self, path: str | Path) -> None:
        """Everything that is needed to go on as if nothing had happened."""
        weights.write(
            path,
            self.about(),
            {
                "pairs": self.theta[:-2:2],
                "whole": self.theta[-2:],
                "seen": self.seen,
                "stream": np.array([self._board.rng[0].state], np.uint64),
            },
        )

    def about(self) -> dict[str, Any]:
        """What the weights are."""
        return {
            "kind": weights.LOCAL_SHAPE,
            **self.settings._asdict(),
            "games": self.games,
            "seconds": round(self.seconds, 1),
            "opponents": OPPONENTS,
            "curve": self.curve,
        }

    @classmethod
    def load(cls, path: str | Path) -> Training:
        """Go on with what `save` wrote."""
        about, arrays = weights.read(path, weights.LOCAL_SHAPE)
        weights.check_local_shape(path, about, arrays)
        try:
            training = cls(Settings(**{field: about[field] for field in Settings._fields}))
            training._board.rng[0].state = arrays["stream"][0]
            training.seen[:] = arrays["seen"]
            training._done[0] = about["games"]
            training.seconds = about["seconds"]
            training.curve = [Point(games, seconds, tuple(rates)) for games, seconds, rates in about["curve"]]
        except (KeyError, ValueError, TypeError, IndexError):
            raise Error(f"{path} cannot be gone on with: it holds weights to play with only") from None
        training.theta[:] = weights.unfolded(arrays["pairs"], arrays["whole"])
        return training

    def pack(self, path: str | Path) -> None:
        """Write the weights in half precision, and in eighths of an octave how often each was corrected."""
        pairs = self.theta[:-2:2].astype(np.float16)
        octaves = np.minimum(np.rint(weights.OCTAVE * np.log2(1 + self.seen)), 255).astype(np.uint8)
        weights.write(path, self.about(), {"pairs": pairs, "whole": self.theta[-2:], "octaves": octaves})


def new_board(root: Any, windows: int, rng: Any) -> Board:
    """Memory for games from a position."""
    config, now = np.zeros((2, windows), np.int32)
    return Board(root, root.copy(), config, now, np.zeros(windows), rng)


def duel(game: Game, theta: Any, opponent: str, games: int, name: int = 0) -> float:
    """The share of games that the greedy player wins against a playout policy, as Black and White in turn."""
    playout: Playout = parse(opponent, "playout")
    shapes = shapes_of(game.rows)  # type: ignore[attr-defined]
    board = new_board(game.start().state, shapes.windows, stream(MEASURING, name))
    learner = Learner(shapes, theta, np.zeros(1, np.int64), 0.0, 0.0, 0.0, NEVER)
    memory, out = np.zeros(playout.memory_size(game)), np.zeros(game.max_moves(), np.int32)
    won = play_greedily(lowered(game), lowered(playout), learner, board, memory, out, games, game.max_plies())
    return float(won) / max(games, 1)
