"""How many games fit on a device, and what is said where none does; needs no GPU."""

from __future__ import annotations

import pytest

import mcrave
from mcrave.errors import Error
from mcrave.parallel.gpu.engines import Cuda
from mcrave.parallel.gpu.planning import SHARE, games_that_fit, layout, pass_move, thinker

GAME = mcrave.game("domineering(size=8)")


def planned(tree, simulations, **options):
    return thinker(f"{tree}@{simulations}", mcrave.Search(GAME, tree=tree, **options), simulations)


def test_a_tree_has_room_for_every_simulation():
    """One node a simulation, and every move of it; both by count, not by a formula."""
    each = planned("grave()", 1000, transpositions="edge")
    assert each.tree["nodes"].length == 1001
    assert each.tree["move"].length == each.tree["n"].length == 1001 * GAME.max_moves()
    assert each.tree["an"].length == 0  # GRAVE keeps tables, no numbers at edges
    assert each.tree["table_n"].length == 1001 * 2 * GAME.codes()
    slots = each.tree["slots"].length
    assert slots >= 2 * 1001
    assert slots & (slots - 1) == 0


def test_a_tree_is_never_larger_than_the_player_was_given():
    """So that it is full at the same simulation as on the processor."""
    small = mcrave.Search(GAME, tree="uct()", memory="100kB")
    full = small._empty_tree()
    each = thinker("uct", small, 10**6)
    assert each.tree["nodes"].length == len(full.nodes)
    assert each.tree["move"].length == len(full.move)


def test_rows_hold_every_player():
    rows = layout(GAME, [planned("uct()", 50), planned("grave()", 10), planned("rave()", 20)], GAME.max_plies())
    assert rows.tree["nodes"].length == 51
    assert rows.tree["an"].length == 21 * GAME.max_moves()
    assert rows.tree["table_n"].length == 11 * 2 * GAME.codes()


def test_memory_is_shared_out():
    each = planned("grave()", 1000)
    rows = layout(GAME, [each], GAME.max_plies())
    free = 100 * rows.bytes
    assert games_that_fit(GAME, [each], rows, free, 10**6) == int(SHARE * 100)
    assert games_that_fit(GAME, [each], rows, free, 7) == 7
    with pytest.raises(Error, match=r"takes .* GB on the GPU, which has .* GB free; about @4\d\d would fit"):
        games_that_fit(GAME, [each], rows, rows.bytes // 2, 10)


@pytest.mark.parametrize(
    ("search", "said"),
    [
        (mcrave.Search(GAME, parallel="root(workers=2)"), "several threads"),
        (mcrave.Search(GAME, threads=2), "several threads"),
        (mcrave.Search(GAME, when_full="recycle"), "recycles"),
        (mcrave.Search(GAME, choice="policy()"), "most_visits, best_value or secure"),
    ],
)
def test_what_a_gpu_cannot(search, said):
    with pytest.raises(Error, match=said):
        thinker("x", search, 10)


def test_the_pass():
    named = {"go(size=5)": "pass", "go3(size=5)": "pass", "othello": "pass"}
    for text in ("go(size=5)", "go3(size=5)", "othello", "mnk", "domineering", "hex(size=3)", "amazons(size=4)"):
        game = mcrave.game(text)
        move = pass_move(game)
        assert (move >= 0) == (text in named)
        assert move < 0 or game.move_name(game.start().state[0], move).lower() == named[text]


def test_without_a_gpu_one_line(monkeypatch):
    cuda = pytest.importorskip("numba.cuda")
    monkeypatch.setattr(cuda, "is_available", lambda: False)
    with pytest.raises(Error, match="no NVIDIA GPU was found; it needs pip install 'mcrave") as caught:
        Cuda()
    assert "\n" not in str(caught.value)
