"""Move counts to depth 4 and 5 for every game, against programs of other make: OpenSpiel and plain twins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyspiel
import pytest

import mcrave
from tests.oracles.plain_go import PlainGo

OPENSPIEL = [
    ("breakthrough(rows=6,cols=3)", "breakthrough(rows=6,columns=3)", 5),
    ("checkers", "checkers", 5),
    ("clobber(rows=4,cols=4)", "clobber(rows=4,columns=4)", 4),
    ("connect_four(rows=4,cols=5)", "connect_four(rows=4,columns=5)", 6),
    ("havannah(size=3)", "havannah(board_size=3)", 3),
    ("hex(size=3)", "hex(board_size=3)", 5),
    ("lines_of_action", "lines_of_action", 4),
    ("mnk(size=3,length=3)", "tic_tac_toe", 6),
    ("nim(heaps=1-3-5-7)", "nim(pile_sizes=1;3;5;7,is_misere=false)", 5),
    ("othello", "othello", 6),
    ("y(size=4)", "y(board_size=4)", 5),
]


def spiel_count(state: Any, depth: int) -> int:
    """Sequences of `depth` moves; the last ply is counted without playing it."""
    if state.is_terminal():
        return 0
    if depth == 1:
        return len(state.legal_actions())
    return sum(spiel_count(state.child(action), depth - 1) for action in state.legal_actions())


@pytest.mark.openspiel
@pytest.mark.parametrize(("ours", "theirs", "depth"), OPENSPIEL)
def test_counts_agree_with_openspiel(ours: str, theirs: str, depth: int) -> None:
    """All depths up to the last."""
    start, state = mcrave.game(ours).start(), pyspiel.load_game(theirs).new_initial_state()
    for plies in range(1, depth + 1):
        assert mcrave.perft(start, plies) == spiel_count(state, plies)


def go_moves(plain: PlainGo) -> list[Any]:
    """Every legal move, pass included."""
    return list(plain.legal()) if plain.passes < len(plain.symbols) else []


def capture_moves(plain: PlainGo) -> list[Any]:
    """Atarigo: what is not suicide, until the first capture."""
    return [] if plain.captured else [p for p in plain.points if plain.try_stone(p) is not None]


def quiet_moves(plain: PlainGo) -> list[Any]:
    """NoGo: neither suicide nor capture."""
    return [p for p in plain.points if (found := plain.try_stone(p)) is not None and found[1] == 0]


def plain_count(make: Callable[[], Any], legal: Callable[[Any], list[Any]], moves: tuple[Any, ...], depth: int) -> int:
    """Count by replaying every sequence from the start."""
    plain = make()
    plain.captured = False
    for move in moves:
        if move is not None and plain.try_stone(move)[1]:
            plain.captured = True
        plain.play(move)
    choices = legal(plain)
    if depth == 1:
        return len(choices)
    return sum(plain_count(make, legal, (*moves, move), depth - 1) for move in choices)


@pytest.mark.parametrize(
    ("game", "make", "legal", "depth"),
    [
        ("go(size=2)", lambda: PlainGo(2, 2), go_moves, 6),
        ("go(rows=2,cols=3)", lambda: PlainGo(2, 3), go_moves, 4),
        ("go(size=2,superko=situational)", lambda: PlainGo(2, 2, superko="situational"), go_moves, 6),
        ("go3(size=2)", lambda: PlainGo(2, 2, "XO#"), go_moves, 5),
        ("atarigo(size=3)", lambda: PlainGo(3, 3, superko="simple"), capture_moves, 4),
        ("atarigo(size=2)", lambda: PlainGo(2, 2, superko="simple"), capture_moves, 5),
        ("nogo(size=3)", lambda: PlainGo(3, 3, superko="simple"), quiet_moves, 4),
    ],
)
def test_counts_of_stone_games_agree_with_the_plain_twin(
    game: str, make: Callable[[], Any], legal: Callable[[Any], list[Any]], depth: int
) -> None:
    """Superko included."""
    start = mcrave.game(game).start()
    for plies in range(1, depth + 1):
        assert mcrave.perft(start, plies) == plain_count(make, legal, (), plies)


def dominoes(free: frozenset[tuple[int, int]], vertical: bool, depth: int) -> int:
    """Domineering on a set of free cells."""
    step = (1, 0) if vertical else (0, 1)
    placed = [(cell, (cell[0] + step[0], cell[1] + step[1])) for cell in free]
    moves = [pair for pair in placed if pair[1] in free]
    return len(moves) if depth == 1 else sum(dominoes(free - set(pair), not vertical, depth - 1) for pair in moves)


def knights(white: frozenset[Any], black: frozenset[Any], rows: int, cols: int, up: bool, depth: int) -> int:
    """Knightthrough with the pieces of both sides as sets of (row, column), row 0 at the bottom."""
    mine, enemy, forward = (white, black, 1) if up else (black, white, -1)
    if any(row == rows - 1 for row, _ in white) or any(row == 0 for row, _ in black):
        return 0
    total = 0
    for row, col in mine:
        for down, right in ((1, 2), (1, -2), (2, 1), (2, -1)):
            to = (row + forward * down, col + right)
            if 0 <= to[0] < rows and 0 <= to[1] < cols and to not in mine:
                if depth == 1:
                    total += 1
                else:
                    moved, left = mine - {(row, col)} | {to}, enemy - {to}
                    sides = (moved, left) if up else (left, moved)
                    total += knights(*sides, rows, cols, not up, depth - 1)
    return total


@pytest.mark.parametrize("board", [(4, 4), (3, 5), (8, 8)])
def test_domineering_counts(board: tuple[int, int]) -> None:
    """Depth 4, and 2 on the full board."""
    rows, cols = board
    start = mcrave.game(f"domineering(rows={rows},cols={cols})").start()
    cells = frozenset((row, col) for row in range(rows) for col in range(cols))
    for plies in range(1, (4 if rows < 8 else 2) + 1):
        assert mcrave.perft(start, plies) == dominoes(cells, True, plies)


@pytest.mark.parametrize("board", [(6, 4), (8, 8)])
def test_knightthrough_counts(board: tuple[int, int]) -> None:
    """Depth 4, and 2 on the full board."""
    rows, cols = board
    start = mcrave.game(f"knightthrough(rows={rows},cols={cols})").start()
    white = frozenset((row, col) for row in (0, 1) for col in range(cols))
    black = frozenset((row, col) for row in (rows - 1, rows - 2) for col in range(cols))
    for plies in range(1, (4 if rows < 8 else 2) + 1):
        assert mcrave.perft(start, plies) == knights(white, black, rows, cols, True, plies)
