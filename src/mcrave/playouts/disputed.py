"""Playouts that prefer the disputed regions of the board (Bouzy; Gelly & Silver §3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from mcrave.errors import Error, SpecError
from mcrave.games import base
from mcrave.kernel import jit
from mcrave.playouts.base import Playout, begin, choose, evaluate, horizon, is_decided, learn, record, records
from mcrave.playouts.uniform import Uniform

if TYPE_CHECKING:
    from mcrave.games import Game


class Disputed(Playout, name="disputed"):
    """Moves of `playout`; one to a settled point is drawn again, up to `tries` times.

    A point is settled if the same player owned it at the end of a share of `settled` of the simulations from this root,
    once there are `after` of them. Stages of a policy that have one move only, such as an answer to an atari, draw the
    same move again: so they are kept. §3.5 names the idea without a rule; the rule and its numbers are ours.
    """

    reads_owners: ClassVar[bool] = True
    settled: float = 0.9
    after: int = 100
    tries: int = 1
    playout: Playout = Uniform()

    def validate(self) -> None:
        """Shares, and numbers that end."""
        if not 0.0 <= self.settled <= 1.0:
            raise SpecError(f"disputed needs settled from 0 to 1, not {self.settled}")
        for field, least, most in (("after", 1, 10**9), ("tries", 0, 100)):
            if not least <= getattr(self, field) <= most:
                raise SpecError(f"disputed needs {field} from {least} to {most}, not {getattr(self, field)}")

    def check(self, game: Game, amaf: bool) -> None:
        """Games that say who owns what, and what the inner policy asks for."""
        if not game.points():
            raise Error(f"disputed is for games with territory, such as go, not for {game.name}")
        self.playout.check(game, amaf)

    def memory_size(self, game: Game) -> int:
        """What the inner policy keeps."""
        return self.playout.memory_size(game)

    def play_out(playout, recording, rules, state, scratch, ply, last):
        """One move after another, some of them drawn again."""
        rng = scratch.rng[0]
        while ply < last and not base.is_over(rules, state):
            if is_decided(playout.playout, rules, state, scratch.memory):
                break
            move = choose(playout.playout, rules, state, scratch.memory, rng, scratch.moves)
            for _ in range(playout.tries):
                if not is_settled(scratch.owned, base.code(rules, state, move), playout.settled, playout.after):
                    break
                move = choose(playout.playout, rules, state, scratch.memory, rng, scratch.moves)
            record(recording, rules, state, scratch, ply, move)
            base.play(rules, state, move)
            ply += 1
        return ply

    def choose(playout, rules, state, memory, rng, out):
        """As the inner policy."""
        return choose(playout.playout, rules, state, memory, rng, out)

    def begin(playout, rules, tree, scratch, in_tree):
        """As the inner policy."""
        begin(playout.playout, rules, tree, scratch, in_tree)

    def records(playout):
        """As the inner policy."""
        return records(playout.playout)

    def learn(playout, rules, scratch, plies):
        """As the inner policy."""
        learn(playout.playout, rules, scratch, plies)

    def horizon(playout):
        """As the inner policy."""
        return horizon(playout.playout)

    def evaluate(playout, rules, state, player):
        """As the inner policy."""
        return evaluate(playout.playout, rules, state, player)


@jit
def is_settled(owned, point, share, least):
    """Whether one player, or nobody, owned a point in so large a share of the simulations, of `least` or more."""
    total = 0.0
    most = 0.0
    for row in range(owned.shape[0]):
        total += owned[row, point]
        most = max(most, owned[row, point])
    return total >= least and most >= share * total
