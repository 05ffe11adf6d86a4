"""The list of commands. A command is a function with the decorator `command`; nothing else has to be edited.

It is called with the session and the arguments, and returns the text of its reply; `Failure` is an error with this
text. Whatever it has changed in `session.state` is then undone.
"""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from mcrave.errors import Error

if TYPE_CHECKING:
    from mcrave.gtp.session import Session

Arguments = tuple[str, ...]
Handler = Callable[["Session", Arguments], str | None]


class Failure(Error):
    """A command that cannot be carried out; the texts are GNU Go's wherever it has one."""


class Command(NamedTuple):
    """A command."""

    name: str
    arguments: str
    """As users write them, in the documentation."""
    group: str
    help: str
    handler: Handler


_commands: dict[str, Command] = {}


def command(name: str, arguments: str = "") -> Callable[[Handler], Handler]:
    """Make a function a command; the first line of its docstring is its help."""

    def register(handler: Handler) -> Handler:
        text = (inspect.getdoc(handler) or "").partition("\n")[0]
        group = handler.__module__.rpartition(".")[2]
        _commands[name] = Command(name, arguments, group, text, handler)
        return handler

    return register


@cache
def commands() -> dict[str, Command]:
    """All commands by name, sorted.

    >>> list(commands())[:3]
    ['all_legal', 'analyze', 'boardsize']
    """
    from mcrave.gtp import commands as home

    for module in pkgutil.iter_modules(home.__path__):
        importlib.import_module(f"{home.__name__}.{module.name}")
    return dict(sorted(_commands.items()))


def table() -> str:
    """All commands as the tables of the documentation, one for each group."""
    lines: list[str] = []
    found = commands().values()
    for group in sorted({command.group for command in found}):
        lines += [f"### {group.capitalize()}", "", "| command | what it does |", "| --- | --- |"]
        for each in (command for command in found if command.group == group):
            usage = f"{each.name} {each.arguments}".strip().replace("|", "\\|")
            lines.append(f"| `{usage}` | {each.help} |")
        lines.append("")
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------- reading arguments


def player(arguments: Arguments, index: int = 0, complaint: str = "invalid color") -> int:
    """The player that an argument names: 0 for Black.

    >>> player(("White",)), player(("b",))
    (1, 0)
    """
    word = arguments[index].lower() if index < len(arguments) else ""
    if word not in COLOURS:
        raise Failure(complaint)
    return COLOURS[word]


COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}


def whole(arguments: Arguments, index: int, complaint: str) -> int:
    """A whole number of at most 18 digits.

    >>> whole(("-5",), 0, "not a number")
    -5
    """
    word = arguments[index] if index < len(arguments) else ""
    if re.fullmatch(r"[+-]?[0-9]{1,18}", word) is None:
        raise Failure(complaint)
    return int(word)


def number(arguments: Arguments, index: int, complaint: str) -> float:
    """A finite number."""
    try:
        value = float(arguments[index])
    except (IndexError, ValueError):
        raise Failure(complaint) from None
    if not math.isfinite(value):
        raise Failure(complaint)
    return value
