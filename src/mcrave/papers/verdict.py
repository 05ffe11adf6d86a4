"""Ours beside theirs: does a result agree with the published number?

Both are samples. For a published number p₂ of n₂ games and ours p₁ of n₁, with Wilson intervals (l₁, u₁) and (l₂, u₂),
the 95% interval of the difference is Newcombe's (1998, method 10):

    p₁ − p₂ − √((p₁ − l₁)² + (u₂ − p₂)²)   to   p₁ − p₂ + √((u₁ − p₁)² + (p₂ − l₂)²).

They differ if 0 lies outside; they agree if 0 lies inside and the interval is no wider than ± 10 points; otherwise
there are too few games. So of cells in which both are the same, one in twenty is said to differ. Where the paper
gives no number of games, its number is taken as exact.

A number that is the best of k in the paper, chosen by those same games, looks better than it is. How much, depends
on the others: most where all k are equally good, and not at all where the others are far behind. So l₂ is Wilson's
end for the z that the best of k equally good ones exceeds with 2.5% (Φ(z)ᵏ = 0.975 in place of Φ(z) = 0.975), and u₂
stays.

Of games that begin together the longest end last: where a run was ended before them, what is there is no fair sample.
Then ours differs if it would however the missing games end, and else there are too few games.

A published range (`≥ 98 %`) is made wider by the Wilson intervals of its ends. Ours agrees if its interval lies within,
differs if it lies outside, and else there are too few games.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from mcrave.arena import MatchResult, Store
from mcrave.arena.statistics import LEVEL, wilson
from mcrave.papers.base import Cell, Published, Table

AGREES, DIFFERS, FEW = "agrees", "differs", "too few games"
UNPLAYED, UNJUDGED = "not played", "no number"
LEAST = 50  # games below which nothing is said
GAP = 0.02  # share of unfinished games among those begun, from which on the others are no fair sample
RESOLUTION = 0.10  # half the width of the difference's interval from which on nothing is said


class Judged(NamedTuple):
    """A cell with our games and what they say."""

    cell: Cell
    result: MatchResult
    verdict: str

    @property
    def half_width(self) -> float:
        """Half of our 95% interval."""
        low, high = self.result.interval
        return (high - low) / 2


def judge(points: float, games: int, published: Published) -> str:
    """Compare our points in so many games with a published number.

    >>> from mcrave.papers.base import exactly, at_least
    >>> theirs = exactly("66.0", 500)
    >>> judge(330, 500, theirs), judge(250, 500, theirs), judge(33, 50, theirs)
    ('agrees', 'differs', 'too few games')
    >>> judge(300, 500, at_least(50)), judge(260, 500, at_least(50)), judge(200, 500, at_least(50))
    ('agrees', 'too few games', 'differs')
    """
    if games == 0:
        return UNPLAYED
    if published.is_nothing:
        return UNJUDGED
    if games < LEAST:
        return FEW
    if published.is_exact:
        low, high = difference(points, games, published)
        if low > 0.0 or high < 0.0:
            return DIFFERS
        return AGREES if (high - low) / 2 <= RESOLUTION else FEW
    (low, high), (least, most) = wilson(points, games), published_interval(published)
    if low >= least and high <= most:
        return AGREES
    return DIFFERS if high < least or low > most else FEW


def difference(points: float, games: int, published: Published) -> tuple[float, float]:
    """The 95% interval of ours minus theirs (Newcombe 1998, method 10).

    >>> from mcrave.papers.base import Published
    >>> low, high = difference(56, 70, Published(60.0, 60.0, 80))  # his example: 56/70 against 48/80
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    ours, theirs = points / games, published.low / 100
    low, high = wilson(points, games)
    least, most = published_interval(published)
    return (
        ours - theirs - math.hypot(ours - low, most - theirs),
        ours - theirs + math.hypot(high - ours, theirs - least),
    )


def published_interval(published: Published) -> tuple[float, float]:
    """What the published number leaves open: its Wilson interval, or itself where its games are not known.

    >>> from mcrave.papers.base import at_least, exactly
    >>> [round(end, 3) for end in published_interval(exactly("66.0", 500))], published_interval(at_least(50))
    ([0.617, 0.7], (0.5, 1.0))
    >>> [round(end, 3) for end in published_interval(exactly("66.0", 500, best_of=15))]
    [0.596, 0.7]
    """
    low, high, games = published.low / 100, published.high / 100, published.games
    if games == 0:
        return low, high
    chosen = 2.0 * (0.5 + LEVEL / 2) ** (1.0 / published.best_of) - 1.0
    return wilson(low * games, games, chosen)[0], wilson(high * games, games)[1]


def judged(table: Table, store: Store, seed: int = 1) -> list[list[Judged | None]]:
    """All cells of a table, row by row; None where this mcrave lacks a part."""
    return [[_judged(cell, store, seed) for cell in row] for row in table.rows]


def judged_readings(table: Table, store: Store, seed: int = 1) -> list[tuple[str, Judged]]:
    """What was tried instead, as far as it was played."""
    found = ((reading.what, _judged(reading.cell, store, seed)) for reading in table.readings)
    return [(what, each) for what, each in found if each is not None and each.result.games]


def _judged(cell: Cell, store: Store, seed: int) -> Judged | None:
    if cell.unknown():
        return None
    contest = cell.contest(seed)
    result = MatchResult(contest, store.records(contest))
    verdict = judge(result.points, result.games, cell.published)
    if (missing := unfinished(result)) and verdict in (AGREES, DIFFERS):
        begun, theirs = result.games + missing, cell.published
        at_worst = 100 * result.points > theirs.high * begun  # better than theirs, even if all others are lost
        nearest = result.points if at_worst else result.points + missing
        outside = at_worst or 100 * nearest < theirs.low * begun
        verdict = DIFFERS if outside and judge(nearest, begun, theirs) == DIFFERS else FEW
    return Judged(cell, result, verdict)


def unfinished(result: MatchResult) -> int:
    """How many games before the last one are missing, if they are so many that the others are no fair sample."""
    begun = max((record.number + 1 for record in result.records), default=0)
    missing = begun - len(result.records)
    return missing if missing > GAP * begun else 0


def tally(rows: Iterable[Iterable[Judged | None]]) -> Counter[str]:
    """How often each verdict was given."""
    return Counter(UNPLAYED if each is None else each.verdict for row in rows for each in row)
