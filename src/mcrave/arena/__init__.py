"""Honest matches: who is stronger, by how much, and how sure that is."""

from mcrave.arena.matches import match, play_match, play_orders
from mcrave.arena.records import Record
from mcrave.arena.results import MatchResult
from mcrave.arena.running import Manning, Order
from mcrave.arena.schedule import Contest, contest
from mcrave.arena.sprt import Sprt
from mcrave.arena.store import Store

__all__ = [
    "Contest",
    "Manning",
    "MatchResult",
    "Order",
    "Record",
    "Sprt",
    "Store",
    "contest",
    "match",
    "play_match",
    "play_orders",
]
