"""The games, one file each. `mcrave.games.Go` is the class in `go.py`, imported when first asked for."""

from __future__ import annotations

import importlib
import re
from typing import Any

from mcrave.errors import SpecError
from mcrave.games._grid import Grid, read_turn, turn_line
from mcrave.games._position import Position
from mcrave.games.base import Game
from mcrave.specs import find, names, parse, plain_name

__all__ = ["Game", "Grid", "Position", "game", "read_turn", "turn_line"]


def game(text: str | Game) -> Game:
    """The game with that text form, or the game itself.

    >>> game("hex(size=7)")
    hex(size=7)

    A game in a file of your own is named by its path: `game("examples/my_game.py:MyGame(size=5)")`.
    """
    if isinstance(text, Game):
        return text
    if ".py" in str(text):
        from mcrave.games import _loader

        if _loader.is_file(text):
            return _loader.load(text)
    return parse(text, "game")


def __dir__() -> list[str]:
    """For completion: the classes of all games too."""
    return sorted([*__all__, *("".join(part.capitalize() for part in name.split("_")) for name in names("game"))])


def __getattr__(name: str) -> Any:
    """`Go`, `LinesOfAction`, …: the class of the game `go`, `lines_of_action`, …."""
    if not name[0].isupper():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    try:
        cls = find(snake, "game")
    except SpecError as error:
        raise AttributeError(str(error)) from None
    module = importlib.import_module(cls.__module__)
    if name not in vars(module):
        raise AttributeError(f"mcrave.games has no '{name}'; did you mean '{plain_name(cls)}'?")
    return vars(module)[name]
