"""What matches, tournaments and their reports show."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from mcrave.arena import Contest, MatchResult, Order, Record
    from mcrave.arena.ratings import Rating
    from mcrave.arena.running import Listener

REPEATED = 0.05  # share of repeated games from which on a warning is given
NARROW = 40  # characters of a player's text that are shown in tables


@contextmanager
def progress(orders: Sequence[Order]) -> Iterator[Listener | None]:
    """A bar on a terminal: games done, rate, running score with its interval, time left; nothing in a pipe."""
    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield None
        return
    import time

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from mcrave.arena.statistics import wilson

    total = sum(order.games for order in orders)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    began, played, seen, points = time.perf_counter(), 0, 0, 0.0
    with Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=300) as shown:
        task = shown.add_task("getting ready", total=total)

        def note(contest: Contest, records: Sequence[Record], fresh: bool) -> None:
            nonlocal played, seen, points
            seen += len(records)
            played += len(records) if fresh else 0
            points += sum(record.score() for record in records)
            rate = 3600 * played / max(time.perf_counter() - began, 1e-9)
            said = f"{rate:,.0f} games an hour"
            if len(orders) == 1:
                low, high = wilson(points, seen)
                said = f"{100 * points / seen:.1f} % ({100 * low:.1f} to {100 * high:.1f}), {said}"
            shown.update(task, completed=seen, description=said)

        yield note


def show_match(result: MatchResult) -> None:
    """The result of a match, for a person."""
    from mcrave.arena.results import elo_text

    first, *others = result.contest.players
    print(f"{result.contest.game}: {first} against {' and '.join(others)}, seed {result.contest.seed}")
    if result.games == 0:
        print("no games yet")
        return
    low, high = result.interval
    print(f"{result.wins} won, {result.draws} drawn, {result.losses} lost of {result.games} games")
    print(f"rate  {100 * result.rate:.1f} % (95 %: {100 * low:.1f} to {100 * high:.1f})")
    print(f"Elo   {elo_text(result.elo)}")
    seats = ", ".join(f"{points:g} of {games} in seat {i + 1}" for i, (points, games) in enumerate(result.by_seat))
    print(f"seats {seats}")
    if result.test is not None:
        print(f"test  {_test_text(result)}")
    for line in warnings(result):
        print(line)


def _test_text(result: MatchResult) -> str:
    test = result.test
    assert test is not None
    low, high = test.bounds
    said = {"H1": "accepted", "H0": "rejected"}.get(result.verdict, "not decided yet")
    llr = test.llr(result.pairs)
    return f"{said}: Elo {test.elo1:g} rather than {test.elo0:g}; LLR {llr:.2f}, ends at {low:.2f} and {high:.2f}"


def warnings(result: MatchResult) -> Iterator[str]:
    """What a reader must know: forfeits, games cut off, games that repeat others."""
    for (player, reason), games in result.forfeits.items():
        yield f"forfeit: {player} lost {games} by {reason}"
    if cut := result.endings.get("cap", 0):
        yield f"{cut} games were ended at the move limit"
    if result.duplicates > REPEATED * result.games:
        yield (
            f"{result.duplicates} of {result.games} games repeat an earlier one, so that the interval is too narrow; "
            f"try --opening 2"
        )


def show_ratings(ratings: Sequence[Rating]) -> None:
    """The table of a tournament."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    table.add_column("player")
    for heading in ("Elo", "± 95 %", "games", "points", "share"):
        table.add_column(heading, justify="right")
    for place, rating in enumerate(ratings, 1):
        share = 100 * rating.points / max(rating.games, 1)
        values = (
            f"{rating.elo:.0f}",
            f"{rating.margin:.0f}",
            f"{rating.games}",
            f"{rating.points:g}",
            f"{share:.1f} %",
        )
        table.add_row(f"{place}", Text(rating.player), *values)
    show(table)
    if any(rating.smoothed for rating in ratings):
        print("Somebody won or lost everything: one drawn game was added to each pairing to keep ratings finite.")


def show_results(results: Sequence[MatchResult], names: dict[str, str]) -> None:
    """One line for each contest."""
    from mcrave.arena.results import elo_text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    several = len({result.contest.game for result in results}) > 1
    for heading in (*(["game"] if several else []), "players", ""):
        table.add_column(heading)
    for heading in ("games", "won", "drawn", "lost", "rate", "95 %", "Elo"):
        table.add_column(heading, justify="right")
    for result in results:
        players = [short(names.get(text, text)) for text in dict.fromkeys(result.contest.players)]
        low, high = result.interval
        values = [f"{result.games}", f"{result.wins}", f"{result.draws}", f"{result.losses}"]
        values += [f"{100 * result.rate:.1f} %", f"{100 * low:.1f}–{100 * high:.1f}", elo_text(result.elo)]
        first, others = players[0], " ".join(players[1:]) or players[0]
        table.add_row(*([result.contest.game] if several else []), Text(first), Text(others), *values)
    show(table)


def short(text: str) -> str:
    """A long text cut."""
    return text if len(text) <= NARROW else text[: NARROW - 1] + "…"


def show(table: Table) -> None:
    """Print a table; a pipe is wide enough for all of it."""
    console = Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=400)
    with console.capture() as drawn:
        console.print(table)
    print("\n".join(line.rstrip() for line in drawn.get().splitlines()))


def kept(path: str, results: Sequence[MatchResult], wanted: int) -> None:
    """Say on stderr how to go on after Ctrl-C."""
    done = sum(result.games for result in results)
    where = f"kept in {path}; the same command goes on" if path else "shown; with --db FILE they would be kept"
    print(f"interrupted: {done} of {wanted} games are {where}", file=sys.stderr)
