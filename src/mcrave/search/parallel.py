"""The lecture notes' three ways to use several processors for one search.

- `tree(threads, virtual_loss)`: threads on one tree (see `threads`);
- `root(workers, combine)`: independent trees, whose root statistics are added up, or whose choices are votes;
- `leaf(playouts)`: several playouts from every new leaf, all of them backed up.

Budgets count simulations of all threads and trees together; a playout of `leaf` is a simulation.
"""

from __future__ import annotations

from typing import Literal

from mcrave.errors import Error, SpecError
from mcrave.specs import Spec, parse

MOST = 256


class Parallel(Spec, kind="parallel"):
    """One of the forms."""


class TreeParallel(Parallel, name="tree"):
    """Threads on one tree; a move that is being tried counts `virtual_loss` lost visits more meanwhile."""

    threads: int = 2
    virtual_loss: float = 1.0

    def validate(self) -> None:
        """So many threads as can be."""
        if not 1 <= self.threads <= MOST:
            raise SpecError(f"tree needs threads from 1 to {MOST}, not {self.threads}")
        if not 0.0 <= self.virtual_loss <= 1000.0:
            raise SpecError(f"tree needs virtual_loss from 0 to 1000 visits, not {self.virtual_loss}")


class RootParallel(Parallel, name="root"):
    """Independent trees; `sum` adds the statistics of the root's moves, `vote` counts the moves they choose."""

    workers: int = 2
    combine: Literal["sum", "vote"] = "sum"

    def validate(self) -> None:
        """So many trees as can be."""
        if not 1 <= self.workers <= MOST:
            raise SpecError(f"root needs workers from 1 to {MOST}, not {self.workers}")


class LeafParallel(Parallel, name="leaf"):
    """Several playouts from every leaf."""

    playouts: int = 8

    def validate(self) -> None:
        """At least one."""
        if not 1 <= self.playouts <= 1_000_000:
            raise SpecError(f"leaf needs playouts from 1 to 1000000, not {self.playouts}")


def chosen_parallel(parallel: str | Parallel | None, threads: int, transpositions: str) -> Parallel:
    """What the arguments of a search mean; `threads` alone is `tree(threads)`."""
    if threads < 1:
        raise Error(f"threads must be at least 1, not {threads}")
    if parallel is not None and threads != 1:
        raise Error("give either threads or parallel, not both")
    chosen = parse(parallel, "parallel") if isinstance(parallel, str) else parallel or TreeParallel(threads)
    if isinstance(chosen, TreeParallel) and chosen.threads > 1 and transpositions != "off":
        raise Error(f"transpositions={transpositions} is for one thread; use root(workers={chosen.threads}) for more")
    return chosen
