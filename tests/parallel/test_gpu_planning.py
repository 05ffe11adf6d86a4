"""How many games fit on a device, and what is said where none does; needs no GPU."""

from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import pytest

import mcrave
from mcrave.arena.gpu import Gpu
from mcrave.errors import Error
from mcrave.parallel.gpu import room
from mcrave.parallel.gpu.engines import Cuda
from mcrave.parallel.gpu.planning import SHARE, games_that_fit, layout, pass_move, thinker
from mcrave.search import Options
from mcrave.search.backups import Max
from mcrave.specs import names

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


def shared(text, simulations=1000, **options):
    game = mcrave.game(text)
    return thinker("x", mcrave.Search(game, **options), simulations, together=True)


@pytest.mark.parametrize("text", [name for name in names("game") if mcrave.game(name).players == 2])
def test_outcomes_are_halves(text):
    """So that 32 bits hold their sums; a file of a user may have other outcomes, and is not read so."""
    game = mcrave.game(text)
    for seed in range(3):
        position, dice = game.start(), random.Random(seed)
        while not position.is_over:
            position = position.play(dice.choice(position.moves.tolist()))
        assert {position.outcome(player) for player in range(2)} <= {0.0, 0.5, 1.0}


def test_numbers_take_as_few_bytes_as_hold_them():
    each = shared("domineering(size=8)", tree="grave()")
    assert {each.tree[field].dtype for field in ("n", "w", "table_n", "table_w")} == {np.dtype(np.float32)}
    assert each.tree["code"].dtype == each.scratch["code"].dtype == np.int8
    assert each.scratch["listed"].dtype == np.int8  # 128 entries, from 0 to 127
    assert each.tree["child"].dtype == np.int16
    assert shared("domineering(size=8)", 40_000).tree["child"].dtype == np.int32
    assert shared("hex(size=9)").tree["code"].dtype == np.int8
    assert shared("hex(size=12)").tree["code"].dtype == np.int16


@pytest.mark.parametrize(
    ("text", "options", "n", "w"),
    [
        ("go3(size=5)", {}, 4, 8),  # three may share a win
        ("domineering", {"prior": "even(m=3,c=0.5)"}, 4, 4),
        ("domineering", {"prior": "even(c=0.3)"}, 8, 8),
        ("go(size=5)", {"prior": "handcrafted(m=50)"}, 8, 8),
        ("go(size=5)", {"playout": "mogo(mercy=2.25)"}, 4, 4),
        ("go(size=5)", {"playout": "mogo(margin=0.04)"}, 4, 8),
        ("domineering", {"simulations": 1 << 21}, 8, 8),
        ("domineering", {"playout": "pool_rave()", "tree": "rave()"}, 8, 8),  # these compute with what they read
        ("domineering", {"tree": "crazy_stone()"}, 8, 8),
        ("domineering", {"options": Options(backup=Max())}, 8, 8),
        ("domineering", {"transpositions": "state"}, 8, 8),
        ("domineering", {"transpositions": "edge"}, 4, 4),
    ],
)
def test_sums_that_32_bits_do_not_hold_have_64(text, options, n, w):
    each = shared(text, **options)
    assert (each.tree["n"].dtype.itemsize, each.tree["w"].dtype.itemsize) == (n, w)


def test_rows_hold_the_numbers_of_every_player():
    wide = shared("domineering", prior="even(c=0.3)")
    for players in ([shared("domineering"), wide], [wide, shared("domineering")]):
        rows = layout(mcrave.game("domineering"), players, 64)
        assert rows.tree["n"].dtype == np.float64


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


def turn(playout, trees, games, options=""):
    """Who thinks, on a GPU that lets several threads think about a game, if so many games wait for each player."""
    gpu = Gpu([], [], SimpleNamespace(together=True))
    game = mcrave.game("go(size=5)")
    thinkers = gpu._thinkers(game, [f"{tree}+{playout}{options}@10" for tree in trees])
    return room.whose_turn(dict(enumerate(thinkers)), {player: range(games[player]) for player in range(len(trees))})


def test_rave_beside_grave_is_the_same_program():
    """GRAVE with ref = 0; two programs at once would slow each other down, so others take turns."""
    mogo = "mogo(heed=0.9)"
    assert turn(mogo, ["grave(ref=50)", "rave(bias=1e-7)", "grave(ref=9)"], [1, 1, 1]) == [0, 1, 2]
    assert turn(mogo, ["grave(ref=50)", "rave"], [1, 1], "+search(replays=1)") == [0, 1]
    assert turn("uniform()", ["uct", "rave(bias=1e-7)"], [1, 1]) == [0, 1]  # short programs share the caches


def test_of_two_long_programs_the_one_with_more_games_comes_first():
    """So their games come into step: after the first move all of them wait for the same program."""
    trees = ["uct", "rave(bias=1e-7)", "rave(bias=0.1)", "uct(c=0.1)"]
    assert turn("mogo(heed=0.9)", trees, [4, 2, 1, 0]) == [0, 3]
    assert turn("mogo(heed=0.9)", trees, [2, 2, 2, 1]) == [1, 2]


def test_where_every_play_counts_there_is_room_to_count():
    """A move may count as often as there are plies."""
    assert shared("go(size=9)", tree="rave()").scratch["seen"].dtype == np.int8
    assert shared("go(size=9)", tree="rave()", options=Options(replays=1)).scratch["seen"].dtype == np.int16
