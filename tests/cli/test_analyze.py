"""`mcrave analyze`: the table, the heat map, JSON, and a position from a file."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest

import mcrave
from mcrave.cli import run
from mcrave.cli._heat import heat_map
from mcrave.search import MoveReport, Report
from tests.cli.terminal import Terminal

WIN = "XX. / OO. / ..."  # X wins at c3


def analyzed(capsys, *arguments: str) -> str:
    assert run(["analyze", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def report(game: str, **visits: int) -> Report:
    """A report in which these moves have so many visits."""
    moves = [MoveReport(move.replace("_", "-"), n, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0) for move, n in visits.items()]
    return Report(game, moves[0].move, moves, 0.5, [], sum(visits.values()), 1.0, 1)


def test_table_and_board(capsys, tmp_path):
    (tmp_path / "win.txt").write_text(WIN)
    out = analyzed(
        capsys, "mnk", "--diagram", str(tmp_path / "win.txt"), "--player", "mc_rave+even(m=2,c=1)@500", "--top", "2"
    )
    assert re.search(r"c3 +4\d\d +(1\.000|0\.99\d) +[\d,]+ +[01]\.\d{3} +0\.\d{3} +1$", out, re.MULTILINE)
    assert "3 X X 9" in out
    assert "… 3 more" in out
    assert re.search(r"^X to move: c3, \d+\.\d % over all simulations$", out, re.MULTILINE)
    assert "\nmain line: c3\n" in out
    assert re.search(r"^500 simulations in \d+\.\d\d s: [\d,]+ a second; [\d,]+ nodes$", out, re.MULTILINE)
    assert not re.search(r"\x1b| $", out, re.MULTILINE), "no colours and no spaces at the ends of lines in a pipe"


def test_what_the_policy_does_not_use_is_a_dash(capsys):
    out = analyzed(capsys, "mnk", "--player", "uct@100", "--top", "1")
    assert re.search(r" \d+ +0\.\d{3} +– +– +– +–\n", out)


def test_tree_to_a_depth(capsys):
    arguments = ["mnk", "--player", "uct@100", "--depth", "2"]
    assert re.search(r"^tree\n├── \w\d  \d+  0\.\d{3}\n│   ├── \w\d  \d", analyzed(capsys, *arguments), re.MULTILINE)
    found = json.loads(analyzed(capsys, *arguments, "--json"))
    children = found["tree"]["children"]
    assert {child["move"]: child["visits"] for child in children} == {m["move"]: m["visits"] for m in found["moves"]}
    assert all("children" not in grandchild for child in children for grandchild in child["children"])


def test_proven_results_have_a_column(capsys):
    arguments = ["mnk", "--moves", "a1 b1 a2 b2", "--player", "uct+search(solve=1)@100", "--top", "1"]
    assert re.search(r"a3 +\d+ +\d\.\d{3} +– +– +– +– +1\n", analyzed(capsys, *arguments))


def test_json_is_the_report(capsys):
    out = analyzed(capsys, "mnk", "--moves", "b2, a1", "--player", "uct@200", "--json", "--seed", "5")
    found = json.loads(out)
    search = mcrave.Search("mnk", tree="uct", seed=5)
    same = search.run(search.game.position(["b2", "a1"]), simulations=200)
    assert found | {"seconds": 0} == json.loads(same.to_json()) | {"seconds": 0}
    assert sum(move["visits"] for move in found["moves"]) == 199


def test_diagram_and_moves_from_the_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("X.. / O.. / ..."))
    out = analyzed(capsys, "mnk", "--diagram", "-", "--moves", "b3", "--player", "uct@200")
    assert "O to move: c3" in out


def test_same_seed_same_analysis(capsys):
    arguments = ["mnk", "--player", "uct@50", "--json", "--seed"]
    found = [json.loads(analyzed(capsys, *arguments, seed))["moves"] for seed in "112"]
    assert found[0] == found[1] != found[2]


def test_on_a_terminal():
    with Terminal("analyze", "mnk", "--moves", "a1 b1 a2 b2", "--player", "uct@300") as screen:
        shown = screen.wait_for("nodes")
        assert "╭" in shown
        assert "uct@300 is thinking" in shown or "a second" in shown
        assert "X to move: a3" in shown
        assert screen.exit_code() == 0


# --------------------------------------------------------------------------------------------- heat map


@pytest.mark.parametrize(
    ("game", "moves", "visits", "row"),
    [
        ("mnk", [], {"b2": 90, "c2": 45, "a2": 4}, "2 . 9 4"),
        ("go(size=3)", ["B2"], {"A2": 10, "pass": 90}, "2 9 X ."),
        ("connect_four", ["d"], {"d": 50, "a": 50}, "2 . . . 9 . . ."),  # the stone falls onto the other
        ("domineering(size=2)", [], {"a1_a2": 9, "b1_b2": 3}, "1 9 3"),
        ("breakthrough", [], {"b2_a3": 8, "c2_b3": 4, "a2_b3": 4}, "3 9 9 . . . . . ."),
        ("othello", [], {"d3": 30, "c4": 10}, "3 . . . 9 . . . ."),
        ("havannah(size=3)", [], {"c5": 9}, "  5 9 . ."),
    ],
)
def test_heat(game, moves, visits, row):
    position = mcrave.game(game).position(moves)
    drawn = heat_map(position, report(game, **visits), coloured=False)
    assert row in drawn.plain.splitlines()


def test_captures_are_hot_but_keep_their_piece():
    position = mcrave.game("breakthrough(size=5)").parse(
        "B B B B B / . . . . . / . . B . . / . W . . . / W W W W W / W to move"
    )
    found = report("breakthrough(size=5)", b2_c3=9)
    assert "3 . . B . ." in heat_map(position, found, coloured=False).plain
    coloured = heat_map(position, found, coloured=True)
    (span,) = [span for span in coloured.spans if getattr(span.style, "bgcolor", None)]
    assert coloured.plain[span.start] == "B"


def test_games_without_a_board_are_drawn_as_they_are():
    position = mcrave.game("nim").start()
    assert "heaps 1 3 5 7" in heat_map(position, report("nim", **{"1_1": 5}), coloured=True).plain
