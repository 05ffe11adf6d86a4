"""A simulation shared by the lanes of a warp is the simulation of one thread, number for number.

The lanes are threads of the interpreter here; on a GPU `tests/gpu` compares whole games.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.cli.terminal import ROOT

pytest.importorskip("numba.cuda", reason="numba-cuda is missing: pip install 'mcrave[gpu]'")

RULES_OF_2006 = "mogo(avoid_self_atari=0,two_liberties=false,nakade=false,ladders=false)"
CASES = [
    {"game_text": "go(size=2,komi=0.5)", "simulations": 12, "tree": "grave(ref=3)", "transpositions": "edge"},
    {"game_text": "go(size=3)", "simulations": 6, "tree": "mc_rave()", "playout": "mogo()"},
    {"game_text": "go(size=3)", "simulations": 6, "tree": "rave()", "playout": "mogo(heed=0.6,proximity=0.5)"},
    {"game_text": "go(size=4,pass_last=true)", "simulations": 8, "tree": "grave(ref=2)", "playout": RULES_OF_2006},
    {"game_text": "go3(size=2)", "simulations": 8, "tree": "grave(ref=2)"},
    {"game_text": "domineering(size=3)", "simulations": 12, "tree": "mc_rave()", "prior": "even(m=3.0,c=1.0)"},
    {"game_text": "mnk(size=3,length=3)", "simulations": 10, "tree": "uct()", "prior": "grandfather()"},
    {"game_text": "go(size=2,komi=0.5)", "simulations": 8, "tree": "mc_rave()", "prior": "handcrafted(m=5.0)"},
    {"game_text": "go(size=2,komi=0.5)", "simulations": 8, "tree": "puct()", "prior": "ratings()"},
    {"game_text": "go(size=3)", "simulations": 14, "tree": "uct()", "prior": "shuffled()", "transpositions": "edge"},
    {"game_text": "mnk(size=3,length=3)", "simulations": 12, "tree": "uct()", "transpositions": "state"},
    {"game_text": "mnk(size=3,length=3)", "simulations": 12, "tree": "grave(ref=2)", "playout": "mast()"},
    {"game_text": "domineering(size=3)", "simulations": 12, "tree": "rave()", "options": "max"},
    {"game_text": "domineering(size=3)", "simulations": 30, "tree": "grave(ref=2)", "early_stop": True},
    {"game_text": "go(size=3)", "simulations": 8, "tree": "grave(ref=0)", "transpositions": "edge"},
    {"game_text": "go(size=3)", "simulations": 8, "tree": "rave()", "options": "replays"},
    {"game_text": "go(size=3)", "simulations": 8, "tree": "grave(ref=2)", "options": "replays"},
    {"game_text": "mnk(size=3,length=3)", "simulations": 12, "tree": "rave()", "options": "playout_alone"},
]


@pytest.fixture(scope="module")
def found():
    """Both ways, from one process without a compiler."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.parallel.lanes", json.dumps(CASES)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_same_moves(found, number):
    together, alone = found[number]
    assert together == alone
    assert min(map(len, alone)) > 2
