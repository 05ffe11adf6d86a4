"""A complete small game as the text of a file, and new Python processes that play it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SRC = Path(__file__).parents[2] / "src"

TAKE = '''\
"""Take one, two or three stones from a heap; who takes the last one wins."""

import numpy as np

from mcrave.errors import DiagramError
from mcrave.games import Game
from mcrave.kernel import bits, jit, record

MOST = 3


@jit
def taken(state):
    return state.left == 0


class Take(Game, name="take"):
    """Take stones from one heap."""

    heap: int = 5

    def state_type(self):
        return record(left=np.int16, turn=np.int8)

    def max_moves(self):
        return 3

    def codes(self):
        return 4

    def max_plies(self):
        return self.heap

    def setup(self, state):
        state.left = self.heap

    def legal(rules, state, out):
        n = 0
        for stones in range(1, MOST + 1):
            if stones <= state.left:
                out[n] = stones
                n += 1
        return n

    def play(rules, state, move):
        state.left -= np.int16(move)
        state.turn = 1 - state.turn

    def is_over(rules, state):
        return taken(state)

    def to_move(rules, state):
        return np.int64(state.turn)

    def outcome(rules, state, player):
        return 0.0 if state.turn == player else 1.0

    def hash(rules, state):
        return bits.combine(np.uint64(state.turn), np.int64(state.left))

    def move_name(self, state, move):
        return f"take {move}"

    def render(self, state):
        return f"{state.left} left, {self.symbols[state.turn]} to move"

    def read(self, text, state):
        words = text.split()
        if len(words) != 5 or words[1:] != ["left,", words[2], "to", "move"] or words[2] not in ("X", "O"):
            raise DiagramError("write '5 left, X to move'")
        if not words[0].isdecimal() or not 0 <= int(words[0]) <= self.heap:
            raise DiagramError(f"the heap holds 0 to {self.heap}")
        state.left, state.turn = int(words[0]), "XO".index(words[2])
'''

START = """\
import mcrave
from mcrave.games._position import observe
start = mcrave.game("take").start()
loaded, compiled = (sum(counts.values()) for counts in observe.kernel.stats[1:])
print(", ".join(start.legal_moves()), "| loaded", loaded, "compiled", compiled)
"""


def environment(cache: Path | str, **changes: str) -> dict[str, str]:
    """The variables of a new process with its own cache; the tests' own cache must not leak into it.

    Nor must Python's own: it takes a file that was edited within a second to the same length for the one before.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    own = {"MCRAVE_CACHE_DIR": str(cache), "PYTHONPATH": str(SRC), "PYTHONDONTWRITEBYTECODE": "1"}
    return inherited | own | changes


def python(*arguments: str, folder: Path, cache: Path | str, **changes: str) -> str:
    """What a new process prints; it must end well."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment(cache, **changes),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()
