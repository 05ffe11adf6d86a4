"""Nim against OpenSpiel and against Bouton's theorem."""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import xor

import pytest

import mcrave
from mcrave.errors import DiagramError, SpecError
from tests.oracles.plain import perft, value


@pytest.mark.openspiel
@pytest.mark.parametrize("misere", ["false", "true"])
@pytest.mark.parametrize(("heaps", "games"), [("1-3-5-7", 2000), ("9-9", 50), ("2-2-2-2-2-2-2-2-2-2", 300)])
def test_same_games_as_openspiel(heaps, games, misere):
    from tests.oracles.openspiel import play_side_by_side

    theirs = f"nim(pile_sizes={heaps.replace('-', ';')},is_misere={misere})"
    assert play_side_by_side(f"nim(heaps={heaps},misere={misere})", theirs, lambda _, move: move, games) > games


@pytest.mark.parametrize("misere", [False, True])
def test_boutons_theorem(misere):
    known = {}
    for heaps in product(range(1, 5), repeat=3):
        won = reduce(xor, heaps) != 0
        if misere and max(heaps) == 1:
            won = not won
        # Keys are the same for all heaps of one number: what the rules add is the same too.
        assert value(mcrave.games.Nim(heaps=heaps, misere=misere).start(), known) == won


@pytest.mark.parametrize(("depth", "count"), [(1, 16), (2, 206), (3, 2116), (4, 17338)])
def test_move_counts(depth, count):
    """Counted with OpenSpiel."""
    assert perft(mcrave.game("nim").start(), depth) == count


def test_the_last_object_wins_or_loses():
    moves = ["2-2", "1-1"]
    assert mcrave.game("nim(heaps=1-2)").position(moves).outcome(1) == 1
    assert mcrave.game("nim(heaps=1-2,misere=true)").position(moves).outcome(1) == 0


def test_drawing():
    position = mcrave.game("nim").position(["4-3", "1-1"])
    assert str(position) == "heaps 0 3 5 4\nX to move"
    assert mcrave.game("nim").parse("heaps 0 3 5 4 / O to move").legal_moves()[:4] == ["2-1", "2-2", "2-3", "3-1"]


def test_many_large_heaps():
    game = mcrave.games.Nim(heaps=(100,) * 16)
    position = game.start()
    assert len(position.moves) == 1600
    assert position.play("16-100").play("1-99").legal_moves()[:2] == ["1-1", "2-1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a position of nim is written like 'heaps 1 3 5 7', not ''"),
        ("1 3 5 7", "a position of nim is written like 'heaps 1 3 5 7', not '1 3 5 7'"),
        ("heaps 1 3 5", "the diagram has 3 heaps, not 4"),
        ("heaps 1 4 5 7", "heap 2 of the diagram has 4 objects, but it started with 3"),
        ("heaps 1 3 5 7 / Z to move", "cannot read 'Z to move' below the diagram; write 'X to move' or 'O to move'"),
    ],
)
def test_bad_diagrams(text, message):
    with pytest.raises(DiagramError) as error:
        mcrave.game("nim").parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nim(heaps=1-0-2)", "a heap of nim has 1 to 100 objects, not 0"),
        ("nim(heaps=101)", "a heap of nim has 1 to 100 objects, not 101"),
        ("nim(heaps=" + "-".join("1" * 17) + ")", "nim is played with 1 to 16 heaps, not 17"),
        ("nim(heaps=a-b)", "nim needs heaps to be whole numbers like 3-4-5, not 'a-b'"),
    ],
)
def test_bad_specs(spec, message):
    with pytest.raises(SpecError) as error:
        mcrave.game(spec)
    assert str(error.value) == message
