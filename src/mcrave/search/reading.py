"""Read a tree: the statistics of moves, the principal variation, the tree as nested dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mcrave.games import Game, Position
from mcrave.policies.base import (
    AMAF,
    SHARES,
    SQUARES,
    TABLES,
    Edge,
    NodeView,
    TreePolicy,
    needs,
    prepare,
    score,
    weight,
)
from mcrave.search.choices import Choice
from mcrave.search.ownership import shares
from mcrave.search.report import MoveReport, Report
from mcrave.specs import lowered
from mcrave.trees.arena import NODES, UNKNOWN, Tree
from mcrave.trees.late import settle


class TreeReader:
    """A tree together with the position at its root."""

    def __init__(
        self,
        game: Game,
        policy: TreePolicy,
        choice: Choice,
        tree: Tree,
        position: Position,
        by_position: bool = False,
        owned: Sequence[Any] = (),
    ) -> None:
        """Nothing is computed yet; `by_position` if a move is worth what the position behind it is (see `backups`)."""
        self.owned = owned
        self.game, self.policy, self.choice, self.tree, self.position = game, policy, choice, tree, position
        self._by_position = by_position
        self._policy = lowered(policy)
        self._needs = needs(self._policy)

    def of(self, tree: Tree, owned: Sequence[Any]) -> TreeReader:
        """Of another tree about the same position, whose edges say what moves are worth."""
        return TreeReader(self.game, self.policy, self.choice, tree, self.position, owned=owned)

    def report(self, simulations: int, seconds: float, most: int | None = None) -> Report:
        """Everything about the root, or about so many of its most visited moves."""
        moves = self.moves(most=most)
        best = max(moves, key=self.worth).move
        total = sum(move.visits for move in moves)
        value = sum(move.value * move.visits for move in moves) / total if total else 0.5
        return Report(
            game=str(self.game),
            best=best,
            moves=sorted(moves, key=lambda move: -move.visits),
            value=float(value),
            pv=self.principal_variation(best),
            simulations=simulations,
            seconds=seconds,
            nodes=int(self.tree.used[NODES]),
            owners=shares(self.game, self.owned) if self.owned else {},
        )

    def moves(self, node: int = 0, position: Position | None = None, most: int | None = None) -> list[MoveReport]:
        """The statistics of every move of a node, or of so many of the most visited ones, in the game's order."""
        position = position or self.position
        settle(self.tree, self.game.players, node)
        view, edges = self.tree.nodes[node], self.edges(node)
        total = float(view.visits + view.given)
        squares = self.tree.squares[edges] if self._needs & SQUARES else self.tree.n[edges]
        chosen = list(range(edges.start, edges.stop))
        if most is not None and most < len(chosen):
            visits = self.tree.n[edges] - (self.tree.given[edges] if self.tree.given.size else 0.0)
            chosen = sorted((edges.start + np.argsort(-visits, kind="stable")[:most]).tolist())
        seen = NodeView(total, *prepare(self._policy, total, self.tree.n[edges], self.sums(node), squares))
        names = position.names(self.tree.move[chosen].tolist())
        return [self._move(name, node, seen, edge) for name, edge in zip(names, chosen, strict=True)]

    def best(self) -> str:
        """The chosen move."""
        return max(self.moves(), key=self.worth).move

    def visits_of(self, name: str) -> float:
        """N(s,a) of a move at the root."""
        edges = self.edges(0)
        return float(self.tree.n[edges][self.tree.move[edges] == self.position.number(name)].sum())

    def principal_variation(self, best: str) -> list[str]:
        """The chosen move, then the most visited one at every node; it ends where it would go round in a circle."""
        names: list[str] = []
        node, position = 0, self.position
        met: set[int] = set()
        while node >= 0 and node not in met and not position.is_over:
            met.add(node)
            edges = self.edges(node)
            chosen = edges.start + int(np.argmax(self.tree.n[edges]))
            if node == 0:
                chosen = edges.start + position.names(self.tree.move[edges].tolist()).index(best)
            move = int(self.tree.move[chosen])
            if self.tree.n[chosen] <= self._given(chosen) or move not in position.moves:
                break
            names.append(position.name(move))
            position = position.play(move)
            node = int(self.tree.child[chosen])
        return names

    def as_dict(self, depth: int, node: int = 0, position: Position | None = None) -> dict[str, Any]:
        """The tree to a depth as nested dictionaries, for JSON; moves never visited are left out."""
        position = position or self.position
        view, edges = self.tree.nodes[node], self.edges(node)
        moves = []
        for edge, move in zip(range(edges.start, edges.stop), self.moves(node, position), strict=True):
            if move.visits == 0:
                continue
            entry: dict[str, Any] = {"move": move.move, "visits": move.visits, "value": move.value}
            child = int(self.tree.child[edge])
            if depth > 1 and child >= 0 and int(self.tree.move[edge]) in position.moves:
                after = position.play(int(self.tree.move[edge]))
                entry |= {"children": self.as_dict(depth - 1, child, after)["children"]}
            moves.append(entry)
        return {"visits": int(view.visits), "to_move": position.to_move, "children": moves}

    def worth(self, move: MoveReport) -> tuple[float, ...]:
        """What is proven counts first: a win above everything, a loss below."""
        certain = 0.0 if move.proven is None else {1.0: 1.0, 0.0: -1.0}.get(move.proven, 0.0)
        return (certain, *self.choice.worth(move))

    def edges(self, node: int) -> slice:
        """Where the moves of a node stand."""
        view = self.tree.nodes[node]
        return slice(int(view.first), int(view.first + view.count))

    def _proven(self, edge: int) -> float | None:
        value = float(self.tree.proof[edge]) if self.tree.proof.size else UNKNOWN
        return None if value == UNKNOWN else value

    def _given(self, edge: int) -> float:
        return float(self.tree.given[edge]) if self.tree.given.size else 0.0

    def _move(self, name: str, node: int, seen: NodeView, edge: int) -> MoveReport:
        stats, prior = self._edge(node, edge), self._given(edge)
        return MoveReport(
            move=name,
            visits=round(stats.n - prior),
            value=stats.w / stats.n if stats.n else 0.0,
            amaf_visits=stats.an,
            amaf_value=stats.aw / stats.an if stats.an else 0.0,
            beta=float(weight(self._policy, seen, stats)),
            prior=prior,
            score=float(score(self._policy, seen, stats)),
            proven=self._proven(edge),
        )

    def _edge(self, node: int, edge: int) -> Edge:
        tree, an, aw = self.tree, 0.0, 0.0
        if self._needs & AMAF:
            an, aw = float(tree.an[edge]), float(tree.aw[edge])
        if self._needs & TABLES:
            codes = self.game.codes()
            entry = (node * self.game.players + int(tree.nodes[node].player)) * codes + int(tree.code[edge])
            an, aw = float(tree.table_n[entry]), float(tree.table_w[entry])
        squares = float(tree.squares[edge]) if self._needs & SQUARES else 0.0
        share = float(tree.share[edge]) if self._needs & SHARES else 0.0
        return Edge(float(tree.n[edge]), self.sum(node, edge), an, aw, squares, share)

    def sums(self, node: int) -> Any:
        """N(s,a) · Q(s,a) of all moves."""
        edges = self.edges(node)
        if not self._by_position:
            return self.tree.w[edges]
        return np.array([self.sum(node, edge) for edge in range(edges.start, edges.stop)])

    def sum(self, node: int, edge: int) -> float:
        """N(s,a) · Q(s,a)."""
        child = int(self.tree.child[edge])
        if not self._by_position or child < 0 or self.tree.nodes[child].visits == 0:
            return float(self.tree.w[edge])
        value = float(self.tree.nodes[child].value)
        same = self.tree.nodes[child].player == self.tree.nodes[node].player
        return float(self.tree.n[edge]) * (value if same else 1.0 - value)
