"""Engines that play.

A player's text is `random`, `gtp:COMMAND`, or parts of a search with a budget: `grave(ref=50)+secure()@1000`.
"""

from mcrave.players.base import Budget, Forfeit, Player, Resigned
from mcrave.players.gtp_player import GtpPlayer
from mcrave.players.parsing import parse_player
from mcrave.players.search import SearchPlayer, Setup, on_cluster

__all__ = [
    "Budget",
    "Forfeit",
    "GtpPlayer",
    "Player",
    "Resigned",
    "SearchPlayer",
    "Setup",
    "on_cluster",
    "parse_player",
]
