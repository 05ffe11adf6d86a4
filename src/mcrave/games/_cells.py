"""Boards as sets of cells: one bit a cell, in as many 64-bit words as the board needs.

A set is an array of words, the lowest cell in the lowest bit of the first. Kernels go through a set word by
word; the number of words is part of the record's type, so that on boards of up to 64 cells the loops vanish.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from mcrave.kernel import bits, jit
from mcrave.kernel.bits import ONE, WORD

CAPACITIES = (1, 2, 4, 6, 11)  # few, because each is a record type of its own and compiled separately
ZERO = WORD(0)


def words_for(cells: int) -> int:
    """How many words a set of that many cells gets.

    >>> words_for(64), words_for(65), words_for(19 * 19)
    (1, 2, 6)
    """
    return next(words for words in CAPACITIES if 64 * words >= cells)


def fill(words: Any, cells: Iterable[int]) -> None:
    """Make the set hold these cells and no others."""
    number = sum(1 << cell for cell in cells)
    words[:] = np.frombuffer(number.to_bytes(8 * len(words), "little"), "<u8")


def members(words: Any) -> list[int]:
    """The cells in the set, in rising order."""
    number = int.from_bytes(words.astype("<u8").tobytes(), "little")
    return [cell for cell in range(number.bit_length()) if number >> cell & 1]


def holds(words: Any, cell: int) -> bool:
    """Whether a cell is in the set."""
    return bool(int(words[cell >> 6]) >> (cell & 63) & 1)


def marks(sets: Any, cells: int) -> list[int]:
    """For each of so many cells the number of the set that holds it, counted from 1; 0 if none does."""
    found = [0] * cells
    for number, words in enumerate(sets, start=1):
        for cell in members(words):
            found[cell] = number
    return found


@jit
def has(words, cell):
    """Whether the cell is in the set."""
    return (words[cell >> 6] >> WORD(cell & 63)) & ONE != ZERO


@jit
def put(words, cell):
    """Add a cell."""
    words[cell >> 6] |= ONE << WORD(cell & 63)


@jit
def drop(words, cell):
    """Take a cell out."""
    words[cell >> 6] &= ~(ONE << WORD(cell & 63))


@jit
def shifted(words, i, by):
    """Word `i` of the set with every cell moved down by `by`, or up if that is negative; |by| < 64 * words."""
    start = 64 * i + by
    if len(words) == 1:
        return words[0] >> WORD(start) if start >= 0 else words[0] << WORD(-start)
    at = start >> 6
    word = words[at] >> WORD(start & 63) if 0 <= at < len(words) else ZERO
    if start & 63 != 0 and 0 <= at + 1 < len(words):
        word |= words[at + 1] << WORD(64 - (start & 63))
    return word


@jit
def write(word, first, stride, offset, out, n):
    """Append `(first + bit) * stride + offset` for every bit of a word to `out[:n]`; return the new length."""
    while word != ZERO:
        out[n] = (first + bits.lowest(word)) * stride + offset
        n += 1
        word &= word - ONE
    return n


def step_aliases(name: str) -> tuple[str, ...]:
    """What may be typed for a move from one cell to another: with a dash, with an x, or with neither.

    >>> step_aliases("a2xb3")
    ('a2xb3', 'a2b3', 'a2-b3', 'a2xb3')
    """
    parts = re.fullmatch(r"([a-z]+\d+)[x-]([a-z]+\d+)", name)
    if parts is None:
        return (name,)
    source, target = parts.groups()
    return name, source + target, f"{source}-{target}", f"{source}x{target}"


@jit
def moved(me, source, target, captures, i):
    """What a piece changes (see `base.change`) that goes from cell to cell: it arrives, it leaves, it may capture.

    Predicate 2 · cell + player is that player's piece on that cell.
    """
    if i == 0:
        return 2 * (2 * target + me)
    if i == 1:
        return 2 * (2 * source + me) + 1
    if i == 2 and captures:
        return 2 * (2 * target + 1 - me) + 1
    return np.int64(-1)
