"""What Hex, Y and Havannah share: counts of move sequences, random play, diagrams."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import chisquare

import mcrave
from mcrave import Position
from mcrave.errors import DiagramError
from mcrave.games import base
from mcrave.games._hexboard import Rows
from mcrave.kernel import entry
from mcrave.kernel.rng import stream
from mcrave.playouts import sample
from mcrave.specs import lowered

GAMES = ["hex(size=5)", "hex(rows=3,cols=6)", "hex(size=4,swap=true)", "y(size=6)", "havannah(size=3)"]
GAMES += ["havannah(size=3,swap=true)"]


def sequences(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(sequences(position.play(move), depth - 1) for move in position.moves.tolist())


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        ("hex(size=3)", [9, 72, 504, 3024, 15120]),
        ("hex(rows=2,cols=4)", [8, 56, 336, 1260, 5040, 7200]),
        ("hex(size=3,swap=true)", [9, 81, 576, 3528]),
        ("hex(size=11)", [121, 14520]),
        ("y(size=3)", [6, 30, 120, 360, 720, 360]),
        ("y(size=4)", [10, 90, 720, 5040]),
        ("havannah(size=2)", [7, 42, 210, 600, 1296, 288]),
        ("havannah(size=3)", [19, 342, 5814]),
        ("havannah(size=3,swap=true)", [19, 361, 6156]),
    ],
)
def test_counts_of_move_sequences_are_those_of_openspiel(game: str, counts: list[int]) -> None:
    start = mcrave.game(game).start()
    assert [sequences(start, depth + 1) for depth in range(len(counts))] == counts


def expected(position: Position, known: dict[int, tuple[float, float]]) -> tuple[float, float]:
    """The first player's mean result and the mean number of plies of uniformly random play."""
    if position.is_over:
        return position.outcome(0), 0.0
    if position.key not in known:
        nexts = [expected(position.play(move), known) for move in position.moves.tolist()]
        value, plies = (math.fsum(part) / len(nexts) for part in zip(*nexts, strict=True))
        known[position.key] = value, plies + 1
    return known[position.key]


@pytest.mark.parametrize("played", [0, 1, 2])
@pytest.mark.parametrize(
    "game", ["hex(size=3)", "hex(rows=2,cols=4)", "hex(size=3,swap=true)", "y(size=4)", "havannah(size=2,swap=true)"]
)
def test_random_playouts_have_the_exact_mean_result_and_length(game: str, played: int) -> None:
    position = mcrave.game(game).start()
    for _ in range(played):
        position = position.play(int(position.moves[2]))
    value, plies = expected(position, {})
    playouts = 200_000
    got = sample(position, playouts)
    assert got.values[0] == pytest.approx(value, abs=5 * 0.5 / math.sqrt(playouts))
    assert got.plies / playouts == pytest.approx(plies, abs=5 * 1.5 / math.sqrt(playouts))


@entry
def playout(rules, states, rng, out, plies):
    return base.random_playout(rules, states[0], rng[0], out, plies)


@pytest.mark.parametrize("game", [*GAMES, "hex", "hex(rows=25,cols=4)", "hex(rows=2,cols=25)", "hex(size=25)"])
def test_random_playouts_end_with_the_winning_stone(game: str) -> None:
    rules = lowered(mcrave.game(game))
    start = rules.start().play(0)
    out = np.zeros(rules.max_moves(), np.int32)
    for seed in range(10):
        states = start.state
        plies = playout(rules, states, stream(seed), out, rules.max_plies())
        end = Position(rules, states)
        assert end.is_over
        assert facts(rules.parse(str(end))) == facts(end)
        board, turn = str(end).rsplit("\n", 1)
        stones = board.count("X") + board.count("O")
        assert plies + 1 - stones in ((0, 1) if getattr(rules, "swap", False) else (0,))
        if end.outcome(0) != 0.5:
            last = 1 - end.to_move
            assert end.outcome(last) == 1.0
            places = [i for i, mark in enumerate(board) if mark == rules.symbols[last]]
            without = (f"{board[:i]}.{board[i + 1 :]}\n{turn}" for i in places)
            assert any(not rules.parse(text).is_over for text in without), f"won before the last move\n{end}"


@pytest.mark.parametrize("game", GAMES)
def test_random_playouts_stop_when_told(game: str) -> None:
    rules = lowered(mcrave.game(game))
    out = np.zeros(rules.max_moves(), np.int32)
    for plies in range(4):
        states = rules.start().state
        assert playout(rules, states, stream(plies), out, plies) == plies
        position = Position(rules, states)
        assert facts(rules.parse(str(position))) == facts(position)
        assert position.to_move == plies % 2
    over = playout(rules, states, stream(1), out, rules.max_plies())
    assert over > 0
    assert playout(rules, states, stream(1), out, rules.max_plies()) == 0


def facts(position: Position) -> tuple[object, ...]:
    result = position.outcome(0) if position.is_over else None
    return str(position), position.key, position.to_move, position.moves.tolist(), result


@entry
def count_moves(rules, states, rng, out, counts, draws):
    for _ in range(draws):
        counts[base.random_move(rules, states[0], rng[0], out)] += 1


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("played", [0, 1, 8])
def test_random_moves_are_uniform(game: str, played: int) -> None:
    rules = lowered(mcrave.game(game))
    position = rules.start()
    for _ in range(played):
        position = position.play(int(position.moves[len(position.moves) // 3]))
    out, counts = np.zeros(rules.max_moves(), np.int32), np.zeros(1 + position.state[0].span, np.int64)
    count_moves(rules, position.state, stream(played), out, counts, 1000 * len(position.moves))
    assert counts.nonzero()[0].tolist() == position.moves.tolist()
    assert chisquare(counts[position.moves]).pvalue > 1e-5


def test_the_last_free_cell_is_found() -> None:
    rules = lowered(mcrave.game("havannah(size=2)"))
    position = rules.parse("XO / O.X / XO")
    out, counts = np.zeros(rules.max_moves(), np.int32), np.zeros(1 + position.state[0].span, np.int64)
    count_moves(rules, position.state, stream(1), out, counts, 1000)
    assert counts[position.number("b2")] == 1000


def test_rows_are_drawn_and_read() -> None:
    hexagon = Rows((2, 3, 2), ".XO")
    drawing = hexagon.draw([0, 1, 0, 2, 0, 0, 1], "X to move")
    assert drawing.splitlines() == ["    a b", " 1 . X c", "2 . O .", " 3 . X", "X to move"]
    assert hexagon.read(drawing) == ([0, 1, 0, 2, 0, 0, 1], ["X to move"])
    triangle = Rows((3, 2, 1), ".XO")
    drawing = triangle.draw([0, 1, 0, 2, 0, 0])
    assert drawing.splitlines() == [" a b c", "1 . X .", " 2 O .", "  3 ."]
    assert triangle.read(drawing) == triangle.read(".X. / O. / .") == ([0, 1, 0, 2, 0, 0], [])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (".X / ...", "the diagram has 2 rows, but the board has 3"),
        ("", "the diagram has 0 rows, but the board has 3"),
        (".X / .. / ..", "row 2 of the diagram has 2 cells ('..'), not 3"),
        (".X / .#. / ..", "row 2 of the diagram has '#'; use . X O"),
        ("1 / ... / ..", "row 1 of the diagram has 0 cells (''), not 2"),
    ],
)
def test_bad_rows(text: str, complaint: str) -> None:
    with pytest.raises(DiagramError) as error:
        Rows((2, 3, 2), ".XO").read(text)
    assert str(error.value) == complaint
