"""Many players: who meets whom, read from a file, and a table of ratings.

game = "mnk(size=5,length=4)"
games = 40                      # of each pairing
kind = "round robin"            # or "gauntlet": the first player against each of the others
opening = 2                     # random moves, the same for all games of a round
seed = 1

[players]                       # or players = ["uct@1000", "random"]
old = "uct@1000"
new = "grave(ref=50)@1000"
dice = "random"

[anchor]
dice = 0
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcrave.arena.ratings import Rating, bradley_terry, comparisons
from mcrave.arena.results import MatchResult
from mcrave.arena.running import Order
from mcrave.arena.schedule import contest
from mcrave.errors import Error, SpecError
from mcrave.games import game as game_of
from mcrave.players import parse_player

ROUND_ROBIN, GAUNTLET = "round robin", "gauntlet"
KINDS: dict[str, Any] = {  # the keys of a file, and what stands behind them
    "game": str,
    "games": int,
    "kind": str,
    "players": (list, dict),
    "anchor": dict,
    "seed": int,
    "opening": int,
    "cap": int,
    "seconds": (int, float),
    "agree": list,
}
TYPES = {str: "a text", int: "a whole number", dict: "a table", list: "a list"}


@dataclass(frozen=True)
class Tournament:
    """Who plays whom.

    >>> t = tournament({"game": "mnk", "games": 4, "players": ["uct@10", "uct@20", "random"]})
    >>> len(t.orders), t.orders[0].contest.players
    (3, ('uct@10', 'uct@20'))
    """

    names: dict[str, str]
    """What each player's text is called in tables."""
    orders: list[Order]
    anchor: tuple[str, float] | None = None
    kind: str = field(default=ROUND_ROBIN)

    def ratings(self, results: Sequence[MatchResult]) -> list[Rating]:
        """The table, under the names of the file."""
        return ratings(results, self.names, self.anchor)


def ratings(
    results: Sequence[MatchResult], names: dict[str, str] | None = None, anchor: tuple[str, float] | None = None
) -> list[Rating]:
    """Ratings of all players in some results; the anchor is a name and its rating."""
    texts = list(dict.fromkeys(player for result in results for player in result.contest.players))
    called = {text: (names or {}).get(text, text) for text in texts}
    games = [
        ([called[result.contest.players[player]] for player in record.seats], record.outcome)
        for result in results
        for record in result.records
    ]
    players = list(called.values())
    return bradley_terry(players, comparisons(players, games), anchor)


def read_tournament(path: str | Path, games: int | None = None, seed: int | None = None) -> Tournament:
    """A tournament from a TOML file; `games` and `seed` rule over what stands there."""
    try:
        data = tomllib.loads(Path(path).read_text())
    except FileNotFoundError:
        raise Error(f"there is no file {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Error(f"cannot read {path}: {getattr(error, 'strerror', None) or 'it is not a text'}") from None
    except tomllib.TOMLDecodeError as error:
        raise Error(f"cannot read {path}: {error}") from None
    try:
        return tournament(data | {k: v for k, v in (("games", games), ("seed", seed)) if v is not None})
    except Error as error:
        raise Error(f"{path}: {error}") from None


def tournament(data: dict[str, Any]) -> Tournament:
    """A tournament from what stands in its file."""
    _check(data)
    rules = game_of(data["game"])
    names = _names(data["players"])
    if len(names) < rules.players:
        raise Error(f"a tournament of {rules.name} needs at least {rules.players} players, not {len(names)}")
    kind = data.get("kind", ROUND_ROBIN).replace("_", " ").replace("-", " ")
    groups = itertools.combinations(names, rules.players)
    if kind == GAUNTLET:
        groups = (group for group in groups if group[0] == next(iter(names)))  # type: ignore[assignment]
    elif kind != ROUND_ROBIN:
        raise Error(f"kind must be '{ROUND_ROBIN}' or '{GAUNTLET}', not '{data['kind']}'")
    settings: dict[str, Any] = {key: data[key] for key in ("seed", "opening", "cap", "seconds") if key in data}
    if "agree" in data:
        settings["agree"] = _agree(data["agree"])
    orders = [Order(contest(rules, group, **settings), data.get("games", 100)) for group in groups]
    return Tournament(names, orders, _anchor(data.get("anchor", {}), names), kind)


def _check(data: dict[str, Any]) -> None:
    for key in ("game", "players"):
        if key not in data:
            raise Error(f"a tournament needs '{key} = …'")
    for key, value in data.items():
        if key not in KINDS:
            raise Error(f"a tournament has no '{key}'; known: {', '.join(KINDS)}")
        kinds = KINDS[key] if isinstance(KINDS[key], tuple) else (KINDS[key],)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise Error(f"'{key}' must be {' or '.join(TYPES.get(kind, 'a number') for kind in kinds)}, not {value!r}")


def _names(players: list[Any] | dict[str, Any]) -> dict[str, str]:
    """Text to name."""
    named = players if isinstance(players, dict) else {text: text for text in map(str, players)}
    if len(named) < len(players):
        raise Error("a player stands twice in the list")
    names: dict[str, str] = {}
    for name, text in named.items():
        if not isinstance(text, str):
            raise SpecError(f"player '{name}' must be a text, not {text!r}")
        canonical = str(parse_player(text))
        if canonical in names:
            raise Error(f"players '{names[canonical]}' and '{name}' are the same: {canonical}")
        names[canonical] = name
    return names


def _anchor(given: dict[str, Any], names: dict[str, str]) -> tuple[str, float] | None:
    if not given:
        return None
    (name, elo), *others = given.items()
    if others or isinstance(elo, bool) or not isinstance(elo, int | float):
        raise Error("an anchor is one player and its rating, as in gnugo = 1800")
    if name not in names.values():
        raise Error(f"the anchor '{name}' is not among the players: {', '.join(names.values())}")
    return name, float(elo)


def _agree(given: list[Any]) -> tuple[float, int]:
    if len(given) != 2 or not isinstance(given[0], int | float) or not isinstance(given[1], int):
        raise Error(f"'agree' must be a value and a number of moves, as in [0.02, 4], not {given}")
    return float(given[0]), given[1]
