"""MoGo's 3×3 patterns: which empty points cut, bend round a stone (hane) or block at the edge.

After Gelly, Wang, Munos & Teytaud 2006, *Modification of UCT with patterns in Monte-Carlo Go*, as the
programs Pachi and michi describe its list; the report's own figures were not at hand. Pachi marks the cut of a knight's
move as not MoGo's, and the descent as MoGo's for X alone; it has the throw-in switched off. Both have one more, a chase
along the edge, which is left out here. Each is drawn below with the empty point in the middle:

    X O   stones of two colours      .   empty      #   off the board      ?   anything
    x     anything but X             o   anything but O

A pattern holds in all eight symmetries. Unless a side is named, it holds for both players, whichever is X.

What surrounds a point is a code of 16 bits, two for each of the eight points around it in the order of the drawing:
0 empty, 1 own, 2 enemy, 3 off the board. `TABLE` is one bit for each code, 8 KB in all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from mcrave.kernel import jit

DRAWN = """
enclosing hane
    X O X
    . . .
    ? ? ?

hane that does not cut
    X O .
    . . .
    ? . ?

turn (magari)
    X O ?
    X . .
    x . ?

thin hane, X to play
    X O O
    . . .
    ? . ?

diagonal attachment
    . O .
    X . .
    . . .

cut
    X O ?
    O . o
    ? o ?

cut beside a peep
    X O ?
    O . X
    ? ? ?

push through (de)
    ? X ?
    O . O
    o o o

cut of a knight's move
    O X ?
    o . O
    ? ? ?

block of a cut at the edge
    O X ?
    X . O
    # # #

block of a connection at the edge
    ? X ?
    x . O
    # # #

descent to the edge
    ? X O
    x . x
    # # #

throw-in at the edge, X to play
    ? O X
    o . O
    ? # #

cut at the edge, X to play
    ? O X
    X . O
    # # #
"""

EMPTY, OWN, ENEMY, OFF = range(4)
LETTERS = {
    ".": (EMPTY,),
    "X": (OWN,),
    "O": (ENEMY,),
    "#": (OFF,),
    "?": (EMPTY, OWN, ENEMY, OFF),
    "x": (EMPTY, ENEMY, OFF),
    "o": (EMPTY, OWN, OFF),
}
OTHER = str.maketrans("XOxo", "OXox")
ODD = np.int64(0x5555)  # the lower bit of each pair
ONE = np.uintp(1)


class Pattern(NamedTuple):
    """A drawn pattern."""

    name: str
    drawing: str
    """Nine characters, row by row."""
    for_both: bool
    """Whether either player may be X; otherwise X is to play."""


def read(text: str = DRAWN) -> list[Pattern]:
    """The patterns of a text like `DRAWN`.

    >>> [pattern.name for pattern in read() if not pattern.for_both]
    ['thin hane', 'throw-in at the edge', 'cut at the edge']
    """
    found = []
    for block in text.strip().split("\n\n"):
        title, *rows = block.splitlines()
        name, _, side = title.partition(", ")
        found.append(Pattern(name, "".join(rows).replace(" ", ""), side != "X to play"))
    return found


def symmetries(drawing: str) -> Iterator[str]:
    """A drawing turned and mirrored: eight of them, some perhaps the same."""
    for _ in range(4):
        drawing = "".join(drawing[3 * (2 - col) + row] for row in range(3) for col in range(3))
        yield drawing
        yield "".join(drawing[3 * row + 2 - col] for row in range(3) for col in range(3))


def codes(drawing: str) -> Any:
    """All codes that a drawing stands for, seen by X.

    >>> codes("XX#X.#XX#").tolist()  # own stones but for the eastern edge
    [55157]
    """
    around = drawing[:4] + drawing[5:]
    choices = [np.array(LETTERS[letter]) << (2 * i) for i, letter in enumerate(around)]
    return reduce(lambda some, more: np.add.outer(some, more).ravel(), choices)


def table(patterns: list[Pattern]) -> Any:
    """One bit for each code: whether a pattern holds for the player to move."""
    matched = np.zeros(1 << 16, bool)
    for pattern in patterns:
        for drawing in symmetries(pattern.drawing):
            matched[codes(drawing)] = True
            if pattern.for_both:
                matched[codes(drawing.translate(OTHER))] = True
    return np.packbits(matched, bitorder="little").view("<u8").astype(np.uint64)


TABLE = table(read())


@jit
def surroundings(state, p, me):
    """The code of the eight points around p, seen by a colour."""
    width = np.uintp(state.width)
    code = pair(state, p - width - ONE) | pair(state, p - width) << 2 | pair(state, p - width + ONE) << 4
    code |= pair(state, p - ONE) << 6 | pair(state, p + ONE) << 8
    code |= pair(state, p + width - ONE) << 10 | pair(state, p + width) << 12 | pair(state, p + width + ONE) << 14
    return code if me == 1 else exchanged(code)


@jit
def exchanged(code):
    """The same code seen by the other colour."""
    return (code & ODD) << 1 | (code >> 1) & ODD


@jit
def pair(state, p):
    """The two bits of a point: its colour, the border being 3."""
    color = np.int64(state.color[p])
    return color - (color >> 2)


@jit
def matches(state, p, me):
    """Whether a pattern holds at an empty point for this colour to play."""
    code = surroundings(state, p, me)
    return (TABLE[np.uintp(code >> 6)] >> np.uint64(code & 63)) & np.uint64(1) != np.uint64(0)
