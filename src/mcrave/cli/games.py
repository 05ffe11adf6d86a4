"""`mcrave games`: what can be played."""

from __future__ import annotations

from typing import Annotated

import typer

from mcrave.cli import _options


def games(
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game", "-g", metavar="GAME", help="Show this game only; may be given again.", show_default=False
        ),
    ] = None,
    json: _options.Json = False,
    seed: _options.Seed = None,
) -> None:
    """List the games, with the fields of their rules.

    A game is written name(field=value,...); every field has a default.

    Examples:
      mcrave games
      mcrave games --json
      mcrave games --game examples/my_game.py:MyGame
    """
    import mcrave
    from mcrave.cli._listing import described, show
    from mcrave.specs import names

    kinds = [type(mcrave.game(text)) for text in (game or names("game"))]
    found = [described(kind) | {"players": kind.players} for kind in kinds]
    if json:
        from json import dumps

        print(dumps(found, indent=2))
    else:
        show(found)
