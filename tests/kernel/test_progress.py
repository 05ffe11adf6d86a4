"""A long compilation is announced to a person, once, and to nobody else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from tests.kernel.toy import TAKE, environment

LINE = "compiling observe (once; kept for the next start) …"
PLAY = """
import sys, take, mcrave
from mcrave.kernel import progress
progress.DELAY = float(sys.argv[1])
mcrave.game("take").start()
"""


@pytest.fixture
def game(tmp_path):
    (tmp_path / "take.py").write_text(TAKE)
    return tmp_path


def watched(folder, delay: float) -> str:
    """What a process writes to its terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", PLAY, str(delay)]
    process = subprocess.Popen(command, cwd=folder, env=environment(folder / "cache"), stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the terminal is closed
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    assert process.wait() == 0, seen.decode()
    return seen.decode()


def test_default_delay_is_a_second():
    from mcrave.kernel import progress

    assert progress.DELAY == 1.0


def test_a_slow_compilation_is_announced_and_wiped(game):
    seen = watched(game, 0.01)
    assert seen.count(LINE) == 1
    assert seen == f"\r{LINE}\r\033[K"


def test_a_quick_one_is_not(game):
    assert watched(game, 60) == ""


def test_loading_from_the_cache_is_not(game):
    watched(game, 60)
    assert watched(game, 0.0) == ""


def test_nothing_goes_into_a_pipe(game):
    command = [sys.executable, "-c", PLAY, "0.01"]
    done = subprocess.run(command, cwd=game, env=environment(game / "cache"), capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
