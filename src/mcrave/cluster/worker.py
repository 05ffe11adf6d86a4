"""A worker: a search with a tree of its own, which tells what it finds about the upper part, and hears of the others.

It knows nothing of Ray: in tests it runs in the same process.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from mcrave.cluster.ledger import Ledger
from mcrave.cluster.statistics import Nodes, Statistics
from mcrave.games import Position
from mcrave.kernel.rng import stream
from mcrave.search import Options, Search
from mcrave.search.parallel import RayParallel, TreeParallel
from mcrave.search.teams import Budget
from mcrave.trees.arena import NODES


class Recipe(NamedTuple):
    """How to make a worker's search: all specs as texts, so that files of a user are loaded there, too."""

    specs: tuple[str, ...]
    """Game, tree policy, playout, prior, choice."""
    options: Options
    memory: int
    when_full: str
    form: RayParallel

    def search(self) -> Search:
        """The search of a worker."""
        rest: dict[str, Any] = {"options": self.options, "memory": self.memory, "when_full": self.when_full}
        return Search(*self.read_specs(), parallel=TreeParallel(self.form.threads), **rest)

    def read_specs(self) -> list[Any]:
        """The specs; those in files of a user are loaded."""
        from mcrave.games import _loader
        from mcrave.games import game as game_of

        game, *others = self.specs
        kinds = ("tree", "playout", "prior", "choice")
        return [game_of(game), *(_loader.load(text, kinds) if ".py" in text else text for text in others)]


class Turn(NamedTuple):
    """A new root."""

    turn: int
    """Rises by one with every new root."""
    position: Position
    moves: tuple[int, ...] | None
    """The moves that lead here from the last root; None to begin with an empty tree."""
    counted: int
    """The worker's messages up to this number were counted, those after it dropped."""
    seed: int


class Order(NamedTuple):
    """Something to do."""

    run: int
    """Which run it is for; `halt` ends a run."""
    simulations: int
    seconds: float
    counted: int
    """The worker's messages up to this number are in the totals that come with the order."""


class Told(NamedTuple):
    """What a worker answers."""

    worker: int
    number: int
    """Of the message."""
    turn: int
    run: int
    statistics: Statistics
    simulations: int
    nodes: int
    seconds: float
    """That the worker spent on the order."""


class Worker:
    """Searches its own tree."""

    def __init__(self, recipe: Recipe, number: int) -> None:
        """Another number means other random numbers."""
        self.number = number
        self._form = recipe.form
        self._search = recipe.search()
        self._ledger = Ledger()
        self._turn, self._message, self._halted = -1, 0, -1
        self._position: Position | None = None

    def prepare(self, position: Position) -> int:
        """Compile everything, so that no order has to wait for it; returns the worker's number."""
        self._search.run(position, simulations=1)
        Nodes(self._search, position).prior(())
        self._search.reset()
        return self.number

    def begin(self, turn: Turn) -> None:
        """Go to a new root; the tree below it is kept if it follows on the last one."""
        search = self._search
        if turn.moves is None or self._turn != turn.turn - 1 or search._root is None:
            self._forget()
            search._rngs = [stream(turn.seed, self.number, thread) for thread in range(self._form.threads)]
        else:
            for move in turn.moves:
                search.advance(move)
                self._ledger.advance(move, turn.counted)
            root = self._ledger.accounts.get(())
            nodes = Nodes(search, turn.position)
            if root is not None and (nodes.find(()) < 0 or nodes.read(0).size != root.accounted.size):
                self._forget()  # superko took moves away from the new root
        self._turn, self._position = turn.turn, turn.position

    def _forget(self) -> None:
        self._search.reset()
        self._ledger.clear()

    def work(self, order: Order, totals: Statistics) -> Told:
        """Hear what the others know, search, and tell what was found."""
        began, done = time.perf_counter(), 0
        position, search = self._position, self._search
        assert position is not None
        nodes = Nodes(search, position)
        self._ledger.hear(nodes, totals, order.counted)
        if order.run > self._halted and order.simulations > 0:
            done, _ = search.think(position, Budget(order.simulations, order.seconds))
        self._message += 1
        told = self._ledger.tell(nodes, self._form.share, self._form.depth, self._message)
        used, taken = int(nodes.tree.used[NODES]), time.perf_counter() - began
        return Told(self.number, self._message, self._turn, order.run, told, done, used, taken)

    def halt(self, run: int) -> None:
        """End what goes on for a run; called from another thread."""
        self._halted = max(self._halted, run)
        self._search.stop()
