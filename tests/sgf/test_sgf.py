"""Games in SGF: known files, whole games there and back, and nonsense."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcrave.errors import Error, IllegalMove
from mcrave.games.go import Go
from mcrave.sgf import Board, Heading, load, point_number, read, save, text_of
from tests.gtp.test_transcripts import HOME

GAME = (HOME / "game.sgf").read_bytes()


def moves(board: Board) -> str:
    return " ".join("bw"[play.player] + play.move for play in board.plays)


def test_a_handicap_game_with_variations():
    record = load(GAME)
    assert record.rules == Go(size=7, komi=5.5)
    assert [moves(record.board(line)) for line in record.lines()] == [
        "wE5 bC3 wD4 bC4",
        "wE5 bC3 wD3 bD4 wpass",
    ]
    board = record.board()
    assert (board.handicap, board.first) == (2, 1)
    assert board.setup == (frozenset({"C5", "E3"}), frozenset())
    assert board.plays[1].comment == "a good point"
    assert moves(record.board(moves=1)) == "wE5"
    assert record.board(moves=0).to_move == 1


def test_stones_set_up_in_the_middle_of_a_game():
    board = read(HOME / "setup.sgf").board()
    assert board.stones(0) == ["B4", "E1"]
    assert board.stones(1) == ["C3", "D2"]
    assert board.to_move == 0


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", "cannot read the SGF game"),
        (b"hello", "cannot read the SGF game"),
        (b"(;SZ[0])", "cannot read the SGF game: size out of range: 0"),
        (b"(;SZ[5:7])", "cannot read the SGF game"),
        (b"(;SZ[26])", "go boards go up to 25x25, not 26x26"),
        (b"(;SZ[5]KM[x])", "cannot read the SGF game"),
        (b"(;SZ[5]CA[no such thing])", "cannot read the SGF game"),
        (b"(;SZ[5];B[cc];W[cc])", "move 2 of the SGF game is illegal: C3"),
        (b"(;SZ[5];B[zz])", "node 1 of the SGF game cannot be read"),
        (b"(;SZ[3]AB[aa][ab][ba]AW[bb][ac][ca])", "the set-up stones of node 0 cannot stand"),
    ],
)
def test_games_that_cannot_be(data, line):
    with pytest.raises(Error) as caught:
        load(data).board()
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be(tmp_path):
    for path in (tmp_path, tmp_path / "no.sgf", tmp_path / "\0"):
        with pytest.raises(Error, match="cannot read"):
            read(path)
    with pytest.raises(Error, match="cannot write"):
        save(Board.empty(Go(size=5)), tmp_path / "no" / "no.sgf")
    with pytest.raises(Error, match="square boards"):
        text_of(Board.empty(Go(rows=3, cols=5)))


def test_points():
    game = Go(size=19)
    names = [f"{letter}{row}" for letter in "ABCDEFGHJKLMNOPQRST" for row in range(1, 20)]
    assert [game.move_name(None, point_number(game, name.lower())) for name in names] == names
    for bad in ("I5", "A0", "A20", "U1", "", "5A", "A1 ", "Ａ1", "A٣"):
        with pytest.raises(IllegalMove):
            point_number(game, bad)


@given(
    size=st.sampled_from([2, 3, 5]),
    komi=st.integers(-20, 20).map(lambda half: half / 2),
    picks=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 10**6), st.text(max_size=12)), max_size=30),
    black=st.sets(st.sampled_from(["A1", "A2", "B1"]), max_size=2),
)
@settings(max_examples=30)
def test_there_and_back(size, komi, picks, black):
    """Random moves of either colour, with any comments, come back as they were written."""
    board = Board.set_up(Go(size=size, komi=komi), black, first=0)
    for player, pick, comment in picks:
        legal = board.ready(player).legal_moves()
        board = board.play(player, legal[pick % len(legal)], comment)
    found = load(text_of(board, Heading("me", "you", "B+R")).encode()).board()
    assert moves(found) == moves(board)
    assert str(found.position) == str(board.position)
    assert (found.setup, found.first, found.game) == (board.setup, board.first, board.game)
    assert [p.comment.split() for p in found.plays] == [
        p.comment.replace("\x00", "").split() for p in board.plays
    ] or any(not p.comment.isprintable() for p in board.plays)


def complaint_about(data: bytes) -> str:
    """What is wrong with a file, nothing if all its lines can be read; any other exception is the test's failure."""
    try:
        record = load(data)
        for line in record.lines():
            record.board(line)
    except Error as error:
        return str(error)
    return ""


@given(data=st.binary(max_size=200))
def test_random_bytes(data):
    for text in (data, b"(;SZ[5]" + data + b")", b"(;SZ[5];B[" + data + b"])"):
        assert "\n" not in complaint_about(text)


@settings(max_examples=100)
@given(cuts=st.lists(st.tuples(st.integers(0, len(GAME)), st.integers(0, 5), st.binary(max_size=3)), max_size=5))
def test_damaged_files(cuts):
    data = GAME
    for at, length, put in cuts:
        data = data[:at] + put + data[at + length :]
    assert "\n" not in complaint_about(data)


def test_deep_and_wide_files():
    """Neither many moves nor many brackets break the reader."""
    deep = b"(;SZ[5]" + b";B[]" * 1000 + b")"
    assert len(load(deep).board().plays) == 1000
    wide = b"(;SZ[5]" + b"(;B[aa])" * 500 + b")"
    assert len(load(wide).lines()) == 500
    nested = b"(;SZ[5]" + b"(;B[]" * 800 + b")" * 801
    assert len(load(nested).lines()[0]) == 801
