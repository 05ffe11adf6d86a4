"""What the reference asks of a game: an object that is a position.

A move is anything that can be a dictionary key. Players are numbered from 0; there may be any number of them.
Three more methods are used where an object has them:

- `code(move)`: what AMAF treats as the same move, for games in which equal moves are not the same thing;
- `random_move(rng)`: a random legal move, drawn faster or otherwise than uniformly;
- `candidates()`: the moves it draws from, if not all that are legal.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, Self

Move = Any
Code = Hashable
Play = tuple[int, Code]
"""A player and the code of a move: Black's and White's moves at one point are distinct (§4.1)."""


class State(Protocol):
    """A position. It never changes: `play` returns a new one."""

    @property
    def to_move(self) -> int:
        """Whose turn it is."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    def legal_moves(self) -> Sequence[Move]:
        """The legal moves, at least one while the game is not over, in an order that depends on the position alone."""

    def play(self, move: Move) -> Self:
        """The position after a legal move."""

    def outcome(self, player: int) -> float:
        """The result for a player when the game is over: 1 won, 0 lost, or in between."""


class Rng(Protocol):
    """A source of random numbers, such as `random.Random(seed)`."""

    def random(self) -> float:
        """A random float in [0, 1)."""

    def randrange(self, n: int, /) -> int:
        """A random integer in [0, n)."""


def code_of(state: State, move: Move) -> Code:
    """What AMAF takes the move for: the state's `code(move)`, or else the move itself.

    >>> from mcrave.reference.example import TicTacToe
    >>> code_of(TicTacToe(), 4)
    4
    """
    code: Code = getattr(state, "code", lambda move: move)(move)
    return code


def random_move(state: State, rng: Rng) -> Move:
    """A random legal move: the state's `random_move(rng)`, or else each with the same probability.

    >>> import random
    >>> from mcrave.reference.example import TicTacToe
    >>> random_move(TicTacToe("XOXOXO.X."), random.Random(1)) in (6, 8)
    True
    """
    draw = getattr(state, "random_move", None)
    moves = [] if draw else candidates(state)
    return draw(rng) if draw else moves[rng.randrange(len(moves))]


def candidates(state: State) -> Sequence[Move]:
    """The moves that a playout chooses from: the state's `candidates()`, or else all legal moves."""
    moves: Sequence[Move] = getattr(state, "candidates", state.legal_moves)()
    return moves
