"""The confidence of the learnt heuristic by its own variance, against a count of shapes in plain Python."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pytest

import mcrave
from mcrave.errors import Error
from mcrave.features import weights
from mcrave.games._stones import PASS
from mcrave.kernel import entry
from mcrave.kernel.rng import stream
from mcrave.learn.self_play import Learner, self_play
from mcrave.learn.td import Settings, Training, new_board
from mcrave.priors.base import heuristic, survey
from mcrave.priors.local_shape import MOST, LocalShape
from mcrave.reference.td import exchanged, least_image, windows
from mcrave.specs import lowered
from tests.learn.test_local_shape import GAME, SHAPES, random_game


def rows(states) -> list[str]:
    """The board as the twin sees it."""
    return ["".join(line.split()[1:]) for line in GAME.render(states[0]).splitlines()[:5]]


def active(board: list[str]) -> Counter:
    """How often each shape stands on the board, one that equals its inverse not at all."""
    found: Counter = Counter()
    for side, cells in windows(board):
        for place in ("here", "anywhere"):
            own, inverse = (least_image(shape, 5, place) for shape in (cells, exchanged(cells)))
            if own != inverse:
                found[side, max(own, inverse), place] += 1
    return found


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """A file after some games of random moves, the twin's counts of shapes, and the number of positions."""
    theta, seen = np.zeros(SHAPES.weights), np.zeros(SHAPES.pairs, np.int64)
    learner = Learner(SHAPES, theta, seen, 0.7, 0.1, 0.0, 0)
    board, rng = new_board(GAME.start().state, SHAPES.windows, stream(5)), stream(5)
    counts: Counter = Counter()
    positions = 0
    for _ in range(4):
        self_play(lowered(GAME), learner, board, np.zeros(1, np.int64), 1, GAME.max_plies())
        for states in random_game(rng)[:-1]:
            counts += active(rows(states))
            positions += 1
    path = tmp_path_factory.mktemp("weights") / "random.npz"
    about = {"kind": weights.LOCAL_SHAPE, "size": 5, "alpha": 0.7}
    weights.write(path, about, {"pairs": theta[:-2:2], "whole": theta[-2:], "seen": seen})
    return path, counts, positions


def test_counts_equal_the_plain_ones(learnt):
    path, counts, positions = learnt
    _, arrays = weights.read(path, weights.LOCAL_SHAPE)
    assert arrays["seen"][0] == positions
    assert sorted(arrays["seen"][1:][arrays["seen"][1:] > 0]) == sorted(counts.values())


class Edges(NamedTuple):
    """As much of a tree as a prior sees."""

    move: Any
    w: Any
    n: Any


@entry
def ask(prior, rules, states, edges, out):
    """What a new node is filled with: AMAF value and confidence go to where they came from."""
    survey(prior, rules, states[0], edges, 0, edges.move.shape[0], out)
    for edge in range(edges.move.shape[0]):
        edges.w[edge], _, edges.n[edge] = heuristic(prior, rules, states[0], edges, -1, edge)


def test_confidence_is_that_of_the_formula(learnt):
    """For every move of a position: m / (4 V (1 − V) u), at most 4 m."""
    path, counts, positions = learnt
    n0 = 4 * (2 * (25 + 16 + 9) + 2) / 0.7
    mean = sum(n / (n + n0) for n in counts.values()) / positions
    position = GAME.parse(". X . O . / . . X O . / O . . . . / . X . . X / . . O . . \n X to move")
    prior = LocalShape(m=20, confidence="variance", weights=str(path))
    prior.check(GAME)
    moves = position.moves
    edges = Edges(moves, np.zeros(moves.size), np.zeros(moves.size))
    ask(prior.loaded(GAME), lowered(GAME), position.state, edges, np.zeros(prior.room(GAME), np.int32))
    compared, capped = 0, 0
    for move, value, confidence in zip(*edges, strict=True):
        if move == PASS:
            continue
        u = sum(k / (counts[name] + n0) for name, k in active(rows(position.play(int(move)).state)).items()) / mean
        formula = 20 / (4 * value * (1 - value) * u)
        assert confidence == pytest.approx(min(formula, MOST * 20))
        compared += 1
        capped += formula > MOST * 20
    assert compared > 10
    assert capped < compared, "not all of them are at the bound"


def test_packed_counts_are_near(tmp_path):
    """Eighths of an octave: within 5 %, and a mean of one over the positions of learning."""
    training = Training(Settings(size=5, komi=24.5, seed=7))
    training.run(200)
    training.save(tmp_path / "full.npz")
    training.pack(tmp_path / "small.npz")
    full, small = (weights.local_shape_doubts(5, str(tmp_path / name)) for name in ("full.npz", "small.npz"))
    assert small == pytest.approx(full, rel=0.12)
    assert np.sum(training.seen[1:] * full[2:-2:2]) / training.seen[0] == pytest.approx(1.0)


def test_files_without_counts(tmp_path):
    pairs = np.zeros(SHAPES.pairs)
    weights.write(tmp_path / "old.npz", {"kind": weights.LOCAL_SHAPE, "size": 5}, {"pairs": pairs, "whole": pairs[:2]})
    with pytest.raises(Error, match=r"old.npz does not tell how often weights were corrected, as confidence=variance"):
        mcrave.Search("go(size=5)", prior=f"local_shape(confidence=variance,weights={tmp_path / 'old.npz'})")
