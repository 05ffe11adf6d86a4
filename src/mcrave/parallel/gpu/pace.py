"""How the games of a warp play out: each at its own pace, or move by move together.

Threads of a warp that are in different places of a program run one after the other. Where a move is short, they meet
again by themselves. Where it is long, as in MoGo's playouts, they do not, and each fetches its own instructions of a
program that no cache holds: measured on an H200, five sixths of the time went into waiting for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from mcrave.kernel import dispatched
from mcrave.parallel.gpu.mogo_together import pace_of_mogo
from mcrave.playouts.base import goes_on, play_out, step
from mcrave.playouts.mogo import Mogo
from mcrave.specs import Spec


@dispatched
def play_on(pace, plan, state, scratch, ply, last, me):
    """Finish the game by the first thread of each; return the ply that it has reached there."""
    return np.int64(ply)


class Alone(Spec):
    """Each game for itself."""

    def play_on(pace, plan, state, scratch, ply, last, me):
        """As on the processor."""
        reached = np.int64(ply)
        if me.lane == 0:
            reached = np.int64(play_out(plan.playout, plan.recording, plan.rules, state, scratch, ply, last))
        return reached


class InStep(Spec):
    """Nobody begins a move before all have made the one before."""

    def play_on(pace, plan, state, scratch, ply, last, me):
        """The same moves."""
        reached = np.int64(ply)
        plays = me.lane == 0 and reached < last and goes_on(plan.playout, plan.rules, state, scratch)
        while cuda.any_sync(me.warp, plays):
            if plays:
                step(plan.playout, plan.recording, plan.rules, state, scratch, reached)
                reached += 1
                plays = reached < last and goes_on(plan.playout, plan.rules, state, scratch)
        return reached


def pace_of(playout: Any) -> Spec:
    """Together if there is a way, else in step if the playout goes move by move, and has no way of its own.

    >>> import mcrave
    >>> [pace_of(mcrave.Search("go(size=9)", playout=text).playout) for text in ("mogo()", "mast()", "uniform()")]
    [Together(), InStep(), Alone()]
    """
    if isinstance(playout, Mogo):
        return pace_of_mogo(playout)
    return Alone() if hasattr(type(playout), "play_out") else InStep()
