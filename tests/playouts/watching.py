"""What checks of playout policies look with: watched simulations, draws beside probabilities, tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.stats import chisquare

import mcrave
from mcrave.games import Game, Position, base
from mcrave.kernel.rng import below, stream
from mcrave.playouts import base as playouts
from mcrave.playouts._moves import CODES, COUNT, HEAD, SIMULATIONS, SUM, WIDTH, WORTH
from mcrave.playouts.base import choose
from mcrave.search import loop
from mcrave.specs import lowered, parse

SURE = 1e-5
EYES = """
5 . X . O .
4 X X O O O
3 . X O . .
2 X X O O O
1 . X O . .
  A B C D E
"""


class Simulation:
    """What was seen of one simulation."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.states: list[Any] = []
        self.chosen: list[int] = []
        self.who: list[int] = []
        self.code: list[int] = []
        self.results: list[float] = []


def watched(
    game: str, tree: str, playout: str, simulations: int, look: Callable[..., None] | None = None, expand_after: int = 0
) -> tuple[mcrave.Search, list[Simulation]]:
    """Run a search and note every simulation; `look` is called after each `begin`, with its arguments."""
    search = mcrave.Search(game, tree=tree, playout=playout, seed=3, memory="1MB", expand_after=expand_after)
    seen: list[Simulation] = []
    old = loop.begin, playouts.choose, loop.learn

    def begin(spec, rules, tree, scratch, in_tree):
        seen.append(Simulation())
        old[0](spec, rules, tree, scratch, in_tree)
        if look is not None:
            look(search, tree, scratch, in_tree)

    def chosen(spec, rules, state, memory, rng, out):
        seen[-1].states.append(state.copy())
        move = old[1](spec, rules, state, memory, rng, out)
        seen[-1].chosen.append(int(move))
        return move

    def learn(spec, rules, scratch, plies):
        now = seen[-1]
        now.states.append(scratch.work[0].copy())
        now.who, now.code = scratch.who[:plies].tolist(), scratch.code[:plies].tolist()
        now.results = scratch.results.tolist()
        old[2](spec, rules, scratch, plies)

    loop.begin, playouts.choose, loop.learn = begin, chosen, learn
    try:
        search.run(search.game.start(), simulations=simulations)
    finally:
        loop.begin, playouts.choose, loop.learn = old
    return search, seen


def random_position(game: Game, plies: int, seed: int) -> Position:
    """A position after random moves, not over."""
    rng, position = stream(seed)[0], game.start()
    for _ in range(plies):
        following = position.play(int(position.moves[below(rng, len(position.moves))]))
        if following.is_over:
            break
        position = following
    return position


def drawn(playout: str, position: Position, memory: Any, draws: int = 1000) -> Counter[int]:
    """How often each move is chosen."""
    spec, game = lowered(parse(playout, "playout")), position.game
    rng, out = stream(5)[0], np.zeros(game.max_moves(), np.int32)
    state = position.state[0]
    return Counter(int(choose(spec, lowered(game), state, memory.copy(), rng, out)) for _ in range(draws))


def assert_drawn(found: Counter[int], expected: dict[int, float]) -> None:
    """The counts fit the probabilities."""
    assert set(found) <= set(expected), (found, expected)
    total = sum(found.values())
    common = {move: p for move, p in expected.items() if p * total >= 5}
    rare = total - sum(found[move] for move in common)
    seen, wanted = [found[move] for move in common], [p * total for p in common.values()]
    if total - sum(wanted) > 1e-3:
        seen, wanted = [*seen, rare], [*wanted, total - sum(wanted)]
    wanted = [count * total / sum(wanted) for count in wanted]
    assert len(seen) > 1, expected
    assert chisquare(seen, wanted).pvalue > SURE, list(zip(seen, wanted, strict=True))


def candidates(position: Position) -> list[int]:
    """The moves a playout may make."""
    out = np.zeros(position.game.max_moves(), np.int32)
    return out[: base.candidates(lowered(position.game), position.state[0], out)].tolist()


def table(search: mcrave.Search) -> dict[tuple[int, int], tuple[float, float, float]]:
    """What the memory holds of moves played: count, sum and worth."""
    memory, codes = search._memories[0], search.game.codes()
    assert memory[CODES] == codes
    rows = memory[HEAD : HEAD + WIDTH * codes * search.game.players].reshape(-1, WIDTH)
    return {divmod(i, codes): (row[COUNT], row[SUM], row[WORTH]) for i, row in enumerate(rows) if row.any()}


def assert_table(search: mcrave.Search, seen: list[Simulation], once: bool, worth: Callable[[float], float]) -> None:
    """The memory is what a plain count gives."""
    plays = defaultdict(list)
    for simulation in seen:
        moves = list(zip(simulation.who, simulation.code, strict=True))
        for move in dict.fromkeys(moves) if once else moves:
            plays[move].append(simulation.results[move[0]])
    found = table(search)
    assert set(found) == set(plays)
    for move, outcomes in plays.items():
        mean = sum(outcomes) / len(outcomes)
        assert found[move][0] == len(outcomes)
        assert abs(found[move][1] - sum(outcomes)) < 1e-12
        assert abs(found[move][2] - worth(mean)) < 1e-12
    assert search._memories[0][SIMULATIONS] == len(seen)
