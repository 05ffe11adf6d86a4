"""The lecture notes' three ways to use several processors for one search.

- `tree(threads, virtual_loss)`: threads on one tree (see `threads`);
- `root(workers, combine)`: independent trees, whose root statistics are added up, or whose choices are votes;
- `leaf(playouts, threads)`: several playouts from every new leaf, all of them backed up (see `leaves`); or
  `leaf(playouts, device=cuda)`: on a GPU, of several leaves at once (see `mcrave.parallel.gpu.leaves`).

And `ray(workers, …)`: trees on the machines of a cluster, which share what they know about the first moves (see
`mcrave.cluster`).

Budgets count simulations of all threads and trees together; a playout of `leaf` is a simulation.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Literal

from mcrave.errors import Error, SpecError
from mcrave.search.backups import Mean
from mcrave.search.roots import RootTeam
from mcrave.search.teams import Batch, Team
from mcrave.specs import Spec, parse

if TYPE_CHECKING:
    from mcrave.search.searcher import Search

MOST = 256
CLUSTER = "mcrave.cluster"  # found by its name: it stands above the search, and is loaded only by who uses it
GPU = "mcrave.parallel.gpu.leaves"  # likewise
FULL = 1 << 15  # playouts that keep a GPU busy


class Parallel(Spec, kind="parallel"):
    """One of the forms."""

    def team(self, search: Search) -> Team | None:
        """Who searches in place of the search's own tree; None if nobody does."""
        return None

    def batch(self, search: Search) -> Batch | None:
        """Who plays out for the search; None if it does so itself."""
        return None


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

    def team(self, search: Search) -> Team:
        """Independent trees."""
        return RootTeam(search, self.workers, self.combine == "vote")


class LeafParallel(Parallel, name="leaf"):
    """Several playouts from every leaf, shared among threads; or on a GPU, those of several leaves at once.

    With `device=cuda` and `leaves=0` there are as many leaves at once as keep a GPU busy.
    """

    playouts: int = 8
    threads: int = 1
    device: Literal["cpu", "cuda"] = "cpu"
    leaves: int = 0

    def validate(self) -> None:
        """At least one for each thread."""
        if not 1 <= self.playouts <= 1_000_000:
            raise SpecError(f"leaf needs playouts from 1 to 1000000, not {self.playouts}")
        if not 1 <= self.threads <= min(MOST, self.playouts):
            raise SpecError(f"leaf needs threads from 1 to its playouts, at most {MOST}, not {self.threads}")
        if self.device == "cpu" and self.leaves != 0:
            raise SpecError("leaf finds several leaves at once for a GPU only: add device=cuda, or leave leaves out")
        if not 0 <= self.leaves <= FULL:
            raise SpecError(f"leaf needs leaves from 0 (as many as keep a GPU busy) to {FULL}, not {self.leaves}")
        if self.device == "cuda" and self.threads != 1:
            raise SpecError("leaf with device=cuda goes down the tree with one thread: leave threads out")

    @property
    def at_once(self) -> int:
        """How many playouts are made before any is backed up.

        >>> LeafParallel(playouts=8).at_once, LeafParallel(4096, device="cuda").at_once
        (8, 32768)
        """
        leaves = 1 if self.device == "cpu" else self.leaves or max(1, FULL // self.playouts)
        return self.playouts * leaves

    def batch(self, search: Search) -> Batch | None:
        """A GPU, if there is to be one."""
        if self.device == "cpu":
            return None
        batch: Batch = importlib.import_module(GPU).open_batch(search)
        return batch


class RayParallel(Parallel, name="ray"):
    """Trees on a Ray cluster that exchange, `rate` times a second, what they know about the moves visited most.

    These are the nodes with at least `share` of the root's visits, down to `depth` plies. `workers=0` is as many as the
    cluster has processors; each runs `threads` on its tree.
    """

    workers: int = 0
    threads: int = 1
    share: float = 0.05
    depth: int = 4
    rate: float = 4.0

    def validate(self) -> None:
        """Within reason."""
        if not 0 <= self.workers <= 100_000:
            raise SpecError(f"ray needs workers from 0 (all processors) to 100000, not {self.workers}")
        if not 1 <= self.threads <= MOST:
            raise SpecError(f"ray needs threads from 1 to {MOST}, not {self.threads}")
        if not 0.001 <= self.share <= 1.0:
            raise SpecError(f"ray needs share from 0.001 to 1 of the root's visits, not {self.share}")
        if not 0 <= self.depth <= 1000:
            raise SpecError(f"ray needs depth from 0 to 1000 plies, not {self.depth}")
        if not 0.1 <= self.rate <= 100.0:
            raise SpecError(f"ray needs rate from 0.1 to 100 exchanges a second, not {self.rate}")

    def team(self, search: Search) -> Team:
        """The workers of a cluster."""
        if search.transpositions != "off":
            raise Error(f"transpositions={search.transpositions} is for one tree, and ray(...) has several")
        if search.options.solve or search.options.backup != Mean():
            raise Error("ray(...) exchanges counts and means: solve and backup cannot be used with it")
        team: Team = importlib.import_module(CLUSTER).open_team(search, self)
        return team


def chosen_parallel(parallel: str | Parallel | None, threads: int, transpositions: str) -> Parallel:
    """What the arguments of a search mean; `threads` alone is `tree(threads)`."""
    if threads < 1:
        raise Error(f"threads must be at least 1, not {threads}")
    if parallel is not None and threads != 1:
        raise Error("give either threads or parallel, not both")
    chosen = parse(parallel, "parallel") if isinstance(parallel, str) else parallel or TreeParallel(threads)
    if isinstance(chosen, TreeParallel | LeafParallel) and chosen.threads > 1 and transpositions != "off":
        raise Error(f"transpositions={transpositions} is for one thread; use root(workers={chosen.threads}) for more")
    return chosen
