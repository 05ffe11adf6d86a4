"""Checks that look into the playouts of Atarigo and three-colour Go while they run, without the compiler.

`NUMBA_DISABLE_JIT=1 python -W error -m tests.playouts.interpreted_stones check_saves`
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import mcrave
from mcrave.games import base
from mcrave.specs import lowered
from tests.oracles.plain_mogo import pattern_holds
from tests.playouts.watching import assert_drawn, drawn, watched


def check_captures() -> None:
    """A move that wins by capturing is never overlooked; without one, every legal move can come."""
    taken, other = 0, 0
    for text in ("atarigo(size=3)", "atarigo(rows=4,cols=5)"):
        for board, move, legal, capturing, _ in chosen(text, "captures()", 150):
            assert move in (capturing or legal), (board, move)
            taken, other = taken + bool(capturing), other + (not capturing)
    assert min(taken, other) > 100
    position = mcrave.game("atarigo(size=3)").parse("X.. / ... / .O.")
    moves = position.moves.tolist()
    assert_drawn(drawn("captures()", position, np.zeros(3)), dict.fromkeys(moves, 1 / len(moves)))


def check_saves() -> None:
    """With `save`, a chain that would be captured next is extended where that helps, and captures still come first."""
    saved = 0
    for text in ("atarigo(size=3)", "atarigo(rows=4,cols=5)", "atarigo(size=5)"):
        for board, move, legal, capturing, saving in chosen(text, "captures(save=true)", 100):
            assert move in (capturing or saving or legal), (board, move)
            saved += bool(saving) and not capturing
    assert saved > 100


def check_careful() -> None:
    """With `avoid_self_atari`, no own chain of so many stones is put into atari where another move is left."""
    for least, texts in ((1, ("atarigo(size=3)", "atarigo(rows=4,cols=5)")), (2, ("atarigo(rows=4,cols=5)",))):
        avoided = 0
        for text in texts:
            search, seen = watched(text, "uct()", f"captures(avoid_self_atari={least})", 100)
            rules, out = lowered(search.game), np.zeros(search.game.max_moves(), np.int32)
            for simulation in seen:
                for state, move in zip(simulation.states, simulation.chosen, strict=False):
                    legal = out[: base.legal(rules, state, out)].tolist()
                    first = [p for p in legal if captured(rules, state, p)]
                    safe = [p for p in legal if is_careful(rules, state, p, least)]
                    assert move in (first or safe or legal), (search.game.render(state), move)
                    avoided += not first and 0 < len(safe) < len(legal)
        assert avoided > 50, (least, avoided)
    position = mcrave.game("atarigo(size=3)").parse(".O. / ... / X..")
    rules, state = lowered(position.game), position.state[0]
    safe = [p for p in position.moves.tolist() if is_careful(rules, state, p, 1)]
    assert 0 < len(safe) < len(position.moves)
    assert_drawn(drawn("captures(avoid_self_atari=1)", position, np.zeros(3)), dict.fromkeys(safe, 1 / len(safe)))


def check_patterns() -> None:
    """With `patterns`, what stands around the last move decides where nothing is captured or saved."""
    followed = 0
    for text in ("atarigo(rows=4,cols=5)", "atarigo(size=5)"):
        search, seen = watched(text, "uct()", "captures(save=true,patterns=true)", 60)
        rules, out = lowered(search.game), np.zeros(search.game.max_moves(), np.int32)
        for simulation in seen:
            last = -1
            for state, move in zip(simulation.states, simulation.chosen, strict=False):
                legal = out[: base.legal(rules, state, out)].tolist()
                first = [p for p in legal if captured(rules, state, p)] or [p for p in legal if saves(rules, state, p)]
                shaped = [p for p in legal if last > 0 and is_shaped(rules, state, p, last)]
                assert move in (first or shaped or legal), (search.game.render(state), move)
                followed += bool(shaped) and not first
                last = move
    assert followed > 100


def check_reflexes() -> None:
    """Three colours: a chain in atari next to the last two moves is saved, else something captured, else anything."""
    saved = taken = other = 0
    for text in ("go3(size=4)", "go3(rows=3,cols=5)"):
        search, seen = watched(text, "uct()", "reflex()", 100)
        rules, out = lowered(search.game), np.zeros(search.game.max_moves(), np.int32)
        for simulation in seen:
            for state, move in zip(simulation.states, simulation.chosen, strict=False):
                legal = out[: base.legal(rules, state, out)].tolist()
                near = [answers(state, int(last), legal) for last in (state.last, state.before)]
                saving, capturing = near[0] or near[1], [p for p in legal if p and captured(rules, state, p)]
                assert move in (saving or capturing or legal), (search.game.render(state), move)
                saved, taken = saved + bool(saving), taken + bool(capturing and not saving)
                other += not saving and not capturing
    assert min(saved, taken, other) > 100, (saved, taken, other)


def answers(state: Any, last: int, legal: list[int]) -> list[int]:
    """Legal moves that give an own chain in atari next to a move two liberties, what they capture left alone."""
    me, width = int(state.turn) + 1, int(state.width)
    found = []
    for q in neighbours(last, width) if last else ():
        if state.color[q] == me and len(free := liberties(state, q, width)) == 1:
            after, (p,) = state.copy(), free
            after.color[p] = me
            if p in legal and len(liberties(after, p, width)) >= 2:
                found.append(p)
    return found


def is_shaped(rules: Any, state: Any, move: int, last: int) -> bool:
    """Whether a drawn pattern holds at a point next to the last move, and the stone there is not in atari at once."""
    width = int(state.width)
    around = [[i * width + j for j in (-1, 0, 1)] for i in (-1, 0, 1)]
    marks = ".XO?#" if state.turn == 0 else ".OX?#"
    near = any(move - last in row for row in around)
    holds = pattern_holds([[marks[state.color[move + step]] for step in row] for row in around])
    return near and holds and liberties_after(rules, state, move) >= 2


def chosen(text: str, playout: str, simulations: int) -> Iterator[tuple[str, int, list[int], list[int], list[int]]]:
    """Every choice of a playout: the board, the move, and which moves are legal, capture, and save a chain."""
    search, seen = watched(text, "uct()", playout, simulations)
    rules, out = lowered(search.game), np.zeros(search.game.max_moves(), np.int32)
    for simulation in seen:
        for state, move in zip(simulation.states, simulation.chosen, strict=False):
            legal = out[: base.legal(rules, state, out)].tolist()
            capturing = [p for p in legal if captured(rules, state, p)]
            saving = [p for p in legal if saves(rules, state, p)]
            yield search.game.render(state), move, legal, capturing, saving


def saves(rules: Any, state: Any, move: int) -> bool:
    """Whether a move is the last liberty of an own chain, and gives it two liberties: counted stone by stone."""
    me, width = int(state.turn) + 1, int(state.width)
    around = [q for q in neighbours(move, width) if state.color[q] == me and liberties(state, q, width) == {move}]
    return bool(around) and liberties_after(rules, state, move) >= 2


def liberties_after(rules: Any, state: Any, move: int) -> int:
    """How many liberties the chain of a stone has once it is put."""
    after = state.copy()
    base.play(rules, after, move)
    return len(liberties(after, move, int(state.width)))


def is_careful(rules: Any, state: Any, move: int, least: int) -> bool:
    """Whether a move, which captures nothing, leaves no own chain of so many stones with a single liberty."""
    after, width = state.copy(), int(state.width)
    base.play(rules, after, move)
    chain = {move}
    while more := {q for p in chain for q in neighbours(p, width) if after.color[q] == after.color[move]} - chain:
        chain |= more
    return len(chain) < least or len(liberties(after, move, width)) > 1


def neighbours(p: int, width: int) -> tuple[int, int, int, int]:
    """The four points next to p."""
    return p - width, p - 1, p + 1, p + width


def liberties(state: Any, p: int, width: int) -> set[int]:
    """The empty points next to the chain of p."""
    chain, free, found = [p], set(), {p}
    for stone in chain:
        for q in neighbours(stone, width):
            if state.color[q] == 0:
                free.add(q)
            elif state.color[q] == state.color[p] and q not in found:
                found.add(q)
                chain.append(q)
    return free


def captured(rules: Any, state: Any, move: int) -> bool:
    """Whether a move takes stones off the board."""
    after = state.copy()
    stones = np.isin(after.color, (1, 2, 3)).sum()
    base.play(rules, after, move)
    return bool(np.isin(after.color, (1, 2, 3)).sum() <= stones)


CHECKS = [name for name in dir() if name.startswith("check_")]

if __name__ == "__main__":
    globals()[sys.argv[1]]()
