"""Othello against OpenSpiel, published counts, a solved board, and drawn positions."""

from __future__ import annotations

from functools import cache

import pytest

import mcrave
from mcrave.errors import DiagramError, SpecError


@pytest.mark.openspiel
def test_same_games_as_openspiel():
    from tests.oracles.openspiel import play_side_by_side

    assert play_side_by_side("othello", "othello", lambda position, move: move, games=2000) > 110_000


@pytest.mark.parametrize(("depth", "count"), [*enumerate((4, 12, 56, 244, 1396, 8200, 55092, 390216), 1)])
def test_published_move_counts(depth, count):
    assert mcrave.perft(mcrave.game("othello").start(), depth) == count


def test_four_by_four_is_lost_by_eight_discs():
    """The solved result is 3 discs to 11, with two cells left empty; by symmetry one opening is enough."""

    @cache
    def best(position):
        """The best difference of discs for the player to move, and both numbers of discs at the end."""
        if position.is_over:
            board = str(position).rsplit("\n", 1)[0]
            discs = board.count("X"), board.count("O")
            return discs[position.to_move] - discs[1 - position.to_move], discs
        replies = [best(position.play(move)) for move in position.moves.tolist()]
        return max((-margin, discs) for margin, discs in replies)

    assert best(mcrave.game("othello(size=4)").start().play("b1")) == (8, (3, 11))


def test_start():
    position = mcrave.game("othello(rows=4,cols=6)").start()
    assert str(position) == "\n".join(
        ("1 . . . . . .", "2 . . O X . .", "3 . . X O . .", "4 . . . . . .", "  a b c d e f", "X to move")
    )
    assert position.legal_moves() == ["c1", "b2", "e3", "d4"]


def test_lines_turn_in_all_eight_directions_at_once():
    position = mcrave.game("othello").parse(
        """
        X..X..X.
        .O.O.O..
        ..OOO...
        XOO.OOOX
        ..OOO...
        .O.O.O..
        X..O..X.
        ...X....
        """
    )
    assert str(position.play("d4")).splitlines()[:8] == [
        "1 X . . X . . X .",
        "2 . X . X . X . .",
        "3 . . X X X . . .",
        "4 X X X X X X X X",
        "5 . . X X X . . .",
        "6 . X . X . X . .",
        "7 X . . X . . X .",
        "8 . . . X . . . .",
    ]


def test_lines_do_not_go_round_the_edge():
    """Were h1 next to a2, the line from g1 would go on to b2."""
    position = mcrave.game("othello").parse("......XO / O......O / X....... / " + "........ / " * 5)
    assert position.legal_moves() == ["a1"]


def test_who_cannot_turn_a_disc_must_pass():
    position = mcrave.game("othello(size=4)").parse("XO.. / .... / .... / .... / O to move")
    assert position.legal_moves() == ["pass"]
    after = position.play("pass")
    assert (after.to_move, after.legal_moves()) == (0, ["c1"])
    end = after.play("c1")
    assert (end.is_over, end.outcome(0), end.outcome(1)) == (True, 1.0, 0.0)


@pytest.mark.parametrize(
    ("board", "result"),
    [
        ("XXXX/XXXX/OOOO/OOOO", 0.5),
        ("XXXX/XXXX/XOOO/OOOO", 1.0),
        ("OOOO/OOOO/O.../....", 0.0),
        ("..../" * 4, 0.5),
    ],
)
def test_more_discs_win_when_nobody_can_move(board, result):
    for turn in "XO":
        position = mcrave.game("othello(size=4)").parse(f"{board.strip('/')}/{turn} to move")
        assert (position.is_over, position.outcome(0), position.outcome(1)) == (True, result, 1 - result)


@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("othello(size=10)", "othello boards go from 4x4 to 8x8, not 10x10"),
        ("othello(size=2)", "othello boards go from 4x4 to 8x8, not 2x2"),
        ("othello(rows=6,cols=7)", "othello boards have even sizes, not 6x7"),
    ],
)
def test_bad_sizes(spec, line):
    with pytest.raises(SpecError) as caught:
        mcrave.game(spec)
    assert str(caught.value) == line


def test_bad_diagrams():
    game = mcrave.game("othello(size=4)")
    for text, line in (
        (".... / .... / ....", "the diagram has 3 rows, but the board has 4"),
        (".... / ..X. / ..... / ....", "row 3 of the diagram has 5 cells ('.....'), not 4"),
        (".... / ..Z. / .... / ....", "row 2 of the diagram has 'Z'; use . X O"),
        (
            ".... / .... / .... / .... / black",
            "cannot read 'black' below the diagram; write 'X to move' or 'O to move'",
        ),
    ):
        with pytest.raises(DiagramError) as caught:
            game.parse(text)
        assert str(caught.value) == line
