"""A table in the paper's own shape, with ours beside theirs: the same for the terminal and for pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from mcrave.papers.base import Cell, Table
from mcrave.papers.verdict import AGREES, DIFFERS, FEW, UNJUDGED, UNPLAYED, Judged, tally

NONE = "–"


class Band(NamedTuple):
    """A row of the paper: its headings, what the paper has, what we have; the first column tells which is which."""

    headings: list[list[str]]
    lines: list[list[str]]


def bands(table: Table, rows: Sequence[Sequence[Judged | None]]) -> list[Band]:
    """All rows of a table."""
    return [
        Band(
            [[heading, *(cell.labels[i] for cell in cells)] for i, heading in enumerate(table.headings)],
            [
                ["paper", *(published(cell) for cell in cells)],
                ["mcrave", *(ours(each) for each in row)],
                ["games", *(games(each) for each in row)],
                ["verdict", *(verdict(each) for each in row)],
            ],
        )
        for cells, row in zip(table.rows, rows, strict=True)
    ]


def published(cell: Cell) -> str:
    """The published number, with a mark where the paper has one."""
    return f"{cell.published}{' *' if cell.best else ''}"


def ours(each: Judged | None) -> str:
    """Our rate with half of its 95% interval."""
    if each is None or each.result.games == 0:
        return NONE
    return f"{100 * each.result.rate:.1f} ± {100 * each.half_width:.1f} %"


def games(each: Judged | None) -> str:
    """How many we played."""
    return NONE if each is None or each.result.games == 0 else f"{each.result.games}"


def verdict(each: Judged | None) -> str:
    """What they say."""
    return NONE if each is None or each.verdict in (UNPLAYED, UNJUDGED) else each.verdict


def summary(rows: Sequence[Sequence[Judged | None]]) -> str:
    """How many cells agree, and so on.

    >>> summary([[None, None]])
    '2 not played'
    """
    counts = tally(rows)
    return ", ".join(f"{counts[word]} {word}" for word in (AGREES, DIFFERS, FEW, UNJUDGED, UNPLAYED) if counts[word])


def missing(table: Table, here: bool = True) -> list[str]:
    """What is lacking, and for how many cells."""
    found = Counter(reason for cell in table.cells if (reason := cell.missing() if here else cell.unknown()))
    return [f"cannot be played here: {reason} ({count} of {len(table.cells)} cells)" for reason, count in found.items()]


def as_dict(table: Table, rows: Sequence[Sequence[Judged | None]]) -> dict[str, Any]:
    """Everything as plain values."""
    return {
        "id": table.id,
        "paper": str(table.paper),
        "place": table.place,
        "title": table.title,
        "headings": list(table.headings),
        "rows": [
            [_cell(cell, each) for cell, each in zip(cells, row, strict=True)]
            for cells, row in zip(table.rows, rows, strict=True)
        ],
        "verdicts": dict(tally(rows)),
        "says": table.says,
        "notes": list(table.notes),
    }


def _cell(cell: Cell, each: Judged | None) -> dict[str, Any]:
    low, high = cell.published.low / 100, cell.published.high / 100
    return {
        "labels": list(cell.labels),
        "game": cell.game,
        "players": [cell.a, cell.b],
        "best": cell.best,
        "published": None if cell.published.is_nothing else {"low": low, "high": high, "games": cell.published.games},
        "missing": cell.missing() or None,
        "verdict": UNPLAYED if each is None else each.verdict,
        "ours": None if each is None or each.result.games == 0 else each.result.as_dict(),
    }
