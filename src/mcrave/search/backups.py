"""What a move is worth to its parent.

- `mean()`: the mean of the outcomes that came through this edge (Eq. 3, 6), the default;
- `max()`: the value of the position it leads to, which is the value of its own best move (§2.4, [15]): quicker to
  see a refutation, but sensitive to outliers;
- `mean_max(k)`: between the two (§2.4, [1]): the position is worth (k · mean + N · max) / (k + N), so the mean while it
  was hardly visited and more and more the maximum. Coulom's operator has constants fitted to one program; this form has
  one number, and the same limits.

The maximum is taken over the moves tried so far; a position none of whose moves was tried is worth its first outcome.
Two more are chosen by `transpositions`, for positions that are reached by several paths (see `graph`): `StateMean` and
`RecomputedMean`. All but `mean()` are for two players whose outcomes sum to 1.
"""

from __future__ import annotations

import numpy as np

from mcrave.errors import SpecError
from mcrave.kernel import dispatched, jit
from mcrave.specs import Spec


@dispatched
def read_values(backup, tree, scratch, node):
    """N and N · Q of a node's moves."""
    first = tree.nodes[node].first
    last = first + tree.nodes[node].count
    return tree.n[first:last], tree.w[first:last]


@dispatched
def revalue(backup, tree, node):
    """Set what parents read of a node that has just been visited."""


class Backup(Spec, kind="backup"):
    """What a parent reads of a move."""


class Mean(Backup, name="mean"):
    """The mean outcome of the edge."""


class StateMean(Backup):
    """The mean outcome of the position, by whatever path it was reached."""

    def read_values(backup, tree, scratch, node):
        """From the children."""
        return read_children(tree.nodes, tree.child, tree.n, tree.w, scratch.n, scratch.w, node)

    def revalue(backup, tree, node):
        """The mean over all visits."""
        view = tree.nodes[node]
        view.value = view.worth / view.visits


class RecomputedMean(Backup):
    """The mean of the position, recomputed from what its successors are worth now."""

    def read_values(backup, tree, scratch, node):
        """From the children."""
        return read_children(tree.nodes, tree.child, tree.n, tree.w, scratch.n, scratch.w, node)

    def revalue(backup, tree, node):
        """The first outcome and the moves' values, each weighted by its visits."""
        view = tree.nodes[node]
        worth = view.first_result
        for edge in range(view.first, view.first + view.count):
            count = tree.n[edge] - (tree.given[edge] if tree.given.shape[0] > 0 else 0.0)
            if count > 0.0:
                worth += count * edge_value(tree.nodes, tree.child, tree.n, tree.w, np.int64(edge), view.player)
        view.value = worth / view.visits


class Max(Backup, name="max"):
    """The value of the best move of the position."""

    def read_values(backup, tree, scratch, node):
        """From the children."""
        return read_children(tree.nodes, tree.child, tree.n, tree.w, scratch.n, scratch.w, node)

    def revalue(backup, tree, node):
        """The maximum."""
        tree.nodes[node].value = highest(tree, node)


class MeanMax(Backup, name="mean_max"):
    """Between the mean and the maximum, nearer to the maximum the more visits there are."""

    k: float = 100.0

    def validate(self) -> None:
        """A weight."""
        if not self.k >= 0.0:
            raise SpecError(f"mean_max needs k to be 0 or more visits, not {self.k}")

    def read_values(backup, tree, scratch, node):
        """From the children."""
        return read_children(tree.nodes, tree.child, tree.n, tree.w, scratch.n, scratch.w, node)

    def revalue(backup, tree, node):
        """The mix."""
        view = tree.nodes[node]
        mean = view.worth / view.visits
        view.value = (backup.k * mean + view.visits * highest(tree, node)) / (backup.k + view.visits)


@jit
def edge_value(nodes, child, n, w, edge, player):
    """What the position behind an edge is worth to a player of two; if it is no node, the edge's mean."""
    behind = np.int64(child[edge])
    if behind < 0 or nodes[behind].visits == 0:
        return w[edge] / n[edge]
    return nodes[behind].value if nodes[behind].player == player else 1.0 - nodes[behind].value


@jit
def read_children(nodes, child, n, w, counts, sums, node):
    """The counts of a node's edges, and sums that make the means what the positions behind them are worth."""
    view = nodes[node]
    for i in range(view.count):
        edge = np.int64(view.first + i)
        counts[i] = n[edge]
        sums[i] = n[edge] * edge_value(nodes, child, n, w, edge, view.player) if n[edge] > 0.0 else 0.0
    return counts[: view.count], sums[: view.count]


@jit
def highest(tree, node):
    """The value of the best move tried; the first outcome if there is none."""
    view = tree.nodes[node]
    best = -1.0
    for edge in range(view.first, view.first + view.count):
        if tree.n[edge] > (tree.given[edge] if tree.given.shape[0] > 0 else 0.0):
            best = max(best, edge_value(tree.nodes, tree.child, tree.n, tree.w, np.int64(edge), view.player))
    return best if best >= 0.0 else view.first_result
