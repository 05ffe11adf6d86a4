"""What the papers say must hold: their small examples, their limits, and convergence to the solved value."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcrave
from mcrave import specs
from mcrave.policies._schedules import beta
from mcrave.reference import Node, Search, backup, policies, schedules
from mcrave.reference.example import TicTacToe
from mcrave.trees.arena import EDGES, NODES
from tests.search.test_agreement import MNK, TREES

EXPLORING = ("uct", "ucb1_tuned", "crazy_stone", "uct_rave")  # every move is tried again and again
CORNER, EDGE = (MNK, ("a1",)), (MNK, ("b1",))  # one move of eight keeps the draw, and four do


def schedule_pairs() -> list:
    """Every schedule that decreases, compiled and plain."""
    return [
        ("hand(k=300)", schedules.hand(300.0)),
        ("min_mse(bias=0.2)", schedules.min_mse(0.2)),
        ("min_mse_value(bias=0.2)", schedules.min_mse_value(0.2)),
        ("learnt(level=0.1,slope=0.1,curve=-0.2,rest=0.2)", schedules.learnt(0.1, 0.1, -0.2, 0.2)),
        ("bias(bias=0.01)", schedules.cazenave(0.01)),
    ]


def weight(text: str, total=0.0, n=0.0, w=0.0, an=0.0, aw=0.0) -> float:
    """β by the compiled search's schedule."""
    return beta(specs.parse(text, "schedule"), total, n, w, an, aw)


# Gelly & Silver, Figures 1 and 4


def test_five_simulations_add_five_nodes():
    """Figure 1: each simulation adds one node; a node counts the simulations through it."""
    root = Search(policies.uct()).run(TicTacToe(), 5, random.Random(1))
    children = list(root.children.values())
    assert (root.visits, sum(root.n.values()), len(children)) == (5, 4.0, 4)
    assert all(child.visits == 1 for child in children)


def test_figure_4():
    """Six simulations from s, and one from the root that is not in the subtree of s."""
    root, s = Node(0, {"a": "a", "b": "b"}), Node(0, {"a": "a", "b": "b", "c": "c"})
    simulations = [("a", "b", 0), ("a", "b", 0), ("b", "a", 1), ("b", "a", 1), ("b", "-", 0), ("c", "a", 1)]
    for first, later, z in simulations:
        plays = [(0, "b"), (1, "x"), (0, first), (1, "a"), (0, later), (1, "b")]
        backup([(root, "b"), (s, first)], plays, lambda player, z=z: float(z if player == 0 else 1 - z))
    backup([(root, "a")], [(0, "a"), (1, "x"), (0, "b")], lambda player: 1.0 - player)
    assert (s.w["a"], s.n["a"]) == (0.0, 2.0)
    assert (s.w["b"], s.n["b"]) == (2.0, 3.0)
    assert (s.amaf_w[0, "a"], s.amaf_n[0, "a"]) == (3.0, 5.0)
    assert (s.amaf_w[0, "b"], s.amaf_n[0, "b"]) == (2.0, 5.0)
    assert (root.amaf_n[0, "a"], root.amaf_n[0, "b"]) == (6.0, 7.0)
    tried = ("a", "b")
    assert max(tried, key=lambda move: policies.greedy()(s, move, [s])) == "b"
    assert max(tried, key=lambda move: policies.amaf()(s, move, [s])) == "a"


# Schedules


@pytest.mark.parametrize("k", [1.0, 50.0, 1000.0, 1e6])
def test_equal_weight_after_k_simulations(k):
    """Eq. 20–22."""
    assert weight(f"hand(k={k})", total=k) == 0.5
    assert schedules.hand(k)(k, 1.0, 0.0, 1.0, 0.0) == 0.5


counts = st.integers(1, 10**6).map(float)
shares = st.floats(0.0, 1.0)


@given(counts, counts, st.floats(0.0, 1.0))
def test_value_dependent_schedule_of_an_even_move(n, an, bias):
    """Eq. 46 with μ⋆ = ½ is Eq. 47, which is Cazenave's with bias = 4 b̃²."""
    even = weight(f"min_mse_value(bias={bias!r})", n, n, n / 2, an, an / 2)
    constant = weight(f"min_mse(bias={bias!r})", n, n, n / 2, an, an / 2)
    assert even == pytest.approx(constant, rel=1e-12)
    assert weight(f"bias(bias={4 * bias * bias!r})", n, n, 0.0, an, 0.0) == pytest.approx(constant, rel=1e-12)


@given(counts, counts, st.floats(0.01, 1.0), st.floats(0.02, 0.98))
def test_minimum_mse_is_a_minimum(n, an, bias, mean):
    """No other weight has a smaller error (Eq. 41) with the variances of Eq. 44–45."""
    best = weight(f"min_mse_value(bias={bias!r})", n, n, n * mean, an, an * mean)
    variance = mean * (1 - mean)

    def error(weight):
        return (1 - weight) ** 2 * variance / n + weight**2 * variance / an + weight**2 * bias**2

    assert all(error(best) <= error(best + step) * (1 + 1e-9) for step in (-0.01, -0.001, 0.001, 0.01))


@pytest.mark.parametrize(("text", "plain"), schedule_pairs(), ids=lambda part: part if isinstance(part, str) else "")
def test_weights_vanish(text, plain):
    """AMAF counts first, Monte-Carlo in the end: β falls to 0 as N grows."""
    steps = [weight(text, n, n, n / 3, 5 * n, 2 * n) for n in (1.0, 1e2, 1e4, 1e6, 1e8)]
    assert steps == [pytest.approx(plain(n, n, n / 3, 5 * n, 2 * n), rel=1e-12) for n in (1.0, 1e2, 1e4, 1e6, 1e8)]
    assert all(earlier > later for earlier, later in pairwise(steps))
    assert steps[0] > 0.7
    assert steps[-1] < 0.01


@given(counts, counts, shares, shares, st.integers(0, 4))
def test_weights_are_weights(n, an, q, aq, i):
    text, plain = schedule_pairs()[i]
    found = weight(text, n, n, n * q, an, an * aq)
    assert 0.0 <= found <= 1.0
    assert found == pytest.approx(plain(n, n, n * q, an, an * aq), rel=1e-12)
    assert 0.0 <= weight(text) <= 1.0, "no NaN where nothing is counted"


# Policies that are the same


def tree_of(game: str, tree: str, simulations: int, seed: int, prior: str = "even()") -> mcrave.Search:
    search = mcrave.Search(game, tree, prior=prior, memory="8MB", seed=seed)
    search.run(search.game.start(), simulations=simulations)
    return search


def statistics(search: mcrave.Search) -> list[list[float]]:
    tree = search._tree
    assert tree is not None
    edges = int(tree.used[EDGES])
    return [part[:edges].tolist() for part in (tree.move, tree.child, tree.n)] + [
        np.round(tree.w[:edges], 9).tolist(),
        tree.nodes.visits[: tree.used[NODES]].tolist(),
    ]


@pytest.mark.parametrize("prior", ["even()", "even(m=5,c=2)"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("grave(ref=0,bias=0.01)", "rave(bias=0.01)"),
        ("rave(bias=0.01)", "mc_rave(schedule=bias(bias=0.01))"),
        ("rave(bias=0.16)", "mc_rave(schedule=min_mse(bias=0.2))"),
        ("uct_rave(c=0.7,schedule=fixed(weight=0))", "uct(c=0.7)"),
        ("uct_rave(c=0,schedule=hand(k=50))", "mc_rave(schedule=hand(k=50))"),
        ("mc_rave(schedule=fixed(weight=1))", "amaf()"),
        ("uct(c=0)", "greedy()"),
    ],
)
def test_equivalent_policies(one, other, prior):
    for seed in (1, 2):
        found = statistics(tree_of(MNK, one, 500, seed, prior))
        assert found == statistics(tree_of(MNK, other, 500, seed, prior))


def test_grave_with_a_high_reference_differs():
    """So the test above can fail."""
    assert statistics(tree_of(MNK, "grave(ref=50,bias=0.01)", 500, 1)) != statistics(
        tree_of(MNK, TREES["rave"], 500, 1)
    )


# Properties


@given(
    tree=st.sampled_from(sorted(TREES)),
    prior=st.sampled_from(["even()", "even(m=5,c=2)", "even(m=0.5,c=0.25)"]),
    expand_after=st.integers(0, 3),
    simulations=st.integers(1, 400),
    seed=st.integers(0, 2**63 - 1),
    plies=st.integers(0, 8),
)
def test_properties(tree, prior, expand_after, simulations, seed, plies):
    """Visits add up, values are means of outcomes, nothing is NaN, and a seed says it all."""
    position = mcrave.game(MNK).start()
    dice = random.Random(seed)
    for _ in range(plies):
        if not position.play(move := dice.choice(position.legal_moves())).is_over:
            position = position.play(move)
    one, other, third = (
        mcrave.Search(MNK, TREES[tree], prior=prior, expand_after=expand_after, memory="8MB", seed=seed)
        for _ in range(3)
    )
    report = one.run(position, simulations=simulations)
    other.run(position, simulations=1)
    third.run(position, simulations=5)
    if simulations > 1:
        other.run(position, simulations=simulations - 1)
    assert statistics(one) == statistics(other), "a search depends on its seed alone, not on what others do"
    nodes, arrays = one._tree.used[NODES], one._tree
    for node in arrays.nodes[:nodes]:
        run = slice(int(node.first), int(node.first + node.count))
        tried = arrays.n[run] - (arrays.given[run] if arrays.given.size else 0.0)
        assert node.visits == 1 + tried.sum()
        assert ((arrays.w[run] >= 0.0) & (arrays.w[run] <= arrays.n[run] + 1e-9)).all()
    assert arrays.nodes[0].visits == simulations
    for move in report.moves:
        numbers = np.array([move.value, move.amaf_value, move.beta, move.prior, move.score])
        assert np.isfinite(numbers).all()
        assert (numbers[:4] >= 0.0).all()
        assert (numbers[:3] <= 1.0).all()


# Convergence


@cache
def solved(game: str, moves: tuple[str, ...]) -> tuple[float, frozenset[str]]:
    """The value of a position for the player to move, and the moves that reach it."""
    position = mcrave.game(game).position(moves)
    after = {move: 1.0 - mcrave.solve(position.play(move)).value for move in position.legal_moves()}
    best = max(after.values())
    return best, frozenset(move for move, value in after.items() if value == best)


def found(place: tuple[str, tuple[str, ...]], tree: str, simulations: int) -> tuple[int, float]:
    """In how many of 20 searches the chosen move is a best one, and the mean error of the root's value."""
    game = mcrave.game(place[0])
    value, best = solved(*place)
    hits, error = 0, 0.0
    for seed in range(20):
        report = mcrave.Search(game, TREES[tree], memory="16MB", seed=seed).run(game.position(place[1]), simulations)
        hits += report.best in best
        error += abs(report.value - value) / 20
    return hits, error


@pytest.mark.parametrize("place", [CORNER, EDGE], ids=["corner", "edge"])
@pytest.mark.parametrize("tree", EXPLORING)
def test_exploring_policies_converge(tree, place):
    """§2.5: the move is found and the value's bias shrinks, though random games mislead at first.

    If a search of 10,000 simulations finds the move with a probability of 0.99 or more, 17 of 20 are missed with a
    probability of 4e-5 at most.
    """
    few, more, many = (found(place, tree, simulations) for simulations in (30, 1000, 10_000))
    assert few[0] < 15
    assert many[0] >= 17
    assert few[1] > more[1] > many[1]
    assert many[1] < 0.03


@pytest.mark.parametrize("tree", ["rave", "grave", "min_mse"])
def test_rave_learns_fast(tree):
    """§4.3: without an exploration bonus, too, MC–RAVE mostly finds the move, and sooner than UCT.

    If a search of 3,000 simulations finds it with a probability of 0.9 or more, 12 of 20 are missed with a
    probability of 6e-5 at most.
    """
    assert found(CORNER, tree, 30)[0] < 13
    assert found(CORNER, tree, 3000)[0] >= 12
    assert found(CORNER, tree, 300)[1] < found(CORNER, "uct", 300)[1]


def test_greedy_search_need_not_converge():
    """§2.5: a move with a few bad outcomes at first is never tried again; two of three searches end like that."""
    hits, error = found(CORNER, "greedy", 10_000)
    assert hits < 17
    assert error > 0.1


@pytest.mark.parametrize("game", ["nim(heaps=2-3-4)", "domineering(size=4)", "atarigo(size=3)"])
def test_uct_solves_small_games(game):
    assert found((game, ()), "uct", 5000)[0] >= 17
