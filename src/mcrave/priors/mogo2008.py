"""The tuned heuristic for Go of MoGo's later versions (Gelly & Silver §6; Chaslot et al. 2010)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mcrave.errors import SpecError
from mcrave.games import _patterns as patterns
from mcrave.games import _stones as stones
from mcrave.games import _tactics as tactics
from mcrave.games._stones import PASS
from mcrave.kernel import jit
from mcrave.playouts.mogo import check_go
from mcrave.priors.base import Prior

if TYPE_CHECKING:
    from mcrave.games import Game

FAR = 8  # from this distance on the last move does not matter
STONES = np.int64(0x5555)


class Mogo2008(Prior, name="mogo2008"):
    """H(s,a) = Σ wᵢ vᵢ / Σ wᵢ with C̃ = Σ wᵢ and C = `share` · C̃, over what is known of the move; only for Go.

    Each is a number of won (v = 1) or lost (v = 0) simulations:

    | weight | v | where |
    | --- | --- | --- |
    | `even` | ½ | every move |
    | `save` | 1 | it saves stones in atari next to the last move |
    | `capture` | 1 | it captures; a half more for each further stone up to three times as much |
    | `atari` | 1 | it puts an enemy chain into atari, not itself |
    | `pattern` | 1 | a 3×3 pattern holds |
    | `near` | 1 | 2 / d of it at distance d < 8 from the last move, d = Δx + Δy + max(Δx, Δy) |
    | `self_atari` | 0 | it puts its own chain into atari and captures nothing |
    | `eye` | 0 | it fills an own eye; pass |
    | `border` | 0 or 1 | nothing near: lost on the first line, half of it lost on the second and won on the third |

    §6 says which rules there are, and that values and confidences were tuned by hand for each move; it does not give
    the numbers. Those here are ours.
    """

    even: float = 10.0
    save: float = 30.0
    capture: float = 30.0
    atari: float = 10.0
    pattern: float = 20.0
    near: float = 20.0
    self_atari: float = 20.0
    eye: float = 50.0
    border: float = 10.0
    share: float = 0.0

    def validate(self) -> None:
        """Simulations cannot be negative."""
        for field in self._fields:
            if not 0.0 <= getattr(self, field) <= 1e6:
                raise SpecError(f"mogo2008 needs {field} from 0 to 1000000, not {getattr(self, field)}")

    def check(self, game: Game) -> None:
        """Only Go."""
        check_go(self.name, "prior", game)

    def heuristic(prior, rules, state, tree, grandparent, edge):
        """Add up what is known."""
        move = np.uintp(tree.move[edge])
        won, lost = evidence(prior, rules, state, move) if move != PASS else (0.0, prior.eye)
        total = prior.even + won + lost
        value = (0.5 * prior.even + won) / total if total > 0.0 else 0.5
        return value, prior.share * total, total


@jit
def evidence(prior, rules, state, p):
    """Simulations won and lost by a stone on p, before any was made."""
    me = state.turn + np.int64(1)
    last = np.uintp(state.last)
    won, lost = 0.0, 0.0
    if last != PASS:
        won += prior.near * closeness(state, p, last)
        if prior.save > 0.0 and saves(state, p, last, me):
            won += prior.save
    taken = tactics.captured(state, p, me)
    if taken > 0:
        won += prior.capture * min(3.0, 0.5 + 0.5 * taken)
    elif tactics.is_self_atari(state, p, me, 1):
        lost += prior.self_atari
    elif tactics.gives_atari(state, p, me):
        won += prior.atari
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
def saves(state, p, last, me):
    """Whether a stone on p saves stones in atari next to the last move."""
    moves = state.empty[state.n_empty :]  # free, and long enough: see `tactics`
    return tactics.holds(moves, tactics.list_saves(state, last, me, moves, 0), p)


@jit
def closeness(state, p, q):
    """2 / d for points at a distance d < 8, 0 for others."""
    width = np.int64(state.width)
    a, b = np.int64(p), np.int64(q)
    down, right = abs(a // width - b // width), abs(a % width - b % width)
    d = down + right + max(down, right)
    return 2.0 / d if 0 < d < FAR else 0.0


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
