"""Lists of specs with their fields, for `mcrave games` and `mcrave policies`."""

from __future__ import annotations

from typing import Any

from mcrave.specs import Spec, _text


def described(spec: type[Spec]) -> dict[str, Any]:
    """What there is to say about a class of specs.

    >>> from mcrave.policies.uct import Uct
    >>> described(Uct)["text"], described(Uct)["fields"]
    ('uct(c=0.4,urgency=1000000)', {'c': 0.4, 'urgency': 1000000.0})
    """
    return {
        "name": spec.name,
        "kind": spec.kind,
        "fields": {field: _plain(value) for field, value in spec._defaults.items()},
        "text": f"{spec.name}({','.join(_shown(spec))})",
        "about": (spec.__doc__ or "").strip().split("\n")[0],
    }


def _plain(value: Any) -> Any:
    """A default as JSON knows it."""
    if isinstance(value, Spec):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def _shown(spec: type[Spec]) -> list[str]:
    """The fields with their defaults; a square board's rows and columns follow from its size."""
    return [
        f"{field}={_text(value)}"
        for field, value in spec._defaults.items()
        if not (spec._is_board() and field in ("rows", "cols") and value == 0)
    ]


def show(found: list[dict[str, Any]], headings: dict[str, str] | None = None) -> None:
    """Print a line for each; on a terminal in columns, under the heading of each kind."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        for entry in found:
            print(f"{entry['kind'] + '  ' if headings else ''}{entry['text']}  {entry['about']}")
        return
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    kind = ""
    for entry in found:
        if headings and entry["kind"] != kind:
            table.add_row(Text(f"{chr(10) if kind else ''}{headings[entry['kind']]}", "bold"))
            kind = entry["kind"]
        name, _, fields = entry["text"].partition("(")
        table.add_row(Text.assemble((name, "bold cyan"), f"({fields}"), Text(entry["about"]))
    console.print(table)
