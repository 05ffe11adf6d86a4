"""Uniformly random playouts per second for every game, beside OpenSpiel's C++ and Python in the same run.

    python benchmarks/playouts.py [--games go,hex] [--repeats 5] [--seconds 0.5] [--libego PROGRAM:SIZE]

Every figure is the median over interleaved repeats, in CPU seconds of one thread. OpenSpiel's C++ is the rollouts that
its MCTSBot makes in one simulation; its Python loop calls `legal_actions` and `apply_action` from Python. Cold
and warm start are the seconds of a new process from nothing to the first position with its legal moves and one
random playout, without and with compiled code on disk. `--libego` names a build of libego's light playout
benchmark, which prints its kpps.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial

import mcrave
from mcrave.playouts import sample

try:
    import pyspiel
except ImportError:
    pyspiel = None

OPENSPIEL = {
    "amazons(size=6)": "amazons",
    "breakthrough(size=8)": "breakthrough",
    "checkers(size=8)": "checkers",
    "clobber(rows=5,cols=6)": "clobber",
    "connect_four(rows=6,cols=7)": "connect_four",
    "go(size=9)": "go(board_size=9,komi=7.5)",
    "go(size=19)": "go(board_size=19,komi=7.5)",
    "havannah(size=8)": "havannah(board_size=8)",
    "hex(size=11)": "hex(board_size=11)",
    "lines_of_action(size=8)": "lines_of_action",
    "mnk(size=3)": "tic_tac_toe",
    "nim(heaps=1-3-5-7)": "nim",
    "othello(size=8)": "othello",
    "y(size=19)": "y(board_size=19)",
}
OURS_ALONE = [
    "atarigo(size=8)",
    "domineering(size=8)",
    "domineering(size=19)",
    "go3(size=9)",
    "knightthrough(size=8)",
    "nogo(size=9)",
]


def rate(work: Callable[[int], object], seconds: float) -> float:
    """Playouts per CPU second of one thread; the batch grows until it takes long enough."""
    count = 1
    while True:
        started = time.process_time()
        work(count)
        taken = time.process_time() - started
        if taken >= seconds / 2:
            return count / taken
        count = max(count + 1, int(count * min(10.0, seconds / max(taken, 1e-4))))


def ours(text: str) -> Callable[[int], object]:
    """Our playouts from the start of the game."""
    start = mcrave.game(text).start()
    seeds = iter(range(10**9))
    return lambda count: sample(start, count, seed=next(seeds))


def spiel_rollouts(text: str) -> Callable[[int], object]:
    """The rollouts that OpenSpiel's MCTSBot makes in C++."""
    game = pyspiel.load_game(text)
    state = game.new_initial_state()

    def rollouts(count: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 10, False, 1, False).mcts_search(state)

    return rollouts


def spiel_python(text: str) -> Callable[[int], object]:
    """The same through OpenSpiel's Python interface."""
    game, dice = pyspiel.load_game(text), random.Random(1)

    def play(count: int) -> None:
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(dice.choice(state.legal_actions()))

    return play


START = (
    "import mcrave; from mcrave.playouts import sample; p = mcrave.game({!r}).start(); p.legal_moves(); sample(p, 1)"
)


def start_times(text: str) -> tuple[float, float]:
    """Seconds of a new process to the first moves, without and with compiled code on disk."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"MCRAVE_CACHE_DIR": folder}
        taken = []
        for _ in range(2):
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", START.format(text)], env=environment, check=True)
            taken.append(time.perf_counter() - started)
    return taken[0], taken[1]


def libego_rate(program: str) -> float:
    """What libego's own benchmark prints, in playouts per second."""
    printed = subprocess.run([program, "50000"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"([\d.]+) kpps\b(?!/)", printed)
    if found is None:
        raise SystemExit(f"no kpps in what {program} prints")
    return 1000 * float(found.group(1))


def measure(text: str, repeats: int, seconds: float, libego: dict[str, str]) -> dict[str, float]:
    """Medians of interleaved repeats."""
    contenders: dict[str, Callable[[], float]] = {"ours": partial(rate, ours(text), seconds)}
    if pyspiel is not None and text in OPENSPIEL:
        contenders["c++"] = partial(rate, spiel_rollouts(OPENSPIEL[text]), seconds)
        contenders["python"] = partial(rate, spiel_python(OPENSPIEL[text]), seconds)
    if text in libego:
        contenders["libego"] = partial(libego_rate, libego[text])
    contenders["ours"]()  # compile
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(repeats):
        for name, contender in contenders.items():
            found[name].append(contender())
    return {name: statistics.median(rates) for name, rates in found.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default="", help="only games whose text starts with one of these, by commas")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--libego", action="append", default=[], metavar="PROGRAM:SIZE")
    options = parser.parse_args()
    libego = {f"go(size={item.rpartition(':')[2]})": item.rpartition(":")[0] for item in options.libego}
    wanted = tuple(options.games.split(","))
    print(
        f"{platform.machine()}, Python {platform.python_version()}, {options.repeats} repeats of {options.seconds} s\n"
    )
    print("| game | ours/s | OpenSpiel C++/s | ratio | OpenSpiel Python/s | ratio | bytes | cold s | warm s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    notes = []
    for text in sorted([*OPENSPIEL, *OURS_ALONE]):
        if not text.startswith(wanted):
            continue
        rates = measure(text, options.repeats, options.seconds, libego)
        cells = [f"{rates['ours']:,.0f}"]
        for name in ("c++", "python"):
            cells += [f"{rates[name]:,.0f}", f"{rates['ours'] / rates[name]:,.1f}"] if name in rates else ["–", "–"]
        if "libego" in rates:
            notes.append(f"{text}: libego {rates['libego']:,.0f}/s, ratio {rates['ours'] / rates['libego']:.2f}")
        cold, warm = start_times(text)
        size = mcrave.game(text).state_type().itemsize
        print(f"| `{text}` | {' | '.join(cells)} | {size} | {cold:.1f} | {warm:.2f} |", flush=True)
    print("\n" + "\n".join(notes))


if __name__ == "__main__":
    main()
