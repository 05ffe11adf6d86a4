"""Leaf parallelism: several playouts from every leaf, by one thread in turn or by several at once.

One thread goes down the tree; then all play out from the leaf it found, and each adds its outcomes on the way that the
first has taken. They meet again before the next descent, by asking in a loop: a descent lasts microseconds, so nothing
that puts a thread to sleep would be quick enough. So there should not be more threads than processors.

A thread's playouts depend on its own random stream alone, and sums do not depend on their order: a search with a
seed and a number of threads is reproducible.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

import numpy as np

from mcrave.kernel import entry, jit
from mcrave.kernel.atomics import let_others_run, swap_item
from mcrave.search.loop import descend, play_on, simulate
from mcrave.search.plan import Plan, Scratch

TURN, DONE, PLY, IN_TREE = 0, 1, 2, 3  # what threads tell each other
PATIENCE = 100  # questions


@jit
def wait_for(board, what, value):
    """Ask until a number on the board is this one, now and then letting others run who may have to set it."""
    asked = 0
    while not swap_item(board, what, value, value):
        asked += 1
        if asked % PATIENCE == 0:
            let_others_run()


@entry
def lead(plan, tree, scratch, board, helpers, count):
    """Find `count` leaves, one after the other, and play out from each together with so many helpers."""
    for turn in range(1, count + 1):
        ply, in_tree = descend(plan, tree, scratch)
        scratch.leaf[0] = scratch.work[0]
        board[PLY] = ply
        board[IN_TREE] = in_tree
        swap_item(board, TURN, turn - 1, turn)
        play_on(plan, tree, scratch, ply, in_tree)
        wait_for(board, DONE, helpers * turn)


@entry
def follow(plan, tree, scratch, leader, board, count):
    """Play out from each of the `count` leaves that the leader finds."""
    for turn in range(1, count + 1):
        wait_for(board, TURN, turn)
        ply, in_tree = board[PLY], board[IN_TREE]
        scratch.work[0] = leader.leaf[0]
        scratch.leaf[0] = leader.leaf[0]
        for i in range(in_tree):
            scratch.node[i] = leader.node[i]
            scratch.edge[i] = leader.edge[i]
        for i in range(ply):
            scratch.who[i] = leader.who[i]
            scratch.code[i] = leader.code[i]
        play_on(plan, tree, scratch, ply, in_tree)
        while True:
            done = board[DONE]
            if swap_item(board, DONE, done, done + 1):
                break


def simulate_leaves(plan: Plan, tree: Any, scratches: list[Scratch], pool: Executor | None, count: int) -> None:
    """So many playouts, as many from each leaf as the plan says; what is left over are fewer from one more leaf."""
    each = plan.options.playouts
    if len(scratches) == 1:
        simulate(plan, tree, scratches[0], count // each)
        if count % each:
            simulate(_with(plan, count % each), tree, scratches[0], 1)
        return
    leader, *helpers = scratches
    board = np.zeros(4, np.int64)
    shares = [_with(plan, (each + i) // len(scratches)) for i in range(len(scratches))][::-1]
    lead(shares[0], tree, leader, board, 0, 0)  # compiled before anybody waits for anybody
    follow(shares[0], tree, leader, leader, board, 0)
    if count == 0:
        return
    assert pool is not None
    jobs = [
        pool.submit(follow, share, tree, scratch, leader, board, count // each)
        for share, scratch in zip(shares[1:], helpers, strict=True)
    ]
    lead(shares[0], tree, leader, board, len(helpers), count // each)
    for job in jobs:
        job.result()
    if count % each:
        lead(_with(plan, count % each), tree, leader, np.zeros(4, np.int64), 0, 1)


def _with(plan: Plan, playouts: int) -> Plan:
    return plan._replace(options=plan.options._replace(playouts=playouts))
