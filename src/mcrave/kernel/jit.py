"""The compiler: `jit` for kernels, `entry` for the few functions that Python calls.

What is compiled is kept on disk for the next process. `NUMBA_DISABLE_JIT=1` makes both of them leave the
function as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import numba
from numba import njit
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from mcrave.errors import KernelError
from mcrave.kernel import cache, diagnosis, progress
from mcrave.kernel.indexing import count_from_the_front
from mcrave.kernel.inlining import share_scopes
from mcrave.kernel.mangling import name_records_by_layout

name_records_by_layout()
share_scopes()
count_from_the_front()
numba.config.CACHE_DIR = str(cache.folder())
INTERPRETED = bool(numba.config.DISABLE_JIT)
OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,  # kernels allocate nothing; counting references to arrays took a tenth of a search's time
    "no_cfunc_wrapper": True,
}

APART: set[str] = set()  # how the names of functions begin that a GPU's compiler must leave where they are
_compiled: list[Any] = []  # everything whose cache must move when a source is added


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel into its callers: for those with large tuples of arrays, and those that return an array."""
    return njit(inline="always", **OPTIONS)(function)


def without_nan(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel that never meets NaN: a maximum may then be taken over several numbers at once."""
    return jit(function, fastmath={"nnan", "nsz"})


def jit(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Compile a kernel that other kernels call; `options` are Numba's.

    >>> @jit
    ... def twice(x):
    ...     return 2 * x
    >>> twice(21)
    42
    """
    try:
        kernel = njit(cache=True, **OPTIONS, **options)(function)
    except RuntimeError:  # typed into an interpreter: there is no file to keep it by
        return njit(**OPTIONS, **options)(function)
    if not INTERPRETED:
        _compiled.append(kernel)
    return kernel


def apart(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a long kernel, seldom called from many places, which a GPU's compiler must not copy to each of them.

    There copies cost more than calls, and loops that are unrolled more than those that are not: the threads of a GPU
    soon wait for instructions. On the processor, as `jit`.

    >>> @apart
    ... def thrice(x):
    ...     return 3 * x
    >>> thrice(14)
    42
    """
    parts = f"{function.__module__}.{function.__qualname__}".split(".")
    APART.add("_ZN" + "".join(f"{len(part)}{part}" for part in parts))
    return jit(function)


class Entry:
    """A compiled function that Python calls: cached on disk, its compile errors readable."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Prepare, but compile nothing until the first call."""
        self.kernel: Any = jit(function)
        update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        """Run it; the first call with new argument types compiles or loads it."""
        try:
            with progress.shown(self.__name__):  # type: ignore[attr-defined]
                return self.kernel(*args)
        except (NumbaError, UnsupportedBytecodeError, KeyError, AttributeError) as error:
            if INTERPRETED:
                raise
            raise KernelError(diagnosis.explain(error, args)) from None


def entry(function: Callable[..., Any]) -> Entry:
    """Compile a function that Python calls, with readable errors and a sign of life while compiling."""
    return Entry(function)


def include_source(cls: type) -> None:
    """Key the cache by the file that defines `cls` too, from now on."""
    if INTERPRETED or not cache.add_source(cls):
        return
    numba.config.CACHE_DIR = str(cache.folder())
    for kernel in _compiled:
        kernel.enable_caching()
