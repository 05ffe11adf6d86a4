"""Root parallelism: independent trees about one position, and one report of them all."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from mcrave.games import Position
from mcrave.kernel.rng import stream
from mcrave.search.report import MoveReport, Report
from mcrave.search.teams import Budget, Progress

SOON = 1e-6  # seconds, where none are left


class RootTeam:
    """Independent trees, each in a thread of its own; the memory is divided among them."""

    def __init__(self, search: Any, workers: int, by_vote: bool) -> None:
        """Trees for the game of a search; the first has the random stream that the search alone would have."""
        self.by_vote = by_vote
        self.searches = [search.twin(memory=search.memory // workers) for _ in range(workers)]
        self._begin_streams(search.seed)

    def _begin_streams(self, seed: int) -> None:
        for number, search in enumerate(self.searches):
            search._rngs = [stream(seed, *((number,) if number else ()))]

    def run(self, position: Position, budget: Budget, on_progress: Progress | None) -> Report:
        """All of them."""
        return run_roots(self.searches, self.by_vote, position, budget, on_progress)

    def stop(self) -> None:
        """All of them."""
        for search in self.searches:
            search.stop()

    def advance(self, move: str | int) -> None:
        """Make a move at all roots."""
        for search in self.searches:
            search.advance(move)

    def ban(self, banned: Mapping[tuple[int, int], int]) -> None:
        """Leave moves out of all trees."""
        for search in self.searches:
            search.ban(banned)

    def reset(self, seed: int | None) -> None:
        """Forget all trees."""
        for search in self.searches:
            search.reset()
        if seed is not None:
            self._begin_streams(seed)

    def reader(self, position: Position | None) -> Any:
        """The first tree."""
        return self.searches[0].reader(position)

    def close(self) -> None:
        """There is nothing to give back."""


def run_roots(
    searches: Sequence[Any], by_vote: bool, position: Position, budget: Budget, on_progress: Progress | None
) -> Report:
    """Share the budget out, run all, and put their reports together.

    Time is counted from one moment for all, so that one whose thread begins late, as where there are more of them than
    processors, thinks for what is left.
    """
    count = len(searches)
    done = [0] * count
    busy = [number for number in range(count) if budget.simulations is None or budget.simulations + number >= count]
    for number in busy:
        searches[number].prepare(position)
    started = time.perf_counter()

    def think(number: int) -> tuple[int, float]:
        def note(simulations: int, _: float) -> None:
            done[number] = simulations
            if on_progress is not None:
                on_progress(sum(done), time.perf_counter() - started)

        share = None if budget.simulations is None else (budget.simulations + number) // count
        left = None if budget.seconds is None else max(SOON, budget.seconds - (time.perf_counter() - started))
        nodes = None if budget.nodes is None else -(-budget.nodes // count)
        thought: tuple[int, float] = searches[number].think(
            position, Budget(share, left, nodes, budget.early_stop), note
        )
        return thought

    with ThreadPoolExecutor(len(busy), "mcrave") as pool:
        jobs = [pool.submit(think, number) for number in busy]
        try:
            thoughts = [job.result() for job in jobs]
        except KeyboardInterrupt:
            for search in searches:
                search.stop()
            thoughts = [job.result() for job in jobs]
    # Not in the threads: telling takes a millisecond, and they would wait for each other.
    reports = [
        searches[number].reader(position).report(*thought) for number, thought in zip(busy, thoughts, strict=True)
    ]
    return together(reports, searches[0].choice, by_vote, time.perf_counter() - started)


def together(reports: Sequence[Report], choice: Any, by_vote: bool, seconds: float) -> Report:
    """The sum of several reports of one position; by vote, the move that most of them chose.

    Of moves with equally many votes the one is taken that the sums would choose.
    """
    columns: dict[str, list[MoveReport]] = {}
    for report in reports:
        for move in report.moves:
            columns.setdefault(move.move, []).append(move)
    moves = sorted((added(same) for same in columns.values()), key=lambda move: -move.visits)
    votes = Counter(report.best for report in reports)

    def worth(move: MoveReport) -> tuple[float, ...]:
        certain = {1.0: 1.0, 0.0: -1.0}.get(-1.0 if move.proven is None else move.proven, 0.0)
        return (certain, float(votes[move.move]) if by_vote else 0.0, *choice.worth(move))

    total = sum(report.simulations for report in reports)
    longest = max(reports, key=lambda report: report.simulations)
    best = max(moves, key=worth).move
    return replace(
        longest,
        best=best,
        moves=moves,
        value=sum(report.value * report.simulations for report in reports) / max(total, 1),
        pv=next((report.pv for report in reports if report.pv[:1] == [best]), longest.pv),
        simulations=total,
        seconds=seconds,
        nodes=sum(report.nodes for report in reports),
        owners=_owners(reports),
    )


def _owners(reports: Sequence[Report]) -> dict[str, list[float]]:
    known = [report for report in reports if report.owners]
    weights = [float(report.simulations) for report in known]
    return {
        point: [_mean(column, weights) for column in zip(*(report.owners[point] for report in known), strict=True)]
        for point in (known[0].owners if known else ())
    }


def added(same: Sequence[MoveReport]) -> MoveReport:
    """The sum of what several trees know about one move; prior counts are counted once a tree."""
    weights = [move.visits + move.prior for move in same]
    amaf = [move.amaf_visits for move in same]
    proven = [move.proven for move in same if move.proven is not None]
    return replace(
        same[0],
        visits=sum(move.visits for move in same),
        value=_mean([move.value for move in same], weights),
        amaf_visits=sum(amaf),
        amaf_value=_mean([move.amaf_value for move in same], amaf),
        beta=_mean([move.beta for move in same], [1.0] * len(same)),
        prior=sum(move.prior for move in same),
        score=_mean([move.score for move in same], [1.0] * len(same)),
        proven=proven[0] if proven else None,
    )


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    total = sum(weights)
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / total if total else 0.0
