"""`mcrave tournament`: many players, and a table of ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mcrave.cli import _options
from mcrave.cli.match import INTERRUPTED, Device, Ray, Workers
from mcrave.machine import usable_cores


def tournament(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A TOML file with game, games and players.", show_default=False)
    ],
    games: Annotated[
        int | None, typer.Option("--games", "-n", metavar="N", min=1, help="Games of each pairing.", show_default=False)
    ] = None,
    db: Annotated[
        str, typer.Option(metavar="RESULTS", help="Where the games are kept; by default beside FILE, with .db added.")
    ] = "",
    workers: Workers = None,
    ray: Ray = "",
    device: Device = "cpu",
    json: _options.Json = False,
    seed: _options.Seed = None,
) -> None:
    """Play a round robin or a gauntlet, and rate all players (Bradley–Terry, on the scale of Elo).

    A run that was ended goes on where it stopped. In the file stand game, games (of each pairing), players, and if
    wanted kind (round robin or gauntlet), opening, cap, seconds, agree, seed, and an anchor.

    Examples:
      mcrave tournament league.toml --workers 2
      mcrave tournament league.toml --games 500 --json
      mcrave results report league.toml.db

    A file:
      game = "hex(size=7)"
      games = 100
      players = ["uct@1000", "mc_rave@1000", "grave@1000", "random"]
      anchor = { random = 0 }
    """
    from mcrave.arena import Manning, Store, play_orders
    from mcrave.arena.tournament import read_tournament
    from mcrave.cli import _arena

    played = read_tournament(file, games=games, seed=seed)
    path = db or f"{file}.db"
    manning = Manning(usable_cores() if workers is None else workers, ray, device)
    with Store(Path(path)) as store, _arena.progress(played.orders) as listener:
        results = play_orders(played.orders, store, manning, listener=listener)
    complete = all(result.complete for result in results)
    some = [result for result in results if result.games]
    table = played.ratings(some) if complete else []
    if json:
        from dataclasses import asdict
        from json import dumps

        print(dumps({"ratings": [asdict(rating) for rating in table], "matches": [r.as_dict() for r in results]}))
    else:
        if table:
            _arena.show_ratings(table)
            print()
        _arena.show_results(some, played.names)
        for result in some:
            for line in _arena.warnings(result):
                print(f"{' – '.join(played.names.get(text, text) for text in result.contest.players)}: {line}")
    if not complete:
        _arena.kept(path, results, sum(order.games for order in played.orders))
        raise typer.Exit(INTERRUPTED)
