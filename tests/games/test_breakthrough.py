"""Breakthrough against OpenSpiel, known counts, solved boards and drawn positions."""

from __future__ import annotations

from functools import lru_cache

import pytest

import mcrave
from mcrave.errors import DiagramError, SpecError
from mcrave.games._cells import members
from tests.contracts import cases
from tests.oracles.plain import perft, value


def upside_down(position, move):
    """OpenSpiel's number of a move: its first player goes down, with the rows numbered from the top.

    An action is ((row * cols + col) * 6 + direction) * 2 + captures; directions 0 to 2 go down, 3 to 5 up.
    """
    game = position.game
    cell, direction = divmod(move, 3)
    row, col = divmod(cell, game.cols)
    target = cell + direction - 1 + (game.cols if position.to_move else -game.cols)
    captures = target in prey(position)
    return (((game.rows - 1 - row) * game.cols + col) * 6 + direction + 3 * position.to_move) * 2 + captures


@lru_cache(maxsize=1)
def prey(position):
    """The cells of the opponent's pieces."""
    return set(members(position.state[0].cells[1 - position.to_move]))


@pytest.mark.openspiel
@pytest.mark.parametrize(
    ("rows", "cols", "games"), [(8, 8, 2000), (6, 2, 300), (6, 5, 300), (10, 7, 30), (7, 13, 20), (16, 16, 5)]
)
def test_same_games_as_openspiel(rows, cols, games):
    """Up to 64 cells a board is one word; the others need two words and more."""
    from tests.oracles.openspiel import play_side_by_side

    ours, theirs = f"breakthrough(rows={rows},cols={cols})", f"breakthrough(rows={rows},columns={cols})"
    assert play_side_by_side(ours, theirs, upside_down, games) > 5 * games


@pytest.mark.parametrize(("depth", "count"), [(1, 22), (2, 484), (3, 11132)])
def test_move_counts(depth, count):
    assert perft(mcrave.game("breakthrough").start(), depth) == count


@pytest.mark.parametrize(("depth", "count"), [(3, 375), (4, 2763), (5, 22102)])
def test_move_counts_on_a_narrow_board(depth, count):
    """Counted with OpenSpiel."""
    assert perft(mcrave.game("breakthrough(rows=6,cols=3)").start(), depth) == count


@pytest.mark.parametrize(
    ("rows", "cols", "first_wins"), [(4, 2, 0), (4, 3, 0), (4, 4, 0), (5, 2, 0), (5, 3, 0), (6, 2, 1)]
)
def test_solved_boards(rows, cols, first_wins):
    assert value(mcrave.game(f"breakthrough(rows={rows},cols={cols})").start()) == first_wins


def test_captures_are_diagonal_only():
    position = mcrave.game("breakthrough(rows=5,cols=3)").parse("... / ... / BBB / WWW / ...")
    assert position.legal_moves() == ["b2xa3", "c2xb3", "a2xb3", "b2xc3"]
    assert str(position.play("a2-b3")) == "\n".join(
        ["5 . . .", "4 . . .", "3 B W B", "2 . W W", "1 . . .", "  a b c", "B to move"]
    )


def test_reaching_the_far_row_wins():
    position = mcrave.game("breakthrough(rows=4,cols=3)").parse("BB. / ..W / B.. / WW.")
    won = position.play("c3c4")
    assert won.is_over
    assert won.outcome(0) == 1
    down = mcrave.game("breakthrough(rows=4,cols=3)").parse("BB. / ..W / B.. / .WW / B to move").play("a2-a1")
    assert down.is_over
    assert down.outcome(1) == 1


def test_capturing_everything_wins():
    won = mcrave.game("breakthrough(rows=5,cols=3)").parse("... / ... / B.. / .W. / ...").play("b2xa3")
    assert won.is_over
    assert won.outcome(0) == 1


def test_the_foremost_piece_can_always_move():
    """On two columns with every straight way closed a capture is left."""
    position = mcrave.game("breakthrough(rows=4,cols=2)").parse(".. / BB / WW / ..")
    assert position.legal_moves() == ["b2xa3", "a2xb3"]


@pytest.mark.parametrize("spec", ["breakthrough(size=11)", "breakthrough(rows=25,cols=25)"])
def test_random_moves_on_large_boards(spec):
    cases.check_random_moves(mcrave.game(spec), 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("W. / .. / .. / BB", "W has won in this diagram; write 'B to move'"),
        (".. / .. / .. / .B / B to move", "B has won in this diagram; write 'W to move'"),
        ("W. / .. / .. / .B / B to move", "B has won in this diagram; write 'W to move'"),
        ("WW / WW / W. / .. / B to move", "W has 5 pieces in this diagram, but starts with 4"),
        ("XX / .. / .. / ..", "row 4 of the diagram has 'X'; use . W B"),
    ],
)
def test_bad_diagrams(text, message):
    with pytest.raises(DiagramError) as error:
        mcrave.game("breakthrough(rows=4,cols=2)").parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize("size", ["rows=3,cols=8", "rows=8,cols=1", "rows=26,cols=25"])
def test_bad_specs(size):
    with pytest.raises(SpecError) as error:
        mcrave.game(f"breakthrough({size})")
    shown = size.replace("rows=", "").replace(",cols=", "x")
    assert str(error.value) == f"breakthrough boards go from 4x2 to 25x25, not {shown}"
