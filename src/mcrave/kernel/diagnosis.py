"""Turn a compiler's page of output into one line: file, line, what is wrong, what would be right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_FIELD = re.compile(r"Unknown attribute '(\w+)' of type (\w+)")
_NAME = re.compile(r"NameError: name '(\w+)' is not defined|Untyped global name '(\w+)'")
_NOISE = re.compile(
    r"^(Failed in|During:|File |There are|Overload of|No implementation|- Resolution|with error|In function"
    r"|Rejected|this error is usually|raised from|>>>|\[1\]|<source|Enable logging|- argument|Of which|def )"
)
_WHY = (
    "Cannot unify",
    "Unknown attribute",
    "Invalid use of",
    "Untyped global name",
    "NameError",
    "Use of unsupported",
    "Unsupported",
    "No conversion",
    "not supported",
    "cannot",
)


def explain(error: Exception, args: tuple[Any, ...] = ()) -> str:
    """One line for a Numba error: where it is in the user's own file, and what to change."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    return f"{_place(text)}: {_reason(text, args)}"


def _place(text: str) -> str:
    """The innermost line that the message names, a user's file before the library's."""
    places = [(Path(file), int(line)) for file, line in _PLACE.findall(text)]
    own = Path(__file__).parents[1]
    outside = [place for place in places if own not in place[0].resolve().parents] or places
    if not outside:
        return "while compiling"
    path, line = outside[-1]
    return f"{path.name}:{line}"


def _reason(text: str, args: tuple[Any, ...]) -> str:
    if match := _FIELD.search(text):
        field, kind = match.groups()
        names = _field_names(args, kind)
        return f"there is no field '{field}'" + (f"; the fields are {', '.join(names)}" if names else "")
    if match := _NAME.search(text):
        return f"the name '{match.group(1) or match.group(2)}' is not defined, or not usable in a kernel"
    lines = [line.strip() for line in text.splitlines()]
    for line in reversed(lines):
        if any(why in line for why in _WHY) and not _NOISE.match(line):
            return _shorten(line)
    useful = [line for line in lines if line and not _NOISE.match(line)]
    return _shorten(useful[-1] if useful else "the kernel does not compile")


def _field_names(args: tuple[Any, ...], kind: str) -> list[str]:
    """The fields of the first record among the arguments, or of the rules if the error is about a tuple."""
    for arg in args:
        if kind == "Record" and getattr(getattr(arg, "dtype", None), "names", None):
            return list(arg.dtype.names)
        if kind != "Record" and hasattr(arg, "_fields"):
            return list(arg._fields)
    return []


def _shorten(line: str) -> str:
    line = re.sub(r"Record\([^)]{60,}\)\S*", "Record(…)", line)
    return line if len(line) <= 300 else line[:297] + "…"
