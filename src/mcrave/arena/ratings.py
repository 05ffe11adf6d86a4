"""Ratings of several players from all their games: Bradley–Terry, fitted by choix, on the scale of Elo.

P(i beats j) = 1 / (1 + 10^(−(rᵢ − rⱼ)/400)); a draw counts as half a win for each. In games of more than two players
the winner is compared with each of the others: under Luce's model the chance that i wins, given that i or j does, is
the same expression. Only differences matter, so that an anchor fixes the scale, as GNU Go = 1800 on CGOS.

Intervals: the inverse of the Fisher information Σ nᵢⱼ pᵢⱼ pⱼᵢ (eᵢ − eⱼ)(eᵢ − eⱼ)ᵀ is the covariance of the ratings; the
interval is that of the difference to the anchor, or else to the mean of all players.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import choix
import numpy as np
from scipy.sparse.csgraph import connected_components

from mcrave.arena.statistics import LEVEL, SCALE
from mcrave.errors import Error


@dataclass(frozen=True)
class Rating:
    """A player's place in the table."""

    player: str
    elo: float
    margin: float
    """Half the 95% interval of the difference to the anchor; 0 for the anchor itself."""
    games: int
    points: float
    smoothed: bool = False
    """Whether somebody won or lost everything, so that only a draw added to each pairing makes ratings finite."""


def comparisons(players: Sequence[str], games: Iterable[tuple[Sequence[str], Sequence[float]]]) -> np.ndarray:
    """wins[i, j]: how often i beat j; from who sat in each seat, and the seats' results.

    >>> comparisons(["a", "b"], [(["a", "b"], [1.0, 0.0]), (["b", "a"], [0.5, 0.5])])
    array([[0. , 1.5],
           [0.5, 0. ]])
    """
    place = {player: i for i, player in enumerate(players)}
    wins = np.zeros((len(players), len(players)))
    for seats, outcome in games:
        for i, (mine, gain) in enumerate(zip(seats, outcome, strict=True)):
            for theirs, other in zip(seats[:i], outcome[:i], strict=True):
                if mine != theirs and gain + other > 0:
                    wins[place[mine], place[theirs]] += gain / (gain + other)
                    wins[place[theirs], place[mine]] += other / (gain + other)
    return wins


def bradley_terry(players: Sequence[str], wins: np.ndarray, anchor: tuple[str, float] | None = None) -> list[Rating]:
    """The ratings, the best first; the anchor is a player and its rating, else the mean of all is 0.

    >>> [f"{r.player} {r.elo:.0f}" for r in bradley_terry(["a", "b"], np.array([[0, 64], [36, 0]]), ("b", 1800))]
    ['a 1900', 'b 1800']
    """
    if anchor is not None and anchor[0] not in players:
        raise Error(f"the anchor '{anchor[0]}' is not among the players: {', '.join(players)}")
    met = (wins + wins.T) > 0
    if len(players) < 2 or connected_components(met, directed=False)[0] > 1:
        raise Error("ratings need games that link all players with each other")
    smoothed = connected_components(wins, directed=True, connection="strong")[0] > 1
    fitted = choix.ilsr_pairwise_dense(wins + 0.5 * met * smoothed, max_iter=1000)
    fixed = np.full(len(players), 1 / len(players))
    if anchor is not None:
        fixed = np.array([float(player == anchor[0]) for player in players])
    elo = SCALE * (fitted - fixed @ fitted) + (anchor[1] if anchor else 0.0)
    margins = _margins(fitted, wins + 0.5 * met * smoothed, fixed)
    games, points = (wins + wins.T).sum(axis=1), wins.sum(axis=1)
    table = [
        Rating(player, float(elo[i]), float(margins[i]), round(games[i]), float(points[i]), smoothed)
        for i, player in enumerate(players)
    ]
    return sorted(table, key=lambda rating: -rating.elo)


def _margins(fitted: np.ndarray, wins: np.ndarray, fixed: np.ndarray) -> np.ndarray:
    """Half the intervals of the differences to what is fixed."""
    chance = 1 / (1 + np.exp(fitted[None, :] - fitted[:, None]))
    weight = (wins + wins.T) * chance * chance.T
    information = np.diag(weight.sum(axis=1)) - weight
    covariance = np.linalg.pinv(information, hermitian=True)
    contrast = np.eye(len(fitted)) - fixed[None, :]
    variance = np.einsum("ij,jk,ik->i", contrast, covariance, contrast)
    margins: np.ndarray = NormalDist().inv_cdf(0.5 + LEVEL / 2) * SCALE * np.sqrt(np.maximum(variance, 0.0))
    return margins
