"""Explicit random streams: SplitMix64, its state in a record.

The same seed gives the same numbers compiled, interpreted and on a GPU. A stream is named by integers, for
example (seed, game, worker): streams with different names are independent for all practical purposes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mcrave.kernel import bits
from mcrave.kernel.jit import jit
from mcrave.kernel.records import alone, new, record

STREAM = record(state=np.uint64)
GAMMA = np.uint64(0x9E3779B97F4A7C15)
HIGH = np.uint64(32)
UNIT = 1.0 / (1 << 53)


def stream(seed: int, *path: int) -> Any:
    """One stream, as an array of one record; kernels take `stream(...)[0]`.

    >>> a, b = stream(1, 7), stream(1, 8)
    >>> bool(a[0].state != b[0].state)
    True
    """
    rng = alone(new(STREAM))
    key = bits._mix(seed & bits.MASK)
    for part in path:
        key = bits._mix((key + int(GAMMA) + (part & bits.MASK)) & bits.MASK)
    rng[0].state = key
    return rng


@jit
def next_word(rng):
    """64 random bits."""
    state = bits.add(rng.state, GAMMA)
    rng.state = state
    return bits.mix(state)


@jit
def below(rng, n):
    """A random integer in [0, n); its bias is under n / 2**32.

    >>> rng = stream(1)[0]
    >>> all(0 <= below(rng, 6) < 6 for _ in range(100))
    True
    """
    return np.int64(((next_word(rng) >> HIGH) * np.uint64(n)) >> HIGH)


@jit
def uniform(rng):
    """A random float in [0, 1).

    >>> 0.0 <= uniform(stream(1)[0]) < 1.0
    True
    """
    return np.float64(next_word(rng) >> np.uint64(11)) * UNIT
