"""Time is never used up, and used well."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrave.gtp.clock import Clock, TimeLeft, TimeLimit

LAG = 0.3


def test_no_clock_means_no_limit():
    assert Clock().allowance(0, 81, 0, LAG) is None
    assert Clock().spend(0, 100.0) == Clock()


@pytest.mark.parametrize(
    ("limit", "spent", "left"),
    [
        (TimeLimit("absolute", 60), [10, 20], TimeLeft(30)),
        (TimeLimit("absolute", 60), [70], TimeLeft(0)),
        (TimeLimit("canadian", 60, 30, 3), [50, 20], TimeLeft(20, 2)),
        (TimeLimit("canadian", 0, 30, 3), [5], TimeLeft(25, 2)),
        (TimeLimit("canadian", 0, 30, 3), [5, 5, 5], TimeLeft(30, 3)),
        (TimeLimit("byoyomi", 60, 10, 3), [55, 8], TimeLeft(10, 3)),
        (TimeLimit("byoyomi", 0, 10, 3), [9, 9, 9], TimeLeft(10, 3)),
        (TimeLimit("byoyomi", 0, 10, 3), [9, 11], TimeLeft(10, 2)),
        (TimeLimit("byoyomi", 5, 10, 3), [26], TimeLeft(10, 1)),
        (TimeLimit("byoyomi", 5, 10, 3), [1000], TimeLeft(10, 1)),
        (TimeLimit("byoyomi", 0, 0.25, 10**18), [1000], TimeLeft(0.25, 10**18 - 4000)),
    ],
)
def test_what_is_left(limit, spent, left):
    clock = Clock.start(limit)
    for seconds in spent:
        clock = clock.spend(0, seconds)
    assert clock.left == (left, Clock.start(limit).left[1])


def test_what_the_other_side_says_counts():
    clock = Clock.start(TimeLimit("absolute", 600)).tell(1, 12.0, 0)
    assert clock.left == (TimeLeft(600), TimeLeft(12.0))
    assert Clock().tell(0, 30.0, 0).left == (TimeLeft(30.0), TimeLeft(30.0))
    assert Clock().tell(0, 0.0, 0) == Clock()


def test_early_moves_get_more():
    clock = Clock.start(TimeLimit("absolute", 600))
    times = []
    for move in range(60):
        times.append(clock.allowance(0, 81, 2 * move, LAG).seconds)
        clock = clock.spend(0, times[-1])
    assert times[0] > 2 * times[40] > 0
    assert clock.left[0].seconds > 0


limits = st.one_of(
    st.builds(lambda main: TimeLimit("absolute", main), st.floats(1, 10_000)),
    st.builds(
        lambda kind, main, period, count: TimeLimit(kind, main, period, count),
        st.sampled_from(["canadian", "byoyomi"]),
        st.floats(0, 10_000),
        st.floats(1, 1000),
        st.integers(1, 30),
    ),
)


@given(limit=limits, points=st.sampled_from([4, 25, 81, 361, 625]), longest=st.booleans())
def test_a_whole_game_never_oversteps(limit, points, longest):
    """If every move takes all it may and a fifth of the lag, no time is overstepped in a game of 3 n² moves."""
    clock = Clock.start(limit)
    for move in range(3 * points // 2):
        allowed = clock.allowance(0, points, 2 * move, LAG)
        assert 0 < allowed.seconds <= allowed.most
        taken = (allowed.most if longest else allowed.seconds) + LAG / 5
        left = clock.left[0]
        if left.seconds < LAG:  # only lag is left: nothing more can be done than to move at once
            break
        spare = limit.period * (limit.stones if limit.kind == "byoyomi" else 1) if not left.stones else 0.0
        assert taken <= left.seconds + spare
        clock = clock.spend(0, taken)
        if limit.kind == "byoyomi" and clock.left[0].stones:
            assert clock.left[0].stones == limit.stones, "no period was lost"


def test_what_a_move_takes_beside_thinking_is_taken_off():
    """But for a quarter, since one slow move does not tell how long the next one takes."""
    clock = Clock.start(TimeLimit("absolute", 60))
    free = clock.allowance(0, 81, 0, 0.5)
    busy = clock.allowance(0, 81, 0, 0.5, beside=0.2)
    slow = clock.allowance(0, 81, 0, 0.5, beside=99.0)
    assert busy.seconds == pytest.approx(free.seconds - 0.2)
    assert slow.seconds == pytest.approx(free.seconds / 4)
