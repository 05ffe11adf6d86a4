"""How the cost of a simulation grows with the size of the tree.

    python benchmarks/growth.py [--game "go(size=9)"] [--most 1000000] [--memory 8GB]

For each policy one search goes on and on; a row holds the CPU time of one simulation over the last stretch before so
many, relative to the first thousand. A deeper tree costs more selection, and memory that no longer fits the caches; a
playout from a deeper leaf costs less.
"""

from __future__ import annotations

import argparse
import time

import mcrave

POLICIES = ("uct()", "mc_rave()", "mc_rave(schedule=min_mse())", "grave()")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="go(size=9)")
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--memory", default="8GB")
    options = parser.parse_args()
    steps = [count for count in (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000) if count <= options.most]
    print(f"| simulations | {' | '.join(f'`{tree}`' for tree in POLICIES)} |")
    print(f"| ---: | {' | '.join('---:' for _ in POLICIES)} |")
    columns = [growth(options.game, tree, steps, options.memory) for tree in POLICIES]
    for row, count in enumerate(steps):
        cells = [f"{column[row]:.2f} µs ({column[row] / column[0]:.2f})" for column in columns]
        print(f"| {count:,} | {' | '.join(cells)} |")


def growth(game: str, tree: str, steps: list[int], memory: str) -> list[float]:
    """Microseconds a simulation, up to each of these numbers of simulations."""
    search = mcrave.Search(game, tree=tree, memory=memory)
    start = search.game.start()
    for _ in range(2):  # the first time is for the system to hand out the memory
        search.reset(seed=1)
        found, done = [], 0
        for count in steps:
            began = time.process_time()
            search.run(start, simulations=count - done)
            found.append(1e6 * (time.process_time() - began) / (count - done))
            done = count
    return found


if __name__ == "__main__":
    main()
