"""Pages about tables, written from a results file: `mcrave reproduce pages`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mcrave.arena import Store
from mcrave.errors import Error
from mcrave.papers import layout, plot
from mcrave.papers.base import Table
from mcrave.papers.speed import PAGE as SPEED
from mcrave.papers.verdict import AGREES, DIFFERS, FEW, Judged, judged, judged_readings, tally, unfinished

IMAGES = "images"
GPU = "numba-cuda"  # in the versions of games played there
MADE = "<!-- Written by `mcrave reproduce pages` from a results file; changes by hand are lost. -->"
TRIED = "Most took a change of the source that was not kept. These games are not in the results file."
Rows = Sequence[Sequence[Judged | None]]


def write_pages(tables: Sequence[Table], store: Store, folder: Path, seed: int = 1, index: bool = True) -> list[Path]:
    """Write a page for each table, plots of those that were played, and an index of them; returns the pages."""
    written = []
    found = {table.id: judged(table, store, seed) for table in tables}
    others = {table.id: judged_readings(table, store, seed) for table in tables}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for table in tables:
            written.append(folder / f"{table.id}.md")
            drawn = plot.write(table, found[table.id], folder / IMAGES)
            written[-1].write_text(page(table, found[table.id], bool(drawn), others[table.id]))
        if index:
            written.append(folder / "README.md")
            written[-1].write_text(index_page(tables, found, others, (folder / SPEED).exists()))
    except OSError as error:
        raise Error(f"cannot write pages into {folder}: {error.strerror or error}") from None
    return written


def page(table: Table, rows: Rows, with_plot: bool = False, tried: Sequence[tuple[str, Judged]] = ()) -> str:
    """A table's page; `tried` are other readings of the paper, with what they gave."""
    parts = [
        MADE,
        f"# {table.place}: {table.title}",
        f"{table.paper}.",
        table.says,
        *(_markdown(band) for band in layout.bands(table, rows)),
        _legend(rows),
    ]
    if with_plot:
        parts.append(f"![{table.title}]({IMAGES}/{table.id}.svg)")
    parts += ["## How it is played", "\n".join(_played(table)), *layout.missing(table, here=False)]
    if warned := list(_warnings(rows)):
        parts.append("\n".join(warned))
    parts += ["## What is read into the paper, and what differs", "\n".join(f"- {note}" for note in table.notes)]
    if tried:
        how = f'`mcrave reproduce {table.id} --reading "{tried[0][0]}"` plays the first of these, and so on.'
        parts += ["## Other readings", how, "\n".join(_tried(table, tried))]
        if warned := list(_warnings([[each for _, each in tried]])):
            parts.append("\n".join(warned))
    if table.trials:
        parts += ["## Also tried", TRIED, "\n".join(_trials(table))]
    if made := list(_provenance([*rows, [each for _, each in tried]])):
        parts += ["## The games", "\n".join(made)]
    return "\n\n".join(parts) + "\n"


def index_page(
    tables: Sequence[Table],
    found: Mapping[str, Rows],
    others: Mapping[str, Sequence[tuple[str, Judged]]],
    timed: bool = False,
) -> str:
    """The list of all tables, with what was found; `timed` if there is a page about how long they take."""
    duration = f"[how long the tables take]({SPEED})" if timed else "how long the tables take"
    parts = [
        MADE,
        "# The papers' tables, and ours beside them",
        "`mcrave reproduce TABLE` plays a table's games and shows ours beside theirs; `mcrave reproduce --list` "
        "lists them; `--games 100` plays fewer games than the paper, `--budget 30m` stops after half an hour, and "
        "the same command goes on later. `--reading NAME` plays a table as the paper may be read otherwise; what was "
        "tried stands on its page. `mcrave reproduce pages` writes these pages from the results file.",
        "A cell *agrees* if the 95% interval of the difference between our rate and the published one contains 0 "
        "and is no wider than ± 10 points, and *differs* if it does not contain 0; the published number's own "
        "sampling error is in that interval, and so is that some were chosen as the best of several. Where both are "
        "the same, one cell in twenty is said to differ. The exact rule is in "
        "[`verdict.py`](../../src/mcrave/papers/verdict.py).",
        "Where another reading of the paper agrees in more cells than ours, the last column says in how many of those "
        "that were played with it. Such a reading was found by looking at its games, and with fewer games cells agree "
        "more easily, so this is a hint and no proof.",
        f"`mcrave reproduce speed` measures {duration}, on one core and on many.",
    ]
    for paper in dict.fromkeys(table.paper for table in tables):
        lines = [
            "| table | | cells | played | agree | differ | too few games | read otherwise |",
            "| --- | --- | --: | --: | --: | --: | --: | --: |",
        ]
        for table in (table for table in tables if table.paper == paper):
            counts = tally(found[table.id])
            played = sum(each is not None and each.result.games > 0 for row in found[table.id] for each in row)
            numbers = (len(table.cells), played, counts[AGREES], counts[DIFFERS], counts[FEW])
            shown = " | ".join(f"{number}" if number else "" for number in numbers)
            nearer = _nearer(others[table.id], counts[AGREES])
            lines.append(f"| [{table.place}]({table.id}.md) | {table.title} | {shown} | {nearer} |")
        parts += [f"## {paper}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _nearer(tried: Sequence[tuple[str, Judged]], agree: int) -> str:
    """In how many cells the reading agrees that does so in most of them, if these are more than `agree`."""
    readings: dict[str, list[Judged]] = {}
    for what, each in tried:
        readings.setdefault(what, []).append(each)
    counts = {what: sum(each.verdict == AGREES for each in cells) for what, cells in readings.items()}
    best = max(counts, key=counts.__getitem__, default="")
    if not best or counts[best] <= agree:
        return ""
    fewest = min(each.result.games for each in readings[best])
    return f"{counts[best]} of {len(readings[best])} agree, {fewest} games or more"


def _markdown(band: layout.Band) -> str:
    """A row of the paper as a table; the best number bold, as there."""
    first, *others = band.headings
    lines = [first, ["---", *("--:" for _ in first[1:])], *others]
    lines += [[_bold(text) for text in line] for line in band.lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _bold(text: str) -> str:
    return f"**{text.removesuffix(' *')}**" if text.endswith(" *") else f"**{text}**" if text == DIFFERS else text


def _legend(rows: Rows) -> str:
    counts = layout.summary(rows)
    return f"Rates are the first player's, ours with 95% intervals; what the paper marks is bold. Verdicts: {counts}."


def _played(table: Table) -> Iterator[str]:
    """The command, and the texts of one cell: the others differ by what the headings say."""
    cell = next((cell for cell in table.cells if cell.best), table.cells[0])
    said = ", ".join(f"{heading} {label}" for heading, label in zip(table.headings, cell.labels, strict=True))
    yield f"`mcrave reproduce {table.id}` plays all of it. The cell {said} is"
    yield ""
    yield "```console"
    yield f'$ mcrave match "{cell.game}" \\'
    yield f'    "{cell.a}" \\'
    yield f'    "{cell.b}" --games {cell.games}'
    yield "```"


def _tried(table: Table, tried: Sequence[tuple[str, Judged]]) -> Iterator[str]:
    """A line for each cell that was played with another reading."""
    yield f"| read as | {' | '.join(table.headings)} | paper | mcrave | games | verdict |"
    yield f"| --- {'| --- ' * len(table.headings)}| --: | --: | --: | --: |"
    for what, each in tried:
        labels, theirs = " | ".join(each.cell.labels), layout.published(each.cell).removesuffix(" *")
        verdict = _bold(layout.verdict(each))
        yield f"| {what} | {labels} | {theirs} | {layout.ours(each)} | {layout.games(each)} | {verdict} |"


def _trials(table: Table) -> Iterator[str]:
    """A line for each trial."""
    yield "| read as | cell | mcrave | games |"
    yield "| --- | --- | --: | --: |"
    for trial in table.trials:
        yield f"| {trial.what} | {trial.where} | {trial.rate} % | {trial.games} |"


def _warnings(rows: Rows) -> Iterator[str]:
    """Forfeits, games cut off, games that repeat others."""
    for each in (each for row in rows for each in row if each is not None):
        name = ", ".join(each.cell.labels)
        for (player, reason), count in each.result.forfeits.items():
            yield f"- {name}: `{player}` forfeited {count} games ({reason})."
        if cut := each.result.endings.get("cap", 0):
            yield f"- {name}: {cut} games were ended at the move limit."
        if gap := _gap(each):
            yield f"- {name}: {gap}"
        if each.result.duplicates:
            yield f"- {name}: {each.result.duplicates} of {each.result.games} games repeat an earlier one."


def _gap(each: Judged) -> str:
    """A run that was ended lacks the games in flight; of many that began together these are the longest, no sample."""
    missing = unfinished(each.result)
    if not missing:
        return ""
    wanted, points = each.result.games + missing, each.result.points
    low, high = 100 * points / wanted, 100 * (points + missing) / wanted
    return (
        f"{missing} of the first {wanted} games are not finished. They began together with the others, so they are "
        f"the longest, and the rate is not that of all games: that lies between {low:.1f} % and {high:.1f} %, "
        f"however the missing ones end."
    )


def _provenance(rows: Rows) -> Iterator[str]:
    """With what, where and when."""
    records = [record for row in rows for each in row if each is not None for record in each.result.records]
    if not records:
        return
    machines = {record.machine.partition(": ")[2] or record.machine for record in records}
    days = sorted(record.finished[:10] for record in records)
    for what in ("one process", "a GPU"):
        if some := [record for record in records if (GPU in record.versions) == (what == "a GPU")]:
            hours = math.fsum(record.wall for record in some) / 3600
            rate = len(some) / max(hours, 1e-9)
            yield f"- {len(some):,} games in {hours:.2f} hours of {what}: {rate:,.0f} games an hour."
    yield f"- Played from {days[0]} to {days[-1]}."
    yield from (f"- Versions: {versions}." for versions in sorted({record.versions for record in records}) if versions)
    yield from (f"- Machine: {machine}." for machine in sorted(machines) if machine)
