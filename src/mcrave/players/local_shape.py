"""The player that looks one move ahead with learnt local shapes: `local_shape` (RLGO 1.0; Gelly & Silver §3.4)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from mcrave.errors import SpecError
from mcrave.features.local_shape import rate_moves, shapes_of
from mcrave.features.weights import check_shapes, local_shape_weights
from mcrave.games import Game, Position
from mcrave.games._stones import PASS
from mcrave.priors.local_shape import LocalShape


class LocalShapePlayer:
    """Makes the move after which the position has the highest learnt value; fills no own eye.

    It passes when nothing else is left, or when that wins at once.

    >>> import mcrave
    >>> from mcrave.players import parse_player
    >>> player = parse_player("local_shape")
    >>> game = mcrave.game("go(size=9)")
    >>> 0.0 < player.estimate_of(game.start()) < 1.0
    True
    """

    def __init__(self, prior: LocalShape, seed: int = 1) -> None:
        """The same seed gives the same moves; it decides between moves of the same value alone."""
        if prior != LocalShape(weights=prior.weights):
            raise SpecError(f"player '{prior}' does not search, so it takes no m and no c; write local_shape")
        self.prior, self.seed = prior, seed
        self.name = str(prior).removesuffix("()")
        self.estimate: float | None = None
        self._dice = random.Random(seed)

    def prepare(self, game: Game) -> None:
        """Read the weights."""
        check_shapes(self.prior.name, "player", game, self.prior.weights)

    def new_game(self, seed: int, seconds: float = 0.0) -> None:
        """Throw the dice of this seed from now on."""
        self.seed, self.estimate = seed, None
        self._dice = random.Random(seed)

    def close(self) -> None:
        """Nothing is held."""

    def choose(self, position: Position) -> int:
        """The best move one ply ahead."""
        self.prepare(position.game)
        moves = position.moves
        if PASS in moves and (after := position.play(PASS)).is_over and after.outcome(position.to_move) == 1.0:
            self.estimate = 1.0
            return PASS
        move, self.estimate = best_of(position, self.rate(position), self._dice)
        return move

    def rate(self, position: Position) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """What each legal move is worth to the player to move; −1 for filling an own eye."""
        size = position.game.rows  # type: ignore[attr-defined]
        shapes = shapes_of(size)
        values, config = np.zeros(position.moves.size), np.zeros(shapes.windows, np.int32)
        theta = local_shape_weights(size, self.prior.weights)
        rate_moves(shapes, theta, position.state, config, position.moves, values)
        return values

    def estimate_of(self, position: Position) -> float:
        """The value of the best move."""
        return float(self.rate(position).max())

    def __str__(self) -> str:
        """The text form."""
        return self.name

    def __eq__(self, other: object) -> bool:
        """Equal if they play the same."""
        return isinstance(other, LocalShapePlayer) and (self.prior, self.seed) == (other.prior, other.seed)

    def __hash__(self) -> int:
        """Consistent with equality."""
        return hash((self.prior, self.seed))


def best_of(position: Position, values: np.ndarray[Any, Any], dice: random.Random) -> tuple[int, float]:
    """The best of the rated moves, by lot among equals, and its value; a pass only if all others fill own eyes."""
    playable = (values >= 0.0) & (position.moves != PASS)
    if not playable.any():
        passing = np.flatnonzero(position.moves == PASS)
        chosen = int(passing[0]) if passing.size else 0
        return int(position.moves[chosen]), max(float(values[chosen]), 0.0)
    highest = float(values[playable].max())
    return int(position.moves[dice.choice(np.flatnonzero(playable & (values == highest)))]), highest
