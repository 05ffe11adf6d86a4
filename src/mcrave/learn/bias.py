"""The bias of AMAF values by learning (Gelly & Silver §4.6.2).

b̃(s,a) = Q̃(s,a) − Q(s,a) after many simulations (Eq. 33) is fitted by a parabola of x = Q̃(s,a) − ½, by least squares.
What the parabola leaves over is a bias too, but for the noise: the squared residuals beyond the variance of the two
means (Eq. 44, 45). `mc_rave(schedule=learnt(...))` takes the sum of both squares for b̃² in Eq. 47.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from mcrave.errors import Error
from mcrave.games import Game, Position
from mcrave.policies._schedules import Learnt
from mcrave.search import Options, Search

LEAST = 8  # samples without which nothing is fitted


class Sample(NamedTuple):
    """What a search knows of one move."""

    q: float
    n: float
    amaf: float
    amaf_n: float


class Fit(NamedTuple):
    """What was learnt."""

    schedule: Learnt
    constant: float
    """The best constant bias for the same samples."""
    explained: float
    """The share of the squared bias that depends on the AMAF value."""
    samples: int


def positions(game: Game, count: int, seed: int = 1) -> Iterator[Position]:
    """Positions of random games, each at a random ply of the first half of one."""
    dice = random.Random(seed)
    found = tries = 0
    while found < count:
        tries += 1
        if tries > 100 * count + 100:
            raise Error(f"random games of {game} are too short for positions with a choice")
        line = [game.start()]
        while not line[-1].is_over and len(line) <= game.max_plies():
            line.append(line[-1].play(int(dice.choice(line[-1].moves))))
        position = line[dice.randrange(max(1, len(line) // 2))]
        if not position.is_over and position.moves.size > 1:
            found += 1
            yield position


def collect(
    game: Game,
    count: int,
    visits: int,
    playout: str = "uniform()",
    seed: int = 1,
    on_progress: Callable[[int], None] | None = None,
) -> list[Sample]:
    """Samples of all moves of some positions, so many simulations each: at the root all moves are tried alike.

    Moves that AMAF hardly saw are left out.
    """
    search = Search(game, "mc_rave(schedule=fixed(weight=0))", playout, options=Options(full_width=1), seed=seed)
    samples = []
    for number, position in enumerate(positions(game, count, seed), 1):
        search.reset(seed=seed + number)
        report = search.run(position, simulations=visits * int(position.moves.size))
        for move in report.moves:
            if move.visits >= visits // 2 and move.amaf_visits >= visits:
                samples.append(Sample(move.value, move.visits, move.amaf_value, move.amaf_visits))
        if on_progress is not None:
            on_progress(number)
    return samples


def fit(samples: list[Sample]) -> Fit:
    """The schedule that the samples speak for.

    >>> line = [Sample(0.5 + x - 0.2 * x, 1e9, 0.5 + x, 1e9) for x in (-0.4, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3, 0.4)]
    >>> round(fit(line).schedule.slope, 6), round(fit(line).schedule.rest, 6)
    (0.2, 0.0)
    """
    if len(samples) < LEAST:
        raise Error(f"{len(samples)} moves are too few to learn a bias from; at least {LEAST} are needed")
    table: Any = np.array(samples, float)
    if not np.isfinite(table).all():
        raise Error("a sample holds a number that is not finite")
    q, n, amaf, amaf_n = table.T
    error, x = amaf - q, amaf - 0.5
    noise = float(np.mean(q * (1.0 - q) / n + amaf * (1.0 - amaf) / amaf_n))
    design = np.stack([np.ones_like(x), x, x * x], axis=1)
    found, *_ = np.linalg.lstsq(design, error, rcond=None)
    predicted = design @ found
    whole = max(float(np.mean(error**2)) - noise, 0.0)
    rest = max(float(np.mean((error - predicted) ** 2)) - noise, 0.0)
    level, slope, curve = (round(float(value), 6) for value in found)
    schedule = Learnt(level, slope, curve, round(math.sqrt(rest), 6))
    return Fit(schedule, round(math.sqrt(whole), 6), 1.0 - rest / whole if whole > 0.0 else 0.0, len(samples))
