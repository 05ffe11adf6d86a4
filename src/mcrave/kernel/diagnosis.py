"""Turn a compiler's page of output into one line: file, line, what is wrong, what would be right."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from types import FunctionType
from typing import Any

import numba

OURS = (Path(__file__).resolve().parents[1], Path(numba.__file__).resolve().parent)
ALLOCATES = ("NRT required but not enabled", "Only accept returning of array passed into the function as argument")

_STEP = re.compile(r"Failed in \w+ mode pipeline \(step: [^)]*\)\n")
_PLACE = re.compile(r'File "([^"]+)", line (\d+):\n((?:.*\n)*?) *\^')
_FIELD = re.compile(r"Unknown attribute '(\w+)' of type (\w+)")
_NAME = re.compile(r"NameError: name '(\w+)' is not defined")
_UNTYPED = re.compile(r"Untyped global name '(\w+)':.*\n?.*?(<class '(\w+)'>)")
_SIGNATURE = re.compile(r">>> (.*)")
_CALL = re.compile(r"\b(\w+)\((?:rules|spec|policy|playout|prior)\b")
_BIND = re.compile(r"Cannot bind .* due to \"TypeError: (.*)\"")
_PLAIN = {
    "none": "nothing",
    "Literal[str]": "text",
    "unicode_type": "text",
    "list(": "a list",
    "generator(": "a generator",
}


def explain(error: Exception, args: tuple[Any, ...] = ()) -> str:
    """One line for what the compiler raised: where it is in the user's own file, and what to change.

    `args` are what the compiled function was called with: a spec, whose class holds the kernels, and arrays.
    """
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    if isinstance(error, KeyError | AttributeError):  # Numba lets these two through as they are
        return f"{_place_in_traceback(error)}: {_absent(error, args)}"
    place, source, head = _innermost(text)
    reason = _STEP.split(head)[-1].strip()
    spec = next((arg for arg in args if hasattr(arg, "_fields")), None)
    if match := _NAME.search(reason):
        place = _first_use(match[1], spec) or place
        return f"{place}: the name '{match[1]}' is not defined"
    method = _method_called(source, spec)
    if any(mark in reason for mark in ALLOCATES):
        place, maker = (_place_of(method), method.__name__) if method is not None else (place, source)
        return f"{place}: `{maker}` makes a new array or list, which no kernel may; use a field of the state, or `out`"
    if method is not None and (match := _SIGNATURE.search(reason)):
        return f"{_place_of(method)}: `{method.__name__}` returns {_plain(match[1])} on some path, not a number"
    return f"{place}: {_reason(reason, source, args)}"


def _innermost(text: str) -> tuple[str, str, str]:
    """The deepest place in a user's file, else in the library; its line of source; and the text before it."""
    places = list(_PLACE.finditer(text))
    users = [match for match in places if not any(Path(match[1]).resolve().is_relative_to(folder) for folder in OURS)]
    if not places:
        return "while compiling", "", text
    match = (users or places)[0]
    source = match[3].rstrip().rsplit("\n", 1)[-1].strip()
    return f"{Path(match[1]).name}:{match[2]}", source, text[: match.start()]


def _reason(reason: str, source: str, args: tuple[Any, ...]) -> str:
    if match := _FIELD.search(reason):
        return _no_field(match[1], match[2] == "Record", args)
    if match := _UNTYPED.search(reason):
        if match[3] == "function":
            return f"the function '{match[1]}' is not compiled; put @jit above it"
        return f"no kernel can use '{match[1]}', an object of the class '{match[3]}'"
    if match := _BIND.search(reason):
        return f"`{source}` calls a function wrongly: {match[1]}"
    if match := _SIGNATURE.search(reason):
        return f"`{source}` does not work with these types: {_shorten(match[1])}"
    first = next((line.strip() for line in reason.splitlines() if line.strip()), "the kernel does not compile")
    if first.startswith("Cannot unify"):
        return f"`{source}` has no single type: {_shorten(first.partition(' for ')[0])}"
    return _shorten(re.sub(r", (?:defined at|operation:) .*", "", first)) + (f", in `{source}`" if source else "")


def _absent(error: Exception, args: tuple[Any, ...]) -> str:
    """A record's field or a module's name that does not exist."""
    if isinstance(error, KeyError):
        return _no_field(str(error.args[0]), True, args)
    return _shorten(str(error))


def _no_field(field: str, of_record: bool, args: tuple[Any, ...]) -> str:
    for arg in args:
        names = getattr(getattr(arg, "dtype", None), "names", None) if of_record else getattr(arg, "_fields", None)
        if names is not None:
            if not of_record and callable(getattr(type(arg), field, None)):
                return f"'{field}' is a method, which no kernel can call; make it a function with @jit above it"
            known = f"the fields are {', '.join(names)}" if names else "there are no fields"
            return f"there is no field '{field}'; {known}"
    return f"there is no field '{field}'"


def _method_called(source: str, spec: Any) -> FunctionType | None:
    """The kernel of the user's class that a line of the library calls."""
    match = _CALL.search(source)
    method = getattr(type(spec), match[1], None) if match else None
    return method if isinstance(method, FunctionType) else None


def _place_of(method: FunctionType) -> str:
    """Where it is defined."""
    return f"{Path(method.__code__.co_filename).name}:{method.__code__.co_firstlineno}"


def _first_use(name: str, spec: Any) -> str:
    """The first line with this name in the file of the spec's class."""
    try:
        file = inspect.getsourcefile(type(spec)) or ""
        lines = Path(file).read_text().splitlines()
    except (OSError, TypeError):
        return ""
    number = next((i for i, line in enumerate(lines, 1) if re.search(rf"\b{name}\b", line)), 0)
    return f"{Path(file).name}:{number}" if number else ""


def _place_in_traceback(error: Exception) -> str:
    """Where the compiler was in the code that it compiled; the deepest of its frames knows."""
    place, frames = "while compiling", error.__traceback__
    while frames is not None:
        local = frames.tb_frame.f_locals
        where: Any = local.get("loc") or getattr(local.get("self"), "loc", None)
        if isinstance(getattr(where, "filename", None), str):
            place = f"{Path(where.filename).name}:{where.line}"
        frames = frames.tb_next
    return place


def _plain(signature: str) -> str:
    """The type that did not fit, in words; it stands last."""
    found = [(signature.rfind(mark), words) for mark, words in _PLAIN.items() if mark in signature]
    return max(found)[1] if found else "something else"


def _shorten(line: str) -> str:
    line = re.sub(r"Record\([^)]{30,}?\)(;\d+;\w+\))?", "Record(…)", line)
    line = re.sub(r"Literal\[str\]\(([^)]*)\)", r"'\1'", line)
    line = re.sub(r"Literal\[\w+\]\(([^)]*)\)", r"\1", line)
    return line if len(line) <= 200 else line[:199] + "…"
