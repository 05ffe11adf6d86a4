"""Who has counted what: the books of a worker and of the coordinator.

A worker's tree holds what its own simulations found and what others told it. What it has not told yet is

    difference = what the node knows − what is accounted for,

where the prior, all that came from others and all that was told before is accounted for. It tells the difference,
numbered; the coordinator adds it to the totals. The totals come back to all workers, with the number of the worker's
last message that is in them. So the worker knows how much of the totals is its own, and

    new from others = totals − own part of them − what came from others before

is what it adds to its tree. A message is in the totals once or not at all, and totals may come late, twice, or never:
no visit is counted twice. If a worker is lost, the totals keep what it told, and its successor gets them as others'.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mcrave.cluster.statistics import VISITS, Nodes, Path, Statistics, Vector


@dataclass
class Account:
    """What a worker knows about the numbers of one node."""

    accounted: Vector
    """The part of what the node knows that the others know, too, and its prior."""
    foreign: Vector
    """The part that came from others."""
    settled: Vector
    """What was told and is in the totals."""
    pending: list[tuple[int, Vector]] = field(default_factory=list)
    """What was told and may not be in the totals yet, with the numbers of the messages."""

    @classmethod
    def open(cls, prior: Vector) -> Account:
        """For a node of which nothing has been told."""
        return cls(prior.copy(), np.zeros_like(prior), np.zeros_like(prior))

    def settle(self, counted: int) -> None:
        """The messages up to this number are in the totals."""
        for number, vector in self.pending:
            if number <= counted:
                self.settled += vector
        self.pending = [(number, vector) for number, vector in self.pending if number > counted]

    def take_back(self) -> None:
        """What is pending will never be in the totals: tell it again."""
        for _, vector in self.pending:
            self.accounted -= vector
        self.pending = []


class Ledger:
    """The books of a worker."""

    def __init__(self) -> None:
        """Nothing was told."""
        self.accounts: dict[Path, Account] = {}

    def clear(self) -> None:
        """The tree has been emptied: what was told before will come back as others'."""
        self.accounts.clear()

    def _account(self, nodes: Nodes, path: Path, node: int) -> Account | None:
        """The account of a node; a new one if there is none, or the node was dropped and made again."""
        account = self.accounts.get(path)
        if account is not None and nodes.visits(node) >= account.accounted[VISITS]:
            return account
        prior = nodes.prior(path)
        if prior is None:
            return None
        account = self.accounts[path] = Account.open(prior)
        return account

    def tell(self, nodes: Nodes, share: float, depth: int, number: int) -> Statistics:
        """What the upper nodes have found since they last told it, as message `number`.

        Rounded to float32: whole and half counts are exact, and what rounding leaves out is told next time.
        """
        told: Statistics = {}
        for path, node in nodes.upper(share, depth):
            account = self._account(nodes, path, node)
            if account is None:
                continue
            difference = (nodes.read(node) - account.accounted).astype(np.float32)
            if difference.any():
                account.accounted += difference
                account.pending.append((number, difference))
                told[path] = difference
        return told

    def hear(self, nodes: Nodes, totals: Statistics, counted: int) -> None:
        """Bring the tree up to the totals, in which this worker's messages up to `counted` are contained."""
        for each in self.accounts.values():
            each.settle(counted)
        for path in sorted(totals, key=len):
            known = nodes.find(path)
            node = known if known >= 0 else nodes.make(path)
            if node < 0:
                continue
            if known < 0:
                self.accounts[path] = Account.open(nodes.read(node))
            account = self._account(nodes, path, node)
            if account is None:
                continue
            news = totals[path] - account.settled - account.foreign
            nodes.add(node, news)
            account.accounted += news
            account.foreign += news

    def advance(self, move: int, counted: int) -> None:
        """The root goes down by a move; messages after `counted` have been dropped on the way."""
        kept = {}
        for path, account in self.accounts.items():
            if path[:1] == (move,):
                account.settle(counted)
                account.take_back()
                kept[path[1:]] = account
        self.accounts = kept


class Totals:
    """The books of the coordinator: the sum of all that was told, also kept in a tree of its own."""

    def __init__(self) -> None:
        """Nothing was told."""
        self.sums: Statistics = {}
        self.counted: dict[int, int] = {}
        """The number of the last message of every worker."""

    def add(self, nodes: Nodes, worker: int, number: int, told: Statistics) -> None:
        """Add a message of a worker."""
        self.counted[worker] = number
        for path in sorted(told, key=len):
            vector = told[path].astype(np.float64)
            self.sums[path] = self.sums[path] + vector if path in self.sums else vector
            node = nodes.find(path)
            if node >= 0:
                nodes.add(node, vector)
            else:
                self._put(nodes, path)

    def put_all(self, nodes: Nodes) -> None:
        """Put into the tree what it lacks, at least a root."""
        nodes.make(())
        for path in sorted(self.sums, key=len):
            if nodes.visits(0) == 0 if not path else nodes.find(path) < 0:
                self._put(nodes, path)

    def _put(self, nodes: Nodes, path: Path) -> None:
        node = nodes.make(path)
        if node >= 0:
            nodes.add(node, self.sums[path])

    def upper(self, share: float) -> Statistics:
        """What is known about nodes with at least so many of the root's visits."""
        if () not in self.sums:
            return {}
        least = share * self.sums[()][VISITS]
        return {path: vector for path, vector in self.sums.items() if vector[VISITS] >= least}

    def advance(self, move: int) -> None:
        """The root goes down by a move."""
        self.sums = {path[1:]: vector for path, vector in self.sums.items() if path[:1] == (move,)}

    def clear(self) -> None:
        """Another position: forget the sums. The numbers of messages go on."""
        self.sums = {}
