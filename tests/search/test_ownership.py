"""Territory statistics, and moves that are left out of the tree."""

from __future__ import annotations

import random

import numpy as np
import pytest

import mcrave
from mcrave import Search
from mcrave.errors import Error
from mcrave.games import _stones as stones
from mcrave.playouts.disputed import is_settled
from mcrave.search import Options
from mcrave.search.ownership import empty_counts, shares
from tests.oracles.plain_go import EMPTY, PlainGo

OTHELLO = "othello(size=4)"
COUNTING = Options(ownership=1)


@pytest.mark.parametrize(("name", "symbols"), [("go", "XO"), ("go3", "XO#")])
def test_owners_of_go_positions(name: str, symbols: str) -> None:
    """At any time of random games, point by point as flood fill on the plain board says."""
    game, dice = mcrave.game(f"{name}(rows=4,cols=5)"), random.Random(5)
    for _ in range(6):
        plain, position = PlainGo(4, 5, symbols), game.start()
        for _ in range(25):
            moves = sorted(plain.legal() - {None}) or [None]
            point = dice.choice(moves)
            position = position.play("pass" if point is None else f"{'ABCDE'[point[1]]}{4 - point[0]}")
            plain.play(point)
        counts, state = empty_counts(game), position.state[0]
        before = state.tobytes()
        stones.add_owners(state, counts)
        assert state.tobytes() == before
        expected = []
        for point in plain.points:
            around = {plain.board[point]} if plain.board[point] != EMPTY else plain.region(point)[1]
            expected.append([float(around == {symbol}) for symbol in symbols])
        assert list(shares(game, [counts]).values()) == expected
        assert counts.sum() == 20
        totals = [stones.area(state, player + 1) for player in range(len(symbols))]
        assert counts[:-1].sum(1).tolist() == totals == plain.areas()


def test_every_simulation_is_counted_from_this_root_on() -> None:
    """Othello counts every end; the counts begin anew with another root, and go on with the same."""
    search = Search(OTHELLO, options=COUNTING)
    start = search.game.start()
    search.run(start, simulations=300)
    report = search.run(start, simulations=200)
    assert set(search._owned[0].sum(0)[list(search.game.points())]) == {500.0}
    assert list(report.owners) == list(search.game.points().values())
    assert all(0 <= sum(shares) <= 1 + 1e-9 for shares in report.owners.values())
    discs = [sum(column) for column in zip(*report.owners.values(), strict=True)]
    assert 14 < sum(discs) <= 16  # the board is nearly full at the end
    search.advance(report.best or "")
    assert not search._owned[0].any()
    assert search.run(start.play(report.best or ""), simulations=50).owners
    assert search._owned[0].sum(0)[0] == 50


def test_what_is_sure_is_owned_always() -> None:
    """One cell is left: all discs at the end are known."""
    position = mcrave.game(OTHELLO).parse("XXXX / XXXX / XXXX / XXO. / X to move")
    owners = Search(OTHELLO, options=COUNTING).run(position, simulations=30).owners
    assert set(map(tuple, owners.values())) == {(1.0, 0.0)}


@pytest.mark.parametrize("parallel", ["tree(threads=2)", "root(workers=2)"])
def test_threads_count_together(parallel: str) -> None:
    search = Search(OTHELLO, options=COUNTING, parallel=parallel)
    report = search.run(search.game.start(), simulations=400)
    counts = [owned for one in getattr(search._team, "searches", [search]) for owned in one._owned]
    assert sum(counts).sum(0)[0] == 400  # type: ignore[attr-defined]
    together = np.array(list(shares(search.game, counts).values()))
    assert np.allclose(np.array(list(report.owners.values())), together)


def test_playouts_leave_the_search_alone() -> None:
    """The same answer every time, and the search goes on as one that never was asked."""
    asked, other = (Search(OTHELLO, options=COUNTING) for _ in range(2))
    start = asked.game.start()
    asked.run(start, simulations=100)
    other.run(start, simulations=100)
    first = asked.playouts(start, 200)
    assert first == asked.playouts(start, 200) != {}
    mine, theirs = asked.run(start, simulations=100), other.run(start, simulations=100)
    assert (mine.moves, mine.owners) == (theirs.moves, theirs.owners)


def test_without_territory_there_are_no_owners() -> None:
    game = mcrave.game("mnk(size=3,length=3)")
    assert game.points() == shares(game, [empty_counts(game)]) == {}
    assert Search(game).run(game.start(), simulations=20).owners == {}


# ------------------------------------------------------------------------------------------- disputed playouts


def test_settled_points() -> None:
    """Owned by one side in 9 of 10 simulations, of which there must be enough."""
    owned = np.array([[9.0, 8.0, 0.0, 90.0], [1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 10.0, 9.0]])
    assert [is_settled(owned, point, 0.9, 10) for point in range(4)] == [True, False, True, True]
    assert not is_settled(owned, 0, 0.9, 11)
    assert not is_settled(np.zeros((3, 1)), 0, 0.0, 1)


def test_disputed_playouts_make_the_search_count() -> None:
    search = Search(OTHELLO, playout="disputed(settled=0.7,after=10,tries=2)")
    assert search.run(search.game.start(), simulations=50).owners
    with pytest.raises(Error, match=r"^disputed is for games with territory, such as go, not for mnk$"):
        Search("mnk", playout="disputed()")


# ------------------------------------------------------------------------------------------- moves left out


def test_banned_moves_are_left_out_to_a_depth() -> None:
    """The first player must begin at a1 and may then do anything; the second must not take b2 before ply 4."""
    search = Search("mnk(size=3,length=3)")
    start = search.game.start()
    number = {start.name(move): int(move) for move in start.moves}
    banned = {(0, number[name]): 1 for name in number if name != "a1"} | {(1, number["b2"]): 4}
    search.ban(banned)
    search.run(start, simulations=3000)
    root = search.reader().as_dict(4)["children"]
    assert [child["move"] for child in root] == ["a1"]
    replies = {child["move"]: child["children"] for child in root[0]["children"]}
    assert set(replies) == set(number) - {"a1", "b2"}
    for children in replies.values():
        assert "b2" in {child["move"] for child in children}
        assert all(reply["move"] != "b2" for child in children for reply in child.get("children", []))
    search.advance("a1")
    report = search.run(start.play("a1"), simulations=100)
    assert "b2" not in {move.move for move in report.moves}
    search.ban({})
    assert len(search.run(start, simulations=100).moves) == 9


def test_somebody_has_to_move() -> None:
    """If all moves are banned, none is."""
    search = Search("mnk(size=3,length=3)")
    start = search.game.start()
    search.ban({(0, int(move)): 1 for move in start.moves})
    assert len(search.run(start, simulations=20).moves) == 9
