"""What changes the loop: proofs, widening, pruning, AMAF by point, PUCT's shares."""

from __future__ import annotations

import re

import numpy as np
import pytest

import mcrave
from mcrave import Search
from mcrave.errors import Error
from mcrave.search import Options
from mcrave.search.backups import Max
from mcrave.search.pruning import Pruning, prune
from mcrave.trees.arena import NODES

pytestmark = pytest.mark.xdist_group("mnk")

TICTACTOE = "mnk(size=3,length=3)"


@pytest.mark.parametrize(
    "diagram", ["... / ... / ...", "X.. / ... / ...", "X.. / .O. / ...", "X.. / .O. / ..X", "XO. / .X. / O.."]
)
def test_proofs_are_exact(diagram: str) -> None:
    """With enough simulations every move's proven result is the solver's."""
    game = mcrave.game(TICTACTOE)
    stones = diagram.count("X") - diagram.count("O")
    position = game.parse(f"{diagram} / {'XO'[stones]} to move")
    search = Search(game, options=Options(solve=1))
    report = search.run(position, simulations=60_000)
    truth = {}
    for name in position.legal_moves():
        after = position.play(name)
        truth[name] = 1.0 - (after.outcome(after.to_move) if after.is_over else mcrave.solve(after).value)
    proven = {move.move: move.proven for move in report.moves if move.proven is not None}
    assert proven == {name: truth[name] for name in proven}
    assert truth[report.best or ""] == max(truth.values())
    if max(truth.values()) == 1.0:
        assert proven.get(report.best or "") == 1.0
    else:
        assert proven == truth  # nothing wins, so everything had to be proven


def test_proofs_save_a_lost_position_from_hope() -> None:
    """The only move that does not lose at once is played, however bad its mean."""
    game = mcrave.game("connect_four(rows=4,cols=5)")
    for moves, best in (("aabbc", "d"), ("bbccd", None)):
        position = game.position(list(moves))
        report = Search(game, options=Options(solve=1)).run(position, simulations=20_000)
        value = mcrave.solve(position).value
        after = position.play(report.best or "")
        reached = 1.0 - (after.outcome(after.to_move) if after.is_over else mcrave.solve(after).value)
        assert reached == value
        assert best is None or report.best == best


def test_only_two_players_can_be_proven() -> None:
    """Three-colour Go has no wins and losses that exclude each other."""
    with pytest.raises(Error, match=r"^only games for two players can be proven, and go3 is for 3$"):
        Search("go3(size=3)", options=Options(solve=1))


def test_widening_considers_the_first_moves_only() -> None:
    """With a = 1, b = ½ the number of moves tried grows like 1 + √N(s)."""
    game = mcrave.game("mnk(size=5,length=4)")
    for simulations in (5, 50, 300):
        report = Search(game, options=Options(widen_from=1.0)).run(game.start(), simulations=simulations)
        tried = {move.move for move in report.moves if move.visits}
        assert tried == set(game.start().legal_moves()[: len(tried)])
        assert len(tried) <= min(25, 1 + simulations**0.5)
        assert len(tried) >= min(25, int((simulations - 1) ** 0.5))


def test_pruning_lowers_what_is_clearly_worse() -> None:
    """Means 0.9, 0.5 and 0.1 of 100 visits; the third of 10 visits cannot be judged yet."""
    n, w = np.array([100.0, 100.0, 10.0, 100.0]), np.array([90.0, 50.0, 1.0, 89.0])
    scores = w / n
    prune(Pruning(3.0), n, w, scores)
    assert (scores > -1.0).tolist() == [True, False, True, True]


def test_pruning_spends_visits_elsewhere() -> None:
    """A losing move gets fewer visits than without pruning."""
    game = mcrave.game(TICTACTOE)
    position = game.parse("XX. / OO. / ...")
    plain = Search(game, tree="uct(c=2)").run(position, simulations=5000)
    pruned = Search(game, tree="uct(c=2)", options=Options(prune_from=2.0)).run(position, simulations=5000)
    assert pruned.moves[0].move == plain.moves[0].move == "c3"
    assert pruned.moves[0].visits > plain.moves[0].visits


def test_full_width_tries_all_moves_equally_often() -> None:
    """In the first two plies of tic-tac-toe: 9 moves, and 8 replies to each."""
    search = Search(TICTACTOE, options=Options(full_width=2))
    root = search.run(search.game.start(), simulations=1 + 9 * 81)
    assert {move.visits for move in root.moves} == {81}
    for entry in search.reader().as_dict(2)["children"]:
        assert {reply["visits"] for reply in entry["children"]} == {10}


def test_the_minimax_enhancement_sees_a_refutation() -> None:
    """Every move but c1 loses to one reply of five; worth its best reply, it is worth nothing."""
    game = mcrave.game(TICTACTOE)
    position = game.parse("... / .O. / XX. / O to move")
    options = Options(full_width=2, backup=Max())
    report = Search(game, choice="best_value()", options=options).run(position, simulations=2000)
    assert report.best == "c1"
    assert {move.move: move.value for move in report.moves} == dict.fromkeys(position.legal_moves(), 0.0) | {"c1": 0.5}


def test_a_maximum_is_never_below_the_mean() -> None:
    """At every node, of the values that its moves have now."""
    search = Search("domineering(size=4)", options=Options(backup=Max()))
    search.run(search.game.start(), simulations=3000)
    tree, checked = search.reader().tree, 0
    for view in tree.nodes[: tree.used[NODES]]:
        edges = range(int(view.first), int(view.first + view.count))
        tried = [edge for edge in edges if tree.n[edge] > 0]
        values = []
        for edge in tried:
            child = tree.nodes[tree.child[edge]] if tree.child[edge] >= 0 else None
            mean = tree.w[edge] / tree.n[edge]
            values.append(mean if child is None else 1.0 - child.value)
        if tried:
            assert view.value == max(values)
            checked += 1
    assert checked > 500


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (Options(backup=Max()), "backup=max() is for two players; go3 has 3"),
        (Options(full_width=-1), "full_width must be 0 or more, not -1"),
        (
            Options(replays=1, playout_alone=1),
            "by_point, replays, playout_alone say which moves AMAF counts: give one of them",
        ),
        (Options(backup="max"), "backup must be a spec such as Mean() or Max(), not 'max'"),  # type: ignore[arg-type]
    ],
)
def test_options_that_cannot_be_had(options: Options, text: str) -> None:
    """One line that says what was wrong."""
    with pytest.raises(Error, match=f"^{re.escape(text)}$"):
        Search("go3(size=3)", options=options)


@pytest.mark.parametrize("tree", ["rave(bias=1e-3)", "grave(ref=0,bias=1e-3)"])
def test_amaf_by_point_counts_a_point_once(tree: str) -> None:
    """In a game where every point is played once, both readings of §4.3 agree; in Go they do not."""
    start = mcrave.game("mnk(size=5,length=4)").start()
    ours, theirs = (
        Search(start.game, tree=tree, options=Options(by_point=p)).run(start, simulations=800) for p in (0, 1)
    )
    assert ours.moves == theirs.moves
    start = mcrave.game("go(size=5)").start()
    ours, theirs = (
        Search(start.game, tree=tree, options=Options(by_point=p)).run(start, simulations=800) for p in (0, 1)
    )
    assert sum(m.amaf_visits for m in ours.moves) > sum(m.amaf_visits for m in theirs.moves)


def test_amaf_by_point_is_the_same_for_rave_and_grave() -> None:
    """GRAVE with ref = 0 is RAVE under either reading."""
    start = mcrave.game("go(size=5)").start()
    reports = [
        Search(start.game, tree=tree, options=Options(by_point=1)).run(start, simulations=1500)
        for tree in ("rave(bias=1e-3)", "grave(ref=0,bias=1e-3)")
    ]
    assert reports[0].moves == reports[1].moves


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("tree", ["rave(bias=1e-3)", "grave(ref=0,bias=1e-3)"])
def test_amaf_of_the_playout_alone_knows_nothing_where_the_tree_is_all_there_is(tree: str, threads: int) -> None:
    """Once the tree of tic-tac-toe from here is complete, no simulation has a playout, and AMAF counts no more."""
    start = mcrave.game("mnk(size=3,length=3)").position(["b2", "a1", "c3", "a3", "a2", "c2"])
    for alone in (0, 1):
        search = Search(start.game, tree=tree, threads=threads, options=Options(playout_alone=alone))
        few, many = (search.run(start, simulations=2000) for _ in range(2))
        before = {move.move: move.amaf_visits for move in few.moves}
        more = sum(move.amaf_visits - before[move.move] for move in many.moves)
        assert more == 0 if alone else more > 2000


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("tree", ["rave(bias=1e-3)", "grave(ref=0,bias=1e-3)"])
def test_amaf_of_every_play_counts_more_often_than_there_are_simulations(tree: str, threads: int) -> None:
    """On 3×3 points Go captures and plays on again; only where every play counts can a move have so many."""
    start = mcrave.game("go(size=3)").start()
    for replays in (0, 1):
        search = Search(start.game, tree=tree, threads=threads, options=Options(replays=replays))
        most = max(move.amaf_visits for move in search.run(start, simulations=600).moves)
        assert (most > 600) == bool(replays)


def test_amaf_of_every_play_is_the_same_for_rave_and_grave() -> None:
    """GRAVE with ref = 0 is RAVE here too."""
    start = mcrave.game("go(size=5)").start()
    reports = [
        Search(start.game, tree=tree, options=Options(replays=1)).run(start, simulations=1500)
        for tree in ("rave(bias=1e-3)", "grave(ref=0,bias=1e-3)")
    ]
    assert reports[0].moves == reports[1].moves


def test_puct_shares_are_probabilities() -> None:
    """Without a prior every move has the same share, and the shares of a node add up to 1."""
    search = Search(TICTACTOE, tree="puct(c=2)")
    report = search.run(search.game.start(), simulations=500)
    tree = search.reader().tree
    for view in tree.nodes[: report.nodes]:
        shares = tree.share[int(view.first) : int(view.first + view.count)]
        assert shares.sum() == pytest.approx(1.0)
        assert np.ptp(shares) < 1e-12
