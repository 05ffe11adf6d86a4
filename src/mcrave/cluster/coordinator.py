"""The coordinator: gives orders to workers, adds up what they tell, and answers on time.

It waits for nobody. A worker gets its next order, with the newest totals, as soon as it has told what the last one
gave; of one that is late only its own simulations are missing. One that is lost, or later than `PATIENCE`, is
replaced; what it told before stays in the totals. With so many workers that their messages would keep the coordinator
busy more than `BUSY` of its time, orders become longer and the exchange slower, so that no worker has to wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from mcrave.cluster.ledger import Totals
from mcrave.cluster.statistics import Nodes, Statistics
from mcrave.cluster.worker import Order, Told, Turn
from mcrave.errors import Error
from mcrave.games import Position
from mcrave.search import Report, Search
from mcrave.search.parallel import RayParallel
from mcrave.search.reading import TreeReader
from mcrave.search.teams import Budget, Progress

TICK = 0.05  # seconds between looks at the clock
PATIENCE = 3.0  # seconds that an answer may be late
FIRST = 300.0  # seconds to wait for the first worker, which may have to compile
OTHERS = 10.0  # and then for the others
MOST_LOSSES = 3  # in a row for each worker, before the cluster is given up
LEAST = 8  # simulations that are worth an order
BUSY = 0.5  # the share of its time that the coordinator may spend on messages


class Ready(NamedTuple):
    """A worker can take orders."""

    worker: int


class Lost(NamedTuple):
    """A worker is no more."""

    worker: int
    reason: str


Event = Ready | Told | Lost


class Pool(Protocol):
    """Whoever runs workers."""

    def size(self) -> int:
        """How many there should be."""
        ...

    def start(self, worker: int, position: Position) -> None:
        """Start a worker; `Ready` follows."""
        ...

    def begin(self, worker: int, turn: Turn) -> None:
        """Tell a worker the new root."""
        ...

    def publish(self, totals: Statistics) -> Any:
        """Make totals ready for being sent to many."""
        ...

    def work(self, worker: int, order: Order, totals: Any) -> None:
        """Give an order, with published totals; `Told` follows."""
        ...

    def halt(self, run: int) -> None:
        """End what goes on for a run."""
        ...

    def drop(self, worker: int) -> None:
        """End a worker."""
        ...

    def wait(self, seconds: float) -> list[Event]:
        """What has happened, as soon as something has, or nothing after so many seconds."""
        ...

    def close(self) -> None:
        """End all workers."""
        ...


@dataclass
class Member:
    """What the coordinator knows of a worker."""

    ready: bool = False
    order: Order | None = None
    sent: float = 0.0
    nodes: int = 0


class Coordinator:
    """Many workers as one search (a `Team`)."""

    def __init__(self, local: Search, form: RayParallel, open_pool: Callable[[], Pool]) -> None:
        """`local` is a search of the same parts; it simulates nothing, its tree holds the totals."""
        self.local, self.form, self.totals = local, form, Totals()
        self.members: dict[int, Member] = {}
        self.losses = 0
        """How many workers were lost so far."""
        self._in_a_row = 0
        self._open_pool = open_pool
        self._pool: Pool | None = None
        self._numbers = self._turn = self._run = 0
        self._moves: list[int] | None = None  # since the last root; None if it has to be another position
        self._position: Position | None = None
        self._nodes: Nodes | None = None
        self._published: tuple[float, Any, dict[int, int]] | None = None
        self._trip = 0.01  # seconds between the end of an order's work and hearing of it, and back
        self._cost = self._ordering = 0.0  # seconds that a message costs the coordinator, and that the last orders did
        self._staffed_at = 0.0  # when somebody was last there
        self._stopped = False

    # ------------------------------------------------------------------------------------------- a run

    def run(self, position: Position, budget: Budget, on_progress: Progress | None, most: int | None = None) -> Report:
        """Search a position with all workers."""
        pool = self._staffed(position)
        self._go_to(position, pool)
        self._staffed_at = time.perf_counter()
        self._run, self._stopped = self._run + 1, False
        done, started = 0, time.perf_counter()
        try:
            while not self._stopped:
                taken = time.perf_counter() - started
                left = None if budget.seconds is None else budget.seconds - taken
                unasked = None if budget.simulations is None else budget.simulations - done - self._in_hand()
                self._give_orders(pool, unasked, left)
                if self._is_finished(done, budget, left):
                    break
                events = pool.wait(TICK if left is None else max(0.0, min(TICK, left)))
                began = time.perf_counter()
                done += sum(self._note(event, position, pool) for event in events)
                if events:
                    self._cost += 0.1 * ((time.perf_counter() - began + self._ordering) / len(events) - self._cost)
                self._replace_late(position, pool)
                if on_progress is not None:
                    on_progress(done, time.perf_counter() - started)
                if budget.nodes is not None and sum(member.nodes for member in self.members.values()) >= budget.nodes:
                    break
                taken = time.perf_counter() - started
                if budget.early_stop and done and self._is_decided(done, taken, budget):
                    break
        except KeyboardInterrupt:
            if done == 0:
                raise
        finally:
            if self._in_hand():
                pool.halt(self._run)
        report = self.reader(position).report(done, time.perf_counter() - started, most)
        return replace(report, nodes=sum(member.nodes for member in self.members.values()))

    def _is_finished(self, done: int, budget: Budget, left: float | None) -> bool:
        """Whether a budget is used up; close to the end of the time nobody gets another order."""
        if (left is not None and left <= 0.0) or (budget.simulations is not None and done >= budget.simulations):
            return True
        members = self.members.values()
        return any(member.ready for member in members) and all(member.order is None for member in members)

    def _is_decided(self, done: int, taken: float, budget: Budget) -> bool:
        assert self._nodes is not None
        return self.local._is_decided(self._nodes.tree, done, taken, budget.simulations, budget.seconds)

    def _in_hand(self) -> int:
        """The simulations of this run that workers were asked for and have not answered."""
        orders = (member.order for member in self.members.values())
        return sum(order.simulations for order in orders if order is not None and order.run == self._run)

    def _give_orders(self, pool: Pool, unasked: int | None, left: float | None) -> None:
        """Something to do for everyone who has nothing; `unasked` simulations are left, and so many seconds."""
        began = time.perf_counter()
        interval = max(1.0 / self.form.rate, len(self.members) * self._cost / BUSY)
        seconds = interval if left is None else min(interval, left - self._trip)
        if seconds <= 0.0:
            return
        idle = [number for number, member in self.members.items() if member.ready and member.order is None]
        for number in idle:
            share = 1 << 40
            if unasked is not None:
                share = min(unasked, max(LEAST, -(-unasked // (2 * len(self.members)))))
                unasked -= share
            if share <= 0:
                break
            totals, counted = self._newest(pool)
            member = self.members[number]
            member.order = Order(self._run, share, seconds, counted.get(number, 0))
            member.sent = time.perf_counter()
            pool.work(number, member.order, totals)
        self._ordering = time.perf_counter() - began

    def _newest(self, pool: Pool) -> tuple[Any, dict[int, int]]:
        """The totals, published, and whose messages they contain; not made anew for each of many workers."""
        now = time.perf_counter()
        if self._published is None or now - self._published[0] > 0.1 / self.form.rate:
            totals = self.totals.upper(0.5 * self.form.share)
            self._published = now, pool.publish(totals), dict(self.totals.counted)
        return self._published[1:]

    def _note(self, event: Event, position: Position, pool: Pool) -> int:
        """Take note of what has happened; returns the simulations of this run that it adds."""
        member = self.members.get(event.worker)
        if member is None:  # it was given up before
            return 0
        if isinstance(event, Lost):
            self._replace(event.worker, event.reason, position, pool)
            return 0
        if isinstance(event, Ready):
            member.ready = True
            self._begin(event.worker, pool, None)
            return 0
        self._in_a_row = 0
        trip = time.perf_counter() - member.sent - event.seconds
        self._trip += 0.2 * (min(max(trip, 0.0), 0.2) - self._trip)
        member.order, member.nodes = None, event.nodes
        if event.turn != self._turn:
            return 0
        assert self._nodes is not None
        self.totals.add(self._nodes, event.worker, event.number, event.statistics)
        return event.simulations if event.run == self._run else 0

    # ------------------------------------------------------------------------------------------- workers

    def _staffed(self, position: Position) -> Pool:
        """The workers, started if there are none; the first run waits for them, as compiling is not thinking time."""
        if self._pool is None:
            self._pool = self._open_pool()
        if self.members:
            return self._pool
        for _ in range(self._pool.size()):
            self._start(position, self._pool)
        began, first = time.perf_counter(), None
        while not all(member.ready for member in self.members.values()):
            for event in self._pool.wait(TICK):
                self._note(event, position, self._pool)
            now = time.perf_counter()
            if first is None and any(member.ready for member in self.members.values()):
                first = now
            if first is not None and now - first > OTHERS:
                break
            if first is None and now - began > FIRST:
                raise Error(f"no worker of the cluster was ready within {FIRST:.0f} s; are its processors free?")
        return self._pool

    def _start(self, position: Position, pool: Pool) -> None:
        self._numbers += 1
        self.members[self._numbers] = Member()
        pool.start(self._numbers, position)

    def _replace(self, number: int, reason: str, position: Position, pool: Pool) -> None:
        """Start another worker in place of this one; what it was asked for is asked of others."""
        del self.members[number]
        self.losses += 1
        self._in_a_row += 1
        if self._in_a_row > MOST_LOSSES * max(1, pool.size()):
            raise Error(f"the workers of the cluster fail one after the other: {reason}")
        self._start(position, pool)

    def _replace_late(self, position: Position, pool: Pool) -> None:
        """Replace those who do not answer; give up if nobody was there for long."""
        now = time.perf_counter()
        if any(member.ready for member in self.members.values()):
            self._staffed_at = now
        elif now - self._staffed_at > FIRST:
            raise Error(f"no worker of the cluster was ready for {FIRST:.0f} s; are its processors free?")
        for number, member in list(self.members.items()):
            if member.order is not None and now - member.sent > member.order.seconds + PATIENCE:
                pool.drop(number)
                self._replace(number, f"no answer within {PATIENCE:g} s", position, pool)

    # ------------------------------------------------------------------------------------------- roots

    def _go_to(self, position: Position, pool: Pool) -> None:
        """Bring everybody to this root."""
        at = self._position
        here = at is not None and at == position and bool((at.moves == position.moves).all())
        if here and self._moves == []:
            return
        if not here or self._moves is None:
            self._moves = None
            self.totals.clear()
            self.local.reset()
        moves = None if self._moves is None else tuple(self._moves)
        self._turn, self._position, self._moves, self._published = self._turn + 1, position, [], None
        self._nodes = Nodes(self.local, position)
        self.totals.put_all(self._nodes)
        for number, member in self.members.items():
            if member.ready:
                self._begin(number, pool, moves)

    def _begin(self, number: int, pool: Pool, moves: tuple[int, ...] | None) -> None:
        if self._position is not None:
            counted = self.totals.counted.get(number, 0)
            pool.begin(number, Turn(self._turn, self._position, moves, counted, self.local.seed))

    def advance(self, move: str | int) -> None:
        """Make a move at the root."""
        if self._position is None:
            raise Error("there is no tree yet: run the search before advance")
        number = self._position.number(move)
        self.local.advance(number)
        self.totals.advance(number)
        self._position = self._position.play(number)
        if self._moves is not None:
            self._moves.append(number)
        if not self._position.is_over and () in self.totals.sums:
            nodes = Nodes(self.local, self._position)
            if nodes.find(()) < 0 or nodes.read(0).size != self.totals.sums[()].size:
                self._moves = None  # superko took moves away: begin anew

    def ban(self, banned: Mapping[tuple[int, int], int]) -> None:
        """Not known here."""
        if banned:
            raise Error("moves cannot be left out of a search on a cluster; search without --ray")

    def reset(self, seed: int | None) -> None:
        """Forget all trees."""
        self.local.reset(seed)
        self.totals.clear()
        self._position, self._moves = None, None

    def reader(self, position: Position | None) -> TreeReader:
        """The totals as a tree."""
        return self.local.reader(position)

    def stop(self) -> None:
        """End a run."""
        self._stopped = True

    def close(self) -> None:
        """Let the workers go."""
        if self._pool is not None:
            self._pool.close()
        self._pool, self.members = None, {}
        self.reset(None)
