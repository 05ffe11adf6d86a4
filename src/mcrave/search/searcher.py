"""`Search`: a game, a tree policy, a playout policy, a prior and a choice, with memory and a random stream."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from mcrave.errors import Error
from mcrave.games import Game, Position
from mcrave.games import game as game_of
from mcrave.kernel import new
from mcrave.kernel.rng import stream
from mcrave.playouts.base import Playout
from mcrave.policies.base import AMAF, SQUARES, TABLES, Edge, NodeView, TreePolicy, needs, prepare, score, weight
from mcrave.priors.base import Prior
from mcrave.priors.even import Even
from mcrave.search import choices
from mcrave.search.loop import Plan, Scratch, simulate
from mcrave.search.report import MoveReport, Report
from mcrave.specs import lowered, parse
from mcrave.trees.arena import NODES, Tree, new_tree
from mcrave.units import parse_memory

SLICE = 0.05  # seconds between looks at the clock


class Search:
    """A search that can be run on one position after another.

    >>> import mcrave
    >>> search = mcrave.Search("mnk(size=3,length=3)", tree="mc_rave()", seed=1)
    >>> report = search.run(search.game.parse("XX. / OO. / ..."), simulations=500)
    >>> report.best
    'c3'
    >>> report.simulations, report.moves[0].move
    (500, 'c3')
    """

    def __init__(
        self,
        game: str | Game,
        tree: str | TreePolicy = "uct()",
        playout: str | Playout = "uniform()",
        prior: str | Prior = "even()",
        choice: str | choices.Choice = "most_visits()",
        *,
        expand_after: int = 0,
        memory: str | int = "256MB",
        seed: int = 1,
    ) -> None:
        """Put the parts together; memory is taken when the first run starts."""
        self.game: Game = game_of(game)
        self.tree: TreePolicy = _spec(tree, "tree")
        self.playout: Playout = _spec(playout, "playout")
        self.prior: Prior = _spec(prior, "prior")
        self.choice: choices.Choice = _spec(choice, "choice")
        if expand_after < 0:
            raise Error(f"expand_after must be 0 or more visits, not {expand_after}")
        self.expand_after = expand_after
        self.memory = parse_memory(memory)
        self._rng = stream(seed)
        self._memory = np.zeros(self.playout.memory_size(self.game))
        self._needs = needs(lowered(self.tree))
        self._arrays: Tree | None = None

    def run(self, position: Position, simulations: int | None = None, seconds: float | None = None) -> Report:
        """Search a position until a budget is used up; Ctrl-C ends it and returns what it has."""
        self._check(position, simulations, seconds)
        started = time.perf_counter()
        if position.is_over:
            return Report(str(self.game), None, [], position.outcome(position.to_move), [], 0, 0.0, 0)
        arrays = self._fresh_tree()
        scratch = self._scratch(position)
        plan = self._plan()
        done, batch = 0, 16
        try:
            while True:
                left = batch if simulations is None else min(batch, simulations - done)
                if left <= 0 or (seconds is not None and time.perf_counter() - started >= seconds):
                    break
                before = time.perf_counter()
                simulate(plan, arrays, scratch, left)
                done += left
                batch = _next_batch(batch, time.perf_counter() - before)
        except KeyboardInterrupt:
            if done == 0:
                raise
        return self._report(position, done, time.perf_counter() - started)

    def _check(self, position: Position, simulations: int | None, seconds: float | None) -> None:
        if position.game != self.game:
            raise Error(f"this search is for {self.game}, but the position is of {position.game}")
        if simulations is None and seconds is None:
            raise Error("give a budget: simulations=1000 or seconds=2.0")
        if simulations is not None and simulations < 1:
            raise Error(f"simulations must be at least 1, not {simulations}")
        if seconds is not None and not seconds > 0:
            raise Error(f"seconds must be above 0, not {seconds}")

    def _plan(self) -> Plan:
        parts = (self.game, self.tree, self.playout, self.prior)
        return Plan(*(lowered(part) for part in parts), expand_after=self.expand_after)

    def _fresh_tree(self) -> Tree:
        if self._arrays is None:
            with_prior = self.prior != Even()
            entries = self.game.players * self.game.codes()
            self._arrays = new_tree(self.memory, self._needs, with_prior, self.game.max_moves(), entries)
        self._arrays.used[:] = 0
        return self._arrays

    def _scratch(self, position: Position) -> Scratch:
        game = self.game
        plies, branching = game.max_plies() + 1, game.max_moves()
        entries = game.players * game.codes()
        return Scratch(
            rng=self._rng,
            root=position.state,
            work=new(game.state_type()),
            moves=np.zeros(branching, np.int32),
            root_moves=position.moves.copy(),
            node=np.zeros(plies + 1, np.int32),
            edge=np.zeros(plies + 1, np.int32),
            who=np.zeros(plies, np.int32),
            code=np.zeros(plies, np.int32),
            scores=np.zeros(branching),
            an=np.zeros(branching),
            aw=np.zeros(branching),
            seen=np.zeros(entries),
            listed=np.zeros(plies + 1, np.int32),
            results=np.zeros(game.players),
            memory=self._memory,
        )

    def _report(self, position: Position, done: int, seconds: float) -> Report:
        arrays = self._arrays
        assert arrays is not None
        root = arrays.nodes[0]
        moves = [self._move(position, arrays, edge) for edge in range(root.first, root.first + root.count)]
        best = max(moves, key=self.choice.worth)
        weight_sum = sum(move.visits + move.prior for move in moves)
        value = sum(move.value * (move.visits + move.prior) for move in moves) / weight_sum if weight_sum else 0.5
        return Report(
            game=str(self.game),
            best=best.move,
            moves=sorted(moves, key=lambda move: -move.visits),
            value=float(value),
            pv=self._principal_variation(position, arrays),
            simulations=done,
            seconds=seconds,
            nodes=int(arrays.used[NODES]),
        )

    def _move(self, position: Position, arrays: Tree, edge: int) -> MoveReport:
        root = arrays.nodes[0]
        stats = self._edge(arrays, root, edge)
        run = slice(root.first, root.first + root.count)
        squares = arrays.squares[run] if self._needs & SQUARES else arrays.n[run]
        policy = lowered(self.tree)
        total = float(root.visits + root.given)
        node = NodeView(total, *prepare(policy, total, arrays.n[run], arrays.w[run], squares))
        prior = float(arrays.given[edge]) if arrays.given.size else 0.0
        return MoveReport(
            move=position.name(arrays.move[edge]),
            visits=round(stats.n - prior),
            value=stats.w / stats.n if stats.n else 0.0,
            amaf_visits=stats.an,
            amaf_value=stats.aw / stats.an if stats.an else 0.0,
            beta=float(weight(policy, node, stats)),
            prior=prior,
            score=float(score(policy, node, stats)),
        )

    def _edge(self, arrays: Tree, root: Any, edge: int) -> Edge:
        an = aw = 0.0
        if self._needs & AMAF:
            an, aw = float(arrays.an[edge]), float(arrays.aw[edge])
        if self._needs & TABLES:
            entry = root.player * self.game.codes() + arrays.code[edge]
            an, aw = float(arrays.table_n[entry]), float(arrays.table_w[entry])
        squares = float(arrays.squares[edge]) if self._needs & SQUARES else 0.0
        return Edge(float(arrays.n[edge]), float(arrays.w[edge]), an, aw, squares)

    def _principal_variation(self, position: Position, arrays: Tree) -> list[str]:
        names: list[str] = []
        node = 0
        while node >= 0 and not position.is_over:
            first, count = arrays.nodes[node].first, arrays.nodes[node].count
            best = first + int(np.argmax(arrays.n[first : first + count]))
            move = int(arrays.move[best])
            if arrays.n[best] <= 0 or move not in position.moves:
                break
            names.append(position.name(move))
            position = position.play(move)
            node = int(arrays.child[best])
        return names


def _spec(value: Any, kind: str) -> Any:
    return parse(value, kind) if isinstance(value, str) else value


def _next_batch(batch: int, taken: float) -> int:
    """So many simulations that the clock is looked at about every `SLICE` seconds."""
    return max(1, min(4 * batch, int(batch * SLICE / max(taken, 1e-9)), 1 << 20))
