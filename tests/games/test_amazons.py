"""Amazons against OpenSpiel, published counts, and drawn positions."""

from __future__ import annotations

import random

import pytest

import mcrave
from mcrave.errors import DiagramError, SpecError


def whole_moves(state):
    """OpenSpiel's moves from here, each as its three actions."""
    for start in state.legal_actions():
        lifted = state.child(start)
        for end in lifted.legal_actions():
            for arrow in lifted.child(end).legal_actions():
                yield start, end, arrow


@pytest.mark.openspiel
@pytest.mark.parametrize(("size", "games"), [(6, 400), (8, 20), (10, 10)])
def test_same_games_as_openspiel(size, games):
    import pyspiel

    dice = random.Random(size)
    for _ in range(games):
        position = mcrave.game(f"amazons(size={size})").start()
        state = pyspiel.load_game(f"amazons(board_size={size})").new_initial_state()
        while not state.is_terminal():
            assert not position.is_over
            assert position.to_move == state.current_player()
            theirs = [(a * size**2 + b) * size**2 + c for a, b, c in whole_moves(state)]
            assert sorted(position.moves.tolist()) == sorted(theirs), f"{position}\n{state}"
            move = dice.choice(theirs)
            position = position.play(move)
            for action in (move // size**4, move // size**2 % size**2, move % size**2):
                state.apply_action(action)
        assert position.is_over
        assert [2 * position.outcome(player) - 1 for player in (0, 1)] == list(state.returns())


@pytest.mark.parametrize(("depth", "count"), [(1, 2176), (2, 4307152)])
def test_published_move_counts(depth, count):
    assert mcrave.perft(mcrave.game("amazons").start(), depth) == count


@pytest.mark.parametrize(
    ("spec", "mine", "theirs"),
    [
        ("amazons", "a4 d1 g1 j4", "a7 d10 g10 j7"),
        ("amazons(size=9)", "a3 c1 g1 i3", "a7 c9 g9 i7"),
        ("amazons(size=8)", "a3 c1 f1 h3", "a6 c8 f8 h6"),
        ("amazons(size=6)", "a2 b1 e1 f2", "a5 b6 e6 f5"),
        ("amazons(size=5)", "a1 e1", "a5 e5"),
        ("amazons(rows=4,cols=7)", "a1 b1 f1 g1", "a4 b4 f4 g4"),
    ],
)
def test_start(spec, mine, theirs):
    position = mcrave.game(spec).start()
    for symbol, cells in (("X", mine), ("O", theirs)):
        drawing = str(position).splitlines()[: position.game.rows]
        found = [
            f"{chr(ord('a') + col)}{line.split()[0]}"
            for line in drawing
            for col, mark in enumerate(line.split()[1:])
            if mark == symbol
        ]
        assert sorted(found) == sorted(cells.split())


def test_an_arrow_may_land_where_the_amazon_came_from():
    position = mcrave.game("amazons(size=4)").parse("O#.. / ##.. / .... / X...")
    assert "a1-d1/a1" in position.legal_moves()
    assert "a1-d1/d1" not in position.legal_moves()
    after = position.play("a1-d1/a1")
    assert str(after).splitlines()[3] == "1 # . . X"


def test_nothing_is_jumped_over():
    position = mcrave.game("amazons(size=4)").parse("O#.. / ##.. / .#.. / X.#.")
    assert sorted(position.legal_moves()) == [
        *("a1-a2/a1", "a1-a2/b1"),
        *("a1-b1/a1", "a1-b1/a2", "a1-b1/c2", "a1-b1/d3"),
    ]


def test_who_cannot_move_loses():
    end = mcrave.game("amazons(size=4)").parse("O... / ##.. / .... / ...X").play("d1-d4/b4")
    assert (end.is_over, end.outcome(0), end.outcome(1)) == (True, 1.0, 0.0)


def test_amazons_are_moved_in_any_order():
    """The list of amazons is the same whichever way they came where they are."""
    game = mcrave.game("amazons(size=6)")
    there = game.position(["b1-b3/c4", "b6-b5/a6", "e1-e3/d3", "e6-e5/f6"])
    again = game.parse(str(there))
    assert (again.key, again.moves.tolist()) == (there.key, there.moves.tolist())


def test_code_is_where_the_amazon_and_the_arrow_come_to():
    from mcrave.games import base

    game = mcrave.game("amazons(size=4)")
    position = game.parse("...O / .... / .... / X.X.")
    moves = [position.number(name) for name in ("a1-b2/b4", "c1-b2/b4", "c1-b2/b3")]
    codes = [base.code(game, position.state[0], move) for move in moves]
    assert codes[0] == codes[1] != codes[2]
    assert max(codes) < game.codes() == 256


def test_moves_may_be_typed_in_other_ways():
    start = mcrave.game("amazons").start()
    assert start.number("d1-d7/g7") == start.number("D1-D7(G7)") == start.number("d1 d7 g7")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("O... / .... / .... / ....", "each player has 1 to 4 amazons, but X has 0"),
        ("OOOO / O... / .... / ...X", "each player has 1 to 4 amazons, but O has 5"),
        ("O..@ / .... / .... / ...X", "row 4 of the diagram has '@'; use . X O #"),
    ],
)
def test_bad_diagrams(text, line):
    with pytest.raises(DiagramError) as caught:
        mcrave.game("amazons(size=4)").parse(text)
    assert str(caught.value) == line


@pytest.mark.parametrize("spec", ["amazons(size=11)", "amazons(rows=3,cols=8)"])
def test_bad_sizes(spec):
    with pytest.raises(SpecError, match=r"amazons boards go from 4x4 to 10x10, not (11x11|3x8)"):
        mcrave.game(spec)
