"""Players with ranges in their text: what is read, what is filled in, and a line for what cannot be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrave.errors import Error
from mcrave.players import parse_player
from mcrave.tuning import Choice, Range, Template


def values_of(text: str) -> dict[str, Range | Choice]:
    return {parameter.name: parameter.values for parameter in Template(text).parameters}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("uct(c=[0.1..1.0])@1000", {"c": Range(0.1, 1.0)}),
        ("uct(c=[0..1.5])", {"c": Range(0.0, 1.5)}),
        ("grave(ref=[10..500 log])@50", {"ref": Range(10, 500, True)}),
        ("uct(c=[ 1e-3 .. 1  log ])@50", {"c": Range(1e-3, 1.0, True)}),
        ("uct([0.1..1])@[10..90]", {"value": Range(0.1, 1.0), "budget": Range(10, 90)}),
        ("uct+[mogo()|uniform()]@9", {"part 2": Choice(("mogo()", "uniform()"))}),
        ("[uct|grave(ref=20)]@9", {"player": Choice(("uct", "grave(ref=20)"))}),
        ("mc_rave(schedule=[hand(k=50)|min_mse()])@9", {"schedule": Choice(("hand(k=50)", "min_mse()"))}),
        ("mc_rave(schedule=hand(k=[1..9]))@9", {"k": Range(1, 9)}),
        ("uct+even(m=[0..9],c=[0..9])@9", {"m": Range(0, 9), "c": Range(0, 9)}),
        ("uct(c=[0.1..1])+even(c=[0.5..9])@9", {"uct.c": Range(0.1, 1.0), "even.c": Range(0.5, 9.0)}),
        ("uct+search(expand_after=[0..5])@9", {"expand_after": Range(0, 5)}),
    ],
)
def test_ranges_are_read(text, values):
    assert values_of(text) == values


@pytest.mark.parametrize(
    ("text", "default"),
    [
        ("uct(c=[0.1..1.0])@100", "uct@100"),
        ("uct(c=[0.1..1.0],urgency=0.8)+mogo@100", "uct(urgency=0.8)+mogo()@100"),
        ("uct(urgency=0.8,c=[0.1..1.0])@100", "uct(urgency=0.8)@100"),
        ("uct+even(m=[0..9],c=[0..9])@9", "uct@9"),
        ("mc_rave(schedule=hand(k=[1..9]))@9", "mc_rave(schedule=hand())@9"),
        ("mc_rave(schedule=[hand(k=50)|min_mse(bias=0.3)])@9", "mc_rave@9"),
        ("[grave|uct]+[mogo()|uniform()]@9", "grave+mogo@9"),
        ("uct+search(expand_after=[1..5])@9", "uct@9"),
    ],
)
def test_defaults_leave_the_ranges_out(text, default):
    assert Template(text).default() == str(parse_player(default))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("uct(c=0.4)@100", "player 'uct(c=0.4)@100' has nothing to tune; write [0.1..1.5], [1..100]"),
        ("uct(c=[0.1..)@100", "the brackets in 'uct(c=[0.1..)@100' do not match"),
        ("uct(c=[[1..2]..3])@100", "do not match"),
        ("uct(c=0.1])@100", "do not match"),
        ("uct(c=[])@100", "cannot read the range []; write"),
        ("uct(c=[0.4])@100", "cannot read the range [0.4]; write"),
        ("uct(c=[1..5..9])@100", "cannot read the range [1..5..9]; write"),
        ("uct(c=[a..b])@100", "cannot read the range [a..b]; write"),
        ("uct(c=[0.3||0.4])@100", "cannot read the range [0.3||0.4]; write"),
        ("uct(c=[0.3|0.3])@100", "in [0.3|0.3], '0.3' stands twice"),
        ("uct(c=[2..1])@100", "the range [2..1] holds at most one number: the lower one comes first"),
        ("uct(c=[1..1])@100", "holds at most one number"),
        ("uct(c=[0..1 log])@100", "the range [0..1 log] begins at 0, and log needs numbers above 0"),
        ("uct(c=[0..inf])@100", "the range [0..inf] has no end"),
        ("uct(c=[nan..1])@100", "the range [nan..1] has no end"),
        ("uct(d=[0..1])@100", "uct has no field 'd'"),
        ("grave(ref=[0.5..1.5])@100", "grave needs ref to be a whole number, not '0.5'"),
        ("uct+[mogo()|mogu()]@100", "unknown part 'mogu'"),
        ("uct@[0..5]", "cannot read the budget of player 'uct@0'"),
        ("", "has nothing to tune"),
    ],
)
def test_bad_templates(text, line):
    with pytest.raises(Error) as error:
        Template(text)
    assert line in str(error.value)


def test_a_budget_has_no_default():
    with pytest.raises(Error, match=r"\[5..9\] of 'uct@\[5..9\]' has no default; name an opponent"):
        Template("uct@[5..9]").default()


@given(low=st.floats(-1e6, 1e6), width=st.floats(1e-3, 1e6), share=st.floats(0, 1))
def test_values_stay_within_their_range(low, width, share):
    """However they are rounded, and the place of a value is where it was."""
    values = Range(low, low + width)
    value = min(low + share * width, low + width)
    assert values.low <= float(values.text(value)) <= values.high
    assert values.place(value) == pytest.approx(share, abs=1e-6 * max(1.0, abs(low) / width))


@given(text=st.text(alphabet="uct[]()|.=c0129,@+ log", max_size=25))
def test_nonsense_is_an_error_or_a_template(text):
    try:
        template = Template(text)
    except Error:
        return
    values = {parameter.name: parameter.values.ends()[-1] for parameter in template.parameters}
    assert parse_player(template.fill(values))
