"""Temporal-difference learning from games that the learner plays against itself: the kernels.

The value of a position for Black is V(s) = σ(θ·φ(s)), with the local shapes φ. After every move, TD(0):

    θ ← θ + α (V(s') − V(s)) φ(s) / |φ|,

where V(s') is the result at the end of the game, 1 if Black wins and 0 if not, and |φ| is how many features are active.
This is the gradient of the cross-entropy between V(s) and V(s'), so that no derivative of σ comes in. Moves are chosen
greedily by the value of the position after them, and at random with probability ε.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from mcrave.features.local_shape import NOTHING, Shapes, lay, logistic, move_gain, note_board, shape_sum
from mcrave.games import base
from mcrave.games._stones import PASS
from mcrave.games.go import is_playable, play_or_pass, random_point
from mcrave.kernel import entry, jit
from mcrave.kernel.rng import below, uniform
from mcrave.playouts.base import choose


class Learner(NamedTuple):
    """What is learnt, and how, as kernels see it."""

    shapes: Shapes
    theta: Any  # the weights
    seen: Any  # int64, per pair of weights: in how many positions it was active, with repetitions; of pair 0: all
    alpha: float
    epsilon: float
    halving: float  # after so many games the step size is half of `alpha`; 0: never
    default: int  # from this ply on moves are uniformly random


class Board(NamedTuple):
    """Memory for a game."""

    root: Any
    work: Any
    config: Any  # the windows at the root
    now: Any  # the windows in the game
    worth: Any  # what their weights add up to
    rng: Any


@entry
def self_play(rules, learner, board, done, count, plies):
    """Play `count` games and learn from them, those in `done` being played; counts them there."""
    note_board(learner.shapes, board.root[0], board.config)
    for _ in range(count):
        alpha = learner.alpha
        if learner.halving > 0.0:
            alpha /= 1.0 + done[0] / learner.halving
        one_game(rules, learner, board, alpha, plies)
        done[0] += 1


@entry
def play_greedily(rules, playout, learner, board, memory, out, count, plies):
    """Play games of the greedy player against a playout policy, colours in turn; returns how many it won."""
    note_board(learner.shapes, board.root[0], board.config)
    won = 0.0
    for number in range(count):
        seat = number % 2
        begin_game(board)
        state, rng = board.work[0], board.rng[0]
        ply = 0
        while ply < plies and state.passes < 2:
            me = state.turn + np.int64(1)
            move = np.int64(PASS)
            if state.turn == seat:
                shape_sum(learner.shapes, learner.theta, board.now, board.worth)
                move, _ = best_move(learner.shapes, learner.theta, board.now, board.worth, state, me, rng)
            else:
                move = np.int64(choose(playout, rules, state, memory, rng, out))
            if move != PASS:
                lay(learner.shapes, learner.theta, board.now, state, np.uintp(move), me)
            play_on_board(state, move, me)
            ply += 1
        won += base.outcome(rules, state, seat)
    return won


@jit
def begin_game(board):
    """Set up the root."""
    board.work[0] = board.root[0]
    for window in range(board.now.shape[0]):
        board.now[window] = board.config[window]


@jit
def one_game(rules, learner, board, alpha, plies):
    """One game from the root, learning after every move; returns its length."""
    shapes, theta, rng = learner.shapes, learner.theta, board.rng[0]
    now, worth = board.now, board.worth
    begin_game(board)
    state = board.work[0]
    step = alpha / (2.0 * now.shape[0] + 2.0)
    komi, turn = theta.shape[0] - 2, theta.shape[0] - 1
    ply = 0
    while ply < plies and state.passes < 2:
        me = state.turn + np.int64(1)
        sign = 1.0 if me == 1 else -1.0
        before = shape_sum(shapes, theta, now, worth) + theta[komi] + sign * theta[turn]
        move, change = PASS, 0.0
        if ply >= learner.default or (learner.epsilon > 0.0 and uniform(rng) < learner.epsilon):
            move = np.int64(random_point(state, me, rng))
            if move != PASS:
                change = move_gain(shapes, theta, now, worth, state, np.uintp(move), me)
        else:
            move, change = best_move(shapes, theta, now, worth, state, me, rng)
        after = logistic(before + change - 2.0 * sign * theta[turn])
        ply += 1
        if ply == plies or (move == PASS and state.passes == 1):
            play_on_board(state, np.int64(move), me)
            after = base.outcome(rules, state, 0)
            adjust(learner, now, sign, step * (after - logistic(before)))
        else:
            adjust(learner, now, sign, step * (after - logistic(before)))
            if move != PASS:
                lay(shapes, theta, now, state, np.uintp(move), me)
            play_on_board(state, np.int64(move), me)
    return ply


@jit
def play_on_board(state, move, me):
    """Put a stone, or pass, and it is the other's turn."""
    play_or_pass(state, move, me)
    state.turn = 2 - me


@jit
def best_move(shapes, theta, config, worth, state, me, rng):
    """The move with the best position after it, one of several by lot, and its gain for Black.

    No own eye is filled; passing is for those who have no other move.
    """
    best, chosen, change, ties = -math.inf, np.int64(PASS), 0.0, 0
    for i in range(state.n_empty):
        p = np.uintp(state.empty[i])
        if not is_playable(state, p, me):
            continue
        found = move_gain(shapes, theta, config, worth, state, p, me)
        value = found if me == 1 else -found
        if value > best:
            best, chosen, change, ties = value, np.int64(p), found, 1
        elif value == best:
            ties += 1
            if below(rng, ties) == 0:
                chosen = np.int64(p)
    return chosen, change


@jit
def adjust(learner, config, sign, change):
    """Add a change to the weight of every active feature, in the direction of its value."""
    shapes, theta, seen = learner.shapes, learner.theta, learner.seen
    seen[NOTHING] += 1
    for window in range(config.shape[0]):
        now = np.uintp(config[window])
        for i in range(2):
            w = np.int64(shapes.weight[now, i])
            if w != NOTHING:
                theta[np.uintp(w)] += change
                theta[np.uintp(w ^ 1)] -= change
                seen[np.uintp(w >> 1)] += 1
    theta[theta.shape[0] - 2] += change
    theta[theta.shape[0] - 1] += sign * change
