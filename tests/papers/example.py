"""A small table that needs no compiling, and results made up for any table."""

from __future__ import annotations

from mcrave.arena import Record, Store
from mcrave.papers.base import GRAVE, Cell, Table, at_least, exactly

GAME = "mnk(size=3,length=3)"


def cell(label: str, rate: str, best: bool = False, size: int = 3) -> Cell:
    return Cell((label,), exactly(rate, 20), f"mnk(size={size},length=3)", "random", "random", best)


SMALL = Table(
    "small",
    GRAVE,
    "Table 0",
    "dice against dice",
    ("size",),
    ((cell("3", "50.0"), cell("4", "60.0", True, 4)), (cell("5", "40.0", size=5), cell("6", "50.5", size=6))),
    "Nothing.",
    ("Nothing is read into it.",),
)
ONE = Cell(("3",), at_least(50), GAME, "random", "random")
CLAIM = Table("claim", GRAVE, "§0", "a claim", ("size",), ((ONE,),), "Nothing.")


def fill(store: Store, cell: Cell, wins: int, games: int, begun: int = 0) -> None:
    """Games as if played, the first ones won; if more were begun, those before the last are missing."""
    contest = cell.contest()
    records = []
    for number in [*range(games - 1), max(games, begun) - 1]:
        seats = contest.seats(number)
        mine = seats.index(0)
        winner = mine if number < wins else (mine + 1) % len(seats)
        outcome = tuple(float(seat == winner) for seat in range(len(seats)))
        records.append(
            Record(
                contest.key,
                number,
                number,
                seats,
                outcome,
                "rules",
                moves=f"a{number}",
                wall=1.8,
                finished="2026-01-02T03:04:05",
                versions="mcrave 0.1",
                machine="host: a processor, 2 cores",
            )
        )
    store.add(contest, records)
