"""Chomp: a bar of chocolate whose bottom left square, a1, is poisoned.

A bite takes one square with everything above it and to the right of it; who has to eat a1 loses.
"""

import numpy as np

from mcrave.errors import DiagramError, SpecError
from mcrave.games import Game, Grid, read_turn, turn_line
from mcrave.kernel import bits, record


class MyGame(Game, name="chomp"):
    """Bite off chocolate, and leave the poisoned corner to the other player."""

    size: int = 4  # the rules' parameters; with these three, both `size=5` and `rows=4,cols=6` work
    rows: int = 0
    cols: int = 0

    def validate(self):
        if self.rows > 16 or self.cols > 16:
            raise SpecError(f"chomp bars go up to 16x16, not {self.rows}x{self.cols}")

    # How large things are, and how the game starts. Squares are numbered row by row from the top.
    def state_type(self):
        return record(bar=(np.int8, self.rows * self.cols), turn=np.int8)

    def max_moves(self):
        return self.rows * self.cols

    max_plies = max_moves

    def setup(self, state):
        state.bar[:] = 1

    # The rules, compiled to machine code: `rules` holds the parameters, a move is the number of a square.
    def legal(rules, state, out):
        n = 0
        for square in range(rules.rows * rules.cols):
            if state.bar[square] == 1:
                out[n] = square
                n += 1
        return n

    def play(rules, state, move):
        for row in range(move // rules.cols + 1):
            for col in range(move % rules.cols, rules.cols):
                state.bar[row * rules.cols + col] = 0
        state.turn = 1 - state.turn

    def is_over(rules, state):
        return state.bar[(rules.rows - 1) * rules.cols] == 0

    def to_move(rules, state):
        return np.int64(state.turn)

    def outcome(rules, state, player):
        return 1.0 if state.turn == player else 0.0  # the other one has just eaten the poison

    def hash(rules, state):
        key = np.uint64(state.turn)
        for square in range(rules.rows * rules.cols):
            key ^= bits.placed(square, state.bar[square])
        return key

    # How people write moves and draw positions.
    def move_name(self, state, move):
        return Grid(self.rows, self.cols, ".#").cell_name(move // self.cols, move % self.cols)

    def render(self, state):
        return Grid(self.rows, self.cols, ".#").draw(state.bar, turn_line("XO", state.turn))

    def read(self, text, state):
        state.bar[:], footer = Grid(self.rows, self.cols, ".#").read(text)
        state.turn, _ = read_turn("XO", footer)
        bar = state.bar.reshape(self.rows, self.cols)
        if (bar[:, 1:] > bar[:, :-1]).any() or (bar[:-1] > bar[1:]).any():
            raise DiagramError("a square hangs in the air: bites take everything above and to the right")
