"""Independent checks in plain Python: twins that play along, counts of games, and a solver for tiny boards."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

import mcrave
from mcrave import Position


class Twin(Protocol):
    """A game again, in the plainest form; moves are named as in mcrave."""

    turn: int

    def moves(self) -> list[str]:
        """The legal moves; none when the game is over."""

    def play(self, move: str) -> None:
        """Make a move."""

    def winner(self) -> int:
        """Who has won a game that is over."""


def play_beside(ours: str, twin: Callable[[], Twin], games: int, seed: int = 1) -> int:
    """Assert equal legal moves, turn and winner along random games; return how many plies were compared."""
    game, dice, plies = mcrave.game(ours), random.Random(seed), 0
    for _ in range(games):
        position, other = game.start(), twin()
        while moves := other.moves():
            assert position.to_move == other.turn, f"{position}"
            assert sorted(position.legal_moves()) == sorted(moves), f"{position}"
            move = dice.choice(moves)
            position = position.play(move)
            other.play(move)
            plies += 1
        assert position.is_over, f"{ours} goes on, its twin does not:\n{position}"
        assert position.outcome(other.winner()) == 1, f"{position}"
    return plies


def perft(position: Position, depth: int) -> int:
    """How many ways there are to make that many moves."""
    if depth == 1:
        return len(position.moves)
    return sum(perft(position.play(move), depth - 1) for move in position.moves.tolist())


def value(position: Position, known: dict[int, float] | None = None) -> float:
    """The result for the player to move when both play perfectly: 1 won, 0.5 drawn, 0 lost."""
    known = {} if known is None else known
    if position.is_over:
        return position.outcome(position.to_move)
    if position.key not in known:
        best = 0.0
        for move in position.moves.tolist():
            best = max(best, 1 - value(position.play(move), known))
            if best == 1:
                break
        known[position.key] = best
    return known[position.key]
