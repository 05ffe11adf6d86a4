"""A tree policy in a user's own file: the example, its page, and what mistakes in it look like."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import mcrave
from mcrave import specs
from mcrave.cli import run
from mcrave.errors import Error
from mcrave.games import _loader
from mcrave.kernel import cache
from mcrave.players import parse_player

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "my_policy.py"
SOURCE = EXAMPLE.read_text()


@pytest.fixture
def policy_file(tmp_path):
    """Write the example with some text replaced, under the name `mine.py`."""

    def write(old: str = "", new: str = "") -> Path:
        assert old in SOURCE
        path = tmp_path / "mine.py"
        path.write_text(SOURCE.replace(old, new, 1).replace('name="ucb_v"', 'name="mine"'))
        return path

    yield write
    for loaded in [path for path in _loader._loaded if tmp_path in path.parents]:
        del _loader._loaded[loaded]
        cache._user_sources.discard(loaded)
    specs._registry["tree"].pop("mine", None)


def test_page_builds_the_example():
    """The code blocks of the page, one after the other, are the file."""
    page = (ROOT / "docs" / "add-a-policy.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines() if line.strip()]
    assert lines == [line for line in SOURCE.splitlines() if line.strip()]


def test_example_plays(capsys):
    text = f"{EXAMPLE}:MyPolicy(c=0.2)+secure@300"
    player = parse_player(text)
    assert str(player) == text
    assert parse_player(str(player)) == player
    position = mcrave.game("mnk").position(["a1", "b1", "a2", "b2"])
    assert position.name(player.choose(position)) == "a3"
    assert run(["analyze", "mnk", "--player", str(EXAMPLE), "--top", "1"]) == 0
    assert "X to move" in capsys.readouterr().out


def test_scores_are_those_of_the_formula():
    """Between those for the least and the greatest variance, as the report does not tell it."""
    search = mcrave.Search("mnk", tree=parse_player(f"{EXAMPLE}:MyPolicy").setup.tree)  # type: ignore[attr-defined]
    report = search.run(search.game.start(), simulations=500)
    for move in report.moves:
        x = 0.2 * math.log(500) / move.visits
        low, high = move.value + 0.3 * x, move.value + math.sqrt(2 * 0.25 * x) + 0.3 * x
        assert low <= move.score <= high


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("edge.squares /", "edge.squars /", "mine.py:23: AttributeError: 'Edge' object has no attribute 'squars'"),
        ("math.sqrt", "math.sqr", "mine.py:25: AttributeError: module 'math' has no attribute 'sqr'"),
        (
            "(policy, node, edge)",
            "(policy, edge)",
            "mine.py:18: `def score(policy, edge)` must be `def score(policy, node, ",
        ),
        ("def score", "def scores", "mine.py:8: MyPolicy has no `def score(policy, node, edge)`"),
        ("return UNTRIED", "return None", "mine.py:18: score() must return a number, not None as for Edge(n=0.0, "),
        ("= 0.2", "", "mine.py:8: field 'zeta' of MyPolicy needs a default"),
        ("import math", "import maths", "mine.py:3: ModuleNotFoundError: No module named 'maths'"),
        (', name="ucb_v"', "", 'mine.py:8: MyPolicy has no name; write class MyPolicy(TreePolicy, name="my_policy")'),
        ("class MyPolicy", "class Yours", "there is no class 'MyPolicy' in mine.py; policies found: Yours"),
    ],
)
def test_mistakes(policy_file, old, new, line):
    with pytest.raises(Error) as error:
        parse_player(f"{policy_file(old, new)}:MyPolicy@100")
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)


def test_the_only_policy_need_not_be_named(policy_file):
    assert parse_player(f"{policy_file()}@5").name.endswith("mine.py:MyPolicy@5")


def test_names_of_the_library_are_taken(policy_file):
    for name in ("uct", "amaf"):  # imported already, and perhaps not yet
        with pytest.raises(Error, match=rf"mine.py:8: .*tree '{name}'.* already.*; choose another name"):
            parse_player(f"{policy_file('ucb_v', name)}:MyPolicy@100")
        assert parse_player(name).setup.tree.__module__ == f"mcrave.policies.{name}"  # type: ignore[attr-defined]
