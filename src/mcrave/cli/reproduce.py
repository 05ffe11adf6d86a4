"""`mcrave reproduce`: the papers' tables, ours beside theirs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcrave.cli import _options
from mcrave.cli.match import INTERRUPTED, Device, Ray, Workers
from mcrave.machine import usable_cores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcrave.arena import Manning, Store
    from mcrave.papers import Table
    from mcrave.papers.running import Wanted
    from mcrave.papers.verdict import Judged

PAGES, SPEED, FOLDER = "pages", "speed", "docs/papers"


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="TABLE...", help="Ids of tables, or all, or pages, or speed.", show_default=False),
    ] = None,
    listing: Annotated[bool, typer.Option("--list", "-l", help="List all tables.")] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            metavar="N",
            min=0,
            help="Games of each cell, by default as many as the paper; 0 only shows.",
            show_default=False,
        ),
    ] = None,
    budget: Annotated[str, typer.Option(metavar="TIME", help="Stop after so long: 90s, 30m, 2h.")] = "",
    db: Annotated[str, typer.Option(metavar="FILE", help="Where the games are kept.")] = "papers.db",
    reading: Annotated[
        str, typer.Option(metavar="NAME", help="Play another reading of the paper; a wrong name lists all.")
    ] = "",
    pages: Annotated[str, typer.Option(metavar="DIR", help="Write pages and plots of these tables here.")] = "",
    workers: Workers = None,
    ray: Ray = "",
    device: Device = "cpu",
    json: _options.Json = False,
    seed: _options.Seed = None,
) -> None:
    """Play the games of a published table, and show ours beside theirs with a verdict for each cell.

    First come the best cell of each table and its neighbours, then whole rows. What is in the file already is not
    played again, so the same command goes on after Ctrl-C or at the end of a budget.

    Examples:
      mcrave reproduce --list
      mcrave reproduce grave-table-2 --games 100
      mcrave reproduce all --budget 30m --workers 2
      mcrave reproduce all --device cuda --budget 5m
      mcrave reproduce grave-table-5 grave-table-6 --games 0 --json
      mcrave reproduce grave-table-2 --reading "uniform playouts"
      mcrave reproduce pages --db papers.db --pages docs/papers
      mcrave reproduce speed --pages docs/papers     how long each table takes, measured on a few moves
    """
    from mcrave.arena import Manning, Store
    from mcrave.errors import Error
    from mcrave.papers.catalogue import ALL, select, tables
    from mcrave.papers.running import Wanted
    from mcrave.units import parse_duration

    if listing:
        _list(list(tables().values()) if not names else select(names), json)
        return
    if not names:
        raise Error("name a table, as in mcrave reproduce grave-table-2; --list shows all")
    if reading and (pages or names[0] in (PAGES, SPEED)):
        raise Error("pages show all readings that were played: write them without --reading")
    seconds = parse_duration(budget) if budget else None
    wanted = Wanted(games, seconds, 1 if seed is None else seed)
    if names == [PAGES]:
        with Store(db, must_exist=True) as store:
            _write(list(tables().values()), store, pages or FOLDER, wanted.seed, True)
        return
    if names[0] == SPEED:
        with Store(db) as store:
            _measure(select(names[1:] or [ALL]), store, pages or FOLDER)
        return
    chosen = select(names)
    if reading:
        chosen = [table.read_as(reading) for table in chosen]
    manning = Manning(usable_cores() if workers is None else workers, ray, device)
    manning.check()
    with Store(db, must_exist=games == 0) as store:
        ending = _play(chosen, store, wanted, manning) if games != 0 else ""
        _show(chosen, store, wanted.seed, json)
        if pages:
            _write(chosen, store, pages, wanted.seed, len(chosen) == len(tables()), quiet=json)
    _tell(ending, db)


def _play(chosen: Sequence[Table], store: Store, wanted: Wanted, manning: Manning) -> str:
    from mcrave.cli import _arena
    from mcrave.errors import Error
    from mcrave.papers import layout, running

    steps = running.plan(chosen, wanted)
    if not steps:
        raise Error(f"{chosen[0].id} {layout.missing(chosen[0])[0]}")
    with _arena.progress([step.order for step in steps]) as listener:
        return running.play(steps, store, manning, wanted.seconds, listener)


def _measure(chosen: Sequence[Table], store: Store, folder: str) -> None:
    from mcrave.papers.speed import write_page

    print(f"{write_page(chosen, Path(folder), store, print)} written")


def _tell(ending: str, db: str) -> None:
    """Say on stderr why there is more to play."""
    import sys

    from mcrave.papers import running

    if ending in (running.OUT_OF_TIME, running.INTERRUPTED):
        print(f"{ending}: all finished games are kept in {db}; the same command goes on", file=sys.stderr)
    if ending == running.INTERRUPTED:
        raise typer.Exit(INTERRUPTED)


def _show(chosen: Sequence[Table], store: Store, seed: int, json: bool) -> None:
    from json import dumps

    from mcrave.papers import layout
    from mcrave.papers.verdict import judged

    found = [(table, judged(table, store, seed)) for table in chosen]
    if json:
        print(dumps([layout.as_dict(table, rows) for table, rows in found]))
        return
    for number, (table, rows) in enumerate(found):
        if number:
            print()
        _show_table(table, rows)


def _show_table(table: Table, rows: list[list[Judged | None]]) -> None:
    from rich.table import Table as Grid
    from rich.text import Text

    from mcrave.cli import _arena
    from mcrave.papers import layout

    print(f"{table.paper.authors}, {table.place}: {table.title}")
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    grid.add_column(style="dim")
    width = max(len(row) for row in table.rows)
    for _ in range(width):
        grid.add_column(justify="right")
    for number, band in enumerate(layout.bands(table, rows)):
        if number:
            grid.add_row()
        for line in band.headings:
            grid.add_row(*(Text(text, "bold") for text in line))
        for line in band.lines:
            grid.add_row(*(Text(text, "red" if text == "differs" else "") for text in line))
    _arena.show(grid)
    print(f"ours with 95 % intervals; * marked in the paper; {layout.summary(rows)}")
    for notice in layout.missing(table):
        print(notice)


def _list(chosen: Sequence[Table], json: bool) -> None:
    from json import dumps

    from rich.table import Table as Grid
    from rich.text import Text

    from mcrave.cli import _arena

    if json:
        print(dumps([_described(table) for table in chosen]))
        return
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("table", "cells", "where", "what"):
        grid.add_column(heading, justify="right" if heading == "cells" else "left")
    for table in chosen:
        grid.add_row(
            Text(table.id, "bold"), f"{len(table.cells)}", f"{table.paper.authors}, {table.place}", table.title
        )
    _arena.show(grid)


def _described(table: Table) -> dict[str, object]:
    """For the list."""
    return {
        "id": table.id,
        "paper": str(table.paper),
        "place": table.place,
        "title": table.title,
        "cells": len(table.cells),
        "games": table.games,
    }


def _write(chosen: Sequence[Table], store: Store, folder: str, seed: int, index: bool, quiet: bool = False) -> None:
    from mcrave.papers.page import write_pages

    written = write_pages(chosen, store, Path(folder), seed, index)
    if not quiet:
        print(f"{len(written)} pages written into {folder}")
