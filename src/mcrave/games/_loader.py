"""Games and policies in a user's own file: `path/to/file.py:Class(field=value)`.

The file is imported once, under a name that depends on its path alone, so that compiled code is found again by the
next process. Before a game is used, a random game of it runs in the interpreter, with every index checked and
every promise of the contract tested: a mistake is reported with its file and line. What passed is
noted next to the compiled code, so this costs time only after an edit.

`NUMBA_DISABLE_JIT=1 python -m mcrave.games._loader FILE:CLASS` runs that game and prints the mistake, if any.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import os
import pkgutil
import random
import re
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from mcrave import specs
from mcrave.errors import Error, KernelError, SpecError
from mcrave.games.base import Game
from mcrave.kernel import cache, new
from mcrave.kernel.jit import INTERPRETED
from mcrave.specs import Spec, plain_name

SECONDS = 2.0  # how long a game is tried out
PATIENCE = 5.0  # after how much time of the processor a kernel counts as one that never returns
TEXT = re.compile(r"\s*(?P<file>.+?\.py)\s*(?::\s*(?P<cls>\w*)\s*(?P<fields>\(.*\))?)?\s*", re.DOTALL)

GAMES = ("game",)

_loaded: dict[Path, bytes] = {}  # what each file held when it was imported
_files: dict[type, str] = {}  # where each class that was asked for stands, in the user's words


def is_file(text: str) -> bool:
    """Whether a game's text names a file rather than a registered game.

    >>> is_file("my_game.py:MyGame(size=5)"), is_file("go(size=5)")
    (True, False)
    """
    return TEXT.fullmatch(text) is not None


def load(text: str, kinds: tuple[str, ...] = GAMES) -> Any:
    """The spec `FILE.py:Class(field=value)`; the class may be left out if the file has only one of these kinds."""
    match = TEXT.fullmatch(text)
    if match is None:
        raise SpecError(f"cannot read {text!r} as a {_noun(kinds)} in a file; write FILE.py:Class(field=value,...)")
    path = Path(match["file"]).expanduser()
    cls = _find(_import(path), match["cls"], path, kinds)
    _files[cls] = f"{match['file']}:{plain_name(cls)}"
    spec = specs.parse(f"{cls.name}{match['fields'] or ''}", cls.kind)
    if isinstance(spec, Game):
        _try_out(spec, path)
    return spec


def text(spec: Spec) -> str:
    """The text form with the file, if the spec came from one: another process can read it, too."""
    if (place := _files.get(type(spec))) is None:
        return str(spec)
    return f"{place}{str(spec)[len(spec.name) :]}"


def _noun(kinds: tuple[str, ...]) -> str:
    return "game" if kinds == GAMES else "policy"


# ------------------------------------------------------------------------------------------- importing


def _import(path: Path) -> ModuleType:
    """The file as a module, executed anew if it has changed."""
    try:
        source = path.read_bytes()
    except FileNotFoundError:
        raise SpecError(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        raise SpecError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    path = path.resolve()
    key = hashlib.blake2b(str(path).encode(), digest_size=6).hexdigest()
    name = f"mcrave_user_{re.sub(r'[^0-9A-Za-z]', '_', path.stem)}_{key}"
    if name in sys.modules and _loaded.get(path) == source:
        return sys.modules[name]
    cache._user_sources.discard(path)  # so that an edited file is hashed again
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name] = module  # first: pickles of the compiled code refer to it by name
    try:
        with _on_path(path.parent):
            exec(compile(source, str(path), "exec"), module.__dict__)
    except BaseException as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        if isinstance(error, KeyboardInterrupt):
            raise
        raise located(error, path) from None
    for cls in _specs_in(module).values():
        if cls.name in _library_names(cls.kind):
            specs._registry[cls.kind].pop(cls.name)
            raise KernelError(
                f"{_line_of(cls, path)}: mcrave has a {cls.kind} '{cls.name}' already; choose another name"
            )
        # The compiler tells types apart by this name: classes of two files, or of a file before and after an
        # edit, must differ in it. Pickles go by `__qualname__`.
        version = hashlib.blake2b(key.encode() + source, digest_size=6).hexdigest()
        cls.__name__ = f"{cls.__qualname__}_{version}"
    _loaded[path] = source
    return module


@contextmanager
def _on_path(folder: Path) -> Iterator[None]:
    """Let the file import its neighbours."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        if str(folder) in sys.path:
            sys.path.remove(str(folder))


def _find(module: ModuleType, wanted: str | None, path: Path, kinds: tuple[str, ...]) -> type[Spec]:
    """The class of that name, or the only one, of these kinds."""
    noun = _noun(kinds)
    here = {name: cls for name, cls in _specs_in(module).items() if cls.kind in kinds}
    named = {name: cls for name, cls in here.items() if "name" in vars(cls)}
    plural, found = ("games" if noun == "game" else "policies"), f"found: {', '.join(named) or 'none'}"
    if not wanted:
        if len(named) == 1:
            return next(iter(named.values()))
        raise SpecError(f"name the {noun} in {path.name} as in {path.name}:My{noun.title()}; {plural} {found}")
    if wanted in named:
        return named[wanted]
    base = "Game" if noun == "game" else "TreePolicy"
    if wanted in here:
        base = plain_name(here[wanted].__mro__[1])
        raise KernelError(
            f'{_line_of(here[wanted], path)}: {wanted} has no name; write class {wanted}({base}, name="my_{noun}")'
        )
    if hasattr(module, wanted):
        raise KernelError(f"{path.name}: {wanted} is not a {noun}; write class {wanted}({base}, name=...); {found}")
    raise SpecError(f"there is no class '{wanted}' in {path.name}; {plural} {found}")


def _specs_in(module: ModuleType) -> dict[str, type[Spec]]:
    """The classes of games and policies that the file itself defines."""
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Spec) and value.__module__ == module.__name__
    }


def _library_names(kind: str) -> set[str]:
    """The names of the library's own files of a kind."""
    home = specs._homes.get(kind)
    return {module.name for module in pkgutil.iter_modules(importlib.import_module(home).__path__)} if home else set()


def _line_of(cls: type, path: Path) -> str:
    return f"{path.name}:{inspect.getsourcelines(cls)[1]}"


# ------------------------------------------------------------------------------------------- trying out


def _try_out(game: Game, path: Path) -> None:
    """Play a random game in the interpreter, unless this game in this file passed before."""
    if INTERPRETED:
        return rehearse(game, path)
    note = cache.folder() / f"passed-{hashlib.blake2b(str(game).encode(), digest_size=8).hexdigest()}"
    if note.exists():
        return None
    text = f"{path.resolve()}:{type(game).__qualname__}{str(game)[len(game.name) :]}"
    command = [sys.executable, "-m", "mcrave.games._loader", text]
    packages = os.pathsep.join([str(cache.PACKAGE.parent), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": packages}
    try:
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode == 2:
        raise KernelError(done.stdout.strip().splitlines()[-1])
    if done.returncode == 0:
        note.touch()
    return None


def rehearse(game: Game, path: Path) -> None:
    """Play one random game with the class's own methods; raise `KernelError` at the first broken promise."""
    try:
        with warnings.catch_warnings(), np.errstate(over="warn"), _alarm():
            warnings.simplefilter("error", RuntimeWarning)
            _Rehearsal(game, path).run()
    except KernelError:
        raise
    except Exception as error:
        raise located(error, path, game) from None


@contextmanager
def _alarm() -> Iterator[None]:
    """Interrupt a loop that never ends, in the process that does nothing else."""
    if __name__ == "__main__" and hasattr(signal, "SIGVTALRM"):
        signal.signal(signal.SIGVTALRM, _ring)
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    yield


def _ring(*_: Any) -> None:
    raise TimeoutError("this seems to be in a loop that never ends")


class _Rehearsal:
    """A random game in which nothing is taken on trust."""

    def __init__(self, game: Game, path: Path) -> None:
        self.game, self.path = game, path
        self.kernels: Any = type(game)
        self.rules = specs.lowered(game)

    def run(self) -> None:
        """The whole game, or as much of it as there is time for."""
        game = self.game
        for size in ("max_moves", "max_plies", "codes"):
            self.expect(_is_int(getattr(game, size)(), 1), size, "must return a whole number above 0")
        self.expect(isinstance(game.state_type(), np.dtype), "state_type", "must return record(...)")
        players, symbols = game.players, game.symbols
        self.expect(
            len(set(symbols)) == len(symbols) == players, "state_type", f"class needs symbols: {players} different ones"
        )
        states = new(game.state_type())
        game.setup(states[0])
        end, dice = time.monotonic() + SECONDS, random.Random(1)
        while time.monotonic() < end:
            state = states[0]
            self.check_drawing(state)
            over = self.kernels.is_over(self.rules, state)
            self.expect(over in (True, False), "is_over", f"must return True or False, not {over!r}")
            if over:
                return self.check_results(state)
            moves = self.check_moves(states)
            self.kernels.play(self.rules, state, dice.choice(moves))
        return None

    def check_moves(self, states: Any) -> list[int]:
        """The legal moves, with their names and codes."""
        game, state = self.game, states[0]
        player = self.kernels.to_move(self.rules, state)
        self.expect(_is_int(player, 0, game.players), "to_move", f"must be 0 to {game.players - 1}, not {player!r}")
        out, before = np.full(game.max_moves(), -1, np.int32), states.tobytes()
        n = self.kernels.legal(self.rules, state, out)
        self.expect(_is_int(n, 0), "legal", f"must return how many moves it wrote, not {n!r}")
        self.expect(n > 0, "legal", f"finds no move, but is_over says that the game goes on:\n{game.render(state)}")
        self.expect(n <= len(out), "legal", f"finds {n} moves, but max_moves() is {len(out)}")
        moves = out[:n].tolist()
        self.expect(len(set(moves)) == n, "legal", f"writes a move twice: {moves}")
        self.expect(min(moves) >= 0, "legal", f"writes a negative move: {moves}")
        for move in moves:
            code = self.kernels.code(self.rules, state, move) if hasattr(self.kernels, "code") else move
            what = "code" if hasattr(self.kernels, "code") else "legal"
            self.expect(_is_int(code, 0, game.codes()), what, f"gives {code!r}, but codes() is {game.codes()}")
        names = [game.move_name(state, move) for move in moves]
        self.expect(all(names), "move_name", "must return a text")
        self.expect(len({name.lower() for name in names}) == n, "move_name", f"gives two moves one name: {names}")
        self.expect(states.tobytes() == before, "legal", "changes the state, but only play may do that")
        return moves

    def check_results(self, state: Any) -> None:
        """What each player gets."""
        results = [self.kernels.outcome(self.rules, state, player) for player in range(self.game.players)]
        good = all(isinstance(r, int | float | np.number) and 0 <= r <= 1 for r in results)
        self.expect(good, "outcome", f"must be from 0 to 1 for each player, not {_plain(results)}")
        total = sum(map(float, results))
        self.expect(abs(total - 1) < 1e-6, "outcome", f"of all players must sum to 1, not {_plain(results)}")

    def check_drawing(self, state: Any) -> None:
        """A drawn position reads back as the same."""
        game, drawn = self.game, self.game.render(state)
        self.expect(isinstance(drawn, str), "render", f"must return a text, not {type(drawn).__name__}")
        key = self.kernels.hash(self.rules, state)
        self.expect(_is_int(key), "hash", f"must return a 64-bit whole number, not {key!r}")
        again = new(game.state_type())
        try:
            game.read(drawn, again[0])
        except Error as error:
            self.expect(False, "read", f"does not read what render draws ({error}): {drawn!r}")
        self.expect(game.render(again[0]) == drawn, "read", f"does not bring back what render draws: {drawn!r}")
        same = int(self.kernels.hash(self.rules, again[0])) == int(key)
        self.expect(same, "read", f"gives another hash for the position that render draws: {drawn!r}")

    def expect(self, good: Any, method: str, complaint: str) -> None:
        """Complain about a method, with its file and line."""
        if not good:
            function: Callable[..., Any] = inspect.unwrap(getattr(self.kernels, method))
            place = f"{Path(function.__code__.co_filename).name}:{function.__code__.co_firstlineno}"
            raise KernelError(f"{place}: {method}() {complaint}".replace("\n", " / "))


def _is_int(value: Any, low: float = -np.inf, above: float = np.inf) -> bool:
    return isinstance(value, int | np.integer) and type(value) is not bool and low <= int(value) < above


def _plain(values: list[Any]) -> str:
    return ", ".join(str(value) for value in values)


# ------------------------------------------------------------------------------------------- complaints


def located(error: BaseException, path: Path, game: Game | None = None) -> KernelError:
    """The error as one line that begins with the file and line where it came up."""
    if isinstance(error, SyntaxError) and error.filename:
        return KernelError(f"{Path(error.filename).name}:{error.lineno}: {type(error).__name__}: {error.msg}")
    message = " ".join(str(error).split())
    if isinstance(error, Error) and re.match(rf"{re.escape(path.name)}:\d+: ", message):
        return KernelError(message)
    place, function, trace = path.name, "", error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename) == path.resolve():
            place, function = f"{path.name}:{trace.tb_lineno}", trace.tb_frame.f_code.co_name
        trace = trace.tb_next
    return KernelError(f"{place}: {_reason(error, message, game, function)}")


def blame(error: BaseException) -> str | None:
    """One line for an error that came up in a user's file, however it was reached; None if it did not."""
    for path in _loaded:
        message = str(located(error, path))
        if re.match(rf"{re.escape(path.name)}:\d+: ", message):
            return message
    return None


def _reason(error: BaseException, message: str, game: Game | None, function: str) -> str:
    """What went wrong in the words of someone who writes a game."""
    if isinstance(error, Error | TimeoutError):
        return message
    if game is not None and isinstance(error, AttributeError):
        field = getattr(error, "name", None) or next(iter(re.findall(r"'(\w+)'\W*$", message)), "?")
        if "record" in message:
            return f"the state has no field '{field}'; its fields are {', '.join(game.state_type().names or ())}"
        if isinstance(error.obj, Game):
            return f"the rules have no field '{field}'; their fields are {', '.join(game._fields) or 'none'}"
    if game is not None and isinstance(error, IndexError) and function == "legal":
        return f"{message}; there is room for max_moves() = {game.max_moves()} moves"
    if isinstance(error, RuntimeWarning):
        return f"{message}; widen the field on load, as in np.int64(state.field)"
    if isinstance(error, SystemExit):
        return "the file ends the program when it is imported; put that under if __name__ == '__main__':"
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


if __name__ == "__main__":
    try:
        load(sys.argv[1])
    except Error as mistake:
        print(mistake)
        sys.exit(2)
