"""Playouts by ratings: drawn as plain rules say, the same however weights are kept; and ratings in the tree."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.stats import chisquare

import mcrave
from mcrave.errors import Error, SpecError
from mcrave.features import ratings, weights
from mcrave.features.moves import CLASSES, GROUPS, LIGHT, OFFSETS
from mcrave.games import _patterns as patterns
from mcrave.kernel import entry
from mcrave.kernel.rng import stream
from mcrave.playouts.base import Recording, choose, play_out
from mcrave.specs import lowered, parse
from tests.oracles.go_walks import Walk, make
from tests.oracles.plain_patterns import PlainFeatures

SURE = 1e-6  # of a chi-square test; there are few


class Scratch(NamedTuple):
    rng: Any
    memory: Any
    moves: Any
    who: Any
    code: Any


@entry
def finish(playout, recording, rules, states, scratch, plies):
    """A whole playout."""
    return play_out(playout, recording, rules, states[0], scratch, 0, plies)


@entry
def pick(playout, rules, states, scratch):
    """One move."""
    return choose(playout, rules, states[0], scratch.memory, scratch.rng[0], scratch.moves)


def scratch_for(game, playout, seed: int) -> Scratch:
    plies = game.max_plies()
    lists = np.zeros(game.max_moves(), np.int32), np.zeros(plies, np.int64), np.zeros(plies, np.int64)
    return Scratch(stream(seed), np.zeros(playout.memory_size(game)), *lists)


def spread_ratings(path, low: float = 0.2) -> str:
    """Random ratings, some of them below 1 where usual ones are above."""
    dice = np.random.default_rng(5)
    gamma = {name: np.exp(dice.uniform(np.log(low), 1.5, length)) for name, length in ratings.LENGTHS.items()}
    for light in gamma.values():
        light[OFFSETS[1 : np.searchsorted(OFFSETS, light.size)]] = 1.0
    weights.write(path, {"kind": ratings.KIND}, gamma)
    return str(path)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return spread_ratings(tmp_path_factory.mktemp("ratings") / "spread.npz")


@pytest.mark.parametrize("own", [False, True])
def test_kept_weights_draw_the_same_moves(file, own):
    """A whole playout, with weights kept from move to move, makes the moves that are chosen one by one."""
    playout = parse(f"patterns(weights={file})" if own else "patterns()", "playout")
    for board, games in (("go(size=6)", 12), ("go(size=9)", 6), ("go(rows=2,cols=14)", 8), ("go(rows=1,cols=16)", 8)):
        game = mcrave.game(board)
        rules, loaded = lowered(game), playout.loaded(game)
        for seed in range(games):
            whole, states = scratch_for(game, playout, seed), game.start().state
            plies = finish(loaded, Recording(), rules, states, whole, game.max_plies())
            single, again = scratch_for(game, playout, seed), game.start().state
            for ply in range(plies):
                assert pick(loaded, rules, again, single) == whole.code[ply], game.render(again[0])
                make(rules, again, whole.code[ply])
            assert game.render(states[0]) == game.render(again[0])


def plain_weights(walk: Walk, gamma) -> dict[Any, float]:
    """The product of ratings of every move by plain rules."""
    twin = PlainFeatures(walk.plain, walk.last)
    found = {}
    for point in twin.wanted():
        features = twin.features(point)
        drawing = str(features.pop("pattern")).replace("/", "")
        value = gamma[CLASSES[patterns.codes(drawing)[0]]]
        for group, name in enumerate(GROUPS[1:LIGHT], 1):
            value *= gamma[OFFSETS[group] + features[name]]
        found[point] = value
    return found


def test_moves_are_drawn_in_proportion_to_their_ratings(file):
    playout = parse(f"patterns(weights={file})", "playout")
    gamma, draws, tested = ratings.load("light", file), 3000, 0
    for seed in range(3):
        walk = Walk("go(size=6)", seed)
        loaded, scratch = playout.loaded(walk.game), scratch_for(walk.game, playout, seed)
        for ply in range(40):
            move = int(pick(loaded, walk.rules, walk.states, scratch))
            expected = plain_weights(walk, gamma)
            if ply % 3 == 2 and len(expected) > 1:
                seen = Counter(walk.point(int(pick(loaded, walk.rules, walk.states, scratch))) for _ in range(draws))
                assert set(seen) <= set(expected)
                total = sum(expected.values())
                often = [p for p in expected if expected[p] / total * draws >= 5]
                rest = draws - sum(seen[p] for p in often)
                observed = [seen[p] for p in often] + [rest]
                wanted = [expected[p] / total * draws for p in often]
                wanted.append(draws - sum(wanted))
                if wanted[-1] < 5:
                    observed, wanted = observed[:-1], wanted[:-1]
                if len(observed) > 1:
                    scaled = np.array(wanted) * sum(observed) / sum(wanted)
                    assert chisquare(observed, scaled).pvalue > SURE, walk.game.render(walk.states[0])
                    tested += 1
            walk.play(move)
            if walk.is_over:
                break
    assert tested > 20


def test_ratings_in_the_tree():
    """Moves come in the order of their probabilities; PUCT takes these for P, and widening for its order."""
    game = mcrave.game("go(size=6)")
    position = game.position("C3 C4 B4 D4")
    search = mcrave.Search(game, "puct()", "uniform()", "ratings()", seed=1)
    report = search.run(position, simulations=1)
    tree, gamma = search._tree, ratings.load("full")
    count = int(tree.nodes[0].count)
    shares, moves = tree.share[:count], tree.move[:count]
    assert sorted(moves.tolist()) == sorted(position.moves.tolist())
    assert (np.diff(shares) <= 0).all()
    assert shares.sum() == pytest.approx(1.0)
    from mcrave.features.moves import list_features

    found, listed = np.zeros((game.max_moves(), len(GROUPS)), np.int32), np.zeros(game.max_moves(), np.int32)
    n = list_features(CLASSES, lowered(game), position.state, found, listed)
    strength = dict(zip(listed[:n].tolist(), gamma[found[:n]].prod(axis=1).tolist(), strict=True))
    total = sum(strength.values()) + 1e-6 * (count - n)
    for move, share in zip(moves.tolist(), shares.tolist(), strict=True):
        assert share == pytest.approx(strength.get(move, 1e-6) / total)
    assert len(report.moves) == count
    narrow = mcrave.Search(
        game, "puct()", "uniform()", "ratings()", options=mcrave.search.Options(widen_from=1.0, widen_power=0.3)
    )
    tried = {move.move for move in narrow.run(position, simulations=40).moves if move.visits}
    first = {position.name(int(move)) for move in moves[: len(tried)]}
    assert tried == first
    assert 1 < len(tried) < 8


def test_power():
    game = mcrave.game("go(size=6)")
    plain, sharp = (parse(text, "playout") for text in ("patterns()", "patterns(power=2)"))
    assert sharp.gamma() == pytest.approx(plain.gamma() ** 2)
    assert sharp.loaded(game).other == pytest.approx(plain.loaded(game).other ** 2)
    with pytest.raises(SpecError, match=r"patterns needs power above 0 and up to 10, not 0.0"):
        parse("patterns(power=0)", "playout")


def test_only_go():
    for kind, text in (("playout", "patterns()"), ("playout", "balanced()"), ("prior", "ratings()")):
        with pytest.raises(Error, match=rf"^\w+ is a {kind} for go, not for mnk$"):
            mcrave.Search("mnk", **{kind: text})
