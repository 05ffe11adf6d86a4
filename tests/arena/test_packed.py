"""Packed results files, and results files that are put together."""

from __future__ import annotations

import lzma
from dataclasses import replace
from pathlib import Path

import pytest

import mcrave
from mcrave.arena import Store
from mcrave.arena.records import Adjourned
from mcrave.cli import run
from mcrave.errors import Error


@pytest.fixture
def played(tmp_path):
    path = tmp_path / "games.db"
    mcrave.match("nim", a="uct@20", b="random", games=6, db=str(path))
    return path


def test_a_packed_file_says_the_same(played, capsys):
    small = f"{played}.xz"
    assert run(["results", "pack", str(played), small]) == 0
    capsys.readouterr()
    said = []
    for file in (str(played), small):
        assert run(["results", "export", file]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert said[0].count("\n") == 7  # a heading and six games


def test_nothing_is_added_to_a_packed_file(played, capsys):
    small = f"{played}.xz"
    assert run(["results", "pack", str(played), small]) == 0
    before = Path(small).read_bytes()
    assert run(["match", "nim", "uct@20", "random", "--games", "8", "--db", small]) == 2
    assert f"{small} is packed; games cannot be added" in capsys.readouterr().err
    with Store(small, must_exist=True) as store, pytest.raises(Error, match="cannot write"):
        store.add(store.contests()[0], [replace(store.records(store.contests()[0])[0], number=99)])
    assert Path(small).read_bytes() == before


def test_files_are_merged_and_no_game_counts_twice(played, tmp_path, capsys):
    other, into = str(tmp_path / "other.db"), str(tmp_path / "all.db")
    mcrave.match("nim", a="uct@20", b="random", games=8, db=other)  # the same six games, and two more
    assert run(["results", "pack", other, f"{other}.xz"]) == 0
    capsys.readouterr()
    assert run(["results", "merge", into, str(played), f"{other}.xz"]) == 0
    assert capsys.readouterr().out == (f"{played}: 6 games added to {into}\n{other}.xz: 2 games added to {into}\n")
    with Store(into, must_exist=True) as merged, Store(other, must_exist=True) as larger:
        (contest,) = merged.contests()
        assert [r.moves for r in merged.records(contest)] == [r.moves for r in larger.records(contest)]


def test_adjourned_games_come_along_unless_they_were_finished_meanwhile(played, tmp_path):
    into, begun = str(tmp_path / "all.db"), str(tmp_path / "begun.db")
    with Store(played, must_exist=True) as store:
        (contest,) = store.contests()
    games = [Adjourned(contest.key, number, (1, 2), (3, 4), (0.5, 0.25), 0.1) for number in (5, 6, 7)]
    with Store(begun) as store:
        store.adjourn([contest.key], games, "sources")
        store.pack(f"{begun}.xz")
    for _ in range(2):
        assert run(["results", "merge", into, str(played), f"{begun}.xz"]) == 0
    with Store(into, must_exist=True) as store:
        assert store.adjourned(contest.key, "sources") == games[1:]
        assert store.numbers(contest) == set(range(6))


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (["pack", "games.db", "small.db"], "small.db should end in .xz, as in games.db.xz"),
        (["pack", "bad.xz", "small.xz"], "bad.xz is packed already"),
        (["pack", "games.db", "none/small.xz"], "cannot write to none/small.xz: No such file or directory"),
        (["show", "bad.xz"], "bad.xz is damaged, or was not packed by xz"),
        (["show", "short.xz"], "short.xz is damaged, or was not packed by xz"),
        (["show", "text.xz"], "text.xz is not a results file of mcrave"),
        (["merge", "all.db", "no.db"], "there is no file no.db"),
        (["merge", "all.xz", "games.db"], "all.xz is packed; games cannot be added"),
    ],
)
def test_wrong_files(command, line, played, monkeypatch, capsys):
    monkeypatch.chdir(played.parent)
    Path("bad.xz").write_text("nothing of the kind")
    Path("short.xz").write_bytes(lzma.compress(b"x" * 999)[:-20])
    Path("text.xz").write_bytes(lzma.compress(b"no database at all" * 99))
    assert run(["results", *command]) == 2
    said = capsys.readouterr().err
    assert line in said
    assert said.count("\n") == 1
    assert not (played.parent / "all.db").exists()
