"""Default policies: how a game is finished once the simulation has left the tree."""

from mcrave.playouts.uniform import Sample, sample

__all__ = ["Sample", "sample"]
