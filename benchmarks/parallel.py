"""Simulations per second with several threads, beside as many separate processes: the ceiling of the machine.

    python benchmarks/parallel.py [--threads 2] [--repeats 5] [--only domineering]

Wall time, interleaved, medians, so on a machine that does nothing else. Every search has a process of its own, begins
with an empty tree, and makes fewer simulations than its memory has nodes for: a full tree grows no more, and is
quicker. The memory was used before: pages cost more when they are used first. `tree` is threads on one tree, `root` a
tree for each thread; `processes` runs as many searches in processes of their own; in parentheses, times one thread's.
`leaf` is 8 playouts from each leaf by as many threads, in parentheses times those by one thread. `atomics` is what the
atomic additions and virtual loss cost one thread: the time of a simulation with them over the time without.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

import numpy as np

from mcrave.search import Search
from mcrave.search.hot import Hot, HotEdgeAmaf, kept_length
from mcrave.search.plan import Plan, Scratch

RUNS = [
    ("domineering(size=8)", "grave", "uniform", 250_000),
    ("go(size=9)", "mc_rave(schedule=min_mse())", "uniform", 250_000),
    ("go(size=9)", "mc_rave(schedule=min_mse())", "mogo", 100_000),
    ("go(size=19)", "mc_rave(schedule=min_mse())", "uniform", 50_000),
]
ALONE = (
    "import sys, time, mcrave; form, g, t, p, n = sys.argv[1:]\n"
    "search = mcrave.Search(g, tree=t, playout=p, parallel=form, memory='1GB'); start = search.game.start()\n"
    "search.run(start, simulations=int(n)); search.reset()\n"  # compile, and use the memory once before
    "print('ready', flush=True); input(); began = time.perf_counter()\n"
    "search.run(start, simulations=int(n)); print(time.perf_counter() - began)"
)


def rate(count: int, form: str, game: str, tree: str, playout: str, simulations: int) -> float:
    """Simulations a second of so many processes at once, each with one search of this form."""
    command = [sys.executable, "-c", ALONE, form, game, tree, playout, str(simulations)]
    pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    workers = [subprocess.Popen(command, **pipe) for _ in range(count)]  # type: ignore[call-overload]
    for worker in workers:
        worker.stdout.readline()
    for worker in workers:
        worker.stdin.write("\n")
        worker.stdin.flush()
    return count * simulations / max(float(worker.communicate()[0]) for worker in workers)


class Atomic(Search):
    """One thread that adds as several would."""

    def _plan(self) -> Plan:
        return super()._plan()._replace(threads=Hot(1.0, 1), amaf=HotEdgeAmaf(0))

    def _scratch(self, *parts: object) -> Scratch:
        branching = self.game.max_moves()
        own = {"kept": np.zeros(kept_length(branching, branching)), "stock": np.zeros(4, np.int64)}
        return super()._scratch(*parts)._replace(**own)  # type: ignore[arg-type]


def cost_of_atomics(simulations: int, repeats: int) -> float:
    """The time of a simulation with atomic additions over that without, MC–RAVE on 9×9."""
    searches = [kind("go(size=9)", tree="mc_rave(schedule=min_mse())", memory="1GB") for kind in (Search, Atomic)]
    start = searches[0].game.start()
    times: list[list[float]] = [[], []]
    for _ in range(repeats + 1):
        for search, taken in zip(searches, times, strict=True):
            search.reset(seed=1)
            began = time.process_time()
            search.run(start, simulations=simulations)
            taken.append(time.process_time() - began)
    return statistics.median(times[1][1:]) / statistics.median(times[0][1:])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", metavar="TEXT", help="only games with this in their text")
    options = parser.parse_args()
    n = options.threads
    ratios = "tree / processes | root / processes"
    print(f"| game | search | 1 thread | tree({n}) | root({n}) | {n} processes | {ratios} | leaf(8) by {n} |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for run in (run for run in RUNS if options.only in run[0]):
        one = "tree(threads=1)"
        forms = [(1, one), (1, f"tree(threads={n})"), (1, f"root(workers={n})"), (1, "leaf(playouts=8)")]
        forms += [(1, f"leaf(playouts=8,threads={n})"), (n, one)]
        rates: list[list[float]] = [[] for _ in forms]
        for _ in range(options.repeats):
            for (count, form), found in zip(forms, rates, strict=True):
                found.append(rate(count, form, *run))
        alone, tree, root, leaf, leaves, ceiling = map(statistics.median, rates)
        cells = [f"{alone:,.0f}", f"{tree:,.0f} ({tree / alone:.2f})", f"{root:,.0f} ({root / alone:.2f})"]
        cells += [f"{ceiling:,.0f} ({ceiling / alone:.2f})", f"{tree / ceiling:.2f}", f"{root / ceiling:.2f}"]
        cells.append(f"{leaves:,.0f} ({leaves / leaf:.2f})")
        print(f"| `{run[0]}` | `{run[1]}+{run[2]}` | {' | '.join(cells)} |", flush=True)
    print(f"\natomics cost one thread {100 * cost_of_atomics(20_000, 2 * options.repeats + 1) - 100:.1f}%")


if __name__ == "__main__":
    main()
