"""Amounts as people write them."""

from __future__ import annotations

import re

from mcrave.errors import Error

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_MEMORY = {"": 1, "B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}


def parse_memory(text: str | int) -> int:
    """The number of bytes in `512MB`, `1.5GB` or a plain number.

    >>> parse_memory("1GB")
    1073741824
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMG]?B?)\s*", str(text).upper())
    if match is None or match.group(2) not in _MEMORY:
        raise Error(f"cannot read {text!r} as an amount of memory; write 512MB or 2GB")
    amount = float(match.group(1)) * _MEMORY[match.group(2)]
    if not 1 << 12 <= amount <= 1 << 42:
        raise Error(f"memory must be from 4KB to 4096GB, not {text}")
    return int(amount)


def parse_duration(text: str) -> float:
    """The number of seconds in `90s`, `30m`, `1.5h` or `2d`.

    >>> parse_duration("30m"), parse_duration("1.5h")
    (1800.0, 5400.0)
    """
    match = re.fullmatch(r"\s*(\d{1,9}(?:\.\d+)?)\s*([smhd])\s*", text.lower(), re.ASCII)
    if match is None or float(match.group(1)) == 0:
        raise Error(f"cannot read {text!r} as a time; write 90s, 30m or 2h")
    return float(match.group(1)) * _SECONDS[match.group(2)]
