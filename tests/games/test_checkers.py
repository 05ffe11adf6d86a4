"""Checkers against OpenSpiel, and its special rules on drawn positions."""

from __future__ import annotations

import pytest

import mcrave
from mcrave.errors import DiagramError, SpecError


def board(*rows, size=6, footer="w to move"):
    """A position on a square board, given by its rows from the top."""
    return mcrave.game(f"checkers(size={size})").parse("\n".join([*rows, footer]))


@pytest.mark.openspiel
@pytest.mark.parametrize(("rows", "cols", "games"), [(8, 8, 2000), (7, 7, 300), (8, 5, 300), (7, 4, 300)])
def test_same_games_as_openspiel(rows, cols, games):
    """OpenSpiel loses sight of a piece that must jump on where there are more columns than rows."""
    from tests.oracles.openspiel import play_side_by_side

    def action(position, move):
        cell, rest = divmod(move, 8)
        return (cell // 8 * cols + cell % 8) * 8 + rest

    ours, theirs = f"checkers(rows={rows},cols={cols})", f"checkers(rows={rows},columns={cols})"
    assert play_side_by_side(ours, theirs, action, games) > 20 * games


@pytest.mark.parametrize(("depth", "count"), [*enumerate((7, 49, 302, 1469, 7361, 36768), 1)])
def test_openspiel_move_counts(depth, count):
    assert mcrave.perft(mcrave.game("checkers").start(), depth) == count


@pytest.mark.parametrize(
    ("spec", "men", "first"),
    [("checkers", 12, "a3-b4"), ("checkers(size=6)", 6, "b2-a3"), ("checkers(size=4)", 2, "a1-b2")],
)
def test_start(spec, men, first):
    position = mcrave.game(spec).start()
    drawing = str(position).splitlines()[: position.game.rows]
    assert ("".join(drawing).count("w"), "".join(drawing).count("b")) == (men, men)
    assert first in position.legal_moves()
    assert drawing[-1].startswith("1 w .")


def test_men_go_forward_and_kings_everywhere():
    white = board("......", "....b.", "......", "..w...", "......", "......")
    assert sorted(white.legal_moves()) == ["c3-b4", "c3-d4"]
    king = board("......", "b.....", "......", "..W...", "......", "......")
    assert sorted(king.legal_moves()) == ["c3-b2", "c3-b4", "c3-d2", "c3-d4"]


def test_jumping_is_mandatory_and_goes_on_with_the_same_piece():
    position = board("......", "..b...", "......", "....b.", ".....w", "w.....")
    assert position.legal_moves() == ["f2xd4"]
    between = position.play("f2xd4")
    assert (between.to_move, between.legal_moves()) == (0, ["d4xb6"])
    assert str(between).endswith("w to move, d4 jumps on")
    end = between.play("d4xb6")
    assert (end.is_over, end.outcome(0), end.to_move) == (True, 1.0, 1)
    assert "6 . W" in str(end)


def test_only_the_jumping_piece_may_jump_on():
    position = board("......", "......", ".b.b..", "w.....", ".b....", "w.....")
    assert sorted(position.legal_moves()) == ["a1xc3", "a3xc5"]
    assert sorted(position.play("a1xc3").legal_moves()) == ["c3xa5", "c3xe5"]


def test_reaching_the_last_row_by_a_jump_ends_the_turn():
    """A king on d6 could go on over e5."""
    position = board("......", "..b.b.", ".w....", "......", "......", "......")
    assert position.legal_moves() == ["b4xd6"]
    after = position.play("b4xd6")
    assert (after.to_move, after.legal_moves()) == (1, ["e5-f4", "e5-d4"])
    assert "6 . . . W" in str(after)


def test_kings_jump_backwards_and_men_do_not():
    rows = ("......", "......", "...{}..", "..b...", "......", "......")
    assert board(*(row.format("W") for row in rows)).legal_moves() == ["d4xb2"]
    assert sorted(board(*(row.format("w") for row in rows)).legal_moves()) == ["d4-c5", "d4-e5"]


def test_who_cannot_move_loses():
    blocked = board("......", "..b...", ".b....", "w.....", "......", "......")
    assert (blocked.is_over, blocked.outcome(0), blocked.outcome(1)) == (True, 0.0, 1.0)
    nobody = board("......", "......", "......", "w.....", "......", "......", footer="b to move")
    assert (nobody.is_over, nobody.outcome(0)) == (True, 1.0)


def test_forty_moves_without_a_jump_are_a_draw():
    rows = ("......", "......", ".....B", "......", "......", "W.....")
    position = board(*rows, footer="w to move, 38 moves without a jump")
    position = position.play("a1-b2")
    assert str(position).endswith("b to move, 39 moves without a jump")
    end = position.play("f4-e5")
    assert (end.is_over, end.outcome(0), end.outcome(1)) == (True, 0.5, 0.5)


def test_a_jump_starts_the_count_again():
    rows = ("......", "......", ".....B", "......", ".b....", "W.....")
    after = board(*rows, footer="w to move, 39 moves without a jump").play("a1c3")
    assert str(after).endswith("b to move")
    assert not after.is_over


@pytest.mark.parametrize(
    ("rows", "footer", "line"),
    [
        (("w.....", *["......"] * 5), "w to move", "a piece stands on the light cell a6"),
        ((".w....", *["......"] * 5), "w to move", "the man on b6 must be a king: it is on its last row"),
        ((*["......"] * 5, "b....."), "w to move", "the man on a1 must be a king: it is on its last row"),
        ((*["......"] * 5, "w....."), "w to move, a1 jumps on", "no piece on a1 can jump on in this diagram"),
        ((*["......"] * 5, "w....."), "w to move, h8 jumps on", "no piece on h8 can jump on in this diagram"),
        (
            ["......"] * 6,
            "w to move, 41 moves without a jump",
            "the game ends after 40 moves without a jump, not 41",
        ),
    ],
)
def test_bad_diagrams(rows, footer, line):
    with pytest.raises(DiagramError) as caught:
        board(*rows, footer=footer)
    assert str(caught.value) == line


@pytest.mark.parametrize("spec", ["checkers(size=10)", "checkers(rows=3,cols=8)"])
def test_bad_sizes(spec):
    with pytest.raises(SpecError, match=r"checkers boards go from 4x4 to 8x8, not (10x10|3x8)"):
        mcrave.game(spec)
