"""Ratings by minorisation–maximisation: other solvers' answers, runs that are stopped and go on, and bad data."""

from __future__ import annotations

import random

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

import mcrave
from mcrave.cli import run
from mcrave.errors import Error
from mcrave.features import ratings, weights
from mcrave.features.moves import GROUPS, LIGHT, OFFSETS
from mcrave.learn.choices import Choices, Decisions
from mcrave.learn.mm import Fit, Training, predict
from mcrave.parallel.gpu.engines import Host


def drawn(seed: int, count: int, groups: int, levels: int) -> Decisions:
    """Decisions among two to five moves with random features, by chance."""
    dice = random.Random(seed)
    true = {(g, i): dice.uniform(0.3, 3.0) for g in range(groups) for i in range(levels)}
    rows, starts, chosen = [], [0], []
    for _ in range(count):
        moves = [[dice.randrange(levels) for _ in range(groups)] for _ in range(dice.randint(2, 5))]
        strengths = [np.prod([true[g, i] for g, i in enumerate(move)]) for move in moves]
        chosen.append(starts[-1] + dice.choices(range(len(moves)), strengths)[0])
        rows += [[int(OFFSETS[g]) + i for g, i in enumerate(move)] for move in moves]
        starts.append(len(rows))
    return Decisions(np.array(rows, np.int16), np.array(starts), np.array(chosen))


def fitted(decisions: Decisions, groups: int, prior: float, sweeps: int) -> Fit:
    fit = Fit(decisions, groups, prior)
    for _ in range(sweeps):
        fit.sweep()
    return fit


def test_against_a_bradley_terry_solver():
    """With one feature a move this is the model that choix fits to choices out of several."""
    decisions = drawn(1, 400, 1, 6)
    data = []
    for i, chosen in enumerate(decisions.chosen):
        others = [row for row in range(decisions.starts[i], decisions.starts[i + 1]) if row != chosen]
        losers = [int(decisions.features[row, 0]) for row in others]
        winner = int(decisions.features[chosen, 0])
        if winner not in losers and len(set(losers)) == len(losers):  # choix knows no two of a kind
            data.append((i, winner, losers))
    kept = [i for i, _, _ in data]
    assert len(kept) > 100
    rows = [decisions.features[decisions.starts[i] : decisions.starts[i + 1]] for i in kept]
    starts = np.concatenate([[0], np.cumsum([len(part) for part in rows])])
    chosen = starts[:-1] + np.array([decisions.chosen[i] - decisions.starts[i] for i in kept])
    fit = fitted(Decisions(np.concatenate(rows), starts, chosen), 1, 0.0, 300)
    expected = choix.opt_top1(6, [(winner, losers) for _, winner, losers in data], tol=1e-10)
    found = np.log(fit.gamma[:6])
    assert found - found.mean() == pytest.approx(expected - expected.mean(), abs=1e-4)


def test_against_the_exact_optimum():
    """The likelihood with its prior is concave in the logarithms of the ratings: its optimum by Newton's method."""
    decisions, groups = drawn(2, 300, 3, 2), 3
    fit = fitted(decisions, groups, 1.0, 400)
    free = [0, 1, int(OFFSETS[1]) + 1, int(OFFSETS[2]) + 1]

    def loss(x):
        gamma = np.ones(OFFSETS[groups])
        gamma[free] = np.exp(x)
        strength = gamma[decisions.features].prod(axis=1)
        sums = np.add.reduceat(strength, decisions.starts[:-1])
        return -(np.log(strength[decisions.chosen] / sums).sum() + (x - 2 * np.logaddexp(0, x)).sum())

    best = minimize(loss, np.zeros(len(free)), method="BFGS", options={"gtol": 1e-8})
    assert np.log(fit.gamma[free]) == pytest.approx(best.x, abs=1e-5)
    assert fit.objective() == pytest.approx(-best.fun - (int(OFFSETS[groups]) - groups + 1 - 4) * np.log(4), abs=1e-6)
    unseen = int(OFFSETS[1]) + 2
    assert fit.gamma[unseen] == pytest.approx(1.0), "nothing is known of what was never seen"


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_the_likelihood_never_falls(prior):
    fit = Fit(drawn(3, 200, 4, 2), 4, prior)
    before = fit.objective() if prior else -np.inf
    likelihood = -np.inf
    for _ in range(40):
        step = fit.sweep()
        if prior:
            assert fit.objective() >= before - 1e-9
            before = fit.objective()
        else:
            assert step.likelihood >= likelihood - 1e-12
            likelihood = step.likelihood
    assert fit.curve[-1] > fit.curve[0] + 0.01


# ------------------------------------------------------------------------------------------------ games

GAME = "(;SZ[5]KM[7.5];B[cc];W[cb];B[bb];W[db];B[dc];W[ab];B[bc];W[ea];B[];W[aa])"


def choices_of(*texts: str) -> Choices:
    choices = Choices(5)
    for text in texts:
        position = mcrave.game("go(size=5)").start()
        for move in text.split():
            choices.add(position, position.number(move))
            position = position.play(move)
        choices.end_game()
    return choices


def test_games_become_decisions():
    choices = choices_of("C3 C4 B4 pass D3", "pass A1")
    found = choices.learnt()
    assert found.number == 5
    assert choices.unused == {"pass": 2}
    assert np.diff(found.starts).tolist() == [25, 24, 23, 22, 25]
    assert found.features.shape[1] == len(GROUPS)
    assert not choices.held_out().number


def test_stopped_runs_go_on_as_if_nothing_had_happened(tmp_path):
    decisions = choices_of("C3 C4 B4 D4 D3 E4", "C3 B3 C2 B4 D4").learnt()
    whole, part = Training(decisions, {"size": 5}), Training(decisions, {"size": 5})
    for _ in range(6):
        whole.fits["light"].sweep()
    for _ in range(2):
        part.fits["light"].sweep()
    part.save(tmp_path / "a.npz")
    part.fits["light"].sweep()  # lost by a kill
    again = Training(decisions, {"size": 5})
    again.resume(tmp_path / "a.npz")
    assert again.fits["light"].sweeps == 2
    for _ in range(4):
        again.fits["light"].sweep()
    assert (again.fits["light"].gamma == whole.fits["light"].gamma).all()
    other = Training(decisions, {"size": 5}, prior=2.0)
    with pytest.raises(Error, match=r"a.npz is of a run with prior=1.0, not 2.0; choose another file by --out"):
        other.resume(tmp_path / "a.npz")


def test_command(tmp_path, capsys):
    """What it cannot use is named and counted; a second call goes on where the first one ended."""
    (tmp_path / "good.sgf").write_text(GAME + GAME.replace("B[cc]", "B[bd]"))
    (tmp_path / "broken.sgf").write_text("(;SZ[5];B[cc")
    (tmp_path / "empty.sgf").write_text("")
    (tmp_path / "mixed.sgf").write_text(GAME + "(;SZ[9];B[cc])(;SZ[5];B[cc];W[cc])(;SZ[5])(;SZ[99];B[aa])")
    out = str(tmp_path / "out.npz")
    command = ["learn", "mm", "--size", "5", "--sgf", str(tmp_path), "--out", out]
    assert run([*command, "--sweeps", "3"]) == 0
    said = capsys.readouterr()
    for line in (
        "broken.sgf: cannot read the SGF games",
        "empty.sgf: cannot read the SGF games: no SGF data found",
        "mixed.sgf, game 2: the game is on 9x9, not on 5x5",
        "mixed.sgf, game 3: move 2 of the SGF game is illegal: C3",
        "mixed.sgf, game 4: the game has no moves",
        "mixed.sgf, game 5: cannot read the SGF game: size out of range: 99",
        "left out 6 games that cannot be used",
    ):
        assert line in said.err, line
    assert "3 games, 27 moves; not used: 3 pass" in said.out
    assert run([*command, "--sweeps", "5"]) == 0
    about, arrays = weights.read(out, ratings.KIND)
    assert about["sweeps"] == {"light": 5, "full": 5}
    assert len(arrays["light"]) == OFFSETS[LIGHT]
    assert run([*command, "--prior", "3"]) == 2
    assert "is of a run with prior=1.0, not 3.0" in capsys.readouterr().err


def test_games_are_played_and_kept(tmp_path, capsys):
    """Random openings are not learnt, moves after them are; the games can be learnt from again."""
    out = tmp_path / "out.npz"
    players = ["--player", "random", "--opponent", "random", "--workers", "1"]
    command = ["learn", "mm", "--size", "5", "--sweeps", "2"]
    assert run([*command, "--games", "3", *players, "--out", str(out)]) == 0
    first = capsys.readouterr().out
    assert "3 games, " in first
    again = [*command, "--db", f"{out}.db", "--only", "random", "--out", str(tmp_path / "again.npz")]
    assert run(again) == 0
    assert capsys.readouterr().out.replace("again.npz", "out.npz") == first
    (a, old), (b, new) = (weights.read(path, ratings.KIND) for path in (out, tmp_path / "again.npz"))
    assert a["data"] == b["data"]
    assert all((old[name] == new[name]).all() for name in ("light", "full"))


def test_games_are_played_on_a_device(tmp_path, capsys, monkeypatch):
    """Against itself, as no other program plays there; the games are those that the processor plays."""
    monkeypatch.setattr("mcrave.arena.gpu.Cuda", Host)
    said = []
    for device in ("cuda", "cpu"):
        out = str(tmp_path / f"{device}.npz")
        players = ["--player", "random", "--opponent", "random"] if device == "cpu" else ["--player", "random"]
        command = ["learn", "mm", "--size", "3", "--sweeps", "1", "--games", "3", "--workers", "1", *players]
        assert run([*command, "--device", device, "--out", out]) == 0
        said.append(capsys.readouterr().out.replace(f"{device}.npz", "out.npz"))
    assert said[0] == said[1]
    assert "3 games, " in said[0]


def test_commands_without_data(tmp_path, capsys):
    (tmp_path / "empty.sgf").write_text("")
    cases = [
        ([], "there is nothing to learn from"),
        (["--sgf", str(tmp_path / "none.sgf")], "there is no file"),
        (["--sgf", str(tmp_path)], "no game could be learnt from"),
        (["--size", "1", "--sgf", str(tmp_path)], "boards from 2x2 to 19x19, not 1x1"),
        (["--db", str(tmp_path / "none.db")], "none.db"),
    ]
    for arguments, line in cases:
        assert run(["learn", "mm", *arguments, "--out", str(tmp_path / "out.npz")]) == 2
        assert line in capsys.readouterr().err


def test_bad_ratings(tmp_path):
    good = {name: np.ones(length) for name, length in ratings.LENGTHS.items()}
    nan, zero = good["light"].copy(), good["full"].copy()
    nan[3], zero[int(OFFSETS[1]) + 2] = np.nan, 0.0
    cases = [
        ({"light": nan}, "entry 3 of 'light' is nan, not a finite number"),
        ({"full": zero}, "the full rating of capture 2 is 0.0, not above 0"),
        ({"light": np.ones(7)}, "holds 7 ratings 'light' in place of 1134"),
        ({"other": np.ones(7)}, "holds no ratings 'light' or 'full'"),
    ]
    path = tmp_path / "bad.npz"
    for arrays, line in cases:
        weights.write(path, {"kind": ratings.KIND}, arrays)
        ratings.load.cache_clear()
        with pytest.raises(Error, match=f"bad.npz.*{line}"):
            mcrave.Search("go(size=5)", playout=f"patterns(weights={path})")
    weights.write(path, {"kind": "local_shape"}, good)
    ratings.load.cache_clear()
    with pytest.raises(Error, match="holds weights of local_shape, not of ratings"):
        mcrave.Search("go(size=5)", prior=f"ratings(weights={path})")


def test_shipped_ratings_predict():
    """They were learnt from other games of 9×9, and prefer captures and answers here, too."""
    gamma = ratings.load("full")
    assert gamma[int(OFFSETS[1]) + 2] > 2.0, "a capture of several stones"
    assert gamma[int(OFFSETS[3]) + 2] < 0.5, "self-atari of several stones"
    decisions = choices_of("C3 C4 B4 D4 D3 E4 B5 C5 D5").learnt()
    assert predict(gamma, decisions).likelihood > predict(np.ones_like(gamma), decisions).likelihood
