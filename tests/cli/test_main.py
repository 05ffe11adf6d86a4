"""Every command: help with examples, one line and exit code 2 for bad input, never a traceback."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrave.cli import run
from mcrave.specs import names
from tests.cli.terminal import COMMAND, ENVIRONMENT, ROOT, mcrave

COMMANDS = ["play", "analyze", "match", "tournament", "tune", "gtp", "games", "policies", "doctor"]


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))


def complaint(capsys, *arguments: str) -> str:
    """The one line on stderr for bad input."""
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mcrave: ")
    assert err.count("\n") == 1, err
    return err.removeprefix("mcrave: ").strip()


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_and_seed(command, capsys):
    assert run([command, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"mcrave {command}" in out.partition("Examples:")[2]
    assert "--seed" in out


def test_help_lists_the_commands(capsys):
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(command in out for command in COMMANDS)


def test_no_command_shows_help_and_fails(capsys):
    assert run([]) == 2
    assert "Usage" in capsys.readouterr().out


def test_version(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("mcrave 0.")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["plya"], "No such command 'plya'."),
        (["play", "--sed", "1"], "No such option: --sed"),
        (["play", "--game", "gp"], "unknown game 'gp'; did you mean 'go'? known: "),
        (["play", "--game", "go(size=26)"], "go boards go up to 25x25, not 26x26"),
        (["play", "--game", "go(siz=5)"], "go has no field 'siz'; did you mean 'size'? fields: size=9"),
        (["play", "--game", "go(size=5"], "cannot read 'go(size=5' as a game; write name(field=value,...)"),
        (["play", "--game", ""], "cannot read '' as a game; write name(field=value,...)"),
        (["play", "--players", "gp"], "unknown player 'gp'; known: amaf, "),
        (["play", "--players", "gp"], ", uct_rave, random, local_shape, td_search, human"),
        (["play", "--players", "uct+search(expand_after=-1)"], "expand_after must be 0 or more, not -1"),
        (["play", "--players", "random@5"], "player 'random' does not think, so it takes no budget @5"),
        (["play", "--players", "monte_carlo@x"], "cannot read the budget of player 'monte_carlo@x'; write @1000"),
        (["play", "--players", "monte_carlo@0"], "cannot read the budget of player 'monte_carlo@0'; write @1000"),
        (["play", "--players", "random,,random"], "in 'random,,random', nothing stands between two commas"),
        (["play", "--game", "go3", "--players", "random,random"], "go3 has 3 players, but --players names 2"),
        (["play", "--human", "3"], "go has no seat '3'; choose from 1 (X), 2 (O)"),
        (["play", "--moves", "E5 E5"], "illegal move 'E5' in go(size=9): the legal moves are"),
        (["play", "--seed", "x"], "Invalid value for '--seed':"),
        (["analyze"], "Missing argument 'GAME'."),
        (["analyze", "gp"], "unknown game 'gp'; did you mean 'go'?"),
        (["analyze", "mnk", "--player", "gp"], "unknown player 'gp'; known: amaf, "),
        (["analyze", "mnk", "--player", "random"], "player 'random' does not search; write a tree policy and a budget"),
        (["analyze", "mnk", "--player", "uct@0"], "cannot read the budget of player 'uct@0'; write @1000"),
        (["analyze", "mnk", "--moves", "a1 a1"], "illegal move 'a1' in mnk(size=3): the legal moves are"),
        (["analyze", "mnk", "--moves", "a1 b1 a2 b2 a3"], "this game of mnk(size=3) is over, so there is nothing to"),
        (["analyze", "mnk", "--diagram", "no_such.txt"], "there is no file no_such.txt"),
        (["analyze", "mnk", "--diagram", "tests"], "cannot read tests: Is a directory"),
        (["analyze", "mnk", "--diagram", "README.md"], "row 3 of the diagram has"),
        (["analyze", "mnk", "--diagram", "-"], "the diagram has 0 rows, but the board has 3"),
        (["analyze", "mnk", "--top", "0"], "Invalid value for '--top':"),
        (["policies", "--kind", "playuot"], "unknown kind 'playuot'; did you mean 'playout'? known: tree, schedule, "),
        (["games", "--game", "gp"], "unknown game 'gp'; did you mean 'go'?"),
        (["play", "--game", "no_such.py:MyGame"], "there is no file no_such.py"),
        (["play", "--game", "tests:MyGame"], "cannot read 'tests:MyGame' as a game; write name(field=value,...)"),
    ],
)
def test_bad_input(arguments, line, capsys):
    assert line in complaint(capsys, *arguments)


@given(text=st.text(max_size=30).filter(lambda text: "\0" not in text))
def test_nonsense_games_and_players(text):
    for option in ("--game", "--players", "--human", "--moves"):
        if option == "--moves" and not text.replace(",", " ").split():
            continue
        if text and not text.startswith("-"):
            assert run(["play", f"{option}={text}"]) == 2


def test_games_lists_all(capsys):
    assert run(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("(")[0] for line in lines] == names("game")
    assert all(line.partition(")")[2].strip() for line in lines), "each game says in a line what it is"


def test_games_as_json(capsys):
    assert run(["games", "--json", "--game", "go"]) == 0
    (go,) = json.loads(capsys.readouterr().out)
    assert (go["name"], go["players"], go["fields"]["komi"]) == ("go", 2, 7.5)


def test_policies_lists_all(capsys):
    assert run(["policies"]) == 0
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    kinds = ["tree", "schedule", "playout", "prior", "choice", "backup", "parallel"]
    assert [(kind, rest.partition("(")[0]) for kind, rest in lines] == [(k, name) for k in kinds for name in names(k)]
    assert all(rest.partition(")  ")[2].strip() for _, rest in lines), "each says in a line what it is"


def test_policies_as_json(capsys):
    assert run(["policies", "--json", "--kind", "tree"]) == 0
    found = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert list(found) == names("tree")
    assert found["uct_rave"]["fields"] == {"c": 0.4, "schedule": "hand()"}
    assert found["uct"]["text"] == "uct(c=0.4,urgency=1000000)"
    assert "Eq. 7" in found["uct"]["about"]


def test_doctor(capsys):
    assert run(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["numba"]["found"]
    assert "tic-tac-toe" in found["kernels"]["what"]
    for name in ("gnugo", "chromium", "gpu", "open_spiel", "aiohttp", "ray"):
        assert found[name]["what"]


def test_doctor_tells_how_to_get_what_is_missing(capsys, monkeypatch):
    monkeypatch.setattr("mcrave.cli.doctor.find_spec", lambda name: None)
    monkeypatch.setattr("mcrave.cli.doctor.shutil.which", lambda *_, **__: None)
    assert run(["doctor"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "apt-get install gnugo" in out
    assert "pip install 'mcrave[web]'" in out


def test_broken_pipe_is_silent():
    shell = f"{' '.join(COMMAND)} play --game 'mnk(size=9)' --players random | head -1"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT, timeout=120)
    assert done.stdout.startswith("mnk(size=9), random against random")
    assert done.stderr == ""


def test_interrupt_while_engines_play():
    command = [*COMMAND, "play", "--game", "mnk(size=15,length=5)", "--players", "mc_rave@9s"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=ENVIRONMENT
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()  # the players: the first of them is thinking now
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err.decode()
    assert "to go on: mcrave play --game 'mnk(size=15,length=5)'" in out.decode()


def test_mistakes_in_a_process_of_its_own():
    done = mcrave("play", "--game", "gp")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("mcrave: unknown game 'gp'; did you mean 'go'?")
    assert done.stderr.count("\n") == 1
