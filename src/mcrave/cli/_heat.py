"""A heat map: where on the board the simulations went."""

from __future__ import annotations

from rich.color import Color
from rich.style import Style
from rich.text import Text

from mcrave.cli import _screen
from mcrave.games import Position
from mcrave.search import Report

COLD, HOT = (32, 44, 84), (226, 68, 40)
EMPTY = "."
Cell = tuple[int, int]
"""A line of the diagram and a character in it."""


def heat_map(position: Position, report: Report, coloured: bool) -> Text:
    """The diagram with a cell the hotter, the more visits its moves got.

    With colours, hot cells are red; without, an empty cell shows its share of the visits in ninths of the
    most.
    """
    heat = _heat(position, report)
    most = max(heat.values(), default=0.0)
    text = _screen.diagram(position)
    text.spans = [span for span in text.spans if "reverse" not in str(span.style)]  # the last move is no matter here
    plain = text.plain
    starts = _line_starts(plain)
    for (line, column), visits in heat.items():
        at, share = starts[line] + column, visits / most
        if coloured:
            text.stylize(_style(share), at, at + 1)
        elif plain[at] == EMPTY and round(9 * share) > 0:
            plain = plain[:at] + str(round(9 * share)) + plain[at + 1 :]
    return text if coloured else Text(plain)


def _heat(position: Position, report: Report) -> dict[Cell, float]:
    """The visits of the moves that change a cell."""
    heat: dict[Cell, float] = {}
    for move in report.moves:
        if move.visits:
            for cell in _touched(position, move.move):
                heat[cell] = heat.get(cell, 0.0) + move.visits
    return heat


def _touched(position: Position, move: str) -> list[Cell]:
    """The cells onto which a move puts a piece: empty ones if there are any, else those it captures."""
    before, after = (str(one).splitlines() for one in (position, position.play(move)))
    filled: list[Cell] = []
    for number, (old, new) in enumerate(zip(before, after, strict=False)):
        if (match := _screen.ROW.fullmatch(old)) is not None:
            start = len(match[1])
            filled += [(number, i) for i in range(start, len(old)) if new[i : i + 1] not in (old[i], EMPTY, "")]
    return [cell for cell in filled if before[cell[0]][cell[1]] == EMPTY] or filled


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _style(share: float) -> Style:
    red, green, blue = (round(cold + (hot - cold) * share) for cold, hot in zip(COLD, HOT, strict=True))
    return Style(bgcolor=Color.from_rgb(red, green, blue))
