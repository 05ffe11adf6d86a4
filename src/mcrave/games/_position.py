"""A position: a state of a game with what its rules say about it. Playing a move gives a new position."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from mcrave.errors import IllegalMove
from mcrave.games import base
from mcrave.games.base import Game
from mcrave.kernel import entry
from mcrave.specs import lowered

N_MOVES, TO_MOVE, OVER = 0, 1, 2  # what `facts` holds
KEY, SITUATION = 0, 1  # what `keys` holds


@entry
def observe(rules, states, move, out, facts, keys, results):
    """Play `move` unless it is negative, then say everything the contract knows about the state."""
    state = states[0]
    if move >= 0:
        base.play(rules, state, move)
    facts[OVER] = int(base.is_over(rules, state))
    facts[TO_MOVE] = base.to_move(rules, state)
    keys[KEY] = base.hash(rules, state)
    keys[SITUATION] = base.situation(rules, state)
    if facts[OVER] != 0:
        facts[N_MOVES] = 0
        for player in range(results.shape[0]):
            results[player] = base.outcome(rules, state, player)
    else:
        facts[N_MOVES] = base.legal(rules, state, out)


@entry
def drop_repeats(rules, states, work, out, n, seen):
    """Keep those of the first `n` moves in `out` that do not bring back a situation in `seen`."""
    kept = 0
    now = base.situation(rules, states[0])
    for i in range(n):
        move = out[i]
        fresh = True
        if not base.may_repeat(rules, move):
            key = base.next_situation(rules, states[0], now, move)
            if key == np.uint64(0):
                work[0] = states[0]
                base.play(rules, work[0], move)
                key = base.situation(rules, work[0])
            for j in range(seen.shape[0]):
                if seen[j] == key:
                    fresh = False
        if fresh:
            out[kept] = move
            kept += 1
    resort = base.last_resort(rules)
    if kept == 0 and resort >= 0:
        out[0] = resort
        kept = 1
    return kept


class Position:
    """A position of a game. It never changes: `play` returns a new one.

    >>> import mcrave
    >>> start = mcrave.game("mnk(size=3,length=3)").start()
    >>> position = start.play("a1").play("b2")
    >>> position.to_move, position.is_over, len(position.legal_moves()), len(start.legal_moves())
    (0, False, 7, 9)
    """

    def __init__(self, game: Game, states: Any, parent: Position | None = None, move: int = -1) -> None:
        """Wrap a state; with `parent` and `move`, the state is the parent's and the move is played on it."""
        self.game = game
        self.parent = parent
        self.last_move = move
        self._states = states
        self._rules = lowered(game)
        out = np.zeros(game.max_moves(), np.int32)
        facts = np.zeros(3, np.int64)
        keys = np.zeros(2, np.uint64)
        self._results = np.zeros(game.players, np.float64)
        observe(self._rules, states, move, out, facts, keys, self._results)
        self.to_move = int(facts[TO_MOVE])
        self.is_over = bool(facts[OVER])
        self._key, self._situation = int(keys[KEY]), int(keys[SITUATION])
        self.moves = out[: facts[N_MOVES]]
        """The legal moves as numbers."""
        if self._situation and not self.is_over:
            kept = drop_repeats(self._rules, states, states.copy(), out, len(self.moves), self.situations)
            self.moves = out[:kept]
        self.moves.flags.writeable = False
        self._complete = True

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse: a position never changes."""
        if self.__dict__.get("_complete"):
            raise AttributeError(f"a position never changes: {name} cannot be set; play returns a new position")
        object.__setattr__(self, name, value)

    def __reduce__(self) -> Any:
        """Pickle as the first position's state and the moves since: no chain of parents, nothing compiled."""
        moves: list[int] = []
        first = self
        while first.parent is not None:
            moves.append(first.last_move)
            first = first.parent
        return _restored, (self.game, np.asarray(first._states).copy(), moves[::-1])

    @cached_property
    def situations(self) -> Any:
        """The keys of this and all earlier positions, where the rules forbid repetition."""
        keys = []
        position: Position | None = self
        while position is not None and position._situation:
            keys.append(position._situation)
            position = position.parent
        seen = np.array(keys, np.uint64)
        seen.flags.writeable = False
        return seen

    @cached_property
    def _written(self) -> dict[str, int]:
        """The legal moves by their names, as they are written here; made sooner than `_names`."""
        return dict(zip(self.legal_moves(), self.moves.tolist(), strict=True))

    @cached_property
    def _names(self) -> dict[str, int]:
        """What may be typed for each legal move, in lower case."""
        found: dict[str, int] = {}
        for name, move in self._written.items():
            for alias in self.game.move_aliases(name):
                found.setdefault(alias.lower(), move)
        return found

    @property
    def state(self) -> Any:
        """A copy of the state, as an array of one record."""
        return self._states.copy()

    def legal_moves(self) -> list[str]:
        """The names of the legal moves; none when the game is over."""
        return self.names(self.moves.tolist())

    def name(self, move: int) -> str:
        """The name of a move number here."""
        return self.game.move_name(self._states[0], int(move))

    def names(self, moves: Iterable[int]) -> list[str]:
        """The names of several move numbers here."""
        state, name = self._states[0], self.game.move_name
        return [name(state, move) for move in moves]

    def number(self, move: str | int) -> int:
        """The number of a legal move, given by name or number.

        >>> import mcrave
        >>> mcrave.game("go").start().number("Z9")
        Traceback (most recent call last):
        mcrave.errors.IllegalMove: illegal move 'Z9' in go(size=9): the legal moves are A9 B9 C9 D9 E9 F9 … (82)
        """
        if isinstance(move, str):
            found = self._written.get(move, -1)
            found = self._names.get(move.strip().lower(), -1) if found < 0 else found
        else:
            try:
                found = -1 if isinstance(move, bool) or operator.index(move) not in self.moves else int(move)
            except TypeError:
                raise IllegalMove(f"a move is a name or a number, not {move!r}") from None
        if found < 0:
            raise IllegalMove(self._complaint(move))
        return found

    def play(self, move: str | int) -> Position:
        """The position after a move, given by name or number."""
        return Position(self.game, self._states.copy(), self, self.number(move))

    def outcome(self, player: int) -> float:
        """The result for a player, 1 won to 0 lost; the game must be over."""
        if not self.is_over:
            raise IllegalMove(f"this game of {self.game} is not over, so it has no outcome yet")
        if player not in range(self.game.players):
            raise IllegalMove(f"{self.game.name} has players 0 to {self.game.players - 1}, not {player!r}")
        return float(self._results[int(player)])

    def history(self) -> list[str]:
        """The names of the moves that led here."""
        names: list[str] = []
        position = self
        while position.parent is not None:
            names.append(position.parent.name(position.last_move))
            position = position.parent
        return names[::-1]

    def __str__(self) -> str:
        """The position drawn as text, which `game.parse` reads."""
        return self.game.render(self._states[0])

    def __repr__(self) -> str:
        """How to get this position again."""
        return f"<Position of {self.game} after {len(self.history())} moves>"

    def __eq__(self, other: object) -> bool:
        """Equal if nothing in the rest of the game could tell them apart, repetition aside."""
        if self is other:
            return True
        if not isinstance(other, Position) or self.game != other.game:
            return False
        return self._states.tobytes() == other._states.tobytes() or str(self) == str(other)

    def __hash__(self) -> int:
        """The game's own 64-bit key."""
        return hash(self._key)

    @property
    def key(self) -> int:
        """The game's own 64-bit key of this position."""
        return self._key

    def _complaint(self, move: str | int) -> str:
        if self.is_over:
            return f"illegal move {move!r} in {self.game}: the game is over"
        names = self.legal_moves()
        shown = " ".join(names[:6]) + (f" … ({len(names)})" if len(names) > 6 else "")
        return f"illegal move {move!r} in {self.game}: the legal moves are {shown}"


def _restored(game: Game, states: Any, moves: list[int]) -> Position:
    """A pickled position again."""
    position = Position(game, states.view(np.recarray))
    for move in moves:
        position = Position(game, position._states.copy(), position, move)
    return position
