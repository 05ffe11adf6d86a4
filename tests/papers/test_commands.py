"""`mcrave reproduce`."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from mcrave.arena import Store
from mcrave.cli import run
from mcrave.papers import catalogue, find, tables
from mcrave.papers.base import Reading
from tests.papers.example import SMALL, cell, fill


@pytest.fixture
def only_small(monkeypatch):
    """Nothing but a table that needs no compiling."""
    catalogue.tables.cache_clear()
    monkeypatch.setattr(catalogue, "MODULES", (SimpleNamespace(TABLES=(SMALL,)),))
    yield
    catalogue.tables.cache_clear()


def said(capsys, *arguments: str, code: int = 0) -> tuple[str, str]:
    assert run(arguments) == code
    out, err = capsys.readouterr()
    return out, err


def test_help_has_examples(capsys):
    out, _ = said(capsys, "reproduce", "--help")
    assert "mcrave reproduce grave-table-2 --games 100" in out.partition("Examples:")[2]


def test_list(capsys):
    out, err = said(capsys, "reproduce", "--list")
    assert err == ""
    lines = out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(tables())
    assert "grave-table-2             3      Cazenave, Table 2" in " ".join(lines) or any(
        line.split()[:2] == ["grave-table-2", "3"] for line in lines
    )


def test_list_as_json(capsys):
    found = json.loads(said(capsys, "reproduce", "--list", "--json")[0])
    assert [entry["id"] for entry in found] == list(tables())
    (second,) = (entry for entry in found if entry["id"] == "grave-table-2")
    assert (second["cells"], second["games"]) == (3, 1500)


def test_play_show_and_go_on(only_small, tmp_path, capsys):
    db = str(tmp_path / "r.db")
    out, err = said(capsys, "reproduce", "small", "--games", "6", "--db", db, "--workers", "1")
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "Cazenave, Table 0: dice against dice"
    assert lines[1].split() == ["size", "3", "4"]
    assert lines[2].split() == ["paper", "50.0", "%", "60.0", "%", "*"]
    assert lines[3].split()[0] == "mcrave"
    assert lines[4].split() == ["games", "6", "6"]
    assert lines[5].split() == ["verdict", "too", "few", "games", "too", "few", "games"]
    assert lines[-1].endswith("4 too few games")
    again = json.loads(said(capsys, "reproduce", "all", "--games", "8", "--db", db, "-w", "1", "--json")[0])
    assert [cell["ours"]["games"] for row in again[0]["rows"] for cell in row] == [8] * 4
    shown = json.loads(said(capsys, "reproduce", "small", "--games", "0", "--db", db, "--json")[0])
    assert shown == again


def test_a_budget(only_small, tmp_path, capsys):
    db = str(tmp_path / "r.db")
    out, err = said(capsys, "reproduce", "all", "--budget", "0.001s", "--db", db, "-w", "1")
    assert err == f"out of time: all finished games are kept in {db}; the same command goes on\n"
    assert "Table 0" in out


def test_pages(tmp_path, capsys):
    db, folder = str(tmp_path / "r.db"), tmp_path / "pages"
    with Store(db) as store:
        fill(store, find("grave-table-6").cells[1], 340, 500)
    out, _ = said(capsys, "reproduce", "pages", "--db", db, "--pages", str(folder))
    assert out == f"{len(tables()) + 1} pages written into {folder}\n"
    assert "68.0 ± 4.1 %" in (folder / "grave-table-6.md").read_text()
    assert {path.stem for path in folder.glob("*.md")} == {*tables(), "README"}
    assert [path.name for path in (folder / "images").iterdir() if path.suffix == ".svg"] == ["grave-table-6.svg"]


def test_another_reading(tmp_path, monkeypatch, capsys):
    larger = (Reading("a larger board", cell("4", "60.0", size=5)),)
    monkeypatch.setattr(catalogue, "MODULES", (SimpleNamespace(TABLES=(replace(SMALL, readings=larger),)),))
    catalogue.tables.cache_clear()
    db = str(tmp_path / "r.db")
    options = ("--db", db, "-w", "1", "--json", "--reading")
    (table,) = json.loads(said(capsys, "reproduce", "small", "--games", "6", *options, "a larger board")[0])
    assert table["title"] == "dice against dice, read as: a larger board"
    ((played,),) = table["rows"]
    assert (played["labels"], played["ours"]["games"]) == (["4"], 6)
    with Store(db) as store:
        assert [contest.game for contest in store.contests()] == ["mnk(size=5)"]
    _, err = said(capsys, "reproduce", "small", *options, "a smaller board", code=2)
    assert err == "mcrave: small has no reading 'a smaller board'; it has 'a larger board'\n"
    catalogue.tables.cache_clear()


def test_pages_of_one_table(only_small, tmp_path, capsys):
    db, folder = str(tmp_path / "r.db"), tmp_path / "pages"
    said(capsys, "reproduce", "small", "--games", "2", "--db", db, "-w", "1", "--pages", str(folder))
    assert (folder / "small.md").exists()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "name a table, as in mcrave reproduce grave-table-2; --list shows all"),
        (["grave-tabel-2"], "there is no table 'grave-tabel-2'; did you mean 'grave-table-2'? --list shows all"),
        (["xyzzy"], "there is no table 'xyzzy'; --list shows all"),
        (["al"], "did you mean 'all'?"),
        (["grave-table-2", "--budget", "soon"], "cannot read 'soon' as a time; write 90s, 30m or 2h"),
        (["grave-table-2", "--budget", "0m"], "cannot read '0m' as a time"),
        (["grave-table-2", "--games", "-1"], "Invalid value for '--games'"),
        (["grave-table-2", "--games", "0", "--db", "no_such.db"], "there is no file no_such.db"),
        (["grave-table-2", "--db", "README.md"], "README.md is not a results file of mcrave"),
        (["pages", "--db", "no_such.db"], "there is no file no_such.db"),
        (["pages", "grave-table-2"], "there is no table 'pages'"),
        (["grave-table-6", "--reading", "x"], "grave-table-6 has no reading 'x'; it has"),
        (["grave-table-2", "--reading", "x", "--pages", "y"], "write them without --reading"),
        (["pages", "--reading", "x"], "write them without --reading"),
    ],
)
def test_bad_input(arguments, line, capsys):
    out, err = said(capsys, "reproduce", *arguments, code=2)
    assert out == ""
    assert err.startswith("mcrave: ")
    assert err.count("\n") == 1
    assert line in err


def test_workers_are_checked(only_small, tmp_path, capsys):
    _, err = said(capsys, "reproduce", "small", "--workers", "0", "--db", str(tmp_path / "r.db"), code=2)
    assert err == "mcrave: small: a match needs at least 1 worker, not 0\n"


def test_a_table_that_cannot_be_played(tmp_path, monkeypatch, capsys):
    odd = replace(SMALL, rows=((replace(SMALL.cells[0], a="uct+no_such@5"),),))
    catalogue.tables.cache_clear()
    monkeypatch.setattr(catalogue, "MODULES", (SimpleNamespace(TABLES=(odd,)),))
    _, err = said(capsys, "reproduce", "small", "--db", str(tmp_path / "r.db"), code=2)
    catalogue.tables.cache_clear()
    assert err == "mcrave: small cannot be played here: unknown part 'no_such' (1 of 1 cells)\n"
