"""The search kernels on an NVIDIA GPU give the same visits as on the CPU, for the same seeds."""

from __future__ import annotations

import pytest

cuda = pytest.importorskip("numba.cuda", reason="numba-cuda is missing: pip install 'mcrave[gpu]'")

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not cuda.is_available(), reason="no NVIDIA GPU with a working driver was found"),
]

CASES = [
    (game, tree)
    for game in ("domineering(size=8)", "atarigo(size=8)", "go(size=9)")
    for tree in ("uct()", "rave()", "mc_rave()", "grave(ref=10)")
]


@pytest.mark.parametrize(("game", "tree"), CASES)
def test_same_visits(game: str, tree: str) -> None:
    """32 searches of 150 simulations each."""
    from tests.gpu.batch import visits_on_cpu, visits_on_gpu

    seeds = list(range(1, 33))
    assert visits_on_gpu(game, tree, seeds, 150) == visits_on_cpu(game, tree, seeds, 150)
