"""Hex against OpenSpiel, solved boards, drawn positions."""

from __future__ import annotations

import pytest

import mcrave
from mcrave import Position
from mcrave.errors import DiagramError, IllegalMove, SpecError


@pytest.mark.openspiel
@pytest.mark.parametrize(
    ("ours", "theirs", "games"),
    [
        ("hex", "hex", 1000),
        ("hex(size=11)", "hex(board_size=11)", 1001),
        ("hex(size=4)", "hex(board_size=4)", 2000),
        ("hex(rows=3,cols=6)", "hex(num_rows=3,num_cols=6)", 500),
        ("hex(rows=7,cols=2)", "hex(num_rows=7,num_cols=2)", 500),
        ("hex(size=19)", "hex(board_size=19)", 20),
        ("hex(size=3,swap=true)", "hex(board_size=3,swap=True)", 2000),
        ("hex(size=6,swap=true)", "hex(board_size=6,swap=True)", 500),
    ],
)
def test_same_games_as_openspiel(ours: str, theirs: str, games: int) -> None:
    from tests.oracles.openspiel import play_side_by_side

    start = mcrave.game(ours).start()
    rows, cols = start.game.rows, start.game.cols
    actions = {move: int(name[1:]) * cols - cols + ord(name[0]) - ord("a") for move, name in names(start)}
    actions[start.game.codes() - 1] = rows * cols

    assert play_side_by_side(ours, theirs, lambda _, move: actions[move], games, seed=games) >= games


def names(position: Position) -> list[tuple[int, str]]:
    return list(zip(position.moves.tolist(), position.legal_moves(), strict=True))


def mover_wins(position: Position, known: dict[int, bool]) -> bool:
    if position.is_over:
        return position.outcome(position.to_move) == 1.0
    if position.key not in known:
        nexts = (position.play(move) for move in position.moves.tolist())
        known[position.key] = any(not mover_wins(after, known) for after in nexts)
    return known[position.key]


@pytest.mark.parametrize(("size", "winning"), [(1, "W"), (2, ".W/W."), (3, "..W/WWW/W..")])
def test_winning_openings(size: int, winning: str) -> None:
    start = mcrave.game(f"hex(size={size})").start()
    known: dict[int, bool] = {}
    marks = ["." if mover_wins(start.play(move), known) else "W" for move in start.moves.tolist()]
    rows = ["".join(marks[row * size : (row + 1) * size]) for row in range(size)]
    assert "/".join(rows) == winning


@pytest.mark.parametrize("board", ["rows=1,cols=1", "rows=1,cols=4"])
def test_any_stone_joins_the_top_and_bottom_of_one_row(board: str) -> None:
    start = mcrave.game(f"hex({board})").start()  # OpenSpiel misses this
    assert all(start.play(move).outcome(0) == 1.0 for move in start.moves.tolist())


def test_one_column_is_first_come_first_served() -> None:
    position = mcrave.game("hex(rows=3,cols=1)").position(["a1", "a3"])
    assert position.outcome(1) == 1.0


def test_with_swap_the_second_player_wins() -> None:
    assert not mover_wins(mcrave.game("hex(size=3,swap=true)").start(), {})


def test_drawing() -> None:
    position = mcrave.game("hex(rows=3,cols=4)").position(["b1", "d2", "a3"])
    assert str(position).splitlines() == [
        "1 . X . .",
        " 2 . . . O",
        "  3 X . . .",
        "    a b c d",
        "O to move",
    ]


@pytest.mark.parametrize(
    ("diagram", "winner"),
    [
        (".X. / .X. / X..", 0),
        ("X.. / .X. / .X.", None),  # a1 and b2 do not touch
        ("..O / .O. / O..", 1),
        (".O. / O.O / ...", None),
        ("O.. / .O. / ..O", None),
        ("XXX / OOO / XXX", 1),
        ("X.X / X.X / OX.", 0),
    ],
)
def test_who_has_won(diagram: str, winner: int | None) -> None:
    position = mcrave.game("hex(size=3)").parse(diagram)
    assert position.is_over == (winner is not None)
    if winner is not None:
        assert [position.outcome(0), position.outcome(1)] == [1 - winner, winner]
        assert position.moves.tolist() == []


def test_a_long_way_around_wins_on_the_largest_board() -> None:
    rows = [_serpent(row) for row in range(25)]
    game = mcrave.game("hex(size=25)")
    assert game.parse("/".join(rows)).outcome(0) == 1.0
    assert not game.parse("/".join([*rows[:12], "." + rows[12][1:], *rows[13:]])).is_over


def _serpent(row: int) -> str:
    """Full rows, joined at the right and at the left end in turn."""
    if row % 2 == 0:
        return "X" * 25
    return "." * 24 + "X" if row % 4 == 1 else "X" + "." * 24


def test_swap_reflects_the_stone_and_keeps_the_goals() -> None:
    game = mcrave.game("hex(size=4,swap=true)")
    first = game.start().play("c1")
    assert "swap" not in game.start().legal_moves()
    assert len(first.legal_moves()) == 16
    swapped = first.play("swap")
    assert swapped == game.parse(".... / .... / O... / .... / X to move")
    assert len(swapped.legal_moves()) == 15
    assert "swap" not in swapped.legal_moves()
    assert "swap" not in first.play("a1").legal_moves()
    assert first.play("SWAP").key == swapped.key
    assert game.position(["b2", "swap", "b3", "c2", "c3", "d1", "d3", "a2"]).outcome(1) == 1.0


def test_swap_is_offered_in_diagrams_of_one_stone() -> None:
    game = mcrave.game("hex(size=2,swap=true)")
    offered = {
        "X. / .. / O to move": True,
        "X. / .. / X to move": False,
        "O. / .. / O to move": False,
        "O. / .. / X to move": False,
        "X. / O. / O to move": False,
        ".. / .. / O to move": False,
    }
    assert {text: "swap" in game.parse(text).legal_moves() for text in offered} == offered
    assert "swap" in game.parse(".. / ..").play("a1").legal_moves()
    assert "swap" not in game.parse(".. / .. / O to move").play("a1").legal_moves()


def test_without_the_rule_there_is_no_swap() -> None:
    with pytest.raises(IllegalMove, match="illegal move 'swap'"):
        mcrave.game("hex(size=4)").position(["c1", "swap"])


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("hex(size=26)", "hex boards go up to 25x25, not 26x26"),
        ("hex(rows=3,cols=30)", "hex boards go up to 25x25, not 3x30"),
        ("hex(rows=3,cols=4,swap=true)", "hex has swap=true on square boards alone, not on 3x4"),
    ],
)
def test_bad_specs(spec: str, complaint: str) -> None:
    with pytest.raises(SpecError) as error:
        mcrave.game(spec)
    assert str(error.value) == complaint


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("X. / ..", "the diagram has 2 rows, but the board has 3"),
        ("X.. / .. / ...", "row 2 of the diagram has 2 cells ('..'), not 3"),
        ("X.. / .B. / ...", "row 2 of the diagram has 'B'; use . X O"),
        ("X.. / ... / ... / B to move", "cannot read 'B to move' below the diagram; write 'X to move' or 'O to move'"),
    ],
)
def test_bad_diagrams(text: str, complaint: str) -> None:
    with pytest.raises(DiagramError) as error:
        mcrave.game("hex(size=3)").parse(text)
    assert str(error.value) == complaint
