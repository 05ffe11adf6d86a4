"""Those who search in place of one tree in this process: independent trees, or the machines of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from mcrave.games import Position
from mcrave.search.report import Report

if TYPE_CHECKING:
    from mcrave.search.plan import Plan, Scratch
    from mcrave.search.reading import TreeReader
    from mcrave.trees.arena import Tree

Progress = Callable[[int, float], None]
LOOKS = 16  # how often a search of a number of simulations asks whether its move is decided


class Budget(NamedTuple):
    """When a run ends."""

    simulations: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    early_stop: bool = False


def decision_every(simulations: int) -> int:
    """After how many simulations each a search asks that: always the same, however quick it is.

    >>> decision_every(1000), decision_every(10)
    (63, 1)
    """
    return -(-simulations // LOOKS)


class Batch(Protocol):
    """Who plays out many simulations at once, on the search's own tree."""

    def simulate(self, plan: Plan, tree: Tree, scratch: Scratch, count: int) -> None:
        """So many playouts, and their backups."""
        ...


class Team(Protocol):
    """What a search hands on; the methods are those of `Search`."""

    def run(self, position: Position, budget: Budget, on_progress: Progress | None, most: int | None = None) -> Report:
        """Search a position, and tell of all moves, or of so many of the most visited ones."""
        ...

    def stop(self) -> None:
        """End a run that goes on in another thread."""
        ...

    def advance(self, move: str | int) -> None:
        """Make a move at the root."""
        ...

    def ban(self, banned: Mapping[tuple[int, int], int]) -> None:
        """Leave moves out of all trees."""
        ...

    def reset(self, seed: int | None) -> None:
        """Forget all trees."""
        ...

    def reader(self, position: Position | None) -> TreeReader:
        """A tree to look at."""
        ...

    def close(self) -> None:
        """Give back what is held."""
        ...
