"""What all compiled code stands on: the compiler, its cache, dispatch on type, randomness, bits, atomics.

Kernels are ordinary Python functions in the subset that Numba compiles. With `NUMBA_DISABLE_JIT=1` the
interpreter runs the same functions and gets the same results, bit for bit.
"""

from mcrave.kernel.dispatch import dispatched
from mcrave.kernel.jit import INTERPRETED, apart, entry, inlined, jit, without_nan
from mcrave.kernel.records import alone, in_lines, new, record, room

__all__ = [
    "INTERPRETED",
    "apart",
    "alone",
    "dispatched",
    "entry",
    "in_lines",
    "inlined",
    "jit",
    "new",
    "record",
    "room",
    "without_nan",
]
