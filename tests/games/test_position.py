"""Positions as Python objects, and counts and values that others have published."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import product

import numpy as np
import pytest

import mcrave
from mcrave.errors import DiagramError, Error


@pytest.mark.parametrize(
    "game", ["go(size=5)", "go(size=5,superko=simple)", "go3(size=4)", "mnk", "hex(size=3,swap=true)"]
)
def test_pickle_and_copy(game: str) -> None:
    """A copy is equal, knows its history, and obeys superko like the original."""
    dice = random.Random(1)
    position = mcrave.game(game).start()
    for _ in range(6):
        if not position.is_over:
            position = position.play(dice.choice(position.moves.tolist()))
    for same in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position)):
        assert same == position
        assert same.key == position.key
        assert same.history() == position.history()
        assert same.legal_moves() == position.legal_moves()
        assert np.array_equal(same.situations, position.situations)


@pytest.mark.xdist_group("go")
def test_a_very_long_game_can_be_pickled() -> None:
    """No recursion over the history."""
    position = mcrave.game("go(size=5)").start()
    dice = random.Random(2)
    for _ in range(1200):
        moves = [move for move in position.moves.tolist() if move] or [0]
        position = position.play(dice.choice(moves))
        if position.is_over:
            break
    assert pickle.loads(pickle.dumps(position)).history() == position.history()


@pytest.mark.xdist_group("mnk")
def test_a_position_never_changes() -> None:
    """Neither by assignment nor through its arrays."""
    position = mcrave.game("go(size=3)").start()
    with pytest.raises(AttributeError, match=r"^a position never changes: to_move cannot be set"):
        position.to_move = 1
    for array in (position.moves, position.situations):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    position.state[0].turn = 1
    assert position.play("B2").to_move == 1


@pytest.mark.xdist_group("mnk")
def test_wrong_arguments_are_explained() -> None:
    """One line each."""
    game = mcrave.game("mnk")
    over = game.parse("XXX / OO. / ... / O to move")
    for player in ("0", None, "X", 2, -1):
        with pytest.raises(Error, match=r"^mnk has players 0 to 1, not "):
            over.outcome(player)  # type: ignore[arg-type]
    with pytest.raises(DiagramError, match=r"^a diagram is a text, not 5$"):
        game.parse(5)  # type: ignore[arg-type]
    with pytest.raises(Error, match=r"^solve takes a position such as game.start\(\), not mnk\(size=3\)$"):
        mcrave.solve(game)  # type: ignore[arg-type]
    with pytest.raises(Error, match=r"^perft takes a position such as game.start\(\)"):
        mcrave.perft(game, 1)  # type: ignore[arg-type]
    with pytest.raises(Error, match=r"^depth must be a whole number from 0 to 100, not 1.5$"):
        mcrave.perft(game.start(), 1.5)  # type: ignore[arg-type]
    with pytest.raises(Error, match=r"^unknown game 'gomoku'; did you mean 'mnk\(size=15,length=5\)'\?"):
        mcrave.game("gomoku")
    assert game.position("a1, b2 c3") == game.position(["a1", "b2", "c3"])
    assert {"game", "solve", "Search"} <= set(dir(mcrave))
    assert "LinesOfAction" in dir(mcrave.games)


COUNTS = {
    "connect_four": (7, 49, 343, 2401, 16807, 117649, 823536, 5673234),
    "othello": (4, 12, 56, 244, 1396, 8200, 55092, 390216),
    "checkers": (7, 49, 302, 1469, 7361, 36768),
    "breakthrough": (22, 484, 11132, 256036),
    "amazons": (2176, 4307152),
    "lines_of_action": (36,),
}


@pytest.mark.parametrize("game", COUNTS)
def test_published_move_counts(game: str) -> None:
    """Sequences of 1, 2, 3, … moves from the start."""
    start = mcrave.game(game).start()
    wanted = COUNTS[game]
    assert tuple(mcrave.perft(start, depth) for depth in range(1, len(wanted) + 1)) == wanted


@pytest.mark.parametrize(
    ("board", "count"), [("rows=1,cols=1", 1), ("rows=1,cols=6", 313), ("size=2", 57), ("rows=2,cols=3", 489)]
)
@pytest.mark.xdist_group("go")
def test_legal_go_boards(board: str, count: int) -> None:
    """How many diagrams are legal positions (Tromp & Farnebäck)."""
    game = mcrave.game(f"go({board})")
    legal = 0
    for cells in product(".XO", repeat=game.rows * game.cols):
        rows = ["".join(cells[row * game.cols : (row + 1) * game.cols]) for row in range(game.rows)]
        try:
            game.parse(" / ".join(rows))
            legal += 1
        except DiagramError:
            pass
    assert legal == count


@pytest.mark.xdist_group("mnk")
def test_tic_tac_toe_has_5478_positions_and_255168_games() -> None:
    """Counted over `Position` keys and by move sequences."""
    start = mcrave.game("mnk(size=3,length=3)").start()
    seen, waiting = {start.key}, [start]
    while waiting:
        position = waiting.pop()
        for move in position.moves.tolist():
            after = position.play(move)
            if after.key not in seen:
                seen.add(after.key)
                waiting.append(after)
    assert len(seen) == 5478
    sequences = [mcrave.perft(start, depth) for depth in range(10)]
    assert sum(sequences) == 549_946  # nodes of the whole game tree
    assert games(start) == 255_168


def games(position: mcrave.Position) -> int:
    """How many ways the game can go on to its end."""
    if position.is_over:
        return 1
    known = _games.get(position.key)
    if known is None:
        known = _games[position.key] = sum(games(position.play(move)) for move in position.moves.tolist())
    return known


_games: dict[int, int] = {}


@pytest.mark.parametrize(
    ("game", "value"),
    [
        ("mnk(rows=3,cols=4,length=3)", 1.0),
        ("mnk(size=4,length=3)", 1.0),
        ("mnk(rows=2,cols=6,length=3)", 0.5),
        ("mnk(size=4,length=4)", 0.5),
        ("connect_four(rows=5,cols=4)", 0.5),
        ("hex(rows=2,cols=3)", 1.0),
        ("hex(rows=3,cols=2)", 0.0),
        ("hex(size=3,swap=true)", 0.0),
        ("havannah(size=2)", 1.0),
        ("y(size=3)", 1.0),
        ("domineering(rows=4,cols=6)", 1.0),
        ("domineering(rows=4,cols=8)", 0.0),
        ("clobber(rows=1,cols=6)", 0.0),
        ("clobber(rows=1,cols=8)", 1.0),
        ("nogo(rows=1,cols=4)", 0.0),
        ("nogo(rows=1,cols=5)", 1.0),
    ],
)
def test_solved_games(game: str, value: float) -> None:
    """The outcome for the first player, known from the literature or from a solver of other make."""
    assert mcrave.solve(mcrave.game(game).start()).value == value
