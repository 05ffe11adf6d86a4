"""Statistics that few policies read: squared outcomes, and the prior's values as shares.

They are read as tuples of one array: a kernel that counts no references cannot return an array by itself.
"""

from __future__ import annotations

from mcrave.kernel import dispatched
from mcrave.specs import Spec


@dispatched
def start_squares(squares, tree, first, last):
    """Make a prior's sums of squares of its counts and sums."""


@dispatched
def add_square(squares, tree, edge, result):
    """Add the square of an outcome."""


@dispatched
def read_squares(squares, tree, first, last, n):
    """The sums of squares of a node's moves; something that nobody reads if there are none."""
    return (n,)


class Squares(Spec):
    """The sum of squared outcomes of every move."""

    def start_squares(squares, tree, first, last):
        """As if all outcomes had been the same."""
        for edge in range(first, last):
            tree.squares[edge] = tree.w[edge] * tree.w[edge] / tree.n[edge] if tree.n[edge] > 0.0 else 0.0

    def add_square(squares, tree, edge, result):
        """One outcome more."""
        tree.squares[edge] += result * result

    def read_squares(squares, tree, first, last, n):
        """Where they stand."""
        return (tree.squares[first:last],)


@dispatched
def start_shares(shares, tree, first, last, value):
    """Make probabilities of the prior's values of a node's moves."""


@dispatched
def read_shares(shares, tree, first, last, n):
    """The shares of a node's moves; something that nobody reads if there are none."""
    return (n,)


class Shares(Spec):
    """The prior's value of every move as a share of the node's."""

    def start_shares(shares, tree, first, last, value):
        """Divide by the sum; equal shares if all values are 0."""
        share = tree.share[first:last]
        total = 0.0
        for i in range(share.shape[0]):
            total += value[i]
        for i in range(share.shape[0]):
            share[i] = value[i] / total if total > 0.0 else 1.0 / share.shape[0]

    def read_shares(shares, tree, first, last, n):
        """Where they stand."""
        return (tree.share[first:last],)
