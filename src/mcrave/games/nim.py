"""Nim: a move takes any number of objects from one heap; who takes the last object wins, or loses in misère.

Bouton (1901): the player to move wins if and only if the exclusive or of the heaps is not zero; in misère
play, if and only if it is not zero while a heap of two or more is left, and otherwise if it is zero.
Rules as in OpenSpiel's `nim`, whose default is misère.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

import numpy as np

from mcrave.errors import DiagramError, SpecError
from mcrave.games._grid import read_turn, turn_line
from mcrave.games.base import Game
from mcrave.kernel import bits, record
from mcrave.kernel.rng import below


class Nim(Game, name="nim"):
    """Heaps of these sizes; `misere=true` makes the last object a loss."""

    symbols: ClassVar[str] = "XO"
    heaps: tuple[int, ...] = (1, 3, 5, 7)
    misere: bool = False

    def validate(self) -> None:
        """Up to 16 heaps of up to 100."""
        if not 1 <= len(self.heaps) <= 16:
            raise SpecError(f"nim is played with 1 to 16 heaps, not {len(self.heaps)}")
        wrong = [heap for heap in self.heaps if not 1 <= heap <= 100]
        if wrong:
            raise SpecError(f"a heap of nim has 1 to 100 objects, not {wrong[0]}")

    def state_type(self) -> np.dtype[Any]:
        """Objects by heap, and in all heaps together; who moves."""
        return record(heaps=(np.int16, len(self.heaps)), left=np.int16, turn=np.int8)

    def max_moves(self) -> int:
        """A move for every object: take it and all above it."""
        return sum(self.heaps)

    max_plies = max_moves

    def codes(self) -> int:
        """A move is (count - 1) * heaps + heap."""
        return max(self.heaps) * len(self.heaps)

    def setup(self, state: Any) -> None:
        """All heaps complete."""
        state.heaps[:] = self.heaps
        state.left = sum(self.heaps)

    def legal(rules, state, out):
        """Heap by heap, small counts first."""
        n = 0
        for heap in range(len(state.heaps)):
            for count in range(state.heaps[heap]):
                out[n] = count * len(state.heaps) + heap
                n += 1
        return n

    def play(rules, state, move):
        """Take the objects."""
        count = move // len(state.heaps) + 1
        state.heaps[move % len(state.heaps)] -= count
        state.left -= count
        state.turn = 1 - state.turn

    def is_over(rules, state):
        """Nothing is left."""
        return state.left == 0

    def to_move(rules, state):
        """The players alternate."""
        return np.int64(state.turn)

    def outcome(rules, state, player):
        """The player to move finds nothing: the other one took the last object."""
        took_last = player != state.turn
        return 1.0 if took_last != rules.misere else 0.0

    def hash(rules, state):
        """Heaps and turn."""
        key = bits.combine(np.uint64(0), state.turn)
        for heap in range(len(state.heaps)):
            key = bits.combine(key, state.heaps[heap])
        return key

    def random_move(rules, state, rng, out):
        """Draw one of the objects that are left."""
        count = below(rng, state.left)
        heap = 0
        while count >= state.heaps[heap]:
            count -= state.heaps[heap]
            heap += 1
        return np.int64(count * len(state.heaps) + heap)

    def move_name(self, state: Any, move: int) -> str:
        """Heap and count: 2-3 takes three from the second heap."""
        return f"{move % len(self.heaps) + 1}-{move // len(self.heaps) + 1}"

    def render(self, state: Any) -> str:
        """Heaps and turn."""
        return f"heaps {' '.join(map(str, state.heaps))}\n{turn_line(self.symbols, state.turn)}"

    def read(self, text: str, state: Any) -> None:
        """Heaps no larger than at the start."""
        lines = [line.strip() for line in text.replace("/", "\n").splitlines() if line.strip()]
        if not lines or not re.fullmatch(r"heaps( [0-9]{1,3})+", lines[0]):
            example = " ".join(map(str, self.heaps))
            raise DiagramError(f"a position of nim is written like 'heaps {example}', not {text.strip()!r}")
        heaps = [int(number) for number in lines[0].split()[1:]]
        if len(heaps) != len(self.heaps):
            raise DiagramError(f"the diagram has {len(heaps)} heaps, not {len(self.heaps)}")
        for number, (heap, whole) in enumerate(zip(heaps, self.heaps, strict=True), start=1):
            if heap > whole:
                raise DiagramError(f"heap {number} of the diagram has {heap} objects, but it started with {whole}")
        state.turn, _ = read_turn(self.symbols, lines[1:])
        state.heaps[:] = heaps
        state.left = sum(heaps)
