"""Playouts that stop early and are judged where they stop (Gelly & Silver §2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mcrave.errors import SpecError
from mcrave.features.local_shape import Shapes, board_value, shapes_of
from mcrave.features.weights import check_shapes, local_shape_weights
from mcrave.games import base
from mcrave.playouts.base import Playout, begin, choose, evaluate, horizon, learn, play_out, records
from mcrave.playouts.uniform import Uniform

if TYPE_CHECKING:
    from mcrave.games import Game

ESTIMATE, OUTCOME = 0, 1


class Truncated(Playout, name="truncated"):
    """At most `depth` moves by `playout`, then an evaluation.

    A game that has ended by then has its outcome. Otherwise `evaluation` says what the position is worth:

    - estimate: what the game's rules make of it (`estimate`: the share of area, discs or pieces so far; ½ for
      games without one);
    - outcome: the game's outcome function as it is. That makes sense where it is a count at any time, as in Go
      and Othello; in a game whose end shows who has won it is not what a player would call a value;
    - local_shape: in Go, the learnt value of the local shapes, from the file `weights` or those that come with mcrave;
    - even: ½.

    A playout that is cut because the game has become too long is judged in the same way.
    """

    depth: int = 20
    evaluation: Literal["estimate", "outcome", "even", "local_shape"] = "estimate"
    playout: Playout = Uniform()
    weights: str = ""

    def validate(self) -> None:
        """No negative depths; with depth 0 there is no playout at all."""
        if self.depth < 0:
            raise SpecError(f"truncated needs depth to be 0 or more moves, not {self.depth}")

    def memory_size(self, game: Game) -> int:
        """What the inner policy keeps."""
        return self.playout.memory_size(game)

    def check(self, game: Game, amaf: bool) -> None:
        """What the inner policy asks for, and what the weights are for."""
        self.playout.check(game, amaf)
        if self.evaluation == "local_shape":
            check_shapes("truncated(evaluation=local_shape)", "playout", game, self.weights)

    @property
    def reads_weights(self) -> bool:
        """Whether the evaluation or the inner policy was learnt."""
        return self.evaluation == "local_shape" or super().reads_weights

    def loaded(self, game: Game) -> Any:
        """With the weights, if the evaluation has any."""
        if self.evaluation != "local_shape":
            return super().loaded(game)
        size = game.rows  # type: ignore[attr-defined]
        theta = local_shape_weights(size, self.weights)
        return TruncatedByShape(self.depth, self.playout.loaded(game), shapes_of(size), theta)  # type: ignore[call-arg]

    def horizon(playout):
        """The depth."""
        return min(playout.depth, horizon(playout.playout))

    def evaluate(playout, rules, state, player):
        """The outcome, or a guess."""
        if base.is_over(rules, state):
            return evaluate(playout.playout, rules, state, player)
        if playout.evaluation == ESTIMATE:
            return base.estimate(rules, state, player)
        return base.outcome(rules, state, player) if playout.evaluation == OUTCOME else 0.5

    def play_out(playout, recording, rules, state, scratch, ply, last):
        """As the inner policy."""
        return play_out(playout.playout, recording, rules, state, scratch, ply, last)

    def records(playout):
        """As the inner policy."""
        return records(playout.playout)

    def begin(playout, rules, tree, scratch, in_tree):
        """As the inner policy."""
        begin(playout.playout, rules, tree, scratch, in_tree)

    def choose(playout, rules, state, memory, rng, out):
        """As the inner policy."""
        return choose(playout.playout, rules, state, memory, rng, out)

    def learn(playout, rules, scratch, plies):
        """As the inner policy."""
        learn(playout.playout, rules, scratch, plies)


class TruncatedByShape(NamedTuple):
    """The policy as kernels see it, if local shapes evaluate."""

    depth: int
    playout: Any
    shapes: Shapes
    theta: Any

    def evaluate(playout, rules, state, player):
        """The outcome, or what the shapes are worth."""
        if base.is_over(rules, state):
            return evaluate(playout.playout, rules, state, player)
        value = board_value(playout.shapes, playout.theta, state)
        return value if player == 0 else 1.0 - value

    horizon = Truncated.horizon
    play_out = Truncated.play_out
    records = Truncated.records
    begin = Truncated.begin
    choose = Truncated.choose
    learn = Truncated.learn
