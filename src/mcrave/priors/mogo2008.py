"""The tuned heuristic for Go of MoGo's later versions (Gelly & Silver §6; Chaslot et al. 2010)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mcrave.errors import SpecError
from mcrave.games import _distances as distances
from mcrave.games import _ladders as ladders
from mcrave.games import _patterns as patterns
from mcrave.games import _saves as saves
from mcrave.games import _stones as stones
from mcrave.games import _tactics as tactics
from mcrave.games._stones import ONE, PASS
from mcrave.kernel import jit
from mcrave.playouts.mogo import check_go
from mcrave.priors.base import Prior

if TYPE_CHECKING:
    from mcrave.games import Game

STONES = np.int64(0x5555)


class Mogo2008(Prior, name="mogo2008"):
    """H(s,a) = Σ wᵢ vᵢ / Σ wᵢ with C = `share` · Σ wᵢ and C̃ = `amaf` · Σ wᵢ, over what is known; only for Go.

    Each is a number of won (v = 1) or lost (v = 0) simulations. f(s) = min(3, (1 + s) / 2) for s stones.

    | weight | v | where |
    | --- | --- | --- |
    | `even` | ½ | every move |
    | `save` | 1 | f(s) of it for a chain in atari that the move saves, ladders seen |
    | `capture` | 1 | f(s) of it for the stones that it captures, or puts into an atari from which they cannot run |
    | `atari` | 1 | it puts an enemy chain into atari, not itself |
    | `pattern` | 1 | a 3×3 pattern holds |
    | `near` | 1 | at a distance of 1, 2 or 3 from the last move, a chain being one point; at 3 a third of it |
    | `self_atari` | 0 | it puts its own chain into atari and captures nothing, or runs although a ladder catches it |
    | `eye` | 0 | it fills an own eye; pass |
    | `border` | 0 or 1 | nothing near: lost on the first line, half of it lost on the second and won on the third |

    §6 says which rules there are, and that values and confidences were tuned by hand for each move; it does not give
    the numbers. Those here are ours.
    """

    even: float = 10.0
    save: float = 20.0
    capture: float = 20.0
    atari: float = 5.0
    pattern: float = 10.0
    near: float = 7.0
    self_atari: float = 10.0
    eye: float = 50.0
    border: float = 10.0
    share: float = 1.0
    amaf: float = 1.0

    def validate(self) -> None:
        """Simulations cannot be negative."""
        for field in self._fields:
            if not 0.0 <= getattr(self, field) <= 1e6:
                raise SpecError(f"mogo2008 needs {field} from 0 to 1000000, not {getattr(self, field)}")

    def check(self, game: Game) -> None:
        """Only Go."""
        check_go(self.name, "prior", game)

    def survey(prior, rules, state, tree, first, count, out):
        """Add up what is known: the value goes to `w`, the sum of the weights to `n`."""
        note_nearness(prior, state, tree, first, count, out)
        note_escapes(prior, state, tree, first, count, out)
        for edge in range(first, first + count):
            move = np.uintp(tree.move[edge])
            won, lost = (0.0, prior.eye)
            if move != PASS:
                won, lost = evidence(prior, rules, state, move, out)
            won += tree.w[edge]
            lost += tree.n[edge]
            total = prior.even + won + lost
            tree.n[edge] = total
            tree.w[edge] = (0.5 * prior.even + won) / total if total > 0.0 else 0.5

    def heuristic(prior, rules, state, tree, grandparent, edge):
        """What the survey found."""
        return tree.w[edge], prior.share * tree.n[edge], prior.amaf * tree.n[edge]


@jit
def note_nearness(prior, state, tree, first, count, out):
    """What the last move says about each move goes to `w`, and nothing to `n`."""
    last = np.uintp(state.last)
    if last != PASS:
        distances.note_distances(state, last, out)
    for edge in range(first, first + count):
        tree.w[edge] = 0.0
        tree.n[edge] = 0.0
        if last != PASS and tree.move[edge] != PASS:
            d = distances.distance(state, np.uintp(tree.move[edge]))
            tree.w[edge] = prior.near if d < 3 else prior.near / 3.0 if d == 3 else 0.0
    distances.forget_distances(state)


@jit
def note_escapes(prior, state, tree, first, count, out):
    """Add what own chains in atari say: to `w` where they are saved, to `n` where they run in vain."""
    me = state.turn + np.int64(1)
    for i in range(state.color.shape[0]):
        chain = np.uintp(i)
        if state.color[chain] != me or state.chain[chain] != chain or not tactics.in_atari(state, chain):
            continue
        way = tactics.last_liberty(state, chain)
        n = saves.list_saves_of(state, chain, me, True, out, 0)
        runs = not tactics.holds(out, n, way)
        for edge in range(first, first + count):
            if tactics.holds(out, n, tree.move[edge]):
                tree.w[edge] += prior.save * weight_of(np.int64(state.length[chain]))
            if runs and tree.move[edge] == way:
                tree.n[edge] += prior.self_atari


@jit
def weight_of(count):
    """How much more several stones are worth than one: f."""
    return min(3.0, 0.5 + 0.5 * count)


@jit
def evidence(prior, rules, state, p, out):
    """Simulations won and lost by a stone on p, before any was made."""
    me = state.turn + np.int64(1)
    won, lost = 0.0, 0.0
    taken = tactics.captured(state, p, me)
    if taken > 0:
        won += prior.capture * weight_of(taken)
    elif tactics.is_self_atari(state, p, me, 1):
        lost += prior.self_atari
    elif tactics.gives_atari(state, p, me):
        caught = stones_caught(state, p, me, out)
        won += prior.capture * weight_of(caught) if caught > 0 else prior.atari
    if patterns.matches(state, p, me):
        won += prior.pattern
    if stones.is_eye(state, p, me):
        lost += prior.eye
    if is_lonely(state, p):
        line = line_of(rules, state, p)
        if line == 3:
            won += 0.5 * prior.border
        elif line < 3:
            lost += prior.border / line
    return won, lost


@jit
def stones_caught(state, p, me, log):
    """The stones of the largest chain that a stone on p, capturing nothing, puts into atari for good."""
    width = np.uintp(state.width)
    top = ladders.lay(state, p, me, tactics.NOWHERE, log, 0)
    most = np.int64(0)
    for q in (p - width, p - ONE, p + ONE, p + width):
        if state.color[q] == 3 - me and tactics.in_atari(state, q) and state.length[state.chain[q]] > most:
            if ladders.is_caught(state, q, 3 - me, log[top:]):
                most = np.int64(state.length[state.chain[q]])
    ladders.lift(state, log, top)
    return most


@jit
def line_of(rules, state, p):
    """The line from the edge, 1 being the first."""
    width = np.int64(state.width)
    row, col = np.int64(p) // width, np.int64(p) % width
    return min(min(row, rules.rows + 1 - row), min(col, rules.cols + 1 - col))


@jit
def is_lonely(state, p):
    """Whether no stone stands around the point: every pair of bits is 00 or 11."""
    code = patterns.surroundings(state, p, 1)
    return (code ^ (code >> 1)) & STONES == 0
