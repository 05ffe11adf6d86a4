"""Havannah against OpenSpiel, rings against a plain search, drawn positions."""

from __future__ import annotations

import random

import pytest

import mcrave
from mcrave import Position
from mcrave.errors import DiagramError, SpecError

STEPS = ((-1, -1), (-1, 0), (0, 1), (1, 1), (1, 0), (0, -1))  # row, column


@pytest.mark.openspiel
@pytest.mark.parametrize(
    ("size", "swap", "games"),
    [
        (8, False, 1000),
        (8, False, 1001),
        (2, False, 300),
        (3, False, 1000),
        (4, False, 1500),
        (13, False, 20),
        (3, True, 1000),
    ],
)
def test_same_games_as_openspiel(size: int, swap: bool, games: int) -> None:
    from tests.oracles.openspiel import play_side_by_side

    ours, diameter = f"havannah(size={size},swap={str(swap).lower()})", 2 * size - 1
    start = mcrave.game(ours).start()
    names = zip(start.moves.tolist(), start.legal_moves(), strict=True)
    actions = {move: int(name[1:]) * diameter - diameter + ord(name[0]) - ord("a") for move, name in names}

    def action(position: Position, move: int) -> int:
        taken = position.last_move  # a swap is a move on the taken cell
        return actions[move] if move in actions else actions[taken]

    assert play_side_by_side(ours, f"havannah(board_size={size},swap={swap})", action, games, seed=games) >= games


def test_drawing() -> None:
    position = mcrave.game("havannah(size=3)").position(["c1", "e3", "b4"])
    assert str(position).splitlines() == [
        "     a b c",
        "  1 . . X d",
        " 2 . . . . e",
        "3 . . . . O",
        " 4 X . . .",
        "  5 . . .",
        "O to move",
    ]


@pytest.mark.parametrize(
    "diagram",
    [
        "... / .XX. / .X.X. / .XX. / ...",  # a ring around a free cell
        "... / .XX. / .XOX. / .XX. / ...",  # … around another's stone
        "... / .XX. / .XXX. / .XX. / ...",  # … around an own stone
        "XXX / .... / ..... / .... / ...",  # a bridge along a side
        "X.. / .X.. / ..X.. / ..X. / ..X",  # a bridge across the board
        ".X. / ..XX / ...X. / ...X / ...",  # a fork: b1, d2 and e4
    ],
)
def test_wins(diagram: str) -> None:
    position = mcrave.game("havannah(size=3)").parse(diagram)
    assert position.is_over, f"{position}"
    assert (position.outcome(0), position.outcome(1)) == (1.0, 0.0)


@pytest.mark.parametrize(
    "diagram",
    [
        "... / .XX. / .X.X. / ..X. / ...",  # a ring with a gap
        "... / .XX. / .XX.. / .... / ...",  # a lump surrounds nothing
        ".X. / .X.. / ..X.. / ..X. / .X.",  # two sides
        ".X. / ..XX / ..... / ...X / ...",  # a fork with a gap
        "XX. / .X.. / ..X.. / ..X. / .X.",  # a corner is no side: two sides and a corner
    ],
)
def test_no_wins(diagram: str) -> None:
    assert not mcrave.game("havannah(size=3)").parse(diagram).is_over


def has_ring(stones: set[tuple[int, int]], cells: set[tuple[int, int]]) -> bool:
    """Whether a cell cannot reach the outside past the stones, or a stone has six neighbours."""
    for stone in stones:
        if all((stone[0] + down, stone[1] + right) in stones for down, right in STEPS):
            return True
    unseen = cells - stones
    while unseen:
        frontier, free = [unseen.pop()], False
        while frontier:
            row, col = frontier.pop()
            for place in ((row + down, col + right) for down, right in STEPS):
                free |= place not in cells
                if place in unseen:
                    unseen.remove(place)
                    frontier.append(place)
        if not free:
            return True
    return False


def test_rings_are_found_wherever_the_last_stone_is() -> None:
    size = 6
    game = mcrave.game(f"havannah(size={size})")
    cells = {(r, c) for r in range(2 * size - 1) for c in range(2 * size - 1) if abs(r - c) < size}
    inner = sorted(cell for cell in cells if all((cell[0] + d, cell[1] + r) in cells for d, r in STEPS))
    dice = random.Random(5)
    rings = 0
    for _ in range(1000):
        stones = set(dice.sample(inner, dice.randrange(10, 40)))
        rows = [
            "".join("X" if (row, col) in stones else "." for col in range(2 * size - 1) if (row, col) in cells)
            for row in range(2 * size - 1)
        ]
        position = game.parse("/".join(rows))
        assert position.is_over == has_ring(stones, cells), f"{position}"
        rings += position.is_over
    assert 200 < rings < 800


def test_a_full_board_without_a_win_is_a_draw() -> None:
    position = mcrave.game("havannah(size=3)").parse("OXX / XOOO / OXXXX / XXOO / OO.")
    assert not position.is_over
    position = position.play("e5")
    assert position.is_over
    assert position.outcome(0) == position.outcome(1) == 0.5


def test_swap_takes_the_stone_where_it_stands() -> None:
    game = mcrave.game("havannah(size=3,swap=true)")
    first = game.start().play("b1")
    assert len(first.legal_moves()) == 19
    swapped = first.play("swap")
    assert swapped == game.parse(".O. / .... / ..... / .... / ... / X to move")
    assert len(swapped.legal_moves()) == 18
    assert "swap" not in swapped.legal_moves()
    assert "swap" not in swapped.play("a1").legal_moves()
    assert game.position(["b1", "swap", "c3", "a1", "d3", "c1"]).outcome(1) == 1.0


@pytest.mark.parametrize("size", [1, 14])
def test_bad_specs(size: int) -> None:
    with pytest.raises(SpecError) as error:
        mcrave.game(f"havannah(size={size})")
    assert str(error.value) == f"havannah needs size from 2 to 13, not {size}"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("X. / ...", "the diagram has 2 rows, but the board has 3"),
        ("X. / .. / ..", "row 2 of the diagram has 2 cells ('..'), not 3"),
        ("X. / ..@ / ..", "row 2 of the diagram has '@'; use . X O"),
        ("XX / ... / OO", "both players have won in this diagram"),
        (".. / ... / .. / to move", "cannot read 'to move' below the diagram; write 'X to move' or 'O to move'"),
    ],
)
def test_bad_diagrams(text: str, complaint: str) -> None:
    with pytest.raises(DiagramError) as error:
        mcrave.game("havannah(size=2)").parse(text)
    assert str(error.value) == complaint
