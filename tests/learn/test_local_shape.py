"""Local shapes: the kernels count, share and value as the plain twin does, captures and all."""

from __future__ import annotations

import random

import numpy as np
import pytest

import mcrave
from mcrave.errors import Error
from mcrave.features.local_shape import board_value, rate_moves, shapes_of
from mcrave.games._stones import PASS
from mcrave.games.go import random_point
from mcrave.kernel import entry
from mcrave.kernel.rng import stream
from mcrave.learn.self_play import Learner, play_on_board, self_play
from mcrave.learn.td import new_board
from mcrave.reference.td import Value, local_shapes
from mcrave.specs import lowered

GAME = mcrave.game("go(size=5,komi=0.5)")
SHAPES = shapes_of(5)


@entry
def step(states, rng):
    """A move of a random playout, made."""
    me = states[0].turn + np.int64(1)
    move = np.int64(random_point(states[0], me, rng[0]))
    play_on_board(states[0], move, me)


@entry
def value(shapes, theta, states):
    """V(s)."""
    return board_value(shapes, theta, states[0])


def random_game(rng) -> list:
    """The states of a game by the same moves that the kernel draws."""
    line = [GAME.start().state]
    while line[-1][0].passes < 2 and len(line) <= GAME.max_plies():
        line.append(line[-1].copy())
        step(line[-1], rng)
    return line


def features(states) -> dict:
    """What the twin sees."""
    rows = [line.split()[1:] for line in GAME.render(states[0]).splitlines()[:5]]
    return local_shapes(["".join(row) for row in rows], states[0].turn == 0)


def test_learning_equals_the_plain_twin():
    """Some games of random moves: every value of every position, to rounding."""
    theta, seen = np.zeros(SHAPES.weights), np.zeros(SHAPES.pairs, np.int64)
    learner = Learner(SHAPES, theta, seen, 0.7, 0.1, 0.0, 0)
    board, rng = new_board(GAME.start().state, SHAPES.windows, stream(5)), stream(5)
    twin, done, compared = Value(0.7), np.zeros(1, np.int64), 0
    for _ in range(4):
        game = random_game(rng)
        self_play(lowered(GAME), learner, board, done, 1, GAME.max_plies())
        assert board.rng[0].state == rng[0].state, "both played the same moves"
        seen_by_twin = [features(states) for states in game]
        twin.learn(seen_by_twin[:-1], float(GAME.score(game[-1][0]) > 0), SHAPES.active)
        for states, known in zip(game, seen_by_twin, strict=True):
            assert value(SHAPES, theta, states) == pytest.approx(twin(known), abs=1e-12)
            compared += 1
    assert compared > 80
    pairs = theta[:-2].reshape(-1, 2)
    assert (pairs[:, 0] == -pairs[:, 1]).all()
    assert (pairs[0] == 0.0).all(), "shapes that are their own inverse weigh nothing"


def test_values_after_moves_equal_values_of_positions():
    """With any weights, by changes of windows and from the board: captures are common on 5×5."""
    rng = np.random.default_rng(3)
    half = rng.normal(0, 0.3, SHAPES.pairs)
    half[0] = 0.0
    theta = np.concatenate([np.stack([half, -half], axis=1).ravel(), [0.2, 0.3]])
    captures = 0
    for seed in range(3):
        dice, position = random.Random(seed), GAME.start()
        for _ in range(60):
            values, config = np.zeros(position.moves.size), np.zeros(SHAPES.windows, np.int32)
            rate_moves(SHAPES, theta, position.state, config, position.moves, values)
            stones, playable = int(position.state[0].count[1:3].sum()), []
            for move, found in zip(position.moves.tolist(), values.tolist(), strict=True):
                if found < 0.0 or move == PASS:
                    continue
                after = position.play(move)
                black = value(SHAPES, theta, after.state)
                assert found == pytest.approx(black if position.to_move == 0 else 1.0 - black, abs=1e-12)
                captures += int(after.state[0].count[1:3].sum()) <= stones
                playable.append(after)
            if not playable:
                break
            position = dice.choice(playable)
    assert captures > 20


def test_colours_exchanged_exchange_the_value():
    """Without komi, what is good for Black is as good for White when the colours change."""
    rng = np.random.default_rng(4)
    half = rng.normal(0, 0.3, SHAPES.pairs)
    half[0] = 0.0
    theta = np.concatenate([np.stack([half, -half], axis=1).ravel(), [0.0, 0.3]])
    one = GAME.parse("X.O.. / .XO.. / ..... / O..X. / ..... \n X to move")
    other = GAME.parse("..... / .O..X / ..... / ..XO. / ..X.O \n O to move")  # turned by half, colours exchanged
    assert value(SHAPES, theta, one.state) == pytest.approx(1.0 - value(SHAPES, theta, other.state), abs=1e-12)


def test_how_many():
    """RLGO's million on 9×9."""
    assert sum((10 - side) ** 2 * 3 ** (side * side) for side in (1, 2, 3)) == 969_894
    with pytest.raises(Error, match="from 2x2 to 19x19, not 20x20"):
        shapes_of(20)
