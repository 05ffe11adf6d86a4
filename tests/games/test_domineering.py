"""Domineering against a plain twin, solved boards and drawn positions."""

from __future__ import annotations

import pytest

import mcrave
from mcrave.errors import DiagramError, SpecError
from tests.contracts import cases
from tests.oracles.plain import perft, play_beside, value

SOLVED = ["2HHHH", "V11HV", "V11HH", "VVV1V", "VHVH2"]
"""By rows and columns from 1 to 5: who wins, V or H whoever begins, or the first or second to move."""


class Dominoes:
    """Domineering again: the set of free cells, as (column, row), row 1 at the bottom."""

    def __init__(self, rows, cols):
        self.turn = 0
        self.free = {(col, row) for col in range(1, cols + 1) for row in range(1, rows + 1)}

    def places(self):
        up, right = (0, 1) if self.turn else (1, 0)
        for col, row in self.free:
            end = col + right, row + up
            if end in self.free:
                yield f"{chr(96 + col)}{row}-{chr(96 + end[0])}{end[1]}", frozenset({(col, row), end})

    def moves(self):
        return sorted(name for name, _ in self.places())

    def play(self, move):
        self.free -= dict(self.places())[move]
        self.turn = 1 - self.turn

    def winner(self):
        return 1 - self.turn


@pytest.mark.parametrize(
    ("rows", "cols", "games"),
    [(8, 8, 300), (1, 25, 20), (25, 1, 20), (3, 7, 300), (5, 13, 50), (10, 9, 30), (19, 19, 5), (25, 25, 2)],
)
def test_same_games_as_a_plain_twin(rows, cols, games):
    """Up to 64 cells a board is one word; the others need two words and more."""
    plies = play_beside(f"domineering(rows={rows},cols={cols})", lambda: Dominoes(rows, cols), games)
    assert plies >= 0 if rows == 1 else plies >= games


@pytest.mark.parametrize("cols", range(1, 6))
@pytest.mark.parametrize("rows", range(1, 6))
def test_solved_boards(rows, cols):
    game = mcrave.game(f"domineering(rows={rows},cols={cols})")
    known = {}
    starts = [game.parse(str(game.start()).replace("V to", f"{player} to")) for player in "VH"]
    v_begins, h_begins = (value(start, known) for start in starts)
    assert {(1, 0): "V", (0, 1): "H", (1, 1): "1", (0, 0): "2"}[v_begins, h_begins] == SOLVED[rows - 1][cols - 1]


@pytest.mark.parametrize(("depth", "count"), [(1, 56), (2, 2940)])
def test_move_counts(depth, count):
    """By hand: an upright domino leaves 52 places for flat ones, 54 if it stands at an edge."""
    assert perft(mcrave.game("domineering").start(), depth) == count


def test_names_and_diagram():
    position = mcrave.game("domineering(rows=3,cols=4)").start().play("b1-b2")
    assert str(position) == "\n".join(["3 . . . .", "2 . # . .", "1 . # . .", "  a b c d", "H to move"])
    assert position.legal_moves() == ["a3-b3", "b3-c3", "c3-d3", "c2-d2", "c1-d1"]
    assert position.play("d2c2") == position.play("c2-d2")


def test_dominoes_do_not_wrap_around_the_edge():
    position = mcrave.game("domineering(rows=2,cols=3)").parse("##. / .## / H to move")
    assert position.is_over
    assert position.outcome(0) == 1


def test_who_cannot_move_loses():
    position = mcrave.game("domineering(size=2)").start().play("a1-a2")
    assert position.is_over
    assert position.outcome(0) == 1


@pytest.mark.parametrize("spec", ["domineering(size=19)", "domineering(rows=25,cols=23)"])
def test_random_moves_on_large_boards(spec):
    cases.check_random_moves(mcrave.game(spec), 1)


def test_bad_diagram():
    with pytest.raises(DiagramError) as error:
        mcrave.game("domineering(size=2)").parse(".V / .V")
    assert str(error.value) == "row 2 of the diagram has 'V'; use # ."


def test_bad_spec():
    with pytest.raises(SpecError) as error:
        mcrave.game("domineering(size=26)")
    assert str(error.value) == "domineering boards go up to 25x25, not 26x26"
