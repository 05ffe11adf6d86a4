"""What the arena costs: time beside the players' thinking, and what a second worker gives.

    python benchmarks/arena.py [--games 60] [--repeats 3] [--simulations 2000]

A match of `grave` against `rave` on 9×9 Go. The first column is all the time of a match by one worker over what the
players thought in it; the others are games a second between the first and the last finished game, by one worker and by
two, in turns, medians. Compiled code is on disk before anything is measured.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import NamedTuple

from mcrave.arena import Contest, Manning, Order, Record, Store, contest, play_orders

GAME = "go(size=9)"


class Match(NamedTuple):
    """What was measured of one."""

    everything: float
    """Seconds."""
    thinking: float
    rate: float
    """Games a second."""


def play(workers: int, games: int, simulations: int, seed: int) -> Match:
    """One match."""
    players = [f"grave@{simulations}", f"rave@{simulations}"]
    finished: list[float] = []

    def heard(played: Contest, records: object, fresh: bool) -> None:
        finished.append(time.perf_counter())

    order = Order(contest(GAME, players, seed=seed), games)
    with Store() as store:
        play_orders([Order(order.contest, workers)], store, Manning(workers))  # loads what is compiled
        began = time.perf_counter()
        play_orders([order], store, Manning(workers), listener=heard)
        everything = time.perf_counter() - began
        records: list[Record] = store.records(order.contest)[workers:]
    thinking = sum(sum(record.thinking) for record in records)
    return Match(everything, thinking, (len(finished) - 2) / (finished[-1] - finished[1]))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--simulations", type=int, default=2000)
    given = parser.parse_args()
    one, two = [], []
    for seed in range(given.repeats):
        one.append(play(1, given.games, given.simulations, seed + 1))
        two.append(play(2, given.games, given.simulations, seed + 1))
    extra = statistics.median(match.everything / match.thinking - 1 for match in one)
    rates = [statistics.median(match.rate for match in matches) for matches in (one, two)]
    print("| beside thinking | games/s, 1 worker | 2 workers | ratio |")
    print("| ---: | ---: | ---: | ---: |")
    print(f"| {100 * extra:.1f} % | {rates[0]:.3f} | {rates[1]:.3f} | {rates[1] / rates[0]:.2f} |")


if __name__ == "__main__":
    main()
