"""The table at which a game is played: asks people, waits for engines, shows what happens."""

from __future__ import annotations

import contextlib
import shlex
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from rich.console import Console, RenderableType
from rich.text import Text

from mcrave.cli import _screen
from mcrave.errors import Error
from mcrave.games import Position
from mcrave.players import Player, parse_player
from mcrave.playouts import sample

with contextlib.suppress(ImportError):
    import readline  # noqa: F401  (lines can then be edited, and called back by the arrow keys)

PACE = 0.4  # seconds from one engine's move to the next when someone watches
JUDGE = 1000  # random playouts that decide a game without end
ADVISER = "grave@1.5s"
HELP = """\
Type a move by its name, or
  moves   the legal moves
  hint    what an engine would play
  undo    take back your last move
  rules   how the game is played
  quit    leave; you are told how to come back"""


class Seat(NamedTuple):
    """A player's place: an engine, or None for a person."""

    engine: Player | None

    @property
    def name(self) -> str:
        """What the legend says."""
        return self.engine.name if self.engine else "you"


class _Left(Exception):
    """The person leaves the table, with this exit code."""

    def __init__(self, code: int) -> None:
        self.code = code


class Table:
    """One game, from a position to its end."""

    def __init__(self, text: str, position: Position, seats: list[Seat], watched: bool, seed: int) -> None:
        """`text` names the game as the user did; `watched` means that a person sees the board after each move."""
        self.text, self.position, self.seats, self.watched, self.seed = text, position, seats, watched, seed
        self.game = position.game
        self.names = [seat.name for seat in seats]
        self.people = [i for i, seat in enumerate(seats) if seat.engine is None]
        self.console = Console(highlight=False)
        self.news: list[RenderableType] = []
        self.commands: dict[str, Callable[[], None]] = {
            "?": lambda: self.console.print(HELP),
            "help": lambda: self.console.print(HELP),
            "moves": self.show_moves,
            "hint": self.show_hint,
            "undo": self.take_back,
            "rules": self.show_rules,
            "quit": self.leave,
            "q": self.leave,
        }

    def play(self) -> int:
        """The whole game; returns the exit code."""
        try:
            if not self.watched:
                print(f"{self.game}, {' against '.join(self.names)}, seed {self.seed}", flush=True)
            self.show()
            while not self.position.is_over and not self.is_endless():
                seat = self.seats[self.position.to_move]
                if seat.engine is None:
                    self.ask()
                else:
                    self.wait_for(seat.engine)
            self.finish()
        except _Left as left:
            return self.say_goodbye(left.code)
        except KeyboardInterrupt:
            print()
            return self.say_goodbye(130)
        return 0

    def is_endless(self) -> bool:
        """Whether engines have played far beyond the length of a game."""
        return not self.people and self.ply() >= 2 * self.game.max_plies()

    def ply(self) -> int:
        """How many moves were made."""
        return _screen.ply(self.position)

    # Moves.

    def wait_for(self, engine: Player) -> None:
        """Let an engine move."""
        began = time.monotonic()
        if self.watched:
            with self.console.status(f"{engine.name} is thinking …"):
                move = engine.choose(self.position)
            if not self.people:
                time.sleep(max(0.0, PACE - (time.monotonic() - began)))
        else:
            move = engine.choose(self.position)
        self.advance(move, engine)

    def ask(self) -> None:
        """Let the person move or give a command, once."""
        symbol = self.game.symbols[self.position.to_move]
        try:
            line = input(f"Your move, {symbol} (? for help): ").strip()
        except EOFError:
            print()
            raise _Left(0) from None
        command = self.commands.get(line.lower())
        if not line:
            return
        if command is not None:
            command()
            return
        try:
            self.advance(self.position.number(line), None)
        except Error as error:
            self.console.print(Text(str(error), "red"))

    def advance(self, move: int, engine: Player | None) -> None:
        """Make a move and show it."""
        mover, name = self.position.to_move, self.position.name(move)
        self.position = self.position.play(move)
        estimate = engine.estimate if engine else None
        self.news = [*self.news[-(len(self.seats) - 1) :], _screen.report(self.position, estimate, self.names[mover])]
        if self.watched:
            self.show()
        else:
            expected = "" if estimate is None else f"{_screen.percent(estimate):>6}"
            print(f"{self.ply():4} {self.game.symbols[mover]} {name:<6}{expected}".rstrip(), flush=True)

    # What a person may type.

    def show_moves(self) -> None:
        """All legal moves."""
        self.console.print(Text(" ".join(self.position.legal_moves())))

    def show_hint(self) -> None:
        """What an engine would do here."""
        adviser = next((seat.engine for seat in self.seats if seat.engine), None)
        if adviser is None or adviser.name == "random":
            adviser = parse_player(ADVISER, self.seed)
        move = adviser.choose(self.position)
        expected = "" if adviser.estimate is None else f", expecting to win {_screen.percent(adviser.estimate)}"
        self.console.print(Text(f"{adviser.name} would play {self.position.name(move)}{expected}"))

    def take_back(self) -> None:
        """Go back to the person's last turn."""
        earlier, me = self.position.parent, self.position.to_move
        while earlier is not None and earlier.to_move != me:
            earlier = earlier.parent
        if earlier is None:
            self.console.print(Text("there is no move of yours to take back", "red"))
            return
        self.position, self.news = earlier, []
        self.show()

    def show_rules(self) -> None:
        """The docstring of the game's file."""
        module: Any = sys.modules[type(self.game).__module__]
        self.console.print(Text((module.__doc__ or type(self.game).__doc__ or "").strip()))

    def leave(self) -> None:
        """Stop here."""
        raise _Left(0)

    # What is shown.

    def show(self) -> None:
        """The board, if somebody sees it."""
        if self.watched:
            self.console.clear()
            self.console.print(_screen.screen(self.position, self.names, self.news, self.console.width))
        elif self.people:
            print(self.position, flush=True)

    def finish(self) -> None:
        """The last board and the result."""
        if not self.watched:
            print(self.position)
        players = range(self.game.players)
        if self.position.is_over:
            results = [self.position.outcome(player) for player in players]
            line = f"{_screen.verdict(results, self.game.symbols, self.names)} after {self.ply()} moves"
        else:
            values = sample(self.position, JUDGE, self.seed).values
            results = [float(value == max(values)) for value in values]
            who = _screen.verdict(results, self.game.symbols, self.names)
            line = f"no end after {self.ply()} moves; by {JUDGE} random playouts from here, {who}"
        self.console.print(Text(line, "bold"), soft_wrap=True)

    def say_goodbye(self, code: int) -> int:
        """Tell how to come back: nothing is lost."""
        again = ["mcrave", "play", "--game", self.text]
        again += ["--players", ",".join(seat.engine.name if seat.engine else "human" for seat in self.seats)]
        again += ["--moves", " ".join(self.position.history())] if self.ply() else []
        again += ["--terminal"] if self.watched else []
        with contextlib.suppress(BrokenPipeError):
            print(f"left after {self.ply()} moves; to go on: {shlex.join(again)}")
        return code
