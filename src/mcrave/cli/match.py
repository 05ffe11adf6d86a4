"""`mcrave match`: two players, and who is stronger."""

from __future__ import annotations

from typing import Annotated

import typer

from mcrave.cli import _options
from mcrave.machine import usable_cores

INTERRUPTED = 130

Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", "-w", metavar="N", help="Processes that play; by default one a processor.", show_default=False
    ),
]
Ray = Annotated[str, typer.Option(metavar="ADDRESS", help="Play on a Ray cluster: local, or the address of one.")]
Device = Annotated[
    str, typer.Option(metavar="DEVICE", help="cpu, or cuda to play thousands of games at once on an NVIDIA GPU.")
]


def match(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game, as in hex(size=7), or FILE.py:Class.", show_default=False)
    ],
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER PLAYER", help="Two players; the first one's score is counted.", show_default=False
        ),
    ],
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", min=1, help="How many games.")] = 100,
    opening: Annotated[
        int, typer.Option("--opening", "--openings", metavar="PLIES", min=0, help="Random moves that begin each pair.")
    ] = 0,
    sprt: Annotated[
        str, typer.Option(metavar="ELO0,ELO1", help="Stop when it is clear which of the two is nearer the truth.")
    ] = "",
    db: Annotated[str, typer.Option(metavar="FILE", help="Keep the games here, and go on from what is there.")] = "",
    cap: Annotated[int, typer.Option(metavar="MOVES", min=0, help="End games here; 0: the game's own bound.")] = 0,
    seconds: Annotated[
        float, typer.Option("--move-time", metavar="SECONDS", min=0, help="Who takes longer for a move forfeits.")
    ] = 0.0,
    agree: Annotated[
        str, typer.Option(metavar="VALUE,MOVES", help="End when both were so sure of the result for so many moves.")
    ] = "",
    workers: Workers = None,
    ray: Ray = "",
    device: Device = "cpu",
    json: _options.Json = False,
    seed: _options.Seed = None,
) -> None:
    """Let two players play each other, seats exchanged after every game, and tell who is stronger.

    A player is TREE[+PLAYOUT][+PRIOR][+CHOICE]@SIMULATIONS, or @2.5s for seconds, or random, or gtp:COMMAND.
    The same seed gives the same games, whatever the number of workers.

    Examples:
      mcrave match "hex(size=7)" "grave@1000" "uct@1000" --games 200
      mcrave match go "mc_rave@3000" "gtp:gnugo --mode gtp --level 10 --chinese-rules --capture-all-dead" --db gnugo.db
      mcrave match mnk "uct(c=0.3)@500" "uct(c=0.6)@500" --games 20000 --opening 2 --sprt 0,20 --db c.db
      mcrave match domineering grave@1000 random --games 10 --json --workers 2
      mcrave match "atarigo(size=8)" "grave@10000" "rave@10000" --games 2000 --device cuda --db atarigo.db
    """
    from mcrave.arena import Manning, Order, Sprt, Store, contest, play_match
    from mcrave.cli import _arena

    played = contest(
        game,
        players,
        seed=1 if seed is None else seed,
        opening=opening,
        cap=cap,
        seconds=seconds,
        agree=pair(agree, "--agree", "0.02,4") if agree else (0.0, 0),
    )
    order = Order(played, games, Sprt(*pair(sprt, "--sprt", "0,20")) if sprt else None)
    manning = Manning(usable_cores() if workers is None else workers, ray, device)
    with Store(db or ":memory:") as store, _arena.progress([order]) as listener:
        result = play_match(order, store, manning, listener=listener)
    if json:
        print(result.to_json())
    else:
        _arena.show_match(result)
    if not result.complete:
        _arena.kept(db, [result], games)
        raise typer.Exit(INTERRUPTED)


def pair(text: str, option: str, example: str) -> tuple[float, float]:
    """Two numbers with a comma between."""
    from mcrave.errors import Error

    try:
        first, second = (float(part) for part in text.split(","))
    except ValueError:
        raise Error(f"cannot read {option} {text}; write {option} {example}") from None
    return first, second
