"""What is kept of a tree after a move, or when memory is full, is what it was."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from mcrave import Search
from mcrave.games import Position
from mcrave.trees.arena import Tree
from mcrave.trees.late import settle

TINY = "mnk(size=3,length=3)"


def below(tree: Tree, node: int, entries: int, seen: dict[int, Any]) -> Any:
    """All that is known about a node and what lies below it, whatever the numbers of its nodes and edges."""
    if node not in seen:
        seen[node] = "being looked at"
        view = tree.nodes[node]
        run = slice(int(view.first), int(view.first + view.count))
        table = slice(node * entries, (node + 1) * entries)
        children = [below(tree, int(child), entries, seen) if child >= 0 else None for child in tree.child[run]]
        columns = [column[run].tolist() for column in (tree.move, tree.code, tree.n, tree.w, tree.an, tree.aw)]
        tables = [tree.table_n[table].tolist(), tree.table_w[table].tolist()]
        seen[node] = (int(view.visits), int(view.player), int(view.key), columns, tables, children)
    return seen[node]


def snapshot(search: Search, node: int) -> Any:
    """The same as one value; the tree stays as it is."""
    tree = search.reader().tree
    tree = tree._replace(nodes=tree.nodes.copy(), table_n=tree.table_n.copy(), table_w=tree.table_w.copy())
    settle(tree, search.game.players)
    return below(tree, node, tree.table_n.size // len(tree.nodes), {})


def check_moves(tree: Tree, node: int, position: Position) -> int:
    """Every node has the moves of its position; returns how many there are."""
    view = tree.nodes[node]
    run = slice(int(view.first), int(view.first + view.count))
    assert tree.move[run].tolist() == position.moves.tolist()
    linked = [(move, child) for move, child in zip(tree.move[run], tree.child[run], strict=True) if child >= 0]
    return 1 + sum(check_moves(tree, int(child), position.play(int(move))) for move, child in linked)


@pytest.mark.parametrize("transpositions", ["off", "edge", "state", "full"])
@pytest.mark.parametrize("tree", ["rave()", "grave(ref=5)"])
def test_a_move_keeps_what_is_below_it(tree: str, transpositions: Any) -> None:
    """Where positions are shared, a node may be older than its parents: the root is node 0 all the same."""
    search = Search(TINY, tree=tree, transpositions=transpositions, memory="4MB")
    start = search.game.start()
    younger = 0
    for number, seed in itertools.product(range(9), range(3)):
        search.reset(seed=seed)
        search.run(start, simulations=600)
        found = search.reader().tree
        child = int(found.child[found.nodes[0].first + number])
        if child < 0:
            continue
        expected = snapshot(search, child)
        below_it: dict[int, Any] = {}
        below(found, child, 0, below_it)
        younger += min(below_it) < child
        search.advance(int(start.moves[number]))
        assert snapshot(search, 0) == expected
    assert (younger > 0) == (transpositions != "off")  # the case that matters does happen


@pytest.mark.parametrize("tree", ["rave()", "grave(ref=5)"])
def test_threads_keep_what_is_below_a_move(tree: str) -> None:
    """Threads number nodes and edges each in their own order."""
    search = Search("mnk(size=5,length=4)", tree=tree, parallel="tree(threads=4)", memory="64MB")
    for seed in range(5):
        search.reset(seed=seed)
        start = search.game.start()
        move = search.run(start, simulations=4000).best
        found = search.reader().tree
        edges = range(found.nodes[0].first, found.nodes[0].first + found.nodes[0].count)
        child = next(int(found.child[edge]) for edge in edges if found.move[edge] == start.number(move))
        expected = snapshot(search, child)
        search.advance(move)
        assert snapshot(search, 0) == expected
        check_moves(search.reader().tree, 0, start.play(move))


@pytest.mark.parametrize("threads", [1, 4])
def test_recycling_keeps_positions_and_moves_together(threads: int) -> None:
    """Memory for about 300 nodes is filled again and again; what stays fits the rules at every node."""
    search = Search(TINY, parallel=f"tree(threads={threads})", memory="64KB", when_full="recycle")
    for seed in range(5):
        search.reset(seed=seed)
        search.run(search.game.start(), simulations=5000)
        assert check_moves(search.reader().tree, 0, search.game.start()) > 50
