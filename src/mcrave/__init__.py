"""mcrave: Monte-Carlo tree search with rapid action value estimation, in Python, at native speed."""

from __future__ import annotations

from mcrave import games, specs
from mcrave.errors import Error
from mcrave.games import Game, Position, game
from mcrave.perft import perft
from mcrave.solver import Solution, solve

__all__ = ["Error", "Game", "Position", "Solution", "game", "games", "perft", "solve", "specs"]
