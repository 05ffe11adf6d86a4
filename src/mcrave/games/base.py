"""The contract of a game.

A game is one class derived from `Game`: its fields are the rules' parameters, its methods are

- kernels, in the subset of Python that Numba compiles, with `rules` in place of `self`;
- ordinary methods: how large things are, how the game starts, how moves and positions are written.

Nothing else has to be edited: the class statement registers the game, and every command, the contract
tests and the documentation then know it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mcrave.errors import DiagramError, KernelError
from mcrave.kernel import dispatched, new
from mcrave.kernel.rng import below
from mcrave.specs import Spec, plain_name

if TYPE_CHECKING:
    from mcrave.games._position import Position

REQUIRED_KERNELS = ("legal", "play", "is_over", "to_move", "outcome", "hash")
REQUIRED_METHODS = ("state_type", "max_moves", "max_plies", "move_name", "render", "read")


@dispatched
def legal(rules, state, out):
    """Write the legal moves into `out`, in an order that depends on the position alone; return how many."""


@dispatched
def play(rules, state, move):
    """Make a legal move, in place."""


@dispatched
def is_over(rules, state):
    """Tell whether the game has ended."""


@dispatched
def to_move(rules, state):
    """Tell whose turn it is: 0 is the player who moves first in the game."""


@dispatched
def outcome(rules, state, player):
    """Tell the result for a player of a game that has ended: 1 won, 0 lost, 0.5 drawn."""


@dispatched
def estimate(rules, state, player):
    """Guess the result for a player of a game that has not ended, in [0, 1]; the players' sum is 1."""
    return 0.5


@dispatched
def hash(rules, state):
    """Return a 64-bit key of everything that matters for the rest of the game."""


@dispatched
def code(rules, state, move):
    """Number what AMAF treats as the same move; below `rules.codes`."""
    return move


@dispatched
def random_move(rules, state, rng, out):
    """Draw a move for a uniformly random playout; `out` is scratch for the list of moves."""
    return np.int64(out[below(rng, legal(rules, state, out))])


@dispatched
def candidates(rules, state, out):
    """Write the moves that `random_move` draws from into `out`, in any order; return how many."""
    return legal(rules, state, out)


@dispatched
def random_playout(rules, state, rng, out, plies):
    """Play random moves to the end of the game, `plies` at the most; return how many were played."""
    n = 0
    while n < plies and not is_over(rules, state):
        play(rules, state, random_move(rules, state, rng, out))
        n += 1
    return n


@dispatched
def recorded_playout(rules, state, rng, out, ply, last, who, codes):
    """Play random moves as `random_move` draws them, from `ply` to `last` at the most; return the ply reached.

    Who played what goes into `who` and `codes` (see `code`).
    """
    while ply < last and not is_over(rules, state):
        move = random_move(rules, state, rng, out)
        who[ply] = to_move(rules, state)
        codes[ply] = code(rules, state, move)
        play(rules, state, move)
        ply += 1
    return ply


@dispatched
def situation(rules, state):
    """Key what must not come again in a real game; 0 for games that allow repetition."""
    return np.uint64(0)


@dispatched
def next_situation(rules, state, now, move):
    """Tell the situation after a move, `now` being that before it, if that is quicker than to make the move; else 0."""
    return np.uint64(0)


@dispatched
def last_resort(rules):
    """Name the move that is left if all that `legal` lists would repeat a position; -1 if that cannot be."""
    return -1


@dispatched
def may_repeat(rules, move):
    """Tell whether this move is free from the rule against repetition, as passing is."""
    return False


@dispatched
def predicates(rules):
    """How many yes-or-no statements about a state the game declares, such as piece-at-cell; for `past`."""
    return 0


@dispatched
def predicate(rules, state, i):
    """Tell whether the i-th of them is true."""
    return False


@dispatched
def change(rules, state, move, i):
    """Tell the i-th predicate that a move changes: 2p if p becomes true, 2p + 1 if false, -1 if there is no i-th."""
    return -1


@dispatched
def add_owners(rules, state, played, owned):
    """Add 1 to `owned[player, point]` for every point at the end of a simulation; `owned[players, point]`: nobody's.

    `played` is how many moves of the simulation were made behind the tree: a game may leave a position out that was
    reached without any. Points are numbered as the codes of the moves to them (see `Game.points`).
    """


KERNELS = (
    recorded_playout,
    legal,
    play,
    is_over,
    to_move,
    outcome,
    hash,
    code,
    random_move,
    random_playout,
    situation,
    next_situation,
    may_repeat,
    last_resort,
    candidates,
    estimate,
    predicates,
    predicate,
    change,
    add_owners,
)


class Game(Spec, kind="game"):
    """A game's rules. Subclass it with a name to add a game; see `docs/add-a-game.md`.

    >>> import mcrave
    >>> game = mcrave.game("mnk(size=3,length=3)")
    >>> print(game.start().play("b2"))
    3 . . .
    2 . X .
    1 . . .
      a b c
    O to move
    """

    players: ClassVar[int] = 2
    symbols: ClassVar[str] = "XO"
    """One character per player, as drawn in diagrams; `X to move` names the first player."""
    look: ClassVar[str] = "cells"
    """How a page draws the diagram: `cells`, `chequered`, or `lines` with stones on their crossings."""

    def __init_subclass__(cls, name: str | None = None, kind: str | None = None) -> None:
        """Check the contract and register."""
        if name is not None:
            _check_contract(cls)
        super().__init_subclass__(name, kind)

    # What a game says about itself.

    def state_type(self) -> np.dtype[Any]:
        """The record type of a state, made by `mcrave.kernel.record`."""
        raise NotImplementedError

    def max_moves(self) -> int:
        """An upper bound on the number of legal moves in any position."""
        raise NotImplementedError

    def max_plies(self) -> int:
        """An upper bound on the length of a game, or where playouts of an unbounded game are cut off."""
        raise NotImplementedError

    def codes(self) -> int:
        """How many move codes there are (see `code`); by default codes are move numbers."""
        return self.max_moves()

    def points(self) -> dict[int, str]:
        """The points that somebody owns at the end, by number (see `add_owners`), with names; most games have none."""
        return {}

    def setup(self, state: Any) -> None:
        """Turn a zeroed state into the position in which the game starts."""

    def move_name(self, state: Any, move: int) -> str:
        """The move as players write it."""
        raise NotImplementedError

    def move_aliases(self, name: str) -> Iterable[str]:
        """What a user may type for a move, in the order of preference; upper and lower case are the same."""
        return (name,)

    def render(self, state: Any) -> str:
        """The position as text: everything that matters, so that `read` can bring it back."""
        raise NotImplementedError

    def read(self, text: str, state: Any) -> None:
        """Fill a zeroed state from what `render` wrote; raise `DiagramError` for anything else."""
        raise NotImplementedError

    # What users call.

    def start(self) -> Position:
        """The position in which the game starts.

        >>> import mcrave
        >>> mcrave.game("nim(heaps=1-2)").start().legal_moves()
        ['1-1', '2-1', '2-2']
        """
        from mcrave.games._position import Position

        states = new(self.state_type())
        self.setup(states[0])
        return Position(self, states)

    def position(self, moves: str | Iterable[str | int]) -> Position:
        """The position after these moves from the start: a list, or one text with spaces or commas between.

        >>> import mcrave
        >>> mcrave.game("connect_four").position(["d", "d", "e"]).to_move
        1
        """
        position = self.start()
        for move in moves.replace(",", " ").split() if isinstance(moves, str) else moves:
            position = position.play(move)
        return position

    def parse(self, text: str) -> Position:
        """The position that a diagram shows, in the form of `str(position)`.

        >>> import mcrave
        >>> game = mcrave.game("mnk(size=3,length=3)")
        >>> game.parse("XX. / OO. / ...").play("c3").is_over
        True
        """
        from mcrave.games._position import Position

        if not isinstance(text, str):
            raise DiagramError(f"a diagram is a text, not {text!r}")
        states = new(self.state_type())
        self.read(text, states[0])
        return Position(self, states)


def _check_contract(cls: type[Game]) -> None:
    """Name what is missing or misspelt in a game's class, with its file and line."""
    for name in REQUIRED_KERNELS + REQUIRED_METHODS:
        if getattr(cls, name, None) is getattr(Game, name, None):
            missing = f"`def {name}({_arguments(name)})`"
            raise KernelError(f"{_where(cls)}: {plain_name(cls)} has no {missing}; every game needs it")
    for kernel in KERNELS:
        method = getattr(cls, kernel.__name__, None)
        if method is None:
            continue
        wanted, found = _arguments(kernel.__name__), ", ".join(inspect.signature(method).parameters)
        if wanted != found:
            place = f"{_file(method.__code__.co_filename)}:{method.__code__.co_firstlineno}"
            raise KernelError(f"{place}: `def {kernel.__name__}({found})` must be `def {kernel.__name__}({wanted})`")


def _arguments(name: str) -> str:
    function = next((inspect.unwrap(k) for k in KERNELS if k.__name__ == name), None) or getattr(Game, name)
    return ", ".join(inspect.signature(function).parameters)


def _where(cls: type) -> str:
    """The file and line of a class statement that is being executed right now."""
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__") != cls.__module__:
        frame = frame.f_back
    return f"{_file(frame.f_code.co_filename)}:{frame.f_lineno}"


def _file(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]
