"""Three-colour Go, Atarigo and NoGo against plain twins."""

from __future__ import annotations

import random

import pytest

import mcrave
from tests.games.test_go import board, point
from tests.oracles.plain_go import EMPTY, PlainGo


@pytest.mark.parametrize("size", [(1, 3), (2, 2), (3, 3), (4, 5), (9, 9)])
@pytest.mark.xdist_group("go3")
def test_three_colour_go_agrees_with_the_plain_twin(size: tuple[int, int]) -> None:
    """Legal moves, stones, scores and the shared win at every step."""
    rows, cols = size
    game = mcrave.game(f"go3(rows={rows},cols={cols})")
    dice = random.Random(rows * 100 + cols)
    for _ in range(30 if rows * cols < 20 else 3):
        position, plain = game.start(), PlainGo(rows, cols, "XO#")
        for _ in range(80 if rows * cols < 20 else 300):
            assert {point(position, move) for move in position.moves.tolist()} == plain.legal(), str(position)
            assert position.to_move == plain.turn
            stones = [move for move in position.moves.tolist() if move != 0]
            move = dice.choice(stones) if stones and dice.random() > 0.1 else 0
            plain.play(point(position, move))
            position = position.play(move)
            assert board(position) == "".join(plain.board.values())
            areas = plain.areas()
            assert game.scores(position.state[0]) == areas
            if position.is_over:
                assert plain.passes == 3
                shares = [float(area == max(areas)) / areas.count(max(areas)) for area in areas]
                assert [position.outcome(player) for player in range(3)] == pytest.approx(shares)
                break


def is_own_eye(plain: PlainGo, point: tuple[int, int]) -> bool:
    """Surrounded by own stones, with fewer than two enemies at the corners, none at the edge."""
    (row, col), mine = point, plain.symbols[plain.turn]
    if any(plain.board[q] != mine for q in plain.neighbours(point)):
        return False
    corners = [plain.board.get((row + i, col + j)) for i in (-1, 1) for j in (-1, 1)]
    enemies = sum(color not in (mine, EMPTY, None) for color in corners)
    return enemies + (None in corners) < 2


@pytest.mark.parametrize("size", [(1, 3), (2, 2), (3, 3), (9, 9)])
@pytest.mark.parametrize(("name", "colours"), [("go", "XO"), ("go3", "XO#")])
@pytest.mark.xdist_group("go3")
def test_passing_last(size: tuple[int, int], name: str, colours: str) -> None:
    """No own eyes, and no pass beside other moves; but where all others repeat a position, pass is left."""
    rows, cols = size
    game = mcrave.game(f"{name}(rows={rows},cols={cols},pass_last=true)")
    dice = random.Random(rows)
    passes, resorts = 0, 0
    for _ in range(40 if rows * cols < 20 else 2):
        position, plain = game.start(), PlainGo(rows, cols, colours)
        while not position.is_over:
            stones = {p for p in plain.legal() if p is not None and not is_own_eye(plain, p)}
            assert {point(position, move) for move in position.moves.tolist()} == (stones or {None}), str(position)
            listed = any(plain.try_stone(p) and p != plain.ko and not is_own_eye(plain, p) for p in plain.points)
            passes, resorts = passes + (not stones), resorts + (not stones and listed)
            move = dice.choice(position.moves.tolist())
            plain.play(point(position, move))
            position = position.play(move)
    assert passes > 0
    assert resorts > 0 or size != (2, 2)


@pytest.mark.parametrize("size", [(1, 1), (1, 4), (2, 2), (3, 3), (4, 6), (8, 8)])
@pytest.mark.xdist_group("atarigo")
def test_atarigo_agrees_with_the_plain_twin(size: tuple[int, int]) -> None:
    """The first capture wins; a player who could only commit suicide loses."""
    rows, cols = size
    game = mcrave.game(f"atarigo(rows={rows},cols={cols})")
    dice = random.Random(3)
    for _ in range(60):
        position, plain, winner = game.start(), PlainGo(rows, cols, superko="simple"), None
        while winner is None:
            legal = {p for p in plain.points if plain.try_stone(p) is not None}
            if not legal:
                winner = 1 - plain.turn
                break
            assert {point(position, move) for move in position.moves.tolist()} == legal, str(position)
            move = dice.choice(position.moves.tolist())
            _, captured = plain.try_stone(point(position, move)) or ({}, 0)
            if captured:
                winner = plain.turn
            plain.play(point(position, move))
            position = position.play(move)
        assert position.is_over
        assert position.outcome(winner) == 1.0
        assert position.outcome(1 - winner) == 0.0


@pytest.mark.parametrize(
    ("size", "centre"),
    [("rows=4,cols=4", "B3 C2 C3 B2"), ("rows=5,cols=6", "C4 D3 D4 C3"), ("size=8", "D5 E4 E5 D4")],
)
@pytest.mark.xdist_group("atarigo")
def test_atarigo_may_begin_with_a_crosscut(size: str, centre: str) -> None:
    """The four stones in the middle, Black's first; it is as if they had been played."""
    crossed = mcrave.game(f"atarigo({size},crosscut=true)").start()
    black, also, white, too = centre.split()
    played = mcrave.game(f"atarigo({size})").position([black, white, also, too])
    assert str(crossed) == str(played)
    assert crossed.legal_moves() == played.legal_moves()


@pytest.mark.xdist_group("atarigo")
def test_a_crosscut_needs_room() -> None:
    """On a smaller board stones would touch the edge."""
    with pytest.raises(mcrave.errors.SpecError, match="at least 4x4 points for a crosscut, not 3x8"):
        mcrave.game("atarigo(rows=3,cols=8,crosscut=true)")


@pytest.mark.parametrize("size", [(1, 1), (1, 4), (2, 2), (3, 3), (4, 6), (9, 9)])
@pytest.mark.xdist_group("nogo")
def test_nogo_agrees_with_the_plain_twin(size: tuple[int, int]) -> None:
    """Neither captures nor suicide; who is stuck loses."""
    rows, cols = size
    game = mcrave.game(f"nogo(rows={rows},cols={cols})")
    dice = random.Random(4)
    for _ in range(20):
        position, plain = game.start(), PlainGo(rows, cols, superko="simple")
        while True:
            legal = {p for p in plain.points if plain.try_stone(p) is not None and plain.try_stone(p)[1] == 0}  # type: ignore[index]
            assert {point(position, move) for move in position.moves.tolist()} == legal, str(position)
            if not legal:
                break
            move = dice.choice(position.moves.tolist())
            plain.play(point(position, move))
            position = position.play(move)
        assert position.is_over
        assert position.outcome(plain.turn) == 0.0
        assert EMPTY in board(position)
