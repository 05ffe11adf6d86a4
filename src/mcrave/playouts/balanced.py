"""Balanced playouts for Go (Silver & Tesauro 2009; Gelly & Silver §6)."""

from __future__ import annotations

from typing import Any

from mcrave.features import ratings
from mcrave.playouts.base import Playout
from mcrave.playouts.patterns import Patterns


class Balanced(Playout, name="balanced"):
    """Every move with a probability proportional to balanced ratings of its features; only for Go.

    As `patterns`, but the ratings were learnt so that the mean outcome of playouts is right, not so that their moves
    are. `weights` is a file that `mcrave learn balance` wrote; without one it is what comes with mcrave, learnt on 5×5.
    """

    weights: str = ""

    def gamma(self) -> Any:
        """The ratings."""
        return ratings.load("light", self.weights, "balanced")

    reads_weights = Patterns.reads_weights
    check = Patterns.check
    memory_size = Patterns.memory_size
    loaded = Patterns.loaded
