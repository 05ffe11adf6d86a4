"""`mcrave results`: what a results file holds."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from mcrave.cli import _options

if TYPE_CHECKING:
    from mcrave.arena import MatchResult

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="""Show, report, export, merge or pack the games in results files.

    Examples:
      mcrave results show games.db
      mcrave results report games.db --anchor "random=0"
      mcrave results export games.db --format sgf --output games.sgf
      mcrave results merge all.db here.db there.db
      mcrave results pack games.db games.db.xz
    """,
)
File = Annotated[str, typer.Argument(metavar="FILE", help="A file that --db wrote.", show_default=False)]


@app.command("show")
def show(file: File, json: _options.Json = False) -> None:
    """One line for each match in the file.

    Examples:
      mcrave results show games.db
      mcrave results show games.db --json
    """
    from mcrave.cli import _arena

    results = _read(file)
    if json:
        from json import dumps

        print(dumps([result.as_dict() for result in results]))
    else:
        _arena.show_results(results, {})


@app.command("report")
def report(
    file: File,
    anchor: Annotated[str, typer.Option(metavar="PLAYER=ELO", help="A player whose rating is known.")] = "",
) -> None:
    """Everything the file says: each match with its interval, seats, endings and times; and ratings of all players.

    Examples:
      mcrave results report games.db
      mcrave results report games.db --anchor "gtp:gnugo --mode gtp --level 10=1800"
    """
    from mcrave.arena.tournament import ratings
    from mcrave.cli import _arena
    from mcrave.errors import Error

    results = _read(file)
    fixed = _anchor(anchor) if anchor else None
    for result in results:
        _arena.show_match(result)
        ways = ", ".join(f"{count} by {ending}" for ending, count in result.endings.items())
        seconds = sum(record.wall for record in result.records)
        rate = 3600 * result.games / max(seconds, 1e-9)
        print(f"ends  {ways}; {result.length:.1f} moves a game, {result.duplicates} games repeat an earlier one")
        print(
            f"time  {seconds / result.games:.2f} s a game, {rate:,.0f} games an hour a worker; "
            f"the arena took {100 * result.overhead:.1f} % on top of the players' time"
        )
        if result.pairs:
            print(f"pairs {', '.join(map(str, result.pairs))} with 0, ½, 1, 1½, 2 points")
        print(f"made  {result.records[-1].versions}; {result.records[-1].machine}; contest {result.contest.key}")
        print()
    for game in dict.fromkeys(result.contest.game for result in results):
        those = [result for result in results if result.contest.game == game]
        if len({player for result in those for player in result.contest.players}) > 2 or fixed:
            try:
                table = ratings(those, None, fixed)
            except Error as error:
                print(f"{game}: {error}")
                continue
            print(f"ratings in {game}")
            _arena.show_ratings(table)


@app.command("export")
def export(
    file: File,
    format: Annotated[str, typer.Option("--format", "-f", metavar="FORMAT", help="csv, json or sgf.")] = "csv",
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Where to; by default printed.")] = "",
) -> None:
    """Write all games as CSV, JSON or SGF (SGF for Go).

    Examples:
      mcrave results export games.db > games.csv
      mcrave results export games.db --format json --output games.json
      mcrave results export games.db --format sgf --output games.sgf
    """
    from mcrave.arena import Store
    from mcrave.arena.export import FORMATS
    from mcrave.errors import Error

    if format not in FORMATS:
        raise Error(f"unknown format '{format}'; known: {', '.join(FORMATS)}")
    with Store(file, must_exist=True) as store:
        text = "".join(FORMATS[format](store))
    if not output:
        sys.stdout.write(text)
        return
    if os.path.exists(output) and os.path.samefile(output, file):
        raise Error(f"{output} is the results file itself; choose another name")
    try:
        with open(output, "w") as out:
            out.write(text)
    except OSError as error:
        raise Error(f"cannot write to {output}: {error.strerror}") from None


@app.command("merge")
def merge(
    into: Annotated[str, typer.Argument(metavar="INTO", help="The file to add to; made if need be.")],
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files with games to add; they stay.")],
) -> None:
    """Add the games of some results files to another; a game that is there already does not count twice.

    Examples:
      mcrave results merge all.db here.db there.db
      mcrave results merge games.db games.db.xz      unpacks
    """
    from contextlib import ExitStack

    from mcrave.arena import Store

    with ExitStack() as open_files:
        sources = [open_files.enter_context(Store(file, read_only=True)) for file in files]  # before INTO is made
        target = open_files.enter_context(Store(into))
        for source in sources:
            print(f"{source.path}: {target.add_all(source)} games added to {into}")


@app.command("pack")
def pack(
    file: File,
    output: Annotated[str, typer.Argument(metavar="OUTPUT", help="Where to, ending in .xz.", show_default=False)],
) -> None:
    """Write a small copy of a results file, which can be read as any other but not added to.

    Examples:
      mcrave results pack games.db games.db.xz
      mcrave results report games.db.xz
    """
    from mcrave.arena import Store
    from mcrave.arena.packed import SUFFIX, is_packed
    from mcrave.errors import Error

    if not is_packed(output):
        raise Error(f"{output} should end in {SUFFIX}, as in {file}{SUFFIX}")
    if is_packed(file):
        raise Error(f"{file} is packed already")
    with Store(file, read_only=True) as store:
        print(f"{output} written, {store.pack(output) / 1e6:.2f} MB")


def _read(file: str) -> list[MatchResult]:
    """All contests with games."""
    from mcrave.arena import MatchResult, Store

    with Store(file, must_exist=True) as store:
        results = [MatchResult(contest, store.records(contest)) for contest in store.contests()]
    return [result for result in results if result.games]


def _anchor(text: str) -> tuple[str, float]:
    from mcrave.errors import Error
    from mcrave.players import parse_player

    player, equals, elo = text.rpartition("=")
    try:
        if equals:
            return str(parse_player(player)), float(elo)
    except ValueError as error:
        if isinstance(error, Error):
            raise
    raise Error(f"cannot read the anchor '{text}'; write PLAYER=ELO, as in random=0")
