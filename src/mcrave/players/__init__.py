"""Engines that play. A player's text is `random`, `monte_carlo@1000` or `monte_carlo@0.5s`."""

from mcrave.players import monte_carlo, random_moves  # noqa: F401  (each registers its players)
from mcrave.players.base import Budget, Player, known_players, parse_player

__all__ = ["Budget", "Player", "known_players", "parse_player"]
