"""TD(0) on 2×2 Go against dynamic programming: all games of random moves, up to a bound on their length.

Two settings with a known answer:

- A table, one feature for each position and ply: the fixed point of TD(0) is the value under the policy, exactly.
- Local shapes cannot tell all positions of 2×2 apart (a shape that equals its own inverse weighs nothing). Their fixed
  point is where the expected correction E[(V(s') − V(s)) φ(s)] is zero, the expectation being over all games.
"""

from __future__ import annotations

import random
from collections import defaultdict
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.optimize import least_squares

import mcrave
from mcrave.features.local_shape import shapes_of
from mcrave.games._stones import PASS
from mcrave.games.go import is_playable
from mcrave.kernel import entry
from mcrave.kernel.rng import stream
from mcrave.learn.self_play import Learner, play_on_board, self_play
from mcrave.learn.td import new_board
from mcrave.reference.td import Value, local_shapes
from mcrave.specs import lowered
from tests.learn.test_local_shape import value as board_value_of

GAME = mcrave.game("go(size=2,komi=0.5)")
PLIES = 6


class Place(NamedTuple):
    """What decides how a game goes on."""

    ply: int
    board: tuple[str, str]
    black: bool
    ko: int
    passes: int


@entry
def playable(states, out):
    """The points that random moves are drawn from, all alike."""
    count = 0
    for i in range(states[0].n_empty):
        p = np.uintp(states[0].empty[i])
        if is_playable(states[0], p, states[0].turn + np.int64(1)):
            out[count] = p
            count += 1
    return count


@entry
def make(states, move):
    """Make a move."""
    play_on_board(states[0], np.int64(move), states[0].turn + np.int64(1))


def place_of(states, ply: int) -> Place:
    state = states[0]
    top, bottom = ("".join(line.split()[1:]) for line in GAME.render(state).splitlines()[:2])
    return Place(ply, (top, bottom), bool(state.turn == 0), int(state.ko), int(state.passes))


class Chain(NamedTuple):
    """All games of random moves."""

    states: dict[Place, Any]
    following: dict[Place, list[Place]]
    results: dict[Place, float]

    @property
    def start(self) -> Place:
        return next(iter(self.states))


@cache
def chain() -> Chain:
    """Every place that can be reached, and what may follow it, or the result if games end there."""
    found = Chain({}, {}, {})
    start = GAME.start().state
    found.states[place_of(start, 0)] = start
    stack = [found.start]
    while stack:
        place = stack.pop()
        states = found.states[place]
        if place.ply == PLIES or place.passes == 2:
            found.results[place] = float(GAME.score(states[0]) > 0)
            continue
        out = np.zeros(5, np.int64)
        moves = out[: playable(states, out)].tolist() or [PASS]
        found.following[place] = []
        for move in moves:
            after = states.copy()
            make(after, move)
            reached = place_of(after, place.ply + 1)
            found.following[place].append(reached)
            if reached not in found.states:
                found.states[reached] = after
                stack.append(reached)
    return found


def exact() -> dict[Place, float]:
    """The value of every place under random moves, from the last ply back to the first."""
    _, following, results = chain()
    values = dict(results)
    for place in sorted(following, key=lambda place: -place.ply):
        values[place] = sum(values[after] for after in following[place]) / len(following[place])
    return values


def shares() -> dict[Place, float]:
    """In what share of the games each place comes about."""
    start, following = chain().start, chain().following
    found: defaultdict[Place, float] = defaultdict(float)
    found[start] = 1.0
    for place in sorted(following, key=lambda place: place.ply):
        for after in following[place]:
            found[after] += found[place] / len(following[place])
    return dict(found)


def test_the_chain_is_what_it_should_be():
    """Captures happen, places come together again, and the shares of the ends add up to one."""
    (_, following, results), start = chain(), chain().start
    assert len(following[start]) == 4
    assert sum(share for place, share in shares().items() if place in results) == pytest.approx(1.0)
    captured = [
        place for place in following if place.ply == 4 and place.passes == 0 and "".join(place.board).count(".")
    ]
    assert captured, "four stones were put, and fewer stand there"
    assert exact()[start] == pytest.approx(1 / 3)


def test_a_table_finds_the_values():
    """All places, to the noise of 60,000 games; the seed is fixed, so this cannot fail by chance."""
    (_, following, results), start = chain(), chain().start
    dice, v = random.Random(1), Value(alpha=2.0)
    for number in range(60_000):
        place, visited = start, []
        v.alpha = 2.0 / (1 + number / 300)
        while place not in results:
            visited.append({place: 1.0})
            place = dice.choice(following[place])
        v.learn(visited, results[place], active=1)
    values = exact()
    assert max(abs(v({place: 1.0}) - values[place]) for place in following) < 0.04
    assert sum(0.2 < values[place] < 0.8 for place in following) > 10, "there is something to learn"


def test_shapes_find_their_fixed_point():
    """The compiled learner's values at all common places, by the weights where its expected correction is zero."""
    states, following, results = chain()
    often, shapes = shares(), shapes_of(2)
    names = sorted({name for place in following for name in local_shapes(place.board, place.black)}, key=str)
    phi = {
        place: np.array([local_shapes(place.board, place.black).get(name, 0.0) for name in names])
        for place in [*following, *results]
    }

    def value(theta, place) -> float:
        return results.get(place, 1.0 / (1.0 + np.exp(-theta @ phi[place])))

    def correction(theta) -> Any:
        values = {place: value(theta, place) for place in phi}
        means = {place: np.mean([values[after] for after in afters]) for place, afters in following.items()}
        return sum(often[place] * (means[place] - values[place]) * phi[place] for place in following)

    theta = least_squares(correction, np.zeros(len(names)), xtol=1e-15, ftol=1e-15, gtol=1e-15).x
    assert np.abs(correction(theta)).max() < 1e-8

    learner = Learner(shapes, np.zeros(shapes.weights), np.zeros(shapes.pairs, np.int64), 1.0, 0.0, 2000.0, 0)
    board = new_board(GAME.start().state, shapes.windows, stream(1))
    self_play(lowered(GAME), learner, board, np.zeros(1, np.int64), 200_000, PLIES)
    gaps = [board_value_of(shapes, learner.theta, states[place]) - value(theta, place) for place in following]
    assert np.abs(gaps).max() < 0.02
    assert np.ptp([value(theta, place) for place in following]) > 0.2, "there is something to learn"
