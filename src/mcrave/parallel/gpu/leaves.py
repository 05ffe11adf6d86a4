"""Leaf parallelism on a GPU: one tree on the processor, and the playouts of many leaves at once on the device.

The processor goes down the tree to some leaves, one after the other; what is on the way there counts as visited and
lost meanwhile, so that the descents spread. The device plays so many games from each leaf, every one with a random
stream of its own, and adds up what the tree needs: outcomes, and in how many playouts each player made each move, with
what outcomes. The processor then adds these sums along the way, which is the same as one backup after the other.
"""

from __future__ import annotations

import numpy as np

from mcrave.errors import Error
from mcrave.parallel.gpu.engines import Cuda, Engine, brought
from mcrave.parallel.gpu.leaf_kernels import (
    KINDS,
    Leaves,
    Playing,
    Sums,
    add_up,
    back_up_leaves,
    find_leaves,
    play_leaf,
)
from mcrave.parallel.gpu.planning import SHARE, gigabytes
from mcrave.parallel.gpu.rows import Column, columns, lengths
from mcrave.playouts.base import records
from mcrave.search import Search
from mcrave.search.amaf import ONCE
from mcrave.search.backups import Mean
from mcrave.search.parallel import LeafParallel
from mcrave.search.plan import Off, Plan, Scratch
from mcrave.specs import lowered
from mcrave.trees.arena import Tree

# Of a playout's scratch memory, what only a descent or a backup uses.
UNUSED = (
    "root",
    "leaf",
    "root_moves",
    "node",
    "edge",
    "n",
    "w",
    "an",
    "aw",
    "seen",
    "listed",
    "bits",
    "spare",
    "owned",
    "banned",
    "kept",
)


class LeafBatch:
    """Plays out for a search; memory is taken when it is first used."""

    def __init__(self, search: Search, engine: Engine) -> None:
        """An `Error` tells what cannot be done this way."""
        assert isinstance(search.parallel, LeafParallel)
        _check(search)
        self.engine = engine
        self.playouts, self.leaves = search.parallel.playouts, search.parallel.at_once // search.parallel.playouts
        self._found: Leaves | None = None

    def simulate(self, plan: Plan, tree: Tree, scratch: Scratch, count: int) -> None:
        """So many playouts; what is left over are fewer from one more leaf."""
        if self._found is None:
            self._found = self._take_memory(plan, scratch)
            self._found.state[0][0] = scratch.root[0]
            self._play(self._found, 1, 1, np.uint64(0))  # compiling is not thinking time
            self._turn(plan, tree, scratch, self._found, 0, self.playouts)
        full, rest = divmod(count, self.playouts)
        while full > 0:
            leaves = min(full, self.leaves)
            self._turn(plan, tree, scratch, self._found, leaves, self.playouts)
            full -= leaves
        if rest:
            self._turn(plan, tree, scratch, self._found, 1, rest)

    def _take_memory(self, plan: Plan, scratch: Scratch) -> Leaves:
        """For playouts and sums on the device, and for the ways to the leaves here."""
        players, plies = len(scratch.results), len(scratch.who)
        every = columns(scratch)
        rows = {field: Column(dtype, 1 if field in UNUSED else length) for field, (dtype, length) in every.items()}
        slots = self.playouts * self.leaves
        moves = len(scratch.seen) if plan.amaf != Off() else 0
        needed = slots * (sum(column.bytes for column in rows.values()) + 8 * players + moves)
        free = self.engine.free_memory()
        if needed > SHARE * free:
            raise Error(
                f"{slots} playouts at once take {gigabytes(needed)} on the GPU, which has {gigabytes(free)} free; "
                f"about {int(slots * SHARE * free / needed)} would fit"
            )
        self._sizes = lengths(Scratch, rows)
        self._playing = brought(self.engine, Playing(plan.rules, plan.playout, plan.recording))
        self._rows = Scratch(*(self.engine.zeros((slots, max(1, c.length)), c.dtype) for c in rows.values()))
        self._marks = self.engine.zeros((max(1, moves), slots), np.dtype(np.int8))
        self._results = self.engine.zeros((slots, players), np.dtype(np.float64))
        widths = (players, players, max(1, moves), max(1, moves))
        self._sums = Sums(*(self.engine.zeros((self.leaves, width), np.dtype(np.float64)) for width in widths))
        self._moves, self._players = moves, players
        states = np.zeros((self.leaves, 1), scratch.work.dtype).view(np.recarray)
        one, ways = np.zeros((2, self.leaves), np.int32), np.zeros((4, self.leaves, plies + 1), np.int32)
        return Leaves(states, *one, *ways)

    def _turn(self, plan: Plan, tree: Tree, scratch: Scratch, found: Leaves, leaves: int, playouts: int) -> None:
        """Find leaves, play out from them, back up."""
        name = np.uint64(find_leaves(plan, tree, scratch, found, leaves, playouts))
        sums = self._play(found, leaves, playouts, name)
        back_up_leaves(KINDS[type(plan.amaf)], tree, found, sums, leaves, float(playouts))

    def _play(self, found: Leaves, leaves: int, playouts: int, name: np.uint64) -> Sums:
        """What so many playouts from each leaf give, with random streams of this name."""
        engine, nothing = self.engine, np.zeros((1, 1), np.int32)
        there = Leaves(engine.put(found.state), engine.put(found.ply), *(engine.put(nothing) for _ in range(5)))
        args = (self._playing, self._rows, self._sizes, there, self._marks, self._results, self._moves, playouts, name)
        engine.launch(play_leaf, leaves * playouts, args)
        sums = (self._marks, self._results, self._sums, self._moves, playouts)
        engine.launch(add_up, leaves * (self._moves + self._players), sums)
        return Sums(*(engine.get(each) for each in self._sums))


def _check(search: Search) -> None:
    """What depends on every single playout cannot be had."""
    text = f"leaf(playouts={search.parallel.playouts},device=cuda)"  # type: ignore[attr-defined]
    if search.transpositions != "off" or search.options.solve or search.options.backup != Mean():
        raise Error(f"{text} adds up playouts: transpositions, solve and backup cannot be used with it")
    if search.options.rule != ONCE or search.options.ownership:
        raise Error(f"{text} adds up playouts: by_point, replays, playout_alone and ownership cannot be used with it")
    if records(lowered(search.playout)) or search.playout.reads_tree:
        raise Error(f"{text} plays all playouts at once, and {search.playout} learns from one to the next")


def open_batch(search: Search) -> LeafBatch:
    """Play out on the GPU of this machine; an `Error` says in a line what is missing."""
    return LeafBatch(search, Cuda())
