"""GTP engines as players, those that fail in any way included."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import mcrave
from mcrave.arena import Store, contest
from mcrave.arena.referee import Bench, play_game
from mcrave.errors import Error
from mcrave.players import Forfeit, GtpPlayer, Resigned, parse_player
from tests.oracles.gnugo import PROGRAM, needs_gnugo

GO = mcrave.game("go(size=5)")
ENGINE = f"{shlex.quote(sys.executable)} -S {shlex.quote(str(Path(__file__).with_name('fake_engine.py')))}"


def engine(mode: str, *arguments: str) -> GtpPlayer:
    player = parse_player(f"gtp:{ENGINE} {mode} {' '.join(arguments)}")
    assert isinstance(player, GtpPlayer)
    return player


@pytest.fixture
def hired():
    """Engines that are sent home after the test."""
    players: list[GtpPlayer] = []

    def hire(mode: str, *arguments: str) -> GtpPlayer:
        players.append(engine(mode, *arguments))
        return players[-1]

    yield hire
    for player in players:
        player.close()


def test_what_the_engine_is_told(hired, tmp_path):
    player = hired("good", str(tmp_path / "log"))
    player.prepare(GO)
    player.new_game(77)
    position = GO.start().play("C3")
    assert position.name(player.choose(position)) == "pass"
    position = position.play("pass").play("B2")
    player.choose(position)
    player.choose(GO.start().play("D4"))  # another game
    said = (tmp_path / "log").read_text().splitlines()
    setup = ["boardsize 5", "komi 7.5", "clear_board"]
    assert said[:6] == ["name", "version", "list_commands", *setup]
    assert said[6:10] == [*setup, "set_random_seed 77"]
    assert said[10:14] == ["play black C3", "genmove white", "play black B2", "genmove white"]
    assert said[14:] == [*setup, "play black D4", "genmove white"]
    assert player.version == "Fake 7"


def test_handicap(hired, tmp_path):
    player = hired("good", str(tmp_path / "log"))
    player.choose(mcrave.game("go(size=9,komi=0.5,handicap=2)").start())
    said = (tmp_path / "log").read_text().splitlines()
    assert said[3:] == ["boardsize 9", "komi 0.5", "clear_board", "fixed_handicap 2", "genmove white"]


@pytest.mark.parametrize(
    ("mode", "reason", "line"),
    [
        ("die", "crash", "the program ended with exit code 3 at 'genmove black', saying 'segmentation fault, sort of'"),
        ("garbage", "nonsense", "'genmove black' was answered by '??I think D4 is nice'"),
        ("prose", "nonsense", "'a good move' is no move"),
        ("refuse", "refused", "'genmove black' was answered by '? cannot think'"),
        ("outside", "illegal move", "T19 after 0 moves"),
        ("endless", "nonsense", "the answer to 'genmove black' does not end"),
        ("hang", "time", "no answer to 'genmove black' within 0.6 s"),
    ],
)
def test_failures_are_forfeits(hired, mode, reason, line):
    player = hired(mode)
    player.prepare(GO)
    for seed in (1, 2):  # it is ready for the next game
        player.new_game(seed, 0.1)
        with pytest.raises(Forfeit) as caught:
            player.choose(GO.start())
        assert (caught.value.reason, str(caught.value)) == (reason, line)


def test_an_occupied_point_is_illegal(hired):
    with pytest.raises(Forfeit, match="A1 after 1 moves") as caught:
        hired("illegal").choose(GO.start().play("A1"))
    assert caught.value.reason == "illegal move"


def test_resigning(hired):
    with pytest.raises(Resigned):
        hired("resign").choose(GO.start())


def test_refusing_a_legal_move(hired):
    with pytest.raises(Forfeit, match="'play black C3' was answered by '\\? illegal move'"):
        hired("stubborn").choose(GO.start().play("C3"))


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("dead", "the program ended with exit code 1 at 'name', saying 'no licence found'"),
        ("banner", "'name' was answered by 'Welcome to FakeGo!'"),
        ("small", "'boardsize 9' was answered by '? unacceptable size'"),
    ],
)
def test_engines_that_cannot_begin(hired, mode, line):
    player = hired(mode)
    with pytest.raises(Error) as caught:
        player.prepare(mcrave.game("go"))
    assert str(caught.value) == f"player '{player.name}' cannot play go(size=9): {line}"


def test_an_engine_that_never_answers(hired, monkeypatch):
    monkeypatch.setattr("mcrave.players.gtp_player.SETUP", 0.3)
    with pytest.raises(Error, match=r"no answer to 'name' within 0\.3 s"):
        hired("mute").prepare(GO)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("gtp:no_such_engine --gtp", "cannot start 'gtp:no_such_engine --gtp': No such file or directory"),
        ("gtp:/", "cannot start 'gtp:/': Permission denied"),
        ("gtp:gnugo 'open quote", "cannot start 'gtp:gnugo 'open quote': No closing quotation"),
    ],
)
def test_programs_that_do_not_exist(text, line):
    with pytest.raises(Error) as caught:
        parse_player(text).prepare(GO)
    assert str(caught.value) == line


@pytest.mark.parametrize("game", ["mnk", "go3(size=5)", "go(rows=5,cols=7)"])
def test_only_go_on_square_boards(game):
    with pytest.raises(Error, match=r"plays go on square boards, not"):
        engine("good").prepare(mcrave.game(game))


def test_a_closed_engine_is_gone(hired):
    player = hired("hang")
    player.prepare(GO)
    process = player._process._process
    player.close()
    assert process.poll() is not None


# ------------------------------------------------------------------------------------------- whole games


def test_a_game_against_an_engine_that_passes():
    record = play_game(contest("go(size=3)", [f"gtp:{ENGINE} good", "random"], cap=40), 0, Bench())
    assert record.moves.startswith("pass ")
    assert "Fake 7" in record.versions


def test_an_engine_that_dies_once(tmp_path):
    """The game is a forfeit, counted as soon as the engine has shown that it works; it is started again."""
    player = f"gtp:{ENGINE} die_once {tmp_path / 'log'}"
    result = mcrave.match("go(size=3)", a=player, b="random", games=4)
    assert result.forfeits == {(player, "crash"): 1}
    assert [record.is_forfeit for record in result.records] == [True, False, False, False]
    assert "saying 'segmentation fault, sort of'" in result.records[0].note


@pytest.mark.parametrize(("mode", "reason"), [("die", "crash"), ("prose", "nonsense"), ("refuse", "refused")])
def test_an_engine_that_never_works_ends_the_match(mode, reason, tmp_path):
    """One clear line, and no game of it is counted."""
    player = f"gtp:{ENGINE} {mode}"
    with pytest.raises(Error, match=rf"has lost its first 3 games by {reason}: .*; these are not counted"):
        mcrave.match("go(size=5)", a=player, b="random", games=10, db=tmp_path / "r.db")
    with Store(tmp_path / "r.db") as store:
        assert store.contests() == []


def test_illegal_moves_are_counted():
    result = mcrave.match("go(size=5)", a=f"gtp:{ENGINE} outside", b="random", games=4)
    assert result.forfeits == {(result.contest.players[0], "illegal move"): 4}
    assert result.rate == 0.0


@needs_gnugo
@pytest.mark.gnugo
def test_gnu_go():
    player = f"gtp:{PROGRAM} --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead"
    results = [mcrave.match("go(size=7)", a=player, b="random", games=2, seed=4) for _ in range(2)]
    assert results[0].rate == 1.0
    assert results[0].endings == {"rules": 2}
    assert [r.moves for r in results[0].records] == [r.moves for r in results[1].records], "its seed is set"
