"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Game = Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="A game, as in hex(size=7), or FILE.py:Class.")]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="The same number gives the same random choices.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Ray = Annotated[
    str, typer.Option("--ray", metavar="ADDRESS", help="Search on a Ray cluster: local, or the address of one.")
]
