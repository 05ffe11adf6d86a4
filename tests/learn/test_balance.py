"""Simulation balancing: gradients by finite differences, a bias that is known exactly, runs that go on."""

from __future__ import annotations

import math
from importlib.resources import files

import numpy as np
import pytest

import mcrave
from mcrave.cli import run
from mcrave.errors import Error
from mcrave.features import ratings, weights
from mcrave.features.moves import CLASSES, GROUPS, LIGHT, OFFSETS, list_features
from mcrave.kernel.rng import stream
from mcrave.learn.balance import Balancing, Settings, errors_of, new_policy, random_positions
from mcrave.learn.simulate import list_pairs, simulate, two_steps
from mcrave.playouts import sample
from mcrave.specs import lowered, parse

SMALL = Settings(size=3, komi=0.5, positions=3, start="uniform", simulations=100, seed=4)
DEPTH = 4


@pytest.fixture(scope="module")
def position():
    """Black to move on 3×3, some stones on the board."""
    return mcrave.game("go(size=3,komi=0.5,superko=simple)").position("B2 A2 A3 C2")


def chances(position, theta) -> dict[int, float]:
    """π(s,·) by NumPy; pass if there is no other move."""
    game = position.game
    found, moves = np.zeros((game.max_moves(), len(GROUPS)), np.int32), np.zeros(game.max_moves(), np.int32)
    n = list_features(CLASSES, lowered(game), position.state, found, moves)
    if n == 0:
        return {0: 1.0}
    strength = np.exp(theta[found[:n, :LIGHT]].sum(axis=1))
    return dict(zip(moves[:n].tolist(), (strength / strength.sum()).tolist(), strict=True))


def exact_value(position, theta, depth: int = DEPTH) -> float:
    """The mean outcome for Black of simulations that are cut after so many plies: every game there can be."""
    if depth == 0 or position.is_over:
        return float(position.game.score(position.state[0]) > 0.0)
    return sum(p * exact_value(position.play(m), theta, depth - 1) for m, p in chances(position, theta).items())


def some_theta(seed: int):
    theta = np.random.default_rng(seed).normal(0.0, 0.5, int(OFFSETS[LIGHT]))
    theta[OFFSETS[1:LIGHT]] = 0.0
    return theta


def slope(value, theta, feature: int, step: float = 1e-5) -> float:
    """A finite difference."""
    up, down = theta.copy(), theta.copy()
    up[feature] += step
    down[feature] -= step
    return (value(up) - value(down)) / (2 * step)


def test_two_steps_have_the_slope_of_finite_differences(position):
    theta, game = some_theta(1), position.game
    rules, root = lowered(game), position.state
    policy, later = new_policy(game, theta), new_policy(game, theta)
    pairs = np.zeros((game.max_moves() ** 2, 2), np.int32)
    n = list_pairs(policy, later, rules, root, root.copy(), pairs)
    expected = [(a, b) for a in chances(position, theta) for b in chances(position.play(a), theta)]
    assert [tuple(pair) for pair in pairs[:n].tolist()] == expected
    values = np.random.default_rng(2).uniform(size=n)

    def value(changed) -> float:
        of = dict(zip(expected, values, strict=True))
        first = chances(position, changed)
        return sum(p * q * of[a, b] for a, p in first.items() for b, q in chances(position.play(a), changed).items())

    score, gradient = np.zeros((2, theta.size))
    found = two_steps(policy, later, rules, root, root.copy(), values, score, gradient)
    assert found == pytest.approx(value(theta))
    active = np.flatnonzero(gradient)
    assert len(active) > 10
    for feature in active:
        assert gradient[feature] == pytest.approx(slope(value, theta, int(feature)), abs=1e-8)


def test_simulations_have_the_slope_of_finite_differences(position):
    """Against the exact mean of all games; five standard errors of 40 parts, 30 features: p < 1e-4."""
    theta, game = some_theta(3), position.game
    policy, rules, root = new_policy(game, theta), lowered(game), position.state
    value, each = exact_value(position, theta), 500
    parts, mean = [], 0.0
    for part in range(40):
        score, gradient = np.zeros((2, theta.size))
        mean += simulate(policy, rules, root, root.copy(), stream(part), each, DEPTH, value, score, gradient)
        parts.append(gradient / each)
    mean /= 40 * each
    assert mean == pytest.approx(value, abs=5 * math.sqrt(0.25 / (40 * each)))
    found, error = np.mean(parts, axis=0), np.std(parts, axis=0, ddof=1) / math.sqrt(40)
    active = np.argsort(-np.abs(found))[:30]
    assert np.abs(found[active]).max() > 0.02
    for feature in active:
        expected = slope(lambda w: exact_value(position, w), theta, int(feature))
        assert found[feature] == pytest.approx(expected, abs=5 * error[feature] + 1e-6)


def test_a_bias_that_is_known_is_balanced(position):
    """If one move wins and all others lose, V is the probability of that move: one of n, and then what is asked for."""
    run_ = Balancing(SMALL._replace(positions=2, method="two_step", alpha=5.0))
    run_.positions = [position]
    options = list(chances(position, run_.theta))
    pairs = [(a, b) for a in options for b in chances(position.play(a), run_.theta)]
    run_.values, run_.pairs = [0.8], [np.array([float(a == options[0]) for a, _ in pairs])]
    before, _ = run_.estimate(0)
    assert before == pytest.approx(1 / len(options))
    for _ in range(60):
        run_.step()
    after, _ = run_.estimate(0)
    assert after == pytest.approx(0.8, abs=1e-3)
    assert chances(position, run_.theta)[options[0]] == pytest.approx(after)


def test_simulations_are_balanced(position):
    """The mean outcome of games to their end becomes what it should be."""
    run_ = Balancing(SMALL._replace(simulations=200, alpha=2.0))
    run_.positions = [position]
    before = np.mean([run_.estimate(0)[0] for run_.steps in range(20)])
    run_.values, run_.steps = [before - 0.15], 0
    for _ in range(150):
        run_.step()
    after = np.mean([run_.estimate(0)[0] for run_.steps in range(1000, 1020)])
    assert after == pytest.approx(before - 0.15, abs=0.06)


def test_stopped_runs_go_on_as_if_nothing_had_happened(tmp_path):
    def fresh() -> Balancing:
        run_ = Balancing(SMALL)
        run_.values = [0.2, 0.9, 0.4]
        return run_

    whole, part = fresh(), fresh()
    for _ in range(9):
        whole.step()
    for _ in range(4):
        part.step()
    part.save(tmp_path / "a.npz")
    part.step()  # lost by a kill
    again = Balancing(SMALL)
    again.resume(tmp_path / "a.npz")
    assert again.values == [0.2, 0.9, 0.4]
    for _ in range(5):
        again.step()
    assert (again.theta == whole.theta).all()
    with pytest.raises(Error, match=r"a.npz is of a run with komi=0.5, not 7.5; choose another file by --out"):
        Balancing(SMALL._replace(komi=7.5)).resume(tmp_path / "a.npz")


def test_errors_of_playouts(position):
    """Random playouts against what other random playouts of the same position say; five standard errors."""
    games = 4000
    value = sample(position, games, seed=3).values[0]
    found = errors_of("uniform()", [position, position], [value, value - 0.1], games)
    assert found.bias == pytest.approx(0.05, abs=5 * math.sqrt(0.5 / games))
    assert found.error == pytest.approx(math.sqrt(0.005), abs=0.05)
    assert found.variance == pytest.approx(value * (1 - value), abs=0.05)


def test_positions_are_the_same_for_a_seed():
    game = mcrave.game("go(size=5)")
    first, again, other = (random_positions(game, 5, seed) for seed in (1, 1, 2))
    assert [str(p) for p in first] == [str(p) for p in again] != [str(p) for p in other]


def test_bad_settings(tmp_path, capsys):
    cases = [
        (["--method", "best"], "the method must be one of gradient, two_step, not 'best'"),
        (["--size", "2"], "balancing is for boards from 3x3 to 19x19, not 2x2"),
        (["--alpha", "0"], "alpha must be above 0 and at most 100, not 0"),
        (["--oracle", "1"], "oracle must be 2 or more, not 1"),
        (["--start", str(tmp_path / "none.npz")], "there is no file"),
    ]
    for arguments, line in cases:
        assert run(["learn", "balance", *arguments, "--out", str(tmp_path / "out.npz")]) == 2
        assert line in capsys.readouterr().err
    assert not (tmp_path / "out.npz").exists()


def test_shipped_ratings_are_those_of_a_run():
    """Made by the command in docs/learn.md; they can be gone on with."""
    about, arrays = weights.read(str(files("mcrave.features") / "data" / "balanced.npz"), ratings.KIND)
    assert (about["size"], about["steps"], about["seed"]) == (5, 12000, 1)
    assert arrays["light"] == pytest.approx(np.exp(arrays["theta"]))
    assert len(arrays["values"]) == about["positions"]
    assert ((arrays["values"] >= 0.0) & (arrays["values"] <= 1.0)).all()
    assert parse("balanced()", "playout").gamma() == pytest.approx(arrays["light"])
