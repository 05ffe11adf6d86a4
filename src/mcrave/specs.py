"""Everything is a spec: games, tree policies, playouts, priors, … are named tuples with a text form.

    go(size=9,komi=7.5)      grave(ref=100,bias=1e-6)      hex

The text is the same in Python, on the command line, in GTP and in results files, and
`parse(str(spec)) == spec`. A spec class carries its kernels as methods (see `mcrave.kernel.dispatch`); giving
it a name registers it:

>>> class Coin(Spec, name="coin", kind="toy"):
...     sides: int = 2
...     bias: float = 0.0
>>> parse("coin(bias=0.25)", "toy")
coin(bias=0.25)
>>> parse("coin", "toy").sides
2
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import keyword
import math
import pkgutil
import re
import sys
import typing
import zlib
from collections.abc import Iterable
from operator import itemgetter
from typing import Any, ClassVar, Literal, Self, dataclass_transform

from mcrave.errors import SpecError

BOARD = ("size", "rows", "cols")
WITH_KERNELS = ("game", "tree", "playout", "prior", "schedule", "backup")  # kinds whose classes are compiled

_registry: dict[str, dict[str, type[Spec]]] = {}
_homes: dict[str, str] = {  # kind -> the package with one file per name
    "game": "mcrave.games",
    "tree": "mcrave.policies",
    "playout": "mcrave.playouts",
    "prior": "mcrave.priors",
}


@dataclass_transform(frozen_default=True)
class Spec(tuple[Any, ...]):
    """A named tuple with defaults, a text form, and a registry per kind.

    Fields are annotated class attributes of type int, float, bool, `Literal[...]` text, `tuple[int, ...]`, another
    spec, or `str` for the name of a file, which kernels do not see. A class with the three fields `size`, `rows`,
    `cols` is a board: `size=n` means n × n.
    """

    kind: ClassVar[str] = ""
    name: ClassVar[str] = ""
    _fields: ClassVar[tuple[str, ...]] = ()
    _types: ClassVar[dict[str, Any]] = {}
    _defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls, name: str | None = None, kind: str | None = None) -> None:
        """Collect the fields; register the class if there is a name; let the compiler's cache know a user's file."""
        super().__init_subclass__()
        _make_name_unique(cls)
        if kind is not None:
            cls.kind = kind
        hints = {
            field: hint
            for field, hint in _hints(cls).items()
            if typing.get_origin(hint) is not ClassVar and not field.startswith("_")
        }
        defaults = dict(cls._defaults)
        for index, field in enumerate(hints):
            default = cls.__dict__.get(field, defaults.get(field))
            if field in cls.__dict__ or field not in cls._fields:
                if default is None or isinstance(default, property):
                    raise SpecError(f"field '{field}' of {plain_name(cls)} needs a default, as in `{field}: int = 3`")
                defaults[field] = default
            setattr(cls, field, property(itemgetter(index)))
        cls._fields, cls._types, cls._defaults = tuple(hints), hints, defaults
        if name is not None:
            register(cls, name)
        if cls.kind in WITH_KERNELS and not cls.__module__.startswith("mcrave."):
            from mcrave.kernel.jit import include_source  # not before it is needed: the compiler loads slowly

            include_source(cls)

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Fill in defaults, check the types, and bring the board's size into one form."""
        if len(args) > len(cls._fields):
            raise SpecError(f"{cls.name} takes at most {len(cls._fields)} values ({cls._known()}), not {len(args)}")
        given = dict(zip(cls._fields, args, strict=False))
        for field, value in kwargs.items():
            if field in given:
                raise SpecError(f"{cls.name} was given {field} twice")
            if field not in cls._fields:
                raise SpecError(f"{cls.name} has no field '{field}'{_hint(field, cls._fields)} {cls._known()}")
            given[field] = value
        values = {field: cls._checked(field, value) for field, value in given.items()}
        if cls._is_board():
            cls._normalise_board(values)
        values = cls._defaults | values
        self = super().__new__(cls, (values[field] for field in cls._fields))
        self.validate()
        return self

    def validate(self) -> None:
        """Raise `SpecError` if the fields do not fit together; classes override this."""

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def _replace(self, **changes: Any) -> Self:
        """The same spec with some fields changed; `size` rules over `rows` and `cols`."""
        fields = self._asdict()
        if self._is_board() and any(field in changes for field in BOARD):
            for field in BOARD if "size" in changes else ("size",):
                fields.pop(field)
        return type(self)(**(fields | changes))

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Pickle by the fields; a board's are consistent, so they pass the checks again."""
        return tuple(self)

    def __eq__(self, other: object) -> bool:
        """Equal if of the same class with equal fields."""
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        """Not equal."""
        return not self == other

    def __hash__(self) -> int:
        """Consistent with equality."""
        return hash((type(self), tuple(self)))

    def __repr__(self) -> str:
        """The text form: the board's size, and whatever differs from the default."""
        fields = self._asdict()
        shown = {}
        if self._is_board():
            sides = ("size",) if fields["size"] else ("rows", "cols")
            shown = {side: fields[side] for side in sides}
        for field, value in fields.items():
            if value != self._defaults[field] and not (self._is_board() and field in BOARD):
                shown[field] = value
        return f"{self.name or plain_name(type(self))}({','.join(f'{k}={_text(v)}' for k, v in shown.items())})"

    __str__ = __repr__

    @classmethod
    def _is_board(cls) -> bool:
        return all(field in cls._fields for field in BOARD)

    @classmethod
    def _known(cls) -> str:
        return (
            "fields: " + ", ".join(f"{f}={_text(cls._defaults[f])}" for f in cls._fields)
            if cls._fields
            else "no fields"
        )

    @classmethod
    def _checked(cls, field: str, value: Any) -> Any:
        """The value in the field's type, or a clear error."""
        try:
            return _convert(cls._types[field], value)
        except SpecError:
            raise
        except (TypeError, ValueError, KeyError, AttributeError):
            raise SpecError(
                f"{cls.name} needs {field} to be {_type_name(cls._types[field])}, not {_text(value)!r}"
            ) from None

    @classmethod
    def _normalise_board(cls, values: dict[str, Any]) -> None:
        size, rows, cols = (values.get(field, 0) for field in BOARD)
        if size and (rows not in (0, size) or cols not in (0, size)):
            sides = ",".join(f"{field}={values[field]}" for field in ("rows", "cols") if values.get(field))
            raise SpecError(f"{cls.name} takes either size={size} or {sides}, not both")
        for field in BOARD:
            if field in values and values[field] < 1 and not (field == "size" and (rows or cols)):
                raise SpecError(f"{cls.name} needs {field} to be at least 1, not {values[field]}")
        default = [cls._defaults[field] for field in BOARD]
        if size:
            rows = cols = size
        else:
            rows = rows or default[1] or default[0]
            cols = cols or default[2] or default[0]
        values.update(size=rows if rows == cols else 0, rows=rows, cols=cols)


def plain_name(cls: type) -> str:
    """The name of a class as its author wrote it (see `_make_name_unique`)."""
    return cls.__qualname__.rpartition(".")[2]


def lowered(spec: Spec) -> Any:
    """The spec as kernels see it: choices among texts become their index.

    >>> class Drink(Spec, kind="toy"):
    ...     taste: Literal["sweet", "dry"] = "dry"
    >>> tuple(lowered(Drink()))
    (1,)
    """
    values = []
    for field, value in zip(spec._fields, spec, strict=True):
        if isinstance(value, str):
            choices = typing.get_args(spec._types[field])
            value = choices.index(value) if choices else 0
        elif isinstance(value, Spec):
            value = lowered(value)
        values.append(value)
    return tuple.__new__(type(spec), values)


def register(cls: type[Spec], name: str) -> None:
    """Make the class known under this name among its kind."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise SpecError(f"'{name}' cannot be a name: use lower-case letters, digits and _")
    known = _registry.setdefault(cls.kind, {})
    other = known.get(name)
    if other is not None and (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
        raise SpecError(f"{cls.kind} '{name}' is already defined by {other.__module__}; choose another name")
    if cls.__module__ == "__main__":  # a name under which the compiler's cache finds the class again
        cls.__module__ = f"mcrave_main_{name}"
        sys.modules[cls.__module__] = sys.modules["__main__"]
    cls.name = name
    known[name] = cls


def names(kind: str) -> list[str]:
    """The names registered for a kind, files not imported yet included.

    >>> "go" in names("game")
    True
    """
    found = set(_registry.get(kind, ()))
    if kind in _homes:
        home = importlib.import_module(_homes[kind])
        found |= {module.name for module in pkgutil.iter_modules(home.__path__) if _is_home(module.name)}
    return sorted(found)


OTHER_NAMES = {  # what people call things, and what they are called here
    "tictactoe": "mnk(size=3,length=3)",
    "tic_tac_toe": "mnk(size=3,length=3)",
    "tic-tac-toe": "mnk(size=3,length=3)",
    "gomoku": "mnk(size=15,length=5)",
    "reversi": "othello",
    "draughts": "checkers",
    "loa": "lines_of_action",
    "connect4": "connect_four",
    "atari_go": "atarigo",
    "baduk": "go",
    "weiqi": "go",
}


def find(name: str, kind: str) -> type[Spec]:
    """The class registered under this name.

    >>> find("gp", "game")
    Traceback (most recent call last):
    mcrave.errors.SpecError: unknown game 'gp'; did you mean 'go'? known: ...
    """
    if name not in _registry.get(kind, ()) and name in names(kind):
        importlib.import_module(f"{_homes[kind]}.{name}")
    try:
        return _registry[kind][name]
    except KeyError:
        known = names(kind)
        raise SpecError(f"unknown {kind} '{name}'{_hint(name, known)} known: {', '.join(known)}") from None


def parse(text: str, kind: str) -> Any:
    """The spec of that kind with that text form.

    >>> parse("go(size=13,komi=0.5)", "game")
    go(size=13,komi=0.5)
    """
    if not isinstance(text, str):
        raise SpecError(f"a {kind} is written as text like '{(names(kind) or ['name'])[0]}()', not {text!r}")
    match = re.fullmatch(r"\s*([A-Za-z_][\w-]*)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
    if match is None:
        raise SpecError(f"cannot read {text!r} as a {kind}; write name(field=value,...)")
    name, inner = match.group(1), match.group(2) or ""
    cls = find(name, kind)
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for part in _split(inner, text):
        field, equals, value = part.partition("=")
        if not equals or "(" in field:
            if kwargs:
                raise SpecError(f"in {text!r}, '{part}' needs a field name, as in field={part}")
            args.append(part)
        elif field.strip() in kwargs:
            raise SpecError(f"in {text!r}, field '{field.strip()}' stands twice")
        else:
            kwargs[field.strip()] = value.strip()
    return cls(*args, **kwargs)


_definitions: dict[str, int] = {}


def _make_name_unique(cls: type) -> None:
    """Numba tells compiled functions apart by the class's name alone: give a user's class one of its own.

    The name follows from module and class, so that the next process finds the compiled code again; a class that is
    defined anew, as in a notebook, gets another one.
    """
    if cls.__module__.startswith("mcrave."):
        return
    origin = f"{cls.__module__}.{cls.__qualname__}"
    count = _definitions[origin] = _definitions.get(origin, 0) + 1
    cls.__name__ = f"{cls.__name__}_{zlib.crc32(origin.encode()):08x}" + (f"_{count}" if count > 1 else "")


def _hints(cls: type) -> dict[str, Any]:
    """Annotations of the class and its bases, those of bases first."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if issubclass(base, Spec) and base is not Spec:
            names_of = vars(sys.modules.get(base.__module__, typing))
            for field, hint in inspect.get_annotations(base).items():
                found[field] = eval(hint, names_of | {"ClassVar": ClassVar}) if isinstance(hint, str) else hint
    return found


def _is_home(module: str) -> bool:
    return not module.startswith("_") and module != "base"


def _split(inner: str, text: str) -> list[str]:
    """Split at the commas that stand outside parentheses."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(inner):
        depth += (char == "(") - (char == ")")
        if depth < 0:
            break
        if char == "," and depth == 0:
            parts.append(inner[start:i].strip())
            start = i + 1
    if depth != 0:
        raise SpecError(f"the parentheses in {text!r} do not match")
    parts.append(inner[start:].strip())
    if parts == [""]:
        return []
    if len(parts) > 1 and parts[-1] == "":  # a comma at the end, as Python allows
        parts.pop()
    if "" in parts:
        raise SpecError(f"in {text!r}, nothing stands between two commas")
    return parts


def _convert(hint: Any, value: Any) -> Any:
    origin = typing.get_origin(hint)
    if origin is Literal:
        choices = typing.get_args(hint)
        if value not in choices:
            raise ValueError
        return value
    if origin is tuple:
        parts = re.split(r"[-;+ ]", value.strip()) if isinstance(value, str) else list(value)
        return tuple(_convert(int, part) for part in parts)
    if isinstance(hint, type) and issubclass(hint, Spec):
        spec = parse(value, hint.kind) if isinstance(value, str) else value
        if not isinstance(spec, hint):
            raise TypeError
        return spec
    if hint is str:
        if not isinstance(value, str) or not re.fullmatch(r"[^(),=@+]*", value.strip()):
            raise ValueError
        return value.strip()
    if hint is bool:
        if isinstance(value, str):
            return {"true": True, "false": False, "1": True, "0": False}[value.lower()]
        if not isinstance(value, bool):
            raise TypeError
        return value
    if isinstance(value, bool):
        raise TypeError
    if hint is float:
        number = float(value)
        if math.isnan(number):
            raise ValueError
        return number
    number = int(value) if isinstance(value, str) else value.__index__()
    if not -(2**62) < number < 2**62:
        raise ValueError
    return number


def _type_name(hint: Any) -> str:
    if typing.get_origin(hint) is Literal:
        return "one of " + ", ".join(typing.get_args(hint))
    if typing.get_origin(hint) is tuple:
        return "whole numbers like 3-4-5"
    named = {int: "a whole number", float: "a number", bool: "true or false", str: "a file without any of (),=@+"}
    return named.get(hint) or f"a {hint.kind}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple) and not isinstance(value, Spec):
        return "-".join(map(str, value))
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def _hint(name: str, known: Iterable[str]) -> str:
    if name.lower() in OTHER_NAMES and OTHER_NAMES[name.lower()].partition("(")[0] in known:
        return f"; did you mean '{OTHER_NAMES[name.lower()]}'?"
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else ";"
