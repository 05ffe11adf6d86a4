"""Names of compiled functions that mean the same in every process.

Numba names a compiled function after the types of its arguments, and a record type after a number that counts types in
the order in which a process met them. So two files of the cache, compiled by different processes, may hold different
functions under one name, and a process that loads both runs the wrong one: seen as the code of a 19×19 board at work on
a 5×5 one. Here the name of a record is made of its layout.
"""

from __future__ import annotations

import hashlib
from typing import Any

from numba.core import types


def _name(record: Any) -> tuple[str, tuple[int]]:
    """What stands for a record type in the names of functions."""
    digest = hashlib.blake2b(record.name.encode(), digest_size=8).digest()
    return "Record", (int.from_bytes(digest, "little") >> 1,)


def name_records_by_layout() -> None:
    """Do so from now on; to be called before anything is compiled."""
    types.Record.mangling_args = property(_name)
