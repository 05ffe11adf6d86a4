"""The same games on a GPU, thousands at once (the extra `mcrave[gpu]`).

A game has the seeds, the seats and the opening that `schedule` gives it, and its players think with the kernels that
also run on the processor: so it is the same game, move for move, and the results file takes it once. Here every game
that is over is played through once more, which gives the moves their names and shows that both agree on the result.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version

import numpy as np

from mcrave.arena.records import CAP, RULES, Adjourned, Record, machine, versions
from mcrave.arena.referee import outcome_of, scored
from mcrave.arena.schedule import Contest, player_seed, text_of
from mcrave.arena.store import Store
from mcrave.arena.workers import Task
from mcrave.errors import Error
from mcrave.games import Game, Position
from mcrave.games import game as game_of
from mcrave.games._replay import replay
from mcrave.kernel.cache import fingerprint
from mcrave.kernel.rng import stream
from mcrave.parallel.gpu.engines import Cuda, Engine
from mcrave.parallel.gpu.planning import Thinker, games_that_fit, layout, thinker
from mcrave.parallel.gpu.room import Room, Start, whose_turn
from mcrave.players import SearchPlayer, parse_player
from mcrave.players.random_moves import RandomMoves
from mcrave.players.search import HOPELESS
from mcrave.policies.grave import Grave
from mcrave.policies.rave import Rave
from mcrave.search.options import AMAF_RULES

CUDA = "cuda"


@dataclass
class _Seated:
    """A game in a slot."""

    task: Task
    start: Position
    players: list[int]
    """The index of the player in each seat."""
    dice: list[RandomMoves | None]
    before: tuple[int, ...] = ()
    """Moves since the opening that were made before the game was adjourned."""
    shares: list[float] = field(default_factory=list)
    """Seconds of the device for each seat: the time of a turn, divided by the games whose players thought."""
    slowest: float = 0.0
    thought: float = 0.0
    """Such seconds for the move that is thought about."""


class Gpu:
    """Plays games on a GPU."""

    def __init__(
        self,
        contests: Sequence[tuple[Contest, int]],
        rules: Sequence[Game],
        engine: Engine | None = None,
        store: Store | None = None,
        until: float | None = None,
    ) -> None:
        """For these contests, each with the number of games wanted; what cannot be played there is an `Error`.

        Games that are broken off, by Ctrl-C or `until` (see `Manning`), go into the store and are resumed from there.
        """
        for contest, _ in contests:
            check(contest)
        self.engine = engine or Cuda()
        self.contests = list(contests)
        self.store, self.until = store, until
        self._running: Generator[list[Record], None, None] | None = None
        self._games = {text_of(game): game for game in rules}
        for contest, _ in contests:
            self._thinkers(self._game(contest.game), contest.players)

    def _game(self, text: str) -> Game:
        if text not in self._games:
            self._games[text] = game_of(text)
        return self._games[text]

    def _thinkers(self, game: Game, texts: Sequence[str]) -> list[Thinker]:
        """The players as the device sees them.

        RAVE that plays GRAVE is GRAVE with ref = 0, visit for visit: two programs at once would take the place in the
        caches for instructions from each other.
        """
        setups = [player.setup for player in map(parse_player, texts) if isinstance(player, SearchPlayer)]
        alike = self.engine.together and any(isinstance(setup.tree, Grave) for setup in setups)
        late = not any(name in AMAF_RULES for setup in setups for name, _ in setup.options)
        return [_thinker(game, text, self.engine.together, alike, late) for text in texts]

    def play(self, tasks: Iterator[Task]) -> Iterator[list[Record]]:
        """Finished games as they come; games of one kind of board first, then those of the next."""
        self._running = self._play(tasks)
        return self._running

    def _play(self, tasks: Iterator[Task]) -> Generator[list[Record], None, None]:
        waiting: dict[str, deque[Task]] = {}
        while True:
            if not any(waiting.values()):
                task = next(tasks, None)
                if task is None:
                    return
                waiting.setdefault(task.contest.game, deque()).append(task)
            text = next(text for text, those in waiting.items() if those)
            yield from self._play_game(text, _of_game(text, tasks, waiting))

    def _play_game(self, text: str, tasks: Iterator[Task]) -> Iterator[list[Record]]:
        game = self._game(text)
        contests = {contest.key: (contest, games) for contest, games in self.contests if contest.game == text}
        texts = list(dict.fromkeys(player for contest, _ in contests.values() for player in contest.players))
        thinkers = dict(enumerate(self._thinkers(game, texts)))
        plies = max([game.max_plies(), *(contest.cap for contest, _ in contests.values())])
        minds = [each for each in thinkers.values() if each.simulations] or list(thinkers.values())
        rows = layout(game, minds, plies)
        wanted = sum(games for _, games in contests.values())
        slots = games_that_fit(game, minds, rows, self.engine.free_memory(), wanted)
        slots = self.engine.at_a_time(slots, game.max_plies(), rows.scratch["work"].bytes)
        room = Room(self.engine, game, rows, slots)
        hall = _Hall(room, game, texts, thinkers, slots)
        code = fingerprint()
        for key in contests if self.store is not None else ():
            hall.shelf |= {(key, each.number): each for each in self.store.adjourned(key, code)}  # type: ignore[union-attr]
        resumed = bool(hall.shelf)
        with _interruptible(self.until) as hall.interrupted:
            try:
                yield from hall.play(tasks)
            except (GeneratorExit, KeyboardInterrupt):
                if self.store is not None:
                    self.store.adjourn(contests, hall.adjourned(), code)
                raise
        if resumed and self.store is not None:
            self.store.adjourn(contests, [], code)

    def close(self) -> None:
        """Games in flight are adjourned if there is a store, else lost."""
        if self._running is not None:
            self._running.close()


@contextmanager
def _interruptible(until: float | None) -> Iterator[Callable[[], bool]]:
    """Ctrl-C ends the games between two moves: anywhere else it could fall where Python drops it, as in a finalizer.

    A second one ends them at once. The end of the time counts as the first.
    """
    end = math.inf if until is None else until
    if threading.current_thread() is not threading.main_thread():
        yield lambda: time.monotonic() >= end
        return
    heard: list[int] = []

    def note(signum: int, frame: object) -> None:
        heard.append(signum)
        if len(heard) > 1:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(heard) or time.monotonic() >= end
    finally:
        signal.signal(signal.SIGINT, before)


def check(contest: Contest) -> None:
    """An `Error` if a contest needs a clock."""
    if contest.seconds:
        raise Error("a limit of seconds for a move cannot be kept where thousands of games share a GPU")
    if contest.agree[1]:
        raise Error("--agree is not there for --device cuda; leave it out, and games are played to the end")


@cache
def _thinker(game: Game, text: str, together: bool, alike: bool, late: bool) -> Thinker:
    """With `alike`, RAVE as GRAVE; `late`, whether GRAVE's tables may be made late."""
    player = parse_player(text)
    if alike and isinstance(player, SearchPlayer) and isinstance(player.setup.tree, Rave):
        player = SearchPlayer(player.setup._replace(tree=Grave(0, *player.setup.tree)))
    if isinstance(player, RandomMoves):
        search = SearchPlayer(parse_player("uct@1").setup)._new_search(game)  # type: ignore[attr-defined]
        return thinker(text, search, 0, together=together)
    if not isinstance(player, SearchPlayer):
        raise Error(f"player '{text}' is another program, and cannot play on a GPU; leave --device cuda out")
    if not player.setup.budget.simulations:
        raise Error(f"player '{text}' thinks for seconds; on a GPU a budget is a number of simulations, as in @1000")
    if player.keeps:
        raise Error(f"player '{text}' keeps its tree, which is not there on a GPU; leave keep out")
    search, simulations = player._new_search(game), player.setup.budget.simulations
    return thinker(text, search, simulations, HOPELESS, together=together, late=late, early_stop=player.stops_early)


def _of_game(text: str, tasks: Iterator[Task], waiting: dict[str, deque[Task]]) -> Iterator[Task]:
    """The tasks of one game; those of others are put aside."""
    while True:
        if waiting[text]:
            yield waiting[text].popleft()
            continue
        task = next(tasks, None)
        if task is None:
            return
        waiting.setdefault(task.contest.game, deque()).append(task)


class _Hall:
    """A room, and who sits in it."""

    def __init__(self, room: Room, game: Game, texts: list[str], thinkers: dict[int, Thinker], slots: int) -> None:
        self.room, self.game, self.texts, self.thinkers = room, game, texts, thinkers
        self.interrupted: Callable[[], bool] = lambda: False
        self.seated: list[_Seated | None] = [None] * slots
        self.shelf: dict[tuple[str, int], Adjourned] = {}
        """Games that were adjourned, to be resumed."""
        self._starts: dict[tuple[str, int], Position] = {}
        node, _, rest = machine().partition(": ")
        self._where = f"{node}: {room.engine.name} beside {rest}"

    def play(self, tasks: Iterator[Task]) -> Iterator[list[Record]]:
        """Until there is nothing left to play."""
        self._fill(tasks)
        facts = self.room.facts()
        while True:
            over = self._over(facts)
            histories = self.room.history() if over else None
            leaving = [(self.seated[slot], facts[slot], histories[slot].copy()) for slot in over]  # type: ignore[index]
            results = self.room.results() if over else None
            outcomes = [results[slot].copy() for slot in over]  # type: ignore[index]
            for slot in over:
                self.seated[slot] = None
            if self._fill(tasks):
                facts = self.room.facts()
            began = time.perf_counter()
            movers = self._launch(facts)
            if leaving:  # while the device thinks
                yield [self._record(*each, result) for each, result in zip(leaving, outcomes, strict=True)]  # type: ignore[arg-type]
            if not movers:
                if any(self.seated):
                    continue  # games that were over when they began
                return
            facts = self.room.facts()
            self._share_out(movers, time.perf_counter() - began, facts.played.tolist())
            if self.interrupted():
                raise KeyboardInterrupt

    def _fill(self, tasks: Iterator[Task]) -> bool:
        """Seat the next games in empty slots; whether there were any."""
        starts = []
        for slot in [slot for slot, seated in enumerate(self.seated) if seated is None]:
            task = next(tasks, None)
            if task is None:
                break
            contest, number = task.contest, task.number
            seats = contest.seats(number)
            seed = contest.game_seed(number)
            seeds = [player_seed(seed, seat) for seat in range(len(seats))]
            texts = [contest.players[player] for player in seats]
            dice = [
                RandomMoves(own) if text == RandomMoves.name else None for own, text in zip(seeds, texts, strict=True)
            ]
            start = self._start(contest, number)
            players = [self.texts.index(text) for text in texts]
            streams = tuple(int(stream(own)[0].state) for own in seeds)
            fresh = Adjourned(contest.key, number, (), streams, (0.0,) * len(seats), 0.0)
            known = self.shelf.pop((contest.key, number), fresh)
            self.seated[slot] = _Seated(task, start, players, dice, known.moves, list(known.thinking), known.slowest)
            starts.append(Start(slot, self._resumed(start, known.moves), known.streams))
        self.room.begin(starts)
        return bool(starts)

    def _start(self, contest: Contest, number: int) -> Position:
        """The opening of a round, which several games have in common."""
        key = (contest.key, contest.round(number)) if contest.opening else ("", 0)
        if key not in self._starts:
            if len(self._starts) > len(self.seated):
                self._starts.clear()
            self._starts[key] = contest.start(self.game, number)
        return self._starts[key]

    def _resumed(self, start: Position, moves: Sequence[int]) -> Position:
        """The position after the moves; its own history is needed only where the rules look at it."""
        if not len(start.situations):
            return replay(self.game, start, moves).last if moves else start
        for move in moves:
            start = start.play(move)
        return start

    def adjourned(self) -> list[Adjourned]:
        """All that it takes to go on later with the games that are being played, and those not yet resumed.

        Left out are those that use more: what playouts have learnt in the game, or the dice of `random`.
        """
        facts, histories, streams = self.room.facts(), self.room.history(), self.room.streams()
        found = list(self.shelf.values())
        for slot, seated in enumerate(self.seated):
            if seated is None or any(seated.dice) or any(self.thinkers[player].learns for player in seated.players):
                continue
            moves = (*seated.before, *histories[slot][: facts[slot].played].tolist())
            if facts[slot].done:  # the move that is thought about is begun anew
                streams[slot][facts[slot].mover] = facts[slot].began
            rest = (tuple(streams[slot].tolist()), tuple(seated.shares), seated.slowest)
            found.append(Adjourned(seated.task.contest.key, seated.task.number, moves, *rest))
        return found

    def _over(self, facts: np.recarray) -> list[int]:
        """The slots whose games have come to an end."""
        most = self.game.max_plies()
        over, played = facts.over.tolist(), facts.played.tolist()
        return [
            slot
            for slot, seated in enumerate(self.seated)
            if seated is not None
            and (
                over[slot]
                or seated.task.contest.opening + len(seated.before) + played[slot] >= (seated.task.contest.cap or most)
            )
        ]

    def _launch(self, facts: np.recarray) -> list[int]:
        """Let those move whose turn it is; returns their slots."""
        slots: dict[int, list[int]] = {}
        turns, over = facts.mover.tolist(), facts.over.tolist()
        for slot, seated in enumerate(self.seated):
            if seated is not None and not over[slot]:
                slots.setdefault(seated.players[turns[slot]], []).append(slot)
        slots = {player: slots[player] for player in whose_turn(self.thinkers, slots)}
        self._turns, self._played = turns, facts.played.tolist()
        self.room.move(self.thinkers, slots, self._drawn(slots, facts))
        return [slot for those in slots.values() for slot in those]

    def _drawn(self, slots: Mapping[int, Sequence[int]], facts: np.recarray) -> dict[int, list[int]]:
        """The moves of players who draw them."""
        drawn: dict[int, list[int]] = {}
        legal = None
        for player, those in slots.items():
            for slot in those:
                seated = self.seated[slot]
                dice = seated and seated.dice[self._turns[slot]]
                if dice:
                    legal = self.room.legal_moves() if legal is None else legal
                    drawn.setdefault(player, []).append(dice.pick(legal[slot][: facts[slot].moves]))
        return drawn

    def _share_out(self, movers: list[int], seconds: float, played: list[int]) -> None:
        share = seconds / len(movers)
        for slot in movers:
            seated = self.seated[slot]
            assert seated is not None
            seated.shares[self._turns[slot]] += share
            seated.thought += share
            if played[slot] != self._played[slot]:
                seated.slowest, seated.thought = max(seated.slowest, seated.thought), 0.0

    def _record(self, seated: _Seated, facts: np.record, history: np.ndarray, results: np.ndarray) -> Record:
        contest, number = seated.task.contest, seated.task.number
        moves = [*seated.before, *history[: facts.played].tolist()]
        names, last, legal = replay(self.game, seated.start, moves)
        names = seated.start.history() + names
        agrees = legal and bool(facts.over) == last.is_over
        if not agrees or (facts.over and outcome_of(last) != tuple(results.tolist())):
            raise Error(
                f"game {number} of {contest.game} went otherwise on the GPU than by the rules here; please report "
                f"this with: {' '.join(names)}"
            )
        if not last.is_over:  # where there are passes to come, the history counts
            last = seated.start
            for move in moves:
                last = last.play(move)
        return Record(
            contest=contest.key,
            number=number,
            seed=contest.game_seed(number),
            seats=contest.seats(number),
            outcome=outcome_of(last) if last.is_over else scored(last),
            ending=RULES if last.is_over else CAP,
            moves=" ".join(names),
            thinking=tuple(round(share, 6) for share in seated.shares),
            slowest=round(seated.slowest, 6),
            wall=round(sum(seated.shares), 6),
            finished=datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"),
            versions=f"{versions()}{_cuda_version()}",
            machine=self._where,
        )


@cache
def _cuda_version() -> str:
    try:
        return f", numba-cuda {version('numba-cuda')}"
    except ImportError:
        return ""
