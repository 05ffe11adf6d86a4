"""The contract of a tree policy: it gives every move of a node a number, and the highest is taken.

A policy is a spec with the kernel `score(policy, node, edge)`. Where two moves score the same to 1e-12, the first
in the order of the game's legal moves is taken: one rule for all policies.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from mcrave.kernel import dispatched
from mcrave.policies._combined import UNTRIED
from mcrave.specs import Spec
from mcrave.trees.arena import AMAF, SHARES, SQUARES, TABLES

__all__ = ["AMAF", "SHARES", "SQUARES", "TABLES", "UNTRIED", "Edge", "NodeView", "TreePolicy"]


class NodeView(NamedTuple):
    """What a policy sees of a node."""

    total: float  # N(s), prior counts included
    aid: float  # what `prepare` made of it
    other: float


class Edge(NamedTuple):
    """What a policy sees of a move: counts and sums of outcomes."""

    n: float  # N(s,a)
    w: float  # N(s,a) · Q(s,a)
    an: float  # Ñ(s,a)
    aw: float  # Ñ(s,a) · Q̃(s,a)
    squares: float  # the sum of squared outcomes
    share: float  # P(s,a), the prior's value as a share of the node's


@dispatched
def score(policy, node, edge):
    """How much a move is worth trying now."""


@dispatched
def needs(policy):
    """Which statistics the policy reads beside N and Q: a sum of AMAF, TABLES, SQUARES and SHARES."""
    return 0


@dispatched
def reference(policy):
    """From how many playouts on a node's own AMAF tables are used (GRAVE's `ref`)."""
    return 0


@dispatched
def depth_limit(policy):
    """How many plies below the root are kept in the tree."""
    return 1 << 30


@dispatched
def prepare(policy, total, n, w, squares):
    """Compute once per node what every move's score needs: two numbers, `node.aid` and `node.other`."""
    return math.log(max(total, 1.0)), 0.0


@dispatched
def weight(policy, node, edge):
    """The weight β of the AMAF value, for reports."""
    return 0.0


class TreePolicy(Spec, kind="tree"):
    """A tree policy; subclass it with a name to add one."""
