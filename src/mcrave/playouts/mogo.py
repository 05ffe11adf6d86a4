"""MoGo's default policy for Go: answer the last move, else play at random (Gelly & Silver §3.6)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mcrave.errors import Error, SpecError
from mcrave.games import _patterns as patterns
from mcrave.games import _saves as saves
from mcrave.games import _shapes as shapes
from mcrave.games import _stones as stones
from mcrave.games import _tactics as tactics
from mcrave.games import base
from mcrave.games._stones import EMPTY, ONE, PASS
from mcrave.games.go import Go
from mcrave.kernel import apart, inlined, jit
from mcrave.kernel.rng import below, uniform
from mcrave.playouts.base import Playout

if TYPE_CHECKING:
    from mcrave.games import Game

KNOWN = 0  # where memory says whether its lists are of the position at hand
SAVE, NAKADE, TWO, EYES, PATTERN, CAPTURE = (1 << i for i in range(6))  # rules that a move may not heed
ALL = (1 << 6) - 1
START = 3  # the lead when the playout began
HEAD = 4  # behind it, for each colour: how many points, and the points


class Mogo(Playout, name="mogo"):
    """Answer the last move by the first of these rules that has moves, one of them by lot; only for Go.

    1. save: an own chain next to the last move is in atari; a move after which it has two liberties or more, be it by
       extending or by capturing what attacks it; with `ladders` no extension that a ladder catches;
    2. with `capture_first`: capture the chain of the last move;
    3. with `nakade`: the vital point of an eye space of three to six points next to the last move that only enemy
       stones surround;
    4. with `two_liberties`: put the last move's chain of two liberties into atari, with `ladders` by the liberty that
       begins one, if there is such, or bring an own chain next to it from two liberties to three;
    5. with `eye_shape`: keep an own eye true of which the last move took the first diagonal point;
    6. with `fill_board` = n: up to n empty points are drawn; the first that has eight empty points around it is played;
    7. pattern: a point around the last move where a 3×3 pattern holds (see `mcrave.games._patterns`);
    8. capture: any capture on the board;
    9. with `proximity` = p: with that probability a point around the last move;
    10. a random move that fills no own eye; pass if there is none.

    1, 7, 8 and 10 are those of §3.6; 3 and 6 are named in §6. `avoid_self_atari` = n: no random move puts an own chain
    of n stones or more into atari without capturing, and no pattern move any chain; 0 allows it. `heed` = p: each
    of the rules 1 to 5, 7 and 8 is passed over with a probability of 1 − p, drawn anew each move, 2 and 8 together.
    What is known about the worth of each stands in `docs/algorithms/mogo.md`.

    Two options are about the end of a playout. `mercy` = m: it ends, and is won, when one side is ahead by more than
    m · √(points of the board) stones, komi counted, and gained half as many in this playout; 0: never. `margin` = w:
    the outcome counts 1 − w, and the final margin w, from 0 for a loss by half the board to 1 for a win by as much.
    """

    avoid_self_atari: int = 3
    two_liberties: bool = True
    capture_first: bool = False
    nakade: bool = True
    eye_shape: bool = False
    fill_board: int = 0
    proximity: float = 0.0
    ladders: bool = True
    heed: float = 1.0
    mercy: float = 0.0
    margin: float = 0.0

    def validate(self) -> None:
        """Numbers that mean something."""
        limits = {"avoid_self_atari": 1000, "fill_board": 1000, "proximity": 1, "heed": 1, "mercy": 25, "margin": 1}
        for field, most in limits.items():
            if not 0 <= getattr(self, field) <= most:
                raise SpecError(f"mogo needs {field} from 0 to {most}, not {getattr(self, field)}")

    @property
    def grades(self) -> bool:
        """Only by the margin: what mercy ends is won."""
        return self.margin > 0.0

    def check(self, game: Game, amaf: bool) -> None:
        """Only Go."""
        check_go(self.name, "playout", game)

    def memory_size(self, game: Game) -> int:
        """Where chains of each colour may be captured."""
        return HEAD + 2 * game.codes()

    def begin(playout, rules, tree, scratch, in_tree):
        """Another position: look for ataris anew."""
        scratch.memory[KNOWN] = 0.0
        scratch.memory[START] = lead(rules, scratch.work[0])

    def is_decided(playout, rules, state, memory):
        """Whether one side is far ahead, and has come there since the playout began.

        Stones that were there before may be dead ones, about to be captured.
        """
        if playout.mercy == 0.0:
            return False
        now = lead(rules, state)
        gain = now - memory[START] if now > 0.0 else memory[START] - now
        return is_far(playout, rules, now) and is_far(playout, rules, 2.0 * max(gain, 0.0))

    def evaluate(playout, rules, state, player):
        """The outcome, and a share of the margin; after mercy the side that is ahead has won by half the board."""
        now = lead(rules, state)
        if playout.mercy > 0.0 and not base.is_over(rules, state) and is_far(playout, rules, now):
            return 1.0 if (now > 0.0) == (player == 0) else 0.0
        won = base.outcome(rules, state, player)
        if playout.margin == 0.0:
            return won
        ahead = 2.0 * base.estimate(rules, state, player) - 0.5  # its unit is the whole board
        return (1.0 - playout.margin) * won + playout.margin * min(max(ahead, 0.0), 1.0)

    def choose(playout, rules, state, memory, rng, out):
        """Stage by stage."""
        return first_stage(playout, state, memory, rng, out)


@apart
def first_stage(playout, state, memory, rng, out):
    """A move of the first stage that has any."""
    me = state.turn + np.int64(1)
    last = np.uintp(state.last)
    ataris = tactics.ataris_around(state, last, me) if last != PASS else 0
    note_ataris(state, last, ataris, memory)
    heeded = draw_rules(rng, playout.heed)
    if last != PASS:
        p = before_patterns(playout, state, last, ataris, me, heeded, rng, out)
        if p != PASS:
            return np.int64(p)
        if heeded & PATTERN:
            n = tactics.list_patterns(state, last, me, int(playout.avoid_self_atari > 0), out, 0)
            if n > 0:
                return np.int64(out[below(rng, n)])
    return after_patterns(playout, state, last, me, heeded, memory, rng, out)


@inlined
def before_patterns(playout, state, last, ataris, me, heeded, rng, out):
    """An answer to the last move of the first stage that has any, of those that come before patterns; else PASS."""
    n = urgent_answers(playout, state, last, ataris, me, heeded, out)
    if n > 0:
        return np.uintp(out[below(rng, n)])
    return open_point(state, rng, playout.fill_board)


@inlined
def after_patterns(playout, state, last, me, heeded, memory, rng, out):
    """A move where no rule that comes before captures has any."""
    if heeded & CAPTURE:
        n = list_captures(state, me, memory, out)
        if n > 0:
            return np.int64(out[below(rng, n)])
    if last != PASS and playout.proximity > 0.0 and uniform(rng) < playout.proximity:
        n = list_neighbours(state, last, me, playout.avoid_self_atari, out)
        if n > 0:
            return np.int64(out[below(rng, n)])
    return np.int64(random_point(state, me, rng, playout.avoid_self_atari))


def check_go(name: str, kind: str, game: Game) -> None:
    """Refuse every other game."""
    if not isinstance(game, Go):
        raise Error(f"{name} is a {kind} for go, not for {game.name}")


@inlined
def lead(rules, state):
    """How many stones Black has more than White, komi counted."""
    return np.int64(state.count[1]) - np.int64(state.count[2]) - rules.komi


@inlined
def is_far(playout, rules, stones):
    """Whether a lead is enough for mercy."""
    return abs(stones) > playout.mercy * math.sqrt(rules.rows * rules.cols)


@inlined
def draw_rules(rng, heed):
    """The rules that are heeded this time, a bit for each."""
    if heed >= 1.0:
        return ALL
    rules = 0
    bit = 1
    while bit <= ALL:
        if uniform(rng) < heed:
            rules |= bit
        bit <<= 1
    return rules


@inlined
def urgent_answers(playout, state, last, ataris, me, heeded, out):
    """The moves of the first stage with any, of those that come before patterns."""
    n = 0
    if heeded & SAVE:
        n = saves.list_saves_at(state, last, ataris, me, playout.ladders, out, 0)
    if n == 0 and playout.capture_first and heeded & CAPTURE and tactics.in_atari(state, last):
        p = tactics.last_liberty(state, last)
        if p != state.ko:
            out[0] = p
            return 1
    if n == 0 and playout.nakade and heeded & NAKADE:
        n = shapes.list_nakade(state, last, me, out, 0)
    if n == 0 and playout.two_liberties and heeded & TWO:
        n = saves.list_two_liberties(state, last, me, playout.ladders, out, 0)
    if n == 0 and playout.eye_shape and heeded & EYES:
        n = shapes.list_eye_repairs(state, last, me, playout.avoid_self_atari, out, 0)
    return n


@jit
def answers(playout, state, last, me, out):
    """The moves of the first stage with any that looks at the last move; luck left out."""
    n = urgent_answers(playout, state, last, tactics.ataris_around(state, last, me), me, ALL, out)
    if n == 0:
        n = tactics.list_patterns(state, last, me, int(playout.avoid_self_atari > 0), out, 0)
    return n


@jit
def open_point(state, rng, tries):
    """An empty point with nothing but empty points around it, if one is found in so many tries; else PASS."""
    for _ in range(tries):
        p = np.uintp(state.empty[below(rng, np.int64(state.n_empty))])
        if patterns.surroundings(state, p, 1) == 0:
            return p
    return np.uintp(PASS)


@apart
def list_neighbours(state, last, me, least, out):
    """The points around the last move that a playout wants."""
    width = np.uintp(state.width)
    above, under = last - width, last + width
    n = 0
    for p in (above - ONE, above, above + ONE, last - ONE, last + ONE, under - ONE, under, under + ONE):
        if state.color[p] == EMPTY and tactics.is_wanted(state, p, me, least):
            out[n] = p
            n += 1
    return n


@inlined
def note_ataris(state, last, ataris, memory):
    """Keep the lists of points where something can be captured complete; they may hold points of the past too.

    A chain can come into atari only by a move next to it, or by the move that makes it.
    """
    if memory[KNOWN] == 0.0:
        memory[KNOWN] = 1.0
        memory[1] = 0.0
        memory[2] = 0.0
        for i in range(state.color.shape[0]):
            p = np.uintp(i)
            if (state.color[p] == 1 or state.color[p] == 2) and state.chain[p] == p:
                note(state, p, memory)
    elif last != PASS:
        note(state, last, memory)
        if ataris != 0:
            width = np.uintp(state.width)
            for q in (last - width, last - ONE, last + ONE, last + width):
                ataris <<= 1
                if ataris & 16:
                    note(state, q, memory)


@apart
def note(state, q, memory):
    """Put the last liberty of a chain on the list of the other colour, if it is in atari."""
    if tactics.in_atari(state, q):
        color = np.int64(state.color[q])
        half = (memory.shape[0] - HEAD) // 2
        points = memory[HEAD + (2 - color) * half : HEAD + (3 - color) * half]
        memory[3 - color] = tactics.add(points, np.int64(memory[3 - color]), tactics.last_liberty(state, q))


@inlined
def list_captures(state, me, memory, out):
    """The moves that capture; points on the list where nothing can be captured any more leave it."""
    half = (memory.shape[0] - HEAD) // 2
    points = memory[HEAD + (me - 1) * half : HEAD + me * half]
    n = 0
    kept = 0
    for i in range(np.int64(memory[me])):
        p = np.uintp(np.int64(points[i]))
        if state.color[p] == EMPTY and stones.captures(state, p, me):
            points[kept] = points[i]
            kept += 1
            if p != state.ko:
                out[n] = p
                n += 1
    memory[me] = kept
    return n


@inlined
def random_point(state, me, rng, least):
    """A random point that the playout wants, or PASS."""
    n = np.int64(state.n_empty)
    while n > 0:
        i = below(rng, n)
        p = np.uintp(state.empty[i])
        if tactics.is_wanted(state, p, me, least):
            return p
        n -= 1
        stones.refuse(state, i, n)
    return np.uintp(PASS)
