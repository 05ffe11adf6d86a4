"""Workers as Ray actors."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from mcrave.cluster.connecting import connect, first_line
from mcrave.cluster.coordinator import Event, Lost, Ready
from mcrave.cluster.statistics import Statistics
from mcrave.cluster.worker import Order, Recipe, Turn, Worker
from mcrave.errors import Error
from mcrave.games import Position
from mcrave.search import Search
from mcrave.search.parallel import RayParallel
from mcrave.specs import Spec

FETCH = 0.2  # seconds that an answer may take on its way once it is announced


class Actors:
    """A pool of actors, spread over the machines of a cluster."""

    def __init__(self, search: Search, form: RayParallel) -> None:
        """Connect; nothing is started yet."""
        self.form = form
        self._ray = connect(processors=form.workers * form.threads or None)
        specs = (search.game, search.tree, search.playout, search.prior, search.choice)
        self._recipe = Recipe(tuple(map(_text, specs)), search.options, search.memory, search.when_full, form)
        self._class = self._ray.remote(
            num_cpus=form.threads, max_restarts=0, scheduling_strategy="SPREAD", concurrency_groups={"control": 1}
        )(Worker)
        self.actors: dict[int, Any] = {}
        self._answers: dict[Any, int] = {}

    def size(self) -> int:
        """As many as were asked for, or as the cluster has processors for."""
        return self.form.workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)) // self.form.threads)

    def start(self, worker: int, position: Position) -> None:
        """Start an actor and let it compile."""
        self.actors[worker] = self._class.remote(self._recipe, worker)
        self._answers[self.actors[worker].prepare.remote(position)] = worker

    def begin(self, worker: int, turn: Turn) -> None:
        """Tell the new root; Ray keeps the calls of one actor in order."""
        self.actors[worker].begin.remote(turn)

    def publish(self, totals: Statistics) -> Any:
        """Once into the object store, from where the machines of the actors fetch it."""
        return self._ray.put(totals)

    def work(self, worker: int, order: Order, totals: Any) -> None:
        """Give an order."""
        self._answers[self.actors[worker].work.remote(order, totals)] = worker

    def halt(self, run: int) -> None:
        """End what goes on for a run."""
        for actor in self.actors.values():
            actor.halt.options(concurrency_group="control").remote(run)

    def drop(self, worker: int) -> None:
        """End an actor; whatever it would still answer is not waited for."""
        actor = self.actors.pop(worker, None)
        self._answers = {answer: owner for answer, owner in self._answers.items() if owner != worker}
        if actor is not None:
            with suppress(Exception):  # it may be gone already
                self._ray.kill(actor)

    def wait(self, seconds: float) -> list[Event]:
        """What has been answered."""
        if not self._answers:
            return []
        waiting = list(self._answers)
        ready, _ = self._ray.wait(waiting, num_returns=1, timeout=seconds)
        if ready:
            ready, _ = self._ray.wait(waiting, num_returns=len(waiting), timeout=0)
        return [self._event(answer, self._answers.pop(answer)) for answer in ready]

    def _event(self, answer: Any, worker: int) -> Event:
        errors = self._ray.exceptions
        try:
            found = self._ray.get(answer, timeout=FETCH)
        except errors.RayTaskError as error:
            self.drop(worker)
            raise Error(f"a worker failed: {first_line(getattr(error, 'cause', None) or error)}") from None
        except errors.RayError as error:  # the process or the machine is gone, or the answer with it
            self.drop(worker)
            return Lost(worker, first_line(error))
        return Ready(worker) if isinstance(found, int) else found

    def close(self) -> None:
        """End all actors."""
        for worker in list(self.actors):
            self.drop(worker)


def _text(spec: Spec) -> str:
    """A spec as another process can read it, with the file it came from."""
    loader = sys.modules.get("mcrave.games._loader")
    written: Callable[[Spec], str] = loader.text if loader else str
    return written(spec)
