"""Root parallelism: independent trees about one position."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from mcrave.games import Position
from mcrave.kernel.rng import stream
from mcrave.machine import usable_cores
from mcrave.search.report import Report
from mcrave.search.sums import told_together
from mcrave.search.teams import Budget, Progress
from mcrave.trees.arena import NODES

SOON = 1e-6  # seconds, where none are left
ROUND = 0.5  # seconds in which every tree of a thread has its turn


class RootTeam:
    """Independent trees; the memory is divided among them."""

    def __init__(self, search: Any, workers: int, by_vote: bool) -> None:
        """Trees for the game of a search; the first has the random stream that the search alone would have."""
        self.by_vote = by_vote
        self.searches = [search.twin(memory=search.memory // workers) for _ in range(workers)]
        for each in self.searches:
            each.beside_others = True
        self.stopped = False
        self._begin_streams(search.seed)

    def _begin_streams(self, seed: int) -> None:
        for number, search in enumerate(self.searches):
            search._rngs = [stream(seed, *((number,) if number else ()))]

    def run(self, position: Position, budget: Budget, on_progress: Progress | None, most: int | None = None) -> Report:
        """All of them.

        Where there are fewer processors than trees and time alone is given, trees take turns: more threads than
        processors would not keep the time. (Simulations are counted, so there it does not matter.)
        """
        count = len(self.searches)
        busy = [number for number in range(count) if budget.simulations is None or budget.simulations + number >= count]
        for number in busy:
            self.searches[number].prepare(position)
        self.stopped = False
        run = _Run(self, position, budget, on_progress)
        crew = usable_cores() if budget == Budget(seconds=budget.seconds) else count
        with ThreadPoolExecutor(min(crew, len(busy)), "mcrave") as pool:
            if crew < len(busy):
                jobs = [pool.submit(run.take_turns, busy[first::crew]) for first in range(crew)]
            else:
                jobs = [pool.submit(run.think_once, number) for number in busy]
            try:
                _wait_for(jobs)
            except KeyboardInterrupt:
                self.stop()
                _wait_for(jobs)
        readers = [self.searches[number].reader(position) for number in busy]
        grown = [reader for reader in readers if reader.tree.used[NODES] > 0]  # not those that a stop left no turn
        return told_together(grown, self.by_vote, sum(run.done), run.taken(), most)

    def stop(self) -> None:
        """All of them."""
        self.stopped = True
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


class _Run:
    """One run of all trees. Time is counted from one moment for all: who begins late thinks for what is left."""

    def __init__(self, team: RootTeam, position: Position, budget: Budget, on_progress: Progress | None) -> None:
        self.team, self.position, self.budget, self.on_progress = team, position, budget, on_progress
        self.done = [0] * len(team.searches)
        self.started = time.perf_counter()

    def taken(self) -> float:
        """Seconds so far."""
        return time.perf_counter() - self.started

    def think_once(self, number: int) -> None:
        """A tree's whole share."""
        left = None if self.budget.seconds is None else max(SOON, self.budget.seconds - self.taken())
        self._think(number, left)

    def take_turns(self, numbers: Sequence[int]) -> None:
        """Some trees in one thread, round after round; those whose turn is yet to come share what is left of it.

        However short the time, there is one round, and after a stop at least the first tree has had its turn.
        """
        seconds = self.budget.seconds
        assert seconds is not None
        while True:
            end = min(self.taken() + ROUND, seconds)
            for waiting, number in zip(range(len(numbers), 0, -1), numbers, strict=True):
                self._think(number, max(SOON, (end - self.taken()) / waiting))
                if self.team.stopped:
                    return
            if self.taken() >= seconds:
                return

    def _think(self, number: int, seconds: float | None) -> None:
        simulations, _, nodes, early_stop = self.budget
        count, before = len(self.done), self.done[number]

        def note(simulations: int, _: float) -> None:
            self.done[number] = before + simulations
            if self.on_progress is not None:
                self.on_progress(sum(self.done), self.taken())

        share = None if simulations is None else (simulations + number) // count
        each = Budget(share, seconds, None if nodes is None else -(-nodes // count), early_stop)
        thought = self.team.searches[number].think(self.position, each, note)
        self.done[number] = before + thought[0]


def _wait_for(jobs: Sequence[Future[None]]) -> None:
    for job in jobs:
        job.result()
