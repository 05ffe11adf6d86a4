"""Tables that are made of records are those that every simulation added to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mcrave
from mcrave import Search, specs
from mcrave.search.amaf import LateTableAmaf, TableAmaf, at_once
from mcrave.search.hot import HotLateTableAmaf
from mcrave.search.plan import Plan
from mcrave.trees.arena import NODES, TABLE
from mcrave.trees.late import record_room, settle, words

TINY = "mnk(size=3,length=3)"
CASES: list[tuple[str, str, dict[str, Any]]] = [
    (TINY, "grave(ref=1)", {}),
    (TINY, "grave(ref=5)", {"transpositions": "edge"}),
    ("mnk(size=5,length=4)", "grave", {"parallel": "leaf(playouts=3)"}),
    ("mnk(size=9,length=5)", "grave(ref=60)", {}),
    ("domineering(size=4)", "grave(ref=400)", {}),
    ("go3(size=3)", "grave(ref=20)", {}),
    ("go(size=5)", "grave(ref=10)", {"transpositions": "state", "memory": "200KB"}),
    ("breakthrough(size=6)", "grave(ref=10)", {"playout": "truncated(depth=4)"}),
]


class AtOnce(Search):
    """A search whose nodes have tables from the start."""

    def _plan(self) -> Plan:
        plan = super()._plan()
        return plan._replace(amaf=at_once(plan.amaf))


def tables(search: Search) -> tuple[Any, Any]:
    """The tables of all nodes."""
    tree = search.reader().tree
    settle(tree, search.game.players)
    used = int(tree.used[NODES]) * search.game.players * search.game.codes()
    return tree.table_n[:used], tree.table_w[:used]


@pytest.mark.parametrize(("game", "tree", "options"), CASES)
def test_late_tables_are_the_same(game: str, tree: str, options: dict[str, Any]) -> None:
    """To the last bit, in nodes with fewer visits than records, as many, and more."""
    late, plain = (kind(game, tree=tree, seed=7, **options) for kind in (Search, AtOnce))
    assert isinstance(late._plan().amaf, LateTableAmaf)
    assert type(plain._plan().amaf) is TableAmaf
    reports = [search.run(search.game.start(), simulations=3000) for search in (late, plain)]
    assert reports[0].moves == reports[1].moves
    found = late.reader().tree
    records = found.nodes.records[: found.used[NODES]]
    assert records[0] == TABLE
    assert (records[records != TABLE] == found.nodes.visits[: found.used[NODES]][records != TABLE]).all()
    assert (records[1:] == TABLE).any() or "400" in tree
    assert (records != TABLE).any()
    for ours, theirs in zip(tables(late), tables(plain), strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("game", specs.names("game"))
def test_records_fit_into_a_table(game: str) -> None:
    """Each half has room for its records."""
    spec = mcrave.game(game)
    entries = spec.players * spec.codes()
    assert record_room(entries, spec.players) * (words(entries) + spec.players) <= entries
    assert 64 * words(entries) >= entries


def test_threads_lose_nothing_on_record() -> None:
    """Every simulation that came through a node made some move of the player to move: all are in its table."""
    search = Search("domineering(size=5)", tree="grave(ref=30)", parallel="tree(threads=4)")
    assert isinstance(search._plan().amaf, HotLateTableAmaf)
    codes = search.game.codes()
    for seed in range(20):
        search.reset(seed=seed)
        search.run(search.game.start(), simulations=2000)
        found = search.reader().tree
        most = search._plan().amaf.most
        few = np.flatnonzero(
            (found.nodes.visits[: found.used[NODES]] <= most) & (found.nodes["count"] > 0)[: found.used[NODES]]
        )
        settle(found, 2)
        for node in few[found.nodes.visits[few] > 0]:
            view = found.nodes[node]
            own = found.table_n[(2 * node + view.player) * codes :][:codes]
            run = slice(int(view.first), int(view.first + view.count))
            assert own.max() <= view.visits
            assert (own[found.code[run]] >= found.n[run]).all()  # what was selected here was played


def test_who_else_reads_tables_finds_them(tmp_path: Path) -> None:
    """A report about any node, a file, and playouts that read the tree."""
    late, plain = (kind(TINY, tree="grave(ref=30)", seed=2) for kind in (Search, AtOnce))
    start = late.game.start()
    for search in (late, plain):
        search.run(start, simulations=200)
    for node in range(int(late.reader().tree.used[NODES])):
        position = start  # names do not matter here
        assert [m.amaf_visits for m in late.reader().moves(node, position)] == [
            m.amaf_visits for m in plain.reader().moves(node, position)
        ]
    for search, name in ((late, "late.npz"), (plain, "plain.npz")):
        search.run(start, simulations=200)
        search.save(tmp_path / name)
    with np.load(tmp_path / "late.npz") as ours, np.load(tmp_path / "plain.npz") as theirs:
        for part in ("table_n", "table_w", "nodes", "n", "w"):
            assert np.array_equal(ours[part], theirs[part]), part
    late.load(tmp_path / "plain.npz")
    assert late.run(start, simulations=300).moves == plain.run(start, simulations=300).moves
    assert type(Search(TINY, tree="grave", playout="pool_rave")._plan().amaf) is TableAmaf
    assert type(Search(TINY, tree="grave", prior="grandfather")._plan().amaf) is TableAmaf
