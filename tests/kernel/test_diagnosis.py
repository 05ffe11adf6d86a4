"""Mistakes in a user's game: one line that names the file, the line and the fix, never a compiler's page."""

from __future__ import annotations

import pytest

from tests.kernel.toy import TAKE, python

HELPERS = """
THING = object()


def plain(left):
    return left == 0


@jit
def wrong(state):
    return state.lefft == 0
"""
GAME = TAKE.replace("MOST = 3\n", "MOST = 3\n" + HELPERS)
OVER = "return taken(state)\n"
TURN = "return np.int64(state.turn)"
FLIP = "state.turn = 1 - state.turn"

# what is replaced, by what, which line is named (by a piece of its text), and the message
MISTAKES = {
    "missing kernel": (
        f"    def is_over(rules, state):\n        {OVER}\n",
        "",
        "class Take",
        "Take has no `def is_over(rules, state)`; every game needs it",
    ),
    "missing method": (
        'def move_name(self, state, move):\n        return f"take {move}"\n',
        "pass\n",
        "class Take",
        "Take has no `def move_name(self, state, move)`; every game needs it",
    ),
    "parameter": (
        "def play(rules, state, move):",
        "def play(rules, board, move):",
        "def play",
        "`def play(rules, board, move)` must be `def play(rules, state, move)`",
    ),
    "self": (
        "def is_over(rules, state):",
        "def is_over(self, state):",
        "def is_over",
        "`def is_over(self, state)` must be `def is_over(rules, state)`",
    ),
    "misspelt state field": (
        OVER,
        "return state.leftt == 0\n",
        "state.leftt",
        "there is no field 'leftt'; the fields are left, turn",
    ),
    "misspelt field set": (
        FLIP,
        "state.trun = 1",
        "state.trun",
        "there is no field 'trun'; the fields are left, turn",
    ),
    "misspelt field in a helper": (
        OVER,
        "return wrong(state)\n",
        "state.lefft",
        "there is no field 'lefft'; the fields are left, turn",
    ),
    "misspelt rules field": (
        "stones <= state.left",
        "stones <= rules.heaps",
        "rules.heaps",
        "there is no field 'heaps'; the fields are heap",
    ),
    "method called": (
        OVER,
        "return rules.max_plies() == 0\n",
        "rules.max_plies",
        "'max_plies' is a method, which no kernel can call; make it a function with @jit above it",
    ),
    "undefined name": ("MOST + 1", "MOSTT + 1", "MOSTT", "the name 'MOSTT' is not defined"),
    "undefined function": (
        "bits.combine(np.uint64(state.turn), np.int64(state.left))",
        "combine(state.turn)",
        "return combine",
        "the name 'combine' is not defined",
    ),
    "misspelt function": (
        "bits.combine",
        "bits.combin",
        "bits.combin",
        "module 'mcrave.kernel.bits' has no attribute 'combin'",
    ),
    "function not compiled": (
        OVER,
        "return plain(state.left)\n",
        "return plain",
        "the function 'plain' is not compiled; put @jit above it",
    ),
    "object": (
        OVER,
        "return THING.left\n",
        "return THING",
        "no kernel can use 'THING', an object of the class 'object'",
    ),
    "text in place of a number": (
        TURN,
        'return "X"',
        "def to_move",
        "`to_move` returns text on some path, not a number",
    ),
    "no return": (TURN, "pass", "def to_move", "`to_move` returns nothing on some path, not a number"),
    "list returned": (
        TURN,
        "return [1]",
        "def to_move",
        "`to_move` makes a new array or list, which no kernel may; use a field of the state, or `out`",
    ),
    "two types": (
        "return 0.0 if state.turn == player else 1.0",
        'return "lost" if state.turn == player else 1.0',
        'return "lost"',
        "`return \"lost\" if state.turn == player else 1.0` has no single type: Cannot unify 'lost' and float64",
    ),
    "index of a number": (
        FLIP,
        "state.turn[0] = 1",
        "state.turn[0]",
        "`state.turn[0] = 1` does not work with these types: setitem(int8, 0, 1)",
    ),
    "arithmetic with text": (
        FLIP,
        "state.turn = 'a' - state.turn",
        "'a' -",
        "`state.turn = 'a' - state.turn` does not work with these types: sub('a', int8)",
    ),
    "text among the moves": (
        "out[n] = stones",
        "out[n] = 'a'",
        "out[n] = 'a'",
        "`out[n] = 'a'` does not work with these types: setitem(array(int32, 1d, C), int64, 'a')",
    ),
    "argument missing": (
        "bits.combine(np.uint64(state.turn), np.int64(state.left))",
        "bits.combine(np.uint64(state.turn))",
        "bits.combine",
        "`return bits.combine(np.uint64(state.turn))` calls a function wrongly: missing a required argument: 'value'",
    ),
    "array made": (
        FLIP,
        "state.turn = np.zeros(2)[1]",
        "np.zeros(2)",
        "`state.turn = np.zeros(2)[1]` makes a new array or list, which no kernel may; use a field of the state, "
        "or `out`",
    ),
    "list made": (
        FLIP,
        "state.turn = [1, 0][state.turn]",
        "def play",
        "`play` makes a new array or list, which no kernel may; use a field of the state, or `out`",
    ),
    "unsupported statement": (
        OVER,
        "\n        with open('x'):\n            return True\n",
        "with open",
        "Unsupported context manager in use, in `with open('x'):`",
    ),
}

PLAY = """
import importlib, sys
import mcrave
for i in range(int(sys.argv[1])):
    try:
        importlib.import_module(f"take{i}")
        mcrave.game(f"take{i}").start().play("take 1")
        print("nothing")
    except mcrave.errors.KernelError as error:
        print(repr(str(error)))
    except Exception as error:
        print(type(error).__name__, repr(str(error)[:200]))
"""


def mistaken(i: int) -> str:
    before, after, *_ = list(MISTAKES.values())[i]
    assert before in GAME
    return GAME.replace(before, after).replace('name="take"', f'name="take{i}"')


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """What a process says that plays all the mistaken games."""
    folder = tmp_path_factory.mktemp("mistakes")
    for i in range(len(MISTAKES)):
        (folder / f"take{i}.py").write_text(mistaken(i))
    said = python("-c", PLAY, str(len(MISTAKES)), folder=folder, cache=folder / "cache").splitlines()
    return dict(zip(MISTAKES, said, strict=True))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_explained_in_one_line(mistake, complaints):
    i = list(MISTAKES).index(mistake)
    *_, marker, message = MISTAKES[mistake]
    line = next(number for number, text in enumerate(mistaken(i).splitlines(), 1) if marker in text)
    assert complaints[mistake] == repr(f"take{i}.py:{line}: {message}")


def test_the_game_without_mistakes_plays(tmp_path):
    (tmp_path / "take0.py").write_text(GAME.replace('name="take"', 'name="take0"'))
    assert python("-c", PLAY, "1", folder=tmp_path, cache=tmp_path / "cache") == "nothing"
