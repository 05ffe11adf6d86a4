"""mcrave: Monte-Carlo tree search with rapid action value estimation, in Python, at native speed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcrave import games, specs
    from mcrave.arena import MatchResult, match
    from mcrave.counting import perft
    from mcrave.errors import Error
    from mcrave.games import Game, Position, game
    from mcrave.search import Report, Search
    from mcrave.solver import Solution, solve

__all__ = [
    "Error",
    "Game",
    "MatchResult",
    "Position",
    "Report",
    "Search",
    "Solution",
    "game",
    "games",
    "match",
    "perft",
    "solve",
    "specs",
]

_homes = {
    "Error": "errors",
    "Game": "games",
    "MatchResult": "arena",
    "Position": "games",
    "Solution": "solver",
    "Report": "search",
    "Search": "search",
    "game": "games",
    "match": "arena",
    "perft": "counting",
    "solve": "solver",
}


def __getattr__(name: str) -> Any:
    """Import on first use: the compiler alone takes a third of a second."""
    if name in _homes:
        value = getattr(importlib.import_module(f"mcrave.{_homes[name]}"), name)
        globals()[name] = value
        return value
    if name in ("games", "specs"):
        return importlib.import_module(f"mcrave.{name}")
    raise AttributeError(f"module 'mcrave' has no attribute {name!r}")


def __dir__() -> list[str]:
    """For completion: what can be imported."""
    return sorted(__all__)
