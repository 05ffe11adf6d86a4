"""Who plays the games: this process, or several processes beside each other.

A task is a contest and the number of a game; what comes of it depends on nothing else, so that it does not matter which
process plays it. A process that dies is replaced, and its games are played again. The processes are started as
programs of their own (not forked, no copy of the caller's `__main__`), and end when the caller does, even if it is
killed: they see the end of their input.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from mcrave.arena.records import Adjourned, Record
from mcrave.arena.referee import Bench, play_game
from mcrave.arena.schedule import Contest
from mcrave.errors import Error

MOST_DEATHS = 3  # of processes over one game, before it is given up
AHEAD = 2  # games that a process has in hand, so that it never waits for the next
PROGRAM = "from mcrave.arena.workers import serve; serve()"


class Task(NamedTuple):
    """One game to play."""

    contest: Contest
    number: int
    adjourned: Adjourned | None = None
    """Where to go on, if it was broken off before."""

    def to_json(self) -> str:
        """In a line."""
        return json.dumps([self.contest.to_json(), self.number, self.adjourned])

    @staticmethod
    def from_json(text: str) -> Task:
        """What `to_json` wrote.

        >>> from mcrave.arena.schedule import contest
        >>> task = Task(contest("mnk", ["random", "uct@50"]), 3, Adjourned("key", 3, (4, 0), (7, 9), (0.5, 0.25), 0.5))
        >>> Task.from_json(task.to_json()) == task
        True
        """
        contest, number, adjourned = json.loads(text)
        return Task(Contest.from_json(contest), number, Adjourned.from_fields(adjourned) if adjourned else None)


class Crew(Protocol):
    """Whoever plays games."""

    def play(self, tasks: Iterator[Task]) -> Iterator[list[Record]]:
        """Finished games as they come, in any order; tasks are taken when they can be begun."""
        ...

    def close(self) -> None:
        """Stop; games in flight are lost."""
        ...


class Alone:
    """This process."""

    def __init__(self, bench: Bench) -> None:
        """With players who may be ready already."""
        self.bench = bench

    def play(self, tasks: Iterator[Task]) -> Iterator[list[Record]]:
        """One game after the other."""
        for task in tasks:
            with _interruptible(self.bench):
                record = play_game(task.contest, task.number, self.bench, task.adjourned)
            yield [record]

    def close(self) -> None:
        """Send the players home."""
        self.bench.close()


@contextmanager
def _interruptible(bench: Bench) -> Iterator[None]:
    """A search answers Ctrl-C with the move that it has; tell the referee, too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def note(signum: int, frame: object) -> None:
        bench.interrupted = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        bench.interrupted = False


class Processes:
    """Several processes."""

    def __init__(self, count: int) -> None:
        """They are started with the first game."""
        self.count = count
        self._workers: dict[int, _Worker] = {}
        self._again: deque[Task] = deque()
        self._deaths: Counter[tuple[str, int]] = Counter()
        self._events = selectors.DefaultSelector()

    def play(self, tasks: Iterator[Task]) -> Iterator[list[Record]]:
        """Finished games as they come."""
        while True:
            self._hand_out(tasks)
            if not self._workers:
                return
            finished: list[Record] = []
            for key, _ in self._events.select():
                worker = self._workers[key.fd]
                records, alive = worker.receive()
                finished += records
                if not alive:
                    self._bury(worker)
            self._hand_out(tasks)  # before the caller takes its time over what has finished
            if finished:
                yield finished

    def _hand_out(self, tasks: Iterator[Task]) -> None:
        """Give everybody something to do, and send those home for whom there is nothing."""
        for ahead in range(1, AHEAD + 1):
            for worker in [worker for worker in self._workers.values() if len(worker.tasks) < ahead]:
                if (task := self._next(tasks)) is None:
                    break
                worker.send(task)
        while len(self._workers) < self.count and (task := self._next(tasks)) is not None:
            worker = _Worker()
            self._workers[worker.fd] = worker
            self._events.register(worker.fd, selectors.EVENT_READ)
            worker.send(task)
        for worker in [worker for worker in self._workers.values() if not worker.tasks]:
            self._dismiss(worker)

    def _next(self, tasks: Iterator[Task]) -> Task | None:
        return self._again.popleft() if self._again else next(tasks, None)

    def _bury(self, worker: _Worker) -> None:
        """A process has died: what it had in hand is played again by another."""
        self._dismiss(worker)
        if worker.tasks:
            lost = worker.tasks[0]
            name = (lost.contest.key, lost.number)
            self._deaths[name] += 1
            if self._deaths[name] >= MOST_DEATHS:
                raise Error(
                    f"game {lost.number} of {lost.contest.game} has ended {MOST_DEATHS} processes "
                    f"({worker.last_words()}); the games finished so far are kept"
                )
        self._again.extend(worker.tasks)

    def _dismiss(self, worker: _Worker) -> None:
        del self._workers[worker.fd]
        self._events.unregister(worker.fd)
        worker.end()

    def pids(self) -> list[int]:
        """The processes at work."""
        return [worker.process.pid for worker in self._workers.values()]

    def close(self) -> None:
        """End all of them."""
        for worker in list(self._workers.values()):
            self._dismiss(worker)
        self._events.close()


class _Worker:
    """A process, and the games it has in hand."""

    def __init__(self) -> None:
        home = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C is for the caller alone
        )
        assert self.process.stdout is not None
        self.fd = self.process.stdout.fileno()
        self.tasks: list[Task] = []
        self._heard = b""

    def send(self, task: Task) -> None:
        self.tasks.append(task)
        line = task.to_json() + "\n"
        with suppress(OSError):  # it has died, which its output will tell
            assert self.process.stdin is not None
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()

    def receive(self) -> tuple[list[Record], bool]:
        """What it has finished, and whether it lives."""
        data = os.read(self.fd, 1 << 20)
        *lines, self._heard = (self._heard + data).split(b"\n")
        records = []
        for line in lines:
            kind, text = json.loads(line)
            if kind == "error":
                raise Error(text)
            records.append(Record.from_json(text))
            self.tasks.pop(0)
        return records, bool(data)

    def last_words(self) -> str:
        code = self.process.returncode
        return f"signal {-code}" if code and code < 0 else f"exit code {code}"

    def end(self) -> None:
        """Close its input; it ends by itself, or is ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(2.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def serve() -> None:
    """What a process does: read tasks, play them, write records; stop when the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a user's game prints must not come between the records
    bench = Bench()
    lines: deque[str] = deque()
    more = threading.Semaphore(0)
    threading.Thread(target=_listen, args=(lines, more, bench), daemon=True).start()
    while True:
        more.acquire()
        task = Task.from_json(lines.popleft())
        try:
            message = "record", play_game(task.contest, task.number, bench, task.adjourned).to_json()
        except Exception as error:
            message = "error", str(error) if isinstance(error, Error) else f"{type(error).__name__}: {error}"
        with suppress(BrokenPipeError):
            print(json.dumps(message), file=out)


def _listen(lines: deque[str], more: threading.Semaphore, bench: Bench) -> None:
    """Hand on the input; its end means that the caller is gone, and so nobody waits for this game."""
    for line in sys.stdin:
        lines.append(line)
        more.release()
    with suppress(Exception):
        bench.close()
    os._exit(0)
