"""Playouts by learnt ratings of move patterns, in the manner of Crazy Stone (Coulom 2007; Gelly & Silver §6)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mcrave.errors import SpecError
from mcrave.features import ratings
from mcrave.features.moves import (
    ATARI,
    CAPTURE,
    CLASSES,
    CONTIGUITY,
    ESCAPE,
    EXTENSION,
    MANY,
    RECAPTURE,
    SELF_ATARI,
    answers_last,
    leaves_one,
    tactics_of,
)
from mcrave.games import _patterns as patterns
from mcrave.games import _saves as saves
from mcrave.games import _stones as stones
from mcrave.games import _tactics as tactics
from mcrave.games import base
from mcrave.games._stones import COUNT, EMPTY, ONE, PASS
from mcrave.kernel import inlined, jit
from mcrave.kernel.rng import uniform
from mcrave.playouts.base import Playout, record
from mcrave.playouts.mogo import check_go

if TYPE_CHECKING:
    from mcrave.games import Game

UNIT = 1 << 20  # weights are whole numbers of 1 / UNIT: their sums are exact, in whatever order they are changed
HIGHEST = float(1 << 40)
SHIFT = np.uintp(4)  # a block of 16 points has one sum
BLOCK = 16
NEVER = 3  # a level of self-atari: the point is not played


class Patterns(Playout, name="patterns"):
    """Every move with a probability proportional to the product of the ratings of its features; only for Go.

    π(s,a) = Π γ_i / Σ_b Π γ_i, over the light features of `mcrave.features.moves`. The moves are those of a random
    playout: no own eye is filled, and pass comes when there is no other. `weights` is a file that `mcrave learn mm`
    wrote; without one it is what comes with mcrave, learnt on 9×9. `power` is an exponent of all ratings: above 1 the
    better moves are made more often than the players made them from whom they were learnt.

    Coulom 2007, §4.1, has the same features in his playouts, as far as memory goes: 3×3 patterns, extension and capture
    without ladders, self-atari, contiguity to the last move. Ours also know atari and the answer to the last move.
    """

    weights: str = ""
    power: float = 1.0

    def validate(self) -> None:
        """A power that leaves the order of ratings as it is."""
        if not 0.0 < self.power <= 10.0:
            raise SpecError(f"patterns needs power above 0 and up to 10, not {self.power}")

    @property
    def reads_weights(self) -> bool:
        """Always."""
        return True

    def check(self, game: Game, amaf: bool) -> None:
        """Only Go, with ratings that can be read."""
        check_go(self.name, "playout", game)
        self.gamma()

    def gamma(self) -> Any:
        """The ratings."""
        return ratings.load("light", self.weights) ** self.power

    def memory_size(self, game: Game) -> int:
        """Weights of both colours, the sums of their blocks, and a list of points with a number for each."""
        rows, cols = game.rows, game.cols  # type: ignore[attr-defined]
        blocks = ((rows + 2) * (cols + 1) + BLOCK) // BLOCK
        return 2 * blocks * BLOCK + 2 * blocks + 2 * blocks * BLOCK

    def loaded(self, game: Game) -> Any:
        """With a table of pattern ratings by code, and the other ratings."""
        gamma = self.gamma()
        return LoadedPatterns(gamma.astype(np.float32)[CLASSES], np.ascontiguousarray(gamma[CAPTURE:]))


class LoadedPatterns(NamedTuple):
    """The policy as kernels see it."""

    by_code: Any  # float32: the rating of the pattern around a point, so small that a cache holds it
    other: Any  # the ratings from `CAPTURE` on

    def choose(playout, rules, state, memory, rng, out):
        """By lot, all weights being computed anew."""
        weigh_all(playout, rules, state, memory)
        return draw(playout, rules, state, memory, rng)

    def play_out(playout, recording, rules, state, scratch, ply, last):
        """The same moves, with weights that are kept from move to move."""
        memory, rng = scratch.memory, scratch.rng[0]
        weigh_all(playout, rules, state, memory)
        while ply < last and state.passes < 2:
            move = draw(playout, rules, state, memory, rng)
            record(recording, rules, state, scratch, ply, move)
            if move == PASS:
                base.play(rules, state, move)
            else:
                play_and_weigh(playout, rules, state, memory, np.uintp(move))
            ply += 1
        return ply


@inlined
def parts(rules, memory):
    """Weights and sums of blocks of both colours, each colour after the other, and the list of points."""
    blocks = ((rules.rows + 2) * (rules.cols + 1) + BLOCK) // BLOCK
    points = blocks * BLOCK
    return memory[: 2 * points], memory[2 * points : 2 * (points + blocks)], memory[2 * (points + blocks) :]


@inlined
def weigh_all(playout, rules, state, memory):
    """All weights of both colours."""
    weights, sums, _ = parts(rules, memory)
    for i in range(weights.shape[0]):
        weights[i] = 0.0
    for i in range(sums.shape[0]):
        sums[i] = 0.0
    for i in range(state.n_empty):
        refresh(playout, state, weights, sums, np.uintp(state.empty[i]))


@jit
def refresh(playout, state, weights, sums, p):
    """Weigh a point anew for both colours."""
    points, blocks = np.uintp(weights.shape[0] >> 1), np.uintp(sums.shape[0] >> 1)
    block = p >> SHIFT
    black, white = both_weights(playout, state, p)
    sums[block] += black - weights[p]
    weights[p] = black
    sums[blocks + block] += white - weights[points + p]
    weights[points + p] = white


@jit
def both_weights(playout, state, p):
    """The product of the ratings of a point for each colour, without those that depend on the last move.

    0 if it may not be played; ko is seen to when a move is drawn. The levels are those of `tactics_of`, found for both
    colours at once: what one captures the other extends.
    """
    if state.color[p] != EMPTY:
        return 0.0, 0.0
    code = patterns.surroundings(state, p, 1)
    black = np.float64(playout.by_code[np.uintp(code)])
    white = np.float64(playout.by_code[np.uintp(patterns.exchanged(code))])
    around = np.int64(state.nbr[p])
    empty = around >> 12
    if empty + (around >> 8 & 15) == 4:  # with two players the third count is of points off the board
        return rounded(black), rounded(white)
    width = np.uintp(state.width)
    own = stones.liberty(p)
    last_of_black, last_of_white, two = 0, 0, 0
    for q in (p - width, p - ONE, p + ONE, p + width):
        color = np.int64(state.color[q])
        if color != 1 and color != 2:
            continue
        chain = state.chain[q]
        libs = state.libs[chain]
        count = libs & COUNT
        if count > MANY:
            continue
        if count * own == libs:
            found = 1 if state.length[chain] == 1 else 2
            if color == 1:
                last_of_black = min(last_of_black + found, 2)
            else:
                last_of_white = min(last_of_white + found, 2)
        elif (count == 2 or state.length[chain] > 1) and leaves_one(state, q, p, libs):
            two |= color
    exposed_black, exposed_white = 0, 0
    if empty < 2:
        if last_of_white == 0:
            exposed_black = exposure(state, p, 1, around & 15, empty)
        if last_of_black == 0:
            exposed_white = exposure(state, p, 2, around >> 4 & 15, empty)
    black *= product(playout.other, last_of_white, last_of_black, exposed_black, two >> 1)
    white *= product(playout.other, last_of_black, last_of_white, exposed_white, two & 1)
    return 0.0 if exposed_black == NEVER else rounded(black), 0.0 if exposed_white == NEVER else rounded(white)


@jit
def exposure(state, p, me, same, empty):
    """The level of self-atari of a stone that captures nothing, or NEVER for suicide and own eyes."""
    if same == 4 and stones.is_eye(state, p, me):
        return NEVER
    libs = tactics.libs_after(state, p, me)
    if libs & COUNT == 0:
        return NEVER
    if not tactics.is_one_point(libs):
        return 0
    return 1 if tactics.same_colour_around(state, p, me) == 0 else 2


@jit
def product(other, taken, threatened, exposed, gives):
    """The ratings of capture, extension, self-atari and atari together."""
    if taken | threatened | exposed | gives == 0 or exposed == NEVER:
        return 1.0
    extends = int((threatened > 0) & (exposed == 0))
    value = other[taken] * other[EXTENSION - CAPTURE + extends]
    return value * other[SELF_ATARI - CAPTURE + exposed] * other[ATARI - CAPTURE + gives]


@jit
def rounded(value):
    """In whole units."""
    return min(max(math.floor(value * UNIT), 1.0), HIGHEST)


# ------------------------------------------------------------------------------------------- drawing a move


@inlined
def draw(playout, rules, state, memory, rng):
    """A move by lot, or PASS."""
    all_weights, all_sums, spare = parts(rules, memory)
    me = state.turn + np.int64(1)
    points, blocks = all_weights.shape[0] >> 1, all_sums.shape[0] >> 1
    weights = all_weights[(me - 1) * points : me * points]
    sums = all_sums[(me - 1) * blocks : me * blocks]
    ko = np.uintp(state.ko)
    ko_weight = weights[ko]  # 0 if there is none: no weight is at point 0
    weights[ko] = 0.0
    sums[ko >> SHIFT] -= ko_weight
    total = 0.0
    for block in range(blocks):
        total += sums[block]
    move = np.int64(PASS)
    if total > 0.0:
        n = 0
        if state.last != PASS:
            n = list_answers(playout, state, weights, me, spare)
        move = draw_among(weights, sums, total, spare, n, rng)
    weights[ko] = ko_weight
    sums[ko >> SHIFT] += ko_weight
    return move


@jit
def list_answers(playout, state, weights, me, spare):
    """Write the points whose ratings the last move changes, each with the factor behind it; return how many."""
    last = np.uintp(state.last)
    width = np.uintp(state.width)
    n = 0
    near = playout.other[CONTIGUITY - CAPTURE + 1]
    above, under = last - width, last + width
    escapes, takes = 0, 0
    for q in (above, last - ONE, last + ONE, under):
        if state.color[q] == me and tactics.in_atari(state, q):
            escapes += 1
    if state.color[last] == 3 - me and tactics.in_atari(state, last):
        takes += 1
    for p in (above - ONE, above, above + ONE, last - ONE, last + ONE, under - ONE, under, under + ONE):
        if weights[p] > 0.0:
            factor = near if escapes + takes == 0 else factor_of(playout, state, p, me)
            spare[n], spare[n + 1] = np.int64(p), factor
            n += 2
    if takes > 0:
        n = add_far(playout, state, weights, tactics.last_liberty(state, last), me, spare, n)
    if escapes > 0:
        for q in (above, last - ONE, last + ONE, under):
            if state.color[q] == me and tactics.in_atari(state, q):
                n = add_far(playout, state, weights, tactics.last_liberty(state, q), me, spare, n)
    return n


@jit
def add_far(playout, state, weights, p, me, spare, n):
    """Put a point on that list, unless it stands there or cannot be played."""
    if weights[p] == 0.0:
        return n
    for i in range(0, n, 2):
        if spare[i] == np.int64(p):
            return n
    spare[n], spare[n + 1] = np.int64(p), factor_of(playout, state, p, me)
    return n + 2


@jit
def factor_of(playout, state, p, me):
    """The ratings of what a point answers to the last move."""
    other = playout.other
    answer = answers_last(state, p, me, np.uintp(state.last))
    extends = tactics_of(state, p, me) >> 8 & 1 if answer & 2 else 0
    factor = other[CONTIGUITY - CAPTURE + (answer & 1)] * other[ESCAPE - CAPTURE + extends]
    return factor * other[RECAPTURE - CAPTURE + (answer >> 2)]


@jit
def draw_among(weights, sums, total, spare, n, rng):
    """A point with probability proportional to its weight, times its factor if it is on the list.

    A factor f above 1 is an extra chance of f − 1 times the weight. One below is a chance that the point is refused
    when it was drawn, and another one drawn in its place.
    """
    extra, least = 0.0, 1.0
    for i in range(0, n, 2):
        extra += max(spare[i + 1] - 1.0, 0.0) * weights[np.uintp(np.int64(spare[i]))]
        least = min(least, spare[i + 1])
    while True:
        left = uniform(rng) * (total + extra)
        p = np.int64(PASS)
        if left < extra:
            for i in range(0, n, 2):
                if spare[i + 1] > 1.0:
                    p = np.int64(spare[i])
                    left -= (spare[i + 1] - 1.0) * weights[np.uintp(p)]
                    if left < 0.0:
                        break
            return p
        left -= extra
        p = walk(weights, sums, left)
        if least >= 1.0 or uniform(rng) < factor_on(spare, n, p):
            return p


@jit
def walk(weights, sums, left):
    """The point at which the weights from the first one on add up to more than `left`."""
    chosen = 0
    for block in range(sums.shape[0]):
        if sums[block] > 0.0:
            chosen = block
            if left < sums[block]:
                break
            left -= sums[block]
    p = np.int64(PASS)
    for i in range(chosen * BLOCK, (chosen + 1) * BLOCK):
        if weights[i] > 0.0:
            p = np.int64(i)
            left -= weights[i]
            if left < 0.0:
                break
    return p


@jit
def factor_on(spare, n, p):
    """The factor of a point if it is on the list, but at most 1."""
    for i in range(0, n, 2):
        if spare[i] == p:
            return min(spare[i + 1], 1.0)
    return 1.0


# ------------------------------------------------------------------------------------------- keeping weights


@inlined
def play_and_weigh(playout, rules, state, memory, p):
    """Put a stone, and bring all weights that it changes up to date.

    These are the weights of the points around it, of those around captured stones, and of the liberties of chains
    that have two or fewer of them, before or after the move: no other chain matters to a point beside it.
    """
    weights, sums, spare = parts(rules, memory)
    me = state.turn + np.int64(1)
    width = np.uintp(state.width)
    n = list_before(state, p, me, spare)
    before = np.int64(state.n_empty)
    base.play(rules, state, np.int64(p))
    refresh_block(playout, state, weights, sums, p)
    for i in range(before - 1, np.int64(state.n_empty)):  # the captured points are the last of the list
        refresh_block(playout, state, weights, sums, np.uintp(state.empty[i]))
    n = add_liberties(state, np.uintp(state.chain[p]), spare, n)
    for q in (p - width, p - ONE, p + ONE, p + width):
        if state.color[q] == 3 - me:
            n = add_liberties(state, np.uintp(state.chain[q]), spare, n)
    for i in range(n):
        q = np.uintp(np.int64(spare[i]))
        if q != p and not tactics.touches(state, q, p):
            refresh(playout, state, weights, sums, q)


@jit
def list_before(state, p, me, spare):
    """The liberties of own chains of two or fewer, beside a stone on p or beside what it captures."""
    n = 0
    for chain in tactics.own_chains(state, p, me):
        if chain != tactics.NOWHERE:
            n = add_liberties(state, chain, spare, n)
    if not stones.captures(state, p, me):
        return n
    width = np.uintp(state.width)
    for chain in tactics.own_chains(state, p, 3 - me):
        if chain == tactics.NOWHERE or not stones.suffocates(state, chain, p):
            continue
        stone = chain
        while True:
            for q in (stone - width, stone - ONE, stone + ONE, stone + width):
                if state.color[q] == me:
                    n = add_liberties(state, np.uintp(state.chain[q]), spare, n)
            stone = np.uintp(state.next[stone])
            if stone == chain:
                break
    return n


@jit
def add_liberties(state, chain, spare, n):
    """Put the liberties of a chain that has one or two on a list."""
    libs = state.libs[chain]
    if (libs & COUNT) > 8:
        return n
    if tactics.is_one_point(libs):
        return tactics.add(spare, n, tactics.the_point(libs))
    a, b = saves.two_liberties(state, chain)
    if a != tactics.NOWHERE:
        n = tactics.add(spare, n, a)
        n = tactics.add(spare, n, b)
    return n


@jit
def refresh_block(playout, state, weights, sums, p):
    """Weigh a point and the eight around it anew."""
    width = np.uintp(state.width)
    above, under = p - width, p + width
    for q in (above - ONE, above, above + ONE, p - ONE, p, p + ONE, under - ONE, under, under + ONE):
        if state.color[q] == EMPTY or q == p:
            refresh(playout, state, weights, sums, q)
