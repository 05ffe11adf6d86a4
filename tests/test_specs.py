"""Specs: one text form everywhere, and an error of one line for everything that is not one."""

from __future__ import annotations

import pickle
import pkgutil
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mcrave
from mcrave.errors import Error, SpecError
from mcrave.specs import Spec, find, lowered, names, parse, register

MANY = settings(max_examples=max(150, settings().max_examples))


class Cup(Spec, name="cup", kind="test_toy"):
    """Every kind of field but the nested one."""

    count: int = 2
    weight: float = 0.5
    full: bool = False
    taste: Literal["sweet", "dry", "very_dry"] = "dry"
    sips: tuple[int, ...] = (1, 2)


class Tray(Spec, name="tray", kind="test_toy"):
    """A spec that holds specs."""

    left: Cup = Cup()
    right: Cup = Cup(count=3)
    high: int = 1


class Board(Spec, name="board", kind="test_toy"):
    """The three fields of a board, and one more."""

    size: int = 8
    rows: int = 0
    cols: int = 0
    length: int = 3

    def validate(self) -> None:
        if self.rows > 25 or self.cols > 25:
            raise SpecError(f"board goes up to 25x25, not {self.rows}x{self.cols}")


class Oblong(Spec, name="oblong", kind="test_toy"):
    """A board that is not square by default."""

    size: int = 0
    rows: int = 6
    cols: int = 7


class Sided(Spec, name="sided", kind="test_toy"):
    """A size, but no rows and columns, as for a hexagon."""

    size: int = 4


class Bare(Spec, name="bare", kind="test_toy"):
    """No fields at all."""


def read(text: str) -> Spec:
    return parse(text, "test_toy")


cups = st.builds(
    Cup,
    count=st.integers(-(2**62) + 1, 2**62 - 1),
    weight=st.floats(allow_nan=False),
    full=st.booleans(),
    taste=st.sampled_from(["sweet", "dry", "very_dry"]),
    sips=st.lists(st.integers(0, 2**40), min_size=1, max_size=4).map(tuple),
)
boards = st.tuples(st.integers(1, 25), st.integers(1, 25), st.integers(0, 9)).map(
    lambda sides: Board(rows=sides[0], cols=sides[1], length=sides[2])
)


# ------------------------------------------------------------------------------------------- the text form


@MANY
@given(spec=st.one_of(cups, boards, st.builds(Tray, left=cups, right=cups, high=st.integers(0, 9))))
def test_text_and_pickle_bring_a_spec_back(spec):
    again = read(str(spec))
    assert again == spec
    assert type(again) is type(spec)
    assert hash(again) == hash(spec)
    assert read(repr(spec)) == spec
    assert str(again) == str(spec)
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert spec._replace() == spec
    assert type(spec)(**spec._asdict()) == spec


@MANY
@given(text=st.text(alphabet="cuptray(),=0123456789.-+ \n\tonfule_'\"é", max_size=40))
def test_any_text_is_a_spec_or_an_error_of_one_line(text):
    try:
        spec = read(text)
    except SpecError as error:
        message = str(error)
    else:
        assert read(str(spec)) == spec
        return
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("cup", Cup()),
        ("cup()", Cup()),
        (" cup ( ) ", Cup()),
        ("cup(3)", Cup(3)),
        ("cup(3,0.25,full=true)", Cup(3, 0.25, True)),
        ("cup(weight=1e-6)", Cup(weight=1e-6)),
        ("cup( count = 3 , full = TRUE )", Cup(count=3, full=True)),
        ("cup(full=1)", Cup(full=True)),
        ("cup(sips=3-4-5)", Cup(sips=(3, 4, 5))),
        ("cup(sips=3;4 5+6)", Cup(sips=(3, 4, 5, 6))),
        ("cup(sips=7)", Cup(sips=(7,))),
        ("cup(taste=sweet)", Cup(taste="sweet")),
        ("cup(weight=inf)", Cup(weight=float("inf"))),
        ("tray(left=cup(count=9),high=2)", Tray(left=Cup(count=9), high=2)),
        ("tray(cup(count=9,full=true),cup(sips=1-1))", Tray(Cup(9, full=True), Cup(sips=(1, 1)))),
        ("tray(right=cup)", Tray(right=Cup())),
        ("bare", Bare()),
        ("bare()", Bare()),
    ],
)
def test_ways_to_write_a_spec(text, spec):
    assert read(text) == spec


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (Cup(), "cup()"),
        (Cup(2, 0.5), "cup()"),
        (Cup(weight=2.0), "cup(weight=2)"),
        (Cup(weight=1e-6), "cup(weight=1e-06)"),
        (Cup(weight=1e300), "cup(weight=1e+300)"),
        (Cup(full=True, sips=(9,)), "cup(full=true,sips=9)"),
        (Tray(), "tray()"),
        (Tray(left=Cup(count=9)), "tray(left=cup(count=9))"),
        (Board(), "board(size=8)"),
        (Board(size=5, length=4), "board(size=5,length=4)"),
        (Board(rows=5, cols=5), "board(size=5)"),
        (Board(rows=3), "board(rows=3,cols=8)"),
        (Oblong(), "oblong(rows=6,cols=7)"),
        (Oblong(size=4), "oblong(size=4)"),
        (Bare(), "bare()"),
    ],
    ids=str,
)
def test_text_names_what_differs_from_the_default(spec, text):
    assert str(spec) == text
    assert read(text) == spec


def test_a_size_without_rows_and_cols_is_written():
    assert str(Sided(size=3)) == "sided(size=3)"
    assert read("sided(size=3)") == Sided(3)


# -------------------------------------------------------------------------------------------------- boards


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("board", (8, 8, 8)),
        ("board(size=5)", (5, 5, 5)),
        ("board(rows=5)", (0, 5, 8)),
        ("board(cols=5)", (0, 8, 5)),
        ("board(rows=8)", (8, 8, 8)),
        ("board(rows=3,cols=5)", (0, 3, 5)),
        ("board(size=5,rows=5)", (5, 5, 5)),
        ("board(5)", (5, 5, 5)),
        ("oblong", (0, 6, 7)),
        ("oblong(rows=7)", (7, 7, 7)),
        ("oblong(size=3)", (3, 3, 3)),
        ("oblong(cols=3)", (0, 6, 3)),
    ],
)
def test_size_rows_and_cols_are_brought_into_one_form(text, expected):
    spec = read(text)
    assert (spec.size, spec.rows, spec.cols) == expected
    assert read(str(spec)) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_replace_rules_the_board_anew():
    assert Board(size=5)._replace(size=6) == Board(size=6)
    assert Board(rows=3, cols=5)._replace(size=6) == Board(size=6)
    assert Board(size=5)._replace(rows=3) == Board(rows=3, cols=5)
    assert Board(size=5)._replace(length=2) == Board(size=5, length=2)
    assert Board(rows=3, cols=5)._replace(length=2) == Board(rows=3, cols=5, length=2)
    assert Cup()._replace(count=5) == Cup(count=5)


# -------------------------------------------------------------------------------------------------- errors

CUP_FIELDS = "fields: count=2, weight=0.5, full=false, taste=dry, sips=1-2"

ERRORS = {
    "cpu": "unknown test_toy 'cpu'; did you mean 'cup'? known: bare, board, cup, oblong, sided, tray",
    "zzzzzz": "unknown test_toy 'zzzzzz'; known: bare, board, cup, oblong, sided, tray",
    "Cup": "unknown test_toy 'Cup'; did you mean 'cup'? known: bare, board, cup, oblong, sided, tray",
    "cup(cuont=3)": f"cup has no field 'cuont'; did you mean 'count'? {CUP_FIELDS}",
    "cup(zzz=3)": f"cup has no field 'zzz'; {CUP_FIELDS}",
    "bare(x=3)": "bare has no field 'x'; no fields",
    "cup(count=1.5)": "cup needs count to be a whole number, not '1.5'",
    "cup(count=many)": "cup needs count to be a whole number, not 'many'",
    "cup(count=)": "cup needs count to be a whole number, not ''",
    "cup(count=99999999999999999999)": "cup needs count to be a whole number, not '99999999999999999999'",
    "cup(weight=heavy)": "cup needs weight to be a number, not 'heavy'",
    "cup(weight=nan)": "cup needs weight to be a number, not 'nan'",
    "cup(full=2)": "cup needs full to be true or false, not '2'",
    "cup(taste=sour)": "cup needs taste to be one of sweet, dry, very_dry, not 'sour'",
    "cup(sips=1-x)": "cup needs sips to be whole numbers like 3-4-5, not '1-x'",
    "cup(count=1,count=2)": "in 'cup(count=1,count=2)', field 'count' stands twice",
    "cup(1,count=2)": "cup was given count twice",
    "cup(count=1,2)": "in 'cup(count=1,2)', '2' needs a field name, as in field=2",
    "cup(1,2,true,dry,1-2,6)": f"cup takes at most 5 values ({CUP_FIELDS}), not 6",
    "cup(count=1,,full=true)": "in 'cup(count=1,,full=true)', nothing stands between two commas",
    "cup(count=1,,)": "in 'cup(count=1,,)', nothing stands between two commas",
    "tray(left=cup(count=1)": "the parentheses in 'tray(left=cup(count=1)' do not match",
    "cup())": "the parentheses in 'cup())' do not match",
    "cup(": "cannot read 'cup(' as a test_toy; write name(field=value,...)",
    "cup)": "cannot read 'cup)' as a test_toy; write name(field=value,...)",
    "": "cannot read '' as a test_toy; write name(field=value,...)",
    "3": "cannot read '3' as a test_toy; write name(field=value,...)",
    "cup()x": "cannot read 'cup()x' as a test_toy; write name(field=value,...)",
    "tray(left=bare)": "tray needs left to be a test_toy, not 'bare'",
    "tray(left=cup(count=x))": "cup needs count to be a whole number, not 'x'",
    "tray(left=nothing)": "unknown test_toy 'nothing'; known: bare, board, cup, oblong, sided, tray",
    "board(size=5,rows=4)": "board takes either size=5 or rows=4, not both",
    "board(size=5,rows=4,cols=6)": "board takes either size=5 or rows=4,cols=6, not both",
    "board(size=0)": "board needs size to be at least 1, not 0",
    "board(size=-3)": "board needs size to be at least 1, not -3",
    "board(rows=0)": "board needs rows to be at least 1, not 0",
    "board(rows=3,cols=-1)": "board needs cols to be at least 1, not -1",
    "board(size=26)": "board goes up to 25x25, not 26x26",
    "board(rows=3,cols=26)": "board goes up to 25x25, not 3x26",
}


@pytest.mark.parametrize("text", ERRORS)
def test_error(text):
    with pytest.raises(SpecError) as caught:
        read(text)
    assert str(caught.value) == ERRORS[text]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cup(count=1.5), "cup needs count to be a whole number, not '1.5'"),
        (lambda: Cup(count=True), "cup needs count to be a whole number, not 'true'"),
        (lambda: Cup(count=None), "cup needs count to be a whole number, not 'None'"),
        (lambda: Cup(full=1), "cup needs full to be true or false, not '1'"),
        (lambda: Cup(sips=3), "cup needs sips to be whole numbers like 3-4-5, not '3'"),
        (lambda: Cup(sips=(1, 2.5)), "cup needs sips to be whole numbers like 3-4-5, not '1-2.5'"),
        (lambda: Tray(left=Bare()), "tray needs left to be a test_toy, not 'bare()'"),
        (lambda: Tray(left=3), "tray needs left to be a test_toy, not '3'"),
        (lambda: Cup(1, count=2), "cup was given count twice"),
        (lambda: parse(3, "test_toy"), "a test_toy is written as text like 'bare()', not 3"),
        (lambda: parse(None, "test_toy"), "a test_toy is written as text like 'bare()', not None"),
        (lambda: register(Cup, "Cup"), "'Cup' cannot be a name: use lower-case letters, digits and _"),
        (lambda: register(Cup, "for"), "'for' cannot be a name: use lower-case letters, digits and _"),
        (lambda: register(Tray, "cup"), "test_toy 'cup' is already defined by tests.test_specs; choose another name"),
    ],
)
def test_error_in_python(make, message):
    with pytest.raises(SpecError) as caught:
        make()
    assert str(caught.value) == message


def test_a_field_without_default_is_refused():
    with pytest.raises(SpecError, match="field 'x' of Bad needs a default, as in `x: int = 3`"):

        class Bad(Spec):
            x: int


def test_errors_are_value_errors_of_mcrave():
    assert issubclass(SpecError, Error)
    assert issubclass(Error, ValueError)
    assert mcrave.Error is Error


# --------------------------------------------------------------------------------- equality, and what is it


def test_specs_of_two_classes_are_never_equal():
    class Mug(Spec):
        count: int = 2

    class Jug(Spec):
        count: int = 2

    assert Mug() != Jug()
    assert (Mug() == Jug()) is False
    assert Mug() == Mug(2)
    assert (Mug() == (2,)) is False
    assert ((2,) == Mug()) is False  # noqa: SIM300
    assert len({Mug(), Jug(), Mug(2)}) == 2
    assert Cup(weight=2) == Cup(weight=2.0)


def test_a_spec_cannot_be_changed():
    with pytest.raises(AttributeError):
        Cup().count = 3
    with pytest.raises(TypeError):
        Cup()[0] = 3


def test_a_subclass_inherits_fields_and_defaults():
    class Goblet(Cup):
        count: int = 7
        stem: bool = True

    assert Goblet._fields == ("count", "weight", "full", "taste", "sips", "stem")
    assert (Goblet().count, Goblet().weight, Goblet().stem) == (7, 0.5, True)
    assert Cup().count == 2


def test_lowered_turns_choices_into_numbers():
    low = lowered(Tray(left=Cup(taste="very_dry")))
    assert type(low) is Tray
    assert tuple(low.left) == (2, 0.5, False, 2, (1, 2))
    assert tuple(low.right) == (3, 0.5, False, 1, (1, 2))
    assert tuple(lowered(Board(size=5))) == tuple(Board(size=5))
    assert all(type(value) in (int, float, bool, tuple) for value in low.left)


# ------------------------------------------------------------------------------------------------- registry


def test_names_lists_files_but_no_helpers():
    found = names("game")
    assert found == sorted(found)
    assert "mnk" in found
    assert not [name for name in found if name.startswith("_") or name == "base"]
    files = {module.name for module in pkgutil.iter_modules(mcrave.games.__path__)}
    assert {name for name in files if not name.startswith("_") and name != "base"} <= set(found)
    assert names("no such kind") == []


@pytest.mark.parametrize("name", names("game"))
def test_a_name_leads_to_its_class(name):
    cls = find(name, "game")
    assert cls.name == name
    assert cls.kind == "game"
    assert parse(name, "game") == cls()
    if cls.__module__.startswith("mcrave."):
        assert cls.__module__ == f"mcrave.games.{name}"
        assert cls.__name__ == "".join(part.capitalize() for part in name.split("_"))


def test_helper_modules_are_no_games():
    for text in ("_grid", "_position", "base"):
        with pytest.raises(SpecError, match=f"unknown game '{text}'"):
            parse(text, "game")


def test_classes_are_attributes_of_the_package():
    assert mcrave.games.Mnk is find("mnk", "game")
    with pytest.raises(AttributeError, match="unknown game 'no_such_game'"):
        _ = mcrave.games.NoSuchGame
    with pytest.raises(AttributeError, match="has no attribute 'no_such_game'"):
        _ = mcrave.games.no_such_game
