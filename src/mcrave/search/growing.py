"""Make a node without a simulation: for statistics that come from elsewhere (see `mcrave.cluster`)."""

from __future__ import annotations

import numpy as np

from mcrave.games import base
from mcrave.kernel import entry
from mcrave.search.loop import expand


@entry
def grow(plan, tree, scratch, moves):
    """Add the position after these moves as a node that nothing leads to yet, as `expand` makes it: priors only.

    The nodes on the way there stand in `scratch.node`. Returns the node, or -1 if memory is full.
    """
    scratch.work[0] = scratch.root[0]
    for i in range(moves.shape[0]):
        base.play(plan.rules, scratch.work[0], np.int64(moves[i]))
    return expand(plan, tree, scratch, scratch.work[0], np.int64(moves.shape[0]))
