"""The engine as a process of its own: what is on its output, and what happens when it is cut off."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

import mcrave
from mcrave.arena import contest
from mcrave.arena.referee import Bench, play_game
from mcrave.gtp.registry import table
from mcrave.players import GtpPlayer
from tests.gtp.dialogue import COMMAND, ENVIRONMENT, PROGRAM, ROOT, Process, replies_in
from tests.oracles.gnugo import PROGRAM as GNUGO
from tests.oracles.gnugo import needs_gnugo

PLAYER = ("--player", "mc_rave@30", "--resign", "0")


@pytest.fixture(autouse=True)
def find_our_sources(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])


def test_an_analysis_ends_with_the_next_input():
    with Process("--player", "mc_rave@30") as engine:
        engine.ask("boardsize 5")
        for command in ("lz-analyze b 5", "kata-analyze 5 w ownership true", "analyze 5"):
            engine.write(f"7 {command}\n")
            assert engine.line() == "=7"
            lines = [engine.line() for _ in range(3)]
            assert all(line.startswith("info move ") for line in lines)
            assert ("ownership" in lines[0]) == ("ownership" in command)
            engine.write("8 name\n")
            while line := engine.line():
                assert line.startswith("info move ")
            assert engine.line() == "=8 mcrave"
            assert engine.line() == ""


def test_thinking_can_be_interrupted():
    with Process("--player", "mc_rave@100000000") as engine:
        engine.ask("boardsize 5")
        engine.write("genmove b\n")
        engine.write("# interrupt\n")
        assert engine.line().startswith("= ")


def test_pondering_stops_for_the_next_command():
    with Process(*PLAYER, "--ponder") as engine:
        engine.ask("boardsize 5")
        for _ in range(3):
            assert engine.ask("genmove b").startswith("= ")
            assert engine.ask("play w pass") == "="


def test_nothing_else_on_the_output():
    text = "name\nboardsize 5\ngenmove b\nfoo\nshowboard\nlz-analyze 1\nquit\n"
    done = subprocess.run(
        [*PROGRAM, *PLAYER], input=text, capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT, timeout=600
    )
    assert [sign for sign, _, _ in replies_in(done.stdout)] == ["=", "=", "=", "?", "=", "=", "="]
    assert done.returncode == 0


@pytest.mark.parametrize("options", ["--player gp", "--player random", "--lag -1", "--save /dev/null/x"])
def test_bad_options(options):
    done = subprocess.run(
        [*PROGRAM, *options.split()],
        input="name\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=ENVIRONMENT,
        timeout=600,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("mcrave: ")
    assert done.stderr.count("\n") == 1


def test_the_other_side_goes_away():
    """A closed output is no reason for a traceback."""
    engine = subprocess.Popen(
        [*PROGRAM, *PLAYER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=ENVIRONMENT,
    )
    engine.stdin.write(b"name\n")
    engine.stdin.flush()
    assert engine.stdout.readline() == b"= mcrave\n"
    engine.stdout.close()
    engine.stdin.write(b"name\nname\n")
    engine.stdin.close()
    complaints = engine.stderr.read()
    engine.stderr.close()
    engine.wait(600)
    assert b"Traceback" not in complaints


def test_games_are_saved_with_comments(tmp_path):
    with Process(*PLAYER, "--save", str(tmp_path / "games")) as engine:
        for command in ("boardsize 5", "cgos-opponent_name GNU", "genmove b", "play w A1", "clear_board", "quit"):
            assert engine.ask(command).startswith("=")
        engine.process.wait(600)
    (file,) = (tmp_path / "games").glob("*.sgf")
    text = file.read_text()
    assert "PB[mcrave]" in text
    assert "PW[GNU]" in text
    assert "simulations" in text
    assert ";W[ae]" in text


def test_an_engine_that_is_killed_loses_the_game(monkeypatch):
    """The other side gets a clear result, and the next game is played with a new process."""
    players = [f"gtp:{COMMAND} --player mc_rave@10 --resign 0", "random"]
    played, bench = contest("go(size=3)", players, cap=30), Bench()
    victim, _ = bench.seated(bench.game(played.game), players)
    assert isinstance(victim, GtpPlayer)
    asked: list[str] = []
    ask = GtpPlayer._ask

    def kill_at_the_second_move(player, command, seconds):
        asked.append(command)
        if sum(line.startswith("genmove") for line in asked) == 2 and command.startswith("genmove"):
            os.kill(player._process._process.pid, signal.SIGKILL)
        return ask(player, command, seconds)

    monkeypatch.setattr(GtpPlayer, "_ask", kill_at_the_second_move)
    record = play_game(played, 0, bench)
    assert (record.ending, record.outcome, record.loser) == ("crash", (0.0, 1.0), 0)
    assert "signal 9" in record.note
    assert play_game(played, 2, bench).ending in ("rules", "cap")
    bench.close()


@needs_gnugo
@pytest.mark.gnugo
def test_a_match_against_gnu_go():
    """Both take every move of the other's as legal, and the games end by the rules."""
    gnugo = f"gtp:{GNUGO} --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead"
    result = mcrave.match("go(size=7)", a=f"gtp:{COMMAND} --player mc_rave@50 --resign 0", b=gnugo, games=2)
    assert result.forfeits == {}
    assert result.endings == {"rules": 2}


def test_the_documentation_lists_all_commands():
    """`python -c 'from mcrave.gtp.registry import table; print(table())'` prints what must stand there."""
    assert table().strip() in (ROOT / "docs" / "gtp.md").read_text()
