"""The same games on a cluster: every game is a Ray task (the extra `mcrave[cluster]`).

A task whose process or machine dies is run again by Ray; as a game is given by its contest and number alone, it is the
same game, and the results file takes it once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from mcrave.arena.records import Record
from mcrave.arena.referee import Bench, play_game
from mcrave.arena.workers import Task
from mcrave.cluster.connecting import LOCAL, connect, first_line
from mcrave.errors import Error

RETRIES = 5
AHEAD = 2  # tasks in hand for each processor


@cache
def _bench() -> Bench:
    """The players of this process, kept from task to task."""
    return Bench()


def play_task(text: str) -> str:
    """One game, both ways as text."""
    task = Task.from_json(text)
    return play_game(task.contest, task.number, _bench(), task.adjourned).to_json()


class Cluster:
    """The processors of a Ray cluster, or of this machine through Ray."""

    def __init__(self, address: str = LOCAL, workers: int | None = None) -> None:
        """Connect to `ADDRESS`, or start Ray here for `local`, with so many workers."""
        ray = self._ray = connect(address, workers)
        self._play = ray.remote(max_retries=RETRIES, num_cpus=1)(play_task)

    def play(self, tasks: Iterator[Task]) -> Iterator[list[Record]]:
        """Finished games as they come."""
        ray = self._ray
        waiting: list[Any] = []
        limit = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        while True:
            while len(waiting) < limit and (task := next(tasks, None)) is not None:
                waiting.append(self._play.remote(task.to_json()))
            if not waiting:
                return
            ready, waiting = ray.wait(waiting, num_returns=1, timeout=None)
            more, waiting = ray.wait(waiting, num_returns=len(waiting), timeout=0) if waiting else ([], [])
            records, failure = self._collected(ready + more)
            if records:
                yield records
            if failure is not None:
                raise failure

    def _collected(self, references: list[Any]) -> tuple[list[Record], Error | None]:
        """The games that went well, and what is to say about another."""
        errors = self._ray.exceptions
        records: list[Record] = []
        failure = None
        for reference in references:
            try:
                records.append(Record.from_json(self._ray.get(reference)))
            except errors.RayTaskError as error:
                failure = Error(first_line(getattr(error, "cause", None) or error))
            except errors.RayError as error:
                failure = Error(f"Ray gave a game up: {first_line(error)}; the games finished so far are kept")
        return records, failure

    def close(self) -> None:
        """Leave the cluster; a local one is ended."""
        self._ray.shutdown()
