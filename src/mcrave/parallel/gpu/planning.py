"""How much memory a game takes on the device, and so how many games are played at once.

A search makes at most one node a simulation, so a tree never needs room for more nodes than simulations, nor for more
edges than nodes × legal moves. Where the memory that the player was given holds less, the tree has just that: it is
full at the same simulation as on the processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mcrave.errors import Error
from mcrave.games import Game
from mcrave.parallel.gpu.kernels import BEST_VALUE, FACTS, MOST_VISITS, SECURE, Customs, Sizes
from mcrave.parallel.gpu.rows import OWN, Column, columns, largest, lengths, marks_at_most
from mcrave.priors.even import Even
from mcrave.search import Search
from mcrave.search.amaf import LateTableAmaf, TableAmaf, at_once
from mcrave.search.backups import Mean
from mcrave.search.choices import BestValue, Choice, MostVisits, Secure
from mcrave.search.parallel import TreeParallel
from mcrave.search.plan import Off, Plan, Scratch
from mcrave.trees.arena import Tree
from mcrave.trees.late import record_room

SHARE = 0.9  # of the free memory that is taken
MOST_GAMES = 1 << 16
COUNTS, SUMS = ("n", "an", "table_n"), ("w", "aw", "table_w")  # of a tree
MOST_SINGLE = 1 << 21  # simulations: a number of 32 bits is exact up to 2 ** 24
PASS = "pass"


class Thinker(NamedTuple):
    """A player's search as the device sees it."""

    name: str
    plan: Plan
    simulations: int
    customs: Customs
    tree: dict[str, Column]
    scratch: dict[str, Column]
    learns: bool = False
    """Whether its playouts remember something from move to move."""

    def sizes(self) -> Sizes:
        """How much of the rows it uses."""
        return Sizes(lengths(Tree, self.tree), lengths(Scratch, self.scratch))


def thinker(
    name: str,
    search: Search,
    simulations: int,
    hopeless: float = -1.0,
    *,
    together: bool = False,
    late: bool = True,
    early_stop: bool = False,
) -> Thinker:
    """What the device needs of a search; `hopeless` is the worth at which the player passes.

    Where several threads think about one game `together`, memory is what bounds them, and numbers are kept in as few
    bytes as hold them exactly (see `_exact_in_single`). GRAVE's tables are made late, if they may be.

    >>> each = thinker("uct@100", Search("mnk(size=3,length=3)"), 100)
    >>> each.tree["nodes"].length, each.tree["move"].length
    (101, 909)
    """
    if search.parallel != TreeParallel(1):
        raise Error(f"player '{name}' uses several threads; on a GPU every game has one")
    if search.when_full != "stop":
        raise Error(f"player '{name}' recycles its memory, which a GPU cannot; leave when_full=recycle out")
    game = search.game
    full = columns(search._empty_tree())
    search._tree = None
    scratch = columns(search._scratches(game.start())[0])
    scratch["root_moves"] = scratch["moves"]
    scratch |= {part: scratch[part]._replace(length=0) for part in ("bits", "spare")}
    customs = Customs(*_choice(name, search.choice), float(hopeless), simulations, int(early_stop))
    tree = _cut(full, simulations, game.max_moves())
    learns = hasattr(search.playout, "learn")
    plan = search._plan()
    if not late:
        plan = plan._replace(amaf=at_once(plan.amaf))
    elif plan.amaf == TableAmaf() and search.prior == Even() and not search.playout.reads_tree:
        # The reference is the node itself (ref = 0): the same program as for any other GRAVE.
        plan = plan._replace(amaf=LateTableAmaf(half=record_room(game.players * game.codes(), game.players)))
    if isinstance(plan.amaf, LateTableAmaf):
        scratch |= _kept(lengths(Scratch, scratch), simulations)
    if together:
        codes, places = {"code": smallest(game.codes())}, {"child": smallest(tree["nodes"].length)}
        most = scratch["who"].length if search.options.replays else 1  # times that a move counts
        marks = {"who": smallest(game.players), "seen": smallest(most + 1), "listed": smallest(scratch["seen"].length)}
        single = dict.fromkeys(_exact_in_single(search, plan, simulations), np.dtype(np.float32))
        tree, scratch = _narrow(tree, codes | places | single), _narrow(scratch, codes | marks)
    return Thinker(name, plan, simulations, customs, tree, scratch, learns)


def _narrow(columns: dict[str, Column], kinds: dict[str, np.dtype[Any]]) -> dict[str, Column]:
    """The same columns, some of them of other types."""
    return {field: column._replace(dtype=kinds.get(field, column.dtype)) for field, column in columns.items()}


def smallest(count: int) -> np.dtype[Any]:
    """The smallest type of signed numbers that has so many from 0 on.

    >>> smallest(128), smallest(129)
    (dtype('int8'), dtype('int16'))
    """
    return np.min_scalar_type(-max(1, count))


def _exact_in_single(search: Search, plan: Plan, simulations: int) -> tuple[str, ...]:
    """Which statistics of a tree are multiples of ¼, and not too large, so that 32 bits hold them exactly.

    None of them if anybody but `score` computes with them: that would be done in 32 bits, too.
    """
    game, prior = search.game, search.prior
    if simulations >= MOST_SINGLE or not isinstance(prior, Even) or not all((2.0 * x).is_integer() for x in prior):
        return ()
    if plan.backup != Mean() or plan.pruning != Off() or hasattr(plan.policy, "prepare") or search.playout.reads_tree:
        return ()
    halves = game.players == 2 and type(game).__module__.startswith("mcrave.games.")  # a win, a draw or a loss
    return COUNTS + (SUMS if halves and not search.playout.grades else ())


def _kept(scratch: Scratch, simulations: int) -> dict[str, Column]:
    """Room for what every simulation marks and for its outcomes, and for a table: see `warp_amaf`."""
    return {
        "listed": Column(np.dtype(np.int32), scratch.listed + simulations * marks_at_most(scratch)),
        "spare": Column(np.dtype(np.float64), 2 * scratch.seen + simulations * scratch.results),
    }


def _choice(name: str, choice: Choice) -> tuple[int, float]:
    if isinstance(choice, Secure):
        return SECURE, float(choice.a)
    kinds = {MostVisits: MOST_VISITS, BestValue: BEST_VALUE}
    if type(choice) not in kinds:
        raise Error(f"player '{name}': on a GPU a move is chosen by most_visits, best_value or secure, not {choice}")
    return kinds[type(choice)], 0.0


def _cut(full: dict[str, Column], simulations: int, branching: int) -> dict[str, Column]:
    """The columns of a tree that a number of simulations cannot fill, or those of the full tree if they are shorter."""
    all_nodes, all_edges = full["nodes"].length, full["move"].length
    nodes = min(all_nodes, simulations + 1)
    edges = min(all_edges, nodes * branching)

    def cut(field: str, length: int) -> int:
        if field == "used" or not length:
            return length
        if field == "slots":
            return 1 << (2 * nodes).bit_length()
        if length % all_edges == 0:
            return length // all_edges * edges
        return length // all_nodes * nodes

    return {field: Column(dtype, cut(field, length)) for field, (dtype, length) in full.items()}


class Layout(NamedTuple):
    """The rows of a game in which any of some players may think."""

    tree: dict[str, Column]
    scratch: dict[str, Column]
    table: dict[str, Column]
    seats: int

    @property
    def bytes(self) -> int:
        """Of one game."""
        once = sum(column.bytes for part in (self.tree, self.table) for column in part.values())
        each = sum(column.bytes * (self.seats if field in OWN else 1) for field, column in self.scratch.items())
        return once + each


def layout(game: Game, thinkers: Sequence[Thinker], plies: int) -> Layout:
    """Rows for a game of so many plies at the most."""
    table = {
        "facts": Column(FACTS, 1),
        "history": Column(np.dtype(np.int32), plies + 1),
        "seen": Column(np.dtype(np.uint64), plies + 2),
        "results": Column(np.dtype(np.float64), game.players),
    }
    return Layout(
        largest([each.tree for each in thinkers]), largest([each.scratch for each in thinkers]), table, game.players
    )


def games_that_fit(game: Game, thinkers: Sequence[Thinker], rows: Layout, free: int, wanted: int) -> int:
    """How many games to play at once; an `Error` says what would fit if not even one does."""
    fit = int(SHARE * free) // rows.bytes
    if fit < 1:
        hungry = max(thinkers, key=lambda each: sum(column.bytes for column in each.tree.values()))
        raise Error(
            f"a game of {game} with {hungry.name} takes {gigabytes(rows.bytes)} on the GPU, which has "
            f"{gigabytes(free)} free; "
            f"about @{int(hungry.simulations * SHARE * free / rows.bytes)} would fit"
        )
    return max(1, min(fit, wanted, MOST_GAMES))


def gigabytes(bytes_: int) -> str:
    """For people.

    >>> gigabytes(1_234_000_000)
    '1.23 GB'
    """
    return f"{bytes_ / 1e9:.3g} GB"


def pass_move(game: Game) -> int:
    """The number of the move called pass, or -1 if there is none.

    >>> import mcrave
    >>> pass_move(mcrave.game("go(size=5)")), pass_move(mcrave.game("mnk"))
    (0, -1)
    """
    state: Any = game.start().state[0]
    for move in range(max(game.codes(), game.max_moves()) + 1):
        try:
            if game.move_name(state, move).lower() == PASS:
                return move
        except Exception:  # no move of this position, which need not have a name
            continue
    return -1
