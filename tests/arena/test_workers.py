"""Many processes: the same games as one, whoever dies on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

import mcrave
from mcrave.arena import Manning, Order, Sprt, Store, contest, play_match
from mcrave.arena.records import Adjourned
from mcrave.arena.schedule import player_seed
from mcrave.arena.workers import Processes, Task
from mcrave.errors import Error
from mcrave.kernel.cache import fingerprint
from mcrave.players import parse_player
from tests.cli.terminal import COMMAND, ENVIRONMENT, ROOT

ODD = "tests/arena/odd_games.py"
GAME = "mnk(size=5,length=4)"
C = contest(GAME, ["uct@100", "uct@50"], seed=5, opening=1)


def moves(records):
    return {record.number: record.moves for record in records}


@pytest.fixture(scope="module")
def alone():
    """What one process plays."""
    return mcrave.match(GAME, a="uct@100", b="uct@50", games=24, seed=5, opening=1)


def test_any_number_of_workers_plays_the_same(alone):
    many = mcrave.match(GAME, a="uct@100", b="uct@50", games=24, seed=5, opening=1, workers=3)
    assert moves(many.records) == moves(alone.records)
    assert (many.rate, many.interval, many.elo) == (alone.rate, alone.interval, alone.elo)
    other = mcrave.match(GAME, a="uct@100", b="uct@50", games=24, seed=6, opening=1)
    assert moves(other.records) != moves(alone.records)


def test_a_match_can_be_made_longer(alone, tmp_path):
    db = tmp_path / "r.db"
    short = mcrave.match(GAME, a="uct@100", b="uct@50", games=7, seed=5, opening=1, db=db)
    assert short.games == 7
    finished = {record.number: record.finished for record in short.records}
    long = mcrave.match(GAME, a="uct@100", b="uct@50", games=24, seed=5, opening=1, db=db, workers=2)
    assert moves(long.records) == moves(alone.records)
    assert {record.number: record.finished for record in long.records[:7]} == finished
    again = mcrave.match(GAME, a="uct@100", b="uct@50", games=10, seed=5, opening=1, db=db)
    assert again.games == 10


def broken_off(number, plies):
    """A game of `C` as it is after so many moves, with clocks that nobody could mistake for others."""
    game, seats = mcrave.game(GAME), C.seats(number)
    players = [parse_player(C.players[player]) for player in seats]
    for seat, player in enumerate(players):
        player.prepare(game)
        player.new_game(player_seed(C.game_seed(number), seat))
    position, played = C.start(game, number), []
    for _ in range(plies):
        played.append(players[position.to_move].choose(position))
        position = position.play(played[-1])
    streams = tuple(int(player._search._rngs[0][0].state) for player in players)
    return Adjourned(C.key, number, tuple(played), streams, (1000.0, 2000.0), 500.0)


@pytest.mark.parametrize("workers", [1, 2])
def test_adjourned_games_go_on(alone, tmp_path, workers):
    """Where they were broken off, with the dice of that moment, and are not adjourned any more."""
    db = tmp_path / "r.db"
    with Store(db) as store:
        store.adjourn([C.key], [broken_off(number, plies) for number, plies in ((0, 3), (3, 4), (4, 1))], fingerprint())
    found = mcrave.match(GAME, a="uct@100", b="uct@50", games=6, seed=5, opening=1, db=db, workers=workers)
    assert moves(found.records) == moves(alone.records[:6])
    assert {record.number for record in found.records if record.slowest == 500.0} == {0, 3, 4}
    assert all(
        record.thinking[1] > 2000.0 and record.wall > 3000.0 for record in found.records if record.slowest == 500
    )
    with Store(db) as store:
        assert store.adjourned(C.key, fingerprint()) == []


def test_games_adjourned_by_other_sources_begin_anew(alone, tmp_path):
    db = tmp_path / "r.db"
    with Store(db) as store:
        store.adjourn([C.key], [broken_off(0, 3)], "others")
    found = mcrave.match(GAME, a="uct@100", b="uct@50", games=1, seed=5, opening=1, db=db)
    assert found.records[0].moves == alone.records[0].moves
    assert found.records[0].slowest < 500.0


def test_a_killed_worker_is_replaced(alone):
    crew = Processes(2)
    played, killed = [], 0
    for batch in crew.play(iter([Task(C, number) for number in range(24)])):
        played += batch
        if killed < 3 and crew.pids():
            os.kill(crew.pids()[0], signal.SIGKILL)
            killed += 1
    crew.close()
    assert killed == 3
    assert sorted(record.number for record in played) == list(range(24))
    assert moves(played) == moves(alone.records)


def test_a_game_that_kills_every_worker():
    """It is tried three times, then the match ends with a line."""
    with pytest.raises(Error, match=r"game 0 of .*Deadly.* has ended 3 processes \(signal 9\)"):
        mcrave.match(f"{ODD}:Deadly", a="random", b="random", games=1, workers=2)


def test_a_game_that_prints():
    result = mcrave.match(f"{ODD}:Noisy", a="random", b="random", games=6, workers=2)
    assert result.games == 6


def test_a_game_without_a_file():
    from mcrave.games.mnk import Mnk

    class Inner(Mnk):
        pass

    Inner.__module__ = "typed_in"
    with pytest.raises(Error, match="stands in no file, so only one worker can play it"):
        mcrave.match(Inner(), a="random", b="random", games=2, workers=2)


def test_the_sequential_test_stops_at_the_same_game():
    """Whatever the number of workers, although more of them have more games in flight when it ends."""
    order = Order(contest(GAME, ["uct@100", "random"]), 400, Sprt(0, 100))
    results = []
    for workers in (1, 3):
        with Store() as store:
            results.append(play_match(order, store, Manning(workers)))
            assert len(store.numbers(order.contest)) >= results[-1].games
    assert [result.verdict for result in results] == ["H1", "H1"]
    assert results[0].games == results[1].games < 100
    assert results[0].games % 2 == 0


# ------------------------------------------------------------------------------------------- killed matches


def command(db, games=24, workers=2):
    options = ["--seed", "5", "--opening", "1", "--games", str(games), "--db", str(db), "--workers", str(workers)]
    return [*COMMAND, "match", GAME, "uct@100", "uct@50", *options]


def count(db) -> int:
    if not db.exists():
        return 0
    try:
        with Store(db) as store:
            return len(store.numbers(C))
    except Error:  # being made just now
        return 0


def started(db, games, workers):
    process = subprocess.Popen(
        command(db, games, workers), cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    end = time.monotonic() + 120
    while count(db) < 5:
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    return process


def children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(word) for word in listed.stdout.split()]


@pytest.mark.parametrize("workers", [1, 2])
def test_kill_9_and_go_on(alone, tmp_path, workers):
    db = tmp_path / "r.db"
    with started(db, 100_000, workers) as process:
        theirs = children(process.pid)
        assert len(theirs) == (workers if workers > 1 else 0)
        process.kill()
    kept = {record.number: record for record in Store(db).records(C)}
    assert len(kept) >= 5
    done = subprocess.run(command(db, max(24, len(kept))), cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with Store(db) as store:
        after = {record.number: record for record in store.records(C)}
    assert all(after[number] == record for number, record in kept.items()), "a finished game stays as it was"
    assert set(range(24)) <= set(after)
    assert {number: after[number].moves for number in range(24)} == moves(alone.records)
    end = time.monotonic() + 10
    while any(os.path.exists(f"/proc/{pid}") for pid in theirs):
        assert time.monotonic() < end, "the workers of a killed match end, too"
        time.sleep(0.05)


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_what_is_finished(tmp_path, workers):
    db = tmp_path / "r.db"
    with started(db, 100_000, workers) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "games are kept in" in err.decode()
    assert "Traceback" not in err.decode()
    said = int(err.split()[1])
    assert count(db) == said >= 5
    assert f"of {said} games" in out.decode()


def test_two_matches_share_a_file(alone, tmp_path):
    both = [
        subprocess.Popen(command(tmp_path / "r.db", workers=1), cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    assert [process.wait(120) for process in both] == [0, 0]
    with Store(tmp_path / "r.db") as store:
        assert [record.number for record in store.records(C)] == list(range(24))
        assert moves(store.records(C)) == moves(alone.records)


SCRIPT = """
import mcrave
print(mcrave.match("mnk", a="random", b="random", games=4, workers=2).games)
"""


def test_a_script_needs_no_guard(tmp_path):
    """Workers are no copies of the caller: `if __name__ == "__main__"` is not needed."""
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "script.py")], capture_output=True, text=True, env=ENVIRONMENT, cwd=tmp_path
    )
    assert (done.stdout, done.returncode) == ("4\n", 0), done.stderr
