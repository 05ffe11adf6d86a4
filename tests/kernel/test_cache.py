"""Compiled code is found again by the next process, and never when any source of it has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mcrave.kernel import cache
from tests.kernel.toy import START, TAKE, python

IMPORT = "import take\n" + START
THREE = "take 1, take 2, take 3 | loaded {} compiled {}"
TWO = "take 1, take 2 | loaded {} compiled {}"
FRESH, LOADED = (0, 1), (1, 0)


@pytest.fixture
def play(tmp_path):
    """Run a text or a file in a new process."""
    cache = tmp_path / "cache"

    def run(*arguments: str, **changes: str) -> str:
        return python(*arguments, folder=tmp_path, **({"cache": cache} | changes))

    run.folder = tmp_path
    run.cached = lambda: sorted(path.name for path in cache.iterdir()) if cache.exists() else []
    return run


def test_second_process_loads_what_the_first_compiled(play):
    (play.folder / "take.py").write_text(TAKE)
    assert play("-c", IMPORT) == THREE.format(*FRESH)
    before = play.cached()
    assert play("-c", IMPORT) == THREE.format(*LOADED)
    assert play.cached() == before


def test_levels_of_optimisation_are_kept_apart(play):
    (play.folder / "take.py").write_text(TAKE)
    assert play("-c", IMPORT, NUMBA_OPT="1") == THREE.format(*FRESH)
    assert play("-c", IMPORT, NUMBA_OPT="3") == THREE.format(*FRESH)
    assert play("-c", IMPORT, NUMBA_OPT="1") == THREE.format(*LOADED)


def test_an_edit_of_the_game_is_noticed(play):
    file = play.folder / "take.py"
    file.write_text(TAKE)
    assert play("-c", IMPORT) == THREE.format(*FRESH)
    stamp = file.stat()
    file.write_text(TAKE.replace("MOST = 3", "MOST = 2"))
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert play("-c", IMPORT) == TWO.format(*FRESH)
    file.write_text(TAKE)
    assert play("-c", IMPORT) == THREE.format(*LOADED)


@pytest.mark.parametrize(
    ("head", "helper", "edited"),
    [
        ("from helper import MOST", "MOST = 3", "MOST = 2"),
        ("import helper\nMOST = helper.MOST", "MOST = 3", "MOST = 2"),
        ("from inner.helper import MOST", "MOST = 3", "MOST = 2"),
        ("from helper import most\nMOST = most()", "def most(): return 3", "def most(): return 2"),
        (
            "from helper import most\n@jit\ndef less(n):\n    return n * most()\nMOST = 1",
            "from mcrave.kernel import jit\n@jit\ndef most():\n    return 3",
            "from mcrave.kernel import jit\n@jit\ndef most():\n    return 2",
        ),
    ],
    ids=["constant", "module", "package", "function", "kernel"],
)
def test_an_edit_of_a_helper_is_noticed(play, head, helper, edited):
    (play.folder / "inner").mkdir()
    game = TAKE.replace("MOST = 3", head)
    if "less" in head:
        game = game.replace("MOST + 1", "less(1) + 1")
    (play.folder / "take.py").write_text(game)
    file = play.folder / ("inner/helper.py" if "inner" in head else "helper.py")
    file.write_text(helper + "\n")
    assert play("-c", IMPORT) == THREE.format(*FRESH)
    assert play("-c", IMPORT) == THREE.format(*LOADED)
    file.write_text(edited + "\n")
    assert play("-c", IMPORT) == TWO.format(*FRESH)


def test_an_edit_of_a_helper_of_a_helper_is_noticed(play):
    (play.folder / "take.py").write_text(TAKE.replace("MOST = 3", "from helper import MOST"))
    (play.folder / "helper.py").write_text("from deeper import MOST\n")
    (play.folder / "deeper.py").write_text("MOST = 3\n")
    assert play("-c", IMPORT) == THREE.format(*FRESH)
    (play.folder / "deeper.py").write_text("MOST = 2\n")
    assert play("-c", IMPORT) == TWO.format(*FRESH)


def test_a_game_in_the_main_script(play):
    (play.folder / "script.py").write_text(TAKE + START)
    assert play("script.py") == THREE.format(*FRESH)
    assert play("script.py") == THREE.format(*LOADED)
    (play.folder / "script.py").write_text(TAKE.replace("MOST = 3", "MOST = 2") + START)
    assert play("script.py") == TWO.format(*FRESH)


def test_a_game_typed_in_is_compiled_anew_and_leaves_nothing(play):
    before = play("-c", "import mcrave; print(mcrave.games.Game.__name__)"), play.cached()
    assert play("-c", TAKE + START) == THREE.format(*FRESH)
    assert play("-c", TAKE.replace("MOST = 3", "MOST = 2") + START) == TWO.format(*FRESH)
    assert ("Game", play.cached()) == before


def test_an_unwritable_cache_is_no_obstacle(play):
    (play.folder / "take.py").write_text(TAKE)
    (play.folder / "plain").write_text("a file, not a folder")
    cache = play.folder / "plain" / "cache"
    assert play("-c", IMPORT, cache=cache, TMPDIR=str(play.folder)) == THREE.format(*FRESH)
    assert not list(play.folder.glob("mcrave-*")), "the folder in place of the cache is left behind"


def test_a_folder_that_cannot_be_written_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv("MCRAVE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "_typed_in", set())  # another test may have typed a game in
    assert cache.folder().parent == tmp_path
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert cache.folder().parent != tmp_path


def test_interpreter_needs_no_cache(play):
    (play.folder / "take.py").write_text(TAKE)
    assert (
        play("-c", "import take, mcrave; print(mcrave.game('take').start())", NUMBA_DISABLE_JIT="1")
        == "5 left, X to move"
    )


def test_old_folders_are_removed(play):
    play("-c", "import mcrave.kernel")
    (folder,) = play.cached()
    old = play.folder / "cache" / "old"
    old.mkdir()
    os.utime(old, (0, 0))
    recent = play.folder / "cache" / "recent"
    recent.mkdir()
    (play.folder / "take.py").write_text(TAKE)
    play("-c", "import take")
    assert "old" not in play.cached()
    assert {"recent", folder} < set(play.cached())


def test_folder_is_shared_by_processes_that_start_together(tmp_path, monkeypatch):
    """The loser of the race to make the folder uses it all the same."""
    monkeypatch.setenv("MCRAVE_CACHE_DIR", str(tmp_path))
    wanted = cache.folder()
    monkeypatch.setattr(Path, "exists", lambda path: path != wanted and os.path.lexists(path))
    assert cache.folder() == wanted
