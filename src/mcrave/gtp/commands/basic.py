"""About the engine, setting up the board, and moves: what every controller needs."""

from __future__ import annotations

import time
from importlib.metadata import PackageNotFoundError, version

from mcrave.errors import IllegalMove
from mcrave.gtp.registry import Arguments, Failure, command, commands, number, player, whole
from mcrave.gtp.session import Session
from mcrave.sgf import Board, point_number
from mcrave.sgf.board import PASS

SMALLEST, LARGEST = 2, 25
MOST_KOMI = 999.0


@command("protocol_version")
def protocol_version(session: Session, arguments: Arguments) -> str:
    """The version of the protocol, 2."""
    return "2"


@command("name")
def name(session: Session, arguments: Arguments) -> str:
    """The engine's name."""
    return "mcrave"


@command("version")
def engine_version(session: Session, arguments: Arguments) -> str:
    """The engine's version."""
    try:
        return version("mcrave")
    except PackageNotFoundError:
        return "unknown"


@command("known_command", "COMMAND")
def known_command(session: Session, arguments: Arguments) -> str:
    """Whether there is a command of that name: true or false."""
    return "true" if arguments[:1] and arguments[0] in commands() else "false"


@command("list_commands")
def list_commands(session: Session, arguments: Arguments) -> str:
    """All commands, one in a line."""
    return "\n".join(commands())


@command("help")
def help_on(session: Session, arguments: Arguments) -> str:
    """All commands with their arguments and what they do."""
    return "\n".join(f"{f'{each.name} {each.arguments}'.strip()}: {each.help}" for each in commands().values())


@command("quit")
def quit_session(session: Session, arguments: Arguments) -> str:
    """End the session."""
    session.is_finished = True
    return ""


@command("echo", "TEXT")
def echo(session: Session, arguments: Arguments) -> str:
    """Say the text again."""
    return " ".join(arguments)


@command("boardsize", "SIZE [ROWS]")
def boardsize(session: Session, arguments: Arguments) -> str:
    """An empty board with so many points on a side, 2 to 25; with ROWS, as Lizzie says it, a rectangular one."""
    return _resize(session, *_sides(arguments))


@command("rectangular_boardsize", "COLUMNS ROWS")
def rectangular_boardsize(session: Session, arguments: Arguments) -> str:
    """An empty board that is wider than high, or higher than wide."""
    return _resize(session, *_sides(arguments))


def _sides(arguments: Arguments) -> tuple[int, int]:
    """Rows and columns, which come in the other order."""
    cols, *rows = (whole(arguments, index, "boardsize not an integer") for index in range(min(len(arguments), 2) or 1))
    return (rows or [cols])[0], cols


def _resize(session: Session, rows: int, cols: int) -> str:
    if not all(SMALLEST <= side <= LARGEST for side in (rows, cols)):
        raise Failure("unacceptable size")
    session.new_game(rows, cols)
    return ""


@command("query_boardsize")
def query_boardsize(session: Session, arguments: Arguments) -> str:
    """The number of points on a side; columns and rows where they differ."""
    state = session.state
    return str(state.rows) if state.rows == state.cols else f"{state.cols} {state.rows}"


@command("clear_board")
def clear_board(session: Session, arguments: Arguments) -> str:
    """An empty board of the same size, and full clocks."""
    session.new_game(session.state.rows, session.state.cols)
    return ""


@command("komi", "KOMI")
def komi(session: Session, arguments: Arguments) -> str:
    """What White gets for moving second."""
    value = number(arguments, 0, "komi not a float")
    if abs(value) > MOST_KOMI:
        raise Failure("komi not a float")
    session.state = session.state.with_rules(value, session.state.rules)
    return ""


@command("get_komi")
def get_komi(session: Session, arguments: Arguments) -> str:
    """The komi."""
    return f"{session.state.komi:g}"


@command("play", "COLOR MOVE")
def play(session: Session, arguments: Arguments) -> str:
    """Make a move of either colour: a point as in D4, or pass."""
    complaint = "invalid color or coordinate"
    who = player(arguments, 0, complaint)
    _point(session.state.board, arguments, 1, complaint)
    try:
        session.play(who, arguments[1])
    except IllegalMove:
        raise Failure("illegal move") from None
    return ""


def _point(board: Board, arguments: Arguments, index: int, complaint: str) -> int:
    try:
        return point_number(board.game, arguments[index])
    except (IndexError, IllegalMove):
        raise Failure(complaint) from None


@command("genmove", "COLOR")
def genmove(session: Session, arguments: Arguments) -> str:
    """Think, make a move, and say which; or resign."""
    return session.generate(player(arguments))


@command("reg_genmove", "COLOR")
def reg_genmove(session: Session, arguments: Arguments) -> str:
    """Think, and say which move would be made."""
    before = session.state
    move = session.think(player(arguments))
    session.state = before
    return "resign" if move is None else move.move


@command("undo")
def undo(session: Session, arguments: Arguments) -> str:
    """Take back the last move."""
    return _take_back(session, 1)


@command("gg-undo", "[COUNT]")
def undo_some(session: Session, arguments: Arguments) -> str:
    """Take back so many moves."""
    return _take_back(session, whole(arguments, 0, "cannot undo") if arguments else 1)


def _take_back(session: Session, count: int) -> str:
    board = session.state.board
    if not 0 <= count <= len(board.plays):
        raise Failure("cannot undo")
    for _ in range(count):
        board = board.undo()
    session.state = session.state.with_board(board)
    return ""


@command("showboard")
def showboard(session: Session, arguments: Arguments) -> str:
    """The board as a drawing."""
    board = session.state.board
    taken = f"captured: {board.captured(0)} black, {board.captured(1)} white"
    drawing = str(board.position)
    columns = drawing.split("\n")[-2]  # above, too: GoGui's tools take a row's number right behind the = for an id
    return f"\n{columns}\n{drawing}\nkomi {session.state.komi:g}, {taken}"


@command("is_legal", "COLOR MOVE")
def is_legal(session: Session, arguments: Arguments) -> str:
    """Whether a move is legal: 1 or 0."""
    complaint = "invalid color or coordinate"
    who = player(arguments, 0, complaint)
    point = _point(session.state.board, arguments, 1, complaint)
    return str(int(point in session.state.board.ready(who).moves))


@command("all_legal", "COLOR")
def all_legal(session: Session, arguments: Arguments) -> str:
    """All legal moves but pass."""
    moves = session.state.board.ready(player(arguments)).legal_moves()
    return " ".join(move for move in moves if move != PASS)


@command("list_stones", "COLOR")
def list_stones(session: Session, arguments: Arguments) -> str:
    """The points that hold stones of a colour."""
    return " ".join(session.state.board.stones(player(arguments)))


@command("color", "POINT")
def color(session: Session, arguments: Arguments) -> str:
    """What stands on a point: black, white or empty."""
    place = _point(session.state.board, arguments, 0, "invalid coordinate")
    if place == 0:
        raise Failure("invalid coordinate")
    return ("empty", "black", "white")[int(session.state.board.position.state[0].color[place])]


@command("captures", "COLOR")
def captures(session: Session, arguments: Arguments) -> str:
    """How many stones a colour has captured."""
    return str(session.state.board.captured(1 - player(arguments)))


@command("last_move")
def last_move(session: Session, arguments: Arguments) -> str:
    """The last move and its colour."""
    plays = session.state.board.plays
    if not plays:
        raise Failure("no previous move known")
    return f"{('black', 'white')[plays[-1].player]} {plays[-1].move}"


@command("move_history")
def move_history(session: Session, arguments: Arguments) -> str:
    """All moves, the last one first."""
    return "\n".join(f"{('black', 'white')[play.player]} {play.move}" for play in reversed(session.state.board.plays))


@command("set_random_seed", "SEED")
def set_random_seed(session: Session, arguments: Arguments) -> str:
    """Begin the random numbers anew; the same seed gives the same moves."""
    session.seed = whole(arguments, 0, "invalid seed")
    session.engine.forget(session.seed)
    return ""


@command("get_random_seed")
def get_random_seed(session: Session, arguments: Arguments) -> str:
    """The seed."""
    return str(session.seed)


@command("clear_cache")
def clear_cache(session: Session, arguments: Arguments) -> str:
    """Forget the search tree."""
    session.engine.forget()
    return ""


@command("cputime")
def cputime(session: Session, arguments: Arguments) -> str:
    """The processor time used so far, in seconds."""
    return f"{time.process_time():.3f}"
