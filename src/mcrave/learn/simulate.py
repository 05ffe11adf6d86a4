"""Simulations by a softmax policy over features of Go moves, and the gradient of their mean outcome: the kernels.

π(s,a) = exp(θ·φ(s,a)) / Σ_b exp(θ·φ(s,b)), with the light features φ of `mcrave.features.moves`, over the moves that a
random playout may make. For ψ(s,a) = ∇ log π(s,a) = φ(s,a) − Σ_b π(s,b) φ(s,b) and the outcome z of a simulation,

    ∇ E[z] = E[z Σ_t ψ(s_t, a_t)].
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from mcrave.features.moves import LIGHT, look_around
from mcrave.games import base
from mcrave.games._stones import PASS
from mcrave.kernel import entry, jit
from mcrave.kernel.rng import uniform
from mcrave.playouts.base import begin, evaluate, play_out


class Policy(NamedTuple):
    """A softmax policy and its scratch memory."""

    classes: Any
    theta: Any  # the logarithms of the ratings
    found: Any  # int16, per move: its features
    moves: Any  # int32
    chances: Any  # per move: π(s,a)


class Runner(NamedTuple):
    """As much scratch memory as a playout policy needs."""

    rng: Any
    memory: Any
    moves: Any
    work: Any


@jit
def rate(policy, rules, state):
    """Write π(s,·); return how many moves there are."""
    n = look_around(policy.classes, rules, state, policy.found, policy.moves)
    highest, total = -math.inf, 0.0
    for i in range(n):
        value = 0.0
        for group in range(LIGHT):
            value += policy.theta[np.uintp(policy.found[i, group])]
        policy.chances[i] = value
        highest = max(highest, value)
    for i in range(n):
        policy.chances[i] = math.exp(policy.chances[i] - highest)
        total += policy.chances[i]
    for i in range(n):
        policy.chances[i] /= total
    return n


@jit
def add_score(policy, n, chosen, factor, score):
    """Add ψ(s,a), times a factor, for the move with this number."""
    for group in range(LIGHT):
        score[np.uintp(policy.found[chosen, group])] += factor
    for i in range(n):
        share = factor * policy.chances[i]
        for group in range(LIGHT):
            score[np.uintp(policy.found[i, group])] -= share


@jit
def draw(policy, n, rng):
    """The number of a move by lot."""
    left = uniform(rng)
    for i in range(n - 1):
        left -= policy.chances[i]
        if left < 0.0:
            return i
    return n - 1


@entry
def simulate(policy, rules, root, work, rng, count, plies, baseline, score, gradient):
    """Play `count` games from the root, add (z − baseline) Σ ψ of each to `gradient`; return the sum of Black's z."""
    total = 0.0
    for _ in range(count):
        work[0] = root[0]
        state = work[0]
        for i in range(score.shape[0]):
            score[i] = 0.0
        ply = 0
        while ply < plies and state.passes < 2:
            n = rate(policy, rules, state)
            if n == 0:
                base.play(rules, state, np.int64(PASS))
            else:
                chosen = draw(policy, n, rng[0])
                add_score(policy, n, chosen, 1.0, score)
                base.play(rules, state, np.int64(policy.moves[chosen]))
            ply += 1
        z = base.outcome(rules, state, 0)
        total += z
        for i in range(score.shape[0]):
            gradient[i] += (z - baseline) * score[i]
    return total


@entry
def two_steps(policy, later, rules, root, work, values, score, gradient):
    """The mean oracle value two plies after the root, its gradient in `gradient`.

    `values` holds that of every pair of moves, as `list_pairs` lists them. `later` is a second policy with the same
    weights, for the second ply.
    """
    state = root[0]
    n = rate(policy, rules, state)
    mean, at = 0.0, 0
    for i in range(max(n, 1)):
        work[0] = state
        base.play(rules, work[0], np.int64(policy.moves[i]) if n > 0 else np.int64(PASS))
        chance = policy.chances[i] if n > 0 else 1.0
        m = rate(later, rules, work[0])
        inner = 0.0
        for j in range(max(m, 1)):
            inner += (later.chances[j] if m > 0 else 1.0) * values[at + j]
        for j in range(m):
            add_score(later, m, j, chance * later.chances[j] * values[at + j], gradient)
        if n > 0:
            add_score(policy, n, i, chance * inner, gradient)
        mean += chance * inner
        at += max(m, 1)
    return mean


@entry
def list_pairs(policy, later, rules, root, work, pairs):
    """Write every pair of moves that a simulation may begin with, pass standing alone for none; return how many."""
    n = look_around(policy.classes, rules, root[0], policy.found, policy.moves)
    count = 0
    for i in range(max(n, 1)):
        first = np.int64(policy.moves[i]) if n > 0 else np.int64(PASS)
        work[0] = root[0]
        base.play(rules, work[0], first)
        m = look_around(later.classes, rules, work[0], later.found, later.moves)
        for j in range(max(m, 1)):
            pairs[count, 0] = first
            pairs[count, 1] = np.int64(later.moves[j]) if m > 0 else np.int64(PASS)
            count += 1
    return count


@entry
def mean_outcome(playout, recording, rules, root, runner, count, plies):
    """The mean outcome for Black of games that a playout policy finishes."""
    total = 0.0
    for _ in range(count):
        runner.work[0] = root[0]
        begin(playout, rules, runner, runner, 0)
        play_out(playout, recording, rules, runner.work[0], runner, 0, plies)
        total += evaluate(playout, rules, runner.work[0], 0)
    return total / count
