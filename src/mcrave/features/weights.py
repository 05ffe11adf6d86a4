"""Files of learnt weights: NumPy's `.npz` with a text `about` that says what they are and how they came about."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from mcrave.errors import Error
from mcrave.features.local_shape import NOTHING, shapes_of
from mcrave.games import Game
from mcrave.games.go import Go

ABOUT = "about"
LOCAL_SHAPE = "local_shape"
OCTAVE = 8  # steps of a packed count to its double
Arrays = Mapping[str, Any]


def write(path: str | Path, about: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a file at once: whoever is stopped meanwhile leaves the old one as it was."""
    path = Path(path)
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            stored: dict[str, Any] = {ABOUT: np.array(json.dumps(dict(about))), **arrays}
            np.savez_compressed(file, **stored)
        os.replace(part, path)
    except OSError as error:
        raise Error(f"cannot write {path}: {error.strerror}") from None


def read(path: str | Path, kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What `write` wrote, of this kind; the arrays hold finite numbers."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = json.loads(str(arrays.pop(ABOUT)))
        found = about["kind"]
    except FileNotFoundError:
        raise Error(f"there is no file {path}") from None
    except OSError as error:
        raise Error(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, EOFError, AttributeError, zipfile.BadZipFile):
        raise Error(f"{path} is no file of learnt weights") from None
    if found != kind:
        raise Error(f"{path} holds weights of {found}, not of {kind}")
    for name, array in arrays.items():
        if not np.issubdtype(array.dtype, np.number):
            raise Error(f"{path} holds '{name}', which is no array of numbers")
        bad = np.flatnonzero(~np.isfinite(array.astype(np.float64)))
        if bad.size:
            raise Error(f"{path}: entry {bad[0]} of '{name}' is {array.flat[bad[0]]}, not a finite number")
    return about, arrays


def unfolded(pairs: Any, whole: Any) -> Any:
    """Weights as kernels read them, θ and −θ in turn, then those of komi and turn, from one number a pair.

    >>> unfolded([0.0, 0.5], [1.0, 2.0]).tolist()
    [0.0, -0.0, 0.5, -0.5, 1.0, 2.0]
    """
    pairs = np.asarray(pairs, np.float64)
    return np.concatenate([np.stack([pairs, -pairs], axis=1).ravel(), np.asarray(whole, np.float64)])


def check_local_shape(path: str | Path, about: Mapping[str, Any], arrays: Arrays) -> int:
    """The board size of local-shape weights, whose arrays have the right lengths."""
    size = about.get("size")
    if not isinstance(size, int) or not 2 <= size <= 19:
        raise Error(f"{path} names no board size from 2 to 19")
    wanted = {"pairs": shapes_of(size).pairs, "whole": 2}
    for name, length in wanted.items():
        if name not in arrays or arrays[name].shape != (length,):
            raise Error(f"{path} holds no {length} numbers '{name}' for a board of {size}x{size}")
    return size


def check_shapes(name: str, kind: str, game: Game, path: str = "") -> None:
    """Raise `Error` unless the game is Go on a square board for which there are weights."""
    if not isinstance(game, Go):
        raise Error(f"{name} is a {kind} for go, not for {game.name}")
    if game.rows != game.cols:
        raise Error(f"{name} is a {kind} for square boards, not for {game}")
    local_shape_weights(game.rows, path)


@lru_cache(maxsize=8)
def local_shape_weights(size: int, path: str = "") -> Any:
    """The weights of a file for a board size, or those that come with mcrave; not to be written to.

    >>> local_shape_weights(9).shape
    (126610,)
    """
    _, arrays = _local_shape(size, path)
    return unfolded(arrays["pairs"], arrays["whole"])


@lru_cache(maxsize=8)
def local_shape_doubts(size: int, path: str = "") -> Any:
    """How unsure each weight is, from how often it was corrected, as an array like that of the weights.

    A weight is learnt after about n₀ = 4 |φ| / α corrections: each moves it by α (V(s') − V(s)) / |φ|, and V by at most
    a quarter of that. So a weight that was corrected n times has the variance 1/(n + n₀), up to a factor. The factor
    is such that the sum over the active features is 1 on average over the positions of learning.

    >>> local_shape_doubts(9).shape
    (126610,)
    """
    about, arrays = _local_shape(size, path)
    if "seen" in arrays:
        seen = np.asarray(arrays["seen"], np.float64)
    elif "octaves" in arrays:
        seen = np.exp2(np.asarray(arrays["octaves"], np.float64) / OCTAVE) - 1.0
    else:
        seen = np.zeros(0)
    alpha = about.get("alpha")
    whole = seen.shape == arrays["pairs"].shape and seen.min() >= 0.0 and seen[NOTHING] > 0.0
    if not whole or not isinstance(alpha, float) or not alpha > 0.0:
        what = path or "the file that comes with mcrave"
        raise Error(f"{what} does not tell how often weights were corrected, as confidence=variance needs it")
    doubt = 1.0 / (seen + corrections(size, alpha))
    doubt[NOTHING] = 0.0
    doubt *= seen[NOTHING] / np.sum(seen * doubt)
    return np.concatenate([np.repeat(doubt, 2), [0.0, 0.0]])


def corrections(size: int, alpha: float) -> float:
    """How many corrections a weight needs to be learnt.

    >>> corrections(9, 0.5)
    3120.0
    """
    return 4.0 * shapes_of(size).active / alpha


def _local_shape(size: int, path: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a file for a board size holds, or that which comes with mcrave."""
    if path:
        about, arrays = read(path, LOCAL_SHAPE)
        found = check_local_shape(path, about, arrays)
        if found != size:
            raise Error(f"{path} holds weights for {found}x{found}, not for {size}x{size}")
        return about, arrays
    packed = files("mcrave.features") / "data" / f"local_shape_{size}.npz"
    if not packed.is_file():
        raise Error(
            f"no weights of local shapes for {size}x{size} come with mcrave; "
            f"learn them by mcrave learn td --size {size}, and write local_shape(weights=FILE)"
        )
    with as_file(packed) as file:
        return read(file, LOCAL_SHAPE)
