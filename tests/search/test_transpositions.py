"""Positions reached by several paths."""

from __future__ import annotations

import numpy as np
import pytest

import mcrave
from mcrave import Search
from mcrave.errors import Error
from mcrave.trees.arena import EDGES, NODES

pytestmark = pytest.mark.xdist_group("mnk")

TICTACTOE = "mnk(size=3,length=3)"
MODES = ("off", "edge", "state", "full")


def visits(mode: str, game: str, simulations: int, tree: str = "uct()") -> list[int]:
    """The visits of the root's moves, in the game's order."""
    search = Search(game, tree=tree, transpositions=mode)  # type: ignore[arg-type]
    report = search.run(search.game.start(), simulations=simulations)
    found = {move.move: move.visits for move in report.moves}
    return [found[name] for name in search.game.start().legal_moves()]


@pytest.mark.parametrize("tree", ["uct()", "grave(ref=3)"])
def test_without_transpositions_all_modes_are_the_same_search(tree: str) -> None:
    """After two plies of tic-tac-toe no position has two paths, and 15 simulations go no deeper."""
    results = [visits(mode, TICTACTOE, 15, tree) for mode in MODES]
    assert results[0] == results[1] == results[2] == results[3]


@pytest.mark.parametrize("mode", ["edge", "state", "full"])
def test_a_position_has_one_node_and_its_visits_come_in_by_its_edges(mode: str) -> None:
    """Tic-tac-toe has 5,478 positions, 4,520 of them not over; the tree without sharing is far larger."""
    search = Search(TICTACTOE, tree="uct(c=2)", transpositions=mode)  # type: ignore[arg-type]
    report = search.run(search.game.start(), simulations=60_000)
    plain = Search(TICTACTOE, tree="uct(c=2)").run(search.game.start(), simulations=60_000)
    assert report.nodes <= 4520 < plain.nodes
    tree = search.reader().tree
    nodes, edges = int(tree.used[NODES]), int(tree.used[EDGES])
    keys = tree.nodes.key[:nodes]
    assert len(np.unique(keys)) == nodes
    incoming = np.zeros(nodes)
    linked = tree.child[:edges] >= 0
    np.add.at(incoming, tree.child[:edges][linked], tree.n[:edges][linked])
    assert (incoming[1:] == tree.nodes.visits[1:nodes]).all()
    assert tree.nodes.visits[0] == 60_000


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_finds_the_solved_move(mode: str) -> None:
    """The reply to a corner opening that does not lose is the centre: with 20,000 simulations all find it."""
    game = mcrave.game(TICTACTOE)
    position = game.start().play("a1")
    truth = {name: 1.0 - mcrave.solve(position.play(name)).value for name in position.legal_moves()}
    best = Search(game, transpositions=mode).run(position, simulations=20_000).best  # type: ignore[arg-type]
    assert [name for name, value in truth.items() if value == max(truth.values())] == [best] == ["b2"]


@pytest.mark.parametrize("mode", ["edge", "state", "full"])
def test_cycles_end(mode: str) -> None:
    """Go on a tiny board under the simple ko rule goes round in circles."""
    game = mcrave.game("go(rows=2,cols=2,superko=simple,komi=0.5)")
    search = Search(game, tree="uct(c=1)", transpositions=mode)  # type: ignore[arg-type]
    report = search.run(game.start(), simulations=30_000)
    assert report.simulations == 30_000
    assert report.nodes < 3000
    assert 0.0 <= report.value <= 1.0


@pytest.mark.parametrize("mode", ["edge", "state"])
def test_a_kept_graph_is_found_again(mode: str) -> None:
    """After advance the table leads to the nodes where they are now."""
    search = Search(TICTACTOE, transpositions=mode)  # type: ignore[arg-type]
    position = search.game.start()
    search.run(position, simulations=5000)
    search.advance("a1")
    report = search.run(position.play("a1"), simulations=5000)
    tree = search.reader().tree
    keys = tree.nodes.key[: report.nodes]
    assert len(np.unique(keys)) == report.nodes
    assert report.nodes < 2000


def test_bad_modes() -> None:
    """One clear line each."""
    with pytest.raises(Error, match=r"^transpositions must be one of off, edge, state, full, not 'on'$"):
        Search(TICTACTOE, transpositions="on")  # type: ignore[arg-type]
    with pytest.raises(Error, match=r"^transpositions=state is for two players; go3 has 3$"):
        Search("go3(size=3)", transpositions="state")
