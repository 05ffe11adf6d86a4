"""What an analysis says, in the forms that other programs read: Leela Zero's, KataGo's, Sabaki's and CGOS's."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from mcrave.games import Position
from mcrave.games.go import Go
from mcrave.gtp.engine import Engine
from mcrave.gtp.ownership import Ownership, ownership
from mcrave.search import Report
from mcrave.search.report import MoveReport

BOUND = 1.96  # standard deviations between a value and its lower bound
HARDLY = 0.02  # of the visits of the chosen move; below, a value is little more than luck
CGOS_MOVES = 10
CGOS_SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class Ban(NamedTuple):
    """Moves that the search must leave out, or, with `is_allowed`, all others."""

    player: int
    moves: tuple[str, ...]
    plies: int
    """From the root on."""
    is_allowed: bool = False


class Wishes(NamedTuple):
    """What an analysis is asked to show."""

    player: int | None = None
    interval: float = 1.0
    """Seconds."""
    ownership: bool = False
    root: bool = False
    line_visits: bool = False
    least: int = 0
    """How many moves to show even if they were not visited."""
    most: int = 0
    """How many moves to show at the most; 0 for all."""
    bans: tuple[Ban, ...] = ()


class Info(NamedTuple):
    """One move."""

    move: str
    visits: int
    value: float
    bound: float
    """The lower bound of the value."""
    prior: float
    """The share of the prior; equal for all moves where there is none."""
    line: list[str]
    line_visits: list[int]


def infos(engine: Engine, report: Report, wishes: Wishes) -> list[Info]:
    """The moves to show, the chosen one first."""
    moves = sorted(report.moves, key=lambda move: (move.move != report.best, -move.visits))
    shown = [move for index, move in enumerate(moves) if move.visits or index < max(wishes.least, 1)]
    if wishes.most:
        shown = shown[: wishes.most]
    total = sum(move.prior for move in report.moves)
    found = []
    for move in shown:
        prior = move.prior / total if total else 1.0 / len(report.moves)
        line = engine.line(move.move) if move.visits else [(move.move, 0)]
        names, visits = [name for name, _ in line], [count for _, count in line]
        found.append(Info(move.move, move.visits, move.value, lower_bound(move), prior, names, visits))
    return found


def lower_bound(move: MoveReport) -> float:
    """What the value is at least, with about 97.5 %.

    >>> round(lower_bound(MoveReport("A1", 100, 0.5, 0, 0, 0, 0, 0)), 3)
    0.402
    """
    if not move.visits:
        return 0.0
    spread = math.sqrt(max(move.value * (1 - move.value), 1 / (4 * move.visits)) / move.visits)
    return min(max(move.value - BOUND * spread, 0.0), 1.0)


def without_luck(shown: list[Info], least: int = 0) -> list[Info]:
    """Without moves that were hardly visited, but at least so many.

    Sabaki takes the largest value of all for that of the position, so one lucky simulation would win the game.

    >>> lucky, chosen = Info("A1", 1, 1.0, 0.0, 0.5, ["A1"], [1]), Info("D4", 100, 0.5, 0.4, 0.5, ["D4"], [100])
    >>> [info.move for info in without_luck([chosen, lucky])]
    ['D4']
    """
    return [info for index, info in enumerate(shown) if index < least or info.visits >= HARDLY * shown[0].visits]


def root_visits(report: Report) -> int:
    """All simulations in the tree, those of earlier moves too."""
    return sum(move.visits for move in report.moves)


def leela_line(shown: Iterable[Info]) -> str:
    """As Leela Zero's `lz-analyze` says it: values in ten-thousandths.

    >>> leela_line([Info("D4", 7, 0.5, 0.25, 0.1, ["D4", "C3"], [7, 2])])
    'info move D4 visits 7 winrate 5000 prior 1000 lcb 2500 order 0 pv D4 C3'
    """
    return " ".join(
        f"info move {info.move} visits {info.visits} winrate {round(1e4 * info.value)} prior {round(1e4 * info.prior)}"
        f" lcb {round(1e4 * info.bound)} order {order} pv {' '.join(info.line)}"
        for order, info in enumerate(shown)
    )


def sabaki_line(shown: Iterable[Info], report: Report, position: Position) -> str:
    """As Sabaki's `analyze` wants it: Leela Zero's form with the lead.

    Its guide allows values from 0 to 1 too, but its code now reads whole numbers only.
    """
    lead = f" scoreLead {_lead(_owned(report, position), position):.3f} order "
    return leela_line(shown).replace(" order ", lead)


def kata_line(shown: list[Info], report: Report, position: Position, wishes: Wishes) -> str:
    """As KataGo's `kata-analyze` says it, from the side of the player to move."""
    owned = _owned(report, position)
    lead = _lead(owned, position)
    parts = [
        f"info move {info.move} visits {info.visits} edgeVisits {info.visits} utility {2 * info.value - 1:.6f}"
        f" winrate {info.value:.6f} scoreMean {lead:.3f} scoreLead {lead:.3f} scoreSelfplay {lead:.3f}"
        f" scoreStdev 0 prior {info.prior:.6f} lcb {info.bound:.6f} utilityLcb {2 * info.bound - 1:.6f}"
        f" weight {info.visits} order {order} pv {' '.join(info.line)}"
        + (f" pvVisits {' '.join(map(str, info.line_visits))}" if wishes.line_visits else "")
        for order, info in enumerate(shown)
    ]
    if wishes.root:
        value = report.value
        parts.append(
            f"rootInfo visits {root_visits(report)} utility {2 * value - 1:.6f} winrate {value:.6f}"
            f" scoreLead {lead:.3f} scoreSelfplay {lead:.3f} scoreStdev 0"
        )
    if wishes.ownership:
        parts.append("ownership " + " ".join(f"{value:.4f}" for value in owned.of(position.to_move)))
    return " ".join(parts)


def cgos_json(engine: Engine, report: Report | None, position: Position, value: float) -> str:
    """As CGOS stores and shows it (https://github.com/zakki/cgos): one line of JSON."""
    owned = _owned(report, position)
    lead = round(_lead(owned, position), 2)
    shown = infos(engine, report, Wishes(most=CGOS_MOVES)) if report is not None else []
    moves: list[dict[str, Any]] = [
        {
            "move": info.move,
            "visits": info.visits,
            "winrate": round(info.value, 4),
            "score": lead,
            "prior": round(info.prior, 6),
            "pv": " ".join(info.line[1:]),
        }
        for info in shown
    ]
    found = {
        "winrate": round(value, 4),
        "score": lead,
        "visits": root_visits(report) if report is not None else 0,
        "moves": moves,
        "ownership": "".join(_symbol(each) for each in owned.of(position.to_move)),
    }
    return json.dumps(found, separators=(",", ":"))


def _symbol(owned: float) -> str:
    """One of 63 signs for -1 to 1."""
    return CGOS_SYMBOLS[round((min(max(owned, -1.0), 1.0) + 1) / 2 * 62)]


def _owned(report: Report | None, position: Position) -> Ownership:
    """By the simulations of the search."""
    assert isinstance(position.game, Go)
    return ownership({} if report is None else report.owners, position.game)


def _lead(owned: Ownership, position: Position) -> float:
    return owned.lead if position.to_move == 0 else -owned.lead
