"""The page of results: the papers' tables with ours beside them, and the matches in a file while they are played."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from mcrave.arena import MatchResult, Record, Store
from mcrave.errors import Error
from mcrave.papers import Table as Published
from mcrave.papers import layout, tables
from mcrave.papers.verdict import Judged, judged, published_interval
from mcrave.web.markup import Html, breakable, join, tag
from mcrave.web.session import Session
from mcrave.web.views import bout as bouts
from mcrave.web.views.base import Handler, Message, Page, text_of

EVERY = 2.0  # seconds between two looks into the file
MOST_MATCHES = 60
BOARD = "main-match"
Rows = Sequence[Sequence[Judged | None]]


class ResultsPage(Page):
    """Tables, a plot for each, and matches: those of the file, and one that is played here."""

    name, title = "results", "Results"
    gentle = frozenset({"table"})

    def __init__(self, session: Session) -> None:
        """The file is read when somebody looks."""
        super().__init__(session)
        self.chosen = ""
        self._read: tuple[tuple[float, str], Html] | None = None
        self._matches: tuple[tuple[float, int], Html] | None = None
        self.bout: bouts.Bout | None = None

    def handlers(self) -> dict[str, Handler]:
        """Choose a table; begin and end a match."""
        return {"table": self._choose, "bout": self._begin, "stop": lambda message: self.halt()}

    def _begin(self, message: Message) -> None:
        self.bout = bouts.Bout.of(message, self.session.allowed)

    def work(self) -> bool:
        """Play on with the match."""
        return self.bout is not None and self.bout.running and self.bout.play_on(self.session)

    def halt(self) -> None:
        """End the match; its score is kept on the page."""
        if self.bout is not None:
            self.bout.running = False

    def _choose(self, message: Message) -> None:
        name = text_of(message, "table")
        self.chosen = name if name in tables() else ""

    def refresh(self) -> float | None:
        """Matches may be going on."""
        return EVERY if self.session.results else None

    def regions(self) -> dict[str, Html]:
        """The list, one table, the matches."""
        return {
            "main": _frame(),
            "main-list": self._list(),
            "main-table": self._table(),
            "main-bout": bouts.form(self.bout, self.session.table.text),
            "main-score": bouts.score(self.bout),
            **bouts.board(self.bout, BOARD),
            "main-matches": self._running(),
        }

    def _changed(self) -> float:
        """When the file was last written to, its log included."""
        found = [Path(self.session.results + end) for end in ("", "-wal")]
        return max((path.stat().st_mtime for path in found if path.exists()), default=0.0)

    def _list(self) -> Html:
        shown = []
        for paper in dict.fromkeys(table.paper for table in tables().values()):
            entries = [
                tag(
                    "button",
                    tag("b", table.place),
                    " ",
                    table.title,
                    data_do="table",
                    data_table=table.id,
                    aria_current="true" if table.id == self.chosen else None,
                )
                for table in tables().values()
                if table.paper == paper
            ]
            shown.append(
                tag(
                    "details",
                    tag("summary", str(paper)),
                    tag("div", entries, class_="list"),
                    open=any(table.id == self.chosen for table in tables().values() if table.paper == paper)
                    or not self.chosen,
                )
            )
        return join(shown)

    def _table(self) -> Html:
        if not self.chosen:
            return tag("p", "Choose a table of a paper: ours stand beside theirs, with 95 % intervals.", class_="dim")
        key = self._changed(), self.chosen
        if self._read is None or self._read[0] != key:
            self._read = key, self._shown(tables()[self.chosen])
        return self._read[1]

    def _shown(self, table: Published) -> Html:
        if self.session.results:
            with Store(self.session.results, read_only=True) as store:
                rows: Rows = judged(table, store)
        else:
            rows = [[None for _ in row] for row in table.rows]
        bands = []
        for band in layout.bands(table, rows):
            head = [tag("tr", [tag("th", text) for text in line]) for line in band.headings]
            body = [tag("tr", [tag("td", text) for text in line]) for line in band.lines]
            bands.append(
                tag("div", tag("table", tag("thead", head), tag("tbody", body), class_="moves"), class_="scroll")
            )
        note = (
            None
            if self.session.results
            else tag("p", "No results file was given: mcrave play --results FILE shows ours too.", class_="dim")
        )
        command = tag("p", "To play it: ", tag("code", f"mcrave reproduce {table.id}"))
        return join(
            tag("h2", f"{table.place}: {table.title}"), tag("p", table.says), note, plot(table, rows), bands, command
        )

    def _running(self) -> Html:
        if not self.session.results:
            return tag(
                "p",
                "Start the page with --results FILE, and play with mcrave match … --db FILE: the score shows up here.",
                class_="dim",
            )
        key = self._changed(), int(time.time() / 10)  # how long ago a game ended is told anew now and then
        if self._matches is None or self._matches[0] != key:
            self._matches = key, _matches(self.session.results)
        return self._matches[1]


def _matches(path: str) -> Html:
    """One line for each match, the latest first."""
    try:
        with Store(path, read_only=True) as store:
            found = [MatchResult(contest, store.records(contest)) for contest in store.contests()]
    except Error as error:
        return tag("p", str(error))
    found = sorted((each for each in found if each.games), key=lambda each: each.records[-1].finished, reverse=True)
    rows = []
    for each in found[:MOST_MATCHES]:
        low, high = each.interval
        bar = tag(
            "svg",
            tag("rect", x=0, width=100, height=8, class_="back"),
            tag("rect", x=100 * low, width=max(100 * (high - low), 1), height=8, class_="span"),
            tag("rect", x=100 * each.rate - 1, width=2, height=8, class_="tick"),
            viewBox="0 0 100 8",
            class_="interval",
            aria_hidden="true",
        )
        rows.append(
            tag(
                "tr",
                tag("td", breakable(each.contest.game)),
                [tag("td", breakable(player), class_="mono") for player in each.contest.players[:2]],
                tag("td", f"{each.wins}–{each.losses}" + (f" ({each.draws} drawn)" if each.draws else "")),
                tag("td", f"{100 * each.rate:.1f} %", bar),
                _ended(each.records[-1]),
            )
        )
    heads = [
        tag("th", text)
        for text in ("Game", "Player", "Against", "Won–lost", "Rate with 95 % interval", "Last game (UTC)")
    ]
    more = (
        tag("p", f"and {len(found) - MOST_MATCHES} matches more", class_="dim") if len(found) > MOST_MATCHES else None
    )
    return join(
        tag("p", f"{len(found)} matches, {sum(each.games for each in found):,} games", class_="dim"),
        tag("table", tag("thead", tag("tr", heads)), tag("tbody", rows), class_="moves wide"),
        more,
    )


def _ended(last: Record) -> Html:
    """When the last game ended; marked if the next one seems to be played now."""
    try:
        ago = (datetime.now(UTC) - datetime.fromisoformat(last.finished).replace(tzinfo=UTC)).total_seconds()
    except ValueError:
        return tag("td", last.finished[:16])
    if ago > max(60.0, 3 * last.wall):
        return tag("td", last.finished[:16].replace("T", " "))
    return tag("td", tag("b", "● playing", class_="ours"), f", last game {max(ago, 0.0) // 10 * 10:.0f} s ago")


def plot(table: Published, rows: Rows) -> Html:
    """Theirs to the left of each place, ours to the right, both with 95 % intervals."""
    step, height, left = 54.0, 200.0, 44.0
    cells = list(table.cells)
    ours = [each for row in rows for each in row]
    width = left + step * len(cells)
    drawn = []
    for level in range(0, 101, 25):
        y = height * (1 - level / 100)
        drawn += [
            tag("line", x1=left, x2=width, y1=y, y2=y, class_="middle"),
            tag("text", f"{level} %", x=left - 6, y=y, class_="axis end"),
        ]
    for number, cell in enumerate(cells):
        x = left + step * (number + 0.5)
        if not cell.published.is_nothing:
            low, high = (end * 100 if end <= 1 else end for end in published_interval(cell.published))
            drawn += [
                tag(
                    "line",
                    x1=x - 7,
                    x2=x - 7,
                    y1=height * (1 - high / 100),
                    y2=height * (1 - low / 100),
                    class_="theirs",
                ),
                tag(
                    "circle",
                    cx=x - 7,
                    cy=height * (1 - (cell.published.low + cell.published.high) / 200),
                    r=4,
                    class_="theirs",
                ),
            ]
        each = ours[number] if number < len(ours) else None
        if each is not None and each.result.games:
            low, high = each.result.interval
            drawn += [
                tag("line", x1=x + 7, x2=x + 7, y1=height * (1 - high), y2=height * (1 - low), class_="ours"),
                tag("circle", cx=x + 7, cy=height * (1 - each.result.rate), r=4, class_="ours"),
            ]
        drawn += [
            tag("text", label, x=x, y=height + 16 + 13 * line, class_="axis") for line, label in enumerate(cell.labels)
        ]
    high_box = height + 24 + 13 * len(table.headings)
    picture = tag(
        "svg",
        drawn,
        viewBox=f"0 -10 {width:.0f} {high_box + 10:.0f}",
        class_="plot",
        width=width,
        role="img",
        aria_label=table.title,
    )
    legend = tag(
        "p",
        tag("span", "● the paper", class_="theirs"),
        "  ",
        tag("span", "● mcrave", class_="ours"),
        "  by ",
        " and ".join(table.headings),
        class_="dim",
    )
    return join(tag("div", picture, class_="scroll"), legend)


def _frame() -> Html:
    left = tag("section", tag("div", id="main-list", class_="card"), class_="left narrow")
    right = tag("section", tag("div", id="main-table", class_="card"), class_="right")
    here = tag("section", tag("h2", "Play a match"), tag("div", id="main-bout"), tag("div", id="main-score"))
    bout = tag("div", here, tag("div", id=BOARD, class_="boardbox small"), class_="two card")
    matches = tag(
        "div", tag("h2", "Matches of the results file"), tag("div", id="main-matches", class_="scroll"), class_="card"
    )
    return join(tag("div", left, right, class_="two results"), bout, matches)
