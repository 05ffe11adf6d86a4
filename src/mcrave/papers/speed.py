"""How long the tables take, on one core and on many: `mcrave reproduce speed`.

Some games would take minutes, so whole ones are not played. One game is played with few playouts. At some of its
positions, evenly spread, both players of the table then think as much as the table says; their mean, times the number
of moves, is a game. With few playouts games of Atarigo and Knightthrough end too soon, so the number of moves is that
of the table's games in the results file, if there are enough. Time is that of the processor, so that other work on the
machine counts little.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from mcrave.arena import Store
from mcrave.arena.records import machine
from mcrave.errors import Error
from mcrave.games import Game, Position
from mcrave.games import game as game_of
from mcrave.papers.base import Cell, Table
from mcrave.papers.verdict import judged
from mcrave.players import SearchPlayer, parse_player
from mcrave.players.base import Budget

PAGE = "speed.md"
CORES = (1, 16, 64)
FEW = 100  # playouts a move of the game that gives the positions
SAMPLES = 4  # positions
ENOUGH = 10  # games of the results file that tell how long games are
Clock = Callable[[], float]


class Speed(NamedTuple):
    """What one cell's games take.

    >>> speed = Speed(plies=40, seconds=0.05)
    >>> speed.games_per_hour, round(speed.hours(500, 16), 4)
    (1800.0, 0.0174)
    """

    plies: int
    """Moves of a game."""
    seconds: float
    """Of one core for a move, the mean over the players."""

    @property
    def games_per_hour(self) -> float:
        """Of one core."""
        return 3600.0 / (self.plies * self.seconds)

    def hours(self, games: int, cores: int = 1) -> float:
        """For so many games; games do not wait for each other, so cores share them."""
        return games / self.games_per_hour / cores


def measurable(table: Table) -> Cell | None:
    """The cell that stands for a table, the paper's best if there is one; None if it cannot be measured.

    >>> from mcrave.papers import find
    >>> measurable(find("grave-table-2")).labels, measurable(find("gelly-silver-figure-5"))
    (('50', '1e-10'), None)
    """
    best = next((cell for cell in table.cells if cell.best), table.cells[0])
    if best.missing():
        return None
    players = [parse_player(text) for text in (best.a, best.b)]
    searching = all(isinstance(player, SearchPlayer) and player.setup.budget.simulations for player in players)
    return best if searching else None


def measure(cell: Cell, samples: int = SAMPLES, seed: int = 1, clock: Clock = time.process_time) -> Speed:
    """Measure a cell's players, who must search with a number of simulations.

    >>> from mcrave.papers.base import NOTHING
    >>> speed = measure(Cell((), NOTHING, "mnk", "uct@50", "uct@50"), samples=2)
    >>> 5 <= speed.plies <= 9, speed.seconds > 0
    (True, True)
    """
    game = game_of(cell.game)
    a, b = (_player(text, seed) for text in (cell.a, cell.b))
    positions = _quick_game(game, [a, *[b] * (game.players - 1)])
    chosen = [positions[(2 * i + 1) * len(positions) // (2 * samples)] for i in range(samples)]
    seconds = [_seconds(player, game, chosen, clock) for player in (a, b)]
    return Speed(len(positions), (seconds[0] + (game.players - 1) * seconds[1]) / game.players)


def _player(text: str, seed: int) -> SearchPlayer:
    player = parse_player(text, seed)
    if not isinstance(player, SearchPlayer) or not player.setup.budget.simulations:
        raise Error(f"player '{text}' does not search with a number of simulations")
    return player


def _quick_game(game: Game, players: Sequence[SearchPlayer]) -> list[Position]:
    """All positions of a game in which every player has few playouts, each with one move to come."""
    quick = [
        SearchPlayer(
            player.setup._replace(budget=Budget(min(FEW, player.setup.budget.simulations))), player.seed + seat
        )
        for seat, player in enumerate(players)
    ]
    positions: list[Position] = []
    position = game.start()
    while not position.is_over and len(positions) < game.max_plies():
        positions.append(position)
        position = position.play(quick[position.to_move].choose(position))
    for player in quick:
        player.close()
    return positions


def _seconds(player: SearchPlayer, game: Game, positions: Sequence[Position], clock: Clock) -> float:
    """The mean over the positions; compiling is not counted."""
    player.compile(game)
    start = clock()
    for position in positions:
        player.choose(position)
    spent = clock() - start
    player.close()
    return max(spent / len(positions), 1e-9)


def usual_length(table: Table, store: Store) -> int:
    """The mean number of moves of a table's games in the results file; 0 if there are too few."""
    records = [record for row in judged(table, store) for each in row if each for record in each.result.records]
    if len(records) < ENOUGH:
        return 0
    return round(sum(len(record.moves.split()) for record in records) / len(records))


def write_page(
    tables: Sequence[Table], folder: Path, store: Store, listener: Callable[[str], None] | None = None
) -> Path:
    """Measure all tables that can be, and write a page about them; the listener hears each table's line.

    The page is written anew after each table, so that a run that is ended leaves what it has.
    """
    path, found = folder / PAGE, []
    for table in tables:
        cell = measurable(table)
        if cell is None or table.games == 0:
            continue
        speed = measure(cell)
        speed = speed._replace(plies=usual_length(table, store) or speed.plies)
        found.append((table, speed))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(page(found))
        except OSError as error:
            raise Error(f"cannot write {path}: {error.strerror or error}") from None
        if listener is not None:
            listener(f"{table.id}: {_number(speed.games_per_hour)} games an hour")
    if not found:
        raise Error("none of these tables can be measured: their players do not count simulations")
    return path


def page(found: Sequence[tuple[Table, Speed]]) -> str:
    """The page."""
    lines = [
        "| table | | moves a game | games an hour | games of the paper | hours, 1 core | 16 cores | 64 cores |",
        "| --- | --- | --: | --: | --: | --: | --: | --: |",
    ]
    for table, speed in found:
        hours = " | ".join(_number(speed.hours(table.games, cores)) for cores in CORES)
        rate = _number(speed.games_per_hour)
        lines.append(
            f"| [{table.place}]({table.id}.md) | {table.title} | {speed.plies} | {rate} | {table.games:,} | {hours} |"
        )
    total = [math.fsum(speed.hours(table.games, cores) for table, speed in found) for cores in CORES]
    games = sum(table.games for table, _ in found)
    lines.append(f"| all | | | | {games:,} | {' | '.join(f'**{_number(hours)}**' for hours in total)} |")
    parts = [
        "<!-- Written by `mcrave reproduce speed`; changes by hand are lost. -->",
        "# How long the tables take",
        f"Measured, not played: one game with {FEW} playouts a move gives {SAMPLES} positions, at which "
        "both players of the table's best cell think as much as the table says. Time is that of one core, "
        "compiling not counted. Moves a game are those of the games in the results file, or, where it has none, "
        "of that one game. 16 and 64 cores are projected: games do not wait for each other, so they are "
        "divided by the number of cores, all taken to be as fast as this one is when it works alone. Cells of several "
        "tables are counted in each.",
        "\n".join(lines),
        f"Machine: {machine().partition(': ')[2] or machine()}.",
    ]
    return "\n\n".join(parts) + "\n"


def _number(amount: float) -> str:
    """Two digits that count, or a whole number.

    >>> _number(0.01234), _number(3.14159), _number(1234.5)
    ('0.012', '3.1', '1,234')
    """
    if amount >= 10:
        return f"{amount:,.0f}"
    return f"{amount:.{max(0, 1 - math.floor(math.log10(max(amount, 1e-9))))}f}"
