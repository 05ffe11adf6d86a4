"""Operations on 64-bit words; each is one CPU or GPU instruction where there is one.

Words are `np.uint64` throughout: mixed with signed integers they would silently become floats.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from mcrave.kernel.jit import INTERPRETED, jit

WORD = np.uint64
ONE = WORD(1)
MASK = 0xFFFFFFFFFFFFFFFF


def _mix(word: int) -> int:
    """Stafford's 13th mixer, the finaliser of SplitMix64, on a Python integer."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


if INTERPRETED:

    def popcount(word):
        """How many bits are set."""
        return np.int64(int(word).bit_count())

    def lowest(word):
        """The index of the lowest set bit; 64 if there is none."""
        word = int(word)
        return np.int64((word & -word).bit_length() - 1 if word else 64)

    def mix(word):
        """A bijection of 64-bit words that leaves no visible pattern."""
        return WORD(_mix(int(word)))

    def add(a, b):
        """The sum modulo 2**64."""
        return WORD((int(a) + int(b)) & MASK)

    def on_gpu():
        """Whether this is compiled for a GPU: for the few kernels that are quick in another way there."""
        return False

else:

    @intrinsic
    def _popcount(typingctx, word):
        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), codegen

    @intrinsic
    def _lowest(typingctx, word):
        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.uint64(types.uint64), codegen

    @intrinsic
    def on_gpu(typingctx):
        """Whether this is compiled for a GPU: for the few kernels that are quick in another way there."""

        def codegen(context, builder, signature, args):
            return ir.Constant(ir.IntType(1), int("CUDA" in type(context).__name__))

        return types.boolean(), codegen

    @jit
    def popcount(word):
        """How many bits are set."""
        return np.int64(_popcount(word))

    @jit
    def lowest(word):
        """The index of the lowest set bit; 64 if there is none."""
        return np.int64(_lowest(word))

    @jit
    def mix(word):
        """A bijection of 64-bit words that leaves no visible pattern."""
        word = (word ^ (word >> WORD(30))) * WORD(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> WORD(27))) * WORD(0x94D049BB133111EB)
        return word ^ (word >> WORD(31))

    @jit
    def add(a, b):
        """The sum modulo 2**64."""
        return a + b


@jit
def nth(word, n):
    """The index of the n-th lowest set bit, counted from 0.

    >>> int(nth(WORD(0b1011000), 1))
    4
    """
    if on_gpu():
        return nth_by_halves(word, n)
    for _ in range(n):
        word &= word - ONE
    return lowest(word)


@jit
def nth_by_halves(word, n):
    """`nth` without branches, which is quicker on a GPU: is it in the lower half of what is left?"""
    at, left = 0, np.int64(n)
    for step in range(6):
        width = 32 >> step
        inside = popcount((word >> WORD(at)) & ((ONE << WORD(width)) - ONE))
        above = inside <= left
        left -= inside if above else 0
        at += width if above else 0
    return np.int64(at)


@jit
def combine(key, value):
    """Fold a non-negative integer into a hash; the order of the folds matters.

    >>> a = combine(combine(WORD(0), 1), 2)
    >>> bool(a == combine(combine(WORD(0), 1), 2) and a != combine(combine(WORD(0), 2), 1))
    True
    """
    return mix(add(mix(add(key, WORD(0x9E3779B97F4A7C15))), WORD(value)))


@jit
def placed(cell, piece):
    """The hash key of a piece on a cell, to be combined by exclusive or (Zobrist, without a table).

    >>> placed(3, 1) != placed(1, 3)
    True
    """
    return mix((WORD(cell) << WORD(8)) ^ WORD(piece) ^ WORD(0x632BE59BD9B4E019))
