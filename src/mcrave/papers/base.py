"""What a published table is: cells, each a contest with the number that the paper gives for it."""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from mcrave.arena import Contest, contest
from mcrave.errors import Error, SpecError
from mcrave.games import game as game_of
from mcrave.players import parse_player

GAMES = 500  # of a cell for which the paper does not tell how many it played
GTP = "gtp:"

POINTS, CURVES, SCALING = "points", "curves", "scaling"
"""Forms of a plot: a point for each cell; a curve for each row over numbers; Elo added up along a row."""


class Paper(NamedTuple):
    """Where tables come from."""

    key: str
    """The first part of the tables' ids."""
    authors: str
    year: int
    """0 if not known."""
    title: str

    def __str__(self) -> str:
        """As one cites it."""
        return f"{self.authors}{f' {self.year}' if self.year else ''}, {self.title}"


GRAVE = Paper("grave", "Cazenave", 2015, "Generalized rapid action value estimation")
GELLY_SILVER = Paper(
    "gelly-silver", "Gelly & Silver", 2011, "Monte-Carlo tree search and rapid action value estimation in computer Go"
)
NOTES = Paper("notes", "Lecture notes", 0, "Monte-Carlo tree search")


class Published(NamedTuple):
    """What the paper says about the first player's winning rate, in per cent: a number, a range, or nothing.

    >>> str(exactly("66.0", 500)), str(between(50, 60, 2300)), str(at_least(98, 500)), str(at_most(50)), str(NOTHING)
    ('66.0 %', '50–60 %', '≥ 98 %', '≤ 50 %', '–')
    """

    low: float
    high: float
    games: int = 0
    """How many games it stands on; 0 where the paper does not say."""
    digits: int = 0
    """After the point, as printed."""
    best_of: int = 1
    """How many such numbers the paper had, of which it prints the best."""

    @property
    def is_exact(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high

    @property
    def is_one_sided(self) -> bool:
        """Whether it is a bound: at least, or at most."""
        return not self.is_exact and (self.low == 0.0 or self.high == 100.0)

    @property
    def is_nothing(self) -> bool:
        """Whether the paper gives no number."""
        return (self.low, self.high) == (0.0, 100.0)

    def __str__(self) -> str:
        """As the paper prints it."""
        low, high = (f"{end:.{self.digits}f}" for end in self[:2])
        if self.is_nothing:
            return "–"
        if self.is_exact:
            return f"{low} %"
        if self.high == 100.0:
            return f"≥ {low} %"
        return f"≤ {high} %" if self.low == 0.0 else f"{low}–{high} %"


NOTHING = Published(0.0, 100.0)


def exactly(percent: str, games: int = 0, best_of: int = 1) -> Published:
    """A number, written as in the paper, so that `70.50` keeps its zero."""
    rate = float(percent)
    return Published(rate, rate, games, len(percent.partition(".")[2]), best_of)


def between(low: float, high: float, games: int = 0) -> Published:
    """A range."""
    return Published(float(low), float(high), games, 0 if low == int(low) and high == int(high) else 1)


def at_least(low: float, games: int = 0) -> Published:
    """Not less than this."""
    return between(low, 100, games)


def at_most(high: float, games: int = 0) -> Published:
    """Not more than this."""
    return between(0, high, games)


@dataclass(frozen=True)
class Cell:
    """One contest of a table: two players of a game, of whom the first one's rate is published.

    >>> cell = Cell(("50", "1e-4"), exactly("67.8", 500), "knightthrough", "grave(bias=1e-4)@1000", "rave@1000")
    >>> cell.contest().players, cell.missing(), cell.games
    (('grave(bias=0.0001)@1000', 'rave@1000'), '', 500)
    """

    labels: tuple[str, ...]
    """One for each of the table's headings."""
    published: Published
    game: str
    a: str
    b: str
    best: bool = False
    """Whether the paper prints it bold, or names it: the best of a table, the worst result of a player."""

    def contest(self, seed: int = 1) -> Contest:
        """What is played; an `Error` where this mcrave lacks a part."""
        return contest(self.game, [self.a, self.b], seed=seed)

    @property
    def games(self) -> int:
        """How many games the paper played, or else a usual number."""
        return self.published.games or GAMES

    def missing(self) -> str:
        """What this machine or this mcrave lacks to play it, in a few words; empty if nothing.

        >>> Cell(("x",), NOTHING, "go", "gtp:no-such-engine", "random").missing()
        "no program 'no-such-engine'"
        """
        for player in (self.a, self.b):
            if player.startswith(GTP):
                program = shlex.split(player.removeprefix(GTP))[0]
                if shutil.which(program) is None:
                    return f"no program '{program}'"
        return self.unknown()

    def unknown(self) -> str:
        """What this mcrave does not know of it, in a few words; empty if nothing.

        >>> Cell(("x",), NOTHING, "go", "uct+no_such_playout@10", "random").unknown()
        "unknown part 'no_such_playout'"
        """
        for player in (self.a, self.b):
            try:
                if not player.startswith(GTP):
                    parse_player(player)
            except SpecError as error:
                return str(error).partition(" of player ")[0].partition(";")[0]
        try:
            game_of(self.game)
        except Error as error:
            return str(error).partition(";")[0]
        return ""


class Reading(NamedTuple):
    """The contest of a cell once more, with something else read into the paper."""

    what: str
    """What is read differently, in a few words."""
    cell: Cell


class Trial(NamedTuple):
    """A cell with something read into the paper that took a change of the source which was not kept."""

    what: str
    """What is read differently, in a few words."""
    where: str
    """Table and labels of the cell."""
    rate: str
    """Ours in per cent; several cells together may give a range."""
    games: int


def trials(block: str) -> tuple[Trial, ...]:
    """Trials as lines of `what | where | rate | games`; an empty field is that of the line before.

    >>> for trial in trials("saves | Table 2, ref 25 | 70 | 60 " + chr(10) + " | ref 50 | 66.7 | "):
    ...     print(trial)
    Trial(what='saves', where='Table 2, ref 25', rate='70', games=60)
    Trial(what='saves', where='ref 50', rate='66.7', games=60)
    """
    found: list[Trial] = []
    for line in block.strip().splitlines():
        what, where, rate, games = (part.strip() for part in line.split("|"))
        above = found[-1] if found else Trial("", "", "", 0)
        found.append(Trial(what or above.what, where or above.where, rate, int(games or above.games)))
    return tuple(found)


@dataclass(frozen=True)
class Table:
    """A published table, figure or claim.

    `rows` are those of the paper: a table that it breaks into three lines of five has three rows of five here.
    """

    id: str
    paper: Paper
    place: str
    """Where it stands: `Table 2`, `§4.7`."""
    title: str
    headings: tuple[str, ...]
    """What the labels of a cell mean."""
    rows: tuple[tuple[Cell, ...], ...]
    says: str
    """What the paper reports, and how it was played."""
    notes: tuple[str, ...] = field(default=())
    """What is read into the paper or differs from it."""
    form: str = POINTS
    readings: tuple[Reading, ...] = ()
    """What was tried instead; pages show those that were played."""
    trials: tuple[Trial, ...] = ()
    """What was tried besides, and cannot be played again by a command."""

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells in reading order."""
        return tuple(cell for row in self.rows for cell in row)

    @property
    def games(self) -> int:
        """How many games the paper played for it, as far as known."""
        return sum(cell.published.games for cell in self.cells)

    def read_as(self, what: str) -> Table:
        """The same table with the cells of another reading; those that it does not change are left out.

        Cells that the table itself has not stand in a last row.

        >>> from mcrave.papers import find
        >>> table = find("grave-table-2").read_as("uniform playouts")
        >>> table.cells[0].a
        'grave(ref=25,bias=1e-8)+search(transpositions=edge)@10000'
        >>> table.read_as("uniform")
        Traceback (most recent call last):
        mcrave.errors.Error: grave-table-2 has no reading 'uniform'; it has none
        """
        known = list(dict.fromkeys(reading.what for reading in self.readings))
        if what not in known:
            listed = "; ".join(f"'{each}'" for each in known) or "none"
            raise Error(f"{self.id} has no reading '{what}'; it has {listed}")
        read = {reading.cell.labels: reading.cell for reading in self.readings if reading.what == what}
        rows = [tuple(read.pop(cell.labels) for cell in row if cell.labels in read) for row in self.rows]
        rows.append(tuple(read.values()))
        title = f"{self.title}, read as: {what}"
        return replace(self, title=title, rows=tuple(row for row in rows if row), readings=())

    def __str__(self) -> str:
        """A line.

        >>> from mcrave.papers import find
        >>> print(find("grave-table-6"))
        grave-table-6  Table 6: GRAVE against RAVE at Knightthrough 8×8, 1,000 playouts
        """
        return f"{self.id}  {self.place}: {self.title}"
