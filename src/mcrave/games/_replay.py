"""A finished game played through once more, in one native call: what its moves are called, and how it ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mcrave.games import Game, Position, base
from mcrave.kernel import entry
from mcrave.specs import lowered


class Replayed(NamedTuple):
    """What came of the moves."""

    names: list[str]
    last: Position
    """Without its history, if the moves are legal without looking at it."""
    legal: bool


@entry
def play_through(rules, states, moves, out):
    """Make the moves, each on a copy of the state before; returns how many of them were legal."""
    for i in range(moves.shape[0]):
        count = base.legal(rules, states[i], out)
        known = False
        for j in range(count):
            known = known or out[j] == moves[i]
        if not known or base.is_over(rules, states[i]):
            return i
        states[i + 1] = states[i]
        base.play(rules, states[i + 1], np.int64(moves[i]))
    return moves.shape[0]


def replay(game: Game, start: Position, moves: Sequence[int]) -> Replayed:
    """Make these moves from a position on.

    Repetition is looked at only if a move is illegal without it: who may pass in the end alone may do so, too, where
    every other move would repeat a position.

    >>> import mcrave
    >>> game = mcrave.game("mnk(size=3,length=3)")
    >>> found = replay(game, game.start(), [0, 4, 1, 5, 2])
    >>> found.names, found.last.is_over, found.legal
    (['a3', 'b2', 'b3', 'c2', 'c3'], True, True)
    """
    states = np.repeat(start.state, len(moves) + 1).view(np.recarray)
    numbers = np.array(moves, np.int32)
    legal = play_through(lowered(game), states, numbers, np.zeros(game.max_moves(), np.int32))
    if legal < len(moves) and len(start.situations):
        return replay_one_by_one(start, moves)
    names = [game.move_name(states[i], move) for i, move in enumerate(moves[:legal])]
    return Replayed(names, Position(game, states[legal : legal + 1].copy()), legal == len(moves))


def replay_one_by_one(start: Position, moves: Sequence[int]) -> Replayed:
    """The same with all of the rules."""
    names: list[str] = []
    last = start
    for move in moves:
        if last.is_over or move not in last.moves:
            break
        names.append(start.game.move_name(last.state[0], move))
        last = last.play(move)
    return Replayed(names, last, len(names) == len(moves))
