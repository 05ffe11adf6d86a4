"""mcrave's positions as states of the reference, and its random streams: the twins then see the same games.

>>> import mcrave
>>> from mcrave.reference import Search, policies
>>> position = mcrave.game("mnk(size=3,length=3)").parse("XX. / OO. / ...")
>>> root = Search(policies.uct(0.4)).run(from_position(position), 200, Stream(1))
>>> position.name(root.most_visited()), root.visits
('c3', 200)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mcrave.games import Position, base
from mcrave.games._position import KEY, observe
from mcrave.kernel.rng import below, stream, uniform
from mcrave.specs import lowered


class Stream:
    """The random stream that `mcrave.Search(seed=...)` draws from."""

    def __init__(self, seed: int) -> None:
        """Begin the stream of a seed."""
        self.record = stream(seed)[0]

    def random(self) -> float:
        """A random float in [0, 1)."""
        return float(uniform(self.record))

    def randrange(self, n: int, /) -> int:
        """A random integer in [0, n)."""
        return int(below(self.record, n))


class PositionState:
    """A game's rules and a state of it."""

    def __init__(self, rules: Any, states: Any, room: int, moves: list[int] | None = None) -> None:
        """Wrap an array of one state; `room` is the most legal moves there can be, `moves` are those if known."""
        self.rules = rules
        self.states = states
        self.room = room
        self.moves = moves

    @property
    def to_move(self) -> int:
        """Whose turn it is."""
        return int(base.to_move(self.rules, self.states[0]))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(base.is_over(self.rules, self.states[0]))

    def legal_moves(self) -> list[int]:
        """The legal moves as numbers."""
        if self.moves is None:
            out = np.zeros(self.room, np.int32)
            self.moves = out[: base.legal(self.rules, self.states[0], out)].tolist()
        return self.moves

    def play(self, move: int) -> PositionState:
        """The state after a move."""
        states = self.states.copy()
        base.play(self.rules, states[0], move)
        return PositionState(self.rules, states, self.room)

    def outcome(self, player: int) -> float:
        """The result, also of a game that was cut off."""
        return float(base.outcome(self.rules, self.states[0], player))

    def code(self, move: int) -> int:
        """The game's own code for AMAF."""
        return int(base.code(self.rules, self.states[0], move))

    def key(self) -> int:
        """The game's own hash of all that matters for the rest of the game."""
        facts, keys = np.zeros(3, np.int64), np.zeros(2, np.uint64)
        observe(self.rules, self.states, -1, np.zeros(self.room, np.int32), facts, keys, np.zeros(1))
        return int(keys[KEY])

    def random_move(self, rng: Stream) -> int:
        """The game's own random move."""
        return int(base.random_move(self.rules, self.states[0], rng.record, np.zeros(self.room, np.int32)))

    def candidates(self) -> list[int]:
        """The moves that the game's random moves are drawn from."""
        out = np.zeros(self.room, np.int32)
        moves: list[int] = out[: base.candidates(self.rules, self.states[0], out)].tolist()
        return moves


def from_position(position: Position) -> PositionState:
    """A position as a state of the reference.

    Its own moves keep to the rules against repetition, those of the states after it do not, as in `mcrave.Search`.
    """
    game = position.game
    return PositionState(lowered(game), position.state, game.max_moves(), position.moves.tolist())
