"""TD(0): known answers, runs that are stopped and go on, and files that are no weights."""

from __future__ import annotations

import random
import subprocess
import time

import numpy as np
import pytest

import mcrave
from mcrave.cli import run
from mcrave.errors import Error
from mcrave.features import weights
from mcrave.features.weights import local_shape_weights
from mcrave.learn.td import Settings, Training, duel
from mcrave.players import parse_player
from mcrave.reference.td import Value
from tests.cli.terminal import COMMAND, ENVIRONMENT, ROOT


def test_random_walk():
    """Five states in a row, left loses and right wins: the values are 1/6 to 5/6 (Sutton & Barto, Example 6.2)."""
    dice, v = random.Random(1), Value(alpha=0.02)
    for _ in range(6000):
        place, visited = 2, []
        while 0 <= place < 5:
            visited.append({place: 1.0})
            place += dice.choice((-1, 1))
        v.learn(visited, float(place == 5), active=1)
    for place in range(5):
        assert v({place: 1.0}) == pytest.approx((place + 1) / 6, abs=0.06)


def small() -> Training:
    return Training(Settings(size=5, komi=24.5, seed=7))


def test_three_by_three_is_solved():
    """Black takes everything by the centre; after a few thousand games the learner knows both."""
    training = Training(Settings(size=3, komi=0.5, alpha=0.5, halving=0.0, seed=1))
    training.run(3000)
    game = training.game
    from mcrave.features.local_shape import rate_moves

    start = game.start()
    values, config = np.zeros(start.moves.size), np.zeros(training.shapes.windows, np.int32)
    rate_moves(training.shapes, training.theta, start.state, config, start.moves, values)
    assert start.name(int(start.moves[values.argmax()])) == "B2"
    assert values.max() > 0.8


def test_stopped_runs_go_on_as_if_nothing_had_happened(tmp_path):
    """Bit for bit, wherever a run was cut, even if games after the last checkpoint were lost."""
    whole = small()
    whole.run(60)
    part = small()
    part.run(23)
    part.save(tmp_path / "a.npz")
    part.run(11)  # lost by a kill
    again = Training.load(tmp_path / "a.npz")
    assert again.games == 23
    again.run(37)
    assert (again.theta == whole.theta).all()
    assert (again.seen == whole.seen).all()
    assert again._board.rng[0].state == whole._board.rng[0].state


def test_a_killed_command_ends_with_the_same_weights(tmp_path):
    """`kill -9` in the middle of learning; the same command goes on, bit for bit."""
    path, games = tmp_path / "w.npz", 1500
    options = ["--size", "5", "--komi", "24.5", "--seed", "7", "--games", f"{games}", "--every", "20", "--measure", "0"]
    arguments = ["learn", "td", *options, "--out", str(path)]
    with subprocess.Popen([*COMMAND, *arguments], cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and (not path.exists() or Training.load(path).games < 40):
            time.sleep(0.1)
        process.kill()
    kept = Training.load(path).games
    assert 40 <= kept < games
    assert kept % 20 == 0
    assert run(arguments) == 0
    whole, again = small(), Training.load(path)
    whole.run(games)
    assert again.games == games
    assert (again.theta == whole.theta).all()
    assert (again.seen == whole.seen).all()


def test_learning_makes_stronger():
    """Without weights it plays at random; 86 of 100 games are then won less than once in 10¹² times."""
    training = small()
    training.run(500)
    assert duel(training.game, training.theta, "uniform()", 100) > 0.85


# ------------------------------------------------------------------------------------------------ files


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "five.npz"
    training = small()
    training.run(300)
    training.pack(path)
    return path


def searching_with(file, confidence: str, simulations: int):
    """A search with learnt shapes for a prior, and to value leaves."""
    playout = f"truncated(depth=0,evaluation=local_shape,weights={file})"
    search = mcrave.Search("go(size=5)", "mc_rave()", playout, f"local_shape({confidence},weights={file})")
    return search.run(search.game.start(), simulations=simulations)


def test_players_and_priors_take_files(file):
    game = mcrave.game("go(size=5)")
    player = parse_player(f"local_shape(weights={file})")
    assert str(parse_player(str(player))) == str(player)
    position = game.start()
    while not position.is_over:
        position = position.play(player.choose(position))
    searching = parse_player(f"td_search(weights={file})@20")
    move = searching.choose(game.start())
    assert move in game.start().moves
    assert 0.0 < searching.estimate < 1.0
    searching.new_game(1)
    assert searching.choose(game.start()) == move, "the same seed, the same move"
    report = searching_with(file, "m=20,c=3", 1)
    values = dict(zip((game.start().name(int(m)) for m in game.start().moves), player.rate(game.start()), strict=True))
    for found in report.moves:
        if not found.visits:
            assert found.value == pytest.approx(values[found.move])
            assert found.prior == 3.0


def test_evaluation_of_truncated_playouts(file):
    game = mcrave.game("go(size=5)")
    report = searching_with(file, "m=0", 26)
    rated = parse_player(f"local_shape(weights={file})").rate(game.start())
    names = [game.start().name(int(move)) for move in game.start().moves]
    for found in report.moves:
        if found.visits == 1 and found.move != "pass":
            assert found.value == pytest.approx(rated[names.index(found.move)])


def broken(path, **changes) -> str:
    """A copy of a file with other arrays."""
    about, arrays = weights.read(path, weights.LOCAL_SHAPE)
    other = path.with_name("broken.npz")
    weights.write(other, about | changes.pop("about", {}), arrays | changes)
    local_shape_weights.cache_clear()
    return str(other)


def test_bad_files(file, tmp_path):
    pairs = np.zeros(shapes := Training(Settings(size=5)).shapes.pairs)
    bad = pairs.copy()
    bad[17] = np.nan
    text = tmp_path / "text.npz"
    text.write_text("no weights")
    cases = [
        (str(tmp_path / "none.npz"), "there is no file .*none.npz"),
        (str(text), "text.npz is no file of learnt weights"),
        (broken(file, pairs=bad), "entry 17 of 'pairs' is nan, not a finite number"),
        (broken(file, pairs=pairs[:-1]), f"holds no {shapes} numbers 'pairs' for a board of 5x5"),
        (broken(file, about={"kind": "patterns"}), "holds weights of patterns, not of local_shape"),
        (broken(file, about={"size": 99}), "names no board size"),
    ]
    for path, line in cases:
        if "broken" in path:
            continue
        with pytest.raises(Error, match=line):
            mcrave.Search("go(size=5)", prior=f"local_shape(weights={path})")
    for changes, line in (
        ({"pairs": bad}, cases[2][1]),
        ({"pairs": pairs[:-1]}, cases[3][1]),
        ({"about": {"kind": "patterns"}}, cases[4][1]),
        ({"about": {"size": 99}}, cases[5][1]),
    ):
        with pytest.raises(Error, match=line):
            mcrave.Search("go(size=5)", prior=f"local_shape(weights={broken(file, **changes)})")
    for game, line in (
        ("go(size=7)", "five.npz holds weights for 5x5, not for 7x7"),
        ("go(rows=4,cols=5)", "local_shape is a prior for square boards, not for go"),
        ("hex(size=5)", "local_shape is a prior for go, not for hex"),
    ):
        with pytest.raises(Error, match=line):
            mcrave.Search(game, prior=f"local_shape(weights={file})")
    with pytest.raises(Error, match="no weights of local shapes for 7x7 come with mcrave; learn them by"):
        mcrave.Search("go(size=7)", prior="local_shape()")


def test_commands(tmp_path, capsys):
    """Learn, go on, pack; and one line for what is wrong."""
    path, small = str(tmp_path / "w.npz"), str(tmp_path / "small.npz")
    td = ["learn", "td", "--size", "5", "--out", path, "--every", "20", "--measure", "0"]
    assert run([*td, "--games", "20"]) == 0
    assert run([*td, "--games", "40"]) == 0
    out = capsys.readouterr().out
    assert f"40 games are in {path}" in out
    assert run(["learn", "pack", path, small]) == 0
    capsys.readouterr()
    for arguments, line in (
        ([*td, "--alpha", "0.3"], f"{path} is of a run with alpha=0.5, not 0.3; choose another file by --out"),
        (["learn", "td", "--size", "5", "--out", small], f"{small} cannot be gone on with"),
        (["learn", "td", "--size", "1"], "local shapes are for boards from 2x2 to 19x19, not 1x1"),
        (["learn", "td", "--epsilon", "2"], "epsilon must be from 0 to 1, not 2"),
        (["learn", "td", "--out", str(tmp_path / "no" / "w.npz")], f"cannot write {tmp_path / 'no' / 'w.npz'}"),
    ):
        assert run(arguments) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"mcrave: {line}"), err
        assert err.count("\n") == 1
