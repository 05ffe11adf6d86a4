"""Games as Ray tasks: the same games, also when a worker is killed in the middle of one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import mcrave
from mcrave.arena import Manning, Order, Store, contest, play_match
from mcrave.arena.cluster import Cluster
from mcrave.arena.workers import Task
from mcrave.errors import Error

os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # see `Cluster`
ray = pytest.importorskip("ray")
GAME = "mnk(size=5,length=4)"
C = contest(GAME, ["uct@2000", "uct@100"], seed=5)


def players_at_work() -> list[int]:
    """The processes of this user that play games for Ray."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and b"ray::play_task" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:  # it has ended meanwhile
            continue
    return found


@pytest.mark.slow
def test_a_killed_worker_is_retried():
    alone = mcrave.match(GAME, a="uct@2000", b="uct@100", games=16, seed=5)
    crew = Cluster("local", 2)
    killed = 0
    played = []
    try:
        for batch in crew.play(iter([Task(C, number) for number in range(16)])):
            played += batch
            if killed < 2 and (busy := players_at_work()):
                os.kill(busy[0], signal.SIGKILL)
                killed += 1
    finally:
        crew.close()
    assert killed > 0
    assert sorted(record.number for record in played) == list(range(16))
    assert {r.number: r.moves for r in played} == {r.number: r.moves for r in alone.records}


@pytest.mark.slow
def test_a_match_through_ray(tmp_path):
    order = Order(contest(GAME, ["uct@100", "random"]), 6)
    with Store(tmp_path / "r.db") as store:
        result = play_match(order, store, Manning(2, "local"))
    assert result.games == 6
    assert result.rate > 0.5


@pytest.mark.slow
def test_local_ray_listens_on_this_machine_only():
    """In a process of its own: Ray decides when it is imported."""
    script = (
        "from mcrave.arena.cluster import Cluster\n"
        "crew = Cluster('local', 1)\n"
        "import ray\n"
        "print('at', ray.nodes()[0]['NodeManagerAddress'])\n"
        "crew.close()\n"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "at 127.0.0.1" in said.stdout, said.stderr[-2000:]


def test_no_cluster_there():
    with pytest.raises(Error, match=r"cannot reach Ray at '127\.0\.0\.1:1'"):
        Cluster("127.0.0.1:1")
