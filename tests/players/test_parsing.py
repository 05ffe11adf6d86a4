"""A player's text: read, written and read again, and what mistakes in it are answered with."""

from __future__ import annotations

import contextlib
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcrave.errors import Error, SpecError
from mcrave.players import SearchPlayer, parse_player
from mcrave.players.parsing import KINDS
from mcrave.players.search import OPTIONS
from mcrave.specs import Spec, find, names

SOME = {"memory": ["1GB", "64MB"]}  # for options that are texts
TREES = "amaf, crazy_stone, grave, greedy, mc_rave, mogo_abc, monte_carlo, "


def setup(text: str):
    player = parse_player(text)
    assert isinstance(player, SearchPlayer)
    return player.setup


# ------------------------------------------------------------------------------------------ round trips


def values(hint, default):
    """Any value that a field of this type may take."""
    if isinstance(hint, type) and issubclass(hint, Spec):
        return st.deferred(lambda: st.sampled_from(names(hint.kind)).flatmap(lambda name: specs(hint.kind, name)))
    if typing.get_origin(hint) is typing.Literal:
        return st.sampled_from(typing.get_args(hint))
    numbers = {bool: st.booleans(), int: st.integers(0, 10**6), float: st.floats(0, 1e6) | st.floats(1e-9, 1.0)}
    return numbers[hint] if hint in numbers else st.just(default)


def specs(kind: str, name: str):
    """Any spec of that name that its own checks accept."""
    cls = find(name, kind)
    fields = {
        field: st.just(cls._defaults[field]) | values(cls._types[field], cls._defaults[field]) for field in cls._fields
    }

    def make(chosen):
        try:
            return cls(**chosen)
        except SpecError:
            return cls()

    return st.fixed_dictionaries(fields).map(make)


@st.composite
def players(draw):
    """The text of a player: any registered parts with any fields, in any order, with any budget."""
    tree = draw(specs("tree", draw(st.sampled_from(names("tree")))))
    others = [
        str(draw(specs(kind, draw(st.sampled_from(names(kind))))))
        for kind in KINDS
        if kind != "tree" and draw(st.booleans())
    ]
    if draw(st.booleans()):
        others.append(f"search(expand_after={draw(st.integers(0, 9))},memory={draw(st.sampled_from(SOME['memory']))})")
    budget = draw(st.integers(1, 10**9).map(str) | st.floats(1e-3, 1e4).map(lambda s: f"{s:.7f}s"))
    return "+".join([str(tree), *draw(st.permutations(others))]) + f"@{budget}"


@settings(max_examples=100)
@given(text=players())
def test_text_round_trip(text):
    player = parse_player(text, seed=3)
    assert parse_player(str(player), seed=3) == player
    assert str(parse_player(str(player))) == str(player), "the canonical text is its own canonical text"


@pytest.mark.parametrize("kind", KINDS)
def test_every_registered_part_makes_a_player(kind):
    for name in names(kind):
        text = f"{name}@10" if kind == "tree" else f"uct+{name}@10"
        assert getattr(setup(text), kind).name == name


def test_names_are_unique_across_kinds():
    known = [name for kind in KINDS for name in names(kind)]
    assert len(set(known)) == len(known)
    assert not {"search", "random", "human"} & set(known)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("grave(ref=50,bias=1e-5)@1000", "grave@1000"),
        (" uct ( c = 0.4 ) @ 7 ", "uct@7"),
        ("uct", "uct@1000"),
        ("uct()@2.50s", "uct@2.5s"),
        ("uct@.5s", "uct@0.5s"),
        (
            "mc_rave(schedule=min_mse(bias=0.1))+uniform()+even(m=10)+secure()@2s",
            "mc_rave(schedule=min_mse())+even(m=10)+secure@2s",
        ),
        ("rave+secure+grandfather+uniform@5", "rave+grandfather+secure@5"),
        ("uct+search(memory=1GB,expand_after=2)@5", "uct+search(expand_after=2,memory=1GB)@5"),
        ("uct+search(expand_after=0)@5", "uct@5"),
        ("monte_carlo+best_value@5", "monte_carlo@5"),
        ("monte_carlo+most_visits@5", "monte_carlo+most_visits@5"),
        ("Random", "random"),
        ("local_shape()", "local_shape"),
        ("local_shape( weights = w.npz )", "local_shape(weights=w.npz)"),
        ("td_search(alpha=0.5)@500", "td_search@500"),
    ],
)
def test_canonical_text(text, canonical):
    assert str(parse_player(text)) == canonical


def test_order_of_the_parts_does_not_matter():
    assert parse_player("uct+even(m=3)+secure@5") == parse_player("uct+secure+even(m=3)@5")
    assert parse_player("uct@5", seed=1) != parse_player("uct@5", seed=2)
    assert parse_player("uct@5") != parse_player("uct@6")


# --------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "player '' is empty"),
        ("@5", "player '@5' is empty"),
        ("uct++even@5", "in 'uct++even@5', nothing stands beside a +"),
        ("local_shape@5", "player 'local_shape' does not search, so it takes no budget @5"),
        ("local_shape(m=20)", "player 'local_shape(m=20)' does not search, so it takes no m and no c"),
        ("td_search(epsilon=2)@5", "td_search needs epsilon from 0 to 1, not 2"),
        ("utc@5", f"unknown player 'utc@5'; did you mean 'uct'? known: {TREES}"),
        ("hand@5", "unknown player 'hand@5'; "),
        ("uct)@5", "unknown player 'uct)@5'; did you mean 'uct'? known: "),
        ("uct(@5", "cannot read 'uct(@5' as a tree; write name(field=value,...)"),
        ("even@5", f"player 'even@5' must begin with a tree policy, not with 'even'; known: {TREES}"),
        ("search@5", f"player 'search@5' must begin with a tree policy, not with 'search'; known: {TREES}"),
        ("uct+rave@5", "player 'uct+rave@5' has two tree policies"),
        ("uct+even+grandfather@5", "player 'uct+even+grandfather@5' has two priors"),
        ("uct+search+search@5", "player 'uct+search+search@5' has two parts search(...)"),
        ("uct+seure@5", "unknown part 'seure' of player 'uct+seure@5'; did you mean 'secure'? playouts: "),
        ("uct+random@5", "unknown part 'random' of player 'uct+random@5'; "),
        ("uct(d=1)@5", "uct has no field 'd'; fields: c=0.4"),
        ("uct+even(m=x)@5", "even needs m to be a number, not 'x'"),
        ("mc_rave(schedule=hnd)@5", "unknown schedule 'hnd'; did you mean 'hand'? known: "),
        (
            "uct+search(expand=2)@5",
            "search has no field 'expand'; did you mean 'expand_after'? fields: expand_after=0, ",
        ),
        ("uct+search(expand_after=x)@5", "search needs expand_after to be a whole number, not 'x'"),
        ("uct+search(2)@5", "in 'search(2)', '2' needs a field name, as in expand_after=2"),
        ("uct+search(expand_after=1,expand_after=2)@5", "field 'expand_after' stands twice"),
        ("uct+search(expand_after=1@5", "the parentheses in 'search(expand_after=1@5' do not match"),
        ("uct@", "cannot read the budget of player 'uct@'; write @1000 for simulations or @2.5s for time"),
        ("uct@0", "cannot read the budget of player 'uct@0'; write @1000 for simulations or @2.5s for time"),
        ("uct@-1s", "cannot read the budget of player 'uct@-1s'; "),
        ("uct@1e3", "cannot read the budget of player 'uct@1e3'; "),
        ("random@5", "player 'random' does not think, so it takes no budget @5"),
        ("random+even", "unknown player 'random+even'; did you mean 'random'? known: "),
        ("no_such.py:MyPolicy@5", "there is no file no_such.py"),
        (
            "examples/my_game.py:MyGame@5",
            "my_game.py: MyGame is not a policy; write class MyGame(TreePolicy, name=...); ",
        ),
    ],
)
def test_mistakes(text, line):
    with pytest.raises(Error) as error:
        parse_player(text)
    assert line in str(error.value)
    assert "\n" not in str(error.value)


def test_unknown_part_lists_what_is_valid():
    with pytest.raises(SpecError) as error:
        parse_player("uct+mogoo")
    for kind in ("playout", "prior", "choice"):
        assert f"{KINDS[kind]}: {', '.join(names(kind))}" in str(error.value)
    assert all(option in str(error.value) for option in OPTIONS)


@settings(max_examples=200)
@given(text=st.text("uctev+@()=,.1s raond", max_size=20))
def test_nonsense_is_a_player_or_a_clear_error(text):
    with contextlib.suppress(SpecError):
        player = parse_player(text)
        assert parse_player(str(player)) == player
