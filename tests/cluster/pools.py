"""Workers without Ray: in this process, one order at a time, with faults as a test wants them."""

from __future__ import annotations

import random
import time
from typing import Any

from mcrave import Search
from mcrave.cluster.coordinator import Coordinator, Event, Lost, Ready
from mcrave.cluster.statistics import Statistics
from mcrave.cluster.worker import Order, Recipe, Turn, Worker
from mcrave.search.parallel import RayParallel


def recipe(search: Search, form: RayParallel) -> Recipe:
    """What workers of this search are made of."""
    specs = (search.game, search.tree, search.playout, search.prior, search.choice)
    return Recipe(tuple(map(str, specs)), search.options, search.memory, search.when_full, form)


class Inline:
    """Carries out one waiting order, chosen at random, with every `wait`.

    An order in `lose` ends its worker in place of being answered; one in `delay` is never answered.
    """

    def __init__(
        self, search: Search, form: RayParallel, *, lose: set[int] = frozenset(), delay: set[int] = frozenset()
    ):
        self._recipe, self._size = recipe(search, form), form.workers
        self.workers: dict[int, Worker] = {}
        self.queue: list[tuple[int, Any]] = []
        self.orders = 0
        self.dropped: list[int] = []
        self.lose, self.delay = lose, delay
        self._dice = random.Random(1)

    def size(self) -> int:
        return self._size

    def start(self, worker: int, position: Any) -> None:
        self.workers[worker] = Worker(self._recipe, worker)
        self.queue.append((worker, Ready(worker)))

    def begin(self, worker: int, turn: Turn) -> None:
        for other, (owner, task) in enumerate(self.queue):  # calls of one worker stay in order
            if owner == worker and isinstance(task, tuple) and isinstance(task[0], Order):
                self.queue[other] = (owner, (*task, turn))
                return
        self.workers[worker].begin(turn)

    def publish(self, totals: Statistics) -> Statistics:
        return {path: vector.copy() for path, vector in totals.items()}

    def work(self, worker: int, order: Order, totals: Statistics) -> None:
        self.queue.append((worker, (order, totals)))

    def halt(self, run: int) -> None:
        for worker in self.workers.values():
            worker.halt(run)

    def drop(self, worker: int) -> None:
        self.dropped.append(worker)
        self.workers.pop(worker, None)
        self.queue = [(owner, task) for owner, task in self.queue if owner != worker]

    def wait(self, seconds: float) -> list[Event]:
        if not self.queue:
            time.sleep(min(seconds, 0.01))
            return []
        worker, task = self.queue.pop(self._dice.randrange(len(self.queue)))
        if isinstance(task, Ready):
            return [task]
        order, totals, *turns = task
        self.orders += 1
        if self.orders in self.lose:
            self.drop(worker)
            return [Lost(worker, "killed by the test")]
        if self.orders in self.delay:
            self.delay |= {-worker}
            return []
        told = self.workers[worker].work(order, totals)
        for turn in turns:
            self.workers[worker].begin(turn)
        return [told]

    def close(self) -> None:
        for worker in list(self.workers):
            self.drop(worker)


def team(game: str, form: str, *, lose: set[int] = frozenset(), delay: set[int] = frozenset(), **parts: Any):
    """A coordinator with workers in this process, and its pool."""
    from mcrave.specs import parse

    spec = parse(form, "parallel")
    search = Search(game, memory="8MB", **parts)
    pool = Inline(search, spec, lose=lose, delay=delay)
    return Coordinator(search, spec, lambda: pool), pool
