"""Playing what is not played yet: tasks go out, finished games go into the store at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from mcrave.arena.records import Record
from mcrave.arena.referee import Bench
from mcrave.arena.schedule import Contest, can_travel
from mcrave.arena.sprt import RESULTS, Sprt
from mcrave.arena.store import Store
from mcrave.arena.workers import Alone, Crew, Processes, Task
from mcrave.errors import Error
from mcrave.games import Game
from mcrave.kernel.cache import fingerprint

BROKEN = ("crash", "time", "nonsense", "refused")  # forfeits of a player that does not work
CPU, CUDA = DEVICES = ("cpu", "cuda")
PATIENCE = 3  # so many in a row, from the first game on, and the run is ended
Listener = Callable[[Contest, Sequence[Record], bool], None]
"""Hears of games: of which contest, and whether they were played just now, or lay in the store."""


class Order(NamedTuple):
    """So many games of a contest."""

    contest: Contest
    games: int
    test: Sprt | None = None


class Manning(NamedTuple):
    """Who plays: processes of this machine, or a cluster, or a GPU."""

    workers: int = 1
    ray: str = ""
    device: str = CPU
    until: float | None = None
    """When games on a GPU are adjourned, by `time.monotonic`; others are finished."""

    def check(self) -> None:
        """An `Error` if there is no such device, or it cannot be had together with a cluster."""
        if self.device not in DEVICES:
            raise Error(f"--device must be {' or '.join(DEVICES)}, not {self.device}")
        if self.device != CPU and self.ray:
            raise Error(f"--device {self.device} and --ray cannot be had together")

    def crew(
        self, bench: Bench, games: Sequence[Game], orders: Sequence[Order] = (), store: Store | None = None
    ) -> Crew:
        """Ready to play."""
        self.check()
        if self.device == CUDA:
            from mcrave.arena.gpu import Gpu

            bench.close()
            return Gpu([(order.contest, order.games) for order in orders], games, store=store, until=self.until)
        if self.workers < 1:
            raise Error(f"a match needs at least 1 worker, not {self.workers}")
        if self.workers == 1 and not self.ray:
            return Alone(bench)
        for game in games:
            if not can_travel(game):
                raise Error(f"{game} stands in no file, so only one worker can play it")
        bench.close()
        if self.ray:
            from mcrave.arena.cluster import Cluster

            return Cluster(self.ray, self.workers)
        return Processes(self.workers)


def check_players(contest: Contest, bench: Bench) -> None:
    """Make all players ready, so that what cannot work is told before the first game; compiles, too."""
    game = bench.game(contest.game)
    contest.start(game, 0)
    bench.seated(game, list(contest.players))


class Run:
    """Orders that are being played."""

    def __init__(self, orders: Sequence[Order], store: Store, listener: Listener | None = None) -> None:
        """`listener` hears of finished games."""
        self.orders = {order.contest.key: order for order in orders}
        self.store, self.listener = store, listener
        self.done = {key: store.numbers(order.contest) for key, order in self.orders.items()}
        self._stopped: set[str] = set()
        self._news: list[tuple[Contest, list[Record]]] = []
        self._watches = {key: _Watch(order.contest, order.test) for key, order in self.orders.items() if order.test}
        self._held: dict[str, list[Record]] = {}
        """Games lost by a player that has not shown yet that it works."""
        self._works: set[str] = set()
        code = fingerprint()
        self._adjourned = {(key, each.number): each for key in self.orders for each in store.adjourned(key, code)}
        for key, order in self.orders.items():
            records = store.records(order.contest, order.games)
            self._note(key, records)
            if listener is not None and records:
                listener(order.contest, records, False)

    def play(self, crew: Crew) -> None:
        """All that is left; Ctrl-C ends it, and everything finished is in the store."""
        for batch in crew.play(self._tasks()):
            for key in dict.fromkeys(record.contest for record in batch):
                self._finish(key, [record for record in batch if record.contest == key])
            self._tell()
        for records in list(self._held.values()):
            raise self._given_up(records)

    def _tasks(self) -> Iterator[Task]:
        """Round by round through all contests, so that all of them get on evenly."""
        last = max((order.games for order in self.orders.values()), default=0)
        for number in range(last):
            for key, order in self.orders.items():
                if number < order.games and number not in self.done[key] and key not in self._stopped:
                    yield Task(order.contest, number, self._adjourned.get((key, number)))

    def _finish(self, key: str, batch: list[Record]) -> None:
        """Write finished games down, but for those of a player that may not work at all."""
        contest = self.orders[key].contest
        good = []
        for record in batch:
            broken = contest.players[record.seats[record.loser]] if record.ending in BROKEN else None
            fine = {contest.players[player] for player in record.seats} - {broken}
            if broken is None:
                self._works |= fine
            if broken is None or broken in self._works:
                good.append(record)
            else:
                self._held.setdefault(broken, []).append(record)
                if len(self._held[broken]) >= PATIENCE:
                    raise self._given_up(self._held[broken])
        self._write(key, good)
        for player in self._works & set(self._held):
            for record in self._held.pop(player):
                self._write(record.contest, [record])

    def _write(self, key: str, records: list[Record]) -> None:
        if records:
            contest = self.orders[key].contest
            self.store.add(contest, records)
            self._note(key, records)
            self._news.append((contest, records))

    def _tell(self) -> None:
        """After all of a batch is written, as the listener may end the run."""
        news, self._news = self._news, []
        for contest, records in news if self.listener is not None else ():
            self.listener(contest, records, True)  # type: ignore[misc]

    def _note(self, key: str, records: Sequence[Record]) -> None:
        """Keep count, and see whether the test has its answer."""
        self.done[key] |= {record.number for record in records}
        if (watch := self._watches.get(key)) and watch.add(records):
            self._stopped.add(key)

    def _given_up(self, records: Sequence[Record]) -> Error:
        last = records[-1]
        contest = self.orders[last.contest].contest
        player = contest.players[last.seats[last.loser]]
        reasons = Counter(record.ending for record in records).most_common(1)[0][0]
        games = "its only game" if len(records) == 1 else f"its first {len(records)} games"
        return Error(f"player '{player}' has lost {games} by {reasons}: {last.note}; these are not counted")

    def length(self, key: str) -> int:
        """How many games of a contest count: all, or those up to the end of its test."""
        watch = self._watches.get(key)
        return watch.length if watch is not None and watch.verdict else self.orders[key].games


class _Watch:
    """A test that follows the pairs in the order of their numbers, whatever the order in which they finish."""

    def __init__(self, contest: Contest, test: Sprt | None) -> None:
        assert test is not None
        if len(contest.players) != 2:
            raise Error(f"a test needs two players, and {contest.game} has {len(contest.players)}")
        self.test, self.verdict, self.length = test, "", 0
        self._scores: dict[int, float] = {}
        self._counts = [0] * RESULTS

    def add(self, records: Sequence[Record]) -> bool:
        """Whether the test has ended."""
        self._scores |= {record.number: record.score() for record in records}
        while not self.verdict and {self.length, self.length + 1} <= self._scores.keys():
            points = self._scores[self.length] + self._scores[self.length + 1]
            self._counts[round(2 * points)] += 1
            self.length += 2
            self.verdict = self.test.verdict(self._counts)
        return bool(self.verdict)
