"""Plots of tables in the form of the paper: ours with 95% intervals beside the published numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcrave.arena.statistics import elo_of
from mcrave.errors import Error
from mcrave.papers.base import CURVES, SCALING, Published, Table
from mcrave.papers.verdict import Judged, published_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OURS, THEIRS = "tab:blue", "0.45"
COLOURS = ("tab:blue", "tab:orange", "tab:green", "tab:red", "tab:purple", "tab:brown")
WIDTH = 6.4  # inches
LOG_FROM = 30  # the ratio of the largest to the smallest number from which on an axis is logarithmic
Rows = Sequence[Sequence[Judged | None]]


def write(table: Table, rows: Rows, folder: Path) -> list[Path]:
    """Draw a table as PNG and SVG; nothing if none of its cells was played."""
    if not any(each is not None and each.result.games for row in rows for each in row):
        return []
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise Error("plots need matplotlib: pip install matplotlib") from None
    folder.mkdir(parents=True, exist_ok=True)
    width = WIDTH if table.form in (CURVES, SCALING) else max(WIDTH, 0.62 * len(table.cells))
    with matplotlib.rc_context({"svg.hashsalt": table.id, "svg.fonttype": "none"}):  # equal files for equal results
        figure = Figure(figsize=(width, 4.0))
        axes = figure.add_subplot()
        {CURVES: _curves, SCALING: _scaling}.get(table.form, _points)(axes, table, rows)
        axes.set_title(f"{table.place}: {table.title}", fontsize="medium", wrap=True)
        axes.grid(alpha=0.3)
        handles, labels = axes.get_legend_handles_labels()
        once = dict(zip(labels, handles, strict=True))
        axes.legend(once.values(), once.keys(), fontsize="small")
        figure.tight_layout()
        paths = [folder / f"{table.id}.{kind}" for kind in ("png", "svg")]
        figure.savefig(paths[0], dpi=120, metadata={"Software": None})
        figure.savefig(paths[1], metadata={"Date": None})
    return paths


def _points(axes: Axes, table: Table, rows: Rows) -> None:
    """A place for each cell: theirs to the left, ours to the right."""
    played = [each for row in rows for each in row]
    for x, cell in enumerate(table.cells):
        _published(axes, x - 0.12, cell.published, "the paper")
    shown = [(x + 0.12, each) for x, each in enumerate(played) if each is not None and each.result.games]
    _ours(axes, shown, OURS, "mcrave", line=False)
    axes.set_xticks(range(len(table.cells)), ["\n".join(cell.labels) for cell in table.cells], fontsize="small")
    axes.set_xlabel(" and ".join(table.headings))
    axes.set_ylabel("winning rate, %")


def _curves(axes: Axes, table: Table, rows: Rows) -> None:
    """A curve for each row over the numbers in its last labels; a row without numbers is a level."""
    numbers = [x for cell in table.cells if (x := _number(cell.labels[-1])) is not None]
    for colour, cells, row in zip(COLOURS, table.rows, rows):
        name = cells[0].labels[0]
        shown = [(_number(each.cell.labels[-1]), each) for each in row if each is not None and each.result.games]
        placed = [(x, each) for x, each in shown if x is not None]
        _ours(axes, placed, colour, name)
        for x, each in shown:
            if x is None:
                axes.axhline(100 * each.result.rate, color=colour, linestyle="--", label=name)
        for cell in cells:
            place = _number(cell.labels[-1])
            if place is not None and not cell.published.is_one_sided:
                _published(axes, place, cell.published, f"{name}, the paper")
            elif cell.published.is_exact:
                axes.axhline(cell.published.low, color=THEIRS, linestyle=":", label=f"{name}, the paper")
    if numbers and min(numbers) > 0 and max(numbers) / min(numbers) >= LOG_FROM:
        axes.set_xscale("log")
    axes.set_xlabel(table.headings[-1])
    axes.set_ylabel("winning rate, %")


def _scaling(axes: Axes, table: Table, rows: Rows) -> None:
    """Elo over simulations: the differences of neighbours added up."""
    (row,) = rows
    total, spread = 0.0, 0.0
    xs, ys, errors = [float(table.cells[0].labels[1])], [0.0], [0.0]
    for each in row:
        if each is None or not 0 < each.result.rate < 1:
            break
        low, high = each.result.interval
        total += elo_of(each.result.rate)
        spread = math.hypot(spread, (elo_of(high) - elo_of(low)) / 2)
        xs, ys, errors = [*xs, float(each.cell.labels[0])], [*ys, total], [*errors, spread]
    axes.errorbar(xs, ys, errors, color=OURS, marker="o", capsize=3, label="mcrave")
    axes.plot(xs, [100 * math.log2(x / xs[0]) for x in xs], color=THEIRS, linestyle="--", label="100 Elo a doubling")
    axes.set_xscale("log", base=2)
    axes.set_xlabel("simulations a move")
    axes.set_ylabel("Elo above the first")


def _ours(axes: Axes, placed: Sequence[tuple[float, Judged]], colour: str, name: str, line: bool = True) -> None:
    if not placed:
        return
    rates = [100 * each.result.rate for _, each in placed]
    ends = [each.result.interval for _, each in placed]
    below = [rate - 100 * low for rate, (low, _) in zip(rates, ends, strict=True)]
    above = [100 * high - rate for rate, (_, high) in zip(rates, ends, strict=True)]
    style: dict[str, Any] = {"color": colour, "marker": "o", "capsize": 3, "linestyle": "-" if line else "none"}
    axes.errorbar([x for x, _ in placed], rates, [below, above], label=name, **style)


def _published(axes: Axes, x: float, published: Published, name: str) -> None:
    """A square with its interval, or a bar for a range."""
    if published.is_nothing:
        return
    low, high = (100 * end for end in published_interval(published))
    if published.is_exact:
        ends = [[published.low - low], [high - published.low]]
        axes.errorbar([x], [published.low], ends, color=THEIRS, marker="s", capsize=3, linestyle="none", label=name)
    else:
        axes.vlines(x, low, high, color=THEIRS, alpha=0.25, linewidth=4, label="a range in the paper")


def _number(label: str) -> float | None:
    try:
        return float(label.replace(",", ""))
    except ValueError:
        return None
