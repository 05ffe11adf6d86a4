"""What GoGui knows beyond the protocol: set-up, sequences of moves, heat maps of what the search thinks."""

from __future__ import annotations

from collections.abc import Callable

from mcrave.errors import DiagramError, IllegalMove
from mcrave.gtp.engine import simulations_behind
from mcrave.gtp.infos import root_visits
from mcrave.gtp.ownership import ownership
from mcrave.gtp.registry import Arguments, Failure, command, player
from mcrave.gtp.session import Session
from mcrave.search.report import MoveReport
from mcrave.sgf import Board, point_number
from mcrave.sgf.board import PASS

MAPS = {
    "visits": "Visits",
    "value": "Monte-Carlo value",
    "amaf": "AMAF value",
    "beta": "Weight of AMAF (beta)",
    "ownership": "Ownership",
}
COLD, HOT = (0x30, 0x50, 0xC0), (0xE0, 0x20, 0x20)
NARROWEST = 0.1  # values nearer to each other than this are noise, not worth the whole range of colours


@command("gogui-analyze_commands")
def analyze_commands(session: Session, arguments: Arguments) -> str:
    """The heat maps for GoGui's window of analyze commands."""
    maps = [f"gfx/{label}/mcrave-{name}" for name, label in MAPS.items()]
    return "\n".join([*maps, "gfx/Main line/mcrave-line", "hstring/Search/mcrave-search", "string/Score/final_score"])


@command("gogui-title")
def title(session: Session, arguments: Arguments) -> str:
    """What GoGui shows as the title of its window."""
    return f"mcrave: {session.engine}" if session.settings.player else "mcrave"


@command("gogui-interrupt")
def interrupt(session: Session, arguments: Arguments) -> str:
    """Says that the comment line '# interrupt' ends the thinking about a move."""
    return ""


@command("gogui-play_sequence", "COLOR MOVE [COLOR MOVE ...]")
def play_sequence(session: Session, arguments: Arguments) -> str:
    """Make several moves; none of them if one is illegal."""
    board = session.state.board
    for who, word in _pairs(arguments):
        try:
            board = board.play(who, word)
        except IllegalMove:
            raise Failure("illegal move") from None
    session.state = session.state.with_board(board)
    return ""


@command("gogui-setup", "[COLOR POINT ...]")
def setup(session: Session, arguments: Arguments) -> str:
    """Put these stones on an empty board."""
    if session.state.board.plays or not session.state.board.is_empty:
        raise Failure("board not empty")
    _put_stones(session, arguments)
    return ""


@command("set_position", "[COLOR POINT ...]")
def set_position(session: Session, arguments: Arguments) -> str:
    """A board with these stones in place of the one at hand."""
    _put_stones(session, arguments)
    return ""


def _put_stones(session: Session, arguments: Arguments) -> None:
    game = session.state.game()
    stones: tuple[set[str], set[str]] = (set(), set())
    for who, word in _pairs(arguments):
        try:
            place = point_number(game, word)
        except IllegalMove:
            place = 0
        name = game.move_name(None, place)
        if place == 0 or name in stones[0] | stones[1]:
            raise Failure("invalid color or coordinate")
        stones[who].add(name)
    _set_up(session, *stones, 0)


@command("gogui-setup_player", "COLOR")
def setup_player(session: Session, arguments: Arguments) -> str:
    """Who moves next; the moves so far become set-up stones."""
    board = session.state.board
    _set_up(session, set(board.stones(0)), set(board.stones(1)), player(arguments))
    return ""


def _set_up(session: Session, black: set[str], white: set[str], first: int) -> None:
    try:
        board = Board.set_up(session.state.game(), black, white, first)
    except DiagramError:
        raise Failure("stones without liberties") from None
    session.state = session.state.with_board(board)


def _pairs(arguments: Arguments) -> list[tuple[int, str]]:
    """Colours and moves in turn."""
    complaint = "invalid color or coordinate"
    if len(arguments) % 2:
        raise Failure(complaint)
    return [(player(arguments, i, complaint), arguments[i + 1]) for i in range(0, len(arguments), 2)]


# ------------------------------------------------------------------------------------------- heat maps


@command("mcrave-visits")
def visits(session: Session, arguments: Arguments) -> str:
    """Heat map: where the simulations went, in percent."""
    total = root_visits(session.examine())
    return _heat(session, "visits", lambda move: move.visits / total if move.visits else None)


@command("mcrave-value")
def value(session: Session, arguments: Arguments) -> str:
    """Heat map: the Monte-Carlo value of each move, in percent."""
    return _heat(session, "value", lambda move: move.value if move.visits else None)


@command("mcrave-amaf")
def amaf(session: Session, arguments: Arguments) -> str:
    """Heat map: the AMAF value of each move, in percent."""
    return _heat(session, "amaf", lambda move: move.amaf_value if move.amaf_visits else None)


@command("mcrave-beta")
def beta(session: Session, arguments: Arguments) -> str:
    """Heat map: how much the AMAF value counts, in percent."""
    return _heat(session, "beta", lambda move: move.beta)


@command("mcrave-ownership")
def owned(session: Session, arguments: Arguments) -> str:
    """Heat map: who will own each point, 1 for Black and -1 for White."""
    points = ownership(session.examine().owners, session.state.board.game).points
    shown = "INFLUENCE " + " ".join(f"{name} {value:.2f}" for name, value in points.items())
    return f"{shown}\n{_status(session)}"


@command("mcrave-line")
def main_line(session: Session, arguments: Arguments) -> str:
    """The moves that the search expects, for GoGui to number."""
    line, who = session.examine().pv, session.state.board.to_move
    moves = [f"{'bw'[(who + index) % 2]} {move}" for index, move in enumerate(line)]
    return "VAR " + " ".join(moves)


@command("mcrave-search")
def search(session: Session, arguments: Arguments) -> str:
    """What the search thinks of the position, in words."""
    report = session.examine()
    head = f"{report.best}, {100 * report.value:.1f} % over {simulations_behind(report)} simulations"
    lines = [f"{session.engine}: {head}"]
    for move in report.moves[:10]:
        amaf = f", AMAF {100 * move.amaf_value:.1f} %, beta {move.beta:.2f}" if move.amaf_visits else ""
        lines.append(f"{move.move}: {move.visits} visits, {100 * move.value:.1f} %{amaf}")
    return "\n" + "\n".join([*lines, f"expected: {' '.join(report.pv)}"])


def _heat(session: Session, name: str, worth: Callable[[MoveReport], float | None]) -> str:
    """Colours and labels for the points that have a value, and a line for the status bar."""
    values = {move.move: worth(move) for move in session.examine().moves if move.move != PASS}
    shown = {name: value for name, value in sorted(values.items()) if value is not None}
    low, high = _range(name, list(shown.values()))
    lines = [f"COLOR {_shade((value - low) / (high - low))} {name}" for name, value in shown.items()]
    labels = [f"LABEL {name} {100 * value:.0f}" for name, value in shown.items() if round(100 * value)]
    return "\n".join([*lines, *labels, _status(session)])


def _range(name: str, values: list[float]) -> tuple[float, float]:
    """Which values are quite cold and quite hot: visits from none, beta as it is, others from the worst to the best.

    >>> _range("visits", [0.1, 0.5]), _range("beta", [0.9]), _range("amaf", [0.25, 0.75])
    ((0.0, 0.5), (0.0, 1.0), (0.25, 0.75))
    """
    if name == "beta" or not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    if name == "visits":
        return 0.0, high
    lacking = max(NARROWEST - (high - low), 0.0)
    return low - lacking / 2, high + lacking / 2


def _status(session: Session) -> str:
    """What a map says besides, in GoGui's status bar behind the name of the map."""
    report = session.examine()
    best = next(move for move in report.moves if move.move == report.best)
    return f"TEXT {best.move} is best, {100 * best.value:.1f} %, {simulations_behind(report)} simulations"


def _shade(heat: float) -> str:
    """From blue to red.

    >>> _shade(0.0), _shade(1.0)
    ('#3050c0', '#e02020')
    """
    heat = min(max(heat, 0.0), 1.0)
    return "#" + "".join(f"{round(cold + heat * (hot - cold)):02x}" for cold, hot in zip(COLD, HOT, strict=True))
