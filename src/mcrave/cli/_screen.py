"""Positions and players drawn for a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from mcrave.games import Game, Position

COLOURS = ("bright_cyan", "bright_yellow", "bright_magenta", "bright_green")
ROW = re.compile(r"(\s*\d+ )(.*)")
TURN = re.compile(r"\S to move(?:, )?")


def colour(seat: int) -> str:
    """The colour of a player."""
    return COLOURS[seat % len(COLOURS)]


def diagram(position: Position) -> Text:
    """The position's own drawing with coloured pieces; what the last move changed is highlighted."""
    lines = str(position).splitlines()
    before = str(position.parent).splitlines() if position.parent is not None else lines
    text = Text()
    for number, line in enumerate(lines):
        if TURN.match(line):  # the turn is shown beside the board; notes stay
            text.append(TURN.sub("", line), "italic")
            continue
        match = ROW.fullmatch(line)
        if match is None:
            text.append(line + "\n", "dim")
            continue
        label, cells = match.groups()
        text.append(label, "dim")
        old = before[number][len(label) :] if number < len(before) else cells
        for i, mark in enumerate(cells):
            changed = i < len(old) and old[i] != mark
            text.append(mark, _style(position.game, mark) + (" bold reverse" if changed else ""))
        text.append("\n")
    text.rstrip()
    return text


def _style(game: Game, mark: str) -> str:
    seat = max(game.symbols.find(mark), game.symbols.upper().find(mark.upper()))
    if seat >= 0 and mark.strip():
        return colour(seat)
    return "bright_black" if mark == "." else "default"


def ply(position: Position) -> int:
    """How many moves led to this position."""
    count = 0
    while position.parent is not None:
        position, count = position.parent, count + 1
    return count


def percent(value: float) -> str:
    """A result from 0 to 1, as people say it.

    >>> percent(0.534)
    '53 %'
    """
    return f"{100 * value:.0f} %"


def report(position: Position, estimate: float | None, name: str) -> Text:
    """Who played what, and what the player expects of it."""
    before = position.parent
    assert before is not None
    text = Text()
    text.append(before.game.symbols[before.to_move], f"bold {colour(before.to_move)}")
    text.append(f" {name} played ")
    text.append(before.name(position.last_move), "bold")
    if estimate is not None:
        text.append(f", expects to win {percent(estimate)}", "dim")
    return text


def screen(position: Position, names: Sequence[str], news: Sequence[RenderableType], width: int) -> RenderableType:
    """The board, and beside it or below it who plays and what happened."""
    game = position.game
    legend = Text()
    for seat, name in enumerate(names):
        turn = seat == position.to_move and not position.is_over
        legend.append("▸ " if turn else "  ", "bold")
        legend.append(f"{game.symbols[seat]} ", f"bold {colour(seat)}")
        legend.append(name + "\n", "bold" if turn else "")
    legend.append(f"\n{ply(position)} moves\n", "dim")
    drawn = diagram(position)
    board = Panel(drawn, title=f"[bold]{game}[/]", border_style="bright_black", expand=False, padding=(0, 2))
    side = Group(Text(), legend, *news)
    if Console(width=width).measure(board).maximum + 30 > width:
        return Group(board, side)
    grid = Table.grid(padding=(0, 2))
    grid.add_row(board, side)
    return grid


def verdict(results: Sequence[float], symbols: str, names: Sequence[str]) -> str:
    """Who won.

    >>> verdict([0.5, 0.5], "XO", ["you", "random"])
    'a draw'
    >>> verdict([0.0, 1.0], "XO", ["you", "random"])
    'O (random) wins'
    """
    best = max(results)
    first = [seat for seat, result in enumerate(results) if result == best]
    if len(first) == len(results):
        return "a draw"
    winners = " and ".join(f"{symbols[seat]} ({names[seat]})" for seat in first)
    return f"{winners} {'wins' if len(first) == 1 else 'share the win'}"
