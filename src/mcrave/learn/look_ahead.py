"""Alpha–beta over learnt local shapes, after temporal-difference search (Silver, Sutton & Müller 2012): the kernels.

A position is worth θ·φ to Black, and −θ·φ to White; σ is left out, as it changes no comparison. Moves are looked at in
the order of what they gain at once, and fill no own eye; who has no other move passes. Of repetition only ko is seen.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from mcrave.features.local_shape import lay, move_gain, note_board, position_sum, shape_sum
from mcrave.games import base
from mcrave.games._stones import PASS
from mcrave.games.go import is_playable
from mcrave.kernel import entry, jit
from mcrave.learn.self_play import play_on_board

WON = 1e6  # what a game that is over is worth, more than any sum of weights


class Plies(NamedTuple):
    """Memory: a row for each ply."""

    states: Any
    config: Any  # int32, the windows
    worth: Any  # what their weights add up to
    moves: Any  # int32
    gains: Any  # per move, what it gains for who makes it
    count: Any  # int64, how many moves are to be looked at
    at: Any  # int64, the one that is looked at
    now: Any  # int64: the ply at hand, the root's best move so far
    total: Any  # θ·φ
    low: Any  # what the player to move is sure of
    high: Any  # what the opponent is sure of
    best: Any  # the best value so far


def new_plies(state: Any, windows: int, moves: int, depth: int) -> Plies:
    """Memory for so many plies from a position with so many moves at most."""
    config, worth = np.zeros((depth, windows), np.int32), np.zeros((depth, windows))
    listed, gains = np.zeros((depth, moves), np.int32), np.zeros((depth, moves))
    count, at = np.zeros((2, depth), np.int64)
    now = np.array([0, PASS], np.int64)
    total, low, high, best = np.zeros((4, depth))
    return Plies(np.repeat(state, depth), config, worth, listed, gains, count, at, now, total, low, high, best)


@entry
def look_down(shapes, theta, plies, count):
    """Begin with the root, whose first `count` moves are looked at."""
    root = plies.states[0]
    note_board(shapes, root, plies.config[0])
    plies.total[0] = position_sum(shapes, theta, plies.config[0], sign_of(root))
    plies.count[0] = count
    plies.now[0] = 0
    begin(shapes, theta, plies, 0, -math.inf, math.inf)


@entry
def look_on(rules, shapes, theta, plies, depth, most):
    """Look at so many more positions at most, to a depth; whether it is done, with the best move in `now`."""
    ply = plies.now[0]
    for _ in range(most):
        if plies.count[ply] == 0 or plies.low[ply] >= plies.high[ply]:
            if ply == 0:
                return True
            ply -= 1
            value = -plies.best[ply + 1]
        else:
            move, gain = take_best(plies, ply)
            state = plies.states[ply]
            value = sign_of(state) * plies.total[ply] + gain - 2.0 * theta[theta.shape[0] - 1]
            if move == PASS and state.passes == 1:
                value = WON * (2.0 * base.outcome(rules, state, np.int64(state.turn)) - 1.0)
            elif ply + 1 < depth:
                go_on(shapes, theta, plies, ply, move, value)
                ply += 1
                list_moves(plies, ply)
                begin(shapes, theta, plies, ply, -plies.high[ply - 1], -plies.low[ply - 1])
                continue
            else:
                plies.count[ply] = 0  # the others gain less
        if value > plies.best[ply]:
            plies.best[ply] = value
            plies.low[ply] = max(plies.low[ply], value)
            if ply == 0:
                plies.now[1] = plies.moves[0, plies.at[0]]
    plies.now[0] = ply
    return False


@jit
def sign_of(state):
    """1 if Black is to move, −1 if White."""
    return 1.0 if state.turn == 0 else -1.0


@jit
def begin(shapes, theta, plies, ply, low, high):
    """Rate the moves of a ply, between these bounds."""
    state = plies.states[ply]
    me = state.turn + np.int64(1)
    shape_sum(shapes, theta, plies.config[ply], plies.worth[ply])
    for i in range(plies.count[ply]):
        move = np.int64(plies.moves[ply, i])
        plies.gains[ply, i] = 0.0
        if move != PASS:
            p = np.uintp(move)
            gain = move_gain(shapes, theta, plies.config[ply], plies.worth[ply], state, p, me)
            plies.gains[ply, i] = sign_of(state) * gain
    plies.low[ply] = low
    plies.high[ply] = high
    plies.best[ply] = -math.inf


@jit
def list_moves(plies, ply):
    """All moves that fill no own eye, or a pass."""
    state = plies.states[ply]
    n = 0
    for i in range(state.n_empty):
        p = np.uintp(state.empty[i])
        if is_playable(state, p, state.turn + np.int64(1)):
            plies.moves[ply, n] = p
            n += 1
    if n == 0:
        plies.moves[ply, 0] = PASS
        n = 1
    plies.count[ply] = n


@jit
def take_best(plies, ply):
    """The move that gains most, of equal ones the first, and its gain; it goes behind those that are left."""
    last = plies.count[ply] - 1
    best = 0
    for i in range(1, last + 1):
        if plies.gains[ply, i] > plies.gains[ply, best]:
            best = i
    move, gain = plies.moves[ply, best], plies.gains[ply, best]
    plies.moves[ply, best], plies.gains[ply, best] = plies.moves[ply, last], plies.gains[ply, last]
    plies.moves[ply, last], plies.gains[ply, last] = move, gain
    plies.count[ply] = last
    plies.at[ply] = last
    return np.int64(move), gain


@jit
def go_on(shapes, theta, plies, ply, move, value):
    """Set up the next ply after a move, which makes the position worth `value` to who makes it."""
    plies.states[ply + 1] = plies.states[ply]
    state, config = plies.states[ply + 1], plies.config[ply + 1]
    plies.total[ply + 1] = sign_of(state) * value
    for window in range(config.shape[0]):
        config[window] = plies.config[ply, window]
    me = state.turn + np.int64(1)
    if move != PASS:
        lay(shapes, theta, config, state, np.uintp(move), me)
    play_on_board(state, move, me)
