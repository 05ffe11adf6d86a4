"""`mcrave gtp`: the Go engine for Sabaki, GoGui, Lizzie, CGOS and other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from mcrave.cli import _options


def gtp(
    player: Annotated[
        str,
        typer.Option(
            "--player",
            "-p",
            metavar="PLAYER",
            help="Who thinks, and how much; by default what is best for the size of the board.",
            show_default=False,
        ),
    ] = "",
    ponder: Annotated[bool, typer.Option("--ponder", help="Think in the opponent's time, too.")] = False,
    resign: Annotated[
        float | None,
        typer.Option(metavar="VALUE", min=0, max=1, help="Resign below this; 0: never.", show_default=False),
    ] = None,
    lag: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Time that each move loses on the way to the other side.")
    ] = 0.3,
    analysis: Annotated[
        int, typer.Option(metavar="N", min=0, help="Simulations of an analysis; 0: until the next input.")
    ] = 0,
    save: Annotated[
        str, typer.Option(metavar="FOLDER", help="Keep games here as SGF with the engine's comments.")
    ] = "",
    ray: _options.Ray = "",
    seed: _options.Seed = None,
) -> None:
    """Play Go with any program that speaks the Go Text Protocol (GTP 2).

    A player is TREE[+PLAYOUT][+PRIOR][+CHOICE]@SIMULATIONS, or @2.5s for seconds. A clock, once the other side has set
    one, is obeyed in any case. The commands: docs/gtp.md, or the command help.

    Examples:
      mcrave gtp
      mcrave gtp --player "mc_rave@3000" --resign 0 --seed 1
      mcrave gtp --ponder --lag 1 --save games
      mcrave gtp --player "mc_rave+ray(workers=64)@10s" --ray 10.0.0.1:6379
    """
    from mcrave.gtp import Session, Settings
    from mcrave.gtp.serving import serve_process

    settings = Settings(player=player, ponder=ponder, lag=lag, analysis=analysis, save=save, ray=ray)
    if seed is not None:
        settings = settings._replace(seed=seed)
    if resign is not None:
        settings = settings._replace(resign=resign)
    serve_process(Session(settings))
