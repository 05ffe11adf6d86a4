"""Many searches at once on a GPU, one per thread, with the same kernels as on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

import mcrave
from mcrave.search.amaf import at_once
from mcrave.search.loop import one_simulation
from mcrave.search.plan import Scratch
from mcrave.trees.arena import Tree


def stacked(rows: list[Any]) -> Any:
    """The same array of every search, one below the other, on the device."""
    return cuda.to_device(np.stack([np.asarray(row) if row.size else np.zeros(1, row.dtype) for row in rows]))


def visits_on_gpu(game: str, tree: str, seeds: list[int], simulations: int) -> list[list[int]]:
    """Run a search for every seed and return the visits of the root's moves."""
    searches = [mcrave.Search(game, tree=tree, memory="1MB", seed=seed) for seed in seeds]
    start = searches[0].game.start()
    trees = [search._empty_tree() for search in searches]
    scratches = [search._scratches(start)[0] for search in searches]
    plan = searches[0]._plan()
    plan = plan._replace(amaf=at_once(plan.amaf))
    arrays = [stacked([tree_[i] for tree_ in trees]) for i in range(len(Tree._fields))]
    memory = [stacked([scratch[i] for scratch in scratches]) for i in range(len(Scratch._fields))]
    lengths = cuda.to_device(np.array([array.size for array in trees[0]]))
    make_kernel(plan)[(len(seeds) + 31) // 32, 32](simulations, lengths, tuple(arrays), tuple(memory))
    cuda.synchronize()
    nodes, n = arrays[Tree._fields.index("nodes")].copy_to_host(), arrays[Tree._fields.index("n")].copy_to_host()
    found = []
    for i in range(len(seeds)):
        first, count = nodes[i][0]["first"], nodes[i][0]["count"]
        found.append([round(x) for x in n[i][first : first + count]])
    return found


def make_kernel(plan: Any) -> Any:
    """A kernel that gives every thread its own tree and scratch memory.

    Arrays that a policy does not need have length 0, which a device array cannot: `k` holds the true lengths.
    """

    # fmt: off
    @cuda.jit(fastmath=False)
    def run(simulations, k, t, s):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < t[0].shape[0]:
            tree = Tree(
                t[0][i][: k[0]], t[1][i][: k[1]], t[2][i][: k[2]], t[3][i][: k[3]], t[4][i][: k[4]],
                t[5][i][: k[5]], t[6][i][: k[6]], t[7][i][: k[7]], t[8][i][: k[8]], t[9][i][: k[9]],
                t[10][i][: k[10]], t[11][i][: k[11]], t[12][i][: k[12]], t[13][i][: k[13]], t[14][i][: k[14]],
                t[15][i][: k[15]],
            )
            scratch = Scratch(
                s[0][i], s[1][i], s[2][i], s[3][i], s[4][i], s[5][i], s[6][i], s[7][i],
                s[8][i], s[9][i], s[10][i], s[11][i], s[12][i], s[13][i], s[14][i], s[15][i], s[16][i], s[17][i],
                s[18][i], s[19][i], s[20][i], s[21][i], s[22][i], s[23][i], s[24][i],
            )
            for _ in range(simulations):
                one_simulation(plan, tree, scratch)
    # fmt: on

    return run


def visits_on_cpu(game: str, tree: str, seeds: list[int], simulations: int) -> list[list[int]]:
    """The same searches on the CPU."""
    found = []
    for seed in seeds:
        search = mcrave.Search(game, tree=tree, memory="1MB", seed=seed)
        start = search.game.start()
        report = search.run(start, simulations=simulations)
        visits = {move.move: move.visits for move in report.moves}
        found.append([visits[name] for name in start.legal_moves()])
    return found
