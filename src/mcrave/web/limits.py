"""What a visitor may ask for: bounds on sizes, thinking, memory and uploads, and the texts that are taken.

A text from the page names only what is registered: no file is loaded and no program started for it. What the person
who starts the server names on the command line is taken as it is.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field

from mcrave.errors import Error, SpecError
from mcrave.games import Game, Position
from mcrave.players import SearchPlayer, parse_player
from mcrave.players.base import Budget
from mcrave.players.random_moves import RandomMoves
from mcrave.players.search import Setup
from mcrave.search.parallel import LeafParallel, TreeParallel
from mcrave.specs import parse

SESSIONS = 32
SEARCHES = max(4, 2 * (os.cpu_count() or 1))
MOST_SIMULATIONS = 5_000_000
MOST_SECONDS = 60.0
MEGABYTES, FEW_MEGABYTES = 256, 24  # of a search, and of one more when those together have taken `MOST_MEGABYTES`
MOST_MESSAGE = 1 << 20
MOST_TEXT = 300
MOST_WAITING = 64
MOST_MOVES = 2000
MOST_STATE = 1 << 16
MOST_BRANCHING = 20_000


def _half_the_memory() -> int:
    """Megabytes: half of what the machine has, 4 GB at the most."""
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 1024
    return min(4096, size // (2 << 20))


class Pool:
    """The memory that all searches of all tabs share.

    >>> pool = Pool(300)
    >>> first, second = pool.take(), pool.take()
    >>> first, second
    (256, 24)
    >>> pool.give(first)
    >>> pool.take()
    256
    """

    def __init__(self, megabytes: int) -> None:
        """Nothing is taken yet."""
        self._left, self._lock = megabytes, threading.Lock()

    def take(self) -> int:
        """Megabytes for one search: the usual share, or a small one that is always granted."""
        with self._lock:
            if self._left < MEGABYTES:
                return FEW_MEGABYTES
            self._left -= MEGABYTES
            return MEGABYTES

    def give(self, megabytes: int) -> None:
        """Give a share back."""
        if megabytes == MEGABYTES:
            with self._lock:
                self._left += megabytes


POOL = Pool(_half_the_memory())


@dataclass
class Allowed:
    """What this server offers beside everything that is registered."""

    games: dict[str, Game] = field(default_factory=dict)
    players: set[str] = field(default_factory=set)

    def game(self, text: str) -> Game:
        """The game with that text form; an `Error` if it is unknown or too large.

        >>> Allowed().game("hex(size=5)")
        hex(size=5)
        >>> Allowed().game("evil.py:Game")
        Traceback (most recent call last):
        mcrave.errors.SpecError: cannot read 'evil.py:Game' as a game; write name(field=value,...)
        """
        if text in self.games:
            return self.games[text]
        game: Game = parse(short(text), "game")
        if game.state_type().itemsize > MOST_STATE or game.max_moves() > MOST_BRANCHING:
            raise SpecError(f"{game} is too large for this page")
        return game

    def player(self, text: str) -> SearchPlayer | RandomMoves:
        """The player with that text form, with no more thinking and memory than is allowed.

        >>> str(Allowed().player("uct+tree(threads=200)@99999999"))
        'uct+search(memory=24MB)@5000000'
        >>> Allowed().player("gtp:rm -r x")
        Traceback (most recent call last):
        mcrave.errors.SpecError: a player here is random or a search as grave@1000, not a file or a program
        >>> Allowed().player("uct+local_shape(weights=secret)@10")
        Traceback (most recent call last):
        mcrave.errors.SpecError: a player here is random or a search as grave@1000, not a file or a program
        """
        text = short(text)
        named = text.lower().startswith("gtp:") or ".py" in text or "weights" in text  # no visitor names our files
        if text not in self.players and named:
            raise SpecError("a player here is random or a search as grave@1000, not a file or a program")
        player = parse_player(text, seed=int.from_bytes(os.urandom(4), "little"))
        if isinstance(player, SearchPlayer):
            return SearchPlayer(bounded(player.setup), player.seed)
        if isinstance(player, RandomMoves):
            return player
        raise SpecError(f"'{text}' cannot play on this page")


def short(text: str, most: int = MOST_TEXT) -> str:
    """The text, if it is one and not too long."""
    if not isinstance(text, str):
        raise Error("a text was expected")
    if len(text) > most:
        raise Error(f"a text of {len(text)} characters is too long; {most} are allowed")
    return text


def bounded(setup: Setup) -> Setup:
    """The same player within the bounds; its memory is the least, a session gives it more if there is some."""
    options = dict(setup.options) | {"memory": f"{FEW_MEGABYTES}MB"}
    form = options.get("parallel", TreeParallel(1))
    threads = options.get("threads", 1)
    if isinstance(form, LeafParallel):
        options["parallel"] = LeafParallel(min(form.playouts, 1000))
    else:
        options.pop("parallel", None)
    if threads != 1:
        options["threads"] = 1
    simulations, seconds = setup.budget
    budget = Budget(min(simulations, MOST_SIMULATIONS), min(seconds, MOST_SECONDS))
    return setup._replace(options=tuple(options.items()), budget=budget)


def replayed(start: Position, moves: list[str]) -> list[str]:
    """The names of these moves from a position; an `Error` if one is illegal or there are too many."""
    if len(moves) > MOST_MOVES:
        raise Error(f"a game of {len(moves)} moves is too long; {MOST_MOVES} are allowed")
    names, position = [], start
    for move in moves:
        number = position.number(short(move, 40))
        names.append(position.name(number))
        position = position.play(number)
    return names
