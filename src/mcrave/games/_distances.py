"""How far a point of a Go board is from a move, a chain counting as one point."""

from __future__ import annotations

import numpy as np

from mcrave.games._stones import BORDER, EMPTY, ONE
from mcrave.kernel import jit

FAR = 4  # nothing further away is looked at


@jit
def note_distances(state, start, queue):
    """Leave the distance of every empty point from the stone at `start` in its `next`, at most `FAR`.

    A step leads to a neighbour; from a stone to another of its chain it is none. `where` of the stones, which nobody
    reads, holds theirs. `queue` has room for every point of the board. `forget_distances` must follow before a move.
    """
    width = np.uintp(state.width)
    for i in range(state.color.shape[0]):
        if state.color[i] == EMPTY:
            state.next[i] = FAR
        elif state.color[i] != BORDER:
            state.where[i] = FAR
    n = reach(state, start, 0, queue, 0)
    i = 0
    while i < n:
        p = np.uintp(queue[i])
        d = distance(state, p) + 1
        for q in (p - width, p - ONE, p + ONE, p + width):
            if d < FAR and state.color[q] != BORDER and d < distance(state, q):
                n = reach(state, q, d, queue, n)
        i += 1


@jit
def distance(state, p):
    """What was noted of a point."""
    return np.int64(state.next[p]) if state.color[p] == EMPTY else np.int64(state.where[p])


@jit
def reach(state, p, d, queue, n):
    """Note the distance of an empty point, or of all stones of a chain, and queue them."""
    if state.color[p] == EMPTY:
        state.next[p] = d
        queue[n] = p
        return n + 1
    stone = p
    while True:
        state.where[stone] = d
        queue[n] = stone
        n += 1
        stone = np.uintp(state.next[stone])
        if stone == p:
            return n


@jit
def forget_distances(state):
    """Give empty points their `next` back."""
    for i in range(state.n_empty):
        state.next[state.empty[i]] = state.empty[i]
