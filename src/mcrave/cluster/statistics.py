"""What a node knows as one vector of numbers that can be added, and nodes found by the moves that lead to them.

The vector of a node is: visits, sum of outcomes; then for all its moves the columns that the search keeps (N, N·Q, and
what its policy needs: Ñ, Ñ·Q̃, squares); then GRAVE's tables if there are any. The same node has the same layout in
all trees of one search, as the rules list a position's moves in one order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcrave.games import Position
from mcrave.search import Search
from mcrave.search.growing import grow
from mcrave.trees.arena import NODES, Tree
from mcrave.trees.late import settle

Path = tuple[int, ...]
Vector = NDArray[Any]
"""Of float32 on its way to the coordinator, else of float64."""
Statistics = dict[Path, Vector]

COLUMNS = ("n", "w", "an", "aw", "squares")  # of a move
TABLES = ("table_n", "table_w")  # of a node
VISITS = 0


class Nodes:
    """The nodes of a search's tree by their paths from the root; there is a root once the tree has been used."""

    def __init__(self, search: Search, position: Position) -> None:
        """Look at the tree whose root is this position; it is emptied if it was another."""
        self.tree: Tree = search._tree_for(position)
        self._players = search.game.players
        self._plan, self._scratch = search._plan(), search._scratches(position)[0]
        self._columns = [column for name in COLUMNS if (column := getattr(self.tree, name)).size]
        self._tables = [table for name in TABLES if (table := getattr(self.tree, name)).size]

    def find(self, path: Path) -> int:
        """The node after these moves, or -1."""
        return self._way(path)[-1] if self.tree.used[NODES] else -1

    def _way(self, path: Path) -> list[int]:
        """The nodes from the root to a path, -1 where they end."""
        way = [0]
        for move in path:
            edge = self._edge(way[-1], move)
            way.append(max(int(self.tree.child[edge]), -1) if edge >= 0 else -1)
            if way[-1] < 0:
                break
        return way

    def _edge(self, node: int, move: int) -> int:
        run = self._run(node)
        found = np.flatnonzero(self.tree.move[run] == move)
        return run.start + int(found[0]) if found.size else -1

    def _run(self, node: int) -> slice:
        view = self.tree.nodes[node]
        return slice(int(view.first), int(view.first + view.count))

    def make(self, path: Path) -> int:
        """The node after these moves, made if its parent is there; -1 if that is not, or there is no room."""
        if not self.tree.used[NODES]:
            return -1 if path else self._grow((), [])
        way = self._way(path)
        if len(way) <= len(path) or way[-1] >= 0:
            return way[-1]
        edge = self._edge(way[-2], path[-1])
        node = self._grow(path, way) if edge >= 0 else -1
        if node >= 0:
            self.tree.child[edge] = node
        return node

    def _grow(self, path: Path, way: list[int]) -> int:
        self._scratch.node[: len(path)] = way[: len(path)]
        return int(grow(self._plan, self.tree, self._scratch, np.array(path, np.int32)))

    def prior(self, path: Path) -> Vector | None:
        """What a node knew before its first visit; None if there is no room to make another like it.

        (The grandfather prior changes with time; it is that of now.)
        """
        before = self.tree.used.copy()
        node = self._grow(path, self._way(path) if path else [])
        vector = self.read(node) if node >= 0 else None
        self.tree.used[:] = before
        return vector

    def visits(self, node: int) -> int:
        """How often a node was visited."""
        return int(self.tree.nodes[node].visits)

    def read(self, node: int) -> Vector:
        """The vector of a node."""
        settle(self.tree, self._players, node)
        view, run = self.tree.nodes[node], self._run(node)
        parts = [np.array([view.visits, view.worth], np.float64)]
        parts += [column[run] for column in self._columns]
        parts += [table[self._row(table, node)] for table in self._tables]
        return np.concatenate(parts)

    def add(self, node: int, vector: Vector) -> None:
        """Add a vector to what a node knows."""
        settle(self.tree, self._players, node)
        view, run = self.tree.nodes[node], self._run(node)
        view.visits += round(float(vector[VISITS]))
        view.worth += vector[1]
        at, count = 2, run.stop - run.start
        for column in self._columns:
            column[run] += vector[at : at + count]
            at += count
        for table in self._tables:
            row = self._row(table, node)
            table[row] += vector[at : at + row.stop - row.start]
            at += row.stop - row.start

    def _row(self, table: Any, node: int) -> slice:
        entries = table.size // len(self.tree.nodes)
        return slice(node * entries, (node + 1) * entries)

    def upper(self, share: float, depth: int) -> Iterator[tuple[Path, int]]:
        """The nodes with at least a share of the root's visits down to a depth, parents first."""
        if not self.tree.used[NODES]:
            return
        least = max(1.0, share * self.visits(0))
        level: list[tuple[Path, int]] = [((), 0)]
        for ply in range(depth + 1):
            yield from level
            if ply < depth:
                level = [
                    ((*path, int(self.tree.move[edge])), int(self.tree.child[edge]))
                    for path, node in level
                    for edge in range(self._run(node).start, self._run(node).stop)
                    if self.tree.child[edge] >= 0 and self.visits(int(self.tree.child[edge])) >= least
                ]
