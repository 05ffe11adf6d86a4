"""The compiled search equals the plain reference: the same visits and values at every node of the tree.

Compiling takes seconds for each pair of a game and a policy, so not all pairs are compared compiled. Those that are not
are compared with the same kernels run by the interpreter.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mcrave
from mcrave import specs
from mcrave.reference.flat import monte_carlo, play_out
from mcrave.reference.position import Stream, from_position
from mcrave.search import Options
from mcrave.search.backups import Max, MeanMax
from tests.reference.side_by_side import POLICIES, PRIORS, SCHEDULES, all_policies, compare, library_policies

ROOT = Path(__file__).parents[2]
MNK = "mnk(size=3,length=3)"
GAMES = {
    "mnk": MNK,
    "connect_four": "connect_four(rows=4,cols=5)",
    "domineering": "domineering(size=4)",
    "atarigo": "atarigo(size=3)",
    "go": "go(size=5)",
    "go3": "go3(size=4)",
    "nim": "nim(heaps=2-3-4)",
}
SLOW = ("go", "go3")  # in the interpreter
TREES = {
    "uct": "uct(c=0.7)",
    "first_play": "uct(c=0.2,urgency=0.6)",
    "greedy": "greedy()",
    "ucb1_tuned": "ucb1_tuned()",
    "monte_carlo": "monte_carlo()",
    "flat_ucb1": "monte_carlo(ucb1=1)",
    "amaf": "amaf()",
    "gobble": "amaf(depth=0)",
    "rave": "rave(bias=0.01)",
    "mc_rave": "mc_rave(schedule=hand(k=50))",
    "by_move": "mc_rave(schedule=hand(k=50,by_move=true))",
    "min_mse": "mc_rave(schedule=min_mse(bias=0.2))",
    "uct_rave": "uct_rave(c=0.3,schedule=hand(k=50))",
    "mogo_abc": "mogo_abc(k=50)",
    "learnt": "mc_rave(schedule=learnt(level=0.1,slope=-0.3,curve=0.5,rest=0.2))",
    "rave_urgency": "rave(bias=0.01,urgency=0.4)",
    "grave": "grave(ref=10,bias=0.001)",
    "grave_urgency": "grave(ref=10,bias=0.001,urgency=0.5)",
    "crazy_stone": "crazy_stone()",
    "puct": "puct()",
}
COMPILED = [("mnk", tree) for tree in TREES]
COMPILED += [(game, "mc_rave") for game in ("connect_four", "go", "go3", "nim")]
COMPILED += [(game, "grave") for game in ("domineering", "atarigo", "go", "go3")]


def test_everything_registered_has_a_twin():
    assert set(library_policies()) == set(POLICIES)
    assert set(specs.names("schedule")) == set(SCHEDULES)
    assert set(PRIORS) <= set(specs.names("prior"))


@pytest.mark.parametrize(("game", "tree"), COMPILED)
def test_compiled(game, tree):
    for seed in range(6):
        prior, expand_after = (("even()", 0), ("even(m=5,c=2)", 2), ("even(m=5,c=2)", 0), ("even()", 2))[seed % 4]
        compare(GAMES[game], TREES[tree], prior, expand_after, seed, simulations=60 if game in SLOW else 150)


def python(*arguments: str, **environment: str) -> str:
    """What another process prints."""
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"} | environment
    done = subprocess.run([sys.executable, *arguments], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("game", GAMES)
def test_interpreted(game):
    """Every policy with every schedule; priors and expansion in turn."""
    simulations, configurations = ("8", "1") if game in SLOW else ("60", "2")
    printed = python(
        "-m", "tests.reference.side_by_side", GAMES[game], simulations, configurations, NUMBA_DISABLE_JIT="1"
    )
    assert len(printed.splitlines()) == len(all_policies()) * int(configurations)


@pytest.mark.parametrize(("game", "tree"), [("go", "grave")])
def test_optimised(game, tree):
    """As users run it: `make test` compiles with less optimisation, to be done sooner."""
    code = f"from tests.reference.side_by_side import compare; print(compare({GAMES[game]!r}, {TREES[tree]!r}))"
    assert int(python("-c", code, NUMBA_OPT="3")) > 50


@pytest.mark.parametrize("value", ["", ",amaf=true"])
def test_grandfather(value):
    for seed in (1, 2, 3):
        compare(MNK, TREES["mc_rave"], f"grandfather(m=10,c=3{value})", seed=seed)


@pytest.mark.parametrize("tree", TREES)
def test_a_prior_may_be_worth_less_than_one_simulation(tree):
    compare(MNK, TREES[tree], "even(m=1,c=0.25)")


def test_grandfather_with_three_players():
    compare(GAMES["go3"], TREES["uct"], "grandfather(m=10,c=3)", simulations=60)


@pytest.mark.parametrize("transpositions", ["off", "edge"])
@pytest.mark.parametrize(("game", "tree"), [("go", "uct"), ("go", "grave"), ("mnk", "uct")])
def test_moves_in_an_order_of_chance(game, tree, transpositions):
    compare(GAMES[game], TREES[tree], "shuffled", transpositions=transpositions)


def test_the_order_of_chance_is_another_order():
    """Below the root, and with all moves in it."""
    search, plain = (mcrave.Search("go(size=5)", "uct", prior=prior, memory="8MB") for prior in ("shuffled", "even"))
    orders = []
    for each in (search, plain):
        each.run(each.game.start(), simulations=60)
        nodes, move = each._tree.nodes, each._tree.move
        orders.append([move[first : first + count].tolist() for first, count in zip(nodes["first"], nodes["count"])])
    assert orders[0][0] == orders[1][0]
    assert all(order != sorted(order) and len({*order}) == len(order) for order in orders[0][1:50])


@pytest.mark.parametrize(("game", "tree"), [("go", "mc_rave"), ("go", "grave"), ("mnk", "mc_rave")])
def test_amaf_by_point(game, tree):
    """The text of §4.3 in place of Algorithm 2: only the first player at a point counts."""
    compare(GAMES[game], TREES[tree], simulations=40, options=Options(by_point=1))


@pytest.mark.parametrize(("game", "tree"), [("go", "mc_rave"), ("go", "grave"), ("go3", "grave")])
def test_amaf_of_every_play(game, tree):
    """What is captured and played on again counts again."""
    compare(GAMES[game], TREES[tree], simulations=60, options=Options(replays=1))


@pytest.mark.parametrize(("game", "tree"), [("mnk", "mc_rave"), ("go3", "grave")])
def test_amaf_of_the_playout_alone(game, tree):
    """Moves made in the tree do not count."""
    compare(GAMES[game], TREES[tree], simulations=120, options=Options(playout_alone=1))


@pytest.mark.parametrize("mode", ["edge", "state", "full"])
@pytest.mark.parametrize(("game", "tree"), [("mnk", "uct"), ("mnk", "grave"), ("go", "uct")])
def test_transpositions(mode, game, tree):
    """Node for node, from openings that lead to many positions by several paths; on 2×2, Go goes round in circles."""
    text = GAMES[game] if game == "mnk" else "go(size=2,superko=simple,komi=0.5)"
    simulations = 400 if game == "mnk" else 300
    compare(text, TREES[tree], simulations=simulations, transpositions=mode)
    compare(text, TREES[tree], "even(m=5,c=2)", expand_after=1, seed=2, simulations=simulations, transpositions=mode)
    search = mcrave.Search(text, TREES[tree], transpositions=mode, memory="8MB")
    nodes = search.run(search.game.start(), simulations=simulations).nodes
    assert (search.reader().tree.child >= 0).sum() > nodes + 10  # several nodes have more than one parent


@pytest.mark.parametrize("backup", [Max(), MeanMax(20.0)])
@pytest.mark.parametrize(("game", "tree"), [("mnk", "uct"), ("mnk", "mc_rave")])
def test_backups(backup, game, tree):
    """§2.4: the maximum, and between mean and maximum, on trees and on graphs."""
    compare(GAMES[game], TREES[tree], simulations=300, options=Options(backup=backup))
    compare(GAMES[game], TREES[tree], "even(m=5,c=2)", seed=2, simulations=300, options=Options(backup=backup))
    if game == "mnk" and tree == "uct":
        compare(GAMES[game], TREES[tree], simulations=300, options=Options(backup=backup), transpositions="state")


@pytest.mark.parametrize("playout", ["mast(tau=0.1)", "mast(mode=epsilon,epsilon=0.3)"])
def test_mast(playout):
    for seed in (1, 2):
        compare(GAMES["go"], TREES["uct"], seed=seed, simulations=60, playout=playout)


def test_after_some_moves_and_near_the_end():
    game = mcrave.game(MNK)
    assert compare(MNK, TREES["mc_rave"], position=game.position(["a1", "b2", "c3", "a3"])) > 5
    assert compare(MNK, TREES["uct"], position=game.position(["a1", "b1", "a2", "b2", "c3", "c1"])) <= 6


def test_superko_at_the_root():
    """White may not take the ko back; the twins agree that it is no move of the root."""
    game = mcrave.game("go(size=5)")
    ko = game.parse(". X O . . / X . X O . / . X O . . / . . . . . / . . . . . / O to move").play("B4")
    assert "C4" not in ko.legal_moves()
    compare("go(size=5)", TREES["mc_rave"], simulations=60, position=ko)


def test_cut_off_simulations():
    """In the ko fights of 2×2 Go many simulations reach the limit of 3 · 4 + 3 plies."""
    compare("go(size=2)", TREES["mc_rave"], simulations=1000)


def test_flat_monte_carlo():
    """The policy is the plain loop over moves, after one simulation that only makes the root."""
    position = mcrave.game(MNK).start()
    report = mcrave.Search(MNK, tree="monte_carlo()", seed=5).run(position, simulations=91)
    stream = Stream(5)
    compiled = {move.move: move.value for move in report.moves}
    play_out(from_position(position), stream)
    plain = monte_carlo(from_position(position), 90, stream)
    assert compiled == {position.name(move): pytest.approx(value, abs=1e-12) for move, value in plain.items()}
