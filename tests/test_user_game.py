"""A game in a user's own file: the example, its page, its speed, and what mistakes in it look like."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import mcrave
from mcrave import specs
from mcrave.cli import run
from mcrave.errors import Error, SpecError
from mcrave.games import _loader
from mcrave.kernel import cache
from mcrave.playouts import sample, uniform
from tests.cli.terminal import ENVIRONMENT, ROOT
from tests.contracts.cases import check_game

EXAMPLE = ROOT / "examples" / "my_game.py"
SOURCE = EXAMPLE.read_text()


@pytest.fixture
def game_file(tmp_path):
    """Write the example with some text replaced, under the name `mine.py`."""

    def write(old: str = "", new: str = "", name: str = "mine.py", game: str = "mine") -> Path:
        assert old in SOURCE
        path = tmp_path / name
        path.write_text(SOURCE.replace(old, new, 1).replace('name="chomp"', f'name="{game}"'))
        return path

    yield write
    for loaded in [path for path in _loader._loaded if tmp_path in path.parents]:
        del _loader._loaded[loaded]
        cache._user_sources.discard(loaded)
    specs._registry["game"].pop("mine", None)


def line_of(path: Path, text: str) -> int:
    return next(n for n, line in enumerate(path.read_text().splitlines(), 1) if text in line)


def in_new_process(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, cwd=ROOT, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---------------------------------------------------------------------------------------- the example


def test_example_is_short():
    assert len(SOURCE.splitlines()) < 80


@pytest.mark.parametrize("fields", ["", "(size=3)", "(rows=2,cols=5)"])
def test_example_keeps_the_contract(fields):
    check_game(mcrave.game(f"{EXAMPLE}:MyGame{fields}"), seeds=range(3))


def test_page_builds_the_example():
    """The code blocks of the page, one after the other, are the file."""
    page = (ROOT / "docs" / "add-a-game.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines() if line.strip()]
    assert lines == [line for line in SOURCE.splitlines() if line.strip()]


def test_example_in_python():
    game = mcrave.game(f"{EXAMPLE}:MyGame(size=3)")
    assert str(game) == "chomp(size=3)"
    assert mcrave.game(f"{EXAMPLE}:MyGame(3)") == game
    position = game.start().play("b2")
    assert position.legal_moves() == ["a3", "a2", "a1", "b1", "c1"]
    lost = position.play("a1")
    assert lost.is_over
    assert [lost.outcome(0), lost.outcome(1)] == [1.0, 0.0]


def test_example_on_the_command_line(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", open("/dev/null"))  # noqa: SIM115
    text = f"{EXAMPLE}:MyGame(rows=3,cols=4)"
    assert run(["play", "--game", text, "--players", "monte_carlo@300", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("chomp(rows=3,cols=4), monte_carlo@300 against monte_carlo@300, seed 1")
    assert "wins after" in out
    assert run(["games", "--game", f"{EXAMPLE}:MyGame"]) == 0
    assert capsys.readouterr().out.startswith("chomp(size=4)  Bite off chocolate")


def test_the_only_game_need_not_be_named():
    assert mcrave.game(str(EXAMPLE)) == mcrave.game(f"{EXAMPLE}:MyGame")


def test_example_is_compiled():
    sample(mcrave.game(f"{EXAMPLE}:MyGame").start(), 10)
    assert any("MyGame" in str(signature) for signature in uniform.run.kernel.nopython_signatures)


# ----------------------------------------------------------------------------------- cache and edits

USE = """
import mcrave
from mcrave import specs
from mcrave.playouts import sample, uniform
position = mcrave.game({text!r}).start()
print(len(position.legal_moves()), sample(position, 50).plies)
print(len(uniform.run.kernel.stats.cache_hits), len(uniform.run.kernel.stats.cache_misses))
"""


@pytest.mark.slow
def test_compiled_once_and_again_after_an_edit(game_file):
    path = game_file()
    use = USE.format(text=f"{path}:MyGame(size=3)")
    first, second = in_new_process(use).splitlines(), in_new_process(use).splitlines()
    assert first[0] == second[0]
    assert (first[1], second[1]) == ("0 1", "1 0"), "the second process loads what the first compiled"
    game_file("if state.bar[square] == 1:", "if state.bar[square] == 1 and square != 0:")
    edited = in_new_process(use).splitlines()
    assert edited[0].split()[0] == "8"
    assert edited[1] == "0 1"


def test_edit_in_the_same_process(game_file):
    path = game_file()
    before = mcrave.game(f"{path}:MyGame(size=3)")
    assert mcrave.game(f"{path}:MyGame(size=3)") == before
    assert len(before.start().moves) == 9
    game_file("if state.bar[square] == 1:", "if state.bar[square] == 1 and square != 0:")
    after = mcrave.game(f"{path}:MyGame(size=3)")
    assert len(after.start().moves) == 8


def test_two_files_with_classes_of_one_name(game_file):
    one = game_file()
    other = game_file("if state.bar[square] == 1:", "if state.bar[square] == 1 and square > 1:", "other.py", "other")
    games = [mcrave.game(f"{path}:MyGame(size=3)") for path in (one, other)]
    assert [len(game.start().moves) for game in games] == [9, 7]
    specs._registry["game"].pop("other")


def test_file_imports_its_neighbour(game_file, tmp_path):
    (tmp_path / "neighbour_of_mine.py").write_text("SIZE = 5\n")
    path = game_file("size: int = 4", "size: int = SIZE")
    path.write_text("from neighbour_of_mine import SIZE\n" + path.read_text())
    assert len(mcrave.game(f"{path}:MyGame").start().moves) == 25
    assert str(tmp_path) not in sys.path


def test_relative_and_home_paths(game_file, monkeypatch, tmp_path):
    path = game_file()
    monkeypatch.chdir(tmp_path)
    game = mcrave.game("mine.py:MyGame")
    assert game == mcrave.game("./mine.py:MyGame") == mcrave.game(f"{path}:MyGame")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert mcrave.game("~/mine.py:MyGame") == game


# ------------------------------------------------------------------------------------------- mistakes

TO_MOVE = "    def to_move(rules, state):\n        return np.int64(state.turn)\n"
OUTCOME = "return 1.0 if state.turn == player else 0.0"
MISTAKES = {
    "missing kernel": (TO_MOVE, "", "class MyGame", "MyGame has no `def to_move(rules, state)`; every game needs it"),
    "misspelt argument": ("play(rules, state, move)", "play(rules, state, mv)", "def play", "must be `def play("),
    "misspelt field read": ("if state.bar[", "if state.baar[", "baar", "no field 'baar'; its fields are bar, turn"),
    "misspelt field set": ("state.turn = 1 -", "state.trun = 1 -", "trun", "no field 'trun'; its fields are bar, turn"),
    "misspelt parameter": ("move // rules.cols", "move // rules.colls", "colls", "no field 'colls'; their fields are"),
    "misspelt name": ("out[n] = square", "out[n] = squar", "= squar", "name 'squar' is not defined"),
    "syntax": ("player):", "player)", "def outcome", "SyntaxError: expected ':'"),
    "import": ("import numpy as np", "import numpyy as np", "numpyy", "No module named 'numpyy'"),
    "no default": ("size: int = 4 ", "size: int ", "class MyGame", "field 'size' of MyGame needs a default"),
    "full buffer": ("return self.rows * self.cols\n", "return 3\n", "out[n] =", "room for max_moves() = 3 moves"),
    "no end": ("return state.bar[(rules.rows - 1) * rules.cols] == 0", "return False", "def legal", "finds no move"),
    "result out of range": (OUTCOME, "return 2.0", "def outcome", "outcome() must be from 0 to 1 for each player"),
    "both win": (OUTCOME, "return 1.0", "def outcome", "outcome() of all players must sum to 1, not 1.0, 1.0"),
    "wrong player": (TO_MOVE, TO_MOVE[:-1] + " + 1\n", "def to_move", "to_move() must be 0 to 1, not"),
    "large number": ("out[n] = square", "out[n] = square + 99", "def legal", "legal() gives 99, but codes() is 16"),
    "twice": ("out[n] = square", "out[n] = 0", "def legal", "legal() writes a move twice"),
    "no count": ("        return n\n", "", "def legal", "legal() must return how many moves it wrote, not None"),
    "wrong type": ("np.uint64(state.turn)", "'key'", "key ^= bits", ""),
    "turn lost": ("state.turn, _ =", "_, _ =", "def read", "read() does not bring back what render draws"),
    "unreadable": (".draw(state.bar", ".draw(1 - state.bar", "def read", "read()"),
    "one name": ("move // self.cols, move", "0, move", "def move_name", "move_name() gives two moves one name"),
    "legal plays": ("        n = 0\n", "        n = 0\n        state.turn = 1\n", "def legal", "changes the state"),
    "taken name": ('name="chomp"', 'name="go"', "class MyGame", "mcrave has a game 'go' already; choose another"),
    "no name": (
        '(Game, name="chomp")',
        "(Game)",
        "class MyGame",
        'has no name; write class MyGame(Game, name="my_game")',
    ),
    "exit": ("import numpy as np", "raise SystemExit", "SystemExit", "ends the program when it is imported"),
}


LOAD_ALL = """
import sys, mcrave
for path in sys.argv[1:]:
    try:
        print(repr(mcrave.game(path + ":MyGame")))
    except mcrave.Error as error:
        print(error)
"""


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """What loading each file with a mistake says: all of them in one process, to save time."""
    paths = []
    for number, (old, new, _, _) in enumerate(MISTAKES.values()):
        paths.append(tmp_path_factory.mktemp("mistake") / "mine.py")
        assert old in SOURCE
        paths[-1].write_text(SOURCE.replace(old, new, 1).replace('name="chomp"', f'name="mine{number}"'))
    done = subprocess.run(
        [sys.executable, "-c", LOAD_ALL, *map(str, paths)],
        env=ENVIRONMENT | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return dict(zip(MISTAKES, zip(paths, done.stdout.splitlines(), strict=True), strict=True))


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistake_is_one_line_with_its_place(kind, complaints):
    _, _, place, message = MISTAKES[kind]
    path, text = complaints[kind]
    assert text.startswith(f"mine.py:{line_of(path, place)}: "), text
    assert message in text


@pytest.mark.parametrize("kind", ["missing kernel", "misspelt field read", "full buffer", "syntax", "turn lost"])
def test_mistake_on_the_command_line(kind, game_file, capsys):
    old, new, place, message = MISTAKES[kind]
    path = game_file(old, new)
    assert run(["play", "--game", f"{path}:MyGame", "--players", "random"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"mcrave: mine.py:{line_of(path, place)}: ")
    assert message in err
    assert err.count("\n") == 1


def test_what_only_the_compiler_finds(game_file, capsys):
    """Lists of texts are fine in the interpreter and not in a kernel."""
    path = game_file("        n = 0\n", "        n = len(str([n for n in range(3)])) * 0\n        n = int(f'{n:>3}')\n")
    assert run(["play", "--game", f"{path}:MyGame", "--players", "random"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "mine.py" in err


@pytest.mark.slow
def test_endless_loop(game_file):
    path = game_file("        n = 0\n", "        n = 0\n        while n == 0:\n            pass\n")
    with pytest.raises(Error, match=r"mine.py:\d+: this seems to be in a loop that never ends"):
        mcrave.game(f"{path}:MyGame")


def test_mistake_beyond_the_rehearsal(game_file, capsys):
    """An exception in a method that is not compiled still names its line. A1 is no name, but may be typed for one."""
    path = game_file(
        "    def render(self, state):\n",
        "    def move_aliases(self, name):\n        return [name, 1 / 0]\n\n    def render(self, state):\n",
    )
    assert run(["play", "--game", f"{path}:MyGame", "--moves", "A1"]) == 2
    assert capsys.readouterr().err == f"mcrave: mine.py:{line_of(path, '1 / 0')}: ZeroDivisionError: division by zero\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no_such.py:MyGame", "there is no file no_such.py"),
        (f"{ROOT}/examples/my_game.py:Your", "there is no class 'Your' in my_game.py; games found: MyGame"),
        (
            f"{ROOT}/examples/my_game.py:np",
            "my_game.py: np is not a game; write class np(Game, name=...); found: MyGame",
        ),
        (f"{ROOT}/examples/my_game.py:MyGame(siz=3)", "chomp has no field 'siz'; did you mean 'size'? fields: size=4"),
        (f"{ROOT}/examples/my_game.py:MyGame(size=17)", "chomp bars go up to 16x16, not 17x17"),
        (f"{ROOT}/tests/conftest.py", "name the game in conftest.py as in conftest.py:MyGame; games found: none"),
    ],
)
def test_bad_texts(text, message):
    with pytest.raises(Error) as caught:
        mcrave.game(text)
    assert message in str(caught.value)


def test_unreadable_file(tmp_path):
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(SpecError, match=r"cannot read .*folder.py: Is a directory"):
        mcrave.game(f"{tmp_path}/folder.py:MyGame")
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Error, match=r"binary\.py:"):
        mcrave.game(f"{tmp_path}/binary.py:MyGame")


def test_failed_import_leaves_nothing_behind(game_file, tmp_path):
    path = game_file("size: int = 4", "size: int = nothing")
    with pytest.raises(Error, match=r"mine.py:\d+: NameError: name 'nothing' is not defined"):
        mcrave.game(f"{path}:MyGame")
    assert not [
        name for name in sys.modules if name.startswith("mcrave_user_mine") and str(tmp_path) in str(sys.modules[name])
    ]
