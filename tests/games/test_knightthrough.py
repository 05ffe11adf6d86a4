"""Knightthrough against a plain twin, solved boards and drawn positions."""

from __future__ import annotations

import pytest

import mcrave
from tests.contracts import cases
from tests.oracles.plain import perft, play_beside, value


class Knights:
    """Knightthrough again: a dictionary from (column, row), row 1 at the bottom, to the player."""

    def __init__(self, rows, cols):
        self.rows, self.cols, self.turn, self.arrived = rows, cols, 0, None
        near = {(col, row): 0 for col in range(1, cols + 1) for row in (1, 2)}
        far = {(col, row): 1 for col in range(1, cols + 1) for row in (rows - 1, rows)}
        self.pieces = near | far

    def steps(self):
        ahead = 1 if self.turn == 0 else -1
        for (col, row), player in self.pieces.items():
            for right, forward in ((-2, 1), (-1, 2), (1, 2), (2, 1)):
                to = col + right, row + forward * ahead
                on_board = 1 <= to[0] <= self.cols and 1 <= to[1] <= self.rows
                if player == self.turn and on_board and self.pieces.get(to) != self.turn:
                    mark = "x" if to in self.pieces else "-"
                    yield f"{chr(96 + col)}{row}{mark}{chr(96 + to[0])}{to[1]}", (col, row), to

    def moves(self):
        return [] if self.arrived is not None else [name for name, _, _ in self.steps()]

    def play(self, move):
        source, to = next((source, to) for name, source, to in self.steps() if name == move)
        self.pieces[to] = self.pieces.pop(source)
        if to[1] == (self.rows, 1)[self.turn]:
            self.arrived = self.turn
        self.turn = 1 - self.turn

    def winner(self):
        return 1 - self.turn if self.arrived is None else self.arrived


@pytest.mark.parametrize(
    ("rows", "cols", "games"), [(8, 8, 100), (4, 2, 100), (6, 2, 300), (5, 3, 300), (7, 10, 50), (16, 16, 5)]
)
def test_same_games_as_a_plain_twin(rows, cols, games):
    spec = f"knightthrough(rows={rows},cols={cols})"
    assert play_beside(spec, lambda: Knights(rows, cols), games) > games


@pytest.mark.parametrize(
    ("rows", "cols", "first_wins"),
    [(4, 2, 1), (4, 3, 1), (4, 4, 1), (4, 5, 1), (4, 6, 1), (5, 2, 0), (5, 3, 1), (6, 2, 0)],
)
def test_solved_boards(rows, cols, first_wins):
    assert value(mcrave.game(f"knightthrough(rows={rows},cols={cols})").start()) == first_wins


@pytest.mark.parametrize(("depth", "count"), [(1, 40), (2, 1600)])
def test_move_counts(depth, count):
    """By hand: 14 steep steps from each of two rows, 12 flat ones from the front row only."""
    assert perft(mcrave.game("knightthrough").start(), depth) == count


def test_knights_jump_and_capture_forward():
    position = mcrave.game("knightthrough(rows=6,cols=5)").parse("..... / ..... / .B.W. / BBBBB / ..W.. / .....")
    assert set(position.legal_moves()) == {"c2xb4", "c2xa3", "c2xe3", "d4-c6", "d4-e6", "d4-b5"}


def test_a_player_without_a_move_loses():
    """The white knight can only leave the board, as two columns leave no flat step."""
    stuck = mcrave.game("knightthrough(rows=5,cols=2)").parse(".. / W. / .B / .B / .. / W to move")
    assert stuck.is_over
    assert stuck.outcome(1) == 1


def test_reaching_the_far_row_wins():
    position = mcrave.game("knightthrough(rows=5,cols=3)").parse("BBB / ... / W.. / ... / ...")
    won = position.play("a3xb5")
    assert won.is_over
    assert won.outcome(0) == 1


def test_random_moves_on_large_boards():
    cases.check_random_moves(mcrave.game("knightthrough(rows=25,cols=25)"), 1)
