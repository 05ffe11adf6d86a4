"""What a search on a cluster costs in messages, and up to how many workers it scales: an estimate and a simulation.

    python benchmarks/cluster.py [--seconds 2] [--rate 4] [--ray] [--plot docs/images/cluster.svg]

First the costs are measured here: the bytes of a message up (differences) and down (totals), the processor time that
the coordinator and the worker spend on one exchange, and with `--ray` what a call of an actor costs. From these follow
the estimate, by formulas, and a simulation of every message between the coordinator and up to 1,000 workers. Both are
printed side by side. Seconds are processor time.
"""

from __future__ import annotations

import argparse
import heapq
import pickle
import statistics
import time
from pathlib import Path
from typing import NamedTuple

import mcrave
from mcrave.cluster.coordinator import BUSY
from mcrave.cluster.ledger import Totals
from mcrave.cluster.statistics import Nodes
from mcrave.cluster.worker import Order, Recipe, Turn, Worker
from mcrave.search.parallel import RayParallel

RUNS = [("go(size=9)", "mc_rave"), ("go(size=9)", "grave"), ("go(size=19)", "mc_rave"), ("go(size=19)", "grave")]
WORKERS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
LINK = 10e9 / 8  # bytes a second of the coordinator's network: 10 Gbit/s
LATENCY = 2e-4  # seconds on the way
CALL, LOOK = 3e-4, 2e-6  # seconds of the coordinator for an actor call, and for a look at one worker; unless measured


class Costs(NamedTuple):
    """Of one exchange."""

    up: float
    """Bytes from a worker."""
    down: float
    """Bytes to a worker."""
    add: float
    """Seconds of the coordinator to unpack and add a message, and for Ray's call."""
    look: float
    """Seconds of the coordinator to see whether a worker has answered."""
    publish: float
    """Seconds of the coordinator to pack the totals, once for many workers."""
    worker: float
    """Seconds of a worker to hear and tell."""
    nodes: int


def measure(game: str, tree: str, seconds: float, rate: float, calls: tuple[float, float]) -> Costs:
    """Two workers in this process exchange what they find as they would through a network."""
    form = RayParallel(workers=2, rate=rate)
    local = mcrave.Search(game, tree=tree, memory="64MB")
    specs = (local.game, local.tree, local.playout, local.prior, local.choice)
    recipe = Recipe(tuple(map(str, specs)), local.options, 256 << 20, local.when_full, form)
    workers, start, totals = [Worker(recipe, number) for number in (1, 2)], local.game.start(), Totals()
    nodes = Nodes(local, start)
    totals.put_all(nodes)
    for worker in workers:
        worker.prepare(start)
        worker.begin(Turn(1, start, None, 0, 1))
    found: list[tuple[float, ...]] = []
    for _ in range(max(4, round(seconds * rate))):
        for worker in workers:
            began = time.process_time()
            letter = pickle.dumps(totals.upper(0.5 * form.share), 5)
            packed = time.process_time()
            order = Order(1, 1 << 40, 1.0 / rate, totals.counted.get(worker.number, 0))
            told = worker.work(order, pickle.loads(letter))
            worked = time.process_time()
            message = pickle.dumps(told, 5)
            unpacking = time.process_time()
            told = pickle.loads(message)
            totals.add(nodes, worker.number, told.number, told.statistics)
            added = time.process_time()
            quiet = worker.work(Order(0, 0, 0.0, told.number), totals.upper(0.5 * form.share))  # no simulations
            heard = time.process_time()
            totals.add(nodes, worker.number, quiet.number, quiet.statistics)
            found.append((len(message), len(letter), added - unpacking, packed - began, heard - added, worked))
    later = found[len(found) // 2 :]
    up, down, add, publish, worker_cost = (statistics.median(column) for column in list(zip(*later, strict=True))[:5])
    call, look = calls
    return Costs(up, down, add + call, look, publish, worker_cost, len(totals.upper(0.5 * form.share)))


def measure_calls(waiting: int = 500) -> tuple[float, float]:
    """Seconds of this process for one call of an actor and its answer, and for a look at one of many who are busy."""
    from mcrave.cluster.connecting import connect

    ray = connect("local", 1)

    class Echo:
        def work(self, order: float, totals: object) -> float:
            time.sleep(order)
            return order

    actor = ray.remote(num_cpus=0)(Echo).remote()
    totals = ray.put({})
    ray.get(actor.work.remote(0.0, totals))
    began, calls = time.process_time(), 300
    for _ in range(calls):
        ready, _ = ray.wait([actor.work.remote(0.0, totals)], num_returns=1)
        ray.get(ready[0])
    call = (time.process_time() - began) / calls
    answers = [actor.work.remote(60.0, totals) for _ in range(waiting)]
    began, looks = time.process_time(), 20
    for _ in range(looks):
        ray.wait(answers, num_returns=1, timeout=0.001)
    look = (time.process_time() - began) / looks / waiting
    ray.kill(actor)
    ray.shutdown()
    return call, look


class Load(NamedTuple):
    """How a number of workers goes."""

    exchanges: float
    """A second, of each worker."""
    busy: float
    """The share of time in which the coordinator has something to do."""
    bytes: float
    """Through the coordinator's link, a second."""
    useful: float
    """The share of a worker's time in which it searches."""


def message(workers: int, costs: Costs) -> float:
    """Seconds that a message costs the coordinator if it comes alone: it looks at all workers."""
    return costs.add + workers * costs.look


def interval_of(workers: int, costs: Costs, rate: float) -> float:
    """How long an order lasts: the coordinator makes it longer before it is overloaded."""
    return max(1.0 / rate, workers * message(workers, costs) / BUSY)


def estimate(workers: int, costs: Costs, rate: float) -> Load:
    """By formulas: a cycle is an order and the exchange after it; what all workers share bounds the cycles."""
    length, each = interval_of(workers, costs, rate), message(workers, costs)
    alone = length + costs.worker + 2 * LATENCY + (costs.up + costs.down) / LINK + each
    cycle = max(alone, workers * costs.up / LINK, workers * costs.down / LINK)
    busy = workers / cycle * each + min(workers / cycle, 10 * rate) * costs.publish
    return Load(1.0 / cycle, min(1.0, busy), workers / cycle * (costs.up + costs.down), length / cycle)


def simulate(workers: int, costs: Costs, rate: float, seconds: float = 20.0) -> Load:
    """Every message by itself, in three queues: into the coordinator's link, its processor, and out of its link.

    The coordinator looks at all workers, then reads what is there, then looks again.
    """
    inward = server = outward = published = busy = searched = 0.0
    exchanges = 0
    length = interval_of(workers, costs, rate)
    found, come, read = range(3)
    events = [(length * (number + 1) / workers, number, found) for number in range(workers)]
    heapq.heapify(events)
    while events[0][0] < seconds:
        now, number, what = heapq.heappop(events)
        if what == found:
            searched += length
            inward = max(inward, now + costs.worker) + costs.up / LINK
            now = inward + LATENCY
        elif what == come:
            work = costs.add + (workers * costs.look if now >= server else 0.0)  # else it is one of several there
            if max(server, now) - published > 0.1 / rate:
                published = max(server, now)
                work += costs.publish
            busy += work
            now = server = max(server, now) + work
        elif what == read:
            outward = max(outward, now) + costs.down / LINK
            now = outward + LATENCY
        else:
            exchanges += 1
            now += length
        heapq.heappush(events, (now, number, (what + 1) % 4))
    carried = exchanges * (costs.up + costs.down)
    return Load(exchanges / seconds / workers, busy / seconds, carried / seconds, searched / seconds / workers)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rate", type=float, default=4.0)
    parser.add_argument("--ray", action="store_true", help="measure what a call of an actor costs")
    parser.add_argument("--plot", default="", metavar="FILE")
    options = parser.parse_args()
    calls = measure_calls() if options.ray else (CALL, LOOK)
    told = "an actor call costs the coordinator {:,.0f} µs, a look at a busy worker {:.2f} µs{}\n"
    print(told.format(*(1e6 * cost for cost in calls), "" if options.ray else " (assumed)"))
    print("| game | policy | nodes shared | kB up | kB down | coordinator, µs | packing, µs | worker, µs |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    all_costs = {}
    for game, tree in RUNS:
        costs = all_costs[game, tree] = measure(game, tree, options.seconds, options.rate, calls)
        cells = [f"{costs.nodes}", f"{costs.up / 1e3:,.1f}", f"{costs.down / 1e3:,.1f}"]
        cells += [f"{1e6 * cost:,.0f}" for cost in (costs.add, costs.publish, costs.worker)]
        print(f"| `{game}` | `{tree}` | {' | '.join(cells)} |", flush=True)
    loads = {run: [(n, estimate(n, c, options.rate), simulate(n, c, options.rate)) for n in WORKERS]
             for run, c in all_costs.items()}  # fmt: skip
    for (game, tree), rows in loads.items():
        print(f"\n`{game}`, `{tree}`: estimate / simulation\n")
        print("| workers | messages/s | MB/s | coordinator busy | exchanges/s of each | searching |")
        print("| ---: | ---: | ---: | ---: | ---: | ---: |")
        for n, guess, seen in rows:
            pairs = [(f"{n * 2 * load.exchanges:,.0f}", f"{load.bytes / 1e6:,.1f}", f"{100 * load.busy:.0f}%",
                      f"{load.exchanges:.2f}", f"{100 * load.useful:.1f}%") for load in (guess, seen)]  # fmt: skip
            print(f"| {n:,} | {' | '.join(f'{a} / {b}' for a, b in zip(*pairs, strict=True))} |")
    if options.plot:
        plot(loads, Path(options.plot))


def plot(loads: dict[tuple[str, str], list[tuple[int, Load, Load]]], path: Path) -> None:
    """Workers that search, and exchanges a second, over the number of workers."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "cluster", "svg.fonttype": "none"}):
        figure = Figure(figsize=(8.0, 3.6))
        left, right = figure.subplots(1, 2)
        for colour, ((game, tree), rows) in zip(("C0", "C1", "C2", "C3"), loads.items(), strict=True):
            numbers = [n for n, _, _ in rows]
            for axes, value in ((left, lambda n, load: n * load.useful), (right, lambda n, load: load.exchanges)):
                axes.plot(numbers, [value(n, guess) for n, guess, _ in rows], color=colour, label=f"{game}, {tree}")
                axes.plot(numbers, [value(n, seen) for n, _, seen in rows], "o", color=colour)
        left.set_ylabel("workers' worth of search")
        right.set_ylabel("exchanges a second of each worker")
        left.set_yscale("log")
        for axes in (left, right):
            axes.set_xscale("log")
            axes.set_xlabel("workers")
            axes.grid(alpha=0.3)
        right.legend(fontsize="x-small", title="line: estimate, dots: simulation", title_fontsize="x-small")
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
