"""Simulations a second on a GPU, many games at once, one move from the start: `python benchmarks/gpu.py [NAME...]`.

For each case the first line is a warp for a game, the second a thread for a game. There is no peer beside it: pgx has
Go, but no tree search on the GPU to compare with; its random playouts are another thing.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import mcrave
from mcrave.kernel.rng import stream
from mcrave.parallel.gpu.engines import Cuda
from mcrave.parallel.gpu.planning import games_that_fit, layout, thinker
from mcrave.parallel.gpu.room import Room, Start

CASES = {  # game, tree, playout, simulations, games
    "domineering": ("domineering(size=8)", "grave(ref=50)", "uniform()", 1000, 16_000),
    "domineering-10000": ("domineering(size=8)", "grave(ref=50)", "uniform()", 10_000, 4000),
    "atarigo": ("atarigo(size=8)", "grave(ref=50)", "uniform()", 1000, 8000),
    "knightthrough": ("knightthrough", "grave(ref=50)", "uniform()", 1000, 8000),
    "go": ("go(size=9)", "mc_rave()", "uniform()", 1000, 8000),
    "go-mogo": ("go(size=9)", "grave(ref=50)", "mogo()", 300, 8000),
    "go3": ("go3(size=9)", "grave(ref=50)", "uniform()", 1000, 8000),
    "go-playouts": ("go(size=9)", "monte_carlo()", "uniform()", 1000, 16_000),
    "go19-playouts": ("go(size=19)", "monte_carlo()", "uniform()", 100, 8000),
}


def measure(name: str, together: bool) -> str:
    """One line."""
    board, tree, playout, simulations, wanted = CASES[name]
    game = mcrave.game(board)
    each = thinker(name, mcrave.Search(game, tree=tree, playout=playout), simulations)
    engine = Cuda(together=together)
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
    begin()
    began = time.perf_counter()
    room.move({0: each}, {0: list(range(games))})
    room.facts()
    rate = games * simulations / (time.perf_counter() - began)
    how = "warp" if together else "thread"
    return (
        f"{name:18} {board:20} {tree:14} {playout:10} {simulations:6} × {games:6} games  {how:6} {rate / 1e6:8.2f} M/s"
    )


if __name__ == "__main__":
    print(Cuda().name, f"numpy {np.__version__}")
    for case in sys.argv[1:] or CASES:
        for together in (True, False):
            print(measure(case, together), flush=True)
