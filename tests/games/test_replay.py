"""A game played through in one call is the game played move by move."""

from __future__ import annotations

import random

import pytest

import mcrave
from mcrave.games._replay import replay


@pytest.mark.parametrize("text", ["mnk(size=3,length=3)", "go(size=3)", "go3(size=3,pass_last=true)"])
def test_same_as_move_by_move(text):
    game, dice = mcrave.game(text), random.Random(5)
    for _ in range(10):
        position, moves = game.start(), []
        while not position.is_over and len(moves) < 60:
            moves.append(int(dice.choice(position.moves.tolist())))
            position = position.play(moves[-1])
        found = replay(game, game.start(), moves)
        assert found.legal
        assert found.names == position.history()
        assert found.last == position


def test_stops_before_an_illegal_move():
    game = mcrave.game("mnk(size=3,length=3)")
    found = replay(game, game.start(), [0, 0, 1])
    assert not found.legal
    assert found.names == ["a3"]
    assert found.last == game.start().play(0)
