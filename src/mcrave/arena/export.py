"""Results for other programs: CSV, JSON, SGF."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sgfmill import sgf
from sgfmill.common import move_from_vertex

from mcrave.arena.records import Record
from mcrave.arena.schedule import Contest
from mcrave.arena.store import Store
from mcrave.errors import Error
from mcrave.games import Game
from mcrave.games import game as game_of

COLOURS = ("b", "w")
COLUMNS = (
    "contest",
    "number",
    "seed",
    "game",
    "players",
    "outcome",
    "score",
    "ending",
    "loser",
    "note",
    "moves",
    "thinking",
    "slowest",
    "wall",
    "finished",
    "versions",
    "machine",
)


def rows(store: Store) -> Iterator[dict[str, Any]]:
    """Every game as plain values; `players` and `outcome` are in the order of the seats, `loser` is a player's text."""
    for contest in store.contests():
        for record in store.records(contest):
            players = [contest.players[player] for player in record.seats]
            yield {
                "contest": contest.key,
                "number": record.number,
                "seed": record.seed,
                "game": contest.game,
                "players": players,
                "outcome": list(record.outcome),
                "score": record.score(),
                "ending": record.ending,
                "loser": players[record.loser] if record.loser >= 0 else "",
                "note": record.note,
                "moves": record.moves,
                "thinking": list(record.thinking),
                "slowest": record.slowest,
                "wall": record.wall,
                "finished": record.finished,
                "versions": record.versions,
                "machine": record.machine,
            }


def to_csv(store: Store) -> Iterator[str]:
    """A line with the names of the columns, then a line for each game; lists are joined by ` | `."""
    yield _line(COLUMNS)
    for row in rows(store):
        yield _line(" | ".join(map(str, row[c])) if isinstance(row[c], list) else row[c] for c in COLUMNS)


def _line(values: Iterable[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(list(values))
    return text.getvalue()


def to_json(store: Store) -> Iterator[str]:
    """A list of contests, each with its games; one game a line."""
    before = "[\n"
    for contest in store.contests():
        yield before + json.dumps(json.loads(contest.to_json()) | {"key": contest.key})[:-1] + ', "records": ['
        between = "\n"
        for record in store.records(contest):
            yield between + record.to_json()
            between = ",\n"
        yield "\n]}"
        before = ",\n"
    yield "\n]\n" if before != "[\n" else "[]\n"


def to_sgf(store: Store) -> Iterator[str]:
    """Games of Go as one collection."""
    for contest in store.contests():
        game = game_of(contest.game)
        if game.name != "go" or game.rows != game.cols:  # type: ignore[attr-defined]
            raise Error(f"SGF is for go on square boards; {store.path} holds {contest.game}")
        for record in store.records(contest):
            yield sgf_of(contest, record, game) + "\n"


def sgf_of(contest: Contest, record: Record, game: Game) -> str:
    """One game of Go."""
    size: int = game.rows  # type: ignore[attr-defined]
    tree = sgf.Sgf_game(size=size)
    root = tree.get_root()
    names = [contest.players[player] for player in record.seats]
    root.set("PB", names[0])
    root.set("PW", names[1])
    root.set("KM", game.komi)  # type: ignore[attr-defined]
    root.set("RU", "Chinese")
    root.set("DT", record.finished[:10])
    root.set("GN", f"{contest.key} {record.number}")
    root.set("RE", _result(record, game))
    root.set("AP", ("mcrave", record.versions.partition("mcrave ")[2].partition(",")[0] or "?"))
    if record.note:
        root.set("C", record.note)
    if game.handicap:  # type: ignore[attr-defined]
        from mcrave.games.go import handicap_points

        root.set("HA", game.handicap)  # type: ignore[attr-defined]
        stones = handicap_points(size, size, game.handicap)  # type: ignore[attr-defined]
        root.set("AB", {(size - 1 - row, col) for row, col in stones})
    turn = 1 if game.handicap else 0  # type: ignore[attr-defined]
    for move in record.moves.split():
        tree.extend_main_sequence().set_move(COLOURS[turn], move_from_vertex(move, size))
        turn = 1 - turn
    return str(tree.serialise().decode())


def _result(record: Record, game: Game) -> str:
    """As SGF writes it: B+3.5, W+Resign, B+Forfeit, W+Time, 0."""
    if record.outcome[0] == record.outcome[1]:
        return "0"
    winner = "B" if record.outcome[0] > record.outcome[1] else "W"
    if record.ending in ("resigned", "agreed"):
        return f"{winner}+Resign"
    if record.is_forfeit:
        return f"{winner}+{'Time' if record.ending == 'time' else 'Forfeit'}"
    end = game.position(record.moves.split())
    return f"{winner}+{abs(game.score(end.state[0])):g}"  # type: ignore[attr-defined]


FORMATS: dict[str, Callable[[Store], Iterator[str]]] = {"csv": to_csv, "json": to_json, "sgf": to_sgf}
