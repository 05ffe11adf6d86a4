"""What is written down about a finished game."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

RULES, CAP, AGREED, RESIGNED = "rules", "cap", "agreed", "resigned"
FORFEITS = ("illegal move", "crash", "time", "nonsense", "refused")


@dataclass(frozen=True)
class Record:
    """One game."""

    contest: str
    """The key of its contest."""
    number: int
    seed: int
    seats: tuple[int, ...]
    """Which of the contest's players sat in each seat."""
    outcome: tuple[float, ...]
    """The result of each seat; they add up to 1."""
    ending: str
    """How it ended: rules, cap, agreed, resigned, or why somebody forfeited it."""
    loser: int = -1
    """The seat that resigned or forfeited, else -1."""
    note: str = ""
    """What happened, if somebody forfeited."""
    moves: str = ""
    """Their names, those of the opening included."""
    thinking: tuple[float, ...] = ()
    """Seconds that each seat thought."""
    slowest: float = 0.0
    """The longest time for one move."""
    wall: float = 0.0
    """Seconds from the first to the last move."""
    finished: str = ""
    """When, in UTC."""
    versions: str = ""
    machine: str = ""

    def score(self, player: int = 0) -> float:
        """The result of one of the contest's players."""
        return sum(result for seat, result in zip(self.seats, self.outcome, strict=True) if seat == player)

    @property
    def is_forfeit(self) -> bool:
        """Whether somebody broke the rules or broke down."""
        return self.ending in FORFEITS

    def to_json(self) -> str:
        """All fields, in a line."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Record:
        """What `to_json` wrote.

        >>> record = Record("c", 3, 5, (1, 0), (0.0, 1.0), "rules", moves="a1 b2")
        >>> Record.from_json(record.to_json()) == record, record.score()
        (True, 1.0)
        """
        fields = json.loads(text)
        for field in ("seats", "outcome", "thinking"):
            fields[field] = tuple(fields[field])
        return Record(**fields)


@cache
def versions() -> str:
    """What results may depend on."""
    found = {"python": platform.python_version()}
    for package in ("mcrave", "numba", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return ", ".join(f"{name} {number}" for name, number in found.items())


@cache
def machine() -> str:
    """The computer: its processor, cores and system."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as lines:
            name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), name)
    except OSError:
        pass
    return f"{platform.node()}: {name}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


class Adjourned(NamedTuple):
    """A game that was broken off between two moves, with all that it takes to go on as if it had not been."""

    contest: str
    number: int
    moves: tuple[int, ...]
    """Since the opening."""
    streams: tuple[int, ...]
    """The random state of each seat."""
    thinking: tuple[float, ...]
    slowest: float

    @staticmethod
    def from_fields(fields: list[Any]) -> Adjourned:
        """From a list of all fields, as JSON has them."""
        contest, number, moves, streams, thinking, slowest = fields
        return Adjourned(contest, number, tuple(moves), tuple(streams), tuple(thinking), slowest)
