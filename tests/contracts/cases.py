"""What every game must do, one function a point; `check_game` runs them all, for a user's own game too.

>>> from tests.contracts.cases import check_game
>>> check_game(mcrave.game("mnk"), seeds=[1])
"""

from __future__ import annotations

import itertools
import pickle
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.stats import chisquare

import mcrave
from mcrave.errors import Error, IllegalMove
from mcrave.games import Game, Position, base
from mcrave.kernel import entry
from mcrave.kernel.rng import stream
from mcrave.specs import lowered, names, parse

EXTRA: dict[str, tuple[str, ...]] = {
    "amazons": ("amazons(size=4)", "amazons(rows=5,cols=6)"),
    "atarigo": ("atarigo(size=4)", "atarigo(rows=4,cols=5,crosscut=true)"),
    "breakthrough": ("breakthrough(rows=5,cols=4)", "breakthrough(rows=6,cols=9)"),
    "clobber": ("clobber(rows=3,cols=4)", "clobber(size=10)"),
    "connect_four": ("connect_four(rows=4,cols=5)", "connect_four(rows=7,cols=9)"),
    "domineering": ("domineering(size=4)", "domineering(rows=3,cols=9)"),
    "go": ("go(size=5)", "go(rows=3,cols=4)", "go(size=4,pass_last=true)"),
    "go3": ("go3(size=4)",),
    "gomoku": ("gomoku(size=9)",),
    "havannah": ("havannah(size=3)",),
    "hex": ("hex(size=3)", "hex(rows=3,cols=5)"),
    "knightthrough": ("knightthrough(size=5)",),
    "lines_of_action": ("lines_of_action(size=5)",),
    "mnk": ("mnk(rows=4,cols=6,length=4)", "mnk(size=15,length=5)"),
    "nim": ("nim(heaps=3-4-5)", "nim(heaps=1)"),
    "nogo": ("nogo(size=4)", "nogo(rows=3,cols=5)"),
    "othello": ("othello(size=4)", "othello(rows=6,cols=8)"),
    "y": ("y(size=4)",),
}
"""More boards for the games of this library: small ones, whose games meet again and end, and oblong ones."""

CUT_OFF = {"go", "go3"}
"""Games without an end of their own: `max_plies` only cuts playouts off, which never fill their own eyes."""

SURE = 1e-6  # the probability with which a statistical check may fail a correct game
ENOUGH = 35  # draws per move: a move that is never drawn is no accident


def specs() -> list[Any]:
    """Every registered game, as parameters of a test; see `conftest.group`."""
    return [pytest.param(text, id=text) for name in names("game") for text in (name, *EXTRA.get(name, ()))]


def check_game(game: Game, seeds: Iterable[int] = range(5), bounded: bool = True) -> None:
    """Assert all points of the contract; `bounded` is False if `max_plies` only cuts playouts off."""
    check_spec(game)
    for seed in seeds:
        check_walk(game, seed, bounded)
        check_names(game, seed)
        check_illegal_moves(game, seed)
        check_independent_copies(game, seed)
        check_round_trip(game, seed)
        check_kernels(game, seed)
        check_playout_lengths(game, seed)
        check_one_ply_playouts(game, seed, uniform=bounded)
        check_mutated_diagrams(game, seed)
    check_keys(game, seeds)
    check_random_moves(game, min(seeds, default=0), uniform=bounded)
    check_playout_results(game, min(seeds, default=0))


# ---------------------------------------------------------------- kernels, called as the search calls them


@entry
def probe(rules, states, rng, out, plies, moves, codes, drawn):
    """List the legal moves and their codes, draw some moves, then play out at random; return both counts."""
    state = states[0]
    n = 0
    if not base.is_over(rules, state):
        n = base.legal(rules, state, moves)
        for i in range(n):
            codes[i] = base.code(rules, state, moves[i])
        for i in range(drawn.shape[0]):
            drawn[i] = base.random_move(rules, state, rng[0], out)
    return n, base.random_playout(rules, state, rng[0], out, plies)


@entry
def playouts(rules, root, work, rng, out, plies, stepwise, keys, lengths, results):
    """Play random games, by `random_playout` or one `random_move` after the other, and note the ends."""
    for i in range(keys.shape[0]):
        work[0] = root[0]
        state = work[0]
        if stepwise:
            n = 0
            while n < plies and not base.is_over(rules, state):
                base.play(rules, state, base.random_move(rules, state, rng[0], out))
                n += 1
            lengths[i] = n
        else:
            lengths[i] = base.random_playout(rules, state, rng[0], out, plies)
        keys[i] = base.hash(rules, state)
        results[i] = base.outcome(rules, state, 0) if base.is_over(rules, state) else 0.5


class Probe(NamedTuple):
    """What `probe` found."""

    moves: list[int]
    codes: list[int]
    drawn: list[int]
    plies: int
    after: Position
    """The position that the playout left."""


MARGIN = 64
UNTOUCHED = -77


def look(position: Position, seed: int, plies: int = 0, draws: int = 0) -> Probe:
    """Run `probe` on a copy of the position's state, with more room for moves than the game asked for."""
    game, states = position.game, position.state
    room = game.max_moves() + MARGIN
    out, moves = np.full((2, room), UNTOUCHED, np.int32)
    codes, drawn = np.zeros(room, np.int64), np.zeros(draws, np.int64)
    n, played = probe(lowered(game), states, stream(seed), out, plies, moves, codes, drawn)
    assert n <= game.max_moves(), f"{game}: {n} legal moves, but max_moves() is {game.max_moves()}\n{position}"
    for name, array in (("legal", moves), ("random_move or random_playout", out)):
        assert (array[game.max_moves() :] == UNTOUCHED).all(), f"{game}: {name} writes beyond max_moves()"
    return Probe(moves[:n].tolist(), codes[:n].tolist(), drawn.tolist(), int(played), Position(game, states))


def play_out(position: Position, seed: int, count: int, plies: int, stepwise: bool) -> tuple[Any, Any, Any]:
    """The keys at the end, the lengths and the first player's results of random games."""
    game, root = position.game, position.state
    keys, lengths, results = np.zeros(count, np.uint64), np.zeros(count, np.int64), np.zeros(count)
    out = np.zeros(game.max_moves(), np.int32)
    playouts(lowered(game), root, root.copy(), stream(seed), out, plies, stepwise, keys, lengths, results)
    return keys, lengths, results


# ---------------------------------------------------------------------------------------- random games


def walk(game: Game, seed: int, plies: int | None = None) -> list[Position]:
    """The positions of a random game; by default one move more than the game may last."""
    dice = random.Random(seed)
    path = [game.start()]
    for _ in range(game.max_plies() + 1 if plies is None else plies):
        if path[-1].is_over:
            break
        path.append(path[-1].play(dice.choice(path[-1].moves.tolist())))
    return path


def some(path: list[Position], seed: int, count: int) -> list[Position]:
    """The first and the last position, and others between them."""
    if len(path) <= count:
        return path
    return [path[0], *random.Random(seed).sample(path[1:-1], count - 2), path[-1]]


def child(position: Position, move: int) -> Position:
    """The position after a move, without asking whether a real game could allow it."""
    return Position(position.game, position.state, None, move)


def print_of(position: Position) -> tuple[str, int, bytes]:
    """Everything that must stay as it is when a position is used: all but the record's padding."""
    state = position.state
    return str(position), position.key, b"".join(state[field].tobytes() for field in state.dtype.names)


# ---------------------------------------------------------------------------------------------- points


def check_spec(game: Game) -> None:
    """The text form and pickles bring the rules back; the class is found by its name."""
    assert parse(str(game), "game") == game
    assert parse(repr(game), "game") == game
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert type(again) is type(game)
    assert hash(again) == hash(game)
    assert mcrave.game(game) is game
    assert len(game.symbols) == game.players
    assert len(set(game.symbols)) == game.players
    assert type(game).__doc__, f"{game.name} needs a docstring: it is the game's line in every list"


def check_walk(game: Game, seed: int, bounded: bool = True) -> None:
    """A random game keeps the bounds and ends with a result."""
    path = walk(game, seed)
    for position in path:
        assert 0 <= position.to_move < game.players
        moves = position.moves.tolist()
        assert len(set(moves)) == len(moves) <= game.max_moves()
        if not position.is_over:
            assert moves, f"{game}: not over, but no legal move in\n{position}"
            assert min(moves) >= 0
            with pytest.raises(IllegalMove):
                position.outcome(0)
    last = path[-1]
    if last.is_over:
        assert not bounded or len(path) - 1 <= game.max_plies(), f"{game}: {len(path) - 1} plies, over max_plies()"
        assert last.legal_moves() == []
        results = [last.outcome(player) for player in range(game.players)]
        assert all(0 <= result <= 1 for result in results), results
        assert sum(results) == pytest.approx(1), f"{game}: the results {results} must sum to 1 in\n{last}"
        assert last.history() == [a.name(b.last_move) for a, b in itertools.pairwise(path)]
    else:
        assert not bounded, f"{game}: a game lasted over max_plies() = {game.max_plies()}"


def check_names(game: Game, seed: int) -> None:
    """The name of a move leads back to it, in upper and lower case; listed moves can be played."""
    dice = random.Random(seed)
    for position in some(walk(game, seed), seed, 8):
        moves, found = position.moves.tolist(), position.legal_moves()
        folded = [name.lower() for name in found]
        assert len(set(folded)) == len(folded), f"{game}: two moves share a name in\n{position}"
        for move, name in zip(moves, found, strict=True):
            assert name == name.strip() != ""
            assert [position.number(n) for n in (name, name.upper(), name.lower(), f" {name} ", move)] == [move] * 5
        for move in dice.sample(moves, min(5, len(moves))):
            after = position.play(move)
            assert after.key == position.play(position.name(move)).key
            assert after == position.play(np.int32(move))
            assert after.last_move == move


NO_NUMBERS = (-1, 2**31, -(2**31), 2**63, 10**30, None, 1.5)
NO_NAMES = ("", " ", "zz99", "a0", "-1", "\0", "ß")


def check_illegal_moves(game: Game, seed: int) -> None:
    """What is no legal move raises `IllegalMove`, and the position stays as it is."""
    dice = random.Random(seed)
    for position in some(walk(game, seed), seed, 4):
        before = print_of(position)
        near = {*range(10), *dice.sample(range(game.codes() + 3), min(20, game.codes())), game.codes()}
        numbers = sorted(near - set(position.moves.tolist()))
        names = [name for name in NO_NAMES if name not in position._names]
        for move in (*NO_NUMBERS, *numbers, *map(np.int64, numbers[:2]), *names):
            with pytest.raises(IllegalMove) as caught:
                position.play(move)
            assert "\n" not in str(caught.value)
        with pytest.raises(ValueError, match="read-only"):
            position.moves[:] = 0
        assert print_of(position) == before
        for player in (-1, game.players):
            with pytest.raises(IllegalMove):
                position.outcome(player)


def check_independent_copies(game: Game, seed: int) -> None:
    """Playing leaves every earlier position as it was; `state` is a copy."""
    path = walk(game, seed, 30)
    prints = [print_of(position) for position in path]
    dice = random.Random(seed)
    for position in path:
        for move in dice.sample(position.moves.tolist(), min(3, len(position.moves))):
            position.play(move)
        position.state.view(np.uint8)[:] = 0xFF
    assert [print_of(position) for position in path] == prints


def check_round_trip(game: Game, seed: int) -> None:
    """A drawn position reads back as the same position, and play goes on alike from there."""
    for position in some(walk(game, seed), seed, 12):
        again = game.parse(str(position))
        assert_same(again, position)
        moves = position.moves.tolist()
        for move in random.Random(seed).sample(moves, min(3, len(moves))):
            assert_same(child(again, move), child(position, move))


def assert_same(a: Position, b: Position) -> None:
    """The two agree in everything that the rest of the game depends on, history aside."""
    told = f"{a.game}: the diagram reads back as another position:\n{b}"
    assert str(a) == str(b), told
    assert a == b, told
    assert hash(a) == hash(b), told
    assert (a.key, a.to_move, a.is_over) == (b.key, b.to_move, b.is_over), told
    if a.is_over:
        players = range(a.game.players)
        assert [a.outcome(p) for p in players] == [b.outcome(p) for p in players], told
    else:
        assert look(a, 1).moves == look(b, 1).moves, told


def check_keys(game: Game, seeds: Iterable[int]) -> None:
    """Equal keys for equal positions, different keys for different ones, whatever the order of moves."""
    texts: dict[int, str] = {}
    keys: dict[str, int] = {}

    def note(position: Position) -> None:
        text, key = str(position), position.key
        assert keys.setdefault(text, key) == key, f"{game}: two keys for one position\n{text}"
        assert texts.setdefault(key, text) == text, f"{game}: one key for two positions\n{text}\n{texts[key]}"

    for seed in seeds:
        path = walk(game, seed, 60)
        for position in path:
            note(position)
        dice = random.Random(seed)
        for position in some(path, seed, 6):
            for move in dice.sample(position.moves.tolist(), min(8, len(position.moves))):
                note(child(position, move))
        for first, last in zip(path[::4], path[3::4], strict=False):
            for other in reordered(first, last):
                note(other)


def reordered(first: Position, last: Position) -> Iterator[Position]:
    """Positions after the same moves in another order, as far as the rules allow."""
    moves = []
    while last is not first:
        moves.append(last.last_move)
        last = last.parent  # type: ignore[assignment]
    for order in itertools.permutations(moves):
        position = first
        for move in order:
            if move not in position.moves:
                break
            position = position.play(move)
            yield position


def check_kernels(game: Game, seed: int) -> None:
    """`legal` agrees with the position; codes stay below `codes()`; drawing changes nothing."""
    for position in some(walk(game, seed), seed, 8):
        seen = look(position, seed, draws=5)
        assert seen.plies == 0
        assert (str(seen.after), seen.after.key) == (str(position), position.key)
        assert set(position.moves.tolist()) <= set(seen.moves)
        if not position._situation:
            assert position.moves.tolist() == seen.moves
        assert all(0 <= code < game.codes() for code in seen.codes), f"{game}: a code beyond codes()\n{position}"
        assert set(seen.drawn) <= set(seen.moves) or position.is_over
        assert look(position, seed, draws=5) == seen


def check_playout_lengths(game: Game, seed: int) -> None:
    """A playout stops at the end of the game, or after exactly as many moves as it was allowed."""
    for position in some(walk(game, seed), seed, 4):
        for plies in (0, 1, 2, 7, game.max_plies()):
            seen = look(position, seed, plies)
            assert 0 <= seen.plies <= plies, f"{game}: a playout of {seen.plies} of {plies} plies"
            assert seen.after.is_over or seen.plies == plies, f"{game}: stopped after {seen.plies} of {plies} plies"
            assert_same(game.parse(str(seen.after)), seen.after)


def check_one_ply_playouts(game: Game, seed: int, uniform: bool = True) -> None:
    """A playout of one move leads to where a legal move leads, to each as often as its moves are drawn."""
    for position in some(walk(game, seed), seed, 3):
        if position.is_over:
            continue
        children = Counter(child(position, move).key for move in look(position, seed).moves)
        count = ENOUGH * sum(children.values()) if uniform else 50
        found = Counter(play_out(position, seed, count, 1, stepwise=False)[0].tolist())
        assert set(found) <= set(children), f"{game}: random_playout makes no legal move in\n{position}"
        if uniform:
            assert_distributed(found, children, position)


def check_random_moves(game: Game, seed: int, uniform: bool = True) -> None:
    """`random_move` draws legal moves only, all of them equally often."""
    for position in some(walk(game, seed), seed, 5):
        if position.is_over:
            continue
        moves = look(position, seed).moves
        drawn = Counter(look(position, seed, draws=ENOUGH * len(moves)).drawn)
        assert set(drawn) <= set(moves), f"{game}: random_move draws illegal moves in\n{position}"
        if uniform:
            assert_distributed(drawn, Counter(moves), position)


def assert_distributed(found: Counter[int], weights: Counter[int], position: Position) -> None:
    """The counts found fit the weights, by a chi-square test."""
    missing = sorted(set(weights) - set(found))
    assert not missing, f"{position.game}: legal moves are never drawn ({missing}) in\n{position}"
    if len(weights) < 2:
        return
    scale = sum(found.values()) / sum(weights.values())
    p = chisquare([found[k] for k in weights], [weights[k] * scale for k in weights]).pvalue
    assert p > SURE, f"{position.game}: moves are not drawn uniformly (p = {p:.1e}) in\n{position}"


def check_playout_results(game: Game, seed: int, count: int = 1000) -> None:
    """`random_playout` gives the results of one random move after the other, and games as long."""
    for position in (game.start(), *some(walk(game, seed), seed, 3)[1:-1]):
        plies = game.max_plies()
        _, long_a, won_a = play_out(position, seed, count, plies, stepwise=False)
        _, long_b, won_b = play_out(position, seed + 1, count, plies, stepwise=True)
        for what, a, b in (("results", won_a, won_b), ("lengths", long_a, long_b)):
            error = np.sqrt((a.var() + b.var()) / count)
            assert abs(a.mean() - b.mean()) <= 5 * error + 1e-9, (
                f"{game}: the {what} of random_playout ({a.mean():.3f}) are not those of random moves "
                f"({b.mean():.3f} ± {error:.3f}) from\n{position}"
            )


def check_text(game: Game, text: str) -> None:
    """Any text is a position or an `Error` of one line; a position it gives can be played on."""
    try:
        position = game.parse(text)
    except Error as error:
        message = str(error)
    else:
        check_playable(position)
        return
    assert message
    assert "\n" not in message


def check_playable(position: Position) -> None:
    """A position that was read from a diagram is drawn the same, and can be played on."""
    game = position.game
    assert_same(game.parse(str(position)), position)
    dice = random.Random(1)
    for _ in range(10):
        if position.is_over:
            results = [position.outcome(player) for player in range(game.players)]
            assert sum(results) == pytest.approx(1), f"{game}: the results {results} must sum to 1 in\n{position}"
            break
        assert len(position.moves), f"{game}: not over, but no legal move in\n{position}"
        position = position.play(dice.choice(position.moves.tolist()))


def check_mutated_diagrams(game: Game, seed: int, count: int = 15) -> None:
    """Diagrams with mistakes in them, as `check_text` wants them."""
    dice = random.Random(seed)
    path = walk(game, seed)
    for _ in range(count):
        text = str(dice.choice(path))
        for _ in range(dice.choice((1, 1, 2, 5))):
            text = mutated(text, dice)
        check_text(game, text)


def mutated(text: str, dice: random.Random) -> str:
    """The text with one mistake: a symbol or a line changed, lost, doubled or moved."""
    kind = dice.randrange(6)
    lines = text.splitlines() or [""]
    i, j = dice.randrange(len(lines)), dice.randrange(len(lines))
    if kind == 0:
        del lines[i]
    elif kind == 1:
        lines.insert(i, lines[j])
    elif kind == 2:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        symbols = sorted({*text, *"0129-,/ é"})
        at = dice.randrange(len(text) + 1)
        return text[:at] + dice.choice(symbols) * (kind != 3) + text[at + (kind != 4) :]
    return "\n".join(lines)
