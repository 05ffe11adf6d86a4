"""The bias of AMAF values: what the fit must find where the answer is known."""

from __future__ import annotations

import json

import numpy as np
import pytest

import mcrave
from mcrave.cli import run
from mcrave.errors import Error
from mcrave.learn.bias import Sample, collect, fit


def samples(count: int, rest: float, visits: int, seed: int = 1) -> list[Sample]:
    """Moves whose AMAF values are wrong by 0.05 − 0.2 x + 0.3 x² and a random rest, seen through so many games."""
    rng = np.random.default_rng(seed)
    amaf = rng.uniform(0.3, 0.7, count)
    x = amaf - 0.5
    q = np.clip(amaf - (0.05 - 0.2 * x + 0.3 * x * x) - rng.normal(0, rest, count), 0, 1)
    return [
        Sample(rng.binomial(visits, p) / visits, visits, rng.binomial(9 * visits, a) / (9 * visits), 9 * visits)
        for p, a in zip(q, amaf, strict=True)
    ]


def test_the_fit_finds_line_and_rest():
    """The noise of the counts is no bias: it is taken off."""
    found = fit(samples(20_000, 0.05, 2000))
    level, slope, curve, rest = found.schedule
    assert level == pytest.approx(0.05, abs=0.003)
    assert slope == pytest.approx(-0.2, abs=0.02)
    assert curve == pytest.approx(0.3, abs=0.12)
    assert rest == pytest.approx(0.05, abs=0.002)
    noisy = fit(samples(20_000, 0.05, 100))
    assert noisy.schedule.rest == pytest.approx(0.05, abs=0.006)


def test_nothing_but_noise_is_no_bias():
    rng = np.random.default_rng(2)
    same = [Sample(rng.binomial(400, 0.5) / 400, 400, rng.binomial(4000, 0.5) / 4000, 4000) for _ in range(20_000)]
    assert fit(same).constant < 0.006


def test_bad_samples():
    with pytest.raises(Error, match="3 moves are too few to learn a bias from; at least 8 are needed"):
        fit([Sample(0.5, 10, 0.5, 10)] * 3)
    with pytest.raises(Error, match="not finite"):
        fit([Sample(float("nan"), 10, 0.5, 10)] * 9)


def test_command(capsys):
    """The line that it prints is a schedule that searches take."""
    game = "mnk(size=3,length=3)"
    assert run(["learn", "bias", game, "--positions", "5", "--visits", "100", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["samples"] == len(collect(mcrave.game(game), 5, 100))
    assert 0.0 < found["constant"] < 0.5
    search = mcrave.Search(game, f"mc_rave(schedule={found['schedule']})")
    assert search.run(search.game.start(), simulations=200).simulations == 200
