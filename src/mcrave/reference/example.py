"""Tic-tac-toe as an ordinary Python object with the reference's protocol."""

from __future__ import annotations

from dataclasses import dataclass

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True)
class TicTacToe:
    """Nine cells in reading order, each one of `.XO`; a move is the number of a cell.

    >>> state = TicTacToe().play(4).play(0)
    >>> state.cells, state.to_move, state.legal_moves()
    ('O...X....', 0, [1, 2, 3, 5, 6, 7, 8])
    >>> TicTacToe("XX.OO....").play(2).outcome(0)
    1.0
    """

    cells: str = "........."

    @property
    def to_move(self) -> int:
        """X is player 0 and moves first."""
        return (9 - self.cells.count(".")) % 2

    @property
    def winner(self) -> str:
        """The owner of a line, or the empty string."""
        for i, j, k in LINES:
            if self.cells[i] == self.cells[j] == self.cells[k] != ".":
                return self.cells[i]
        return ""

    @property
    def is_over(self) -> bool:
        """A line, or a full board."""
        return self.winner != "" or "." not in self.cells

    def legal_moves(self) -> list[int]:
        """The free cells."""
        return [cell for cell in range(9) if self.cells[cell] == "."]

    def play(self, move: int) -> TicTacToe:
        """Put a stone."""
        return TicTacToe(self.cells[:move] + "XO"[self.to_move] + self.cells[move + 1 :])

    def outcome(self, player: int) -> float:
        """1 for the line's owner, ½ each without a line."""
        return 0.5 if self.winner == "" else float(self.winner == "XO"[player])
