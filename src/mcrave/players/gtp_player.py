"""An engine of somebody else's as a player: `gtp:gnugo --mode gtp --level 10`.

The program speaks the Go Text Protocol, version 2 (https://www.lysator.liu.se/~gunnar/gtp/), on its standard input and
output. It is told board size, komi, handicap and every move, and asked by `genmove`; who wins is decided by our
rules alone. Whatever it does wrong in a game is a `Forfeit` with one of these reasons:

- `time`: no complete answer in time; the program is ended, and started again for the next game;
- `crash`: the program has ended by itself;
- `nonsense`: something that is no answer, or an answer that is no move;
- `refused`: an answer with `?` to a command that it must know, or to a move that is legal;
- `illegal move`: a move against our rules.

A program that cannot be started, or does not even set up the board, is an `Error` when it is prepared.
"""

from __future__ import annotations

import os
import selectors
import shlex
import subprocess
import time
from contextlib import suppress

from mcrave.errors import Error, IllegalMove, SpecError
from mcrave.games import Game, Position
from mcrave.players.base import Forfeit, Resigned

PREFIX = "gtp:"
PATIENCE = 120.0  # seconds for a move where the game sets no limit
SETUP = 120.0  # seconds for starting, which may load or compile much, and for every command that needs no thought
GRACE = 0.5  # seconds beyond the limit until a program that does not answer is ended
MOST_BYTES = 1 << 20  # an answer longer than this is none
COLOURS = ("black", "white")


class GtpProcess:
    """A running program, and one question after the other."""

    def __init__(self, command: str) -> None:
        """Start it."""
        try:
            words = shlex.split(command)
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise Error(f"cannot start 'gtp:{command}': {getattr(error, 'strerror', None) or error}") from None
        self._out, self._complaints = b"", b""
        self._pipes = selectors.DefaultSelector()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            self._pipes.register(pipe, selectors.EVENT_READ)

    def ask(self, command: str, seconds: float) -> str:
        """The answer to a command, without its sign; `Forfeit` if none comes."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(command.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._ended(command) from None
        sign, answer = self._answer(command, time.monotonic() + seconds, seconds)
        if sign == "?":
            raise Forfeit("refused", f"'{command}' was answered by '? {_short(answer)}'")
        return answer

    def _answer(self, command: str, until: float, seconds: float) -> tuple[str, str]:
        """The sign and the text of the next answer; empty lines before it are skipped, as GTP says."""
        while True:
            self._out = self._out.replace(b"\r", b"").lstrip(b"\n\t ")
            head, blank, rest = self._out.partition(b"\n\n")
            if self._out[:1] not in (b"=", b"?", b""):
                line = self._out.partition(b"\n")[0]
                raise Forfeit("nonsense", f"'{command}' was answered by '{_short(line.decode(errors='replace'))}'")
            if blank:
                self._out = rest
                text = head.decode(errors="replace")
                return text[0], text[1:].lstrip("0123456789").strip()
            if len(self._out) > MOST_BYTES:
                raise Forfeit("nonsense", f"the answer to '{command}' does not end")
            self._read(command, until, seconds)

    def _read(self, command: str, until: float, seconds: float) -> None:
        """Wait for more of the answer."""
        events = self._pipes.select(max(0.0, until - time.monotonic()))
        if not events and time.monotonic() >= until:
            raise Forfeit("time", f"no answer to '{command}' within {seconds:g} s")
        for key, _ in events:
            data = os.read(key.fd, 65536)
            if key.fileobj is self._process.stderr:
                self._complaints = (self._complaints + data)[-2000:]
            else:
                self._out += data
            if not data:
                self._pipes.unregister(key.fileobj)
                if key.fileobj is self._process.stdout:
                    raise self._ended(command)

    def _ended(self, command: str) -> Forfeit:
        """What is left to say about a program that has closed its end."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        with suppress(OSError, ValueError):
            assert self._process.stderr is not None
            self._complaints += os.read(self._process.stderr.fileno(), 2000)
        code = self._process.poll()
        said = self._complaints.decode(errors="replace").strip().splitlines()
        how = "has closed its output" if code is None else f"ended with {_exit(code)}"
        return Forfeit(
            "crash", f"the program {how} at '{command}'" + (f", saying '{_short(said[-1])}'" if said else "")
        )

    def close(self) -> None:
        """Ask it to quit, then end it and what it has started."""
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.write(b"quit\n")
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)
        self.kill()

    def kill(self) -> None:
        """End it at once."""
        with suppress(OSError):
            os.killpg(self._process.pid, 9)
        self._process.wait()
        self._pipes.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()


class GtpPlayer:
    """Plays what a GTP program answers.

    >>> player = GtpPlayer("gnugo --mode gtp --level 10")
    >>> player.name
    'gtp:gnugo --mode gtp --level 10'
    """

    estimate: float | None = None

    def __init__(self, command: str, seed: int = 1) -> None:
        """The program is started by `prepare`; the seed is passed on if it has the command `set_random_seed`."""
        if not command:
            raise SpecError("player 'gtp:' names no program; write gtp:gnugo --mode gtp --level 10")
        self.command, self.seed = command, seed
        self.name = PREFIX + command
        self.seconds = PATIENCE
        self.version = ""
        """What the program calls itself, once it runs."""
        self._process: GtpProcess | None = None
        self._game: Game | None = None
        self._commands: set[str] = set()
        self._known: Position | None = None
        """The position that the program has on its board, but for `_own`."""
        self._own = -1
        """The move that the program has made since."""

    def prepare(self, game: Game) -> None:
        """Start the program, and set up the board."""
        if game.name != "go" or game.rows != game.cols:  # type: ignore[attr-defined]
            raise Error(f"player '{self.name}' plays go on square boards, not {game}")
        if self._process is not None and self._game == game:
            return
        self._game = game
        try:
            self._restart()
        except Forfeit as error:
            self.close()
            raise Error(f"player '{self.name}' cannot play {game}: {error}") from None

    def _restart(self) -> None:
        self.close()
        self._process = GtpProcess(self.command)
        name = self._ask("name", SETUP)
        self.version = f"{name} {self._ask('version', SETUP)}".strip()
        self._commands = set(self._ask("list_commands", SETUP).split())
        self._set_up()

    def _set_up(self) -> None:
        """An empty board, or the handicap."""
        game = self._game
        assert game is not None
        self._known, self._own = None, -1
        self._ask(f"boardsize {game.rows}", SETUP)  # type: ignore[attr-defined]
        self._ask(f"komi {game.komi:g}", SETUP)  # type: ignore[attr-defined]
        self._ask("clear_board", SETUP)
        if game.handicap:  # type: ignore[attr-defined]
            self._ask(f"fixed_handicap {game.handicap}", SETUP)  # type: ignore[attr-defined]

    def new_game(self, seed: int, seconds: float = 0.0) -> None:
        """An empty board again, from a new process if the last one failed."""
        self.seed, self.seconds = seed, seconds + GRACE if seconds else PATIENCE
        if self._game is None:
            return
        if self._process is None:
            self._restart()
        else:
            self._set_up()
        if "set_random_seed" in self._commands:
            self._ask(f"set_random_seed {seed & 0x7FFFFFFF}", SETUP)

    def choose(self, position: Position) -> int:
        """The program's answer to `genmove`."""
        self.prepare(position.game)
        self._follow(position)
        answer = self._ask(f"genmove {COLOURS[position.to_move]}", self.seconds)
        if answer.lower() == "resign":
            raise Resigned(f"player '{self.name}' resigns")
        try:
            self._own = position.number(answer)
        except IllegalMove:
            if not _is_point(answer):
                raise Forfeit("nonsense", f"'{_short(answer)}' is no move") from None
            raise Forfeit("illegal move", f"{answer.upper()} after {len(position.history())} moves") from None
        self._known = position
        return self._own

    def _follow(self, position: Position) -> None:
        """Tell the program the moves since the last position; all of them if it was another game."""
        moves: list[tuple[Position, int]] = []
        here = position
        while here.parent is not None and here is not self._known:
            moves.append((here.parent, here.last_move))
            here = here.parent
        if here is self._known and moves and moves[-1][1] == self._own:
            moves.pop()
        elif self._known is not None:
            self._set_up()
            return self._follow(position)
        elif here != position.game.start():
            raise Error(f"player '{self.name}' can only play games from the start")
        for before, move in reversed(moves):
            self._ask(f"play {COLOURS[before.to_move]} {before.name(move)}", SETUP)
        return None

    def _ask(self, command: str, seconds: float) -> str:
        if self._process is None:
            raise Forfeit("crash", "the program does not run")
        try:
            return self._process.ask(command, seconds)
        except Forfeit as failure:
            if failure.reason != "refused":  # whatever it says from now on answers an older question
                self._process.kill()
                self._process = None
            raise

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.close()
            self._process = None
        self._known, self._own = None, -1

    def __str__(self) -> str:
        """The text form."""
        return self.name

    def __eq__(self, other: object) -> bool:
        """Equal if of the same command and seed."""
        return isinstance(other, GtpPlayer) and (self.command, self.seed) == (other.command, other.seed)

    def __hash__(self) -> int:
        """Consistent with equality."""
        return hash((self.command, self.seed))


def _is_point(answer: str) -> bool:
    return len(answer) in (2, 3) and answer[0].isascii() and answer[0].isalpha() and answer[1:].isdecimal()


def _exit(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _short(text: str, most: int = 60) -> str:
    line = " ".join(text.split())
    line = "".join(char if char.isprintable() else "?" for char in line)
    return line if len(line) <= most else line[: most - 1] + "…"
