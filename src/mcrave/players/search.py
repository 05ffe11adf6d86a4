"""The player that searches: a `mcrave.Search` with a budget for each move.

Passing. A plain search sees no reason to pass while another move wins as well, and none to give up: two of them
fill their own eyes until the board is empty again. With few simulations it also passes too early, as the one reply
that punishes this is one of many. So where a move is called `pass`, the player passes

- without any search, if that ends the game and wins it;
- if the move found is worth at most `HOPELESS`, so that the opponent can end the game;
- otherwise only if the search says so and the opponent does not win by passing in turn.

Games of two searches on 9×9 then last about 50 moves, in place of about 200.

Every move begins with an empty tree, so that it depends on the position alone; with `search(keep=1)` what the tree
knows about the position is kept, and the budget comes on top.

With `search(early_stop=1)` a search ends once no other move can overtake the most visited one within the budget: the
move is that of the whole search, and only its worth, and the random numbers that come next, are others.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mcrave.cluster.connecting import connect
from mcrave.errors import Error
from mcrave.games import Game, Position
from mcrave.players.base import Budget
from mcrave.playouts.base import Playout
from mcrave.playouts.uniform import Uniform
from mcrave.policies.base import TreePolicy
from mcrave.priors.base import Prior
from mcrave.priors.even import Even
from mcrave.search import Options, Report, Search
from mcrave.search.choices import Choice, MostVisits, default_choice
from mcrave.search.parallel import Parallel, RayParallel, TreeParallel
from mcrave.specs import Spec

PASS = "pass"
HOPELESS = 0.03
NOT_OPTIONS = ("options", "seed", "threads", "parallel")  # these have places of their own
OPTIONS: dict[str, Any] = Options()._asdict() | {  # what `search(...)` may set, with the defaults
    parameter.name: parameter.default
    for parameter in inspect.signature(Search).parameters.values()
    if parameter.name == "transpositions"
    or (
        parameter.kind is parameter.KEYWORD_ONLY
        and parameter.name not in ("options", "seed", "parallel", *Options._fields)
    )
}
OPTIONS |= {  # the player's own
    "keep": 0,  # whether the tree is kept from move to move
    "early_stop": 0,  # whether a search ends once its move is decided
}
Progress = Callable[[int, float], None]


class Setup(NamedTuple):
    """What a searching player is made of, as `TREE[+PLAYOUT][+PRIOR][+CHOICE][+PARALLEL][+search(...)]@BUDGET`."""

    tree: TreePolicy
    playout: Playout
    prior: Prior
    choice: Choice
    options: tuple[tuple[str, Any], ...]
    """Those of `OPTIONS` that differ from their defaults; last, the parallel form."""
    budget: Budget

    @property
    def parallel(self) -> Parallel:
        """How several processors are used; one thread on one tree if nothing was said."""
        chosen: Parallel = dict(self.options).get("parallel", TreeParallel(1))
        return chosen

    def __str__(self) -> str:
        """The shortest text that means the same.

        >>> from mcrave.policies.uct import Uct
        >>> from mcrave.search.choices import MostVisits
        >>> str(Setup(Uct(c=0.6), Uniform(), Even(), MostVisits(), (("expand_after", 2),), Budget(500)))
        'uct(c=0.6)+search(expand_after=2)@500'
        """
        others = {self.playout: Uniform(), self.prior: Even(), self.choice: default_choice(self.tree)}
        parts = [_text(self.tree), *(_text(part) for part, default in others.items() if part != default)]
        given = dict(self.options)
        if "parallel" in given:
            parts.append(_text(given.pop("parallel")))
        if given:
            parts.append(f"search({','.join(f'{name}={value}' for name, value in given.items())})")
        return f"{'+'.join(parts)}@{self.budget}"


def on_cluster(setup: Setup, address: str) -> Setup:
    """The same on the Ray cluster at an address, or `local`; threads on one tree become threads of every worker."""
    form = setup.parallel
    if isinstance(form, TreeParallel):
        form = RayParallel(threads=form.threads)
    if not isinstance(form, RayParallel):
        raise Error(f"player '{setup}' cannot search on a cluster: leave {form} out, or write ray(workers=4)")
    connect(address, form.workers * form.threads or None)
    return setup._replace(options=(*(pair for pair in setup.options if pair[0] != "parallel"), ("parallel", form)))


class SearchPlayer:
    """Plays what a search finds.

    >>> import mcrave
    >>> from mcrave.players import parse_player
    >>> player = parse_player("mc_rave@1000")
    >>> position = mcrave.game("mnk").position(["a1", "b2", "a2", "c2"])
    >>> position.name(player.choose(position)), player.estimate
    ('a3', 1.0)
    """

    always: ClassVar[dict[str, Any]] = {}
    """Options that every search of such players has, whatever the setup says."""

    def __init__(self, setup: Setup, seed: int = 1) -> None:
        """The same seed gives the same moves, unless time is the limit."""
        self.setup, self.seed = setup, seed
        self.name = str(setup)
        self.estimate: float | None = None
        self._search: Search | None = None
        self._at: Position | None = None  # the root of the tree, if it is kept
        self._passes: dict[int, bool] = {}
        self._numbers: dict[str, int] = {}
        if self.stops_early and (setup.choice != MostVisits() or dict(setup.options).get("solve")):
            raise Error(
                f"player '{self.name}' cannot stop early: early_stop=1 waits until the most visited move is certain, "
                f"so it goes with the choice most_visits and without solve"
            )

    def prepare(self, game: Game) -> None:
        """Make the search for a game; another game than before means a new one."""
        if self._search is None or self._search.game != game:
            self.close()
            self._search = self._new_search(game)
            self._passes, self._numbers = {}, {}

    def compile(self, game: Game) -> None:
        """Compile what the search needs now, so that no move has to wait for it."""
        self.prepare(game)
        assert self._search is not None
        start = game.start()
        self._search.run(start, simulations=1)
        start.play(int(start.moves[0]))
        self._search.reset(seed=self.seed)

    def new_game(self, seed: int, seconds: float = 0.0) -> None:
        """Play as a new player with this seed would; the memory is kept."""
        self.seed = seed
        self.estimate, self._at = None, None
        if self._search is not None:
            self._search.reset(seed=seed)

    def go_on(self, state: int) -> None:
        """Go on from this state of the random stream, in a game that was adjourned."""
        assert self._search is not None
        self._search._rngs[0][0].state = np.uint64(state)

    def close(self) -> None:
        """Give the memory back, and the workers of a cluster."""
        if self._search is not None:
            self._search.close()
        self._search, self._at = None, None

    def _new_search(self, game: Game) -> Search:
        given = dict(self.setup.options) | self.always
        given = {name: value for name, value in given.items() if name not in ("keep", "early_stop")}
        options = Options(**{name: given.pop(name) for name in Options._fields if name in given})
        return Search(game, *self.setup[:4], options=options, seed=self.seed, **given)

    def search(self, position: Position, on_progress: Progress | None = None) -> Report:
        """What the search finds within the budget; `on_progress` hears of simulations and seconds meanwhile."""
        self.prepare(position.game)
        assert self._search is not None
        if self.keeps:
            self._move_on(self._search, position)
        simulations, seconds = self.setup.budget
        budget = (simulations or None, seconds or None)
        return self._search.run(position, *budget, early_stop=self.stops_early, on_progress=on_progress)

    @property
    def keeps(self) -> bool:
        """Whether the tree is kept from move to move."""
        return bool(dict(self.setup.options).get("keep"))

    @property
    def stops_early(self) -> bool:
        """Whether a search ends once its move is decided."""
        return bool(dict(self.setup.options).get("early_stop"))

    def _move_on(self, search: Search, position: Position) -> None:
        """Bring the root of the tree to this position, if it is further on in the same game."""
        if self._at is not None:
            moves: list[int] = []
            here: Position | None = position
            while here is not None and here is not self._at:
                moves.append(here.last_move)
                here = here.parent
            if here is not None and -1 not in moves:
                for move in reversed(moves):
                    search.advance(move)
        self._at = position

    def tree(self, depth: int) -> dict[str, Any]:
        """The tree of the last search to a depth, as nested dictionaries."""
        assert self._search is not None
        return self._search.reader().as_dict(depth)

    def choose(self, position: Position) -> int:
        """The move that the search chose, or a pass where nothing is left to play for."""
        self.prepare(position.game)
        passing = self._pass(position)
        if passing is not None and _result(position, passing, position.to_move) == 1.0:
            self.estimate = 1.0
            return passing
        report = self.search(position)
        best = next(move for move in report.moves if move.move == report.best)
        if passing is not None and best.value <= HOPELESS and best.proven != 1.0:
            self.estimate = next((move for move in report.moves if move.move.lower() == PASS), best).value
            return passing
        if best.move.lower() == PASS and len(report.moves) > 1 and _gives_away(position, best.move):
            best = max((move for move in report.moves if move is not best), key=self.setup.choice.worth)
        self.estimate = best.value if best.proven is None else best.proven
        return self._number(position, best.move)

    def _pass(self, position: Position) -> int | None:
        """The move called pass; naming all moves anew in every position would take longer than a short search."""
        for move in position.moves.tolist():
            if move not in self._passes:
                self._passes[move] = position.name(move).lower() == PASS
            if self._passes[move]:
                return int(move)
        return None

    def _number(self, position: Position, name: str) -> int:
        """The number of a move, which most often is the one that this name had before."""
        number = self._numbers.get(name, -1)
        if number not in position.moves or position.name(number) != name:
            number = self._numbers[name] = position.number(name)
        return number

    def __str__(self) -> str:
        """The text form."""
        return self.name

    def __repr__(self) -> str:
        """The text form and the seed."""
        return f"<{self.name}, seed {self.seed}>"

    def __eq__(self, other: object) -> bool:
        """Equal if they play the same."""
        return isinstance(other, SearchPlayer) and (self.setup, self.seed) == (other.setup, other.seed)

    def __hash__(self) -> int:
        """Consistent with equality."""
        return hash((self.setup, self.seed))


def _pass(position: Position) -> int | None:
    return next((move for move in position.moves.tolist() if position.name(move).lower() == PASS), None)


def _result(position: Position, move: int, player: int) -> float | None:
    """What a player gets if this move ends the game."""
    after = position.play(move)
    return after.outcome(player) if after.is_over else None


def _gives_away(position: Position, passing: str) -> bool:
    """Whether the opponent can answer this pass by another that wins."""
    after = position.play(passing)
    reply = None if after.is_over else _pass(after)
    return reply is not None and _result(after, reply, position.to_move) == 0.0


def _text(spec: Spec) -> str:
    """A part as it is written, with the file it came from, without empty parentheses."""
    loader = sys.modules.get("mcrave.games._loader")
    written: Callable[[Spec], str] = loader.text if loader else str
    return written(spec).removesuffix("()")
