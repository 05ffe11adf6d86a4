"""MAST, the move-average sampling technique (lecture notes; Finnsson & Björnsson 2008, 2010)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mcrave.errors import SpecError
from mcrave.games import base
from mcrave.kernel.rng import uniform
from mcrave.playouts import _moves
from mcrave.playouts._moves import COLDEST
from mcrave.playouts.base import Playout

if TYPE_CHECKING:
    from mcrave.games import Game

SOFTMAX = 0


class Mast(Playout, name="mast"):
    """P(a) = exp(Q(p,a) / τ) / Σ_b exp(Q(p,b) / τ), Q(p,a) the mean outcome of all simulations in which p played a.

    p is the player to move, the sum is over the moves a random playout could make, τ is `tau`. Every play counts,
    in the tree and below it, also a second one in the same simulation; moves with one code (see the game's `code`)
    are one. With mode=epsilon the move of highest Q is played, one of several by lot, and with probability
    `epsilon` a random one.

    A move that was never played has Q = `untried`, ½ unless set. Finnsson & Björnsson give it the highest outcome, so
    that playouts look for what is new: untried=1. What was learnt is kept from one position to the next. In Go own
    eyes are not filled, as in random playouts.
    """

    tau: float = 0.2
    epsilon: float = 0.4
    mode: Literal["softmax", "epsilon"] = "softmax"
    untried: float = 0.5

    def validate(self) -> None:
        """Temperatures that keep every probability above zero."""
        if not self.tau >= COLDEST:
            raise SpecError(f"mast needs tau to be at least {COLDEST}, not {self.tau}; mode=epsilon is greedy")
        for field in ("epsilon", "untried"):
            if not 0.0 <= getattr(self, field) <= 1.0:
                raise SpecError(f"mast needs {field} from 0 to 1, not {getattr(self, field)}")

    def memory_size(self, game: Game) -> int:
        """An entry for each player and code."""
        return _moves.table_size(game)

    def records(playout):
        """Moves are what it learns from."""
        return True

    def begin(playout, rules, tree, scratch, in_tree):
        """Note how the entries stand."""
        scratch.memory[_moves.CODES] = scratch.seen.shape[0] // scratch.results.shape[0]

    def choose(playout, rules, state, memory, rng, out):
        """By lot, or the best."""
        if playout.mode == SOFTMAX:
            return _moves.draw(rules, state, memory, rng, out, _moves.heat(playout.untried, playout.tau))
        if uniform(rng) < playout.epsilon:
            return base.random_move(rules, state, rng, out)
        return _moves.best(rules, state, memory, rng, out, playout.untried)

    def learn(playout, rules, scratch, plies):
        """Count every play of the simulation."""
        tau = playout.tau if playout.mode == SOFTMAX else 0.0
        _moves.remember(scratch.memory, scratch.who, scratch.code, scratch.results, plies, False, tau)
