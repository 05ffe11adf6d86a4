"""Every registered game can be drawn and played by clicks alone."""

from __future__ import annotations

import random
import xml.etree.ElementTree as xml

import pytest

import mcrave
from mcrave.specs import names
from mcrave.web import boards
from mcrave.web.drawing import LAYERS, Scene, Spot, View, last_cells
from mcrave.web.table import Table
from tests.cli.test_play import SMALL

GAMES = [SMALL.get(name, name) for name in names("game")]


def click_through(position, move: str, dice: random.Random) -> str | None:
    """Click the cells of a move one after another; the move that comes of it."""
    picked: tuple[str, ...] = ()
    for _ in range(4):
        cells = [cell for cell, moves in boards.choices(position, picked).items() if move in moves]
        assert cells, f"{move} cannot be reached after {picked}"
        made, picked = boards.clicked(position, picked, dice.choice(cells))
        if made is not None:
            return made
    return None


@pytest.mark.parametrize("text", GAMES)
def test_every_move_can_be_clicked(text):
    """Through a random game: each legal move has its clicks or a button, and the pieces are those of the diagram."""
    dice = random.Random(7)
    position = mcrave.game(text).start()
    for _ in range(12):
        if position.is_over:
            break
        others = boards.other_moves(position)
        legal = position.legal_moves()
        for move in dice.sample(legal, min(len(legal), 6)):
            if move not in others:
                assert click_through(position, move, dice) == move
        covered = {name for moves in boards.choices(position).values() for name in moves}
        assert covered | set(others) == set(legal)
        drawn = [mark for row in str(position).splitlines() for mark in row.split()]
        if position.game.name not in ("nim", "havannah", "y", "hex"):
            marks = [mark for mark in boards.pieces(position).values() if mark.seat >= 0]
            assert len(marks) == sum(
                mark in position.game.symbols.swapcase() + position.game.symbols for mark in _cells(drawn)
            )
        position = position.play(dice.choice(legal))


def _cells(words: list[str]) -> list[str]:
    """The marks of a diagram: single characters, the turn and the columns' letters left out."""
    end = words.index("to") - 1 if "to" in words else len(words)
    words = words[:end]
    last = max(i for i, word in enumerate(words) if word.isdigit())
    width = next(i for i, word in enumerate(words[1:], 1) if word.isdigit()) - 1 if last else len(words)
    return [word for word in words[: last + width + 1] if not word.isdigit()]


@pytest.mark.parametrize("text", GAMES)
def test_pictures_are_well_formed(text):
    """After some moves, with everything that can be shown."""
    dice = random.Random(3)
    position = mcrave.game(text).start()
    for _ in range(5):
        if not position.is_over:
            position = position.play(dice.choice(position.legal_moves()))
    choices = boards.choices(position)
    first = next(iter(choices), "")
    scene = Scene(heat={first: Spot("#0072b2", ("51", "1.2k"), True)}, targets=list(choices), picked=[first])
    shape, marks = boards.layout(position.game), boards.pieces(position)
    scene.variation = [(position.to_move, boards.cells_of(shape, marks, move)) for move in position.legal_moves()[:2]]
    picture = View(position.game).picture(position, scene, 'a "label" <with> signs')
    root = xml.fromstring(picture)
    assert root.attrib["aria-label"] == 'a "label" <with> signs'
    targets = [each.attrib["data-cell"] for each in root.iter() if each.attrib.get("class") == "target"]
    assert targets == list(choices)
    shell = xml.fromstring(View(position.game, "main-board").shell("x"))
    assert [each.attrib["id"] for each in shell] == [f"main-board-{layer}" for layer in LAYERS]


def test_stones_stand_where_they_were_put():
    """A stone's circle is at the crossing of its row and column."""
    position = mcrave.game("go(size=5)").position("A1 E5")
    root = xml.fromstring(View(position.game).picture(position, Scene(), "go"))
    stones = [each for each in root.iter() if each.tag.endswith("circle") and each.attrib["r"] == "18.8"]
    places = {(float(each.attrib["cx"]), float(each.attrib["cy"])): each.attrib["fill"] for each in stones}
    assert places == {(44.0, 204.0): "#1b1d21", (204.0, 44.0): "#fbfbf8"}


def test_numbers_can_be_read_on_stones():
    """White on black and black on white, whatever the colour around the stone."""
    position = mcrave.game("clobber(rows=2,cols=2)").start()
    scene = Scene(heat={cell.name: Spot("#0072b2", ("51",)) for cell in boards.layout(position.game).cells})
    root = xml.fromstring(View(position.game).picture(position, scene, "clobber"))
    inks = {(each.attrib["x"], each.attrib["y"]): each.attrib["fill"] for each in root.iter() if each.text == "51"}
    stones = {(each.attrib["cx"], each.attrib["cy"]): each.attrib["fill"] for each in root.iter() if "r" in each.attrib}
    assert len(inks) == 4
    assert {(stones[place], ink) for place, ink in inks.items()} == {("#1b1d21", "#fff"), ("#fbfbf8", "#111")}


def test_a_stone_falls_to_the_lowest_free_cell():
    """The ghost of a click anywhere in a column shows where the stone will stand."""
    position = mcrave.game("connect_four").position("d d")
    scene = Scene(targets=list(boards.choices(position)))
    root = xml.fromstring(View(position.game).picture(position, scene, "connect four"))
    targets = [each for each in root.iter() if each.attrib.get("data-cell", "")[:1] in ("d", "e")]
    ghosts = {each.attrib["data-cell"][0]: each[0].attrib["cy"] for each in targets}
    assert len(targets) == 12
    assert {(each.attrib["data-cell"][0], each[0].attrib["cy"]) for each in targets} == set(ghosts.items())
    assert float(ghosts["e"]) - float(ghosts["d"]) == 80.0


def test_dominoes_are_their_players():
    position = mcrave.game("domineering(size=4)").position("a1-a2 c1-d1")
    root = xml.fromstring(View(position.game).picture(position, Scene(), "domineering"))
    long = [
        (each.attrib["fill"], each.attrib["width"], each.attrib["height"])
        for each in root.iter()
        if each.tag.endswith("rect") and {each.attrib["width"], each.attrib["height"]} == {"30", "70"}
    ]
    assert sorted(long) == [("#1b1d21", "30", "70"), ("#fbfbf8", "70", "30")]


def test_last_move_of_games_without_cells_in_its_name():
    assert last_cells(mcrave.game("connect_four").position("d d")) == ["d2"]


def test_a_game_of_ones_own_is_drawn():
    """Its diagram says everything."""
    game = mcrave.game("examples/my_game.py:MyGame(size=3)")
    assert [cell.name for cell in boards.layout(game).cells][:3] == ["a3", "b3", "c3"]
    assert boards.clicked(game.start(), (), "b2") == ("b2", ())


def test_undo_goes_back_to_the_person():
    table = Table.new("mnk", mcrave.game("mnk"), ["human", "random"])
    for move in ("a1", "b2", "c3", "a3"):
        table.play(move)
    table.undo()
    assert (table.at, table.position.to_move, len(table.line)) == (2, 0, 5)
    table.redo()
    assert table.at == 4
    table.undo()
    table.play("c1")
    assert (len(table.line), table.moves) == (4, ["a1", "b2", "c1"])
