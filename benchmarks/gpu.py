"""Simulations a second on a GPU, many games at once: `python benchmarks/gpu.py [NAME...]`.

One move from the start, the best of three. For each case the first line is some lanes of a warp for a game, the second
a thread. Beside the random playouts of Go stand pgx's, in the same run, where it and JAX are installed (see `gpu_pgx`);
no other library has a tree search of these games on a GPU to compare with.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import mcrave
from mcrave.kernel.rng import stream
from mcrave.parallel.gpu.engines import Cuda
from mcrave.parallel.gpu.planning import games_that_fit, layout, thinker
from mcrave.parallel.gpu.room import Room, Start

RULES_OF_2006 = "mogo(avoid_self_atari=0,two_liberties=false,nakade=false,ladders=false)"
CASES = {  # game, tree, playout, simulations, games
    "domineering": ("domineering(size=8)", "grave(ref=50)", "uniform()", 1000, 16_000),
    "domineering-10000": ("domineering(size=8)", "grave(ref=50)", "uniform()", 10_000, 8000),
    "atarigo": ("atarigo(size=8)", "grave(ref=50)", "uniform()", 1000, 8000),
    "knightthrough": ("knightthrough", "grave(ref=50)", "uniform()", 1000, 8000),
    "go": ("go(size=9)", "mc_rave()", "uniform()", 1000, 8000),
    "go-mogo": ("go(size=9)", "grave(ref=50)", "mogo()", 300, 8000),
    "go-2006": ("go(size=9,pass_last=true)", "grave(ref=50)", RULES_OF_2006, 300, 8448),
    "go-2006-uct": ("go(size=9,pass_last=true)", "uct(c=0.4)", RULES_OF_2006, 300, 8448),
    "go19-2006": ("go(size=19,pass_last=true)", "grave(ref=50)", RULES_OF_2006, 50, 2000),
    "go3": ("go3(size=9)", "grave(ref=50)", "uniform()", 1000, 8000),
    "go-playouts": ("go(size=9)", "monte_carlo()", "uniform()", 1000, 16_000),
    "go19-playouts": ("go(size=19)", "monte_carlo()", "uniform()", 100, 32_000),
}
SHARED = ("go-2006", "go-2006-uct", "go19-2006")  # several paths share a position, as in the papers' games
PEERS = {"go-playouts": "go_9x9", "go19-playouts": "go_19x19"}


def measure(name: str, together: bool, lanes: int = 0) -> str:
    """One line."""
    board, tree, playout, simulations, wanted = CASES[name]
    game = mcrave.game(board)
    transpositions = "edge" if name in SHARED else "off"
    search = mcrave.Search(game, tree=tree, playout=playout, transpositions=transpositions)
    each = thinker(name, search, simulations, together=together)
    engine = Cuda(together=together, lanes=lanes)
    rows = layout(game, [each], game.max_plies())
    games = games_that_fit(game, [each], rows, engine.free_memory(), wanted)
    room = Room(engine, game, rows, games)
    seeds = range(game.players)

    def begin() -> None:
        starts = [Start(i, game.start(), [int(stream(i, seat)[0].state) for seat in seeds]) for i in range(games)]
        room.begin(starts)
        room.facts()

    begin()
    room.move({0: each._replace(simulations=1)}, {0: list(range(games))})  # compiles
    rate = 0.0
    for _ in range(3):
        begin()
        began = time.perf_counter()
        room.move({0: each}, {0: list(range(games))})
        room.facts()
        rate = max(rate, games * simulations / (time.perf_counter() - began))
    shape = engine.shape(games, game.max_plies(), rows.scratch["work"].bytes)
    how = f"{shape.lanes} lanes" if together else "thread"
    return (
        f"{name:18} {board:20} {tree:14} {playout:10} {simulations:6} × {games:6} games  {how:8} {rate / 1e6:8.2f} M/s"
    )


def peer(name: str) -> str:
    """The line of pgx, from a process of its own: JAX and Numba would share the memory of the GPU."""
    if importlib.util.find_spec("pgx") is None:
        return "pgx is not installed: pip install pgx 'jax[cuda13]'"
    command = [sys.executable, str(Path(__file__).with_name("gpu_pgx.py")), PEERS[name], str(CASES[name][4])]
    environment = os.environ | {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return done.stdout.strip() or (done.stderr.strip().splitlines() or ["pgx said nothing"])[-1]


if __name__ == "__main__":
    print(Cuda().name, f"numpy {np.__version__}")
    for case in sys.argv[1:] or CASES:
        for together in (True, False):
            print(measure(case, together), flush=True)
        if case in PEERS:
            print(peer(case), flush=True)
