"""The solver against published values and against a plain minimax of the tests' own."""

from __future__ import annotations

import random
import threading

import pytest

import mcrave
from mcrave import Position
from mcrave.errors import Error, LimitError

DOMINEERING = ("2HHHH", "V11HV", "V11HH", "VVV1V", "VHVH2")  # row = vertical size, column = horizontal size


def first_player_value(text: str, moves: tuple[str, ...] = ()) -> float:
    """The outcome for the first player, of the game or after moves."""
    position = mcrave.game(text).position(moves)
    value = mcrave.solve(position).value
    return value if position.to_move == 0 else 1.0 - value


@pytest.mark.parametrize("rows", range(1, 6))
@pytest.mark.xdist_group("domineering")
def test_domineering(rows: int) -> None:
    """Who wins when Vertical starts, and, by turning the board, when Horizontal starts (Lachmann et al.)."""
    for cols in range(1, 6):
        vertical_first = first_player_value(f"domineering(rows={rows},cols={cols})") == 1.0
        horizontal_first = first_player_value(f"domineering(rows={cols},cols={rows})") == 1.0
        found = {(True, True): "1", (False, False): "2", (True, False): "V", (False, True): "H"}
        assert found[vertical_first, horizontal_first] == DOMINEERING[rows - 1][cols - 1], (rows, cols)


@pytest.mark.parametrize(
    ("board", "margin"),
    [
        ("rows=1,cols=1", 0),
        ("rows=1,cols=2", 0),
        ("rows=1,cols=3", 3),
        ("rows=1,cols=4", 4),
        ("rows=2,cols=2", 1),
        ("rows=2,cols=3", 0),
        ("rows=3,cols=3", 9),
    ],
)
@pytest.mark.xdist_group("go")
def test_go(board: str, margin: int) -> None:
    """Black's margin under area scoring and positional superko: won with a little less komi, lost with more."""
    assert first_player_value(f"go({board},komi={margin - 0.5})") == 1.0
    assert first_player_value(f"go({board},komi={margin + 0.5})") == 0.0
    if margin < 9:
        assert first_player_value(f"go({board},komi={margin})") == 0.5


FIRST_PLAYER_WINS = [
    ("atarigo", (3, 3), (3, 4), (3, 5)),
    ("knightthrough", (4, 2), (4, 3), (4, 4), (4, 5), (4, 6), (5, 3), (5, 4)),
    ("breakthrough", (6, 2)),
    ("nogo", (3, 3)),
    ("clobber", (3, 3), (4, 4)),
]
SECOND_PLAYER_WINS = [
    ("atarigo", (2, 2), (2, 3), (4, 4)),
    ("knightthrough", (5, 2), (6, 2)),
    ("breakthrough", (4, 2), (4, 3), (4, 4), (4, 5), (5, 2), (5, 3)),
    ("nogo", (4, 4)),
    ("clobber", (3, 4)),
]
SOLVED = [
    pytest.param(name, board, value, marks=pytest.mark.xdist_group(name), id=f"{name}-{board[0]}x{board[1]}")
    for value, table in ((1.0, FIRST_PLAYER_WINS), (0.0, SECOND_PLAYER_WINS))
    for name, *boards in table
    for board in boards
]


@pytest.mark.parametrize(("name", "board", "value"), SOLVED)
def test_solved_boards(name: str, board: tuple[int, int], value: float) -> None:
    """Rows × columns and the outcome for the first player."""
    assert first_player_value(f"{name}(rows={board[0]},cols={board[1]})") == value


@pytest.mark.parametrize(("size", "wins"), [(2, ".W/W."), (3, "..W/WWW/W..")])
@pytest.mark.xdist_group("hex")
def test_hex_openings(size: int, wins: str) -> None:
    """Which first moves win, row by row."""
    start = mcrave.game(f"hex(size={size})").start()
    found = {name: 1.0 - mcrave.solve(start.play(name)).value for name in start.legal_moves()}
    expected = {
        f"{'abc'[col]}{row + 1}": mark == "W"
        for row, line in enumerate(wins.split("/"))
        for col, mark in enumerate(line)
    }
    assert found == {name: float(won) for name, won in expected.items()}


@pytest.mark.parametrize("game", ["connect_four(rows=4,cols=4)", "connect_four(rows=4,cols=5)", "mnk(size=3,length=3)"])
def test_draws(game: str) -> None:
    """Games that end in a draw."""
    assert mcrave.solve(mcrave.game(game).start()).value == 0.5


@pytest.mark.xdist_group("othello")
def test_othello_4x4_is_lost_for_the_first_player() -> None:
    """By three discs to eleven."""
    assert mcrave.solve(mcrave.game("othello(size=4)").start()).value == 0.0


@pytest.mark.parametrize("heaps", ["1", "1-1", "1-2-3", "3-4-5", "2-5-7", "1-3-5-7", "4-4-1"])
@pytest.mark.xdist_group("nim")
def test_nim(heaps: str) -> None:
    """Won for the first player iff the heaps' exclusive or is not 0; the best move makes it 0."""
    xor = 0
    for heap in heaps.split("-"):
        xor ^= int(heap)
    start = mcrave.game(f"nim(heaps={heaps})").start()
    found = mcrave.solve(start)
    assert found.value == float(xor != 0)
    if xor:
        assert found.best is not None
        assert mcrave.solve(start.play(found.best)).value == 0.0


def plain_value(position: Position, known: dict[tuple[str, int], float]) -> float:
    """Minimax without anything clever."""
    if position.is_over:
        return position.outcome(position.to_move)
    if str(position) not in known:
        values = []
        for move in position.moves.tolist():
            after = position.play(move)
            value = plain_value(after, known)
            values.append(value if after.to_move == position.to_move else 1.0 - value)
        known[str(position)] = max(values)  # type: ignore[index]
    return known[str(position)]  # type: ignore[index]


@pytest.mark.parametrize(
    "game", ["mnk(rows=3,cols=3,length=3)", "connect_four(rows=3,cols=3,length=3)", "nim(heaps=2-3,misere=true)"]
)
def test_random_positions_agree_with_plain_minimax(game: str) -> None:
    """Values, and the best move's value, in positions that random play reaches."""
    dice, known = random.Random(2), {}  # type: ignore[var-annotated]
    for _ in range(30):
        position = mcrave.game(game).start()
        for _ in range(dice.randrange(5)):
            if not position.is_over:
                position = position.play(dice.choice(position.moves.tolist()))
        found = mcrave.solve(position)
        assert found.value == plain_value(position, known)
        if found.best is not None:
            after = position.play(found.best)
            value = plain_value(after, known)
            assert found.value == (value if after.to_move == position.to_move else 1.0 - value)


def test_limits_and_bad_input() -> None:
    """Too few nodes, three players, unreadable memory: one line each."""
    with pytest.raises(LimitError, match=r"^not solved within 1000 nodes; allow more, or take a smaller board$"):
        mcrave.solve(mcrave.game("mnk(size=5,length=5)").start(), nodes=1000)
    with pytest.raises(Error, match=r"^only games for two players can be solved, and go3 is for 3$"):
        mcrave.solve(mcrave.game("go3(size=2)").start())
    with pytest.raises(Error, match=r"^cannot read 'much' as an amount of memory; write 512MB or 2GB$"):
        mcrave.solve(mcrave.game("mnk").start(), memory="much")


def test_a_small_table_gives_the_same_values() -> None:
    """Entries are lost, correctness is not."""
    start = mcrave.game("mnk(rows=3,cols=4,length=3)").start()
    assert mcrave.solve(start, memory="4KB").value == mcrave.solve(start).value == 1.0


def test_ctrl_c_stops_a_long_solve() -> None:
    """An interrupt in the main thread ends the compiled search."""
    import _thread

    mcrave.solve(mcrave.game("mnk").start())
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        mcrave.solve(mcrave.game("mnk(size=6,length=6)").start(), nodes=10**12)


PERFT = {
    "mnk(size=3,length=3)": (9, 72, 504, 3024, 15120),
    "othello": (4, 12, 56, 244, 1396, 8200),
    "connect_four": (7, 49, 343, 2401, 16807, 117649),
}


@pytest.mark.parametrize("game", PERFT)
def test_published_move_counts(game: str) -> None:
    """Counts to a few plies that others published or that follow by hand."""
    start = mcrave.game(game).start()
    counts = tuple(mcrave.perft(start, depth) for depth in range(1, len(PERFT[game]) + 1))
    assert counts == PERFT[game]


def plain_perft(position: Position, depth: int) -> int:
    """Count by playing out every sequence."""
    if depth == 0:
        return 1
    return sum(plain_perft(position.play(move), depth - 1) for move in position.moves.tolist())


@pytest.mark.parametrize("game", mcrave.specs.names("game"))
def test_move_counts_agree_with_playing_every_sequence(game: str) -> None:
    """The compiled count walks the same tree as `Position`."""
    start = mcrave.game(game).start()
    depth = 1 if len(start.moves) > 60 else 2 if len(start.moves) > 20 else 3
    assert mcrave.perft(start, depth) == plain_perft(start, depth)


def test_perft_counts_repetition_as_illegal() -> None:
    """On 1×2 Go: by hand, with superko."""
    start = mcrave.game("go(rows=1,cols=2)").start()
    assert [mcrave.perft(start, depth) for depth in range(1, 6)] == [plain_perft(start, depth) for depth in range(1, 6)]
