"""Playouts of one search on an NVIDIA GPU: the tree is the one that the same kernels make on this processor."""

from __future__ import annotations

import numpy as np
import pytest

cuda = pytest.importorskip("numba.cuda", reason="numba-cuda is missing: pip install 'mcrave[gpu]'")

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not cuda.is_available(), reason="no NVIDIA GPU with a working driver was found"),
]

CASES = [
    ("domineering(size=8)", "grave(ref=50)", "uniform()"),
    ("go(size=9)", "mc_rave()", "uniform()"),
    ("go(size=9)", "uct()", "mogo()"),
]


@pytest.mark.parametrize(("game", "tree", "playout"), CASES)
def test_same_tree(game: str, tree: str, playout: str) -> None:
    """20 turns of 4 leaves with 64 playouts each."""
    import mcrave
    from mcrave.parallel.gpu.engines import Host
    from mcrave.parallel.gpu.leaves import LeafBatch

    trees = []
    for engine in (None, Host()):
        search = mcrave.Search(game, tree=tree, playout=playout, parallel="leaf(playouts=64,device=cuda,leaves=4)")
        if engine is not None:
            search._batch = LeafBatch(search, engine)
        search.run(search.game.start(), simulations=20 * 4 * 64)
        assert search._tree is not None
        trees.append(search._tree)
    here, there = trees
    for field in ("n", "w", "an", "aw", "table_n", "table_w", "move", "child"):
        assert np.array_equal(getattr(here, field), getattr(there, field)), field
    assert here.nodes["visits"][0] == 20 * 4 * 64
