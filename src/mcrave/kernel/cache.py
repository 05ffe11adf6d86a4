"""Where compiled code is kept: one folder per state of the sources.

Numba checks only the file of a cached function, not the files of what it calls. So the folder is named by a
hash of every kernel source, a user's own game file and all that it imports included: an edit anywhere
gives a new folder, and nothing stale is ever loaded. Numba's level of optimisation is part of the name, too.
"""

from __future__ import annotations

import ast
import atexit
import hashlib
import os
import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType

import numba

PACKAGE = Path(__file__).resolve().parents[1]
KERNEL_FOLDERS = (
    "kernel",
    "games",
    "features",
    "playouts",
    "priors",
    "trees",
    "policies",
    "search",
    "parallel",
    "learn",
)
UNUSED_DAYS = 30

_user_sources: set[Path] = set()
_typed_in: set[type] = set()
"""Classes from an interpreter or a notebook: no file can vouch for them, so nothing is kept."""


def root() -> Path:
    """The folder that holds all cache folders: `$MCRAVE_CACHE_DIR`, or the user's cache folder."""
    if chosen := os.environ.get("MCRAVE_CACHE_DIR"):
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("mcrave", appauthor=False))


def folder() -> Path:
    """The cache folder for the sources as they are now, made if it can be."""
    if _typed_in:
        return _throwaway()
    digest = hashlib.blake2b(str(int(numba.config.OPT)).encode(), digest_size=10)
    for path in [*_package_sources(), *sorted(_user_sources)]:
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    wanted = root() / digest.hexdigest()
    try:
        if not wanted.exists():
            wanted.mkdir(parents=True, exist_ok=True)
            _prune(wanted.parent)
        os.utime(wanted)
    except OSError:
        return _throwaway()
    return wanted if os.access(wanted, os.W_OK) else _throwaway()


def fingerprint() -> str:
    """What tells these sources, a user's own games included, from any others, wherever they lie."""
    digest = hashlib.blake2b(digest_size=10)
    for path in [*_package_sources(), *sorted(_user_sources)]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def add_source(cls: type) -> bool:
    """Make the file that defines `cls` part of the hash; False if it already was."""
    module = sys.modules.get(cls.__module__)
    before = len(_user_sources) + len(_typed_in)
    if module is not None and Path(getattr(module, "__file__", None) or "").is_file():
        _add_module(module)
    else:
        _typed_in.add(cls)
    return len(_user_sources) + len(_typed_in) > before


def _package_sources() -> list[Path]:
    found = [PACKAGE / "specs.py", PACKAGE / "solver.py", PACKAGE / "counting.py"]
    for name in KERNEL_FOLDERS:
        found += (PACKAGE / name).rglob("*.py")
    return sorted(path for path in found if path.exists())


def _add_module(module: ModuleType) -> None:
    """The module's file, and the files of all modules that it imports, unless they are installed ones."""
    path = Path(getattr(module, "__file__", None) or "").resolve()
    if path.suffix != ".py" or path in _user_sources or not path.is_file() or _is_installed(path):
        return
    _user_sources.add(path)
    for name in _imports(path, module.__package__ or ""):
        if name in sys.modules:
            _add_module(sys.modules[name])


def _imports(path: Path, package: str) -> Iterator[str]:
    """The names of everything that a file imports and that may be a module."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = resolve_name("." * node.level + (node.module or ""), package) if node.level else node.module
            yield from (home, *(f"{home}.{alias.name}" for alias in node.names))


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
        with suppress(OSError):  # another process may have removed it
            if old.is_dir() and old.stat().st_mtime < limit:
                shutil.rmtree(old, ignore_errors=True)
