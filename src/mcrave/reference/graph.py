"""Positions reached by several paths, and what a move is worth other than the mean of its own outcomes.

With `shared` a position has one node (lecture notes: transpositions). `value` says what a position is worth to those
who lead there; without it a parent goes by its own counts (Eq. 3, 6). For two players whose outcomes sum to 1.

| lecture notes | `shared` | `value` |
| --- | --- | --- |
| UCT0, a node per path | no | |
| UCT1, `edge` | yes | |
| UCT2, `state` | yes | `state_mean` |
| UCT3, `full` | yes | `recomputed_mean` |

`best` and `mixed(k)` are the max and the mean–max statistics of Gelly & Silver §2.4.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

from mcrave.reference.mcts import Search, Simulation
from mcrave.reference.protocol import Move, Rng, State
from mcrave.reference.tree import Node, backup, zeros


@dataclass
class GraphSearch(Search):
    """A search whose nodes have a value of their own, and may have several parents.

    >>> import random
    >>> from mcrave.reference.example import TicTacToe
    >>> from mcrave.reference.policies import uct
    >>> search = GraphSearch(uct(0.4), value=best)
    >>> search.run(TicTacToe("XX.OO...."), 500, random.Random(1)).best()
    2
    """

    shared: bool = False
    value: Callable[[GraphSearch, Node], float] | None = None
    table: dict[Hashable, Node] = field(default_factory=dict)
    sums: dict[int, float] = field(default_factory=zeros)
    """By the node's identity: the sum of outcomes of all its visits, for the player to move there."""
    first: dict[int, float] = field(default_factory=dict)
    """The outcome of the visit that made the node."""
    values: dict[int, float] = field(default_factory=dict)
    """What `value` made of it last."""

    def simulate(self, state: State, rng: Rng) -> None:
        """As Algorithm 2, and then the values of the path anew, from its end."""
        simulation = Simulation([state])
        self.sim_tree(simulation)
        self.sim_default(simulation, rng)
        z = simulation.states[-1].outcome
        backup(simulation.path, simulation.plays, z, self.amaf)
        for node, move in reversed(simulation.path):
            self.sums[id(node)] += z(node.player)
            if move is None:
                self.first[id(node)] = z(node.player)
            if self.value is not None:
                self.values[id(node)] = self.value(self, node)
        self.playout.learn(simulation.plays, simulation.states[1:], z)

    def sim_tree(self, simulation: Simulation) -> None:
        """As SimTree, but a position known by another path is no new node, and one on this path ends the descent."""
        node, wanted = self.root, True
        while self.goes_on(simulation):
            above = [visited for visited, _ in simulation.path]
            if node is None:
                if not wanted:
                    return
                key = key_of(simulation.states[-1])
                known = self.table.get(key) if self.shared else None
                node = known or self.new_node(simulation.states[-1], above)
                self.table[key] = node
                if above:
                    above[-1].children[simulation.path[-1][1]] = node
                else:
                    self.root = node
                if known is None:
                    simulation.path.append((node, None))
                    return
            if any(node is visited for visited in above):
                return
            move = self.select_move([*above, node])
            simulation.path.append((node, move))
            simulation.play(move)
            wanted = node.tried(move) >= self.expand_after and len(simulation.path) <= self.depth
            node = node.children.get(move)

    def select_move(self, nodes: list[Node]) -> Move:
        """As SelectMove, with w = N(s,a) · value in place of the sum of the edge's own outcomes."""
        node = nodes[-1]
        if self.value is not None:
            worth = {move: node.n[move] * self.move_value(node, move) for move in node.codes if node.n[move] > 0.0}
            node = replace(node, w=zeros() | worth)
        return super().select_move([*nodes[:-1], node])

    def move_value(self, node: Node, move: Move) -> float:
        """What the position behind a move is worth to the player to move here; if it is no node, the mean."""
        child = node.children.get(move)
        if child is None:
            return node.w[move] / node.n[move]
        value = self.values[id(child)]
        return value if child.player == node.player else 1.0 - value


def key_of(state: State) -> Hashable:
    """What makes two states the same node: the state's own `key()` and its legal moves."""
    return (getattr(state, "key", lambda: state)(), tuple(state.legal_moves()))


def state_mean(search: GraphSearch, node: Node) -> float:
    """The mean over all visits, by whatever path."""
    return search.sums[id(node)] / node.visits


def recomputed_mean(search: GraphSearch, node: Node) -> float:
    """The mean of the first outcome and of what the moves are worth now, by their visits."""
    tried = [move for move in node.codes if node.tried(move) > 0.0]
    worth = sum(node.tried(move) * search.move_value(node, move) for move in tried)
    return (search.first[id(node)] + worth) / node.visits


def best(search: GraphSearch, node: Node) -> float:
    """The maximum over the moves tried; the first outcome if none was."""
    tried = [move for move in node.codes if node.tried(move) > 0.0]
    return max((search.move_value(node, move) for move in tried), default=search.first[id(node)])


def mixed(k: float) -> Callable[[GraphSearch, Node], float]:
    """Between mean and maximum: (k · mean + N · max) / (k + N)."""

    def value(search: GraphSearch, node: Node) -> float:
        return (k * state_mean(search, node) + node.visits * best(search, node)) / (k + node.visits)

    return value
