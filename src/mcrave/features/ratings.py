"""Files of ratings of move features, and those that come with mcrave."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from mcrave.errors import Error
from mcrave.features import weights
from mcrave.features.moves import LIGHT, OFFSETS, name_of
from mcrave.games import Game
from mcrave.games.go import Go

KIND = "ratings"
LENGTHS = {"light": int(OFFSETS[LIGHT]), "full": int(OFFSETS[-1])}
SHIPPED = "patterns"


def check(path: str | Path, arrays: weights.Arrays) -> None:
    """Raise `Error` unless the arrays are ratings above zero, as many as there are features."""
    if not set(arrays) & set(LENGTHS):
        raise Error(f"{path} holds no ratings 'light' or 'full'")
    for name, length in LENGTHS.items():
        if name not in arrays:
            continue
        if arrays[name].shape != (length,):
            raise Error(f"{path} holds {arrays[name].size} ratings '{name}' in place of {length}")
        bad = np.flatnonzero(~(arrays[name] > 0.0))
        if bad.size:
            raise Error(f"{path}: the {name} rating of {name_of(int(bad[0]))} is {arrays[name][bad[0]]}, not above 0")


@lru_cache(maxsize=8)
def load(kind: str, path: str = "", shipped: str = SHIPPED) -> Any:
    """The `light` or `full` ratings of a file, or of one that comes with mcrave; not to be written to.

    >>> load("light").shape
    (1134,)
    """
    if path:
        return _read(path, path, kind)
    with as_file(files("mcrave.features") / "data" / f"{shipped}.npz") as file:
        return _read(file, file.name, kind)


def _read(file: str | Path, name: str, kind: str) -> Any:
    _, arrays = weights.read(file, KIND)
    check(name, arrays)
    if kind not in arrays:
        raise Error(f"{name} holds no ratings '{kind}'")
    return np.ascontiguousarray(arrays[kind], np.float64)


def check_game(name: str, kind: str, game: Game) -> None:
    """Refuse every game but Go."""
    if not isinstance(game, Go):
        raise Error(f"{name} is a {kind} for go, not for {game.name}")
