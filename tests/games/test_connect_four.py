"""Connect four against OpenSpiel, known counts, a solved board and drawn positions."""

from __future__ import annotations

import pytest

import mcrave
from mcrave.errors import DiagramError, SpecError
from tests.contracts import cases
from tests.oracles.plain import perft, value


@pytest.mark.openspiel
@pytest.mark.parametrize(
    ("rows", "cols", "length", "games"),
    [(6, 7, 4, 2000), (4, 5, 3, 300), (7, 8, 4, 200), (9, 9, 5, 100), (5, 12, 4, 100), (16, 16, 4, 50)],
)
def test_same_games_as_openspiel(rows, cols, length, games):
    """Up to 7 x 8 a board is one word; the others need two words and more."""
    from tests.oracles.openspiel import play_side_by_side

    plies = play_side_by_side(
        f"connect_four(rows={rows},cols={cols},length={length})",
        f"connect_four(rows={rows},columns={cols},x_in_row={length})",
        lambda _, move: move,
        games,
    )
    assert plies > 5 * games


@pytest.mark.parametrize(("depth", "count"), [*enumerate([4, 16, 64, 252, 960, 3096, 9924], start=1)])
def test_move_counts(depth, count):
    """Counted with OpenSpiel."""
    assert perft(mcrave.game("connect_four(rows=3,cols=4,length=3)").start(), depth) == count


def test_four_by_four_is_a_draw():
    assert value(mcrave.game("connect_four(size=4)").start()) == 0.5


WON = {
    "row": ".... / .... / OO.O / XXXX",
    "column": "X... / X..O / X..O / X..O",
    "rising": "...X / ..XO / .XOO / XOOX",
    "falling": "X... / OX.. / OOX. / XOOX",
}


@pytest.mark.parametrize("text", WON.values(), ids=WON.keys())
def test_lines(text):
    position = mcrave.game("connect_four(size=4)").parse(f"{text} / O to move")
    assert position.is_over
    assert position.outcome(0) == 1
    assert position.outcome(1) == 0


def test_no_line_around_the_edge():
    position = mcrave.game("connect_four").parse("......X / ......O / ......O / ......O / XX.X.XX / XXOXOXX")
    assert not position.is_over
    full = mcrave.game("connect_four(size=4)").parse("OXOX / OXOX / XOXO / XOXO")
    assert full.is_over
    assert full.outcome(0) == full.outcome(1) == 0.5


@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("connect_four(rows=1,cols=25,length=25)", ["abcdefghijklmnopqrstuvwxy"[i] for i in range(25)]),
        ("connect_four(rows=25,cols=1,length=25)", ["a"] * 25),
        ("connect_four(rows=21,cols=2,length=21)", ["a"] * 21 + ["b"] * 21),
    ],
)
def test_long_thin_boards_are_drawn(spec, moves):
    """Shifts by more than a word must find nothing."""
    position = mcrave.game(spec).position(moves)
    assert position.is_over
    assert position.outcome(0) == 0.5


def test_a_line_through_the_middle_stone():
    game = mcrave.game("connect_four(rows=10,cols=20,length=5)")
    position = game.position(list("jakblcmd"))
    assert not position.is_over
    assert position.play("n").outcome(0) == 1
    filled = game.position(["j", "a", "k", "a", "m", "b", "n", "b"])
    assert filled.play("l").outcome(0) == 1


def test_columns_by_letter_and_number():
    game = mcrave.game("connect_four")
    assert game.position(["d", "4", "E"]) == game.position(["4", "d", "5"])
    assert str(game.position(["d", "d", "e"])) == "\n".join(
        [
            "6 . . . . . . .",
            "5 . . . . . . .",
            "4 . . . . . . .",
            "3 . . . . . . .",
            "2 . . . O . . .",
            "1 . . . X X . .",
            "  a b c d e f g",
            "O to move",
        ]
    )


def test_a_full_column_is_closed():
    position = mcrave.game("connect_four(rows=2,cols=3,length=3)").position(["b", "b"])
    assert position.legal_moves() == ["a", "c"]


@pytest.mark.parametrize("spec", ["connect_four(rows=3,cols=25)", "connect_four(size=25,length=6)"])
def test_random_moves_on_large_boards(spec):
    cases.check_random_moves(mcrave.game(spec), 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X... / .... / .... / ....", "the stone at a4 of the diagram has nothing under it"),
        (".... / .... / OOOO / XXXX", "both players have a line in this diagram"),
        (".... / .... / OOO / XXXX", "row 2 of the diagram has 3 cells ('OOO'), not 4"),
    ],
)
def test_bad_diagrams(text, message):
    with pytest.raises(DiagramError) as error:
        mcrave.game("connect_four(size=4)").parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("connect_four(rows=26)", "connect_four boards go up to 25x25, not 26x7"),
        ("connect_four(length=8)", "connect_four needs length from 1 to 7 on this board, not 8"),
        ("connect_four(length=0)", "connect_four needs length from 1 to 7 on this board, not 0"),
    ],
)
def test_bad_specs(spec, message):
    with pytest.raises(SpecError) as error:
        mcrave.game(spec)
    assert str(error.value) == message
