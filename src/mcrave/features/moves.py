"""Features of Go moves, after Coulom 2007, *Computing Elo ratings of move patterns in the game of Go*.

A move has one level of every group:

- pattern: the eight points around it, seen by the player to move and shared over the eight symmetries;
- capture: nothing, one stone, more stones;
- extension: it extends an own chain in atari to two liberties or more, or captures while doing so;
- self_atari: no; of a single stone, of more (what captures is none);
- atari: it leaves an enemy chain with one liberty;
- contiguity: it is one of the eight points around the last move;
- escape: it extends a chain next to the last move;
- recapture: it captures the chain of the last move;
- border: which line it is on, from the first to the fourth, or further away (level 0);
- last, before: the distance to the last move and to the one before it, |dx| + |dy| + max(|dx|, |dy|), from 2 (next to
  it) to 16, or more; level 0 if there was none.

Groups up to `recapture` are *light*: playouts afford them. The rest is for the tree. Coulom's paper names all of these
but `escape`, which is the part of his extension that answers the last move; what he tells by reading ladders is left
out, and he gives the tree larger patterns than 3×3.

Ratings stand in one array, group after group: `OFFSETS` says where each begins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mcrave.games import _patterns as patterns
from mcrave.games import _stones as stones
from mcrave.games import _tactics as tactics
from mcrave.games._stones import COUNT, EMPTY, ONE, PASS
from mcrave.games.go import is_playable
from mcrave.kernel import entry, jit

CODES = 1 << 16
FARTHEST = 17
MANY = 8  # pseudo-liberties of two points at most: a chain with more is not in danger


def _classes() -> Any:
    """The number of each code's pattern: codes that a symmetry turns into each other have the same."""
    numbers = np.arange(CODES)
    pairs = numbers[:, None] >> (2 * np.arange(8)) & 3
    least = numbers.copy()
    for drawing in patterns.symmetries("012345678"):
        order = [int(place) - (int(place) > 4) for place in drawing if place != "4"]
        least = np.minimum(least, (pairs[:, order] << (2 * np.arange(8))).sum(axis=1))
    off = pairs == patterns.OFF
    top, bottom, left, right = off[:, :3], off[:, 5:], off[:, (0, 3, 5)], off[:, (2, 4, 7)]
    sides = [side.all(axis=1) for side in (top, bottom, left, right)]
    drawn = np.zeros_like(off)
    for side, places in zip(sides, ((0, 1, 2), (5, 6, 7), (0, 3, 5), (2, 4, 7)), strict=True):
        drawn[:, places] |= side[:, None]
    possible = (drawn == off).all(axis=1)
    names, rank = np.unique(np.where(possible, least, -1), return_inverse=True)
    assert names[0] == -1  # what no board shows has the number 0
    return rank.astype(np.uint16)


CLASSES = _classes()
PATTERNS = int(CLASSES.max()) + 1
LEVELS = {
    "pattern": PATTERNS,
    "capture": 3,
    "extension": 2,
    "self_atari": 3,
    "atari": 2,
    "contiguity": 2,
    "escape": 2,
    "recapture": 2,
    "border": 5,
    "last": FARTHEST,
    "before": FARTHEST,
}
GROUPS = tuple(LEVELS)
LIGHT = GROUPS.index("recapture") + 1
OFFSETS = np.concatenate([[0], np.cumsum(list(LEVELS.values()))]).astype(np.int64)
CAPTURE, EXTENSION, SELF_ATARI, ATARI, CONTIGUITY, ESCAPE, RECAPTURE, BORDER, LAST, BEFORE = map(int, OFFSETS[1:-1])


def name_of(index: int) -> str:
    """What a rating is of.

    >>> name_of(CAPTURE + 2), name_of(LAST + 1), name_of(0)
    ('capture 2', 'last 1', 'pattern 0')
    """
    group = int(np.searchsorted(OFFSETS, index, side="right")) - 1
    return f"{GROUPS[group]} {index - int(OFFSETS[group])}"


# --------------------------------------------------------------------------------------------- kernels


@jit
def tactics_of(state, p, me):
    """The levels of capture, extension, self-atari and atari of a playable point, one byte each, the first lowest."""
    width = np.uintp(state.width)
    own, taken, gives = 0, 0, 0
    for q in (p - width, p - ONE, p + ONE, p + width):
        color = np.int64(state.color[q])
        if color != 1 and color != 2:
            continue
        libs = state.libs[state.chain[q]]
        if (libs & COUNT) > MANY:
            continue
        if color == me:
            own |= int(tactics.is_one_point(libs))
        elif stones.suffocates(state, q, p):
            taken = max(taken, 1 if state.length[state.chain[q]] == 1 and taken == 0 else 2)
        else:
            gives |= int(leaves_one(state, q, p, libs))
    exposed = 0
    if taken == 0 and (state.nbr[p] >> 12) < 2 and tactics.is_one_point(tactics.libs_after(state, p, me)):
        exposed = 1 if tactics.same_colour_around(state, p, me) == 0 else 2
    extends = own & int(exposed == 0)
    return taken | extends << 8 | exposed << 16 | gives << 24


@jit
def leaves_one(state, q, p, libs):
    """Whether the chain at q, next to the empty point p, has one liberty besides p; `libs` are its own."""
    width = np.uintp(state.width)
    chain = state.chain[q]
    taken = stones.liberty(p)
    for r in (p - width, p - ONE, p + ONE, p + width):
        libs -= taken * np.int64(state.chain[r] == chain)
    return tactics.is_one_point(libs)


@jit
def answers_last(state, p, me, last):
    """The levels of contiguity, escape and recapture, one bit each; escape only if p extends anything."""
    if last == PASS:
        return 0
    near = int(tactics.touches(state, p, last))
    width = np.uintp(state.width)
    escapes = 0
    for q in (last - width, last - ONE, last + ONE, last + width):
        if state.color[q] == me and stones.suffocates(state, q, p):
            escapes = 1
    takes = int(state.color[last] == 3 - me and stones.suffocates(state, last, p))
    return near | escapes << 1 | takes << 2


@jit
def apart(state, p, q):
    """The level of the distance between two points; 0 if q is none."""
    if q == PASS:
        return np.int64(0)
    width = np.int64(state.width)
    rows = abs(np.int64(p) // width - np.int64(q) // width)
    cols = abs(np.int64(p) % width - np.int64(q) % width)
    return min(rows + cols + max(rows, cols), FARTHEST) - 1


@jit
def line(rows, cols, p):
    """The level of the line: 1 at the edge, to 4; 0 further in."""
    row, col = np.int64(p) // (cols + 1) - 1, np.int64(p) % (cols + 1) - 1
    nearest = min(min(row, rows - 1 - row), min(col, cols - 1 - col))
    return nearest + 1 if nearest < 4 else np.int64(0)


@jit
def look(classes, rules, state, p, me, found):
    """Write the features of a playable point: for each group, the number of its rating; light ones only, if few fit."""
    found[0] = classes[np.uintp(patterns.surroundings(state, p, me))]
    levels = tactics_of(state, p, me)
    found[1] = CAPTURE + (levels & 255)
    found[2] = EXTENSION + (levels >> 8 & 255)
    found[3] = SELF_ATARI + (levels >> 16 & 255)
    found[4] = ATARI + (levels >> 24)
    answer = answers_last(state, p, me, np.uintp(state.last))
    found[5] = CONTIGUITY + (answer & 1)
    found[6] = ESCAPE + (answer >> 1 & levels >> 8 & 1)
    found[7] = RECAPTURE + (answer >> 2)
    if found.shape[0] > 8:
        found[8] = BORDER + line(rules.rows, rules.cols, p)
        found[9] = LAST + apart(state, p, np.uintp(state.last))
        found[10] = BEFORE + apart(state, p, np.uintp(state.before))


@jit
def look_around(classes, rules, state, found, moves):
    """Write every move that a playout may make, with its features; return how many."""
    me = state.turn + np.int64(1)
    n = 0
    for i in range(state.color.shape[0]):
        p = np.uintp(i)
        if state.color[p] == EMPTY and is_playable(state, p, me):
            look(classes, rules, state, p, me, found[n])
            moves[n] = i
            n += 1
    return n


@entry
def list_features(classes, rules, states, found, moves):
    """`look_around` for a position."""
    return look_around(classes, rules, states[0], found, moves)
