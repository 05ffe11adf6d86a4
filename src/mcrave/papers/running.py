"""Which cells to play next, and playing them within a budget.

First the best cell of each table, then its neighbours, then the rest of its row, then all others; the cheapest first. A
cell is finished before the next begins, so that a run that ends early leaves verdicts and not fragments. Games lie in
the store as soon as they are finished, and what lies there is not played again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mcrave.arena import Contest, Manning, Order, Record, Store, play_orders
from mcrave.arena.running import CUDA, Listener
from mcrave.errors import Error
from mcrave.games import game as game_of
from mcrave.papers.base import GTP, Cell, Table
from mcrave.players import SearchPlayer, parse_player

DONE, OUT_OF_TIME, INTERRUPTED = "done", "out of time", "interrupted"
BEST, NEIGHBOUR, ROW, OTHER = range(4)
PLY = 1e-7  # seconds for a ply of a playout, roughly
ENGINE = 11.0  # seconds that GNU Go thinks in a game of 9×9
ROUGHLY = 10_000.0  # simulations in a second, for players with a time limit


class Wanted(NamedTuple):
    """How much to play."""

    games: int | None = None
    """Of each cell; None for as many as the paper played."""
    seconds: float | None = None
    """For everything; the games that are being played then are not counted."""
    seed: int = 1


class Step(NamedTuple):
    """A cell to play."""

    stage: int
    table: Table
    cell: Cell
    order: Order


class _OutOfTime(Exception):
    """The budget is used up."""


def plan(tables: Sequence[Table], wanted: Wanted) -> list[Step]:
    """All cells that can be played here, in the order of playing; a contest of several tables stands there once.

    >>> from mcrave.papers import find
    >>> [step.cell.labels for step in plan([find("grave-table-2")], Wanted(games=10))]
    [('50', '1e-10'), ('25', '1e-8'), ('100', '1e-3')]
    """
    steps: dict[str, Step] = {}
    for table in tables:
        for cell, stage in zip(table.cells, stages(table), strict=True):
            if cell.missing():
                continue
            order = Order(cell.contest(wanted.seed), cell.games if wanted.games is None else wanted.games)
            known = steps.get(order.contest.key)
            if known is None or (stage, -order.games) < (known.stage, -known.order.games):
                steps[order.contest.key] = Step(stage, table, cell, order)
    return sorted(steps.values(), key=lambda step: (step.stage, step.order.games * effort(step.cell)))


def stages(table: Table) -> list[int]:
    """When each cell's turn comes."""
    cells = table.cells
    best = [i for i, cell in enumerate(cells) if cell.best]
    rows = [number for number, row in enumerate(table.rows) for _ in row]

    def stage(i: int) -> int:
        if i in best:
            return BEST
        if not best or any(abs(i - j) == 1 for j in best):
            return NEIGHBOUR
        return ROW if any(rows[i] == rows[j] for j in best) else OTHER

    return [stage(i) for i in range(len(cells))]


def effort(cell: Cell) -> float:
    """Seconds that a game may take; rough, and good enough to put the cheap ones first."""
    game = game_of(cell.game)
    plies = min(game.max_plies(), game.max_moves())
    return sum(_seconds(text, plies) for text in (cell.a, cell.b)) / game.players * (plies / 2)


def _seconds(text: str, plies: int) -> float:
    """For a move."""
    if text.startswith(GTP):
        return ENGINE / plies
    player = parse_player(text)
    if not isinstance(player, SearchPlayer):
        return 0.0
    simulations, seconds = player.setup.budget
    return seconds or simulations * plies * PLY


def play(
    steps: Sequence[Step],
    store: Store,
    manning: Manning,
    seconds: float | None = None,
    listener: Listener | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> str:
    """Play what the store lacks; tells whether everything was played, or what came first."""
    end = None if seconds is None else clock() + seconds
    if seconds is not None:
        manning = manning._replace(until=time.monotonic() + seconds)

    def heard(contest: Contest, records: Sequence[Record], fresh: bool) -> None:
        if listener is not None:
            listener(contest, records, fresh)
        if fresh and end is not None and clock() >= end:
            raise _OutOfTime

    for group in _groups(steps, manning):
        if end is not None and clock() >= end:
            return OUT_OF_TIME
        try:
            results = play_orders([step.order for step in group], store, manning, listener=heard)
        except _OutOfTime:
            return OUT_OF_TIME
        except Error as error:
            raise Error(f"{group[0].table.id}: {error}") from None
        if not all(result.complete for result in results):
            return INTERRUPTED if end is None or clock() < end else OUT_OF_TIME
    return DONE


def _groups(steps: Sequence[Step], manning: Manning) -> list[list[Step]]:
    """What is played at once: on a GPU, which wants thousands of games, all cells with the same game and budget.

    The first seats there are those of the cells that come first.
    """
    if manning.device != CUDA:
        return [[step] for step in steps]
    groups: dict[tuple[str, int], list[Step]] = {}
    for step in steps:
        if _plays_on_gpu(step.cell):
            groups.setdefault((step.order.contest.game, _budget(step.cell)), []).append(step)
    return list(groups.values())


def _plays_on_gpu(cell: Cell) -> bool:
    """Other programs and players with a clock do not."""
    return _budget(cell) > 0


def _budget(cell: Cell) -> int:
    """The simulations of the player who thinks longest; 0 if somebody does not count simulations."""
    budgets = []
    for text in (cell.a, cell.b):
        player = None if text.startswith(GTP) else parse_player(text)
        budgets.append(player.setup.budget.simulations if isinstance(player, SearchPlayer) else 0)
    return max(budgets) if min(budgets) else 0
