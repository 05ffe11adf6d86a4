"""Go against a plain twin, GNU Go, OpenSpiel, and drawn positions."""

from __future__ import annotations

import random

import numpy as np
import pyspiel
import pytest
from scipy.stats import chisquare

import mcrave
from mcrave import Position
from mcrave.errors import DiagramError, IllegalMove, SpecError
from mcrave.games import base
from mcrave.games.go import handicap_points
from mcrave.kernel.rng import stream
from mcrave.specs import lowered
from tests.oracles.gnugo import GnuGo, needs_gnugo
from tests.oracles.plain_go import PlainGo

pytestmark = pytest.mark.xdist_group("go")


def point(position: Position, move: int) -> tuple[int, int] | None:
    """The row and column of a move, None for pass."""
    width = position.game.cols + 1
    return None if move == 0 else (move // width - 1, move % width - 1)


def board(position: Position) -> str:
    """The stones, row by row from the top."""
    lines = str(position).splitlines()[: position.game.rows]
    return "".join("".join(line.split()[1:]) for line in lines)


@pytest.mark.parametrize("superko", ["positional", "situational", "simple"])
@pytest.mark.parametrize("size", [(1, 1), (1, 4), (2, 2), (2, 3), (3, 3), (5, 4), (5, 5), (7, 9), (9, 9)])
def test_random_games_agree_with_the_plain_twin(size: tuple[int, int], superko: str) -> None:
    """Legal moves, stones and areas at every step; on tiny boards superko comes up all the time."""
    rows, cols = size
    game = mcrave.game(f"go(rows={rows},cols={cols},superko={superko})")
    games, cap = (40, 60) if rows * cols < 20 else (4, 2 * rows * cols)
    dice = random.Random(rows * 100 + cols)
    for _ in range(games):
        position, plain = game.start(), PlainGo(rows, cols, superko=superko)
        for _ in range(cap):
            assert {point(position, move) for move in position.moves.tolist()} == plain.legal(), str(position)
            stones = [move for move in position.moves.tolist() if move != 0]
            move = dice.choice(stones) if stones and dice.random() > 0.05 else 0
            position = position.play(move)
            plain.play(point(position.parent, move))
            assert board(position) == "".join(plain.board.values())
            black, white = plain.areas()
            assert game.score(position.state[0]) == black - white - game.komi
            if position.is_over:
                assert plain.passes == 2
                assert position.outcome(0) == float(black - white > game.komi)
                break


@pytest.mark.parametrize("game", ["go(size=5)", "go3(size=5)", "go(size=5,superko=situational)"])
def test_the_next_situation_is_known_without_making_the_move(game: str) -> None:
    """It is that of the next position, or 0; after a stone that captures nothing it is known."""
    dice = random.Random(7)
    position, known = mcrave.game(game).start(), 0
    rules = lowered(position.game)
    for _ in range(60):
        now = np.uint64(position._situation)
        for move in position.moves.tolist():
            told = base.next_situation(rules, position.state[0], now, np.int32(move))
            assert told in (0, position.play(move)._situation), f"{move} in\n{position}"
            known += told != 0
        position = position.play(dice.choice([move for move in position.moves.tolist() if move] or [0]))
        if position.is_over:
            break
    assert (known > 300) == ("situational" not in game)


def test_openspiel_plays_the_same_games() -> None:
    """Legal moves, turn and result, until a repetition, which ends OpenSpiel's game but not ours."""
    dice = random.Random(7)
    for size, games in ((5, 700), (9, 150), (19, 5)):
        ours = mcrave.game(f"go(size={size},superko=simple)")
        theirs = pyspiel.load_game(f"go(board_size={size},komi=7.5)")
        for _ in range(games):
            position, state = ours.start(), theirs.new_initial_state()
            while not state.is_terminal():
                assert position.to_move == state.current_player()
                moves = {spiel_action(position, move): move for move in position.moves.tolist()}
                assert sorted(moves) == sorted(state.legal_actions()), f"{position}\n{state}"
                action = dice.choice(sorted(moves))
                state.apply_action(action)
                position = position.play(moves[action])
            if position.is_over:
                assert [2 * position.outcome(p) - 1 for p in (0, 1)] == list(state.returns())


def spiel_action(position: Position, move: int) -> int:
    """OpenSpiel counts points row by row from the bottom; the last number is pass."""
    place, size = point(position, move), position.game.rows
    return size * size if place is None else (size - 1 - place[0]) * size + place[1]


@pytest.mark.gnugo
@needs_gnugo
@pytest.mark.parametrize("options", [(), ("--positional-superko",), ("--situational-superko",)])
def test_gnu_go_agrees(options: tuple[str, ...]) -> None:
    """Legality of every point, stones and captures along random games from 5×5 to 19×19."""
    superko = options[0].split("-")[2] if options else "simple"
    engine = GnuGo(*options)
    dice = random.Random(11)
    for size, games, plies in ((5, 12, 100), (7, 4, 120), (9, 3, 150), (13, 1, 250), (19, 1, 350)):
        game = mcrave.game(f"go(size={size},superko={superko})")
        for _ in range(games):
            engine.ask([f"boardsize {size}", "clear_board"])
            position, captured = game.start(), [0, 0]
            for ply in range(plies):
                color = ("black", "white")[position.to_move]
                names = [name for name in position.legal_moves() if name != "pass"]
                if ply % 5 == 0 or size <= 7:
                    every = [game.move_name(None, m) for m in all_points(size)]
                    answers = engine.ask(f"is_legal {color} {name}" for name in every)
                    assert [n for n, a in zip(every, answers, strict=True) if a == "1"] == names, f"{position}"
                if not names:
                    break
                name = dice.choice(names)
                before = sum(board(position).count(s) for s in "XO")
                mover, position = position.to_move, position.play(name)
                captured[mover] += before + 1 - sum(board(position).count(s) for s in "XO")
                _, black, white, taken_b, taken_w = engine.ask(
                    [
                        f"play {color} {name}",
                        "list_stones black",
                        "list_stones white",
                        "captures black",
                        "captures white",
                    ]
                )
                assert set(black.split()) == {n for n, s in named_stones(position) if s == "X"}
                assert set(white.split()) == {n for n, s in named_stones(position) if s == "O"}
                assert [int(taken_b), int(taken_w)] == captured
    engine.close()


def all_points(size: int) -> list[int]:
    """Every point of a square board."""
    return [(row + 1) * (size + 1) + col + 1 for row in range(size) for col in range(size)]


def named_stones(position: Position) -> list[tuple[str, str]]:
    """The name and content of every point."""
    names = [position.game.move_name(None, move) for move in all_points(position.game.rows)]
    return list(zip(names, board(position), strict=True))


TRIPLE_KO = """
. X O .
X O . O
. X O .
X . X O
. X O .
X O . O
. X O .
X to move
"""


@pytest.mark.parametrize("superko", ["positional", "situational", "simple"])
def test_triple_ko(superko: str) -> None:
    """Six captures in three kos bring the position back, with the same player to move: superko forbids the last."""
    position = mcrave.game(f"go(rows=7,cols=4,superko={superko})").parse(TRIPLE_KO)
    for name in ("C6", "B4", "C2", "B6", "C4"):
        position = position.play(name)
    assert ("B2" in position.legal_moves()) == (superko == "simple")


SENDING_TWO = """
. . . . .
. . . . .
O O X . .
O O X X .
. X . X .
X to move
"""


@pytest.mark.parametrize("superko", ["positional", "situational", "simple"])
def test_sending_two_returning_one(superko: str) -> None:
    """The board comes back with the other player to move: positional superko forbids it, situational does not."""
    position = mcrave.game(f"go(size=5,superko={superko})").parse(SENDING_TWO)
    sent = position.play("A1").play("C1")
    assert board(sent).count("X") == board(position).count("X") - 1
    assert ("B1" in sent.legal_moves()) == (superko != "positional")


BENT_FOUR = """
X X O X .
X O O X X
. O X X .
O O X X X
X X X . X
O to move
"""


def test_bent_four_in_the_corner_is_dead_without_ko_threats() -> None:
    """White can take the three stones, but loses the ko that follows; with the corner empty White lives."""
    game = mcrave.game("go(size=5)")
    dead = game.parse(BENT_FOUR)
    assert mcrave.solve(dead).value == 0.0
    assert mcrave.solve(dead.play("A3")).value == 1.0
    assert mcrave.solve(dead.play("A3").play("pass")).value == 1.0


def test_simple_ko_and_its_note() -> None:
    """The point taken from is forbidden at once and allowed after a pass by both."""
    game = mcrave.game("go(rows=3,cols=4,superko=simple)")
    taken = game.parse(". X O . / X . X O / . X O . / O to move").play("B2")
    assert str(taken).splitlines()[-1] == "X to move, ko at C2"
    assert "C2" not in taken.legal_moves()
    later = taken.play("pass").play("pass")
    assert later.is_over
    assert game.parse(str(taken)).legal_moves() == taken.legal_moves()


@pytest.mark.parametrize(("b2", "eyes"), [(".", {"A5", "A3"}), ("O", {"A5"})])
def test_eyes_are_not_filled_in_playouts(b2: str, eyes: set[str]) -> None:
    """A true eye is spared; at the edge one enemy on a diagonal makes it false."""
    game = mcrave.game("go(size=5)")
    position = game.parse(f". X . O . / X X X O O / . X . . . / X {b2} . . . / . . . . .")
    rules, states, out = lowered(game), position.state, np.zeros(30, np.int32)
    drawn = {int(base.random_move(rules, states[0], stream(seed)[0], out)) for seed in range(2000)}
    assert {position.name(move) for move in drawn} == set(position.legal_moves()) - eyes - {"pass"}


def test_random_moves_are_uniform_over_points_that_are_no_eyes() -> None:
    """Chi-square over 40,000 draws; with this seed the test fails by chance with probability 1e-5."""
    game = mcrave.game("go(size=5)")
    position = game.parse(". X . . O / X X . O . / . . . . . / . O . X . / . . X . .")
    rules, out = lowered(game), np.zeros(30, np.int32)
    rng = stream(5)
    states = position.state
    counts = dict.fromkeys(position.moves.tolist(), 0)
    for _ in range(40_000):
        counts[int(base.random_move(rules, states[0], rng[0], out))] += 1
    allowed = [m for m in counts if position.name(m) not in ("pass", "A5")]
    assert counts[0] == 0
    assert sum(counts[m] for m in allowed) == 40_000
    assert chisquare([counts[m] for m in allowed]).pvalue > 1e-5


def test_a_playout_is_made_of_its_random_moves() -> None:
    """The fast playout and single random moves from the same stream end in the same position."""
    game = mcrave.game("go(size=9)")
    rules, out = lowered(game), np.zeros(100, np.int32)
    for seed in range(5):
        fast, slow = game.start().state, game.start().state
        rng, same = stream(seed), stream(seed)
        plies = base.random_playout(rules, fast[0], rng[0], out, 300)
        for _ in range(plies):
            base.play(rules, slow[0], base.random_move(rules, slow[0], same[0], out))
        assert game.render(fast[0]) == game.render(slow[0])
        assert fast[0].passes == 2


def test_handicap_stones_stand_on_the_usual_points() -> None:
    """GTP's fixed handicaps: 2 on 9×9 are C3 and G7; 9 on 19×19 include the centre."""
    assert [n for n, s in named_stones(mcrave.game("go(handicap=2)").start()) if s == "X"] == ["G7", "C3"]
    nine = mcrave.game("go(size=19,handicap=9)").start()
    assert nine.to_move == 1
    assert {n for n, s in named_stones(nine) if s == "X"} == {f"{col}{row}" for col in "DKQ" for row in (4, 10, 16)}
    assert len(handicap_points(19, 19)) == 9


@pytest.mark.gnugo
@needs_gnugo
def test_handicap_agrees_with_gnu_go() -> None:
    """GNU Go's fixed_handicap puts the same stones on every odd size that it serves."""
    engine = GnuGo()
    for size in (7, 9, 11, 13, 15, 19):
        most = len(handicap_points(size, size))
        for stones in range(2, most + 1):
            _, _, reply = engine.ask([f"boardsize {size}", "clear_board", f"fixed_handicap {stones}"])
            start = mcrave.game(f"go(size={size},handicap={stones})").start()
            assert set(reply.split()) == {n for n, s in named_stones(start) if s == "X"}
    engine.close()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("go(size=26)", "go boards go up to 25x25, not 26x26"),
        ("go(size=0)", "go needs size to be at least 1, not 0"),
        ("go(komi=inf)", "go needs a komi from -1000 to 1000, not inf"),
        ("go(handicap=1)", "go needs handicap to be 0 or 2 to 9 on 9x9, not 1"),
        ("go(size=5,handicap=2)", "go needs handicap to be 0 on 5x5, not 2"),
        ("go(superko=triple)", "go needs superko to be one of positional, situational, simple, not 'triple'"),
    ],
)
def test_bad_specs(call: str, text: str) -> None:
    """One clear line each."""
    with pytest.raises(SpecError) as error:
        mcrave.game(call)
    assert str(error.value) == text


@pytest.mark.parametrize(
    ("diagram", "text"),
    [
        (".X. / XOX / .X.", "a chain in the diagram has no liberty; every chain needs an empty neighbour"),
        ("XXX / XXX / XXX", "a chain in the diagram has no liberty; every chain needs an empty neighbour"),
        ("... / ... / ... / X to move, ko at D4", "ko cannot be at D4: it is not an empty point of this board"),
        ("... / ... / ... / X to move, 3 passes", "at most 2 passes can stand in a row, not 3"),
        ("... / ... / ..", "row 1 of the diagram has 2 cells ('..'), not 3"),
        ("... / .a. / ...", "row 2 of the diagram has 'a'; use . X O"),
    ],
)
def test_bad_diagrams(diagram: str, text: str) -> None:
    """One clear line each."""
    with pytest.raises(DiagramError) as error:
        mcrave.game("go(size=3)").parse(diagram)
    assert str(error.value) == text


def test_illegal_moves_leave_the_position_unchanged() -> None:
    """Occupied, suicide and unknown points."""
    position = mcrave.game("go(size=3)").parse(".X. / X.. / ... / O to move")
    before = str(position)
    for move in ("A3", "B3", "D1", "", "pass pass", -1, 999, 3.5):
        with pytest.raises(IllegalMove):
            position.play(move)  # type: ignore[arg-type]
    assert str(position) == before
