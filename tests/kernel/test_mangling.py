"""Compiled functions have names that other processes understand in the same way."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import numpy as np
from numba.core import types
from numba.core.itanium_mangler import mangle
from numba.np.numpy_support import from_dtype
from mcrave.kernel import record

[types.UniTuple(types.intp, n) for n in range(int(sys.argv[1]))]  # types met before
for points in (9, 81):
    print(mangle("put", (from_dtype(record(board=(np.int8, points), turn=np.int8)),)))
"""


def names(met_before: int) -> list[str]:
    command = [sys.executable, "-c", PROGRAM, str(met_before)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_records_have_the_same_name_in_every_process():
    """Whatever types a process has met before; and two layouts never share a name."""
    first, second = names(0), names(7)
    assert first == second
    assert len(set(first)) == 2
