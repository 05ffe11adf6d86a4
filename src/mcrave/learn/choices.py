"""Decisions of Go players: the moves there were, their features, and the one that was made."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from mcrave.errors import Error
from mcrave.features.moves import CLASSES, GROUPS, list_features
from mcrave.games import Position
from mcrave.games.go import Go
from mcrave.specs import lowered

HELD_OUT = 10  # every tenth game is not learnt from, but predicted


class Decisions(NamedTuple):
    """As kernels read them."""

    features: Any  # int16, per move: the number of its rating in each group
    starts: Any  # int64: where the moves of each decision begin, and where the last one ends
    chosen: Any  # int64: which move was made

    @property
    def number(self) -> int:
        """How many decisions there are."""
        return int(self.chosen.size)

    def fingerprint(self) -> str:
        """A hash, by which a run that goes on knows its data again."""
        digest = hashlib.blake2b(digest_size=8)
        for array in self:
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


class Choices:
    """Decisions as they come in, game by game.

    >>> import mcrave
    >>> choices = Choices(9)
    >>> start = mcrave.game("go(size=9)").start()
    >>> choices.add(start, start.number("E5"))
    True
    >>> choices.end_game()
    >>> choices.learnt().number, choices.learnt().features.shape
    (1, (81, 11))
    """

    def __init__(self, size: int) -> None:
        """None yet."""
        if not 2 <= size <= 19:
            raise Error(f"ratings are learnt on boards from 2x2 to 19x19, not {size}x{size}")
        self.size = size
        self.games = 0
        self.unused: Counter[str] = Counter()
        """Why moves were left out, and how often."""
        self._parts: tuple[list[tuple[Any, int]], list[tuple[Any, int]]] = ([], [])
        self._found = np.zeros((size * size + 1, len(GROUPS)), np.int16)
        self._moves = np.zeros(size * size + 1, np.int32)

    def add(self, position: Position, move: int) -> bool:
        """Take a decision, unless it is one that no playout faces: then it is counted in `unused`."""
        game = position.game
        if not isinstance(game, Go) or (game.rows, game.cols) != (self.size, self.size):
            raise Error(f"this is a position of {game}, not of go on {self.size}x{self.size}")
        n = list_features(CLASSES, lowered(game), position.state, self._found, self._moves)
        place = np.flatnonzero(self._moves[:n] == move)
        if not place.size:
            self.unused["pass" if move == 0 else "filled an own eye"] += 1
        elif n == 1:
            self.unused["had no choice"] += 1
        else:
            held_out = self.games % HELD_OUT == HELD_OUT - 1
            self._parts[held_out].append((self._found[:n].copy(), int(place[0])))
            return True
        return False

    def end_game(self) -> None:
        """The next decision is of another game."""
        self.games += 1

    def learnt(self) -> Decisions:
        """What is learnt from."""
        return _joined(self._parts[False])

    def held_out(self) -> Decisions:
        """What is only predicted."""
        return _joined(self._parts[True])


def _joined(parts: list[tuple[Any, int]]) -> Decisions:
    sizes = [len(rows) for rows, _ in parts]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    chosen = starts[:-1] + np.array([place for _, place in parts], np.int64)
    rows = [rows for rows, _ in parts] or [np.zeros((0, len(GROUPS)), np.int16)]
    return Decisions(np.concatenate(rows), starts, chosen)
