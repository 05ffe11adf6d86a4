"""The commands match, tournament and results."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from sgfmill import sgf

from mcrave.arena import Store
from mcrave.cli import run
from tests.arena.test_gtp_player import ENGINE
from tests.cli.terminal import Terminal, mcrave

GAME = "mnk(size=5,length=4)"
LEAGUE = """
game = "mnk(size=5,length=4)"
games = 6
opening = 1

[players]
good = "uct@100"
fair = "uct@20"
dice = "random"

[anchor]
dice = 100
"""


def said(capsys, *arguments: str) -> str:
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.mark.parametrize(
    "command",
    [["match"], ["tournament"], ["results"], ["results", "show"], ["results", "report"], ["results", "export"]],
)
def test_help_has_examples(command, capsys):
    out = said(capsys, *command, "--help")
    assert f"mcrave {' '.join(command)}" in out.partition("Examples:")[2]


# ------------------------------------------------------------------------------------------- match


def test_match_as_json(capsys):
    found = json.loads(said(capsys, "match", GAME, "uct@100", "random", "--games", "8", "--json", "--workers", "1"))
    assert (found["games"], found["wins"] + found["draws"] + found["losses"]) == (8, 8)
    assert found["interval"][0] < found["rate"] <= found["interval"][1]
    assert found["players"] == ["uct@100", "random"]
    assert found["elo"]["value"] is None or found["elo"]["low"] < found["elo"]["value"]
    assert sum(found["pairs"]) == 4


def test_match_for_people(capsys):
    out = said(capsys, "match", GAME, "uct@100", "uct@20", "--games", "6", "--seed", "3", "--sprt", "0,20", "-w", "1")
    lines = out.splitlines()
    assert lines[0] == f"{GAME}: uct@100 against uct@20, seed 3"
    assert lines[1].endswith("of 6 games")
    assert any(line.startswith("test  not decided yet: Elo 20 rather than 0; LLR") for line in lines)


def test_match_warns_of_repeated_games(capsys):
    out = said(capsys, "match", "nim(heaps=1-1)", "random", "random", "--games", "20", "-w", "1")
    assert "games repeat an earlier one, so that the interval is too narrow; try --opening 2" in out


def test_three_players(capsys):
    out = said(capsys, "match", "go3(size=2)", "random", "random", "--games", "6", "--json", "-w", "1", "--cap", "20")
    assert [seat["games"] for seat in json.loads(out)["by_seat"]] == [2, 2, 2]


def test_no_progress_in_a_pipe_but_on_a_terminal():
    done = mcrave("match", GAME, "uct@100", "random", "--games", "4", "--workers", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    with Terminal("match", GAME, "uct@500", "uct@500", "--games", "40", "--workers", "1") as terminal:
        shown = terminal.wait_for("games an hour")
        assert "/40" in shown
        terminal.wait_for("of 40 games")
        assert terminal.exit_code() == 0


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["match"], "Missing argument 'GAME'."),
        (["match", "mnk"], "Missing argument 'PLAYER PLAYER'."),
        (["match", "gp", "random", "random"], "unknown game 'gp'; did you mean 'go'?"),
        (["match", "mnk", "random"], "mnk has 2 players, not 1"),
        (["match", "mnk", "random", "random", "random"], "mnk has 2 players, not 3"),
        (["match", "mnk", "random", "gp"], "unknown player 'gp'"),
        (["match", "mnk", "random", "uct+search(memory=much)@5"], "cannot read 'much' as an amount of memory"),
        (["match", "mnk", "random", "random", "--games", "0"], "Invalid value for '--games'"),
        (["match", "mnk", "random", "random", "--workers", "0"], "a match needs at least 1 worker, not 0"),
        (["match", "mnk", "random", "random", "--sprt", "20"], "cannot read --sprt 20; write --sprt 0,20"),
        (["match", "mnk", "random", "random", "--sprt", "20,0"], "a test needs two differences in Elo, the smaller"),
        (["match", "mnk", "random", "random", "--agree", "1"], "cannot read --agree 1; write --agree 0.02,4"),
        (["match", "mnk", "random", "random", "--agree", "0.1,2.5"], "agree needs a value below 0.5 and a number"),
        (["match", "mnk", "random", "random", "--opening", "99"], "are over within 99 random moves; choose a shorter"),
        (["match", "go3(size=2)", "random", "random", "--sprt", "0,9"], "a test needs two players, and go3"),
        (["match", "mnk", "random", "random", "--db", "no/r.db"], "there is no folder no"),
        (["match", "mnk", "random", "random", "--db", "tests"], "tests is a folder, not a results file"),
        (["match", "mnk", "random", "random", "--db", "README.md"], "README.md is not a results file of mcrave"),
        (["match", "mnk", "random", "gtp:gnugo"], "player 'gtp:gnugo' plays go on square boards, not mnk(size=3)"),
        (["match", "go", "random", "gtp:no_such"], "cannot start 'gtp:no_such': No such file or directory"),
        (["match", "go", "random", f"gtp:{ENGINE} banner"], "'name' was answered by 'Welcome to FakeGo!'"),
        (["match", "go", "random", f"gtp:{ENGINE} dead"], "exit code 1 at 'name', saying 'no licence found'"),
        (
            ["match", "go", "random", f"gtp:{ENGINE} garbage", "--workers", "1"],
            "has lost its first 3 games by nonsense",
        ),
        (["tournament"], "Missing argument 'FILE'."),
        (["tournament", "no_such.toml"], "there is no file no_such.toml"),
        (["tournament", "tests"], "cannot read tests: Is a directory"),
        (["tournament", "README.md"], "cannot read README.md: "),
        (["results", "show", "no_such.db"], "there is no file no_such.db"),
        (["results", "report", "README.md"], "README.md is not a results file of mcrave"),
        (["results", "export", "README.md", "--format", "xml"], "unknown format 'xml'; known: csv, json, sgf"),
    ],
)
def test_bad_input(arguments, line, capsys):
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mcrave: ")
    assert err.count("\n") == 1
    assert line in err


def test_an_engine_that_hangs(capsys):
    player = f"gtp:{ENGINE} hang"
    assert run(["match", "go(size=5)", "random", player, "--games", "9", "--move-time", "0.1", "--workers", "2"]) == 2
    assert "has lost its first 3 games by time: no answer to 'genmove" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------- tournaments


@pytest.fixture(scope="module")
def league(tmp_path_factory) -> Path:
    """A tournament that was played."""
    file = tmp_path_factory.mktemp("league") / "league.toml"
    file.write_text(LEAGUE)
    assert run(["tournament", str(file), "--workers", "1"]) == 0
    return file


def test_tournament_goes_on_and_rates(league, capsys):
    before = Path(f"{league}.db").read_bytes()
    found = json.loads(said(capsys, "tournament", str(league), "--json"))
    assert Path(f"{league}.db").read_bytes() == before, "nothing is played again"
    table = {rating["player"]: rating for rating in found["ratings"]}
    assert set(table) == {"good", "fair", "dice"}
    assert table["dice"]["elo"] == pytest.approx(100)
    assert table["good"]["elo"] > table["dice"]["elo"]
    assert [len(match["players"]) for match in found["matches"]] == [2, 2, 2]
    assert sum(match["games"] for match in found["matches"]) == 18
    more = json.loads(said(capsys, "tournament", str(league), "--json", "--games", "8", "--workers", "2"))
    assert [match["games"] for match in more["matches"]] == [8, 8, 8]


def test_gauntlet(tmp_path, capsys):
    file = tmp_path / "g.toml"
    file.write_text('game="mnk"\ngames=2\nkind="gauntlet"\nplayers=["random","uct@5","uct@6"]\n')
    found = json.loads(said(capsys, "tournament", str(file), "--json", "--workers", "1"))
    assert [match["players"] for match in found["matches"]] == [["random", "uct@5"], ["random", "uct@6"]]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('players = ["random", "uct"]', "a tournament needs 'game = …'"),
        ('game = "mnk"', "a tournament needs 'players = …'"),
        ('game = "mnk"\nplayers = ["random"]', "a tournament of mnk needs at least 2 players, not 1"),
        ('game = "mnk"\nplayers = ["random", "random"]', "a player stands twice in the list"),
        ('game = "mnk"\nplayers = ["uct@1000", "uct"]', "players 'uct@1000' and 'uct' are the same: uct@1000"),
        ('game = "mnk"\nplayers = ["random", "gp"]', "unknown player 'gp'"),
        ('game = "mnk"\nplayers = ["random", "uct"]\nkind = "knockout"', "kind must be 'round robin' or 'gauntlet'"),
        ('game = "mnk"\nplayers = ["random", "uct"]\ngame_s = 3', "a tournament has no 'game_s'; known: game, games"),
        ('game = "mnk"\nplayers = ["random", "uct"]\ngames = "3"', "'games' must be a whole number, not '3'"),
        ('game = "mnk"\nplayers = ["random", "uct"]\ngames = 0', "a match needs at least 1 game, not 0"),
        ('game = "mnk"\nplayers = ["random", "uct"]\nanchor = {x = 1}', "the anchor 'x' is not among the players"),
        ('game = "mnk"\nplayers = [', "cannot read"),
    ],
)
def test_bad_tournaments(text, line, tmp_path, capsys):
    (tmp_path / "t.toml").write_text(text)
    assert run(["tournament", str(tmp_path / "t.toml")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert line in err


# ------------------------------------------------------------------------------------------- results


def test_show_and_report(league, capsys):
    shown = said(capsys, "results", "show", f"{league}.db")
    assert len(shown.splitlines()) == 4
    report = said(capsys, "results", "report", f"{league}.db", "--anchor", "random=0")
    assert report.count("of 6 games") + report.count("of 8 games") == 3
    assert f"ratings in {GAME}" in report
    assert "on top of the players' time" in report


def test_export(league, capsys, tmp_path):
    rows = list(csv.DictReader(io.StringIO(said(capsys, "results", "export", f"{league}.db"))))
    with Store(f"{league}.db") as store:
        kept = [record for c in store.contests() for record in store.records(c)]
    assert [(row["contest"], int(row["number"]), row["moves"]) for row in rows] == [
        (record.contest, record.number, record.moves) for record in kept
    ]
    assert run(["results", "export", f"{league}.db", "--format", "json", "--output", str(tmp_path / "x.json")]) == 0
    contests = json.loads((tmp_path / "x.json").read_text())
    assert sum(len(contest["records"]) for contest in contests) == len(kept)
    assert contests[0]["records"][0]["moves"] == kept[0].moves
    assert run(["results", "export", f"{league}.db", "--format", "sgf"]) == 2
    assert "SGF is for go on square boards" in capsys.readouterr().err
    assert run(["results", "export", f"{league}.db", "--output", f"{league}.db"]) == 2
    assert "is the results file itself" in capsys.readouterr().err


def test_export_as_sgf(tmp_path, capsys):
    db = str(tmp_path / "go.db")
    said(capsys, "match", "go(size=5,komi=2.5)", "random", "random", "--games", "2", "--db", db, "--workers", "1")
    text = said(capsys, "results", "export", db, "--format", "sgf")
    with Store(db) as store:
        (contest,) = store.contests()
        records = store.records(contest)
    assert text.count("(;FF[4]") == 2
    game = sgf.Sgf_game.from_string(text.partition("\n(;")[0])
    assert (game.get_size(), game.get_komi()) == (5, 2.5)
    assert game.get_player_name("b") == "random"
    assert game.get_winner() == ("b" if records[0].outcome[0] == 1.0 else "w")
    played = [node.get_move() for node in game.get_main_sequence()[1:]]
    assert len(played) == len(records[0].moves.split())
    column, row = records[0].moves.split()[0][0], int(records[0].moves.split()[0][1:])
    assert played[0] == ("b", (row - 1, "ABCDE".index(column)))
