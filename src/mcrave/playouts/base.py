"""The contract of a playout policy: how a game is finished once the simulation has left the tree.

Only `choose` is required. A policy that learns while the search runs keeps what it learnt in `memory`, an array
of `memory_size(game)` floats that lives as long as the search; `begin` sees the tree before a playout, `learn` the
whole simulation after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from mcrave.games import base
from mcrave.kernel import dispatched, inlined
from mcrave.specs import Spec, lowered

if TYPE_CHECKING:
    from mcrave.games import Game


@dispatched
def choose(playout, rules, state, memory, rng, out):
    """Choose the next move; `out` is scratch for a list of moves."""


@dispatched
def play_out(playout, recording, rules, state, scratch, ply, last):
    """Finish the game from `ply`, at the latest at `last`; return the ply reached. `choose` chooses every move."""
    while ply < last and goes_on(playout, rules, state, scratch):
        step(playout, recording, rules, state, scratch, ply)
        ply += 1
    return ply


@inlined
def goes_on(playout, rules, state, scratch):
    """Tell whether a playout needs another move."""
    return not base.is_over(rules, state) and not is_decided(playout, rules, state, scratch.memory)


@inlined
def step(playout, recording, rules, state, scratch, ply):
    """Choose a move and make it."""
    move = choose(playout, rules, state, scratch.memory, scratch.rng[0], scratch.moves)
    record(recording, rules, state, scratch, ply, move)
    base.play(rules, state, move)


@dispatched
def is_decided(playout, rules, state, memory):
    """Tell whether a playout ends here though the game is not over; `evaluate` must value such a position."""
    return False


@dispatched
def record(recording, rules, state, scratch, ply, move):
    """Write down who plays what, if anybody reads it."""


@dispatched
def random_rest(recording, rules, state, scratch, ply, last):
    """Finish the game by random moves, in the game's fastest way; return the ply reached."""
    return ply + base.random_playout(rules, state, scratch.rng[0], scratch.moves, last - ply)


class Recording(Spec):
    """Who played what goes into `scratch.who` and `scratch.code`."""

    def record(recording, rules, state, scratch, ply, move):
        """One entry a ply."""
        scratch.who[ply] = base.to_move(rules, state)
        scratch.code[ply] = base.code(rules, state, move)

    def random_rest(recording, rules, state, scratch, ply, last):
        """The game's own way to play and write down."""
        rng = scratch.rng[0]
        return base.recorded_playout(rules, state, rng, scratch.moves, ply, last, scratch.who, scratch.code)


@dispatched
def records(playout):
    """Tell whether `learn` reads the players and move codes of the simulation."""
    return False


@dispatched
def begin(playout, rules, tree, scratch, in_tree):
    """Prepare `scratch.memory` for one playout; the first `in_tree` entries of `scratch.node` are the path."""


@dispatched
def learn(playout, rules, scratch, plies):
    """Learn from a finished simulation of so many plies: `scratch.who`, `.code` and `.results`."""


@dispatched
def horizon(playout):
    """How many plies a playout lasts at most."""
    return 1 << 30


@dispatched
def evaluate(playout, rules, state, player):
    """Value the position in which a playout ended, for a player, in [0, 1]."""
    return base.outcome(rules, state, player)


class Playout(Spec, kind="playout"):
    """A playout policy; subclass it with a name to add one."""

    reads_owners: ClassVar[bool] = False
    """Whether it needs `scratch.owned`, so that the search must count owners (`Options.ownership`)."""

    @property
    def reads_weights(self) -> bool:
        """Whether `loaded` adds arrays that were learnt, to this or to a policy inside it."""
        return any(part.reads_weights for part in self if isinstance(part, Playout))

    @property
    def reads_tree(self) -> bool:
        """Whether `begin` looks at the tree, in this or in a policy inside it."""
        return any(part.reads_tree for part in self if isinstance(part, Playout))

    @property
    def grades(self) -> bool:
        """Whether a playout may be worth anything but what the game's rules say of its last position."""
        return hasattr(self, "evaluate")

    def loaded(self, game: Game) -> Any:
        """As kernels see it: the spec itself, or a named tuple with the same kernels that holds what was learnt."""
        values = (part.loaded(game) if isinstance(part, Playout) else value for part, value in zip(self, lowered(self)))
        return tuple.__new__(type(self), values)

    def check(self, game: Game, amaf: bool) -> None:
        """Raise `Error` if the policy cannot be used for this game, or needs AMAF values that no tree policy keeps."""

    def memory_size(self, game: Game) -> int:
        """How many floats the policy keeps for a game."""
        return 1
