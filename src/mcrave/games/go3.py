"""Three-colour Go (Cazenave 2008; GRAVE §4.8): Go for three players with stones of three colours.

Black, White and Red take turns. Capture, suicide and ko are as in Go; a chain is captured when it has no
liberty, whoever surrounds it. The game ends when all three have passed in a row. A player's score is the
number of its stones on the board plus the number of its eyes, which are the empty points that reach only its
colour; the greatest score wins, and players who tie for it share the win. There is no komi.

With `pass_last` nobody fills an own eye, and nobody passes who has another move: so the game is played to its end.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from mcrave.games import _stones as stones
from mcrave.games._grid import GO_LETTERS, Grid
from mcrave.games._stones import PASS
from mcrave.games.base import Game
from mcrave.games.go import Go, check_size, play_or_pass, random_point

PLAYERS = 3


class Go3(Game, name="go3"):
    """Go for three players on 1×1 to 25×25 points."""

    players: ClassVar[int] = PLAYERS
    symbols: ClassVar[str] = "XO#"
    look: ClassVar[str] = "lines"
    most_passes: ClassVar[int] = PLAYERS
    size: int = 9
    rows: int = 0
    cols: int = 0
    superko: Literal["positional", "situational", "simple"] = "positional"
    pass_last: bool = False

    def validate(self) -> None:
        """Boards from 1×1 to 25×25."""
        check_size(self)

    def setup(self, state: Any) -> None:
        """An empty board."""
        stones.clear(state, self.rows, self.cols)

    def play(rules, state, move):
        """Put a stone, or pass."""
        play_or_pass(state, move, state.turn + np.int64(1))
        state.turn = (state.turn + 1) % PLAYERS

    def is_over(rules, state):
        """Three passes in a row."""
        return state.passes >= PLAYERS

    def outcome(rules, state, player):
        """1 for the greatest score, shared equally among those who have it."""
        mine = stones.area(state, player + 1)
        best = 1
        for other in range(PLAYERS):
            if other != player:
                score = stones.area(state, other + 1)
                if score > mine:
                    return 0.0
                best += int(score == mine)
        return 1.0 / best

    def random_playout(rules, state, rng, out, plies):
        """Random moves until no player has any left but eyes."""
        me = state.turn + np.int64(1)
        n = 0
        while n < plies and state.passes < PLAYERS:
            play_or_pass(state, random_point(state, me, rng), me)
            me = me % PLAYERS + 1
            n += 1
        state.turn = me - 1
        return n

    def estimate(rules, state, player):
        """The share of all scores so far."""
        total = stones.area(state, 1) + stones.area(state, 2) + stones.area(state, 3)
        return stones.area(state, player + 1) / total if total > 0 else 1.0 / PLAYERS

    def predicates(rules):
        """A stone of each colour on each point, four numbers a point."""
        return 4 * (rules.rows + 1) * (rules.cols + 1)

    def predicate(rules, state, i):
        """Whether the stone stands there."""
        return (i & 3) < PLAYERS and state.color[i >> 2] == (i & 3) + 1

    def change(rules, state, move, i):
        """The stone put; those that it captures are not looked for."""
        return 2 * (4 * move + np.int64(state.turn)) if i == 0 and move != PASS else np.int64(-1)

    # The rest is as in Go.
    state_type = Go.state_type
    max_moves = Go.max_moves
    max_plies = Go.max_plies
    legal = Go.legal
    last_resort = Go.last_resort
    codes = Go.codes
    points = Go.points
    add_owners = Go.add_owners
    to_move = Go.to_move
    hash = Go.hash
    situation = Go.situation
    next_situation = Go.next_situation
    may_repeat = Go.may_repeat
    random_move = Go.random_move
    candidates = Go.candidates
    move_name = Go.move_name
    render = Go.render
    read = Go.read

    def scores(self, state: Any) -> list[int]:
        """Stones plus eyes of each player."""
        return [int(stones.area(state, player + 1)) for player in range(PLAYERS)]

    def _grid(self) -> Grid:
        return Grid(self.rows, self.cols, "." + self.symbols, GO_LETTERS)
