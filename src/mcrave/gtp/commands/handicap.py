"""Handicap stones."""

from __future__ import annotations

from mcrave.errors import DiagramError, IllegalMove
from mcrave.games._grid import GO_LETTERS
from mcrave.games.go import Go, handicap_points
from mcrave.gtp.registry import Arguments, Failure, command, whole
from mcrave.gtp.session import Session
from mcrave.sgf import Board, point_number
from mcrave.sgf.board import PASS

WHITE = 1


@command("fixed_handicap", "STONES")
def fixed_handicap(session: Session, arguments: Arguments) -> str:
    """Put the usual handicap stones on an empty board, and say where."""
    stones = whole(arguments, 0, "handicap not an integer")
    _expect_empty(session.state.board)
    game = session.state.game()
    if not 2 <= stones <= len(handicap_points(game.rows, game.cols)):
        raise Failure("invalid handicap")
    return _put(session, [_name(game, *place) for place in handicap_points(game.rows, game.cols, stones)])


@command("place_free_handicap", "STONES")
def place_free_handicap(session: Session, arguments: Arguments) -> str:
    """Put handicap stones where the engine likes, and say where."""
    stones = whole(arguments, 0, "handicap not an integer")
    _expect_empty(session.state.board)
    game = session.state.game()
    if not 2 <= stones < game.rows * game.cols:
        raise Failure("invalid handicap")
    return _put(session, _spread(game, stones))


@command("set_free_handicap", "POINT POINT [POINT ...]")
def set_free_handicap(session: Session, arguments: Arguments) -> str:
    """Put handicap stones on these points."""
    _expect_empty(session.state.board)
    game = session.state.game()
    try:
        points = [point_number(game, word) for word in arguments]
    except IllegalMove:
        raise Failure("invalid coordinate") from None
    if 0 in points:
        raise Failure("invalid coordinate")
    if len(set(points)) < len(points):
        raise Failure("repeated vertex")
    if not 2 <= len(points) < game.rows * game.cols:
        raise Failure("invalid handicap")
    _put(session, [game.move_name(None, point) for point in points])
    return ""


@command("get_handicap")
def get_handicap(session: Session, arguments: Arguments) -> str:
    """The number of handicap stones."""
    return str(session.state.board.handicap)


def _expect_empty(board: Board) -> None:
    if board.plays or not board.is_empty:
        raise Failure("board not empty")


def _put(session: Session, names: list[str]) -> str:
    assert PASS not in names
    try:
        board = Board.set_up(session.state.game(len(names)), names, first=WHITE, handicap=len(names))
    except DiagramError:
        raise Failure("invalid handicap") from None
    session.state = session.state.with_board(board)
    return " ".join(names)


def _name(game: Go, row: int, col: int) -> str:
    return f"{GO_LETTERS[col]}{game.rows - row}"


def _spread(game: Go, stones: int) -> list[str]:
    """The usual points as far as there are any, then always the point that is farthest from stones and edges."""
    places = handicap_points(game.rows, game.cols, stones)
    every = [(row, col) for row in range(game.rows) for col in range(game.cols)]
    while len(places) < stones:
        free = [place for place in every if place not in places]
        places.append(max(free, key=lambda place: _room(game, place, places)))
    return [_name(game, *place) for place in places]


def _room(game: Go, place: tuple[int, int], taken: list[tuple[int, int]]) -> float:
    row, col = place
    edge = min(row, col, game.rows - 1 - row, game.cols - 1 - col) + 1.5
    stone = min(((row - r) ** 2 + (col - c) ** 2 for r, c in taken), default=10_000) ** 0.5
    return float(min(edge, 1.5 * stone))
