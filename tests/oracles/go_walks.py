"""Games of Go played on the compiled board and on the plain one at once, and what kernels say of a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import mcrave
from mcrave.games import Game, base
from mcrave.games import _saves as saves
from mcrave.games import _shapes as shapes
from mcrave.games import _tactics as tactics
from mcrave.kernel import entry
from mcrave.kernel.rng import below, stream
from mcrave.playouts.base import Playout, choose
from mcrave.playouts.mogo import list_captures, note_ataris
from mcrave.priors.base import Prior, heuristic, survey
from mcrave.specs import lowered, parse
from tests.oracles.plain_go import PlainGo
from tests.oracles.plain_mogo import PlainMogo, Point

STAGES = ("saves", "captures", "patterns", "nakade", "two_liberties", "eye_repairs", "wanted")


@entry
def step(playout, rules, states, memory, rng, out):
    """Let the playout choose."""
    return choose(playout, rules, states[0], memory, rng[0], out)


@entry
def make(rules, states, move):
    """Play a move."""
    base.play(rules, states[0], move)


@entry
def list_stages(states, least, ladders, memory, lists, counts):
    """The moves of each of `STAGES`; those that look at the last move only if there is one."""
    state = states[0]
    me = state.turn + np.int64(1)
    last = np.uintp(state.last)
    ataris = tactics.ataris_around(state, last, me) if last != 0 else 0
    note_ataris(state, last, ataris, memory)
    counts[1] = list_captures(state, me, memory, lists[1])
    if last != 0:
        counts[0] = saves.list_saves(state, last, me, ladders, lists[0], 0)
        counts[2] = tactics.list_patterns(state, last, me, int(least > 0), lists[2], 0)
        counts[3] = shapes.list_nakade(state, last, me, lists[3], 0)
        counts[4] = saves.list_two_liberties(state, last, me, ladders, lists[4], 0)
        counts[5] = shapes.list_eye_repairs(state, last, me, least, lists[5], 0)
    n = 0
    for i in range(state.n_empty):
        if tactics.is_wanted(state, np.uintp(state.empty[i]), me, least):
            lists[6][n] = state.empty[i]
            n += 1
    counts[6] = n


class Moves(NamedTuple):
    """As much of a tree as a prior for Go reads."""

    move: Any
    n: Any
    w: Any


@entry
def ask(prior, rules, states, tree, out, found):
    """H, C and C̃ of each move."""
    survey(prior, rules, states[0], tree, 0, tree.move.shape[0], out)
    for edge in range(tree.move.shape[0]):
        found[edge, 0], found[edge, 1], found[edge, 2] = heuristic(prior, rules, states[0], tree, -1, edge)


class Walk:
    """A game on both boards."""

    def __init__(self, game: str | Game, seed: int = 1) -> None:
        self.game = mcrave.game(game) if isinstance(game, str) else game
        self.rules = lowered(self.game)
        self.states = self.game.start().state
        self.plain = PlainGo(self.game.rows, self.game.cols, superko="simple")
        self.last: Point | None = None
        self.rng = stream(seed)
        self.out = np.zeros(self.game.max_moves(), np.int32)
        self.memory = np.zeros(2 * self.game.codes() + 8)

    def point(self, move: int) -> Point | None:
        """A move number as a point of the plain board."""
        width = self.game.cols + 1
        return (move // width - 1, move % width - 1) if move else None

    def number(self, point: Point | None) -> int:
        """A point as a move number."""
        return (point[0] + 1) * (self.game.cols + 1) + point[1] + 1 if point is not None else 0

    def play(self, move: int) -> None:
        """Play on both boards."""
        make(self.rules, self.states, move)
        self.last = self.point(move)
        self.plain.play(self.last)

    def choose(self, playout: Playout) -> int:
        """What the playout chooses."""
        return int(step(lowered(playout), self.rules, self.states, self.memory, self.rng, self.out))

    def random_move(self) -> int:
        """Any legal move, by simple ko; pass too."""
        n = base.legal(self.rules, self.states[0], self.out)
        return int(self.out[below(self.rng[0], n)])

    @property
    def is_over(self) -> bool:
        """Two passes."""
        return bool(self.states[0].passes >= 2)

    def twin(self, least: int = 0) -> PlainMogo:
        """The position for the plain rules."""
        return PlainMogo(self.plain, self.last, least)

    def stages(self, least: int, memory: Any, ladders: bool = False) -> dict[str, list[Point]]:
        """What the kernels list, from a board that they leave as it was."""
        lists = np.zeros((len(STAGES), self.game.max_moves()), np.int32)
        counts = np.zeros(len(STAGES), np.int64)
        states = self.states.copy()
        list_stages(states, least, ladders, memory, lists, counts)
        for field in ("color", "nbr", "libs", "chain", "next", "length"):
            alive = states[0][field], self.states[0][field]
            assert (alive[0] == alive[1])[self.states[0]["color"] != 0].all(), field
        return {
            name: [self.point(int(move)) for move in row[:count]]  # type: ignore[misc]
            for name, row, count in zip(STAGES, lists, counts, strict=True)
        }

    def prior(self, text: str) -> dict[Point | None, tuple[float, float, float]]:
        """H, C and C̃ of every legal move."""
        prior: Prior = parse(text, "prior")
        out = np.zeros(self.game.max_moves(), np.int32)
        moves = out[: base.legal(self.rules, self.states[0], out)].copy()
        found = np.zeros((len(moves), 3))
        tree = Moves(moves, np.zeros(len(moves)), np.zeros(len(moves)))
        states = self.states.copy()
        ask(lowered(prior), self.rules, states, tree, out, found)
        assert self.game.render(states[0]) == self.game.render(self.states[0])
        return {self.point(int(move)): tuple(row) for move, row in zip(moves, found.tolist(), strict=True)}  # type: ignore[misc]


def walks(games: tuple[str, ...], playout: str, count: int, noise: float = 0.1) -> Iterator[Walk]:
    """Every position of so many playouts on each board, some of the moves being random legal ones."""
    spec = parse(playout, "playout")
    for number, game in enumerate(games):
        for i in range(count):
            walk = Walk(game, 1000 * number + i)
            for _ in range(walk.game.max_plies()):
                yield walk
                is_noise = below(walk.rng[0], 1000) < 1000 * noise
                walk.play(walk.random_move() if is_noise else walk.choose(spec))
                if is_noise:
                    walk.memory[0] = 0.0
                if walk.is_over:
                    break
