"""Temporal-difference learning (Gelly & Silver §3.4), and the local shapes of a Go board that RLGO learns about.

Positions are dictionaries of features: a name, and a number that says how much of it there is.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

Features = dict[Hashable, float]
INVERSE = {".": ".", "X": "O", "O": "X"}


class Value:
    """V(s) = σ(θ·φ(s)), the probability that Black wins, and TD(0).

    >>> v = Value(alpha=1.0)
    >>> v.learn([{"start": 1.0}], 1.0, active=1)
    >>> v.theta["start"], round(v({"start": 1.0}), 3)
    (0.5, 0.622)
    """

    def __init__(self, alpha: float) -> None:
        """Nothing is known: every value is ½."""
        self.alpha = alpha
        self.theta: defaultdict[Hashable, float] = defaultdict(float)

    def __call__(self, features: Features) -> float:
        """V(s)."""
        return 1.0 / (1.0 + math.exp(-sum(self.theta[name] * x for name, x in features.items())))

    def learn(self, game: Sequence[Features], outcome: float, active: int) -> None:
        """θ ← θ + α (V(s') − V(s)) φ(s) / |φ| after every move; V at the end is the outcome."""
        for t, features in enumerate(game):
            target = self(game[t + 1]) if t + 1 < len(game) else outcome
            change = self.alpha * (target - self(features)) / active
            for name, x in features.items():
                self.theta[name] += change * x


def local_shapes(board: Sequence[str], black_to_move: bool) -> Features:
    """Every window of 1×1, 2×2 and 3×3 points, named by place and stones and again by its stones alone.

    Windows that a symmetry of the board turns into each other have one name; an exchange of the colours changes the
    sign. `komi` and `turn` are always there.

    >>> local_shapes(["X"], True)
    {(1, ((0, 0, 'X'),), 'here'): 1.0, (1, ((0, 0, 'X'),), 'anywhere'): 1.0, 'komi': 1.0, 'turn': 1.0}
    >>> local_shapes(["O"], False)[(1, ((0, 0, 'X'),), 'here')]
    -1.0
    """
    found: Features = {}
    for side, window in windows(board):
        for place in ("here", "anywhere"):
            own, inverse = (least_image(cells, len(board), place) for cells in (window, exchanged(window)))
            if own != inverse:
                name = (side, max(own, inverse), place)
                found[name] = found.get(name, 0.0) + (1.0 if own > inverse else -1.0)
    return found | {"komi": 1.0, "turn": 1.0 if black_to_move else -1.0}


Cells = tuple[tuple[int, int, str], ...]


def windows(board: Sequence[str]) -> Iterator[tuple[int, Cells]]:
    """The size of each window, and its points with what stands there."""
    for side in (1, 2, 3):
        for top in range(len(board) - side + 1):
            for left in range(len(board) - side + 1):
                rows, cols = range(top, top + side), range(left, left + side)
                yield side, tuple((row, col, board[row][col]) for row in rows for col in cols)


def exchanged(cells: Cells) -> Cells:
    """Black for White."""
    return tuple((row, col, INVERSE[color]) for row, col, color in cells)


def least_image(cells: Cells, size: int, place: str) -> Cells:
    """One of all the images of a window that stands for them; with its place, or moved into the corner."""
    images = []
    for i in range(8):
        turned = [(col, row, color) if i & 4 else (row, col, color) for row, col, color in cells]
        turned = [(size - 1 - row if i & 1 else row, col, color) for row, col, color in turned]
        turned = [(row, size - 1 - col if i & 2 else col, color) for row, col, color in turned]
        if place == "anywhere":
            top, left = min(row for row, _, _ in turned), min(col for _, col, _ in turned)
            turned = [(row - top, col - left, color) for row, col, color in turned]
        images.append(tuple(sorted(turned)))
    return min(images)
