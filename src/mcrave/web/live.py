"""A search that can be watched, and stopped at any moment, from the thread that runs it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ClassVar, NamedTuple

from mcrave.games import Game, Position
from mcrave.players import Budget, SearchPlayer, Setup
from mcrave.search import Report
from mcrave.search.reading import TreeReader
from mcrave.trees.arena import EDGES, NODES
from mcrave.web.limits import POOL, bounded

_compiled: dict[tuple[str, Game], Future[None]] = {}
_lock, _one_by_one = threading.Lock(), threading.Lock()
MOST_COMPILED = 500


class Glance(NamedTuple):
    """What a search has found so far."""

    position: Position
    player: str
    report: Report
    running: bool
    left: float
    """Seconds or simulations that are left."""
    unit: str
    memory: float
    """Megabytes that the tree takes."""


Listen = Callable[["LivePlayer", Position, int, float], bool]


class LivePlayer(SearchPlayer):
    """A searching player that calls `listen` about twenty times a second and stops when that says no."""

    always: ClassVar[dict[str, Any]] = {"ownership": 1}

    def __init__(self, text: str, setup: Setup, listen: Listen, seed: int = 1) -> None:
        """`text` is what the user wrote; memory comes from the pool, and goes back with `end`."""
        self.megabytes = POOL.take()
        options = dict(setup.options) | {"memory": f"{self.megabytes}MB"}
        super().__init__(setup._replace(options=tuple(options.items())), seed)
        self.text = text
        self.listen = listen
        self.aborted = False
        self.done, self.seconds = 0, 0.0
        self._earlier: tuple[Position | None, int, float] = (None, 0, 0.0)

    def end(self) -> None:
        """Give the memory back, and its share to the pool; `close` alone only drops the tree, as for another game."""
        self.close()
        POOL.give(self.megabytes)
        self.megabytes = 0

    def search(self, position: Position, on_progress: Callable[[int, float], None] | None = None) -> Report:
        """As its budget says."""
        simulations, seconds = self.setup.budget
        self._earlier = (None, 0, 0.0)
        return self.think(position, simulations or None, seconds or None)

    def think(self, position: Position, simulations: int | None, seconds: float | None) -> Report:
        """So much more; a position that was thought about last goes on with its tree."""
        self.prepare(position.game)
        search = self._search
        assert search is not None
        last, done_before, seconds_before = self._earlier
        if last is not position:
            done_before, seconds_before = 0, 0.0
            search.reset()
        self.aborted = False

        def heard(done: int, taken: float) -> None:
            self.done, self.seconds = done_before + done, seconds_before + taken
            if not self.listen(self, position, done, taken):
                self.aborted = True
                search.stop()

        report = search.run(position, simulations, seconds, on_progress=heard)
        self.done, self.seconds = done_before + report.simulations, seconds_before + report.seconds
        self._earlier = (position, self.done, self.seconds)
        return report

    def glance(self, position: Position, running: bool) -> Glance | None:
        """What was found so far about a position; None before the first simulation of it."""
        reader = self.reader(position)
        if reader is None or position.is_over:
            return None
        simulations, seconds = self.setup.budget
        left = simulations - self.done if simulations else seconds - self.seconds
        report = reader.report(self.done, self.seconds)
        used = max(
            int(reader.tree.used[kind]) / max(1, len(column))
            for kind, column in ((NODES, reader.tree.nodes), (EDGES, reader.tree.move))
        )
        memory = self.megabytes * used
        return Glance(
            position, self.text, report, running, max(left, 0.0), "simulations" if simulations else "s", memory
        )

    def reader(self, position: Position) -> TreeReader | None:
        """The tree below a position, if there is one."""
        search = self._search
        if search is None or search._root is None or search._tree is None or search._root is not position:
            return None
        return search.reader(position) if search._tree.used[NODES] else None


def compiling(player: LivePlayer, game: Game) -> Future[None]:
    """The work of compiling what a player needs for a game, which is done once for all tabs."""
    options = tuple((name, value) for name, value in player.setup.options if name != "memory")
    key = str(player.setup._replace(options=options, budget=Budget(1))), game
    with _lock:
        if key not in _compiled:
            if len(_compiled) >= MOST_COMPILED:
                _compiled.clear()
            job: Future[None] = Future()
            _compiled[key] = job
            # A daemon: the server ends without waiting for it.
            threading.Thread(target=_compile, args=(bounded(player.setup), game, job), daemon=True).start()
        return _compiled[key]


def _compile(setup: Setup, game: Game, job: Future[None]) -> None:
    options = dict(setup.options) | LivePlayer.always
    try:
        with _one_by_one:
            SearchPlayer(setup._replace(options=tuple(options.items())), 1).compile(game)
        job.set_result(None)
    except Exception as error:
        job.set_exception(error)
