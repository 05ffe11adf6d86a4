"""Agrees, differs, too few games."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrave.arena import Store
from mcrave.papers import find
from mcrave.papers.base import NOTHING, Published, at_least, at_most, between, exactly
from mcrave.papers.verdict import (
    AGREES,
    DIFFERS,
    FEW,
    UNJUDGED,
    UNPLAYED,
    difference,
    judge,
    judged,
    published_interval,
    tally,
)
from tests.papers.example import SMALL, fill


@pytest.mark.parametrize(
    ("points", "games", "published", "expected"),
    [
        (0, 0, exactly("66.0", 500), UNPLAYED),
        (49, 49, exactly("10.0", 500), FEW),  # a few lucky games say nothing
        (330, 500, exactly("66.0", 500), AGREES),
        (302, 500, exactly("66.0", 500), AGREES),  # 60.4: the interval of the difference is -11.5 to 0.4 points
        (298, 500, exactly("66.0", 500), DIFFERS),
        (370, 500, exactly("66.0", 500), DIFFERS),
        (59, 90, exactly("66.0", 500), FEW),  # ± 10.6 points
        (79, 120, exactly("66.0", 500), AGREES),
        (500, 500, exactly("100", 500), AGREES),
        (480, 500, exactly("100", 500), DIFFERS),
        (410, 500, exactly("82"), AGREES),  # a number whose games are not known is exact
        (400, 500, exactly("82"), AGREES),
        (385, 500, exactly("82"), DIFFERS),
        (280, 500, at_least(50), AGREES),
        (250, 500, at_least(50), FEW),
        (220, 500, at_least(50), DIFFERS),
        (220, 500, at_most(50), AGREES),
        (1265, 2300, between(50, 60, 2300), AGREES),
        (1050, 2300, between(50, 60, 2300), DIFFERS),
        (1110, 2300, between(50, 60, 2300), FEW),
        (495, 500, at_least(98, 500), AGREES),
        (470, 500, at_least(98, 500), DIFFERS),
        (300, 500, NOTHING, UNJUDGED),
    ],
)
def test_known_cases(points, games, published, expected):
    low, high = difference(points, games, published) if games and published.is_exact else (0, 0)
    assert judge(points, games, published) == expected, (low, high)


@pytest.mark.parametrize(
    ("wins", "games", "begun", "expected"),
    [
        (300, 500, 500, DIFFERS),
        (300, 500, 508, DIFFERS),  # as good as all
        (300, 500, 540, FEW),  # all the missing ones won would be 63.0 %
        (200, 500, 540, DIFFERS),
        (330, 500, 540, FEW),  # 61.1 to 68.5 %: though both agree, nothing is known of the missing ones
        (500, 500, 2000, FEW),
    ],
)
def test_longest_games_missing(tmp_path, wins, games, begun, expected):
    """Of games that began together, those that are not finished are no fair sample."""
    table = replace(SMALL, rows=((replace(SMALL.rows[0][0], published=exactly("68.0", 500)),),))
    with Store(tmp_path / "games.db") as store:
        fill(store, table.rows[0][0], wins, games, begun)
        assert judged(table, store)[0][0].verdict == expected


def test_newcombe_1998_table_2():
    """Contrasts (a), (c) and (d) of his Table II, method 10."""
    for (x, m, y, n), low, high in [
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((6, 7, 2, 7), 0.0582, 0.8062),
        ((5, 56, 0, 29), -0.0381, 0.1926),
    ]:
        found = difference(x, m, Published(100 * y / n, 100 * y / n, n))
        assert found == pytest.approx((low, high), abs=5e-5)


@given(st.integers(50, 3000), st.integers(50, 3000), st.floats(0, 1), st.floats(0, 1))
def test_the_difference_is_between_its_ends_and_has_a_mirror_image(ours, theirs, p, q):
    wins, rate = round(p * ours), round(q * theirs) / theirs
    low, high = difference(wins, ours, Published(100 * rate, 100 * rate, theirs))
    assert low <= wins / ours - rate <= high
    other = difference(ours - wins, ours, Published(100 * (1 - rate), 100 * (1 - rate), theirs))
    assert other == pytest.approx((-high, -low), abs=1e-9)


@given(st.floats(0, 100), st.integers(1, 3000))
def test_more_published_games_leave_less_open(rate, games):
    low, high = published_interval(Published(rate, rate, games))
    less, more = published_interval(Published(rate, rate, 4 * games))
    assert high - low >= more - less
    assert low <= rate / 100 + 1e-12
    assert high >= rate / 100 - 1e-12


@pytest.mark.parametrize("rate", [0.5, 0.66, 0.9])
def test_error_rate(rate):
    """Of equal players at most 5% are said to differ: 4,000 draws, so that 6.9% has a chance below 1e-4."""
    draws = np.random.default_rng(1).binomial(500, rate, (4000, 2))
    differing = sum(judge(int(ours), 500, exactly(f"{theirs / 5:.1f}", 500)) == DIFFERS for ours, theirs in draws)
    assert differing / 4000 < 0.05 + 5.5 * math.sqrt(0.05 * 0.95 / 4000)
    assert differing > 80  # and it is not blind: with 5%, fewer than 2% have no chance


@pytest.mark.parametrize("others", [0.60, 0.57, 0.30])
def test_error_rate_of_chosen_numbers(others):
    """At most 5% differ where theirs is the best of 15, be the others as good or far behind; the same chance as above.

    Compared as if it had not been chosen, the best of 15 equal ones differs more often.
    """
    dice = np.random.default_rng(2)
    ours, best = dice.binomial(500, 0.60, 4000), dice.binomial(500, 0.60, 4000)
    rest = dice.binomial(500, others, (4000, 14)).max(axis=1)
    pairs = [(int(a), int(b)) for a, b, other in zip(ours, best, rest, strict=True) if b >= other]
    few = len(pairs)
    if others == 0.60:  # whichever is the best of equal ones, its true rate is theirs
        pairs = [(int(a), max(int(b), int(other))) for a, b, other in zip(ours, best, rest, strict=True)]

    def share(best_of):
        chosen = (judge(a, 500, exactly(f"{b / 5:.1f}", 500, best_of)) == DIFFERS for a, b in pairs)
        return sum(chosen) / len(pairs)

    assert few > 200
    assert share(15) < 0.05 + 5.5 * math.sqrt(0.05 * 0.95 / len(pairs))
    assert others != 0.60 or share(1) > 0.15


def test_cells_of_a_table():
    table = find("grave-table-6")
    with Store() as store:
        fill(store, table.cells[0], 310, 500)
        fill(store, table.cells[1], 200, 500)
        rows = judged(table, store)
    assert [[each.verdict for each in row if each] for row in rows] == [[AGREES, DIFFERS, UNPLAYED]]
    assert rows[0][0].result.rate == 0.62
    assert tally(rows) == {AGREES: 1, DIFFERS: 1, UNPLAYED: 1}


def test_games_are_shown_where_the_engine_is_missing():
    cell = replace(find("gelly-silver-figure-5").cells[0], b="gtp:no-such-engine --level 10")
    table = replace(find("gelly-silver-figure-5"), rows=((cell,),))
    assert cell.missing() == "no program 'no-such-engine'"
    with Store() as store:
        fill(store, cell, 20, 200)
        assert judged(table, store)[0][0].result.games == 200
