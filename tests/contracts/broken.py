"""Games that break one point of the contract each, and the check that must notice.

`NUMBA_DISABLE_JIT=1 python -m tests.contracts.broken` says what each check said; nothing is compiled.
"""

from __future__ import annotations

import numpy as np

from mcrave.games.mnk import Mnk
from mcrave.kernel import bits
from mcrave.kernel.rng import below
from tests.contracts import cases


class BlindHash(Mnk):
    """Two stones look the same to the key."""

    def hash(rules, state):
        key = np.uint64(state.turn)
        for cell in range(rules.rows * rules.cols):
            if state.board[cell] != 0:
                key ^= bits.placed(cell, 1)
        return key


class OrderedHash(Mnk):
    """The key depends on how many cells are free and on which stone came last, so on the order of moves."""

    def hash(rules, state):
        return bits.combine(np.uint64(state.winner), np.int64(state.free))


class Biased(Mnk):
    """The first legal move is never drawn."""

    def random_move(rules, state, rng, out):
        n = 0
        for cell in range(rules.rows * rules.cols):
            if state.board[cell] == 0:
                out[n] = cell
                n += 1
        return np.int64(out[n - 1 - below(rng, max(n - 1, 1))])


class Overrun(Mnk):
    """A playout makes one move too many."""

    def random_playout(rules, state, rng, out, plies):
        return plies + 1


class Passive(Mnk):
    """A playout ends before the game does."""

    def random_playout(rules, state, rng, out, plies):
        return 0


class Ambitious(Mnk):
    """Both players win."""

    def outcome(rules, state, player):
        return 1.0


class Endless(Mnk):
    """The game is longer than it says."""

    def max_plies(self):
        return 3


class Forgetful(Mnk):
    """The diagram does not say whose turn it is."""

    def render(self, state):
        return super().render(state).rsplit("\n", 1)[0]


class Crashing(Mnk):
    """Bad diagrams raise something else."""

    def read(self, text, state):
        rows = text.splitlines()
        for row in range(self.rows):
            assert len(rows[row]) > 0
        super().read(text, state)


class Nameless(Mnk):
    """All moves of a row have one name."""

    def move_name(self, state, move):
        return super().move_name(state, move)[-1]


class Coded(Mnk):
    """Codes go beyond their number."""

    def code(rules, state, move):
        return move + 1


BROKEN = [
    (BlindHash, lambda game: cases.check_keys(game, range(5)), "one key for two positions"),
    (OrderedHash, lambda game: cases.check_keys(game, range(5)), "one key for two positions"),
    (Biased, lambda game: cases.check_random_moves(game, 1), "legal moves are never drawn"),
    (Biased, lambda game: cases.check_one_ply_playouts(game, 1), "legal moves are never drawn"),
    (Overrun, lambda game: cases.check_playout_lengths(game, 1), "a playout of 1 of 0 plies"),
    (Passive, lambda game: cases.check_playout_lengths(game, 1), "stopped after 0 of 1 plies"),
    (Passive, lambda game: cases.check_playout_results(game, 1, count=100), "are not those of random moves"),
    (Ambitious, lambda game: cases.check_walk(game, 1), "must sum to 1"),
    (Endless, lambda game: cases.check_walk(game, 1), "lasted over max_plies"),
    (Forgetful, lambda game: cases.check_round_trip(game, 1), "the diagram reads back as"),
    (Nameless, lambda game: cases.check_names(game, 1), "share a name"),
    (Coded, lambda game: cases.check_kernels(game, 1), "beyond codes"),
    (Crashing, lambda game: cases.check_mutated_diagrams(game, 1, count=300), "IndexError"),
]


def verdict(check, game) -> str:
    """The first line of what a check raised."""
    try:
        check(game)
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return "nothing"


if __name__ == "__main__":
    for cls, check, _ in BROKEN:
        print(verdict(check, cls()))
