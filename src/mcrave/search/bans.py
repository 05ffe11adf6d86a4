"""Moves that a search is told to leave out, for each player in the first plies from the root."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mcrave.games import Game, base
from mcrave.kernel import dispatched
from mcrave.specs import Spec


@dispatched
def leave_out(bans, rules, state, scratch, moves, count, ply):
    """Take banned moves off the list of a new node; return how many are left."""
    return count


class Bans(Spec):
    """Some moves are left out."""

    def leave_out(bans, rules, state, scratch, moves, count, ply):
        """The others keep their order. A list of banned moves alone stays as it is: somebody has to move."""
        player = base.to_move(rules, state)
        left = 0
        for i in range(count):
            left += int(scratch.banned[player, base.code(rules, state, np.int64(moves[i]))] <= ply)
        if left == 0:
            return count
        left = 0
        for i in range(count):
            if scratch.banned[player, base.code(rules, state, np.int64(moves[i]))] <= ply:
                moves[left] = moves[i]
                left += 1
        return left


def ban_table(game: Game, banned: Mapping[tuple[int, int], int]) -> Any:
    """For each player and code, in how many plies from the root on the move is left out."""
    table = np.zeros((game.players, game.codes()), np.int32)
    for (player, code), plies in banned.items():
        table[player, code] = plies
    return table
