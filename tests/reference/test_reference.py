"""The reference on ordinary Python objects and on OpenSpiel's states."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import dataclass

import pytest

from mcrave.errors import Error
from mcrave.reference import Node, Search, monte_carlo, playouts, policies, priors, schedules
from mcrave.reference.example import TicTacToe

EVERY = {
    "evenly": policies.evenly(),
    "greedy": policies.greedy(),
    "uct": policies.uct(),
    "ucb1_tuned": policies.ucb1_tuned(),
    "puct": policies.puct(),
    "crazy_stone": policies.crazy_stone(),
    "amaf": policies.amaf(),
    "rave": policies.rave(),
    "mc_rave": policies.mc_rave(),
    "uct_rave": policies.uct_rave(0.2, schedules.min_mse()),
    "grave": policies.grave(ref=20),
}
every_policy = pytest.mark.parametrize("policy", EVERY.values(), ids=EVERY)


def walk(node: Node) -> list[Node]:
    return [node, *(below for child in node.children.values() for below in walk(child))]


@every_policy
@pytest.mark.parametrize("prior", [priors.even(), priors.even(5.0, 2.0), priors.grandfather(10.0, 3.0)])
@pytest.mark.parametrize("expand_after", [0, 3])
def test_visits_add_up(policy, prior, expand_after):
    root = Search(policy, prior=prior, expand_after=expand_after).run(TicTacToe(), 150, random.Random(1))
    assert root.visits == 150
    for node in walk(root):
        assert node.visits == 1 + sum(node.tried(move) for move in node.codes)
        assert node.total == node.visits + sum(node.prior.values())
        for move, code in node.codes.items():
            assert 0.0 <= node.w[move] <= node.n[move]
            assert 0.0 <= node.amaf_w[node.player, code] <= node.amaf_n[node.player, code]
        for move, child in node.children.items():
            assert expand_after < node.tried(move)
            assert child.visits <= node.tried(move)


@every_policy
def test_an_immediate_win_is_found(policy):
    for name, playout in (("uniform", playouts.Uniform()), ("mast", playouts.Mast()), ("past", cells())):
        root = Search(policy, playout=playout).run(TicTacToe("XX.OO...."), 400, random.Random(1))
        assert root.best() == 2, name


def cells() -> playouts.Past:
    """PAST with the predicate "this stone is on this cell"."""
    return playouts.Past(
        lambda state: [((cell, stone), state.cells[cell] == stone) for cell in range(9) for stone in "XO"], tau=0.05
    )


def test_learning_playouts_find_the_centre():
    """In random games the centre wins most; what playouts learn makes them play there more often than one in nine."""
    for playout in (playouts.Mast(tau=0.05), playouts.Mast(epsilon=0.2), cells()):
        Search(policies.uct(), playout=playout).run(TicTacToe(), 300, random.Random(1))
        draws = [playout.choose(TicTacToe(), random.Random(seed)) for seed in range(200)]
        assert draws.count(4) > 45, playout


def test_any_function_is_a_prior():
    """A prior that knows the answer steers the first simulations."""

    def centre(node, move, above, state):
        return (1.0 if move == 4 else 0.0), 10.0, 10.0

    root = Search(policies.mc_rave(schedules.min_mse()), prior=centre).run(TicTacToe(), 20, random.Random(1))
    assert root.most_visited() == 4
    assert root.given == 90.0


def test_grandfather():
    """H(s_t, a) = Q(s_{t-2}, a); ½ at the first two plies and for moves not tried there."""
    first, second = Node(0, {1: 1, 2: 2}, n={1: 4.0, 2: 0.0}, w={1: 3.0, 2: 0.0}), Node(1, {2: 2})
    new = Node(0, {1: 1, 2: 2})
    prior = priors.grandfather(m=7.0, c=2.0)
    assert prior(new, 1, [first, second], TicTacToe()) == (0.75, 2.0, 7.0)
    assert prior(new, 2, [first, second], TicTacToe()) == (0.5, 2.0, 7.0)
    assert prior(new, 1, [second], TicTacToe()) == (0.5, 2.0, 7.0)
    first.amaf_n[0, 2], first.amaf_w[0, 2] = 5.0, 1.0
    prior = priors.grandfather(m=7.0, c=2.0, amaf=True)
    assert prior(new, 2, [first, second], TicTacToe()) == (0.2, 2.0, 7.0)
    assert prior(new, 1, [first, second], TicTacToe()) == (0.5, 2.0, 7.0)


@dataclass(frozen=True)
class Race:
    """Three players add 1 or 2 in turn; who reaches 10 wins. There are two ways to add 2, of one code."""

    total: int = 0
    plies: int = 0

    @property
    def to_move(self):
        return self.plies % 3

    @property
    def is_over(self):
        return self.total >= 10

    def legal_moves(self):
        return ["one", "two", "double"]

    def play(self, move):
        return Race(self.total + (1 if move == "one" else 2), self.plies + 1)

    def outcome(self, player):
        return float(player == (self.plies - 1) % 3)

    def code(self, move):
        return int(move != "one")


@every_policy
def test_three_players_and_codes(policy):
    root = Search(policy).run(Race(total=8), 200, random.Random(1))
    assert root.best() in ("two", "double")
    assert root.codes == {"one": 0, "two": 1, "double": 1}
    assert {player for player, _ in root.amaf_n} <= {0, 1, 2}


def test_endless_games_are_cut_off():
    class Endless(Race):
        is_over = False
        play = lambda self, move: self  # noqa: E731

    root = Search(policies.uct(), longest=20).run(Endless(), 30, random.Random(1))
    assert root.visits == 30


def test_depth_zero_is_flat():
    root = Search(policies.evenly(), depth=0).run(TicTacToe(), 91, random.Random(1))
    assert not root.children
    assert set(root.n.values()) == {10.0}
    rng = random.Random(1)
    Search(policies.evenly()).run(TicTacToe(), 1, rng)
    values = monte_carlo(TicTacToe(), 90, rng)
    assert values == {move: pytest.approx(root.w[move] / 10.0) for move in range(9)}


@pytest.mark.openspiel
@every_policy
def test_openspiel_gives_the_same_tree(policy):
    pyspiel = pytest.importorskip("pyspiel")
    from mcrave.reference.openspiel import OpenSpielState

    theirs = OpenSpielState(pyspiel.load_game("tic_tac_toe").new_initial_state())
    trees = [Search(policy).run(state, 100, random.Random(1)) for state in (TicTacToe(), theirs)]
    ours, other = ([(node.visits, node.n, node.w, node.amaf_n) for node in walk(root)] for root in trees)
    assert ours == other


@pytest.mark.openspiel
def test_openspiel_games_of_chance_are_refused():
    pyspiel = pytest.importorskip("pyspiel")
    from mcrave.reference.openspiel import OpenSpielState

    with pytest.raises(Error, match="only turns can be searched"):
        OpenSpielState(pyspiel.load_game("backgammon").new_initial_state())


def test_it_stands_alone():
    """The reference needs neither the compiler nor the search that it is compared with."""
    code = "import sys, mcrave.reference; print([m for m in sys.modules if m in ('numba', 'numpy', 'mcrave.search')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
