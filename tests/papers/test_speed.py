"""How long tables take."""

from __future__ import annotations

from itertools import count

import pytest

from mcrave.arena import Store
from mcrave.cli import run
from mcrave.errors import Error
from mcrave.papers import find, tables
from mcrave.papers.base import GRAVE, NOTHING, Cell, Table, exactly
from mcrave.papers.speed import Speed, measurable, measure, page, write_page
from tests.papers.example import GAME, SMALL, fill

UCT = Table(
    "uct", GRAVE, "Table 0", "one", ("x",), ((Cell(("1",), exactly("50.0", 20), GAME, "uct@50", "uct@20"),),), ""
)


def test_a_game_is_its_moves_times_the_mean_of_the_players():
    ticks = count(0.0, 3.0)  # every look at the clock is 3 seconds later: so is each player's series of choices
    speed = measure(UCT.cells[0], samples=2, clock=lambda: next(ticks))
    assert 5 <= speed.plies <= 9
    assert speed.seconds == pytest.approx(3.0 / 2)
    assert speed.games_per_hour == pytest.approx(3600 / 1.5 / speed.plies)


def test_a_page_adds_up():
    table = find("grave-table-2")  # three cells of 500 games
    lines = page([(table, Speed(plies=60, seconds=0.2)), (UCT, Speed(plies=9, seconds=0.01))]).splitlines()
    assert any(line.endswith("| 60 | 300 | 1,500 | 5.0 | 0.31 | 0.078 |") for line in lines)
    assert any(line.endswith("| 9 | 40,000 | 20 | 0.00050 | 0.000031 | 0.0000078 |") for line in lines)
    assert "| all | | | | 1,520 | **5.0** | **0.31** | **0.078** |" in lines


def test_written_for_what_can_be_measured(tmp_path):
    heard: list[str] = []
    with Store() as store:
        fill(store, UCT.cells[0], 5, 12)
        moves = len(store.records(UCT.cells[0].contest())[0].moves.split())
        path = write_page([SMALL, UCT], tmp_path / "new", store, heard.append)
    assert f"| one | {moves} |" in path.read_text()
    assert [line.partition(":")[0] for line in heard] == ["uct"]
    assert "(uct.md)" in path.read_text()
    assert "(small.md)" not in path.read_text()


def test_what_cannot_be_measured(tmp_path, capsys, monkeypatch):
    assert measurable(SMALL) is None  # random moves need no time
    with Store() as store, pytest.raises(Error, match="none of these tables"):
        write_page([SMALL], tmp_path, store)
    with pytest.raises(Error, match="does not search with a number of simulations"):
        measure(Cell((), NOTHING, GAME, "uct@0.1s", "uct@10"))
    monkeypatch.setattr("mcrave.papers.catalogue.tables", lambda: {"small": SMALL})
    assert run(["reproduce", "speed", "small", "--pages", str(tmp_path), "--db", str(tmp_path / "r.db")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_every_table_of_grave_can_be_measured():
    assert all(measurable(table) for name, table in tables().items() if name.startswith("grave-"))
