"""Thinking: a search that keeps its tree from move to move, and stops when the time is better spent elsewhere.

`SearchPlayer` says what a search is made of and when it passes; here it follows a game, obeys a clock, and tells
what it thinks meanwhile.

A move with a clock is thought about in three steps. After `FIRST` of the time, a game that is decided is not thought
about any longer. Then until the time is up, or no move can overtake the best one any more. And on, up to the most that
the clock allows, while the most visited move is not the one with the best value, or another is visited nearly as often.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

from mcrave.games import Game, Position
from mcrave.gtp.background import Background
from mcrave.gtp.clock import Allowance
from mcrave.players import SearchPlayer, Setup
from mcrave.search import Report, Search
from mcrave.search.reading import TreeReader
from mcrave.search.report import MoveReport
from mcrave.sgf.board import PASS

FIRST = 0.3  # the share of the time after which a decided game is noticed
SHOWN_IN_HASTE = 20  # moves
BRIEF = 0.1  # seconds in which a move is thought about in one step, as looking at what was found takes time, too
DECIDED = 0.03  # within this of 0 or 1
CLOSE = 0.8  # a move visited so often, relative to the most visited, makes the choice unclear
FOREVER = 1e9  # seconds
MOST_LINE = 30  # moves of a line that are shown

Bans = Mapping[tuple[int, int], int]
"""Moves that the search leaves out, see `Search.ban`."""
NO_BANS: Bans = {}
Watch = Callable[[], bool]
"""Called about twenty times a second while a search runs; says whether to stop it."""


class Plan(NamedTuple):
    """How much to think about a move."""

    simulations: int = 0
    """0: any number."""
    time: Allowance | None = None


class Engine(SearchPlayer):
    """A player with a memory of the game.

    >>> import mcrave
    >>> from mcrave.players import parse_player
    >>> engine = Engine(parse_player("mc_rave@200").setup)
    >>> position = mcrave.game("go(size=5)").start()
    >>> engine.choose(position) in position.moves, engine.report.simulations
    (True, 200)
    """

    always: ClassVar[dict[str, Any]] = {"ownership": 1}

    def __init__(self, setup: Setup, seed: int = 1) -> None:
        """Nothing is compiled yet."""
        super().__init__(setup, seed)
        self.plan = Plan(setup.budget.simulations, fixed(setup.budget.seconds))
        self.watch: Watch = _never
        self.banned: Bans = NO_BANS
        self.report: Report | None = None
        """What the last search found, None if the last move was made without one."""
        self.spent = 0.0
        """Seconds of simulations in the last search."""
        self._ready: set[object] = set()
        self._compiling: Background | None = None
        self._kind: object = None
        """The kind of board that is compiled, or was last."""
        self._banned: Bans = NO_BANS
        """What the search leaves out now."""

    def get_ready(self, game: Game, patience: float | None = None) -> None:
        """Compile what this size of a board needs, unless that was done before, and forget the last game.

        After so many seconds of patience the compiling goes on while other commands are answered; whatever needs the
        search waits for it.
        """
        kind = game.state_type()
        if not self.wait(patience if kind == self._kind else None):
            return
        if kind in self._ready:
            self.forget()
            return
        start, began = game.start(), time.perf_counter()
        start.play(int(start.moves[0]))  # now, as moves must be taken in while the rest is compiled
        self._at, self.report = None, None
        work = self._compiling = Background(lambda: self.compile(game))
        self._kind = kind
        left = None if patience is None else max(patience - (time.perf_counter() - began), 0.0)
        if self.wait(left) and work.error is not None:
            raise work.error

    def compile(self, game: Game) -> None:
        """Compile what following a game needs, too."""
        self.prepare(game)
        assert self._search is not None
        self._search.run(game.start(), simulations=1)
        self._search.stay()
        super().compile(game)

    def wait(self, seconds: float | None = None) -> bool:
        """Until all is compiled, or for so many seconds; says whether it is."""
        work = self._compiling
        if work is not None:
            if not work.wait(seconds):
                return False
            self._compiling = None
            if work.error is None:
                self._ready.add(self._kind)
        return True

    def forget(self, seed: int | None = None) -> None:
        """Drop the tree; with a seed, begin the random numbers anew."""
        self.wait()
        self._at, self.report = None, None
        if seed is not None:
            self.seed = seed
        if self._search is not None:
            self._search.reset(seed)

    def search(self, position: Position, on_progress: Callable[[int, float], None] | None = None) -> Report:
        """Search as planned, from what is left of the tree."""
        search, began = self._follow(position), time.perf_counter()
        total, spent, limit = 0, 0.0, self.plan.time

        def step(simulations: int, seconds: float | None, early_stop: bool, most: int | None = None) -> Report:
            nonlocal total, spent
            look = self._progress(search)
            report = search.run(
                position, simulations or None, seconds, early_stop=early_stop, on_progress=look, most=most
            )
            total += report.simulations
            spent += report.seconds
            return report

        simulations = self.plan.simulations
        if limit is None:
            report = step(simulations, None if simulations else FOREVER, False)
        elif limit.seconds < BRIEF:
            report = step(simulations, limit.seconds, True, SHOWN_IN_HASTE)
        else:
            report = step(simulations, FIRST * limit.seconds, False)
            if not _is_decided(report) and not self.watch() and not (simulations and total >= simulations):
                report = step(max(simulations - total, 0), (1 - FIRST) * limit.seconds, True)
                while (left := limit.most - (time.perf_counter() - began)) > 0.05 * limit.seconds:
                    if not _is_unclear(report) or self.watch() or (simulations and total >= simulations):
                        break
                    report = step(max(simulations - total, 0), min(left, limit.seconds / 2), True)
        self.spent = spent
        self.report = replace(report, simulations=total, seconds=time.perf_counter() - began)
        return self.report

    def _progress(self, search: Search) -> Callable[[int, float], None]:
        def look(simulations: int, seconds: float) -> None:
            if self.watch():
                search.stop()

        return look

    def _follow(self, position: Position) -> Search:
        """Bring the root of the tree to this position, if it is further on in the same game."""
        self.wait()
        self.prepare(position.game)
        search = self._search
        assert search is not None
        if self._banned != self.banned:
            search.ban(self.banned)
            self._banned, self._at = self.banned, None
        self._move_on(search, position)
        return search

    def _new_search(self, game: Game) -> Search:
        self._at, self._banned = None, NO_BANS
        search = super()._new_search(game)
        search.ban(NO_BANS)
        return search

    def judge(self, position: Position, playouts: int) -> dict[str, list[float]]:
        """Who owns each point at the end of so many playouts, as in `Report.owners`; the tree stays as it is."""
        self.wait()
        self.prepare(position.game)
        assert self._search is not None
        return self._search.playouts(position, playouts)

    def is_at(self, position: Position) -> bool:
        """Whether the tree belongs to this position, so that there is something to show."""
        return self._at is position and not self._banned and self.report is not None and self.report.best is not None

    def decide(self, position: Position) -> MoveReport:
        """The move to play, with what is known about it."""
        self.wait()
        self.report = None
        move = position.name(self.choose(position))
        value = 0.5 if self.estimate is None else self.estimate
        nothing = MoveReport(move, 0, value, 0.0, 0.0, 0.0, 0.0, 0.0)
        found: Report | None = self.report
        return nothing if found is None else next((each for each in found.moves if each.move == move), nothing)

    def reader(self) -> TreeReader:
        """The tree, for those who look at it."""
        assert self._search is not None
        return self._search.reader(self._at)

    def snapshot(self, seconds: float) -> Report:
        """What the search that runs has found so far; for `watch`."""
        report = self.reader().report(0, seconds)
        return replace(report, simulations=sum(move.visits for move in report.moves))

    def line(self, first: str) -> list[tuple[str, int]]:
        """The moves that the search expects from this one on, at every node the most visited, and their visits.

        >>> import mcrave
        >>> from mcrave.players import parse_player
        >>> engine = Engine(parse_player("mc_rave@500").setup)
        >>> report = engine.search(mcrave.game("go(size=3)").start())
        >>> [move for move, _ in engine.line(report.best)] == report.pv
        True
        """
        reader = self.reader()
        found: list[tuple[str, int]] = []
        tree, position, node = reader.tree, reader.position, 0
        wanted = position.number(first)
        while node >= 0 and len(found) < MOST_LINE and not position.is_over:
            view = tree.nodes[node]
            edges = range(int(view.first), int(view.first + view.count))
            if not found:
                edge = next((edge for edge in edges if tree.move[edge] == wanted), -1)
            else:
                edge = max(edges, key=lambda edge: tree.n[edge], default=-1)
            given = tree.given[edge] if tree.given.size else 0.0
            if edge < 0 or int(tree.move[edge]) not in position.moves or (found and tree.n[edge] <= given):
                break
            found.append((position.name(tree.move[edge]), round(float(tree.n[edge] - given))))
            position = position.play(int(tree.move[edge]))
            node = int(tree.child[edge])
        return found or [(first, 0)]


def _never() -> bool:
    return False


def fixed(seconds: float) -> Allowance | None:
    """So many seconds and no more."""
    return Allowance(seconds, seconds) if seconds else None


def _is_decided(report: Report) -> bool:
    """Whether nothing can change who wins."""
    best = max((move.value for move in report.moves if move.move == report.best), default=0.5)
    return best <= DECIDED or best >= 1.0 - DECIDED


def _is_unclear(report: Report) -> bool:
    """Whether the most visited move is not the best one, or another is visited nearly as often."""
    if len(report.moves) < 2:
        return False
    first, *others = report.moves
    rivals = [move for move in others if move.visits >= CLOSE * first.visits]
    return bool(rivals) or any(move.value > first.value and move.visits >= 0.3 * first.visits for move in others)


def simulations_behind(report: Report) -> int:
    """Those of the search, with those that a kept tree brought from earlier moves."""
    return max(report.simulations, sum(move.visits for move in report.moves))


def comment_on(report: Report | None, move: MoveReport) -> str:
    """What the engine thought of its move, in words.

    >>> comment_on(None, MoveReport("pass", 0, 1.0, 0, 0, 0, 0, 0))
    'pass: 100.0 %'
    """
    head = f"{move.move}: {100 * move.value:.1f} %"
    if report is None:
        return head
    lines = [
        f"{head}, {move.visits:,} of {simulations_behind(report):,} simulations",
        f"expected: {' '.join(report.pv[:12])}",
    ]
    others = [each for each in report.moves if each.move != move.move and each.visits][:3]
    if others:
        lines.append("then: " + ", ".join(f"{each.move} {100 * each.value:.1f} % ({each.visits:,})" for each in others))
    return "\n".join(lines)


def best_stone(report: Report) -> MoveReport | None:
    """The most visited move that is no pass."""
    return next((move for move in report.moves if move.move.lower() != PASS), None)
