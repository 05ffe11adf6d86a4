"""What a session knows: the state that commands change, the engine, and what is said meanwhile."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import NamedTuple

from mcrave.errors import Error, SpecError
from mcrave.games import Position
from mcrave.games.go import Go
from mcrave.gtp.clock import NO_CLOCK, NO_LIMIT, Clock
from mcrave.gtp.defaults import RESIGN_BELOW, default_player
from mcrave.gtp.engine import NO_BANS, Bans, Engine, Plan, best_stone, comment_on, fixed
from mcrave.gtp.ownership import Ownership, ownership
from mcrave.gtp.protocol import Lines, Reply
from mcrave.gtp.rules import DEFAULT_RULES, Rules
from mcrave.gtp.status import dead_chains
from mcrave.players import SearchPlayer, on_cluster, parse_player
from mcrave.search import Report
from mcrave.search.report import MoveReport
from mcrave.sgf import Board, Heading, point_number, save
from mcrave.sgf.board import PASS

START = 19  # points on a side until `boardsize` comes
ENDLESS = 4  # a game of more moves than so many times the points is given up by passing
JUDGED = 1000  # playouts to see which stones are dead
PATIENCE = 5.0  # seconds that a command may take before a program asks its user what to do
PONDER = 60.0  # seconds of thinking ahead at the most


class Settings(NamedTuple):
    """What a user may choose when the engine is started."""

    player: str = ""
    """The default for the board if empty."""
    seed: int = 1
    ponder: bool = False
    resign: float = RESIGN_BELOW
    """Resign below this; 0 for never."""
    lag: float = 0.3
    """Seconds of each move that are lost on the way."""
    analysis: int = 0
    """Simulations of each analysis; 0: until the next input."""
    save: str = ""
    """A folder in which finished games are kept."""
    ray: str = ""
    """The address of a Ray cluster to search on, or `local`."""


@dataclass(frozen=True)
class State:
    """Everything that commands change. A command that fails leaves the old one."""

    rows: int = START
    cols: int = START
    komi: float = 7.5
    rules: Rules = DEFAULT_RULES
    clock: Clock = NO_CLOCK
    opponent: str = ""
    low: int = 0
    """For how many moves in a row the engine was below the resign threshold."""
    _board: Board | None = None

    @cached_property
    def board(self) -> Board:
        """The board; made when it is first asked for, as the first one costs some loading."""
        return self._board or Board.empty(self.game())

    def game(self, handicap: int = 0) -> Go:
        """The rules of the game as the search knows them."""
        komi = self.komi + self.rules.bonus(handicap)
        return Go(rows=self.rows, cols=self.cols, komi=komi, superko=self.rules.ko)

    def with_board(self, board: Board) -> State:
        """The state with another board."""
        return replace(self, _board=board)

    def with_rules(self, komi: float, rules: Rules) -> State:
        """The state with other rules, the moves so far played again."""
        other = replace(self, komi=komi, rules=rules)
        if self._board is None:
            return other
        return other.with_board(self._board.under(other.game(self._board.handicap)))


@dataclass
class Session:
    """A session of one engine.

    >>> session = Session(Settings(player="uct@100"))
    >>> session.state.game()
    go(size=19)
    """

    settings: Settings
    state: State = field(default_factory=State)
    is_finished: bool = False
    lines: Lines | None = None
    """The input, for those who stop when more of it comes."""
    reply: Reply | None = None
    """The reply to the command that is being carried out."""

    def __post_init__(self) -> None:
        """Read the player, so that a mistake is told before anything is asked."""
        self._engine: Engine | None = None
        self._text = ""
        self._kept: Board | None = None
        self._beside: list[float] = []  # seconds that the last moves took beside their simulations
        self.seed = self.settings.seed
        self.engine_for(self.state)
        if self.settings.save:
            try:
                Path(self.settings.save).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise Error(f"cannot make the folder {self.settings.save}: {error.strerror}") from None

    def engine_for(self, state: State) -> Engine:
        """The engine that plays on such a board."""
        text = self.settings.player or default_player(state.rows, state.cols)
        if self._engine is None or self._text != text:
            player = parse_player(text, self.seed)
            if not isinstance(player, SearchPlayer):
                raise SpecError(f"player '{text}' does not search; write a tree policy and a budget, as in uct@1000")
            if self._engine is not None:
                self._engine.wait()
                self._engine.close()
            ray = self.settings.ray
            self._engine = Engine(on_cluster(player.setup, ray) if ray else player.setup, self.seed)
            self._text = text
        return self._engine

    @property
    def engine(self) -> Engine:
        """The engine."""
        return self.engine_for(self.state)

    # What commands do.

    def new_game(self, rows: int, cols: int) -> None:
        """An empty board; the last game is saved if that was asked for, and the clocks begin anew."""
        self.keep()
        state = replace(self.state, rows=rows, cols=cols, clock=Clock.start(self.state.clock.limit), low=0)
        self.get_ready(state)
        self.state = replace(state, _board=Board.empty(state.game()))

    def get_ready(self, state: State) -> None:
        """Compile for a board; before any clock runs all of it, else no longer than programs wait for an answer."""
        patience = PATIENCE if state.clock.limit == NO_LIMIT else None
        self.engine_for(state).get_ready(state.game(), patience)

    def play(self, player: int, move: str, comment: str = "") -> None:
        """Make a move."""
        self.state = self.state.with_board(self.state.board.play(player, move, comment))

    def think(self, player: int, watch: Callable[[], bool] | None = None, banned: Bans = NO_BANS) -> MoveReport | None:
        """The move that the engine would make, None to resign."""
        position = self.state.board.ready(player)
        engine, began = self.engine, time.perf_counter()
        self._set(engine, self._plan(player), watch, banned)
        if len(self.state.board.plays) > ENDLESS * self.state.rows * self.state.cols:
            engine.report = None
            return MoveReport(PASS, 0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0)
        engine.spent = 0.0
        move = engine.decide(position)
        taken = time.perf_counter() - began
        self._beside = [*self._beside[-6:], taken - engine.spent]
        low = self.state.low + 1 if engine.report is not None and move.value < self.settings.resign else 0
        clock = self.state.clock.spend(player, taken)
        self.state = replace(self.state, clock=clock, low=low)
        return None if low >= 2 else move

    def generate(self, player: int, watch: Callable[[], bool] | None = None, clean_up: bool = False) -> str:
        """Think, and make the move."""
        move = self.think(player, watch)
        return self.finish(player, self._clean_up(player, move) if clean_up else move)

    def finish(self, player: int, move: MoveReport | None) -> str:
        """Make the move that was found, and name it."""
        if move is None:
            return "resign"
        self.play(player, move.move, comment_on(self.engine.report, move))
        return move.move

    def _clean_up(self, player: int, move: MoveReport | None) -> MoveReport | None:
        """The move, or another that takes away dead stones of the opponent's while there are any."""
        board, engine = self.state.board, self.engine
        dead = {point for chain in dead_chains(board, 1 - player, self.judge().points) for point in chain}
        if not dead or (move is not None and move.move != PASS and _is_beside(board, move.move, dead)):
            return move or MoveReport(PASS, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        report = engine.report or engine.search(board.ready(player))
        beside = [each for each in report.moves if _is_beside(board, each.move, dead)]

        def worth(each: MoveReport) -> tuple[float, ...]:
            takes = board.play(player, each.move).captured(1 - player) - board.captured(1 - player)
            return round(each.value, 1), takes, each.visits

        return max(beside, key=worth, default=best_stone(report)) or move

    def _plan(self, player: int) -> Plan:
        """How much to think: what was written behind the @, and never more than the clock allows."""
        state, budget = self.state, self.engine.setup.budget
        points = state.rows * state.cols
        beside = median(self._beside) if self._beside else 0.0
        time_limit = state.clock.allowance(player, points, len(state.board.plays), self.settings.lag, beside)
        own = Plan(budget.simulations, fixed(budget.seconds))
        if time_limit is None:
            return own
        if not self.settings.player:  # the default's budget is for games without a clock
            return Plan(0, time_limit)
        if own.time is not None and own.time.seconds < time_limit.seconds:
            return own
        return Plan(own.simulations, time_limit)

    def _set(self, engine: Engine, plan: Plan, watch: Callable[[], bool] | None, banned: Bans = NO_BANS) -> None:
        interrupted = self._is_interrupted
        engine.plan, engine.banned = plan, banned
        engine.watch = interrupted if watch is None else lambda: watch() or interrupted()

    def _is_interrupted(self) -> bool:
        return self.lines is not None and self.lines.is_interrupted

    # Looking at a position.

    def examine(self, player: int | None = None) -> Report:
        """What the engine thinks of the position: from the last search of it, or from a new one."""
        board, engine = self.state.board, self.engine
        position = board.ready(board.to_move if player is None else player)
        if not engine.is_at(position):
            self._set(engine, Plan(engine.setup.budget.simulations, fixed(engine.setup.budget.seconds)), None)
            engine.search(position)
        assert engine.report is not None
        return engine.report

    def judge(self) -> Ownership:
        """Who owns what in the end, by playouts from the position as it is; the same answer every time."""
        board = self.state.board
        return ownership(self.engine.judge(board.ready(board.to_move), JUDGED), board.game)

    def reporter(self, interval: float, show: Callable[[Report], None]) -> Callable[[], bool]:
        """A watch that shows at intervals what a search has found so far, and stops nothing.

        With a fixed size of analyses it shows nothing, so that the same seed gives the same text.
        """
        began = shown = time.perf_counter()

        def watch() -> bool:
            nonlocal shown
            now = time.perf_counter()
            if not self.settings.analysis and now - shown >= interval:
                shown = now
                show(self.engine.snapshot(now - began))
            return False

        return watch

    def analyze(
        self, player: int, interval: float, show: Callable[[Report, Position], None], banned: Bans = NO_BANS
    ) -> None:
        """Search until the next input, or as long as the settings say; show what is found so far at intervals."""
        position, engine, lines = self.state.board.ready(player), self.engine, self.lines
        limit, shown = self.settings.analysis, 0

        def say(report: Report) -> None:
            nonlocal shown
            shown += 1
            show(report, position)

        look = self.reporter(interval, say)
        watch = lambda: look() or (not limit and (lines is None or lines.are_waiting))  # noqa: E731
        self._set(engine, Plan(limit), watch, banned)
        report = engine.search(position)
        if not shown:
            say(report)

    def ponder(self) -> None:
        """Think about the opponent's reply until the next input."""
        board, engine, lines = self.state.board, self.engine, self.lines
        if lines is None or not board.plays or board.position.is_over or not board.plays[-1].comment:
            return
        began = time.perf_counter()
        engine.plan, engine.banned = Plan(0, None), NO_BANS
        engine.watch = lambda: lines.are_waiting or time.perf_counter() - began > PONDER
        engine.search(board.position)

    # Keeping games.

    def keep(self) -> None:
        """Write the game to the folder of the settings, if there is one and something was played.

        What goes wrong is told on stderr: a game must not stop because a disk is full.
        """
        board = self.state.board if self.settings.save else None
        if board is None or not board.plays or board is self._kept:
            return
        folder, stamp = Path(self.settings.save), time.strftime("%Y%m%d-%H%M%S")
        try:
            number = sum(1 for _ in folder.glob(f"{stamp}*.sgf"))
            save(board, folder / f"{stamp}-{number}.sgf", self._heading(board))
            self._kept = board
        except (OSError, Error) as error:
            print(f"mcrave gtp: the game is not saved: {error}", file=sys.stderr)

    def _heading(self, board: Board) -> Heading:
        """Who played: the engine has commented on its own moves."""
        mine = {play.player for play in board.plays if play.comment}
        black, white = ("mcrave" if player in mine else self.state.opponent for player in (0, 1))
        return Heading(black, white, date=time.strftime("%Y-%m-%d"))

    def close(self) -> None:
        """End the session."""
        self.is_finished = True
        self.keep()
        if self._engine is not None and self._engine.wait(0.0):
            self._engine.close()


def _is_beside(board: Board, move: str, stones: set[str]) -> bool:
    """Whether a move is next to one of these stones."""
    if move.lower() == PASS:
        return False
    width, here = board.game.cols + 1, point_number(board.game, move)
    return any(abs(here - point_number(board.game, stone)) in (1, width) for stone in stones)
