"""Playouts of many leaves at once, added up, are the same as one simulation after the other.

The kernels of the device run on this processor here; `tests/gpu` runs them on a GPU.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest

import mcrave
from mcrave.errors import Error
from mcrave.kernel import bits
from mcrave.kernel.rng import GAMMA, next_word
from mcrave.parallel.gpu.engines import Host
from mcrave.parallel.gpu.leaves import LeafBatch
from mcrave.playouts.base import begin, evaluate, play_out
from mcrave.search import Options
from mcrave.search.loop import back_up, descend
from mcrave.search.parallel import LeafParallel

CASES = [
    ("mnk(size=3,length=3)", "mc_rave()", "uniform()", 3),
    ("mnk(size=3,length=3)", "ucb1_tuned()", "uniform()", 2),
    ("domineering(size=5)", "grave(ref=5)", "uniform()", 1),
    ("atarigo(size=4)", "mc_rave()", "captures()", 4),
]
FIELDS = ("n", "w", "an", "aw", "squares", "table_n", "table_w", "move", "child")
PLAYOUTS, BATCHES = 6, 5


class Eager(LeafParallel, name="leaf_on_this_processor"):
    """`leaf(device=cuda)` with the kernels of the device on this processor."""

    def batch(self, search):
        """No GPU."""
        return LeafBatch(search, Host())


def search_of(game, tree, playout, leaves, **options):
    """With `PLAYOUTS` from each leaf."""
    kind = Eager(PLAYOUTS, device="cuda", leaves=leaves)
    return mcrave.Search(game, tree=tree, playout=playout, parallel=kind, memory="8MB", **options)


def one_by_one(search, position, leaves, playouts):
    """The same simulations by the loop of the plain search: descents first, then playouts, each backed up by itself."""
    plan, tree, scratch = search._plan(), search._new_tree(8 << 20), search._scratches(position)[0]
    for _ in range(BATCHES):
        ways = []
        for _ in range(leaves):
            ply, in_tree = descend(plan, tree, scratch)
            for t in range(in_tree):
                tree.nodes[scratch.node[t]].visits += playouts
                if scratch.edge[t] >= 0:
                    tree.n[scratch.edge[t]] += playouts
            parts = (scratch.node, scratch.edge, scratch.who, scratch.code)
            ways.append((ply, in_tree, scratch.work.copy(), [part.copy() for part in parts]))
        for _, in_tree, _, (node, edge, _, _) in ways:  # what counted as visited is counted below
            for t in range(in_tree):
                tree.nodes[node[t]].visits -= playouts
                if edge[t] >= 0:
                    tree.n[edge[t]] -= playouts
        name = int(next_word(scratch.rng[0]))
        for k, (ply, in_tree, state, parts) in enumerate(ways):
            for part, copy in zip((scratch.node, scratch.edge, scratch.who, scratch.code), parts, strict=True):
                part[:] = copy
            for i in range(playouts):
                number = (name + int(GAMMA) + k * playouts + i) & bits.MASK
                own = scratch._replace(rng=scratch.rng.copy().view(np.recarray))
                own.rng[0].state = bits._mix(number)
                own.work[0] = state[0]
                begin(plan.playout, plan.rules, tree, own, in_tree)
                plies = play_out(plan.playout, plan.recording, plan.rules, own.work[0], own, ply, len(own.who))
                for player in range(len(own.results)):
                    own.results[player] = evaluate(plan.playout, plan.rules, own.work[0], player)
                back_up(plan, tree, own, in_tree, plies)
    return tree


@pytest.mark.parametrize(("game", "tree", "playout", "leaves"), CASES)
def test_sums_are_single_backups(game, tree, playout, leaves):
    search = search_of(game, tree, playout, leaves)
    start = search.game.start()
    report = search.run(start, simulations=BATCHES * leaves * PLAYOUTS)
    found = search._tree
    expected = one_by_one(search_of(game, tree, playout, leaves), start, leaves, PLAYOUTS)
    assert report.simulations == BATCHES * leaves * PLAYOUTS
    assert found.used.tolist() == expected.used.tolist()
    for field in FIELDS:
        assert np.array_equal(getattr(found, field), getattr(expected, field)), field
    for field in ("visits", "worth", "count", "player"):
        assert np.array_equal(found.nodes[field], expected.nodes[field]), field
    assert found.nodes[0].visits == BATCHES * leaves * PLAYOUTS


def test_what_is_left_over_is_played_too():
    search = search_of("mnk(size=3,length=3)", "mc_rave()", "uniform()", 2)
    report = search.run(search.game.start(), simulations=100)
    assert report.simulations == 100
    assert sum(move.visits for move in report.moves) == 100 - PLAYOUTS  # but for the leaf that is the root itself


def test_same_seed_same_search():
    def visits(search):
        return [move.visits for move in search.run(search.game.start(), simulations=600).moves]

    search, other = (search_of("mnk(size=3,length=3)", "mc_rave()", "uniform()", 3, seed=seed) for seed in (5, 6))
    first = visits(search)
    search.reset(5)
    assert visits(search) == first
    assert visits(other) != first


def test_finds_the_winning_move():
    search = search_of("mnk(size=3,length=3)", "mc_rave()", "uniform()", 4)
    assert search.run(search.game.parse("XX. / OO. / ..."), simulations=3000).best == "c3"


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"transpositions": "edge"}, "transpositions, solve and backup cannot be used"),
        ({"options": Options(solve=1)}, "transpositions, solve and backup cannot be used"),
        ({"options": Options(by_point=1)}, "by_point, replays, playout_alone and ownership cannot be used"),
        ({"playout": "mast()"}, "mast() learns from one to the next"),
        ({"tree": "mc_rave()", "playout": "pool_rave()"}, "learns from one to the next"),
    ],
)
def test_what_cannot_be_had(parts, said):
    with pytest.raises(Error) as error:
        search_of("go(size=5)", parts.pop("tree", "mc_rave()"), parts.pop("playout", "uniform()"), 2, **parts)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_memory_that_is_not_there():
    search = search_of("mnk(size=3,length=3)", "mc_rave()", "uniform()", 50)
    search._batch.engine.memory = 100_000
    with pytest.raises(Error, match=r"300 playouts at once take .* GB .* about \d+ would fit"):
        search.run(search.game.start(), simulations=300)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("leaf(leaves=4)", "for a GPU only"),
        ("leaf(device=cuda,threads=2)", "one thread"),
        ("leaf(device=cuda,leaves=-1)", "leaves from 0"),
        ("leaf(device=tpu)", "device"),
    ],
)
def test_wrong_texts(text, said):
    with pytest.raises(Error, match=said):
        mcrave.Search("go(size=5)", parallel=text)


def test_without_a_gpu_a_line_tells_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba.cuda", None)
    monkeypatch.delattr("numba.cuda", raising=False)
    with pytest.raises(Error) as told:
        mcrave.Search("go(size=5)", parallel="leaf(playouts=4096,device=cuda)")
    assert "mcrave[gpu]" in str(told.value)
    assert "\n" not in str(told.value)
