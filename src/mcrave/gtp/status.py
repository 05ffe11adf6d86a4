"""The end of a game: which stones are dead, and what the score is."""

from __future__ import annotations

from mcrave.gtp.ownership import ownership
from mcrave.sgf import Board, point_number

DEAD = -0.4  # a chain is dead if its points are its owner's less than this in the mean


def chains(board: Board, player: int) -> list[list[str]]:
    """A player's stones, those that are connected together.

    >>> from mcrave.games.go import Go
    >>> chains(Board.set_up(Go(size=5), ["A1", "A2", "C3"]), 0)
    [['C3'], ['A2', 'A1']]
    """
    found: dict[int, list[str]] = {}
    state = board.position.state[0]
    for name in board.stones(player):
        place = point_number(board.game, name)
        found.setdefault(int(state.chain[place]), []).append(name)
    return list(found.values())


def dead_chains(board: Board, player: int, seed: int = 1) -> list[list[str]]:
    """The player's chains that random games do not leave standing."""
    points = ownership(board.position, seed=seed).points
    sign = 1 if player == 0 else -1
    return [chain for chain in chains(board, player) if sign * sum(points[p] for p in chain) / len(chain) < DEAD]


def alive_chains(board: Board, player: int, seed: int = 1) -> list[list[str]]:
    """The player's other chains."""
    dead = dead_chains(board, player, seed)
    return [chain for chain in chains(board, player) if chain not in dead]


def final_score(board: Board, seed: int = 1) -> float:
    """Black's area minus White's and komi, dead stones taken off.

    >>> from mcrave.games.go import Go
    >>> final_score(Board.set_up(Go(size=3, komi=0.5), ["B1", "B2", "B3"], ["A3"]))
    8.5
    """
    gone = [{point for chain in dead_chains(board, player, seed) for point in chain} for player in (0, 1)]
    cleaned = Board.set_up(board.game, set(board.stones(0)) - gone[0], set(board.stones(1)) - gone[1])
    return float(board.game.score(cleaned.position.state[0]))


def score_text(score: float) -> str:
    """As GTP writes it.

    >>> score_text(3.5), score_text(-0.5), score_text(0.0)
    ('B+3.5', 'W+0.5', '0')
    """
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"
