"""The same on Ray: two nodes of one cluster, a node lost, workers killed and stopped, and the command line."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mcrave import Search
from mcrave.cluster import coordinator as coordinating
from mcrave.cluster.connecting import connect
from mcrave.cluster.statistics import VISITS
from mcrave.errors import Error

os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # see `connect`
os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")  # a busy machine starts slowly
os.environ.setdefault("RAY_agent_register_timeout_ms", "300000")
ray = pytest.importorskip("ray")
GAME = "mnk(size=3,length=3)"
NODE: dict[str, Any] = {"object_store_memory": 80 << 20, "node_ip_address": "127.0.0.1"}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A node with two processors and one with one."""
    from ray.cluster_utils import Cluster

    head = NODE | {"num_cpus": 2, "include_dashboard": False}
    found = Cluster(initialize_head=True, head_node_args=head)
    found.other = found.add_node(num_cpus=1, **NODE)
    connect(found.address)
    yield found
    ray.shutdown()
    found.shutdown()


def ask(search: Search, question: Callable[[Any], Any]) -> dict[int, Any]:
    """What each worker answers in its own process."""
    actors = search._team._pool.actors
    answers = {number: actor.__ray_call__.remote(question) for number, actor in actors.items()}
    return {number: ray.get(answer, timeout=60) for number, answer in answers.items()}


def pid(worker: Any) -> int:
    return os.getpid()


def place(worker: Any) -> str:
    return str(ray.get_runtime_context().get_node_id())


def during(search: Search, act: Callable[[], Any], seconds: float) -> None:
    """Run a search, and do something to it meanwhile."""
    timer = threading.Timer(0.4, act)
    timer.start()
    search.run(search.game.start(), seconds=seconds)
    timer.join()


def refill(search: Search, losses: int) -> None:
    """Search until so many losses were noticed, and all workers are there again."""
    team = search._team
    for _ in range(400):
        if team.losses >= losses and all(member.ready for member in team.members.values()):
            return
        search.run(search.game.start(), seconds=0.3)
    raise AssertionError("the lost worker was never replaced")


@pytest.mark.slow
def test_a_search_goes_on_whatever_dies(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers on two nodes. Lost are: a node, a process, and one that stops answering.

    Each time the run ends, what was told stays, another worker takes the place, and every simulation counts once.
    """
    monkeypatch.setattr(coordinating, "PATIENCE", 20.0)  # a busy machine is no loss
    search = Search(GAME, tree="mc_rave", parallel="ray(workers=2,rate=10)", memory="8MB")
    start, team = search.game.start(), search._team

    report = search.run(start, simulations=4000)
    assert report.simulations == 4000 == team.totals.sums[()][VISITS]
    assert len(set(ask(search, place).values())) == 2, "both nodes take part"
    assert all(team.totals.counted[number] > 0 for number in team.members)

    during(search, lambda: cluster.remove_node(cluster.other, allow_graceful=False), 2.0)
    assert team.totals.sums[()][VISITS] > 4000
    refill(search, 1)

    before = ask(search, pid)
    victim = min(before)
    told = team.totals.counted[victim]
    during(search, lambda: os.kill(before[victim], signal.SIGKILL), 2.0)
    refill(search, 2)
    assert team.totals.counted[victim] >= told > 0
    after = ask(search, pid)
    assert victim not in after
    assert len(after) == 2
    report = search.run(start, simulations=3000)
    assert report.simulations == 3000
    assert all(team.totals.counted[number] > 0 for number in after), "the new one works, too"

    monkeypatch.setattr(coordinating, "PATIENCE", 0.3)
    victim = max(after)
    try:  # it would never answer: only because nobody waits for it does the run end
        during(search, lambda: os.kill(after[victim], signal.SIGSTOP), 2.0)
        for _ in range(400):
            if victim not in team.members:
                break
            search.run(start, seconds=0.3)
        assert victim not in team.members
        assert team.losses >= 3
        assert len(team.members) == 2
    finally:
        with contextlib.suppress(ProcessLookupError):  # Ray may have ended it meanwhile
            os.kill(after[victim], signal.SIGKILL)
    monkeypatch.setattr(coordinating, "PATIENCE", 20.0)

    search.advance("b2")
    known = team.totals.sums[()][VISITS]
    assert known > 0
    report = search.run(start.play("b2"), simulations=1000)
    assert report.simulations == 1000
    assert team.totals.sums[()][VISITS] >= known + 1000, "the subtree was kept"
    search.close()


@pytest.mark.slow
def test_commands_join_a_cluster(cluster: Any) -> None:
    """`mcrave analyze` and `mcrave gtp` with its address."""
    program = [sys.executable, "-m", "mcrave"]
    command = [*program, "analyze", GAME, "--player", "mc_rave+ray(workers=1)@2000", "--ray", cluster.address, "--json"]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr[-2000:]
    assert json.loads(said.stdout)["simulations"] == 2000
    command = [*program, "gtp", "--player", "uct+ray(workers=1)@300", "--ray", cluster.address]
    talk = "boardsize 5\ngenmove b\ngenmove w\nquit\n"
    said = subprocess.run(command, input=talk, capture_output=True, text=True)
    replies = [reply for reply in said.stdout.split("\n\n") if reply]
    assert [reply[0] for reply in replies] == ["="] * 4, said.stdout + said.stderr[-2000:]
    assert replies[1] != "= "


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says how to get it."""
    monkeypatch.setitem(sys.modules, "ray", None)
    search = Search(GAME, parallel="ray(workers=2)")
    with pytest.raises(Error, match=r"needs Ray: pip install 'mcrave\[cluster\]'"):
        search.run(search.game.start(), simulations=10)


def test_other_forms_are_not_for_clusters() -> None:
    command = [sys.executable, "-m", "mcrave", "analyze", GAME, "--player", "uct+root(workers=2)@10", "--ray", "local"]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 2
    assert said.stderr.count("\n") == 1
    assert "cannot search on a cluster: leave root() out" in said.stderr
