"""Playout policies that learn: what they count, how they choose, the same compiled and interpreted."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import mcrave
from mcrave import specs
from mcrave.errors import Error, SpecError
from mcrave.playouts.base import Playout
from mcrave.specs import parse
from tests.playouts import interpreted as general
from tests.playouts import interpreted_stones as stones
from tests.playouts.digest import CASES, digest

ROOT = Path(__file__).parents[2]


def interpreted(*arguments: str) -> str:
    """What a module prints without the compiler, warnings being errors."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-m", *arguments]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def interpreted_digests() -> list[str]:
    return interpreted("tests.playouts.digest").splitlines()


@pytest.mark.parametrize(("module", "check"), [(part, check) for part in (general, stones) for check in part.CHECKS])
def test_looked_into(module, check):
    interpreted(module.__name__, check)


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda i: "-".join(CASES[i]))
def test_compiled_is_interpreted(number):
    found = digest(*CASES[number])
    assert found == interpreted_digests()[number]
    assert found == digest(*CASES[number]), "not the same for the same seed"


@pytest.mark.parametrize("game", ["mnk", "go", "nogo"])
def test_captures_are_of_atarigo(game):
    with pytest.raises(Error, match=f"^captures is a playout for atarigo, not for {game}$"):
        mcrave.Search(game, playout="captures()")


@pytest.mark.parametrize("game", ["mnk", "go", "atarigo"])
def test_reflexes_are_of_three_colours(game):
    with pytest.raises(Error, match=f"^reflex is a playout for go3, not for {game}$"):
        mcrave.Search(game, playout="reflex()")


def test_every_policy_is_compared():
    assert {parse(playout, "playout").name for _, _, playout in CASES} >= set(specs.names("playout")) - {"uniform"}


@pytest.mark.parametrize(
    "text",
    [
        "mast()",
        "mast(tau=inf)",
        "mast(tau=0.5,epsilon=0.1,mode=epsilon,untried=1)",
        "past(combine=mean,least=3)",
        "pool_rave(p=0.25,k=3)",
        "softmax(tau=1.5)",
        "ordered(anneal=10,floor=0.5)",
        "truncated(depth=5,evaluation=outcome,playout=mast(tau=0.5))",
        "disputed(settled=0.8,playout=mogo(nakade=false))",
        "truncated(depth=5,playout=truncated(depth=3,playout=pool_rave(k=2)))",
    ],
)
def test_text_form(text):
    spec = parse(text, "playout")
    assert isinstance(spec, Playout)
    assert str(spec) == text
    assert parse(str(spec), "playout") == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mast(tau=0)", "mast needs tau to be at least 0.01, not 0.0; mode=epsilon is greedy"),
        ("mast(epsilon=1.5)", "mast needs epsilon from 0 to 1, not 1.5"),
        ("mast(untried=-1)", "mast needs untried from 0 to 1, not -1.0"),
        ("mast(mode=greedy)", "mast needs mode to be one of softmax, epsilon, not 'greedy'"),
        ("past(tau=0.001)", "past needs tau to be at least 0.01, not 0.001"),
        ("past(least=0)", "past needs least to be at least 1, not 0"),
        ("softmax(tau=-1)", "softmax needs tau to be at least 0.01, not -1.0"),
        ("ordered(anneal=0)", "ordered needs anneal to be at least 1 simulation, not 0"),
        ("ordered(floor=2)", "ordered needs floor from 0 to 1, not 2.0"),
        ("pool_rave(p=2)", "pool_rave needs p from 0 to 1, not 2.0"),
        ("pool_rave(k=0)", "pool_rave needs k to be at least 1, not 0"),
        ("disputed(settled=1.5)", "disputed needs settled from 0 to 1, not 1.5"),
        ("disputed(after=0)", "disputed needs after from 1 to 1000000000, not 0"),
        ("truncated(depth=-1)", "truncated needs depth to be 0 or more moves, not -1"),
        ("truncated(playout=uct())", "unknown playout 'uct'"),
    ],
)
def test_bad_fields(text, message):
    with pytest.raises(SpecError) as caught:
        parse(text, "playout")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("text", ["pool_rave()", "truncated(playout=pool_rave())"])
def test_pool_rave_needs_amaf(text):
    game, playout = mcrave.game("mnk"), parse(text, "playout")
    playout.check(game, amaf=True)
    with pytest.raises(Error, match=r"^pool_rave needs a tree policy that keeps AMAF values, such as rave\(\)"):
        playout.check(game, amaf=False)
