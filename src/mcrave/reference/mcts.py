"""Monte-Carlo tree search: Algorithms 1 and 2 of Gelly & Silver, procedure by procedure, and with it GRAVE.

What the algorithms differ in comes from outside: the tree policy, which is the expression inside SelectMove's
argmax, the default policy, and the heuristic that fills a new node.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from mcrave.reference.playouts import Playout, Uniform
from mcrave.reference.policies import Policy
from mcrave.reference.priors import Order, Prior, even, in_turn
from mcrave.reference.protocol import Move, Play, Rng, State, code_of
from mcrave.reference.tree import Counting, Node, backup

TIE = 1e-12
"""Scores closer than this are equal, and the first move in the game's order is taken."""


@dataclass
class Simulation:
    """One simulated game."""

    states: list[State]
    """s₀, s₁, …"""
    plays: list[Play] = field(default_factory=list)
    """a₀, a₁, … and who played them."""
    path: list[tuple[Node, Move | None]] = field(default_factory=list)
    """The nodes on the way, each with the move taken there; None at the node that was added."""

    def play(self, move: Move) -> None:
        """Play on."""
        state = self.states[-1]
        self.plays.append((state.to_move, code_of(state, move)))
        self.states.append(state.play(move))


@dataclass
class Search:
    """A search; `run` fills the tree below `root`.

    >>> import random
    >>> from mcrave.reference.example import TicTacToe
    >>> from mcrave.reference.policies import uct
    >>> root = Search(uct(0.4)).run(TicTacToe("XX.OO...."), 500, random.Random(1))
    >>> root.best(), root.visits, sum(root.n.values())
    (2, 500, 499.0)
    """

    policy: Policy
    playout: Playout = field(default_factory=Uniform)
    prior: Prior = field(default_factory=even)
    order: Order = in_turn
    """In which order the moves of a node stand that is not the root."""
    expand_after: int = 0
    """How often a move must have been taken before the position behind it becomes a node."""
    depth: int = sys.maxsize
    """How many plies below the root nodes are kept: 0 gives flat Monte-Carlo."""
    longest: int = sys.maxsize
    """After how many plies a simulation is cut off and `outcome` asked, for games without an end."""
    amaf: Counting = "once"
    """Which moves AMAF counts (see `counted`)."""
    root: Node | None = None

    def run(self, state: State, simulations: int, rng: Rng) -> Node:
        """UctSearch(s₀), MC–RAVE(s₀): simulate, and return the root; a second run goes on with the same tree."""
        for _ in range(simulations):
            self.simulate(state, rng)
        return self.root or self.new_node(state, [])

    def simulate(self, state: State, rng: Rng) -> None:
        """Simulate(board, s₀): through the tree, on to the end of the game, and back."""
        simulation = Simulation([state])
        self.sim_tree(simulation)
        self.sim_default(simulation, rng)
        outcome = simulation.states[-1].outcome
        backup(simulation.path, simulation.plays, outcome, self.amaf)
        self.playout.learn(simulation.plays, simulation.states[1:], outcome)

    def sim_tree(self, simulation: Simulation) -> None:
        """SimTree(board): select moves until a state outside the tree, and make that one a node."""
        node, wanted = self.root, True
        while self.goes_on(simulation):
            above = [visited for visited, _ in simulation.path]
            if node is None:
                if wanted:
                    node = self.new_node(simulation.states[-1], above)
                    if above:
                        above[-1].children[simulation.path[-1][1]] = node
                    else:
                        self.root = node
                    simulation.path.append((node, None))
                return
            move = self.select_move([*above, node])
            simulation.path.append((node, move))
            simulation.play(move)
            wanted = node.tried(move) >= self.expand_after and len(simulation.path) <= self.depth
            node = node.children.get(move)

    def sim_default(self, simulation: Simulation, rng: Rng) -> None:
        """SimDefault(board): the default policy to the end."""
        while self.goes_on(simulation):
            simulation.play(self.playout.choose(simulation.states[-1], rng))

    def goes_on(self, simulation: Simulation) -> bool:
        """Whether the game is neither over nor cut off."""
        return len(simulation.plays) < self.longest and not simulation.states[-1].is_over

    def select_move(self, nodes: list[Node]) -> Move:
        """SelectMove(board, s): the argmax of the policy at the last of these nodes, of equal moves the first."""
        scores = {move: self.policy(nodes[-1], move, nodes) for move in nodes[-1].codes}
        best = max(scores.values())
        return next(move for move, score in scores.items() if score >= best - TIE)

    def new_node(self, state: State, above: list[Node]) -> Node:
        """NewNode(board, s): Eq. 48–52, with H, C and C̃ from the prior; `above` are the nodes that led here."""
        moves = self.order(state) if above else state.legal_moves()
        node = Node(state.to_move, {move: code_of(state, move) for move in moves})
        for move, code in node.codes.items():
            value, count, amaf_count = self.prior(node, move, above, state)
            node.given += count
            node.h[move] = value
            node.prior[move] = node.n[move] = count
            node.w[move] = count * value
            node.squares[move] = count * value**2
            node.amaf_n[node.player, code] = amaf_count
            node.amaf_w[node.player, code] = amaf_count * value
        return node
