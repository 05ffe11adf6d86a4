"""The search from outside: budgets, memory, following a game, files."""

from __future__ import annotations

import json
import random
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcrave
from mcrave import Search
from mcrave.errors import Error, SpecError
from mcrave.search.choices import Choice
from mcrave.trees.arena import EDGES, NODES

pytestmark = pytest.mark.xdist_group("mnk")

TICTACTOE = "mnk(size=3,length=3)"
FIVE = "mnk(size=5,length=4)"
POLICIES = ("uct()", "mc_rave()", "grave(ref=5)")


def check_tree(search: Search) -> None:
    """Every node's visits are one more than those of its moves; values and links make sense."""
    tree = search._tree
    assert tree is not None
    nodes, edges = int(tree.used[NODES]), int(tree.used[EDGES])
    total = 0
    for view in tree.nodes[:nodes]:
        run = slice(int(view.first), int(view.first + view.count))
        given = tree.given[run] if tree.given.size else np.zeros(view.count)
        assert view.visits == 1 + round((tree.n[run] - given).sum())
        assert ((tree.w[run] >= 0) & (tree.w[run] <= tree.n[run])).all()
        total += int(view.count)
    assert total == edges
    children = tree.child[:edges]
    assert sorted(children[children >= 0]) == list(range(1, nodes))  # every node but the root has one parent


@pytest.mark.parametrize("tree", POLICIES)
def test_visits_add_up(tree: str) -> None:
    """The simulation that makes a node counts for no move of it."""
    search = Search(FIVE, tree=tree)
    report = search.run(search.game.start(), simulations=700)
    assert report.simulations == 700
    assert sum(move.visits for move in report.moves) == 699
    assert report.nodes <= 700
    check_tree(search)


def test_the_same_seed_gives_the_same_tree_and_another_seed_another() -> None:
    """Also with two searches taking turns in one process."""
    start = mcrave.game(FIVE).start()
    a, b, c = (Search(FIVE, tree="mc_rave()", seed=seed) for seed in (1, 1, 2))
    for _ in range(3):
        first, second, third = (search.run(start, simulations=200) for search in (a, b, c))
    assert first.moves == second.moves
    assert first.moves != third.moves


def test_a_second_run_goes_on_where_the_first_ended() -> None:
    """300 + 200 simulations are 500, number for number."""
    start = mcrave.game(FIVE).start()
    once, twice = Search(FIVE), Search(FIVE)
    whole = once.run(start, simulations=500)
    twice.run(start, simulations=300)
    assert twice.run(start, simulations=200).moves == whole.moves


@pytest.mark.parametrize("tree", POLICIES)
def test_advance_keeps_the_subtree(tree: str) -> None:
    """After a move and a reply, the moves below have the visits they had."""
    search = Search(FIVE, tree=tree)
    position = search.game.start()
    report = search.run(position, simulations=3000)
    before = search.reader().as_dict(3)
    best = next(entry for entry in before["children"] if entry["move"] == report.best)
    search.advance(report.best or "")
    assert search.reader().as_dict(2)["children"] == best["children"]
    check_tree(search)
    kept = search.reader().tree.used[NODES]
    after = search.run(position.play(report.best or ""), simulations=100)
    assert after.nodes >= kept
    assert sum(move.visits for move in after.moves) == 100 + sum(entry["visits"] for entry in best["children"])


def test_advance_to_a_move_never_tried_starts_afresh() -> None:
    """With one simulation no move has a node yet."""
    search = Search(FIVE)
    search.run(search.game.start(), simulations=1)
    search.advance("a1")
    report = search.run(search.game.start().play("a1"), simulations=10)
    assert sum(move.visits for move in report.moves) == 9
    with pytest.raises(Error, match=r"^illegal move 'a1'"):
        search.advance("a1")


def test_a_kept_tree_knows_the_pass_that_superko_leaves() -> None:
    """Where all other moves would repeat a position, only a pass is left, which the kept node does not have."""
    search, dice = Search("go3(size=2,pass_last=true)", tree="rave()"), random.Random(3)
    for _ in range(5):
        position = search.game.start()
        while not position.is_over:
            report = search.run(position, simulations=60)
            assert sorted(move.move for move in report.moves) == sorted(map(position.name, position.moves))
            move = int(dice.choice(position.moves))
            search.advance(move)
            position = position.play(move)
        search.reset()


def test_superko_drops_moves_from_a_kept_tree() -> None:
    """The tree knows the simple ko rule only; the real game forbids more, and forbidden moves are not reported."""
    game = mcrave.game("go(rows=7,cols=4)")
    position = game.parse(". X O . / X O . O / . X O . / X . X O / . X O . / X O . O / . X O . / X to move")
    search = Search(game, tree="uct()")
    for name in ("C6", "B4", "C2", "B6"):
        position = position.play(name)
    search.run(position, simulations=3000)
    search.advance("C4")
    position = position.play("C4")
    report = search.run(position, simulations=50)
    assert "B2" not in position.legal_moves()
    assert {move.move for move in report.moves} == set(position.legal_moves())


@pytest.mark.parametrize("tree", POLICIES)
@pytest.mark.parametrize("when_full", ["stop", "recycle"])
def test_memory_is_never_exceeded(tree: str, when_full: str) -> None:
    """Ten times more simulations than nodes fit; the arrays stay as they are and the visits go on counting."""
    search = Search(FIVE, tree=tree, memory="300KB", when_full=when_full)  # type: ignore[arg-type]
    start = search.game.start()
    for _ in range(40):
        report = search.run(start, simulations=100)
    arrays = search.reader().tree
    assert sum(array.nbytes for array in arrays) <= 300 * 1024
    assert report.nodes <= len(arrays.nodes)
    assert sum(move.visits for move in report.moves) == 3999
    if when_full == "stop":
        check_tree(search)
    assert report.best in start.legal_moves()


def test_seconds_nodes_and_stop_end_a_run() -> None:
    """Each budget alone, and a call from another thread."""
    search = Search(FIVE)
    start = search.game.start()
    search.run(start, simulations=1)
    assert search.run(start, seconds=0.2).simulations > 10
    search.reset()
    assert 50 <= search.run(start, nodes=50, simulations=10**6).nodes < 5000
    threading.Timer(0.2, search.stop).start()
    assert search.run(start, seconds=600).seconds < 600, "stopped before its time"


def test_early_stop_does_not_change_the_choice() -> None:
    """One winning move: the rest of the budget cannot matter."""
    game = mcrave.game(TICTACTOE)
    position = game.parse("XX. / OO. / ...")
    whole = Search(game).run(position, simulations=20_000)
    early = Search(game).run(position, simulations=20_000, early_stop=True)
    assert early.best == whole.best == "c3"
    assert early.simulations < whole.simulations


@pytest.mark.parametrize(
    ("game", "parts"),
    [
        ("domineering(size=4)", {"tree": "grave(ref=5)"}),
        ("go(size=3)", {"tree": "rave()", "transpositions": "edge"}),
        ("mnk(size=3,length=3)", {"tree": "uct(c=0.4)", "prior": "even(m=20,c=30)"}),
        ("mnk(size=3,length=3)", {"tree": "uct(c=0.4)", "prior": "grandfather()"}),
    ],
)
def test_early_stop_has_the_move_of_the_whole_search(game: str, parts: dict[str, Any]) -> None:
    """All along some games: the same move from the same seed, after a number of simulations that is always the same."""
    rules = mcrave.game(game)
    fewer = 0
    for seed in range(4):
        position = rules.start()
        while not position.is_over:
            whole = Search(rules, seed=seed, **parts).run(position, simulations=400)
            early = Search(rules, seed=seed, **parts).run(position, simulations=400, early_stop=True)
            again = Search(rules, seed=seed, **parts).run(position, simulations=400, early_stop=True)
            assert early.best == whole.best
            assert early.simulations == again.simulations
            assert early.simulations % 25 == 0
            fewer += early.simulations < 400
            position = position.play(whole.best)
    assert fewer > 4


def test_progress_is_told() -> None:
    """Counts rise to the budget."""
    told: list[int] = []
    Search(FIVE).run(mcrave.game(FIVE).start(), simulations=5000, on_progress=lambda done, seconds: told.append(done))
    assert told == sorted(told)
    assert told[-1] == 5000


def test_save_and_load_go_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    """A loaded tree has the same report."""
    search = Search(FIVE, tree="mc_rave()", prior="even(m=3,c=1)")
    position = search.game.start().play("c3")
    report = search.run(position, simulations=800)
    search.save(tmp_path / "tree.npz")
    other = Search(FIVE, tree="mc_rave()", prior="even(m=3,c=1)", seed=9)
    assert other.load(tmp_path / "tree.npz") == position
    assert other.reader().report(800, report.seconds) == report
    assert other.run(position, simulations=10).nodes >= report.nodes


def test_foreign_and_broken_files_are_refused(tmp_path: Path) -> None:
    """One clear line each, and the search stays as it was."""
    search = Search(FIVE)
    search.run(search.game.start(), simulations=100)
    good, bad = tmp_path / "good.npz", tmp_path / "bad.npz"
    search.save(good)
    with pytest.raises(Error, match=r"is a tree of tree uct\(\), but this search has greedy\(\)$"):
        Search(FIVE, tree="greedy()").load(good)
    with pytest.raises(Error, match=r"^cannot read .*nothing.npz: No such file or directory$"):
        search.load(tmp_path / "nothing.npz")
    whole = good.read_bytes()
    for content in (b"", b"hello", whole[: len(whole) // 2], whole[:-1]):
        bad.write_bytes(content)
        with pytest.raises(Error, match=r"bad\.npz"):
            search.load(bad)
    np.savez(bad, about=json.dumps({"format": "other"}), **{name: np.zeros(2) for name in search.reader().tree._fields})
    with pytest.raises(Error, match=r"has the format 'other'; this version of mcrave reads 'mcrave-tree-2'$"):
        search.load(bad)


def test_the_tree_as_json() -> None:
    """Nested to the depth asked for."""
    search = Search(TICTACTOE)
    report = search.run(search.game.start(), simulations=300)
    tree = search.reader().as_dict(2)
    assert json.loads(json.dumps(tree)) == tree
    assert tree["visits"] == 300
    assert all("children" not in grandchild for child in tree["children"] for grandchild in child.get("children", ()))
    assert json.loads(report.to_json())["moves"][0]["visits"] == report.moves[0].visits


@pytest.mark.parametrize("choice", ["most_visits()", "best_value()", "secure()", "policy()"])
def test_choices(choice: str) -> None:
    """All of them take a win in one."""
    search = Search(TICTACTOE, choice=choice)
    assert search.run(search.game.parse("XX. / OO. / ..."), simulations=500).best == "c3"


def test_a_choice_that_does_not_say_what_it_is_worth() -> None:
    """One's own choice without its method: a line that names it, no traceback."""

    class Undecided(Choice):
        pass

    search = Search(FIVE, choice=Undecided())
    with pytest.raises(SpecError, match=r"^Undecided has no `def worth\(self, move\)`; every choice needs it$"):
        search.run(search.game.start(), simulations=50)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Search("gp"), "unknown game 'gp'"),
        (lambda: Search(FIVE, tree="ucd()"), "unknown tree 'ucd'; did you mean 'uct'?"),
        (lambda: Search(FIVE, tree="uct(d=1)"), "uct has no field 'd'"),
        (lambda: Search(FIVE, memory="tiny"), "cannot read 'tiny' as an amount of memory"),
        (lambda: Search(FIVE, memory="4KB").run(mcrave.game(FIVE).start(), simulations=1), None),
        (lambda: Search(FIVE, expand_after=-1), "expand_after must be 0 or more, not -1"),
        (
            lambda: Search(FIVE).run(mcrave.game(TICTACTOE).start(), simulations=1),
            "this search is for mnk(size=5,length=4)",
        ),
        (lambda: Search(FIVE).run(mcrave.game(FIVE).start()), "give a budget"),
        (lambda: Search(FIVE).run(mcrave.game(FIVE).start(), simulations=0), "simulations must be above 0, not 0"),
        (lambda: Search(FIVE).run(mcrave.game(FIVE).start(), seconds=-1), "seconds must be above 0, not -1"),
        (lambda: Search(FIVE).advance("a1"), "there is no tree yet"),
    ],
)
def test_bad_input(make: object, text: str | None) -> None:
    """One line that says what was wrong."""
    if text is None:
        assert make().simulations == 1  # type: ignore[operator]
        return
    with pytest.raises((Error, SpecError)) as error:
        make()  # type: ignore[operator]
    assert str(error.value).startswith(text)
    assert "\n" not in str(error.value)


def test_a_finished_game_has_no_best_move() -> None:
    """Nothing to search."""
    game = mcrave.game(TICTACTOE)
    report = Search(game).run(game.parse("XXX / OO. / ... / O to move"), simulations=10)
    assert (report.best, report.moves, report.value) == (None, [], 0.0)


@given(seed=st.integers(0, 2**32), sims=st.integers(1, 400), tree=st.sampled_from(POLICIES), after=st.integers(0, 3))
def test_properties_over_random_configurations(seed: int, sims: int, tree: str, after: int) -> None:
    """Counts add up, values are in [0, 1], nothing is NaN."""
    search = Search(FIVE, tree=tree, seed=seed, expand_after=after)
    report = search.run(search.game.start(), simulations=sims)
    check_tree(search)
    assert 0.0 <= report.value <= 1.0
    for move in report.moves:
        assert 0.0 <= move.value <= 1.0
        assert 0.0 <= move.amaf_value <= 1.0
        assert 0.0 <= move.beta <= 1.0


def test_report_of_the_most_visited_moves():
    """A short report tells the same of fewer moves."""
    search = mcrave.Search("go(size=5)", tree="mc_rave()", seed=3)
    position = search.game.start()
    short = search.run(position, simulations=300, most=4)
    everything = search.reader(position).report(300, short.seconds)
    assert len(short.moves) == 4
    assert short.moves == everything.moves[:4]
    assert (short.best, short.pv) == (everything.best, everything.pv)
