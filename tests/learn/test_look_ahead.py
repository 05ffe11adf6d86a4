"""Alpha–beta over learnt shapes against plain minimax."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import mcrave
from mcrave.features.local_shape import rate_moves, shapes_of
from mcrave.games._stones import PASS
from mcrave.learn.look_ahead import WON, look_down, look_on, new_plies
from mcrave.players import parse_player
from mcrave.specs import lowered

SIZE = 4
GAME = mcrave.game(f"go(size={SIZE},komi=0.5,superko=simple)")
SHAPES = shapes_of(SIZE)


def weights(seed: int):
    """Random ones: those of each pair are opposite, the first pair is 0."""
    random = np.random.default_rng(seed)
    theta = random.normal(0.0, 0.3, SHAPES.weights)
    theta[1:-2:2] = -theta[:-2:2]
    theta[:2] = 0.0
    return theta


def rated(theta, position) -> dict[int, float]:
    """θ·φ after each move that fills no own eye, for who makes it; passing only if there is no other."""
    values, config = np.zeros(position.moves.size), np.zeros(SHAPES.windows, np.int32)
    rate_moves(SHAPES, theta, position.state, config, position.moves, values)
    sums = {int(m): math.log(v / (1.0 - v)) for m, v in zip(position.moves, values, strict=True) if v >= 0.0}
    stones = {move: value for move, value in sums.items() if move != PASS}
    return stones or {PASS: sums[PASS]}


def minimax(theta, position, depth: int) -> dict[int, float]:
    """What each move is worth to who makes it."""
    found = {}
    for move, value in rated(theta, position).items():
        after = position.play(move)
        if after.is_over:
            found[move] = WON * (2.0 * after.outcome(position.to_move) - 1.0)
        else:
            found[move] = value if depth == 1 else -max(minimax(theta, after, depth - 1).values())
    return found


def positions(seed: int):
    """Some of a random game, its last ones included, where passes end it."""
    random = np.random.default_rng(seed)
    position, theta = GAME.start(), np.zeros(SHAPES.weights)
    found = []
    while not position.is_over and len(found) < 60:
        found.append(position)
        position = position.play(int(random.choice(list(rated(theta, position)))))
    return found[8::9] + found[-3:]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_value_of_plain_minimax(depth):
    for seed in range(3):
        theta = weights(seed)
        for position in positions(seed):
            expected = minimax(theta, position, depth)
            plies = new_plies(position.state, SHAPES.windows, GAME.max_moves(), depth)
            plies.moves[0, : len(expected)] = list(expected)
            look_down(SHAPES, theta, plies, len(expected))
            while not look_on(lowered(GAME), SHAPES, theta, plies, depth, 7):
                pass  # it may be stopped anywhere
            move, value = plies.now[1], plies.best[0]
            assert value == pytest.approx(max(expected.values()), abs=1e-9)
            assert expected[int(move)] == pytest.approx(value, abs=1e-9)


def test_a_player_looks_ahead():
    game = mcrave.game("go(size=9)")
    player = parse_player("td_search(depth=2)@3")
    move = player.choose(game.start())
    assert move in game.start().moves
    assert 0.0 < player.estimate < 1.0
    player.new_game(1)
    assert player.choose(game.start()) == move, "the same seed, the same move"


def test_what_is_not_finished_in_time_does_not_count(monkeypatch):
    game = mcrave.game("go(size=9)")
    player = parse_player("td_search(depth=8)@0.2s")
    player.search(game.start())
    clock = iter(range(1000))
    monkeypatch.setattr("mcrave.players.td_search.time", SimpleNamespace(perf_counter=lambda: next(clock)))
    monkeypatch.setattr("mcrave.players.td_search.POSITIONS", 1)
    values = player.rate(game.start())
    move, value = player.look_ahead(game.start())
    assert value == values.max() == values[list(game.start().moves).index(move)], "one ply deep"
    assert next(clock) == 2, "the clock was looked at when it began, and once more"
