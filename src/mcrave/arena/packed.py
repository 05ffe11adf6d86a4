"""Results files in a small form, to be kept and read: the SQLite file under xz, as `games.db.xz`."""

from __future__ import annotations

import lzma
import os
import sqlite3
import tempfile
from pathlib import Path

from mcrave.errors import Error

SUFFIX = ".xz"


def is_packed(path: str | Path) -> bool:
    """Whether a file is packed, by its name.

    >>> is_packed("games.db.xz"), is_packed("games.db")
    (True, False)
    """
    return str(path).endswith(SUFFIX)


def opened(path: str | Path) -> sqlite3.Connection:
    """A packed file, unpacked in memory; what is written to it is refused."""
    try:
        data = lzma.decompress(Path(path).read_bytes())
    except (lzma.LZMAError, EOFError):
        raise Error(f"{path} is damaged, or was not packed by xz") from None
    except OSError as error:
        raise Error(f"cannot read {path}: {error.strerror}") from None
    base = sqlite3.connect(":memory:", isolation_level=None)
    base.deserialize(data)
    base.execute("PRAGMA query_only = 1")
    return base


def pack(source: sqlite3.Connection, target: str | Path) -> int:
    """Write all that a results file holds to a packed one; returns how many bytes that takes.

    The target is there as a whole or not at all.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = sqlite3.connect(Path(folder) / "copy.db")
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # what is in memory has no log beside it
        copy.execute("VACUUM")
        copy.close()
        data = lzma.compress((Path(folder) / "copy.db").read_bytes())
    part = f"{target}.part"
    try:
        Path(part).write_bytes(data)
        os.replace(part, target)
    except OSError as error:
        Path(part).unlink(missing_ok=True)
        raise Error(f"cannot write to {target}: {error.strerror}") from None
    return len(data)
