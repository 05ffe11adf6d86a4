"""Lines of Action against OpenSpiel, and its endings on drawn positions."""

from __future__ import annotations

from functools import lru_cache

import pytest

import mcrave
from mcrave.errors import DiagramError, SpecError

REPEATED = ["b8-b6", "a7-c7", "b6-b8", "c7-a7"]


@lru_cache(maxsize=1)
def theirs(position):
    """The opponent's pieces, as a word."""
    return int(position.state[0].pieces[1 - position.to_move])


def openspiel_action(position, move):
    """OpenSpiel numbers rows from the bottom, and adds a bit for captures."""
    return ((move ^ 0b111000_111000) << 1) | (theirs(position) >> (move & 63) & 1)


@pytest.mark.openspiel
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3, 4))])
def test_same_games_as_openspiel(seed):
    from tests.oracles.openspiel import play_side_by_side

    plies = play_side_by_side("lines_of_action", "lines_of_action", openspiel_action, games=500, seed=seed)
    assert plies > 80_000


@pytest.mark.parametrize(("depth", "count"), [(1, 36), (2, 1244), (3, 44952)])
def test_openspiel_move_counts(depth, count):
    assert mcrave.perft(mcrave.game("lines_of_action").start(), depth) == count


def test_start():
    position = mcrave.game("lines_of_action(rows=4,cols=5)").start()
    assert str(position) == "\n".join(
        ("4 . X X X .", "3 O . . . O", "2 O . . . O", "1 . X X X .", "  a b c d e", "X to move")
    )
    assert not position.is_over


@pytest.mark.parametrize(("bottom", "legal"), [("XX...", True), ("XO...", False), ("X.X..", False), ("X.O..", True)])
def test_pieces_jump_over_their_own_and_land_on_others(bottom, legal):
    """With two pieces on the bottom line, a1 moves two cells."""
    position = mcrave.game("lines_of_action(size=5)").parse(f"...X. / ..... / O...O / ..... / {bottom}")
    assert position.number("d5-d4") >= 0
    assert bool({"a1-c1", "a1xc1"} & set(position.legal_moves())) == legal


def test_who_brings_both_together_wins():
    game = mcrave.game("lines_of_action(size=5)")
    end = game.parse("..... / ...OX / ..... / ...X. / OO...").play("d2xd4")
    assert (end.is_over, end.outcome(0), end.outcome(1)) == (True, 1.0, 0.0)


def test_a_capture_can_lose():
    game = mcrave.game("lines_of_action(size=5)")
    end = game.parse("X.... / ...O. / ..... / ...X. / OO...").play("d2xd4")
    assert (end.is_over, end.outcome(0), end.outcome(1)) == (True, 0.0, 1.0)


def test_who_cannot_move_loses():
    position = mcrave.game("lines_of_action(size=4)").parse("OXO. / O.OX / OXOO / XXXO / X to move")
    assert (position.is_over, position.outcome(0)) == (True, 0.0)


def test_a_board_that_comes_again_is_a_draw():
    position = mcrave.game("lines_of_action").position(REPEATED)
    assert (position.is_over, position.outcome(0), position.outcome(1)) == (True, 0.5, 0.5)


def test_a_board_that_comes_again_with_the_other_player_to_move_is_a_draw():
    game = mcrave.game("lines_of_action")
    board = "........ / ........ / ........ / ....O... / .O...... / ........ / ........ / X.....X."
    position = game.parse(board + " / O to move, after 40 moves")
    for move in ("e5-e6", "a1-a2", "e6-f5", "a2-a1", "f5-e5"):
        assert not position.is_over
        position = position.play(move)
    assert (position.is_over, position.to_move, position.outcome(0)) == (True, 0, 0.5)


def test_diagrams_remember_what_may_come_again():
    game = mcrave.game("lines_of_action")
    position = game.position(REPEATED[:3])
    assert str(position).endswith("O to move, after 3 moves, since the last capture b8-b6 a7-c7 b6-b8")
    assert game.parse(str(position)).play("c7-a7").is_over
    assert not game.parse(str(position).rsplit(",", 1)[0]).play("c7-a7").is_over


def test_captures_forget_what_came_before():
    position = mcrave.game("lines_of_action").position(REPEATED[:2])
    capture = next(name for name in position.legal_moves() if "x" in name)
    assert str(position.play(capture)).endswith("O to move, after 3 moves")


def test_a_thousand_moves_are_a_draw_even_if_the_last_one_wins():
    game = mcrave.game("lines_of_action(size=5)")
    board = "..... / ...OX / ..... / ...X. / OO... / X to move, after {} moves"
    assert game.parse(board.format(998)).play("d2xd4").outcome(0) == 1.0
    assert game.parse(board.format(999)).play("d2xd4").outcome(0) == 0.5


def test_moves_may_be_typed_without_a_sign():
    start = mcrave.game("lines_of_action").start()
    assert start.play("b1b3") == start.play("B1-B3") == start.play("b1-b3")


@pytest.mark.parametrize(
    ("footer", "line"),
    [
        (
            "O to move, after 1 move, since the last capture b1-b3 b3-b1",
            "2 moves since the last capture are more than 1 in all",
        ),
        (
            "O to move, after 1 move, since the last capture b1-b3",
            "the move b1-b3 does not lead to this diagram",
        ),
        (
            "O to move, after 1 move, since the last capture b1b3",
            "cannot read the move 'b1b3' below the diagram; write it like b1-b3",
        ),
        ("O to move, after -1 moves", "cannot read the note 'after -1 moves' below the diagram"),
    ],
)
def test_bad_notes(footer, line):
    board = str(mcrave.game("lines_of_action").start()).rsplit("\n", 1)[0]
    with pytest.raises(DiagramError) as caught:
        mcrave.game("lines_of_action").parse(f"{board}\n{footer}")
    assert str(caught.value) == line


def test_both_players_need_pieces():
    with pytest.raises(DiagramError, match="each player needs a piece: the last one cannot be captured"):
        mcrave.game("lines_of_action(size=4)").parse(".XX. / .... / .... / ....")


@pytest.mark.parametrize("spec", ["lines_of_action(size=9)", "lines_of_action(rows=3,cols=8)"])
def test_bad_sizes(spec):
    with pytest.raises(SpecError, match=r"lines_of_action boards go from 4x4 to 8x8, not (9x9|3x8)"):
        mcrave.game(spec)
