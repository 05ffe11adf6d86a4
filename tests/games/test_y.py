"""Y against OpenSpiel, and drawn positions."""

from __future__ import annotations

import pytest

import mcrave
from mcrave import Position
from mcrave.errors import DiagramError, SpecError
from mcrave.games import base
from mcrave.specs import lowered


@pytest.mark.openspiel
@pytest.mark.parametrize(
    ("size", "games"), [(19, 1000), (19, 1001), (1, 1), (2, 50), (3, 500), (5, 2000), (9, 500), (25, 20)]
)
def test_same_games_as_openspiel(size: int, games: int) -> None:
    from tests.oracles.openspiel import play_side_by_side

    start = mcrave.game(f"y(size={size})").start()
    names = zip(start.moves.tolist(), start.legal_moves(), strict=True)
    actions = {move: int(name[1:]) * size - size + ord(name[0]) - ord("a") for move, name in names}

    played = play_side_by_side(
        f"y(size={size})", f"y(board_size={size})", lambda _, move: actions[move], games, seed=games
    )
    assert played >= games


def test_drawing() -> None:
    position = mcrave.game("y(size=4)").position(["b1", "c2"])
    assert str(position).splitlines() == [
        " a b c d",
        "1 . X . .",
        " 2 . . O",
        "  3 . .",
        "   4 .",
        "X to move",
    ]


@pytest.mark.parametrize(
    ("diagram", "winner"),
    [
        ("XXXX / ... / .. / .", 0),  # both corners of a side
        ("X... / X.. / X. / X", 0),
        ("...O / ..O / .O / O", 1),
        (".X.. / .X. / X. / .", None),  # b1 b2 a3: top and left
        (".X.. / .X. / XX / .", 0),
        (".X.. / X.X / .. / .", None),  # c2 stands alone
        ("OXO. / XXX / O. / O", 0),
        ("XOXO / OXO / XO / X", 0),
    ],
)
def test_who_has_won(diagram: str, winner: int | None) -> None:
    position = mcrave.game("y(size=4)").parse(diagram)
    assert position.is_over == (winner is not None)
    if winner is not None:
        assert [position.outcome(0), position.outcome(1)] == [1 - winner, winner]


def test_the_first_player_wins_small_boards_from_the_middle() -> None:
    for size, opening in ((1, "a1"), (2, "a1"), (3, "b2")):
        after = mcrave.game(f"y(size={size})").start().play(opening)
        assert loses(after), f"{opening} on size {size}"


def loses(position: Position) -> bool:
    if position.is_over:
        return position.outcome(position.to_move) == 0.0
    return not any(loses(position.play(move)) for move in position.moves.tolist())


@pytest.mark.parametrize("size", range(1, 26))
def test_codes_are_distinct_and_almost_without_gaps(size: int) -> None:
    rules = lowered(mcrave.game(f"y(size={size})"))
    position = rules.start()
    codes = {base.code(rules, position.state[0], move) for move in position.moves.tolist()}
    assert len(codes) == size * (size + 1) // 2
    assert min(codes) >= 0
    assert max(codes) < rules.codes() <= len(codes) + size + 1


@pytest.mark.parametrize("size", [0, 26])
def test_bad_specs(size: int) -> None:
    with pytest.raises(SpecError) as error:
        mcrave.game(f"y(size={size})")
    assert str(error.value) == f"y needs size from 1 to 25, not {size}"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("X. / .", "the diagram has 2 rows, but the board has 3"),
        ("X.. / ... / .", "row 2 of the diagram has 3 cells ('...'), not 2"),
        ("X.. / .? / .", "row 2 of the diagram has '?'; use . X O"),
        ("X.. / .. / . / Y to move", "cannot read 'Y to move' below the diagram; write 'X to move' or 'O to move'"),
    ],
)
def test_bad_diagrams(text: str, complaint: str) -> None:
    with pytest.raises(DiagramError) as error:
        mcrave.game("y(size=3)").parse(text)
    assert str(error.value) == complaint
