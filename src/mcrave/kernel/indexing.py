"""Kernels of mcrave count from the front: an index is never negative.

For every signed index Numba compiles a comparison and an addition, so that -1 is the last element, as in Python.
Without them a search is quicker (simulations a second, medians of three runs in turns: GRAVE at Domineering 1.21 times
as many, at Knightthrough 1.08; MC–RAVE at Go 1.05, with `mogo()` 1.04, both within the noise). On a GPU, where it also
makes kernels smaller, `mcrave.parallel.gpu` asks for it. A user's own kernels are compiled as Numba always does.

`NUMBA_BOUNDSCHECK=1` makes any index outside of an array an error, a negative one too; tests run searches so.
"""

from __future__ import annotations

from typing import Any

from numba.np import arrayobj

OWN = "_ZN6mcrave"  # how names of functions compiled from mcrave's modules begin


def count_from_the_front(arrays: Any = arrayobj) -> None:
    """Do so from now on; to be called before anything is compiled. `arrays` is the module that compiles indices."""
    usual = arrays.fix_integer_index
    if hasattr(usual, "__wrapped__"):
        return

    def fix_integer_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        if not builder.function.name.startswith(OWN):
            return usual(context, builder, kind, index, size)
        return context.cast(builder, index, kind, arrays.types.intp if kind.signed else arrays.types.uintp)

    fix_integer_index.__wrapped__ = usual  # type: ignore[attr-defined]
    arrays.fix_integer_index = fix_integer_index
