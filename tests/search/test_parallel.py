"""Leaf, root and tree parallelism."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mcrave
from mcrave import Search
from mcrave.errors import Error, SpecError
from mcrave.players import parse_player
from mcrave.search.amaf import EdgeAmaf, LateTableAmaf
from mcrave.search.hot import Hot, HotEdgeAmaf, HotLateTableAmaf, HotTableAmaf, kept_length
from mcrave.search.plan import Plan, Scratch
from mcrave.search.threads import STOCK
from mcrave.trees.arena import EDGES, NODE, NODES, TABLE
from mcrave.trees.late import settle

ROOT = Path(__file__).parents[2]
TINY = "mnk(size=3,length=3)"
SIX = "mnk(size=5,length=4)"


def check_tree(search: Search, simulations: int) -> None:
    """No visit, no node and no virtual loss is left over: everything adds up exactly."""
    tree = search.reader().tree
    assert tree.nodes.visits[0] == simulations
    made = np.flatnonzero(tree.nodes.visits[: tree.used[NODES]])
    assert tree.used[NODES] - len(made) < 8 * STOCK  # what was left of threads' stocks
    first, count = tree.nodes.first[made].astype(int), tree.nodes["count"][made].astype(int)
    edges = np.concatenate([np.arange(a, a + c) for a, c in zip(first, count, strict=True)])
    assert len(set(edges)) == len(edges)
    assert edges.max() < tree.used[EDGES]
    sums = np.array([tree.n[a : a + c].sum() for a, c in zip(first, count, strict=True)])
    assert (tree.nodes.visits[made] == 1 + sums).all()
    assert ((tree.nodes.records[made] == TABLE) | (tree.nodes.records[made] == tree.nodes.visits[made])).all()
    if not search._may_be_hot():  # else nobody reads a node's outcomes
        outcomes = np.array([tree.w[a : a + c].sum() for a, c in zip(first, count, strict=True)])
        assert np.allclose(tree.nodes.worth[made], tree.nodes.first_result[made] + outcomes)
    assert (tree.n[edges] >= 0).all()
    assert sorted(tree.child[edges][tree.child[edges] != -1]) == list(made[1:])


@pytest.mark.parametrize("tree", ["uct()", "grave(ref=3)"])
def test_many_threads_on_tiny_trees(tree: str) -> None:
    """60 searches with 8 threads each, where all of them want the same few nodes."""
    search = Search(TINY, tree=tree, parallel="tree(threads=8)", memory="4MB")
    for seed in range(60):
        search.reset(seed=seed)
        report = search.run(search.game.start(), simulations=300)
        assert report.simulations == 300
        check_tree(search, 300)


def test_amaf_counts_lose_next_to_nothing() -> None:
    """Each simulation adds each of its moves once; only in nodes without a place may one in very many be lost."""
    search = Search(SIX, tree="mc_rave()", parallel="tree(threads=8,virtual_loss=3)", memory="16MB")
    for seed in range(10):
        search.reset(seed=seed)
        report = search.run(search.game.start(), simulations=2000)
        check_tree(search, 2000)
        for move in report.moves:
            assert move.amaf_visits == round(move.amaf_visits)
            assert 0.98 * move.visits - 2 <= move.amaf_visits <= 2000
            assert 0.0 <= move.amaf_value <= 1.0


@pytest.mark.parametrize("tree", ["mc_rave()", "grave(ref=0)", "grave(ref=3)"])
def test_places_hide_nothing(tree: str) -> None:
    """One thread that keeps numbers of its own is the plain search, visit for visit, however late it hands over."""

    class Keeping(Search):
        def _plan(self) -> Plan:
            plan = super()._plan()
            amaf = HotEdgeAmaf(0) if isinstance(plan.amaf, EdgeAmaf) else HotTableAmaf(0)
            if isinstance(plan.amaf, LateTableAmaf):
                amaf = HotLateTableAmaf(0, plan.amaf.most, plan.amaf.half)
            return plan._replace(threads=Hot(1.0, 1), amaf=amaf)

        def _scratch(self, *parts: object) -> Scratch:
            game = self.game
            length = kept_length(game.max_moves(), game.max_moves() if "mc" in tree else 2 * game.codes())
            own = {"kept": np.zeros(length), "stock": np.zeros(4, np.int64)}
            return super()._scratch(*parts)._replace(**own)  # type: ignore[arg-type]

    searches = [kind(TINY, tree=tree, seed=3, memory="16MB") for kind in (Search, Keeping)]
    plain, keeping = (search.run(search.game.start(), simulations=3000).moves for search in searches)
    assert plain == keeping
    trees = [search.reader().tree for search in searches]
    nodes = int(trees[0].used[NODES])
    for tree_ in trees:
        settle(tree_, 2)
    runs = [[slice(view.first, view.first + view.count) for view in tree.nodes[:nodes]] for tree in trees]
    for column in ("n", "w", "an", "aw"):
        both = [[getattr(tree, column)[run].tolist() for run in own] for tree, own in zip(trees, runs, strict=True)]
        assert both[0] == both[1]
    for field in (name for name in NODE.names if name not in ("first", "worth")):
        assert np.array_equal(trees[0].nodes[field][:nodes], trees[1].nodes[field][:nodes])
    entries = trees[0].table_n.size // len(trees[0].nodes)
    assert np.array_equal(trees[0].table_n[: nodes * entries], trees[1].table_n[: nodes * entries])
    assert np.array_equal(trees[0].table_w[: nodes * entries], trees[1].table_w[: nodes * entries])


def test_full_memory_with_threads() -> None:
    """When there is no room for a node, the simulations go on without."""
    search = Search(TINY, parallel="tree(threads=4)", memory="20KB")
    report = search.run(search.game.start(), simulations=5000)
    assert report.simulations == 5000
    tree = search.reader().tree
    assert tree.used[NODES] <= len(tree.nodes)
    assert tree.used[EDGES] <= tree.move.size
    assert not (tree.child[: tree.used[EDGES]] == -2).any()


def test_one_thread_is_the_plain_search() -> None:
    """Number for number."""
    plain = Search(SIX, tree="mc_rave()", seed=5)
    start = plain.game.start()
    one = Search(SIX, tree="mc_rave()", parallel="tree(threads=1)", seed=5)
    also = Search(SIX, tree="mc_rave()", threads=1, seed=5)
    expected = plain.run(start, simulations=500).moves
    assert expected == one.run(start, simulations=500).moves == also.run(start, simulations=500).moves


def test_threads_interleaved_by_the_interpreter() -> None:
    """The same code without the compiler, where Python switches threads between any two steps."""
    script = (
        "import sys; sys.setswitchinterval(1e-6)\n"
        "from mcrave import Search\n"
        "from tests.search.test_parallel import TINY, check_tree\n"
        "for tree in ('uct()', 'mc_rave()', 'grave(ref=3)', 'ucb1_tuned()'):\n"
        "    search = Search(TINY, tree=tree, parallel='tree(threads=4)', memory='1MB', seed=2)\n"
        "    search.run(search.game.start(), simulations=60)\n"
        "    check_tree(search, 60)\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def test_root_sums_are_those_of_the_trees() -> None:
    """Two trees of 250 simulations: the first is the plain search with that seed, and the visits add up."""
    start = mcrave.game(SIX).start()
    search = Search(SIX, parallel="root(workers=2)", seed=7, memory="32MB")
    report = search.run(start, simulations=500)
    again = Search(SIX, parallel="root(workers=2)", seed=7, memory="32MB").run(start, simulations=500)
    assert report.moves == again.moves  # whatever the threads do
    assert report.simulations == 500
    assert sum(move.visits for move in report.moves) == 498
    alone = {move.move: move for move in Search(SIX, seed=7, memory="16MB").run(start, simulations=250).moves}
    for move in report.moves:
        assert move.visits >= alone[move.move].visits
    mean = sum(move.value * move.visits for move in report.moves) / 498
    assert 0.0 <= mean <= 1.0
    assert report.nodes == 500


@pytest.mark.parametrize("tree", ["uct()", "mc_rave()", "grave(ref=5)", "ucb1_tuned()"])
def test_root_adds_up_every_statistic(tree: str) -> None:
    """Counts, outcomes and AMAF numbers of all moves are the sums of those that each tree tells by itself."""
    search = Search(SIX, tree=tree, prior="even(m=3)", parallel="root(workers=3)", memory="48MB", seed=5)
    start = search.game.start()
    report = search.run(start, simulations=300)
    parts = [
        {move.move: move for move in one.reader(start).moves()}
        for one in search._team.searches  # type: ignore[union-attr]
    ]
    for move in report.moves:
        same = [part[move.move] for part in parts]
        assert move.visits == sum(each.visits for each in same)
        assert move.amaf_visits == sum(each.amaf_visits for each in same)
        outcomes = sum(each.value * (each.visits + each.prior) for each in same)
        assert move.value * (move.visits + move.prior) == pytest.approx(outcomes)
        amaf = sum(each.amaf_value * each.amaf_visits for each in same)
        assert move.amaf_value * move.amaf_visits == pytest.approx(amaf)
    few = search.run(start, simulations=30, most=2)
    assert len(few.moves) == 2
    assert few.best == few.moves[0].move


def test_root_by_vote() -> None:
    """Every tree sees the only move that wins."""
    search = Search(TINY, parallel="root(workers=3,combine=vote)")
    report = search.run(search.game.parse("XX. / OO. / ..."), simulations=600)
    assert report.best == "c3"
    search.advance("c3")


def test_root_workers_beyond_the_budget() -> None:
    """Three simulations for four trees."""
    search = Search(TINY, parallel="root(workers=4)")
    assert search.run(search.game.start(), simulations=3).simulations == 3


def test_root_with_nothing_left_to_do() -> None:
    """A budget that is used up already, or far too short, gets an answer all the same."""
    search = Search(TINY, parallel="root(workers=8)", memory="16MB")
    start = search.game.start()
    first = search.run(start, nodes=40)
    again = search.run(start, nodes=40)
    assert again.simulations == 0
    assert again.moves == first.moves
    search.reset()
    assert search.run(start, seconds=1e-9).simulations >= 8


def test_root_workers_have_one_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose thread begins late thinks for what is left, and for one batch if nothing is."""
    monkeypatch.setattr("mcrave.search.roots.usable_cores", lambda: 3)
    search = Search(TINY, parallel="root(workers=3)")
    start = search.game.start()
    given: list[float] = []
    for twin in search._team.searches:  # type: ignore[union-attr]

        def think(position, budget, note, own=twin.think):
            given.append(budget.seconds)
            return own(position, budget, note)

        monkeypatch.setattr(twin, "think", think)
    ticks = itertools.count(100.0, 0.4)
    monkeypatch.setattr("mcrave.search.roots.time.perf_counter", lambda: next(ticks))
    report = search.run(start, seconds=1.0)
    assert len(given) == 3
    assert max(given) < 1.0
    assert min(given) < max(given)
    assert report.simulations >= 3


def test_root_workers_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three trees on one processor have equal parts of the time; a stop ends the round for those that wait."""
    monkeypatch.setattr("mcrave.search.roots.usable_cores", lambda: 1)
    search = Search(TINY, parallel="root(workers=3)")
    start = search.game.start()
    search.run(start, simulations=3)
    given: list[float] = []
    clock = [100.0]

    def think(position, budget, note):
        given.append(round(budget.seconds, 9))
        clock[0] += budget.seconds
        return 1, budget.seconds

    for twin in search._team.searches:  # type: ignore[union-attr]
        monkeypatch.setattr(twin, "think", think)
    monkeypatch.setattr("mcrave.search.roots.time.perf_counter", lambda: clock[0])
    report = search.run(start, seconds=0.75)
    assert given == [round(0.5 / 3, 9)] * 3 + [round(0.25 / 3, 9)] * 3
    assert report.simulations == 6
    given.clear()

    def stop(position, budget, note):
        search.stop()
        return think(position, budget, note)

    monkeypatch.setattr(search._team.searches[1], "think", stop)  # type: ignore[union-attr]
    assert search.run(start, seconds=0.75).simulations == 2
    assert len(given) == 2


def test_leaf_playouts_all_count() -> None:
    """100 playouts by 8: 12 leaves of 8 and one of 4; a node is visited by all playouts of its leaf."""
    search = Search(SIX, tree="mc_rave()", parallel="leaf(playouts=8)")
    report = search.run(search.game.start(), simulations=100)
    assert report.simulations == 100
    assert search.reader().tree.nodes.visits[0] == 100
    assert report.nodes == 13
    one = Search(SIX, tree="mc_rave()", parallel="leaf(playouts=1)", seed=3).run(search.game.start(), simulations=200)
    assert one.moves == Search(SIX, tree="mc_rave()", seed=3).run(search.game.start(), simulations=200).moves


def test_leaf_on_threads_adds_up() -> None:
    """Every playout counts once, whoever plays it, and the same seed gives the same numbers."""
    search = Search(SIX, tree="mc_rave()", parallel="leaf(playouts=5,threads=2)", seed=4, memory="16MB")
    start = search.game.start()
    report = search.run(start, simulations=1003)
    arrays = search.reader().tree
    assert report.simulations == 1003 == arrays.nodes.visits[0]
    assert report.nodes == 201  # 200 leaves of five playouts, and one of three
    assert sum(move.visits for move in report.moves) == 1003 - 5
    nodes = range(1, int(arrays.used[NODES]))
    assert all(arrays.nodes.visits[node] % 5 in (0, 3) for node in nodes)
    again = Search(SIX, tree="mc_rave()", parallel="leaf(playouts=5,threads=2)", seed=4, memory="16MB")
    assert again.run(start, simulations=1003).moves == report.moves


def test_leaf_threads_interpreted() -> None:
    """The same numbers without the compiler."""
    script = (
        "from mcrave import Search\n"
        "parts = {'tree': 'mc_rave()', 'parallel': 'leaf(playouts=5,threads=2)', 'memory': '16MB'}\n"
        "search = Search('mnk(size=5,length=4)', **parts)\n"
        "print([(m.move, m.visits, m.amaf_visits) for m in search.run(search.game.start(), simulations=60).moves])\n"
    )
    said = []
    for off in ("1", "0"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": off, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
        done = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]
        said.append(done.stdout)
    assert said[0] == said[1]


def test_players_name_the_form() -> None:
    """In a player's text it is a part like the others."""
    for text in ("mc_rave+root(workers=3,combine=vote)@100", "uct+tree(threads=4)+search(expand_after=2)@50"):
        assert str(parse_player(text)) == text
    player = parse_player("uct+leaf(playouts=4)@40")
    game = mcrave.game(TINY)
    player.prepare(game)
    assert player.choose(game.start()) in game.start().moves


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"threads": 0}, "threads must be at least 1, not 0"),
        ({"threads": 2, "parallel": "root()"}, "give either threads or parallel, not both"),
        ({"parallel": "tree(threads=0)"}, "tree needs threads from 1 to 256, not 0"),
        ({"parallel": "forest()"}, "unknown parallel 'forest'"),
        ({"parallel": "leaf(playouts=2,threads=3)"}, "leaf needs threads from 1 to its playouts"),
        ({"parallel": "root(combine=max)"}, "root needs combine to be one of sum, vote, not 'max'"),
        (
            {"threads": 2, "transpositions": "edge"},
            "transpositions=edge is for one thread; use root(workers=2)",
        ),
    ],
)
def test_bad_input(arguments: dict[str, object], text: str) -> None:
    """One line that says what was wrong."""
    with pytest.raises((Error, SpecError)) as error:
        Search(TINY, **arguments)  # type: ignore[arg-type]
    assert str(error.value).startswith(text)
