"""Exact values of small positions: alpha–beta to the end of the game, with a hash table, compiled.

For two-player games whose outcomes sum to 1. Values are the outcome for the player to move, in [0, 1].
Where the rules forbid repetition, the path is part of what the table knows a position by, so values
are exact there too, at the price of fewer hits. Table keys are 64-bit hashes.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np

from mcrave.errors import Error, LimitError
from mcrave.games import Position, base
from mcrave.kernel import bits, entry, jit, new, record
from mcrave.specs import lowered
from mcrave.units import parse_memory

ENTRY = record(key=np.uint64, low=np.float64, high=np.float64, work=np.int64, best=np.int32)
FRAME = record(
    alpha=np.float64,  # the window
    beta=np.float64,
    floor=np.float64,  # alpha, raised by the best value so far
    best=np.float64,
    key=np.uint64,
    slot=np.int64,
    started=np.int64,
    best_move=np.int32,
    hint=np.int32,
    move=np.int32,
    i=np.int32,  # how many of the n moves were tried
    n=np.int32,
    n_seen=np.int32,
    player=np.int32,
)
NODES, LIMIT, STOP, BEST, HORIZON, LOSER = range(6)  # what `counters` holds
FINISHED, OUT_OF_NODES, TOO_DEEP, STOPPED = 0, 1, 2, 3
DEEPEST = 2000  # plies


class Solution(NamedTuple):
    """What `solve` found."""

    value: float
    """The outcome for the player to move when both play perfectly."""
    best: str | None
    """A move that gets it; None if the game is over."""
    nodes: int
    """How many positions were looked at."""


def solve(position: Position, nodes: int = 200_000_000, memory: str = "256MB") -> Solution:
    """Solve a position exactly, or raise `LimitError` after so many nodes. Ctrl-C stops it.

    >>> import mcrave
    >>> mcrave.solve(mcrave.game("mnk(size=3,length=3)").start()).value
    0.5
    >>> mcrave.solve(mcrave.game("nim(heaps=1-2-3)").start()).value
    0.0
    """
    if not isinstance(position, Position):
        raise Error(f"solve takes a position such as game.start(), not {position!r}")
    if nodes < 1:
        raise Error(f"nodes must be at least 1, not {nodes}")
    game = position.game
    if game.players != 2:
        raise Error(f"only games for two players can be solved, and {game.name} is for {game.players}")
    if position.is_over:
        return Solution(position.outcome(position.to_move), None, 0)
    search = _Search(position, nodes, memory)
    search.run()
    return Solution(search.value, position.name(int(search.counters[BEST])), int(search.counters[NODES]))


class _Search:
    """The memory of one solve, and the thread that runs it so that Ctrl-C gets through."""

    def __init__(self, position: Position, nodes: int, memory: str) -> None:
        game = position.game
        repeats = position.situations.size > 0
        self.deepest = deepest = DEEPEST if repeats else min(DEEPEST, game.max_plies())
        seen = np.zeros(position.situations.size + deepest + 2, np.uint64)
        seen[: position.situations.size] = position.situations[::-1]
        slots = 1 << max(4, (parse_memory(memory) // ENTRY.itemsize).bit_length() - 1)
        self.counters = np.array([0, nodes, 0, -1, 0, 0], np.int64)
        stack = new(game.state_type(), deepest + 2)
        stack[0] = position.state[0]
        self.arguments = (
            lowered(game),
            stack,
            new(FRAME, deepest + 2),
            np.zeros((deepest + 2, game.max_moves()), np.int32),
            new(ENTRY, slots),
            np.zeros((2, game.codes()), np.int64),
            seen,
            position.situations.size,
            self.counters,
        )
        self.value = 0.0
        self.failure: BaseException | None = None

    def run(self) -> None:
        thread = threading.Thread(target=self._work, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.2)
        except KeyboardInterrupt:
            self.counters[STOP] = STOPPED
            thread.join()
            raise
        if self.failure is not None:
            raise self.failure
        if self.counters[STOP] == OUT_OF_NODES:
            raise LimitError(f"not solved within {self.counters[LIMIT]} nodes; allow more, or take a smaller board")
        if self.counters[STOP] == TOO_DEEP:
            raise LimitError(f"not solved: a line of play is longer than {self.deepest} moves")

    def _work(self) -> None:
        try:
            self.value = float(solve_root(*self.arguments))
        except BaseException as error:
            self.failure = error


@entry
def solve_root(rules, stack, frames, moves, table, credit, seen, n_seen, counters):
    """The value of `stack[0]`; its best move goes into `counters[BEST]`.

    Without repetition the whole game is searched at once. With it, lines of play are long and mostly pointless:
    there the depth grows step by step, and whatever lies beyond it counts first as won for the player to move,
    then as lost; once both ways give the same value, that is the value.
    """
    if n_seen == 0:
        counters[HORIZON] = stack.shape[0] - 1
        return alpha_beta(rules, stack, frames, moves, table, credit, seen, n_seen, counters)
    first = base.to_move(rules, stack[0])
    for depth in range(2, stack.shape[0] - 1):
        counters[HORIZON] = depth
        counters[LOSER] = 1 - first
        optimistic = alpha_beta(rules, stack, frames, moves, table, credit, seen, n_seen, counters)
        counters[LOSER] = first
        value = alpha_beta(rules, stack, frames, moves, table, credit, seen, n_seen, counters)
        if counters[STOP] != FINISHED or value == optimistic:
            return value
    counters[STOP] = TOO_DEEP
    return 0.0


@jit
def alpha_beta(rules, stack, frames, moves, table, credit, seen, n_seen, counters):
    """Alpha–beta from `stack[0]` with the window [0, 1], its recursion spelt out over `frames`.

    Numba's cache cannot load recursive functions.
    """
    ply = 0
    open_frame(frames[0], 0.0, 1.0, n_seen)
    entering = True
    while True:
        frame = frames[ply]
        if entering and enter(rules, stack[ply], frame, moves[ply], table, seen, counters, ply):
            frame.i = frame.n  # its value is known: nothing to try
        entering = False
        if counters[STOP] != FINISHED:
            return 0.0
        if frame.floor >= frame.beta or frame.i >= frame.n:
            if frame.n > 0:
                leave(rules, stack[ply], frame, table, credit, counters)
            if ply == 0:
                counters[BEST] = frame.best_move
                return frame.best
            ply -= 1
            absorb(frames[ply], frame)
            continue
        move = take_next(rules, stack[ply], moves[ply], frame, credit[frame.player])
        stack[ply + 1] = stack[ply]
        base.play(rules, stack[ply + 1], move)
        after = base.situation(rules, stack[ply + 1])
        kept = frame.n_seen
        if after != 0:
            if not base.may_repeat(rules, move) and was_seen(seen, kept, after):
                continue
            seen[kept] = after
            kept += 1
        if base.to_move(rules, stack[ply + 1]) == frame.player:
            open_frame(frames[ply + 1], frame.floor, frame.beta, kept)
        else:
            open_frame(frames[ply + 1], 1.0 - frame.beta, 1.0 - frame.floor, kept)
        ply += 1
        entering = True


@jit
def open_frame(frame, alpha, beta, n_seen):
    """Begin a position with this window."""
    frame.alpha = frame.floor = alpha
    frame.beta = beta
    frame.best = -1.0
    frame.best_move = frame.hint = -1
    frame.n = frame.i = 0
    frame.n_seen = n_seen


@jit
def enter(rules, state, frame, moves, table, seen, counters, ply):
    """Look at a position for the first time; True if its value (`frame.best`) is known without trying moves."""
    frame.player = base.to_move(rules, state)
    if base.is_over(rules, state):
        frame.best = base.outcome(rules, state, frame.player)
        return True
    counters[NODES] += 1
    if counters[NODES] >= counters[LIMIT]:
        counters[STOP] = OUT_OF_NODES
    if ply >= counters[HORIZON]:
        if frame.n_seen == 0:
            counters[STOP] = TOO_DEEP
        frame.best = 0.0 if frame.player == counters[LOSER] else 1.0
        return True
    frame.started = counters[NODES]
    frame.key = path_key(rules, state, seen, frame.n_seen, counters, ply)
    frame.slot = find_slot(table, frame.key)
    known = table[frame.slot]
    if known.key == frame.key and known.work > 0:
        frame.hint = known.best
        if ply > 0:
            if known.low >= frame.beta or known.low == known.high:
                frame.best = known.low
                return True
            if known.high <= frame.alpha:
                frame.best = known.high
                return True
            frame.alpha = frame.floor = max(frame.alpha, known.low)
            frame.beta = min(frame.beta, known.high)
    frame.n = base.legal(rules, state, moves)
    return False


@jit
def absorb(frame, child):
    """Take over the value that the last move of this position led to."""
    value = child.best if child.player == frame.player else 1.0 - child.best
    if value > frame.best:
        frame.best = value
        frame.best_move = frame.move
    frame.floor = max(frame.floor, frame.best)


@jit
def leave(rules, state, frame, table, credit, counters):
    """Reward the move that cut off, and store what a search with this window proved."""
    if frame.floor >= frame.beta and frame.best_move >= 0:
        credit[frame.player, base.code(rules, state, np.int64(frame.best_move))] += 2 + frame.n - frame.i
    found = table[frame.slot]
    if found.key != frame.key or found.work == 0:
        found.key = frame.key
        found.low = 0.0
        found.high = 1.0
    if frame.best > frame.alpha:
        found.low = frame.best
    if frame.best < frame.beta:
        found.high = frame.best
    found.best = frame.best_move
    found.work = counters[NODES] - frame.started + 1


@jit
def path_key(rules, state, seen, n_seen, counters, ply):
    """The key of a position; where repetition matters, with what must not be repeated and how far is searched."""
    key = base.hash(rules, state)
    if n_seen > 0:
        path = np.uint64(0)
        for i in range(n_seen):
            path ^= bits.mix(seen[i])
        key = bits.combine(key ^ path, 2 * (counters[HORIZON] - ply) + counters[LOSER])
    return key


@jit
def was_seen(seen, n_seen, key):
    """Whether this situation stood on the board before."""
    for i in range(n_seen - 1, -1, -1):
        if seen[i] == key:
            return True
    return False


@jit
def find_slot(table, key):
    """Where this key is, or where it should go: of two neighbours, the one that cost less to compute."""
    slot = np.int64(key & np.uint64(table.shape[0] - 1))
    other = slot ^ 1
    if table[slot].key == key or (table[other].key != key and table[slot].work <= table[other].work):
        return slot
    return other


@jit
def take_next(rules, state, moves, frame, credit):
    """Take the most promising of the moves left: the table's, then those that cut off most."""
    first = frame.i
    best, best_credit = first, np.int64(-1)
    for j in range(first, frame.n):
        if moves[j] == frame.hint:
            best = j
            break
        worth = credit[base.code(rules, state, np.int64(moves[j]))]
        if worth > best_credit:
            best, best_credit = j, worth
    move = moves[best]
    for j in range(best, first, -1):  # shift, so that equal moves keep their order
        moves[j] = moves[j - 1]
    moves[first] = move
    frame.i += 1
    frame.move = move
    return np.int64(move)
