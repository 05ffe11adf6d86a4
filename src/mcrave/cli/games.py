"""`mcrave games`: what can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mcrave.cli import _options

if TYPE_CHECKING:
    from mcrave.games import Game


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
    from mcrave.specs import names

    found = [_described(mcrave.game(text)) for text in (game or names("game"))]
    if json:
        from json import dumps

        print(dumps(found, indent=2))
    else:
        _show(found)


def _described(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "players": game.players,
        "fields": {field: list(v) if isinstance(v, tuple) else v for field, v in game._defaults.items()},
        "text": f"{game.name}({','.join(_shown(game))})",
        "about": (type(game).__doc__ or "").strip().split("\n")[0],
    }


def _shown(game: Game) -> list[str]:
    """The fields with their defaults; a square board's rows and columns follow from its size."""
    from mcrave.specs import _text

    return [
        f"{field}={_text(value)}"
        for field, value in game._defaults.items()
        if not (field in ("rows", "cols") and value == 0)
    ]


def _show(found: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    if not console.is_terminal:
        for entry in found:
            print(f"{entry['text']}  {entry['about']}")
        return
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for entry in found:
        name, _, fields = entry["text"].partition("(")
        table.add_row(f"[bold cyan]{name}[/]({fields}", entry["about"])
    console.print(table)
