"""Games that are being played, each in a slot with memory of its own; those of one turn make a move at a time.

A move takes all players about as long where their budgets are equal. A slot whose game is over takes the next one.
Where a player stops early, all of them think for a sixteenth of their budgets at a time, and whoever has thought
enough moves: so nobody waits for those who take longer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mcrave.games import Game, Position
from mcrave.parallel.gpu.engines import Engine, brought
from mcrave.parallel.gpu.kernels import (
    GIVEN,
    Customs,
    Fresh,
    Memory,
    Table,
    begin_game,
    clear_tree,
    move,
    think,
)
from mcrave.parallel.gpu.planning import Layout, Thinker, pass_move
from mcrave.parallel.gpu.rows import OWN, Column
from mcrave.playouts.base import Playout
from mcrave.playouts.mogo import Mogo
from mcrave.search.amaf import at_once
from mcrave.search.plan import Scratch
from mcrave.search.teams import decision_every
from mcrave.specs import lowered
from mcrave.trees.arena import Tree

PIECE = 4096  # simulations of one launch: so many that launching costs nothing, so few that none takes minutes


class Start(NamedTuple):
    """A game to begin: in which slot, from where, and the random state of each seat."""

    slot: int
    position: Position
    streams: Sequence[int]


class Room:
    """The slots. `begin` fills some of them, `move` lets all players think and move, `facts` tells what came of it."""

    def __init__(self, engine: Engine, game: Game, rows: Layout, slots: int) -> None:
        """Take the memory."""
        self.engine, self.game, self.rows = engine, game, rows
        self._rules = lowered(game)
        self._passing = pass_move(game)
        self._shape = engine.shape(slots, game.max_plies(), rows.scratch["work"].bytes)
        self._plans: dict[int, tuple[Any, Any]] = {}  # plans, and their copies on the device

        def stack(column: Column, count: int = slots) -> Any:
            return engine.zeros((count, max(1, column.length)), column.dtype)

        seats = game.players
        self._memory = Memory(
            Tree(*(stack(rows.tree[field]) for field in Tree._fields)),
            Scratch(*(stack(rows.scratch[field], slots * (seats if field in OWN else 1)) for field in Scratch._fields)),
            Table(
                engine.zeros((slots,), rows.table["facts"].dtype),
                *(stack(rows.table[field]) for field in Table._fields[1:]),
            ),
        )

    def begin(self, starts: Sequence[Start]) -> None:
        """Set games up."""
        if not starts:
            return
        longest = max(1, *(len(start.position.situations) for start in starts))
        seen = np.zeros((len(starts), longest), np.uint64)
        count = np.zeros(len(starts), np.int32)
        for row, start in enumerate(starts):
            situations = start.position.situations
            seen[row, : len(situations)] = situations
            count[row] = len(situations)
        root = np.stack([np.asarray(start.position.state) for start in starts]).view(np.recarray)
        streams = np.array([start.streams for start in starts], np.uint64)
        slots = np.array([start.slot for start in starts], np.int32)
        put = self.engine.put
        fresh = Fresh(put(root), put(streams), put(seen), put(count))
        args = (self._rules, self._memory, self._sizes(), put(slots), fresh, self._passing)
        self.engine.launch(begin_game, len(starts), args)
        self.engine.join()

    def _sizes(self) -> Any:
        thinker = Thinker("", None, 0, None, self.rows.tree, self.rows.scratch)  # type: ignore[arg-type]
        return thinker.sizes()

    def move(
        self,
        thinkers: Mapping[int, Thinker],
        slots: Mapping[int, Sequence[int]],
        given: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        """Let players think at once and move in slots where it is their turn; returns while the device is at work.

        In the slots of a player in `given`, the moves that stand there are made. If a player stops early, every player
        thinks until it would look whether its move is decided, and moves if it is.
        """
        by_parts = any(thinker.customs.early_stop for thinker in thinkers.values())
        put, given = self.engine.put, given or {}
        nothing = put(np.zeros(1, np.int32))
        lists = {player: put(np.array(those, np.int32)) for player, those in slots.items() if len(those)}
        choices = {player: put(np.array(moves, np.int32)) for player, moves in given.items() if len(moves)}
        minds = {player: self._brought(thinkers[player]) for player in lists if player not in choices}
        groups = {player: group for group, player in enumerate(lists)}
        for player, thinker in minds.items():
            memory = (self._memory, thinker.sizes(), lists[player])
            self.engine.launch(clear_tree, len(slots[player]), memory, groups[player])
        self.engine.join()
        for player, thinker in minds.items():
            now = decision_every(thinker.simulations) if by_parts else thinker.simulations
            for done in range(0, now, PIECE):
                some = (min(PIECE, now - done), thinker.simulations)
                args = (thinker.plan, self._memory, thinker.sizes(), lists[player], *some)
                self._think(thinker, len(slots[player]), args, groups[player])
        self.engine.join()
        for player, own in lists.items():
            thinker = minds.get(player) or self._brought(thinkers[player])
            customs = thinker.customs if player in minds else Customs(GIVEN, 0.0, -1.0)
            parts = (thinker.plan.rules, thinker.plan.backup, customs)
            rest = (self._memory, thinker.sizes(), own, choices.get(player, nothing), self._passing)
            self.engine.launch(move, len(slots[player]), (*parts, *rest), groups[player])
        self.engine.join()

    def _brought(self, thinker: Thinker) -> Thinker:
        """A player whose learnt weights are in the memory of the device."""
        known = self._plans.get(id(thinker.plan))
        if known is None or known[0] is not thinker.plan:
            plan = thinker.plan
            if not self.engine.together:
                plan = plan._replace(amaf=at_once(plan.amaf))
            known = self._plans[id(thinker.plan)] = (thinker.plan, brought(self.engine, plan))
        return thinker._replace(plan=known[1])

    def _think(self, thinker: Thinker, count: int, args: tuple[Any, ...], group: int) -> None:
        if self.engine.together:
            from mcrave.parallel.gpu.near import places_of
            from mcrave.parallel.gpu.warp import team_of, think_together

            kinds = self.rows.scratch
            scratch = {field: each._replace(dtype=kinds[field].dtype) for field, each in thinker.scratch.items()}
            places, shared = places_of(scratch, self._shape.games, self._shape.shared)
            team = team_of(thinker.plan, self._shape.lanes, thinker.sizes().scratch, self._states(), places)
            self.engine.launch_teams(think_together, count, self._shape._replace(shared=shared), (*args, team), group)
        else:
            self.engine.launch(think, count, args, group)

    def _states(self) -> tuple[Any, Any]:
        """The states at the roots and those played on, as rows of plain words."""
        kind = self._memory.scratches.root.dtype
        word = np.dtype(f"u{math.gcd(kind.itemsize, 8)}")
        return self._memory.scratches.root.view(word), self._memory.scratches.work.view(word)

    def facts(self) -> Any:
        """What holds in every slot now; waits for the device."""
        return self.engine.get(self._memory.table.facts).view(np.recarray)

    def results(self) -> Any:
        """The outcomes of games that are over, a row for each slot."""
        return self.engine.get(self._memory.table.results)

    def history(self) -> Any:
        """The moves since the opening, a row for each slot."""
        return self.engine.get(self._memory.table.history)

    def streams(self) -> Any:
        """The random state of each seat, a row for each slot."""
        states = self.engine.get(self._memory.scratches.rng)["state"]
        return states.reshape(-1, self.game.players)

    def legal_moves(self) -> Any:
        """The legal moves, a row for each slot; `facts().moves` says how many count."""
        return self.engine.get(self._memory.scratches.root_moves)


def whose_turn(thinkers: Mapping[int, Thinker], slots: Mapping[int, Sequence[int]]) -> list[int]:
    """Of the players to move, those that think now; `slots` tells in which games. The others wait for their turn.

    With long playouts only players whose kernels are one program think at once: two long programs take the place for
    instructions from each other. Those with the most games go first: so, after their first moves, the games of two
    players wait for the same one, and each launch is of all games in place of half of them.
    """
    turns: dict[Any, list[int]] = {}
    for player in slots:
        plan = thinkers[player].plan
        turns.setdefault(_program(plan) if _is_long(plan.playout) else None, []).append(player)
    return max(turns.values(), key=lambda turn: sum(len(slots[player]) for player in turn), default=[])


def _program(part: Any) -> Any:
    """What a kernel is compiled for: the types of a plan."""
    return (type(part), *(_program(each) for each in part)) if isinstance(part, tuple) else type(part)


def _is_long(playout: Playout) -> bool:
    """Whether a playout is a long program: MoGo's, and those that have no quick way of their own."""
    return isinstance(playout, Mogo) or not hasattr(type(playout), "play_out")
