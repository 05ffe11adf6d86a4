"""Engines that play. A player's text is `random`, or parts of a search with a budget: `grave(ref=50)+secure()@1000`."""

from mcrave.players.base import Budget, Player
from mcrave.players.parsing import parse_player
from mcrave.players.search import SearchPlayer, Setup

__all__ = ["Budget", "Player", "SearchPlayer", "Setup", "parse_player"]
