"""Games by the kernels for a GPU are the referee's games, move for move; the interpreter runs them here."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from mcrave.arena import Manning, Order, Store, contest, play_match
from mcrave.arena.gpu import Gpu
from mcrave.errors import Error
from mcrave.parallel.gpu.engines import Host
from tests.cli.terminal import ROOT

CASES = [
    {"game": "mnk(size=3,length=3)", "players": ["uct@12", "mc_rave+even(m=2.0)+secure@9"], "games": 7, "slots": 3},
    {"game": "domineering(size=4)", "players": ["grave(ref=2)+search(transpositions=edge)@12", "rave+best_value@7"],
     "games": 6, "slots": 4},
    {"game": "go(size=2,komi=0.5)", "players": ["uct@8", "rave@6"], "games": 6, "slots": 4, "opening": 1},
    {"game": "go3(size=2)", "players": ["uct@5", "random"], "games": 4, "slots": 2},
    {"game": "mnk(size=3,length=3)", "players": ["uct+mast+search(solve=1)@10", "random"], "games": 6, "slots": 6,
     "cap": 5},
    {"game": "mnk(size=3,length=3)", "players": ["uct+mast@8", "rave+mast@6"], "games": 5, "slots": 3},
    {"game": "mnk(size=3,length=3)",
     "players": ["uct+search(early_stop=1)@40", "rave+even(m=2.0)+search(early_stop=1)@25"], "games": 7, "slots": 3},
    {"game": "go(size=3)", "players": ["grave(ref=2)+search(early_stop=1)@20", "uct@30"], "games": 4, "slots": 4},
]  # fmt: skip


@pytest.fixture(scope="module")
def output():
    """What came of every case, from one process without a compiler."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.arena.interpreted_batch", json.dumps(CASES)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def found(output):
    """Case by case."""
    return output[0]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_the_same_games(found, number):
    assert found[number]["different"] == []
    assert found[number]["got"] == CASES[number]["games"]


def test_slots_are_used_again(found):
    """Seven games in three slots, each handed over as soon as its move limit or its end is reached."""
    assert found[0]["batches"] >= 3


def test_ctrl_c_keeps_finished_games(output):
    """The games in flight end with the move at hand, and all that had finished were handed over."""
    assert 1 <= len(output[1]) < 40


@pytest.mark.parametrize("text", ["go(size=3)", "domineering(size=4)", "domineering(size=5)"])
def test_adjourned_games_go_on(output, text):
    """Broken off after every move, the games are those of a run that is not; other sources do not take them on."""
    same, pieces, adjourned, by_others = output[2][text]
    assert same
    assert pieces > 4
    assert adjourned == 4
    assert by_others == 0


def test_customs_are_met(found):
    """Otherwise the comparison says nothing about passing and cut games."""
    assert found[2]["passes"] > 0
    assert "cap" in found[4]["endings"]


@pytest.mark.parametrize(
    ("players", "more", "said"),
    [
        (["uct@1.5s", "random"], {}, "a number of simulations, as in @1000"),
        (["gtp:gnugo --mode gtp", "random"], {}, "another program"),
        (["uct+search(keep=1)@10", "random"], {}, "keeps its tree"),
        (["uct@5", "random"], {"seconds": 1.0}, "cannot be kept"),
        (["uct@5", "uct@6"], {"agree": (0.02, 4)}, "--agree"),
    ],
)
def test_what_cannot_be_played_there(players, more, said):
    with pytest.raises(Error, match=said):
        Gpu([(contest("mnk(size=3,length=3)", players, **more), 2)], [], Host())


def test_devices():
    order = Order(contest("mnk(size=3,length=3)", ["uct@5", "random"]), 2)
    with Store() as store:
        with pytest.raises(Error, match="--device must be cpu or cuda, not gpu"):
            play_match(order, store, Manning(device="gpu"))
        with pytest.raises(Error, match="cannot be had together"):
            play_match(order, store, Manning(device="cuda", ray="local"))
