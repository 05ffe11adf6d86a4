"""The page of results: matches of a file as they are played, and one that a visitor starts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

import mcrave
from mcrave.arena import Record, Store
from mcrave.arena.schedule import contest
from mcrave.web import limits
from mcrave.web.limits import Allowed
from mcrave.web.session import Session
from mcrave.web.table import Table
from tests.web.serving import until

MATCH = {"do": "bout", "game": "mnk(size=3,length=3)", "one": "random", "other": "random", "games": "6"}


class Tab:
    """A session whose messages are kept: `page` holds the regions as the browser would show them."""

    def __init__(self, results: str = "") -> None:
        text = "mnk(size=3,length=3)"
        self.page: dict[str, str] = {}
        self.said: list[str] = []
        table = Table.new(text, mcrave.game(text), ["human", "human"])
        self.session = Session(self.receive, Allowed(), table, results)

    def receive(self, message: dict) -> bool:
        self.page.update(message.get("put", {}))
        self.said += [message["say"]] if "say" in message else []
        return True

    def wait(self, region: str, text: str) -> str:
        until(lambda: text in self.page.get(region, ""), what=f"'{text}' in {region}: {self.page.get(region)}")
        return self.page[region]


@contextmanager
def tab(results: str = "") -> Iterator[Tab]:
    """A tab that looks at the results."""
    opened = Tab(results)
    opened.session.start()
    opened.session.post({"do": "hello", "link": "page=results"})
    try:
        yield opened
    finally:
        opened.session.close()
        assert opened.session.join(200.0)


def test_a_match_of_the_file_shows_its_score_as_it_goes(tmp_path):
    """Somebody else writes games into the file; those of a match long ago are not said to be played now."""
    path = str(tmp_path / "games.db")
    now, old = contest("mnk", ["uct@10", "random"]), contest("mnk", ["uct@20", "random"])
    finished = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")

    def game(number: int) -> Record:
        return Record(now.key, number, 0, (0, 1), (1.0, 0.0), "rules", wall=900.0, finished=finished)

    with Store(path) as store:
        store.add(old, [Record(old.key, 0, 0, (0, 1), (0.0, 1.0), "rules", finished="2020-01-01 00:00:00")])
        store.add(now, [game(0)])
        with tab(path) as opened:
            shown = opened.wait("main-matches", "1–0")
            assert shown.count("● playing") == 1
            assert shown.index("● playing") < shown.index("uct<wbr>@20") < shown.index("2020-01-01")
            store.add(now, [game(1)])
            opened.wait("main-matches", "2–0")


def test_the_file_is_only_looked_at(tmp_path):
    """A file that a program put away, without its log, is the same to the byte afterwards."""
    path, old = tmp_path / "games.db", contest("mnk", ["uct@20", "random"])
    with Store(path) as store:
        store.add(old, [Record(old.key, 0, 0, (0, 1), (0.0, 1.0), "rules", finished="2020-01-01 00:00:00")])
        store._base.execute("PRAGMA journal_mode = DELETE")
    before = path.read_bytes()
    with tab(str(path)) as opened:
        opened.wait("main-matches", "0–1")
        opened.session.post({"do": "table", "table": "grave-table-9"})
        opened.wait("main-table", "Table 9")
    assert path.read_bytes() == before


def test_a_match_on_the_page():
    """Six games, in which each begins three times; the score is that of the records."""
    with tab() as opened:
        opened.session.post(MATCH)
        shown = opened.wait("main-score", "6 of 6 games played")
        bout = opened.session.page.bout  # type: ignore[attr-defined]
        assert [record.seats for record in bout.records] == [(0, 1), (1, 0)] * 3
        assert all(sum(record.outcome) == 1.0 for record in bout.records)
        assert bout.position.is_over
        assert f"{bout.result.wins}–{bout.result.losses}" in shown
        assert bout.result.wins + bout.result.losses + bout.result.draws == 6


def test_a_match_on_the_page_stops(monkeypatch):
    """While a search of an hour runs, another table is shown without ending it, and Stop is heard."""
    monkeypatch.setattr(limits, "MOST_SECONDS", 3600.0)
    with tab() as opened:
        opened.session.post(MATCH | {"one": "uct@3600s"})
        opened.wait("main-score", "Game 1 of 6, move 0: Black uct@3600s, White random")
        until(lambda: any(engine.done for engine in list(opened.session._engines.values())), what="the search to run")
        opened.session.post({"do": "table", "table": "grave-table-9"})
        opened.wait("main-table", "Table 9")
        assert "Game 1 of 6, move 0" in opened.page["main-score"]
        opened.session.post({"do": "stop"})
        opened.wait("main-score", "0 of 6 games played")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"games": "0"}, "1 to 500 games"),
        ({"games": "501"}, "1 to 500 games"),
        ({"one": "gtp:touch x"}, "not a file or a program"),
        ({"other": ""}, "player"),
        ({"game": "evil.py:Game"}, "evil.py"),
        ({"game": "go(size=400)"}, "400"),
    ],
    ids=str,
)
def test_matches_that_a_visitor_may_not_start(wrong, told):
    with tab() as opened:
        opened.session.post(MATCH | wrong)
        until(lambda: opened.said, what="an answer")
        assert told in opened.said[0]
        assert opened.session.page.bout is None  # type: ignore[attr-defined]
