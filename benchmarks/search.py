"""Simulations per second of the search, beside OpenSpiel's C++ MCTSBot with random rollouts in the same run.

    python benchmarks/search.py [--only go] [--simulations 20000] [--repeats 5]

One thread, from the start of the game; medians of interleaved repeats, in CPU seconds. `playouts` is what the bare
random playouts of the same game would make; `cost` is the time of a simulation over the time of such a playout.
OpenSpiel builds a UCT tree with one rollout a simulation.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import mcrave
from mcrave.playouts import sample

try:
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401  registers python_tic_tac_toe
except ImportError:
    pyspiel = None

RUNS = [
    ("go(size=9)", "uct()", "go(board_size=9,komi=7.5)"),
    ("go(size=9)", "mc_rave()", "go(board_size=9,komi=7.5)"),
    ("go(size=9)", "mc_rave(schedule=min_mse())", "go(board_size=9,komi=7.5)"),
    ("go(size=9)", "rave()", "go(board_size=9,komi=7.5)"),
    ("go(size=9)", "grave()", "go(board_size=9,komi=7.5)"),
    ("hex(size=11)", "uct()", "hex(board_size=11)"),
    ("hex(size=11)", "rave()", "hex(board_size=11)"),
    ("breakthrough(size=8)", "uct()", "breakthrough"),
    ("othello(size=8)", "uct()", "othello"),
    ("connect_four(rows=6,cols=7)", "uct()", "connect_four"),
    ("mnk(size=3,length=3)", "uct()", "tic_tac_toe"),
    ("mnk(size=3,length=3)", "uct()", "python_tic_tac_toe"),  # rules in Python on both sides
    ("domineering(size=8)", "uct()", ""),
    ("domineering(size=8)", "grave()", ""),
    ("atarigo(size=8)", "grave()", ""),
    ("knightthrough(size=8)", "grave()", ""),
]


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    started = time.process_time()
    work()
    return time.process_time() - started


def ours(game: str, tree: str, simulations: int, expand_after: int) -> tuple[Callable[[], object], mcrave.Search]:
    """A fresh tree each time, in memory that is already there."""
    search = mcrave.Search(game, tree=tree, expand_after=expand_after, memory="1GB")
    start = search.game.start()
    search.run(start, simulations=simulations)

    def work() -> None:
        search.reset()
        search.run(start, simulations=simulations)

    return work, search


def theirs(game: str, simulations: int) -> Callable[[], object]:
    """OpenSpiel's MCTSBot."""
    loaded = pyspiel.load_game(game)
    bot = pyspiel.MCTSBot(loaded, pyspiel.RandomRolloutEvaluator(1, 1), 1.0, simulations, 1000, False, 1, False)
    state = loaded.new_initial_state()
    return lambda: bot.mcts_search(state)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only games that start with this")
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--expand-after", type=int, default=1)
    options = parser.parse_args()
    print("| game | policy | ours/s | OpenSpiel C++/s | ratio | playouts/s | cost | nodes | bytes a node |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for game, tree, spiel in RUNS:
        if not game.startswith(options.only):
            continue
        work, search = ours(game, tree, options.simulations, options.expand_after)
        start = search.game.start()
        sample(start, 10)
        contenders: dict[str, Callable[[], object]] = {
            "ours": work,
            "bare": lambda start=start: sample(start, options.simulations),  # type: ignore[misc]
        }
        if spiel and pyspiel is not None:
            contenders["theirs"] = theirs(spiel, max(200, options.simulations // 20))
        taken: dict[str, list[float]] = {name: [] for name in contenders}
        for _ in range(options.repeats):
            for name, contender in contenders.items():
                taken[name].append(seconds(contender))
        median = {name: statistics.median(times) for name, times in taken.items()}
        rate, bare = options.simulations / median["ours"], options.simulations / median["bare"]
        spiel_rate = max(200, options.simulations // 20) / median["theirs"] if "theirs" in median else 0.0
        beside = f"{spiel_rate:,.0f} | {rate / spiel_rate:.1f}" if spiel_rate else "– | –"
        tree_arrays = search.reader().tree
        node = sum(array.nbytes for array in tree_arrays) / len(tree_arrays.nodes)
        nodes = int(tree_arrays.used[0])
        cells = [f"`{game}`", f"`{tree}`", f"{rate:,.0f}", beside, f"{bare:,.0f}", f"{bare / rate:.2f}"]
        print(f"| {' | '.join(cells)} | {nodes:,} | {node:,.0f} |")


if __name__ == "__main__":
    main()
