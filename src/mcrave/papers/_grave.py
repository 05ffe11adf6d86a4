"""How the tables of the GRAVE paper are written down: blocks of numbers as they are printed there.

Cazenave 2015 §4. Method: the bias of RAVE is tuned against UCT with constant 0.4, then `ref` and bias of GRAVE against
the best RAVE. Biases are the powers of ten from 0.1 to 1e-15. Each number is the first player's winning rate over 500
games, half of them with each colour; in three-colour Go over 600 games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from mcrave.papers.base import GRAVE, Cell, Published, Reading, Table, exactly

BIASES = ("0.1", "0.01", "0.001", *(f"1e-{power}" for power in range(4, 16)))
BANDS = 5  # biases in a line of the paper's tables
BEST = "*"  # before the number that the paper prints bold

TREE = "The paper does not say whether the tree is kept from move to move; here every move begins with an empty one."
KEPT = "The paper does not say whether the tree is kept from move to move; here it is (`keep=1`)."
NOTES = (
    "Both players share positions that several paths reach, each parent with counts of its own "
    "(`transpositions=edge`): Algorithm 1 keeps its nodes in a transposition table. That UCT and RAVE do the same "
    "is our reading.",
    "UCT is mean + 0.4 √(log playouts / playouts of the move), natural logarithm, untried moves first.",
    "A move without any statistics is tried first; Algorithm 1 divides 0 by 0 there. Of equal moves the first is "
    "taken, as in Algorithm 1.",
    "The most visited move is played; the paper does not say how the move is chosen in the end.",
    TREE,
    "AMAF counts the first play of a move by a player from the node on; what happened above the node does not count.",
)
UNIFORM = "Playouts are uniformly random; the paper names a playout policy for Go and three-colour Go only."
SAME = (
    "The paper's numbers no longer change at the smallest biases: its games repeat the same random numbers, so that "
    "players that decide alike play the same games. Ours do, too, and repeat each other there."
)
CHOSEN = (
    "For each ref the paper shows the best of 15 biases, chosen by these same games. If all 15 were equally good, "
    "the best of them would look better than it is by 1.7 standard deviations, which is 3 to 4 points with 500 "
    "games: expect ours somewhat lower. The verdicts make allowance for that."
)


class Setting(NamedTuple):
    """A game of the paper, and what its experiments have in common."""

    title: str
    game: str
    playout: str = ""
    games: int = 500
    notes: tuple[str, ...] = (UNIFORM,)
    options: str = "transpositions=edge"

    def player(self, tree: str, playouts: int) -> str:
        """A player's text.

        >>> Setting("Go 9×9", "go", "mogo()").player("rave(bias=1e-7)", 1000)
        'rave(bias=1e-7)+mogo()+search(transpositions=edge)@1000'
        """
        return f"{tree}{f'+{self.playout}' if self.playout else ''}+search({self.options})@{playouts}"

    def reading(self) -> tuple[str, ...]:
        """What is read into the paper: about this game, then about all.

        >>> Setting("Hex", "hex", options="keep=1").reading()[-2]
        'The paper does not say whether the tree is kept from move to move; here it is (`keep=1`).'
        """
        return (*self.notes, *(KEPT if note == TREE and "keep=1" in self.options else note for note in NOTES))

    def uct(self, playouts: int) -> str:
        """The opponent of the tuning tables."""
        return self.player("uct(c=0.4)", playouts)

    def rave(self, bias: str, playouts: int) -> str:
        """RAVE with a bias."""
        return self.player(f"rave(bias={bias})", playouts)

    def grave(self, ref: str, bias: str, playouts: int) -> str:
        """GRAVE with its two constants."""
        return self.player(f"grave(ref={ref},bias={bias})", playouts)


class Against(NamedTuple):
    """How much the two sides of a table think: playouts for each move."""

    playouts: int
    opponent: int = 0

    @property
    def theirs(self) -> int:
        """The second player's."""
        return self.opponent or self.playouts

    def __str__(self) -> str:
        """For titles."""
        return f"{self.playouts:,} playouts" + (f" against {self.opponent:,}" if self.opponent else "")


def rave_table(number: int, setting: Setting, budget: Against, block: str, says: str, *notes: str) -> Table:
    """RAVE with every bias against UCT; the block holds the numbers in the lines of the paper.

    >>> table = rave_table(0, Setting("Nim", "nim"), Against(10), "1.0 *2.0 3.0 4.0 5.0", "")
    >>> table.rows[0][1].labels, table.rows[0][1].best, table.rows[0][1].a
    (('0.01',), True, 'rave(bias=0.01)+search(transpositions=edge)@10')
    """
    cells = [
        Cell(
            (bias,),
            exactly(rate.strip(BEST), setting.games),
            setting.game,
            setting.rave(bias, budget.playouts),
            setting.uct(budget.theirs),
            rate.startswith(BEST),
        )
        for bias, rate in zip(BIASES, block.split())  # a block of fewer numbers ends earlier
    ]
    title = f"tuning the RAVE bias against UCT at {setting.title}, {budget}"
    return table(number, title, ("bias",), bands(cells), says, (SAME, *setting.reading(), *notes))


def grave_table(
    number: int, setting: Setting, budget: Against, rave_bias: str, block: str, says: str, *notes: str
) -> Table:
    """GRAVE against the tuned RAVE; the lines of the block are ref, bias and the numbers.

    >>> block = chr(10).join(["25 50", "1e-5 1e-9", "*62.4 60.4"])
    >>> table = grave_table(0, Setting("Nim", "nim"), Against(10), "0.001", block, "")
    >>> [cell.labels for cell in table.cells], table.cells[0].best
    ([('25', '1e-5'), ('50', '1e-9')], True)
    """
    refs, biases, rates = (line.split() for line in block.strip().splitlines())
    cells = tuple(
        Cell(
            (ref, bias),
            exactly(rate.strip(BEST), setting.games, len(BIASES)),
            setting.game,
            setting.grave(ref, bias, budget.playouts),
            setting.rave(rave_bias, budget.theirs),
            rate.startswith(BEST),
        )
        for ref, bias, rate in zip(refs, biases, rates, strict=True)
    )
    title = f"GRAVE against RAVE at {setting.title}, {budget}"
    return table(number, title, ("ref", "bias"), (cells,), says, (CHOSEN, *setting.reading(), *notes))


def also(table: Table, what: str, *changes: Callable[[str], str]) -> Table:
    """The table with its cells read differently too: each of the changes is made to the texts of game and players.

    Cells that stay the same are left out.

    >>> block = chr(10).join(["25", "1e-5", "*62.4"])
    >>> table = grave_table(0, Setting("Nim", "nim", "mast()"), Against(10), "0.001", block, "")
    >>> also(table, "uniform playouts, ½", instead("+mast()"), unseen("0.5")).readings[0].cell.b
    'rave(bias=0.001,urgency=0.5)+search(transpositions=edge)@10'
    """

    def read(cell: Cell) -> Cell:
        for change in changes:
            cell = replace(cell, game=change(cell.game), a=change(cell.a), b=change(cell.b))
        return cell

    others = ((cell, read(cell)) for cell in table.cells)
    return replace(table, readings=(*table.readings, *(Reading(what, new) for old, new in others if new != old)))


def readings(table: Table, otherwise: Mapping[str, Sequence[Callable[[str], str]]]) -> Table:
    """The table with several other readings: what each is called, and its changes."""
    for what, changes in otherwise.items():
        table = also(table, what, *changes)
    return table


def instead(was: str, now: str = "") -> Callable[[str], str]:
    """A change of one part for another, or for none."""
    return lambda text: text.replace(was, now)


def unseen(worth: str) -> Callable[[str], str]:
    """A change of what RAVE and GRAVE take a move to be worth of which they know nothing.

    >>> unseen("0.5")("grave(ref=50,bias=1e-5)@10"), unseen("0.5")("uct(c=0.4)@10")
    ('grave(ref=50,bias=1e-5,urgency=0.5)@10', 'uct(c=0.4)@10')
    """
    return lambda text: re.sub(r"\b(g?rave\([^()]*)\)", rf"\1,urgency={worth})", text)


def for_rave(option: str) -> Callable[[str], str]:
    """A change of RAVE's search alone; GRAVE and UCT stay as they are.

    >>> for_rave("replays=1")("rave(bias=0.1)+search(transpositions=edge)@10")
    'rave(bias=0.1)+search(transpositions=edge,replays=1)@10'
    >>> for_rave("replays=1")("grave(ref=50)+search(transpositions=edge)@10")
    'grave(ref=50)+search(transpositions=edge)@10'
    """
    return lambda text: text.replace("edge", f"edge,{option}") if text.startswith("rave(") else text


SHUFFLED = instead("+search(", "+shuffled+search(")
REPLAYS, PLAYOUT_ALONE = for_rave("replays=1"), for_rave("playout_alone=1")


def claim(section: str, title: str, headings: tuple[str, ...], cells: list[Cell], says: str, *notes: str) -> Table:
    """Numbers that stand in the text."""
    number = section.replace(".", "-")
    return Table(
        f"grave-section-{number}", GRAVE, f"§{section.split('-')[0]}", title, headings, bands(cells), says, notes
    )


def against_rave(setting: Setting, ref: str, bias: str, budget: Against, found: dict[str, Published]) -> list[Cell]:
    """One GRAVE against RAVE with several biases; the smallest published number is the one that the paper names."""
    return [
        Cell(
            (rave_bias,),
            published,
            setting.game,
            setting.grave(ref, bias, budget.playouts),
            setting.rave(rave_bias, budget.theirs),
            published.is_exact and published.low == min(each.low for each in found.values()),
        )
        for rave_bias, published in found.items()
    ]


def table(
    number: int,
    title: str,
    headings: tuple[str, ...],
    rows: tuple[tuple[Cell, ...], ...],
    says: str,
    notes: tuple[str, ...],
) -> Table:
    """A numbered table."""
    return Table(f"grave-table-{number}", GRAVE, f"Table {number}", title, headings, rows, says, notes)


def bands(cells: list[Cell]) -> tuple[tuple[Cell, ...], ...]:
    """Lines of five."""
    return tuple(tuple(cells[start : start + BANDS]) for start in range(0, len(cells), BANDS))
