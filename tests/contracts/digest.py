"""Seeded random games as a few lines of text, to compare the interpreter with compiled code.

`NUMBA_DISABLE_JIT=1 python -m tests.contracts.digest "hex(size=5)" nim`
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable

import mcrave
from mcrave.games import Game, Position
from mcrave.playouts import sample
from tests.contracts import cases

PLIES = 80  # the interpreter is slow


def digest(game: Game) -> list[str]:
    """One line each: a game over positions, playouts from several of them, and damaged diagrams."""
    path = cases.walk(game, 1, min(PLIES, game.max_plies()))
    lines = [f"{len(path)} positions {_hashed(map(_described, path))}"]
    for position in cases.some(path, 1, 3):
        seen = cases.look(position, 1, min(PLIES, game.max_plies()), draws=3)
        described = _hashed(map(str, (seen.moves, seen.codes, seen.drawn, _described(seen.after))))
        lines.append(f"{seen.plies} plies {described}")
    if len(path) < PLIES:
        lines.append(f"sample {sample(path[len(path) // 2], 2)}")
    cases.check_mutated_diagrams(game, 1, 10)
    return lines


def _described(position: Position) -> str:
    results = [position.outcome(player) for player in range(position.game.players)] if position.is_over else []
    return f"{position}\n{position.key} {position.to_move} {position.moves.tolist()} {results}"


def _hashed(texts: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(texts).encode(), digest_size=8).hexdigest()


if __name__ == "__main__":
    print("\n\n".join("\n".join(digest(mcrave.game(text))) for text in sys.argv[1:]))
