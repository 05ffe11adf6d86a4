"""One simulation at a time: the plain reference search, stopped after each of its four steps.

It is the reference itself (`mcrave.reference`), with the same random stream as the compiled search: what is shown is
what `mcrave.Search` does, number for number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mcrave.games import Position
from mcrave.reference import Node, Search, backup, policies, schedules
from mcrave.reference.mcts import Simulation
from mcrave.reference.position import PositionState, Stream, from_position

READY, SELECT, EXPAND, PLAYOUT, BACKUP = range(5)
PHASES = ("Ready", "1 Select", "2 Expand", "3 Playout", "4 Backup")
C, K, BIAS, REF = 0.4, 100.0, 1e-3, 5
POLICIES = {
    "uct": ("UCT", policies.uct(C)),
    "rave": ("RAVE", policies.rave(BIAS)),
    "mc_rave": ("MC–RAVE", policies.mc_rave(schedules.hand(K))),
    "grave": ("GRAVE", policies.grave(REF, BIAS)),
}
MOST_NODES = 5000


class Selection(NamedTuple):
    """The choice at one node."""

    nodes: list[Node]
    """From the root to this one."""
    scores: dict[Any, float]
    move: Any


class Numbers(NamedTuple):
    """What a node knows of a move."""

    n: float
    q: float
    amaf_n: float
    amaf_q: float


@dataclass
class Steps(Simulation):
    """A simulation that remembers its moves."""

    moves: list[Any] = field(default_factory=list)

    def play(self, move: Any) -> None:
        """Play on."""
        self.moves.append(move)
        super().play(move)


class Watched(Search):
    """The reference search that notes how it chose."""

    selections: list[Selection]

    def select_move(self, nodes: list[Node]) -> Any:
        """As the reference does."""
        scores = {move: self.policy(nodes[-1], move, nodes) for move in nodes[-1].codes}
        move = super().select_move(nodes)
        self.selections.append(Selection(list(nodes), scores, move))
        return move


class Lesson:
    """A search that goes on step by step.

    >>> import mcrave
    >>> lesson = Lesson(mcrave.game("nim(heaps=1-2)").start(), "uct")
    >>> lesson.simulations(5)
    >>> lesson.root.visits, lesson.phase == BACKUP
    (5, True)
    """

    def __init__(self, start: Position, policy: str, seed: int = 1) -> None:
        """Begin with an empty tree."""
        self.start, self.policy, self.seed = start, policy, seed
        self.search = Watched(POLICIES[policy][1], longest=start.game.max_plies())
        self.search.selections = []
        self.rng = Stream(seed)
        self.state = from_position(start)
        self.phase, self.count = READY, 0
        self.now: Steps = Steps([self.state])
        self.depth = 0
        """How many moves of the simulation were made in the tree."""
        self.before: list[dict[Any, Numbers]] = []
        self.wins: dict[int, float] = {}
        """What the first player won in the simulations through a node, by the node's id."""

    @property
    def root(self) -> Node:
        """The root of the tree, once there is one."""
        return self.search.root or self.search.new_node(self.state, [])

    @property
    def added(self) -> Node | None:
        """The node that this simulation made, if any."""
        path = self.now.path
        return path[-1][0] if path and path[-1][1] is None else None

    def step(self) -> None:
        """One of the four steps; the search that has a node in its tree goes on to the next one."""
        if self.phase in (READY, BACKUP):
            self.search.selections = []
            self.now = Steps([self.state])
            self.search.sim_tree(self.now)
            self.depth = len(self.now.moves)
            self.before = [self.numbers(node) for node, _ in self.now.path]
            self.phase = SELECT
        elif self.phase == SELECT:
            self.phase = EXPAND
        elif self.phase == EXPAND:
            self.search.sim_default(self.now, self.rng)
            self.phase = PLAYOUT
        else:
            outcome = self.now.states[-1].outcome
            backup(self.now.path, self.now.plays, outcome, self.search.amaf)
            for node, _ in self.now.path:
                self.wins[id(node)] = self.wins.get(id(node), 0.0) + outcome(0)
            self.count += 1
            self.phase = BACKUP

    def simulations(self, count: int) -> None:
        """So many whole simulations; one that was begun is ended first and counts."""
        done = self.count + count
        while self.count < done and self.count < MOST_NODES:
            self.step()

    def numbers(self, node: Node) -> dict[Any, Numbers]:
        """What a node knows of all its moves."""
        return {move: numbers(node, move) for move in node.codes}

    def name(self, ply: int, move: Any) -> str:
        """A move of this simulation in words."""
        return self.start.game.move_name(self._state(ply).states[0], int(move))

    def _state(self, ply: int) -> PositionState:
        state = self.now.states[ply]
        assert isinstance(state, PositionState)
        return state

    def names(self) -> list[str]:
        """All moves of this simulation, so far as it has come."""
        shown = self.now.moves if self.phase >= PLAYOUT else self.now.moves[: self.depth]
        return [self.name(ply, move) for ply, move in enumerate(shown)]

    def position(self, ply: int) -> Position:
        """The position of this simulation after so many moves."""
        if ply <= 0:
            return self.start
        return Position(self.start.game, self._state(ply).states.copy())


def numbers(node: Node, move: Any, reference: Node | None = None) -> Numbers:
    """N, Q, Ñ and Q̃ of a move; AMAF values from another node for GRAVE."""
    play = node.player, node.codes[move]
    n, an = node.n[move], (reference or node).amaf_n[play]
    return Numbers(
        n, node.w[move] / n if n else math.nan, an, (reference or node).amaf_w[play] / an if an else math.nan
    )


def reference_of(nodes: list[Node]) -> Node:
    """Where GRAVE takes AMAF values from: the closest node above with more than `REF` simulations, or the root."""
    return next((node for node in reversed(nodes) if node.visits > REF), nodes[0])
