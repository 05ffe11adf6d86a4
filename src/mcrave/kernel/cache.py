"""Where compiled code is kept: one folder per state of the sources.

Numba checks only the file of a cached function, not the files of what it calls. So the folder is named by a
hash of every kernel source, a user's own game file and what that imports included: an edit anywhere
gives a new folder, and nothing stale is ever loaded.
"""

from __future__ import annotations

import atexit
import hashlib
import inspect
import os
import shutil
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from types import FunctionType, ModuleType

PACKAGE = Path(__file__).resolve().parents[1]
KERNEL_FOLDERS = ("kernel", "games", "playouts", "priors", "trees", "policies", "search", "parallel", "learn")
UNUSED_DAYS = 30

_user_sources: set[Path] = set()


def root() -> Path:
    """The folder that holds all cache folders: `$MCRAVE_CACHE_DIR`, or the user's cache folder."""
    if chosen := os.environ.get("MCRAVE_CACHE_DIR"):
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("mcrave", appauthor=False))


def folder() -> Path:
    """The cache folder for the sources as they are now, made if it can be."""
    digest = hashlib.blake2b(digest_size=10)
    for path in [*_package_sources(), *sorted(_user_sources)]:
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    wanted = root() / digest.hexdigest()
    try:
        if not wanted.exists():
            wanted.mkdir(parents=True)
            _prune(wanted.parent)
        os.utime(wanted)
    except OSError:
        return _throwaway()
    return wanted


def add_source(cls: type) -> bool:
    """Make the file that defines `cls` part of the hash; False if it already was."""
    module = sys.modules.get(cls.__module__)
    before = len(_user_sources)
    if module is not None and getattr(module, "__file__", None):
        _add_module(module)
    else:  # typed into an interpreter: no file can vouch for it
        _user_sources.add(_throwaway() / "nothing")
        (_throwaway() / "nothing").touch()
    return len(_user_sources) > before


def _package_sources() -> list[Path]:
    found = [PACKAGE / "specs.py", PACKAGE / "solver.py"]
    for name in KERNEL_FOLDERS:
        found += (PACKAGE / name).rglob("*.py")
    return sorted(path for path in found if path.exists())


def _add_module(module: ModuleType) -> None:
    """The module's file, and the files of the functions and modules that its names refer to."""
    path = Path(module.__file__ or "").resolve()
    if path in _user_sources or not path.exists() or _is_installed(path):
        return
    _user_sources.add(path)
    for value in list(vars(module).values()):
        value = getattr(value, "py_func", value)
        if isinstance(value, FunctionType | type):
            value = sys.modules.get(value.__module__)
        if inspect.ismodule(value) and getattr(value, "__file__", None):
            _add_module(value)


def _is_installed(path: Path) -> bool:
    places = {sysconfig.get_path(key) for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    return PACKAGE in path.parents or any(Path(place).resolve() in path.parents for place in places if place)


_throwaway_folder: Path | None = None


def _throwaway() -> Path:
    """A folder of this process alone, removed at its end."""
    global _throwaway_folder
    if _throwaway_folder is None:
        _throwaway_folder = Path(tempfile.mkdtemp(prefix="mcrave-"))
        atexit.register(shutil.rmtree, _throwaway_folder, ignore_errors=True)
    return _throwaway_folder


def _prune(parent: Path) -> None:
    """Remove sibling folders that nothing used for a month."""
    limit = time.time() - UNUSED_DAYS * 86400
    for old in parent.iterdir():
        if old.is_dir() and old.stat().st_mtime < limit:
            shutil.rmtree(old, ignore_errors=True)
