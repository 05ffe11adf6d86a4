"""Count move sequences: the quickest check that two programs agree about the rules of a game."""

from __future__ import annotations

import numpy as np

from mcrave.errors import Error
from mcrave.games import Position, base
from mcrave.kernel import entry, new
from mcrave.solver import was_seen
from mcrave.specs import lowered


def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` legal moves there are; games that end sooner are not counted.

    >>> import mcrave
    >>> [perft(mcrave.game("mnk(size=3,length=3)").start(), depth) for depth in (1, 2, 5, 9)]
    [9, 72, 15120, 127872]
    """
    if not isinstance(position, Position):
        raise Error(f"perft takes a position such as game.start(), not {position!r}")
    if depth not in range(101):
        raise Error(f"depth must be a whole number from 0 to 100, not {depth!r}")
    depth = int(depth)
    game, history = position.game, position.situations[::-1]
    seen = np.zeros(history.size + depth + 1, np.uint64)
    seen[: history.size] = history
    stack = new(game.state_type(), depth + 1)
    stack[0] = position.state[0]
    moves = np.zeros((depth + 1, game.max_moves()), np.int32)
    tried, found = np.zeros((2, depth + 1), np.int64)
    return int(count_sequences(lowered(game), stack, moves, tried, found, seen, history.size, depth))


@entry
def count_sequences(rules, stack, moves, tried, found, seen, n_seen, depth):
    """Walk the tree of moves from `stack[0]`, its recursion spelt out over `tried` and `found` of each ply."""
    if depth == 0:
        return 1
    total = 0
    ply = 0
    tried[0] = 0
    found[0] = 0 if base.is_over(rules, stack[0]) else base.legal(rules, stack[0], moves[0])
    while ply >= 0:
        if tried[ply] == found[ply]:
            ply -= 1
            continue
        move = np.int64(moves[ply, tried[ply]])
        tried[ply] += 1
        stack[ply + 1] = stack[ply]
        base.play(rules, stack[ply + 1], move)
        after = base.situation(rules, stack[ply + 1])
        if after != 0:
            if not base.may_repeat(rules, move) and was_seen(seen, n_seen + ply, after):
                continue
            seen[n_seen + ply] = after
        if ply + 1 == depth:
            total += 1
        else:
            ply += 1
            tried[ply] = 0
            found[ply] = 0 if base.is_over(rules, stack[ply]) else base.legal(rules, stack[ply], moves[ply])
    return total
