"""Random streams: the published generator, uniform, and different for different names."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, kstest

from mcrave.kernel import rng
from tests.kernel.toy import python

SURE = 1e-5

REFERENCE = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
"""The first words of Vigna's splitmix64.c from the state 1234567."""


def words(state: int, count: int) -> list[int]:
    one = rng.stream(0)
    one[0].state = state
    return [int(rng.next_word(one[0])) for _ in range(count)]


def test_words_are_those_of_splitmix64():
    assert words(1234567, 5) == REFERENCE


def test_state_wraps_around():
    start = 2**64 - 1
    gamma = int(rng.GAMMA)
    one = rng.stream(0)
    one[0].state = start
    rng.next_word(one[0])
    assert int(one[0].state) == (start + gamma) % 2**64


def test_interpreter_draws_the_same(tmp_path):
    code = """if 1:
        from mcrave.kernel import rng
        one = rng.stream(3, 1, 4)
        print([int(rng.next_word(one[0])) for _ in range(50)])
        print([int(rng.below(one[0], n)) for n in (1, 2, 7, 1000, 2**31 - 1) for _ in range(20)])
        print([float(rng.uniform(one[0])) for _ in range(50)])
    """
    native = python("-c", code, folder=tmp_path, cache=tmp_path)
    assert native.count("\n") == 2
    flags = ("-W", "error::RuntimeWarning")
    assert python(*flags, "-c", code, folder=tmp_path, cache=tmp_path, NUMBA_DISABLE_JIT="1") == native


@pytest.mark.parametrize("n", [2, 3, 7, 64, 100])
def test_below_is_uniform(n):
    one = rng.stream(1, n)[0]
    counts = Counter(rng.below(one, n) for _ in range(200 * n))
    assert set(counts) == set(range(n))
    assert chisquare(list(counts.values())).pvalue > SURE


@given(n=st.integers(1, 2**31 - 1), seed=st.integers(0, 2**64 - 1))
def test_below_keeps_its_bound(n, seed):
    one = rng.stream(seed)[0]
    assert all(0 <= rng.below(one, n) < n for _ in range(20))
    assert rng.below(one, 1) == 0


def test_below_reaches_both_ends():
    one = rng.stream(5)[0]
    drawn = {rng.below(one, 5) for _ in range(200)}
    assert drawn == {0, 1, 2, 3, 4}


def test_uniform_is_uniform():
    one = rng.stream(2)[0]
    drawn = np.array([rng.uniform(one) for _ in range(20_000)])
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert kstest(drawn, "uniform").pvalue > SURE
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.04


def test_uniform_stays_below_one(monkeypatch):
    one = rng.stream(0)
    one[0].state = 0
    largest = (2**64 - 1 >> 11) * rng.UNIT
    assert largest < 1.0
    assert largest + rng.UNIT == 1.0


def test_streams_with_different_names_differ():
    names = [(0,), (1,), (1, 0), (1, 1), (0, 1), (1, 0, 0), (2, 1), (1, 2), (-1,), (2**63,)]
    names += [(seed, game, worker) for seed in range(10) for game in range(20) for worker in range(4)]
    starts = {int(rng.stream(*name)[0].state) for name in names}
    assert len(starts) == len(set(names))


def test_streams_that_differ_in_one_number_are_unrelated():
    a, b = (np.array([rng.uniform(s) for _ in range(5000)]) for s in (rng.stream(1, 7)[0], rng.stream(1, 8)[0]))
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.07
    firsts = np.array([rng.uniform(rng.stream(1, game)[0]) for game in range(5000)])
    assert kstest(firsts, "uniform").pvalue > SURE


def test_same_name_gives_the_same_stream():
    assert rng.stream(9, 8) == rng.stream(9, 8)
    assert words(int(rng.stream(9, 8)[0].state), 3) == words(int(rng.stream(9, 8)[0].state), 3)
