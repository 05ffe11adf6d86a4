"""The contract suite catches what it is there to catch: each check fails on a game that breaks its point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mcrave
from tests.contracts import cases
from tests.contracts.broken import BROKEN

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def verdicts():
    """What the checks say about the broken games, in the interpreter."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "tests.contracts.broken"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


@pytest.mark.parametrize("i", range(len(BROKEN)), ids=[f"{cls.__name__}{i}" for i, (cls, *_) in enumerate(BROKEN)])
def test_a_broken_game_is_caught(i, verdicts):
    assert len(verdicts) == len(BROKEN)
    assert BROKEN[i][2] in verdicts[i]


def test_a_sound_game_passes():
    cases.check_game(mcrave.game("mnk"), seeds=[1, 2])
