"""The Go engine's speed: MoGo's playouts and the full search, beside Pachi and Fuego, and where the time goes.

    python benchmarks/go.py [--sizes 9,19] [--simulations 10000] [--repeats 5] [--pachi PATH] [--fuego PATH]

One thread, from the empty board; medians of interleaved repeats, per CPU second. Other programs are started once for
each board and asked by GTP for a move of so many simulations; what counts is the CPU time of their process in between,
so a start with its tables costs nothing. `ours, part by part` adds one part after the other to a random playout:

- `light`: uniformly random moves that fill no own eye;
- `mogo()`: the playout policy, from the root itself, without a tree;
- `tree`: UCT; `AMAF`: MC–RAVE in its place; `prior`: with `mogo2008()`; `ownership`: counting owners, as in GTP.

A part's time is the difference between two lines, so it holds what the part saves or costs elsewhere, too: a better
tree walks deeper, and its playouts are shorter.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable
from functools import partial

import mcrave
from mcrave.gtp.defaults import default_player
from mcrave.players import SearchPlayer, parse_player
from mcrave.playouts import sample

TICKS = os.sysconf("SC_CLK_TCK")
PARTS = {
    "light": "",
    "mogo()": "uct+mogo()+leaf(playouts={0})",
    "tree": "uct+mogo()",
    "AMAF": "mc_rave+mogo()",
    "prior": "mc_rave+mogo()+mogo2008()",
    "ownership": "mc_rave+mogo()+mogo2008()+search(ownership=1)",
}
PACHI_PLAYOUTS = "-d 0 -e montecarlo -t ={0} playout=moggy"
PACHI_SEARCH = "-d 0 -t ={0} threads=1,pondering=0,max_tree_size=1000"
FUEGO_SEARCH = "--nobook --quiet"
FUEGO_SETTINGS = (
    "uct_param_player ignore_clock 1",
    "uct_param_player max_games {0}",
    "uct_param_player reuse_subtree 0",
    "uct_param_player early_pass 0",
    "uct_param_player forced_opening_moves 0",
    "uct_param_search number_threads 1",
    "uct_max_memory 1000000000",
)

Work = Callable[[], float]
"""Does so many simulations, and says in how many CPU seconds."""


def ours(text: str, size: int, count: int) -> Work:
    """A player's search, each time with an empty tree in memory that is already there."""
    start = mcrave.game(f"go(size={size})").start()
    if not text:
        return lambda: timed(lambda: sample(start, count))
    player = parse_player(f"{text.format(count)}@{count}")
    assert isinstance(player, SearchPlayer)

    def work() -> float:
        player.new_game(seed=1)
        return timed(lambda: player.search(start))

    return work


def timed(work: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    began = time.process_time()
    work()
    return time.process_time() - began


class Rival:
    """Another program, asked by GTP for the first move."""

    def __init__(self, command: list[str], settings: list[str], counter: str = "") -> None:
        self.counter = counter
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        for line in settings:
            if not self.ask(line).startswith("="):
                raise SystemExit(f"{command[0]} refuses '{line}'")

    def ask(self, line: str) -> str:
        """The reply."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        lines = []
        while text := self.process.stdout.readline():
            if text.strip():
                lines.append(text.strip())
            elif lines:
                return "\n".join(lines)
        raise SystemExit(f"{self.process.args[0]} ended at '{line}'")  # type: ignore[index]

    def work(self) -> float:
        """One move on an empty board."""
        self.ask("clear_board")
        began = self.seconds()
        self.ask("genmove b")
        return self.seconds() - began

    def share(self, wanted: int) -> float:
        """How much of the last move's simulations were done: Fuego ends a search that cannot change its mind."""
        if not self.counter:
            return 1.0
        found = re.search(r"GamesPlayed\s+([0-9]+)", self.ask(self.counter))
        if found is None or int(found[1]) == 0:
            raise SystemExit(f"{self.process.args[0]} did not search")  # type: ignore[index]
        return int(found[1]) / wanted

    def seconds(self) -> float:
        """CPU time of the process so far, of all its threads."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()


def whole_work(rival: Rival, count: int) -> float:
    """CPU seconds for so many simulations, though it may do fewer."""
    return rival.work() / rival.share(count)


def rivals(options: argparse.Namespace, size: int) -> dict[str, Rival]:
    """Those whose programs were given."""
    board, found = [f"boardsize {size}", "komi 7.5"], {}
    count = options.simulations
    if options.pachi:
        for name, arguments in (("Pachi, moggy playouts", PACHI_PLAYOUTS), ("Pachi, search", PACHI_SEARCH)):
            found[name] = Rival([options.pachi, *arguments.format(count).split()], board)
    if options.fuego:
        settings = [line.format(count) for line in FUEGO_SETTINGS]
        found["Fuego, search"] = Rival([options.fuego, *FUEGO_SEARCH.split()], board + settings, "uct_stat_search")
    return found


def measure(options: argparse.Namespace, size: int) -> dict[str, float]:
    """Simulations per CPU second of everybody, medians of interleaved repeats."""
    count, others = options.simulations, rivals(options, size)
    works: dict[str, Work] = {name: ours(text, size, count) for name, text in PARTS.items()}
    works["engine"] = ours(default_player(size, size).partition("@")[0], size, count)
    works |= {name: partial(whole_work, rival, count) for name, rival in others.items()}
    for work in works.values():
        work()  # compile, and touch the memory
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(options.repeats):
        for name, work in works.items():
            taken[name].append(work())
    for rival in others.values():
        rival.close()
    return {name: count / statistics.median(times) for name, times in taken.items()}


def parts_table(rates: dict[str, float]) -> list[str]:
    """Microseconds of each part."""
    lines = ["| ours, part by part | per second | microseconds | more |", "| --- | ---: | ---: | ---: |"]
    before = 0.0
    for name in PARTS:
        taken = 1e6 / rates[name]
        lines.append(f"| {name} | {rates[name]:,.0f} | {taken:.1f} | {taken - before:+.1f} |")
        before = taken
    return lines


def rivals_table(rates: dict[str, float], size: int) -> list[str]:
    """Ours beside others."""
    engine = default_player(size, size).partition("@")[0]
    lines = [
        "| | per second |",
        "| --- | ---: |",
        f"| `mogo()` playouts | {rates['mogo()']:,.0f} |",
        f"| MC–RAVE + `mogo()` + `mogo2008()` | {rates['prior']:,.0f} |",
        f"| the engine's default, `{engine}` | {rates['engine']:,.0f} |",
    ]
    for name in (name for name in rates if name not in PARTS and name != "engine"):
        mine = rates["mogo()" if "playouts" in name else "engine"]
        lines.append(f"| {name} | {rates[name]:,.0f} (ours: {mine / rates[name]:.1f} times) |")
    return lines


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="9,19")
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--pachi", default="", metavar="PATH")
    parser.add_argument("--fuego", default="", metavar="PATH")
    options = parser.parse_args()
    for name in ("pachi", "fuego"):
        path = getattr(options, name)
        if not path:
            print(f"{name.capitalize()} is left out: give its program by --{name} PATH.")
        elif shutil.which(path) is None:
            parser.error(f"there is no program {path}")
    count, repeats = options.simulations, options.repeats
    print(f"{platform.machine()}, Python {platform.python_version()}, {repeats} repeats of {count:,} simulations")
    for size in map(int, options.sizes.split(",")):
        rates = measure(options, size)
        print(f"\n{size}×{size}\n\n" + "\n".join([*rivals_table(rates, size), "", *parts_table(rates)]), flush=True)


if __name__ == "__main__":
    main()
