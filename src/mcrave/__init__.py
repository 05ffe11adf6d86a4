"""mcrave: Monte-Carlo tree search with rapid action value estimation, in Python, at native speed."""

from __future__ import annotations

from mcrave import games
from mcrave.errors import Error
from mcrave.games import Game, Position, game

__all__ = ["Error", "Game", "Position", "game", "games"]
