"""What is played: a contest is an endless sequence of games, each given by its number alone.

Game `n` of a contest belongs to a round. A round has one game for every seating of the players (for two players:
both colours), all from the same opening. Openings and players draw from streams of random numbers that follow
from the contest's seed and the numbers of round, game and seat. So it does not matter who plays a game, when, and
what was played before.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property

from mcrave.errors import Error, SpecError
from mcrave.games import Game, Position
from mcrave.games import game as game_of
from mcrave.players import parse_player

PASS = "pass"
MOST_DRAWS = 1000  # openings thrown away because they end the game


@dataclass(frozen=True)
class Contest:
    """Everything that the games depend on; `contest(...)` makes one from texts.

    >>> c = contest("mnk", ["uct@100", "random"], seed=7)
    >>> [c.seats(n) for n in range(4)]
    [(0, 1), (1, 0), (0, 1), (1, 0)]
    >>> c.key == contest("mnk()", ["uct() @100", "random"], seed=7).key
    True
    """

    game: str
    players: tuple[str, ...]
    """As many as the game has seats; the score counted is that of the first."""
    seed: int = 1
    opening: int = 0
    """So many random moves begin each game."""
    cap: int = 0
    """After so many moves a game is ended; 0 for the game's own bound."""
    seconds: float = 0.0
    """Who thinks longer about a move forfeits the game; 0 for no limit."""
    agree: tuple[float, int] = (0.0, 0)
    """A game of two is over once both players were this sure of the result for so many moves each."""

    @cached_property
    def key(self) -> str:
        """A hash of all this: contests with the same key have the same games."""
        return hashlib.blake2b(self.to_json().encode(), digest_size=8).hexdigest()

    def to_json(self) -> str:
        """All fields, in one form only."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Contest:
        """What `to_json` wrote.

        >>> c = contest("mnk", ["uct@100", "random"])
        >>> Contest.from_json(c.to_json()) == c
        True
        """
        fields = json.loads(text)
        for field in ("players", "agree"):
            fields[field] = tuple(fields[field])
        return Contest(**fields)

    @cached_property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """All ways to seat the players; those that differ only by equal players count once."""
        first: dict[tuple[str, ...], tuple[int, ...]] = {}
        for seating in itertools.permutations(range(len(self.players))):
            first.setdefault(tuple(self.players[player] for player in seating), seating)
        if len(set(self.players)) == 1:  # a player against itself: let the first copy sit everywhere
            return tuple(_rotated(len(self.players), by) for by in range(len(self.players)))
        return tuple(first.values())

    def seats(self, number: int) -> tuple[int, ...]:
        """Which player sits in each seat of a game."""
        return self.seatings[number % len(self.seatings)]

    def round(self, number: int) -> int:
        """The round that a game belongs to."""
        return number // len(self.seatings)

    def game_seed(self, number: int) -> int:
        """What all randomness of a game's players follows from."""
        return _derived(self.seed, "game", number)

    def start(self, game: Game, number: int) -> Position:
        """The position after the opening, which is the same for all games of a round."""
        dice = random.Random(_derived(self.seed, "opening", self.round(number)))
        for _ in range(MOST_DRAWS):
            position = game.start()
            for _ in range(self.opening):
                moves = _no_pass(position)
                if not moves:
                    break
                position = position.play(dice.choice(moves))
            else:
                if not position.is_over:
                    return position
        raise Error(f"games of {self.game} are over within {self.opening} random moves; choose a shorter opening")


def contest(
    game: str | Game,
    players: Iterable[str],
    *,
    seed: int = 1,
    opening: int = 0,
    cap: int = 0,
    seconds: float = 0.0,
    agree: tuple[float, float] = (0.0, 0),
) -> Contest:
    """A contest, all texts read and brought into one form; what is wrong with them is an `Error`.

    Of two players in a game for more, the second sits in all seats but one.
    """
    rules = game_of(game)
    texts = [str(parse_player(text)) for text in players]
    if len(texts) == 2:
        texts += texts[1:] * (rules.players - 2)
    if len(texts) != rules.players:
        raise SpecError(f"{rules.name} has {rules.players} players, not {len(texts)}")
    for name, value in (("opening", opening), ("cap", cap), ("seconds", seconds)):
        if not value >= 0:
            raise Error(f"{name} must be 0 or more, not {value}")
    sure, moves = agree
    if moves < 0 or moves != int(moves) or not 0 <= sure < 0.5 or bool(moves) != bool(sure):
        raise Error(f"agree needs a value below 0.5 and a number of moves, as in 0.02,4, not {sure:g},{moves:g}")
    return Contest(text_of(rules), tuple(texts), int(seed), opening, cap, float(seconds), (float(sure), int(moves)))


def player_seed(game_seed: int, seat: int) -> int:
    """The seed of the player in a seat."""
    return _derived(game_seed, "seat", seat)


def text_of(game: Game) -> str:
    """The game's text, which another process can read, too."""
    from mcrave.games import _loader

    return _loader.text(game)


def can_travel(game: Game) -> bool:
    """Whether another process can make this game from its text."""
    return type(game).__module__.startswith("mcrave.") or ".py:" in text_of(game)


def _no_pass(position: Position) -> list[int]:
    return [move for move in position.moves.tolist() if position.name(move).lower() != PASS]


def _rotated(n: int, by: int) -> tuple[int, ...]:
    return tuple((seat + by) % n for seat in range(n))


def _derived(seed: int, *path: str | int) -> int:
    """A seed that follows from another one and a path."""
    text = json.dumps([seed, *path])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> 1
