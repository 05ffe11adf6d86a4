"""Kernels of mcrave count from the front, and never go beyond an end; those of users may count from the back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mcrave.kernel import jit
from tests.kernel.toy import python

ROOT = Path(__file__).parents[2]
SEARCHES = (
    ("go(size=5)", {"tree": "mc_rave()", "playout": "mogo()", "prior": "mogo2008()"}),
    ("domineering(size=4)", {"tree": "grave(ref=10)", "playout": "past()", "transpositions": "edge"}),
    ("hex(size=4)", {"tree": "mc_rave()", "threads": 2}),
)


def compiled(module: str):
    """A kernel of a module that reads an element."""
    space = {"__name__": module}
    exec("def element(numbers, i):\n    return numbers[i]\n", space)
    return jit(space["element"])


@pytest.mark.parametrize(("module", "found"), [("mcrave.anything", 4), ("mcrave_user_game_1", 9), ("their_game", 9)])
def test_negative_indices(module: str, found: int) -> None:
    """Of a part of an array the element before the first can be read: there is one."""
    numbers = np.arange(10)[5:]
    assert compiled(module)(numbers, -1) == found
    assert compiled(module)(numbers, 2) == 7


@pytest.mark.parametrize("index", [-1, 5])
def test_a_bounds_check_sees_both_ends(index: int, tmp_path) -> None:
    """So that the next test can fail."""
    code = f"""if 1:
        import numpy as np
        from tests.kernel.test_indexing import compiled
        try:
            print(compiled("mcrave.anything")(np.arange(5), {index}))
        except IndexError:
            print("outside")
    """
    assert python("-c", code, folder=ROOT, cache=tmp_path, NUMBA_BOUNDSCHECK="1") == "outside"


def test_searches_stay_inside(tmp_path) -> None:
    """Every index of every array, with rules, playouts and priors."""
    code = f"""if 1:
        import mcrave
        for game, options in {SEARCHES!r}:
            search = mcrave.Search(game, **options)
            position = search.game.start()
            while not position.is_over:
                position = position.play(search.run(position, simulations=100).best)
            print(search.game.name)
    """
    printed = python("-c", code, folder=ROOT, cache=tmp_path, NUMBA_BOUNDSCHECK="1")
    assert printed.split() == ["go", "domineering", "hex"]
