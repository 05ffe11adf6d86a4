"""Intervals, Elo, ratings and the sequential test: against published numbers, and their error rates by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from mcrave.arena.ratings import bradley_terry, comparisons
from mcrave.arena.sprt import Sprt, first_verdict
from mcrave.arena.statistics import SCALE, duplicates, elo, elo_of, rate_of, wilson
from mcrave.errors import Error

# ------------------------------------------------------------------------------------------- rates


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_published(points, games, low, high):
    """Newcombe, Statistics in Medicine 17 (1998), Table I, method 3."""
    assert wilson(points, games) == pytest.approx((low, high), abs=5e-5)


def test_wilson_covers():
    """Exactly, over all outcomes of 60 games: close to 95% on average over the true rate, and never far below."""
    n = 60
    ends = np.array([wilson(x, n) for x in range(n + 1)])
    covered = [
        binom.pmf(np.arange(n + 1), n, p) @ ((ends[:, 0] <= p) & (p <= ends[:, 1])) for p in np.linspace(0.02, 0.98, 97)
    ]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.01)
    assert min(covered) > 0.88


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, 2 * n), st.just(n))))
def test_wilson_is_symmetric_and_holds_the_rate(drawn):
    halves, n = drawn
    low, high = wilson(halves / 2, n)
    assert 0 <= low <= halves / 2 / n <= high <= 1
    assert wilson(n - halves / 2, n) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(("rate", "points"), [(0.5, 0), (0.64, 100), (0.76, 200), (0.24, -200), (0.849, 300)])
def test_elo_as_tabulated(rate, points):
    assert elo_of(rate) == pytest.approx(points, abs=1)
    assert rate_of(elo_of(rate)) == pytest.approx(rate)


def test_elo_with_three_players():
    assert elo_of(1 / 3, 3) == pytest.approx(0)
    assert elo_of(0.5, 3) == pytest.approx(400 * math.log10(2))


def test_elo_of_one_sided_matches():
    value, low, high = elo([[1.0, 1.0]] * 10)
    assert (value, high) == (math.inf, math.inf)
    assert low == pytest.approx(elo_of(wilson(20, 20)[0]))
    assert elo([[0.0, 0.0]] * 10).low == -math.inf
    assert elo([]) == (0.0, -math.inf, math.inf)


def test_bootstrap_sees_that_games_of_a_pair_depend_on_each_other():
    """Colour decides everything: each pair gives one point, so that the interval has no width."""
    assert elo([[1.0, 0.0]] * 100) == (0.0, 0.0, 0.0)
    together = elo([[1.0, 1.0], [0.0, 0.0]] * 50)  # the opening decides everything: pairs are the evidence
    apart = elo([[score] for score in [1.0, 0.0] * 100])
    assert together.high - together.low == pytest.approx(math.sqrt(2) * (apart.high - apart.low), rel=0.1)


def test_bootstrap_covers():
    """400 matches of 100 pairs at a known rate: Poisson-like misses; 5% are expected, 9.5% has chance < 1e-4."""
    dice = np.random.default_rng(5)
    truth = elo_of(0.6)
    missed = 0
    for _ in range(400):
        good = dice.uniform(0.3, 0.9, 100)  # the opening favours a colour more or less
        rounds = [[float(x < p) for x in dice.random(2)] for p in good]
        _, low, high = elo(rounds)
        missed += not low <= truth <= high
    assert binom.sf(missed - 1, 400, 0.055) > 1e-4
    assert binom.cdf(missed, 400, 0.045) > 1e-4


@given(st.lists(st.sampled_from(["a", "b", "c"])))
def test_duplicates(games):
    assert duplicates(games) == len(games) - len(set(games))


# ------------------------------------------------------------------------------------------- the test


@pytest.mark.parametrize(
    ("pairs", "elos", "llr"),
    [
        ((253, 4282, 17604, 4431, 286), (-0.25, 1.25), 2.94),
        ((58, 3302, 33130, 3518, 84), (0.25, 1.25), 2.97),
        ((11, 407, 3238, 513, 11), (0.25, 1.75), 2.93),
        ((17, 253, 1042, 337, 39), (-0.5, 1.5), 2.96),
        ((444, 5546, 17841, 5604, 428), (-1.5, 0.5), 2.63),
        ((243, 1665, 3339, 1762, 281), (-1.5, 0.5), 2.95),
        ((1284, 17437, 55536, 18085, 1292), (0.0, 2.0), 2.94),
    ],
)
def test_llr_as_published(pairs, elos, llr):
    """What fishtest said of Stockfish's pull requests 3209, 2971, 2598 and 2493 (pentanomial, logistic Elo)."""
    assert Sprt(*elos).llr(pairs) == pytest.approx(llr, abs=0.005)


def test_llr_is_antisymmetric():
    pairs = [3, 20, 50, 31, 6]
    assert Sprt(-10, 5).llr(pairs) == pytest.approx(-Sprt(-5, 10).llr(pairs[::-1]))


def test_bounds():
    assert Sprt(0, 1).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 1, alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


@pytest.mark.parametrize("elos", [(20, 0), (5, 5), (math.nan, 3), (0, math.inf)])
def test_hypotheses_must_make_sense(elos):
    with pytest.raises(Error, match="a test needs two differences in Elo, the smaller one first"):
        Sprt(*elos)


@pytest.mark.parametrize(("true", "wrong"), [(0.0, "H1"), (60.0, "H0")])
def test_error_rate_of_the_test(true, wrong):
    """300 tests at each hypothesis: at most 5% may go wrong; the bound has chance < 1e-4 at 5%."""
    dice = np.random.default_rng(11)
    test, rate, errors = Sprt(0.0, 60.0), rate_of(true), 0
    for _ in range(300):
        tilt = dice.choice([-0.25, 0.25], 2000)  # openings favour one colour
        rounds = (dice.random((2000, 2)) < rate + np.stack([tilt, -tilt], axis=1)).astype(float)
        verdict, length = first_verdict(test, rounds.tolist())
        assert verdict, "2,000 pairs are far more than such a test needs"
        assert length >= 4
        errors += verdict == wrong
    assert binom.sf(errors - 1, 300, 0.05) > 1e-4


def test_verdict_needs_complete_pairs():
    assert first_verdict(Sprt(0, 100), [[1.0]]) == ("", 0)
    assert first_verdict(Sprt(0, 100), [[1.0, 0.0]] * 3) == ("", 3)


# ------------------------------------------------------------------------------------------- ratings

TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
WINS = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ],
    float,
)
FITTED = {
    "Milwaukee": 1.581,
    "Detroit": 1.436,
    "Toronto": 1.294,
    "New York": 1.248,
    "Boston": 1.108,
    "Cleveland": 0.684,
}
ERRORS = {
    "Milwaukee": 0.343,
    "Detroit": 0.340,
    "Toronto": 0.337,
    "New York": 0.336,
    "Boston": 0.334,
    "Cleveland": 0.332,
}


def test_ratings_as_published():
    """Baseball, American League 1987: Agresti, Categorical Data Analysis; estimates and errors of BradleyTerry2."""
    table = bradley_terry(TEAMS, WINS, ("Baltimore", 0.0))
    assert [rating.player for rating in table] == TEAMS
    for rating in table[:-1]:
        assert rating.elo / SCALE == pytest.approx(FITTED[rating.player], abs=1e-3)
        assert rating.margin / SCALE / 1.959964 == pytest.approx(ERRORS[rating.player], abs=1e-3)
    assert (table[-1].elo, table[-1].margin, table[-1].smoothed) == (0.0, pytest.approx(0.0, abs=1e-6), False)


def test_an_anchor_moves_all_alike():
    free = {rating.player: rating.elo for rating in bradley_terry(TEAMS, WINS)}
    held = {rating.player: rating.elo for rating in bradley_terry(TEAMS, WINS, ("Boston", 1800.0))}
    assert sum(free.values()) == pytest.approx(0.0, abs=1e-6)
    assert held["Boston"] == pytest.approx(1800.0)
    assert held["Detroit"] - held["Boston"] == pytest.approx(free["Detroit"] - free["Boston"])


def test_two_players_agree_with_elo():
    table = bradley_terry(["a", "b"], np.array([[0.0, 64.0], [36.0, 0.0]]), ("b", 0.0))
    assert table[0].elo == pytest.approx(elo_of(0.64))


def test_a_player_that_won_everything():
    table = bradley_terry(["a", "b"], np.array([[0.0, 10.0], [0.0, 0.0]]), ("b", 0.0))
    assert table[0].smoothed
    assert table[0].elo == pytest.approx(elo_of(10.5 / 11))


def test_players_without_a_link():
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = wins[3, 2] = 1
    with pytest.raises(Error, match="ratings need games that link all players"):
        bradley_terry(["a", "b", "c", "d"], wins)
    with pytest.raises(Error, match="the anchor 'x' is not among the players: a, b"):
        bradley_terry(["a", "b"], np.ones((2, 2)), ("x", 1.0))


def test_games_of_three_are_compared_in_pairs():
    wins = comparisons(["a", "b", "c"], [(["c", "a", "b"], [1.0, 0.0, 0.0]), (["a", "b", "c"], [0.5, 0.5, 0.0])])
    assert wins.tolist() == [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]


def test_ratings_cover():
    """200 round robins at known ratings: the interval misses a difference in 5%; the bounds have chance < 1e-4."""
    dice = np.random.default_rng(3)
    truth = np.array([0.0, 60.0, 150.0])
    missed = 0
    for _ in range(200):
        wins = np.zeros((3, 3))
        for i in range(3):
            for j in range(i):
                wins[i, j] = dice.binomial(100, rate_of(truth[i] - truth[j]))
                wins[j, i] = 100 - wins[i, j]
        rating = next(r for r in bradley_terry(["0", "1", "2"], wins, ("0", 0.0)) if r.player == "2")
        missed += abs(rating.elo - 150.0) > rating.margin
    assert binom.cdf(missed, 200, 0.05) > 1e-4
    assert binom.sf(missed - 1, 200, 0.05) > 1e-4
