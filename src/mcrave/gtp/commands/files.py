"""Games in files."""

from __future__ import annotations

from dataclasses import replace

from mcrave.errors import Error
from mcrave.gtp.commands.basic import LARGEST, SMALLEST
from mcrave.gtp.registry import Arguments, Failure, command, whole
from mcrave.gtp.session import Session
from mcrave.sgf import read, save, text_of


@command("loadsgf", "FILE [MOVE]")
def loadsgf(session: Session, arguments: Arguments) -> str:
    """Load the main line of an SGF game, up to before a move if its number is given; says whose turn it is."""
    if not arguments:
        raise Failure("missing filename")
    moves = whole(arguments, 1, "move number not an integer") - 1 if len(arguments) > 1 else None
    try:
        record = read(arguments[0])
        board = record.board(moves=None if moves is None else max(moves, 0))
    except Error as error:
        raise Failure(f"cannot open or parse '{arguments[0][:200]}': {error}") from None
    game = board.game
    if not SMALLEST <= game.rows <= LARGEST:
        raise Failure("unacceptable size")
    session.keep()
    state = replace(session.state, rows=game.rows, cols=game.cols, komi=game.komi, low=0)
    session.get_ready(state)
    session.state = state.with_board(board.under(state.game(board.handicap)))
    return ("black", "white")[board.to_move]


@command("printsgf", "[FILE]")
def printsgf(session: Session, arguments: Arguments) -> str:
    """The game with the engine's comments as SGF, or written to a file."""
    if not arguments:
        return text_of(session.state.board)
    save(session.state.board, arguments[0])
    return ""
