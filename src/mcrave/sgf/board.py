"""A game of Go as files and protocols know it: set-up stones first, then moves of either player in any order.

The rules of a `Position` are stricter: players alternate, and two passes end the game. A board goes on where these
would stop it, and keeps the rule against repetition all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from mcrave.errors import IllegalMove
from mcrave.games import Position
from mcrave.games._grid import GO_LETTERS
from mcrave.games.go import Go

PASS = "pass"
SYMBOLS = "XO"


class Play(NamedTuple):
    """A move of a game."""

    player: int
    """0 is Black."""
    move: str
    """A point as in D4, or pass."""
    comment: str = ""


@dataclass(frozen=True)
class Board:
    """A game so far. It never changes: `play` and `undo` give another one.

    >>> board = Board.empty(Go(size=9)).play(0, "e5").play(0, "C3")
    >>> [play.move for play in board.plays], board.stones(0), board.to_move
    (['E5', 'C3'], ['E5', 'C3'], 1)
    """

    position: Position
    first: int = 0
    """Who moves first."""
    setup: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    """Black's and White's stones before the first move."""
    handicap: int = 0
    plays: tuple[Play, ...] = ()
    before: Board | None = None
    """The board before the last move."""

    @classmethod
    def empty(cls, game: Go) -> Board:
        """No stones yet; those of the game's own `handicap` field aside."""
        return cls(game._replace(handicap=0).start())

    @classmethod
    def set_up(
        cls, game: Go, black: Iterable[str], white: Iterable[str] = (), first: int = 0, handicap: int = 0
    ) -> Board:
        """A board with stones; `DiagramError` if one of them has no liberty.

        >>> Board.set_up(Go(size=5), ["B2", "D4"], first=1, handicap=2).to_move
        1
        """
        setup = frozenset(black), frozenset(white)
        marks = {name: SYMBOLS[player] for player in (1, 0) for name in setup[player]}
        lines = [
            "".join(marks.get(f"{GO_LETTERS[col]}{row}", ".") for col in range(game.cols))
            for row in range(game.rows, 0, -1)
        ]
        position = game._replace(handicap=0).parse("\n".join([*lines, f"{SYMBOLS[first]} to move"]))
        return cls(position, first, setup, handicap)

    @property
    def game(self) -> Go:
        """The rules."""
        rules = self.position.game
        assert isinstance(rules, Go)
        return rules

    @property
    def to_move(self) -> int:
        """Whose turn it is if the players alternate."""
        return self.position.to_move

    @property
    def is_empty(self) -> bool:
        """Whether no stone stands anywhere."""
        return not self.stones(0) and not self.stones(1)

    def ready(self, player: int) -> Position:
        """The position in which this player may move, although it were the other's turn or the game over."""
        position = self.position
        if position.to_move == player and not position.is_over:
            return position
        if player not in self._restarted:
            states = position.state
            states[0].turn, states[0].passes, states[0].ko = player, 0, 0
            self._restarted[player] = Position(position.game, states, position, -1)
        return self._restarted[player]

    @cached_property
    def _restarted(self) -> dict[int, Position]:
        """Positions that `ready` made, so that a search knows them again."""
        return {}

    def play(self, player: int, move: str, comment: str = "") -> Board:
        """The board after a move; `IllegalMove` if the rules forbid it."""
        number = point_number(self.game, move)
        here = self.ready(player)
        after = here.play(number)
        plays = (*self.plays, Play(player, here.name(number), comment))
        return replace(self, position=after, plays=plays, before=self)

    def undo(self) -> Board:
        """The board before the last move; `IllegalMove` if there is none."""
        if self.before is None:
            raise IllegalMove("there is no move to take back")
        return self.before

    def under(self, game: Go) -> Board:
        """The same moves under other rules, for example another komi; `IllegalMove` if these forbid one of them."""
        board = Board.set_up(game, *self.setup, first=self.first, handicap=self.handicap)
        for play in self.plays:
            board = board.play(*play)
        return board

    def stones(self, player: int) -> list[str]:
        """The points that hold a player's stones, row by row from the top."""
        width = self.game.cols + 1
        colours = self.position.state[0].color
        points = [width * (row + 1) + col + 1 for row in range(self.game.rows) for col in range(self.game.cols)]
        return [self.position.name(point) for point in points if colours[point] == player + 1]

    def captured(self, player: int) -> int:
        """How many of the player's stones were captured."""
        put = len(self.setup[player]) + sum(play.player == player and play.move != PASS for play in self.plays)
        return put - len(self.stones(player))


def point_number(game: Go, text: str) -> int:
    """The number of a point as in d4, or of pass; `IllegalMove` if the board has no such point.

    >>> point_number(Go(size=9), "PASS"), Go(size=9).move_name(None, point_number(Go(size=9), "j1"))
    (0, 'J1')
    """
    if text.lower() == PASS:
        return 0
    match = re.fullmatch(r"([A-HJ-Z])([1-9][0-9]?)", text.upper(), re.ASCII)
    if match is not None:
        col, row = GO_LETTERS.index(match[1]), game.rows - int(match[2])
        if col < game.cols and row >= 0:
            return (row + 1) * (game.cols + 1) + col + 1
    raise IllegalMove(f"there is no point '{text[:20]}' on a board of {game.rows}x{game.cols}")
