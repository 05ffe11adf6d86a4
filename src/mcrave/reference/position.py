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
from mcrave.games._position import KEY, N_MOVES, OVER, TO_MOVE, observe
from mcrave.kernel import entry
from mcrave.kernel.rng import below, stream, uniform
from mcrave.specs import lowered

# What the rules do is compiled here, too: their functions take numbers of exact types, which Python does not keep.


@entry
def act(rules: Any, states: Any, move: int, facts: Any) -> None:
    """Play `move` unless it is negative, and say how it stands."""
    if move >= 0:
        base.play(rules, states[0], move)
    facts[OVER] = int(base.is_over(rules, states[0]))
    facts[TO_MOVE] = base.to_move(rules, states[0])


@entry
def draw(rules: Any, states: Any, streams: Any, out: Any) -> Any:
    """A random move by the game's own way."""
    return base.random_move(rules, states[0], streams[0], out)


class Stream:
    """The random stream that `mcrave.Search(seed=...)` draws from."""

    def __init__(self, seed: int) -> None:
        """Begin the stream of a seed."""
        self.records = stream(seed)
        self.record = self.records[0]

    def random(self) -> float:
        """A random float in [0, 1)."""
        return float(uniform(self.record))

    def randrange(self, n: int, /) -> int:
        """A random integer in [0, n)."""
        return int(below(self.record, n))


class PositionState:
    """A game's rules and a state of it."""

    def __init__(self, rules: Any, states: Any, room: int, moves: list[int] | None = None, *, move: int = -1) -> None:
        """Wrap an array of one state; `room` is the most legal moves there can be, `moves` are those if known.

        A `move` is played on it first.
        """
        self.rules = rules
        self.states = states
        self.room = room
        self.moves = moves
        facts = np.zeros(3, np.int64)
        act(rules, states, move, facts)
        self.to_move, self.is_over = int(facts[TO_MOVE]), bool(facts[OVER])

    def legal_moves(self) -> list[int]:
        """The legal moves as numbers."""
        if self.moves is None:
            out, facts, _ = self._observed()
            self.moves = out[: facts[N_MOVES]].tolist()
        return self.moves

    def _observed(self) -> tuple[Any, Any, Any]:
        """Legal moves, facts and keys, as `observe` says them."""
        found = np.zeros(self.room, np.int32), np.zeros(3, np.int64), np.zeros(2, np.uint64)
        observe(self.rules, self.states, -1, *found, np.zeros(1))
        return found

    def play(self, move: int) -> PositionState:
        """The state after a move."""
        return PositionState(self.rules, self.states.copy(), self.room, move=move)

    def outcome(self, player: int) -> float:
        """The result, also of a game that was cut off."""
        return float(base.outcome(self.rules, self.states[0], player))

    def code(self, move: int) -> int:
        """The game's own code for AMAF."""
        return int(base.code(self.rules, self.states[0], move))

    def key(self) -> int:
        """The game's own hash of all that matters for the rest of the game."""
        return int(self._observed()[2][KEY])

    def random_move(self, rng: Stream) -> int:
        """The game's own random move."""
        return int(draw(self.rules, self.states, rng.records, np.zeros(self.room, np.int32)))

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
