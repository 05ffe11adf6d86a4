"""Clobber against OpenSpiel, counts, solved boards and drawn positions."""

from __future__ import annotations

import pytest

import mcrave
from mcrave.errors import DiagramError, SpecError
from tests.contracts import cases
from tests.oracles.plain import perft, value


@pytest.mark.openspiel
@pytest.mark.parametrize(
    ("rows", "cols", "games"), [(5, 6, 2000), (2, 9, 50), (8, 3, 300), (8, 8, 100), (10, 10, 30), (7, 20, 10)]
)
def test_same_games_as_openspiel(rows, cols, games):
    """Up to 64 cells a board is one word; the others need two words and more. Both number moves alike."""
    from tests.oracles.openspiel import play_side_by_side

    ours, theirs = f"clobber(rows={rows},cols={cols})", f"clobber(rows={rows},columns={cols})"
    assert play_side_by_side(ours, theirs, lambda _, move: move, games) > games


@pytest.mark.parametrize(("depth", "count"), [*enumerate([17, 204, 1671, 8974, 34450], start=1)])
def test_move_counts(depth, count):
    """Counted with OpenSpiel."""
    assert perft(mcrave.game("clobber(rows=3,cols=4)").start(), depth) == count


@pytest.mark.parametrize(("rows", "cols", "first_wins"), [(3, 3, 1), (3, 4, 0), (4, 4, 1)])
def test_solved_boards(rows, cols, first_wins):
    assert value(mcrave.game(f"clobber(rows={rows},cols={cols})").start()) == first_wins


def test_start_and_first_move():
    position = mcrave.game("clobber(rows=2,cols=3)").start()
    assert str(position) == "\n".join(["2 O X O", "1 X O X", "  a b c", "X to move"])
    assert position.legal_moves() == ["a1xa2", "c1xc2", "b2xc2", "a1xb1", "b2xb1", "b2xa2", "c1xb1"]
    after = position.play("b2-c2")
    assert str(after) == "\n".join(["2 O . X", "1 X O X", "  a b c", "O to move"])


def test_stones_do_not_wrap_around_the_edge():
    position = mcrave.game("clobber(rows=2,cols=3)").parse("..X / O..")
    assert position.is_over
    assert position.outcome(1) == 1


def test_column_x_is_no_capture_sign():
    position = mcrave.game("clobber(rows=2,cols=25)").start()
    assert {"x2xx1", "w1xx1", "y1xx1"} <= set(position.legal_moves())
    assert position.play("x2x1") == position.play("x2-x1") == position.play("x2xx1")


def test_random_moves_on_large_boards():
    cases.check_random_moves(mcrave.game("clobber(size=25)"), 1)


def test_bad_diagram():
    with pytest.raises(DiagramError) as error:
        mcrave.game("clobber(size=2)").parse("XO")
    assert str(error.value) == "the diagram has 1 rows, but the board has 2"


def test_bad_spec():
    with pytest.raises(SpecError) as error:
        mcrave.game("clobber(rows=26,cols=2)")
    assert str(error.value) == "clobber boards go up to 25x25, not 26x2"
