"""Tuning by real matches: an optimum that is evident, runs that are killed, stopped or made longer, and bad input."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
from contextlib import contextmanager

import pytest

from mcrave.arena import Manning, Store
from mcrave.cli import run as command
from mcrave.errors import Error
from mcrave.tuning import Tuning, tune
from mcrave.tuning.running import run
from tests.cli.terminal import COMMAND, ENVIRONMENT, ROOT

GAME, PLAYER = "mnk(size=3,length=3)", "uct(c=[0.1..1.5])@[1..40]"
ARGUMENTS = ["tune", GAME, PLAYER, "random", "--trials", "24", "--games", "4", "--fresh", "20", "--seed", "5"]


def test_an_evident_optimum():
    """One simulation is a random move, and more are better: fixed seeds, so this cannot fail by chance."""
    result = tune(GAME, "uct@[1..60]", "random", trials=24, games=10, fresh=100, opening=0, seed=2)
    assert result.values["budget"] > 20
    assert result.fresh.rate > 0.8
    worst = min(range(24), key=lambda i: result.estimates[i])
    assert result.attempts[worst].values["budget"] < 20


def test_fresh_games_are_no_trial_games():
    """Other openings and seeds, while trials of different players share theirs."""
    tuning = Tuning.of(GAME, PLAYER, "random", seed=5)
    one, other, fresh = tuning.trial_of("uct@7"), tuning.trial_of("uct@8"), tuning.fresh("uct@7")
    assert [one.game_seed(n) for n in range(20)] == [other.game_seed(n) for n in range(20)]
    assert not {one.game_seed(n) for n in range(500)} & {fresh.game_seed(n) for n in range(500)}


def test_the_same_values_again_play_new_games():
    """Two choices, tried many times: every trial counts games that no other has counted."""
    result = tune(GAME, "uct@[2|3]", "random", trials=7, games=2, fresh=0)
    spans = [(attempt.player, attempt.first) for attempt in result.attempts]
    assert len(set(spans)) == 7
    for player in ("uct@2", "uct@3"):
        firsts = [first for name, first in spans if name == player]
        assert firsts == [2 * i for i in range(len(firsts))]


def started(db) -> subprocess.Popen[str]:
    """The command, as far as the third trial."""
    process = subprocess.Popen(
        [*COMMAND, *ARGUMENTS, "--db", db],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=ENVIRONMENT,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("trial 3:"):
            break
    return process


def rows(db, table: str) -> int:
    with sqlite3.connect(db) as base:
        return int(base.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    db = str(tmp_path_factory.mktemp("tuning") / "whole.db")
    return db, outcome(run(tuning(), Store(db), Manning(), 24, 20))


def tuning() -> Tuning:
    return Tuning.of(GAME, PLAYER, "random", games=4, seed=5, opening=2)


def outcome(result) -> tuple:
    """Everything but times."""
    games = [(record.moves, record.outcome) for record in result.fresh.records]
    return result.attempts, result.trials, result.estimates, result.best, games


def test_a_killed_run_goes_on_as_if_it_had_not_been(tmp_path, unbroken):
    """`kill -9` in the middle of a trial."""
    db = str(tmp_path / "t.db")
    with started(db) as process:
        process.kill()
    assert 3 <= rows(db, "trials") < 24
    assert rows(db, "games") >= 12
    with Store(db) as store:
        assert outcome(run(tuning(), store, Manning(), 24, 20)) == unbroken[1]
    assert rows(db, "games") == rows(unbroken[0], "games")


def test_ctrl_c_keeps_everything(tmp_path, unbroken, monkeypatch, capsys):
    """It may come between games, too."""
    db = str(tmp_path / "t.db")

    @contextmanager
    def progress(*_):
        yield None, lambda number, *_: signal.raise_signal(signal.SIGINT) if number == 2 else None

    with monkeypatch.context() as patched:
        patched.setattr("mcrave.cli.tune._progress", progress)
        assert command([*ARGUMENTS, "--db", db]) == 130
    out, err = capsys.readouterr()
    assert err == f"interrupted: 3 of 24 trials and all finished games are kept in {db}; the same command goes on\n"
    assert "3 trials" in out
    assert command([*ARGUMENTS, "--db", db, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)["trials"]
    assert [trial["player"] for trial in again] == [attempt.player for attempt in unbroken[1][0]]


def test_more_trials_continue(tmp_path, unbroken):
    db = str(tmp_path / "t.db")
    with Store(db) as store:
        first = run(tuning(), store, Manning(), 3, 0)
        assert first.fresh is None
        again = run(tuning(), store, Manning(), 4, 0)
    assert again.attempts[:3] == first.attempts
    assert again.attempts == unbroken[1][0][:4]
    assert rows(db, "trials") == 4


def test_command(tmp_path, unbroken, capsys):
    """What is in the file is not played again; JSON, and text for people."""
    db, (attempts, _, _, best, _) = unbroken
    before = rows(db, "games")
    assert command([*ARGUMENTS, "--db", db, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [trial["player"] for trial in found["trials"]] == [attempt.player for attempt in attempts]
    assert found["best"]["player"] == attempts[best].player == found["fresh"]["players"][0]
    assert command([*ARGUMENTS, "--db", db]) == 0
    out = capsys.readouterr().out
    assert f"best  {attempts[best].player}" in out
    assert f"fresh {100 * found['fresh']['rate']:.1f} % of 20 (95 %: " in out
    assert rows(db, "games") == before


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["mnk", "uct(c=0.4)@9"], "player 'uct(c=0.4)@9' has nothing to tune; write [0.1..1.5]"),
        (["mnk", "uct(c=[2..1])@9"], "the range [2..1] holds at most one number"),
        (["mnk", "uct@[5..9]"], "[5..9] of 'uct@[5..9]' has no default; name an opponent"),
        (["mnk", "uct(c=[0..1])@9", "uct(c=[0..1])@9"], "the opponent 'uct(c=[0..1])@9' must be fixed, without ranges"),
        (["mnk", "uct(c=[0..1])@9", "gp"], "unknown player 'gp'; known: amaf, "),
        (["gp", "uct(c=[0..1])@9"], "unknown game 'gp'; did you mean 'go'?"),
        (["mnk", "uct(c=[0..1])@9", "--games", "3"], "a trial needs a multiple of 2 games, every seat as often"),
        (["mnk", "uct(c=[0..1])@9", "--trials", "0"], "Invalid value for '--trials'"),
        (["mnk", "uct(c=[0..1])@9", "--agree", "x"], "cannot read --agree x; write --agree 0.02,4"),
        (["mnk", "uct(c=[0..1])@9", "--opening", "9"], "games of mnk(size=3) are over within 9 random moves"),
        (["mnk", "uct+handcrafted(m=[1..9])@9"], "handcrafted is a prior for go, not for mnk"),
        (["mnk", "uct(c=[0..1])@9", "--db", "tests"], "tests is a folder, not a results file"),
        (["mnk", "uct(c=[0..1])@9", "--db", "README.md"], "README.md is not a results file of mcrave"),
    ],
)
def test_bad_input(arguments, line, tmp_path, capsys):
    where = [] if "--db" in arguments else ["--db", str(tmp_path / "t.db")]
    assert command(["tune", *arguments, *where]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("mcrave: ")
    assert line in err
    assert err.count("\n") == 1
    assert "trial" not in out


def test_a_damaged_trial_is_told(tmp_path):
    db = tmp_path / "t.db"
    with Store(db) as store:
        store.add_trial(tuning().key, 0, '{"values": 3}')
        with pytest.raises(Error, match=r"t.db is damaged: trial 0 of a tuning"):
            run(tuning(), store, Manning(), 2, 0)
