"""Analysis that goes on until the next input, and moves with what the engine thought of them.

The colour and the interval (in hundredths of a second) may stand in either order, or be left out. Then come pairs:
`ownership true`, `rootInfo true`, `pvVisits true`, `minmoves N`, `maxmoves N`, `interval N`; and
`allow COLOR MOVES N` or `avoid COLOR MOVES N`: the search leaves moves out in its first N plies, for this colour. MOVES
are points, rectangles such as A1:C3, and pass, with commas between; `allow` means all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mcrave.errors import IllegalMove
from mcrave.games import Position
from mcrave.games.go import Go
from mcrave.gtp.infos import Ban, Wishes, infos, kata_line, leela_line, sabaki_line, without_luck
from mcrave.gtp.registry import COLOURS, Arguments, Failure, command
from mcrave.gtp.session import Session
from mcrave.search import Report
from mcrave.sgf import point_number
from mcrave.sgf.board import PASS

Line = Callable[[Session, Report, Position, Wishes], str]
SWITCHES = {"ownership": "ownership", "rootinfo": "root", "pvvisits": "line_visits"}
COUNTS = {"minmoves": "least", "maxmoves": "most"}
IGNORED = ("movesownership", "movesownershipstdev", "ownershipstdev", "novalue", "pvedgevisits", "noresultvalue")
MOST = 10_000_000
LEAST_INTERVAL = 0.05  # seconds


def _leela(session: Session, report: Report, position: Position, wishes: Wishes) -> str:
    return leela_line(infos(session.engine, report, wishes))


def _kata(session: Session, report: Report, position: Position, wishes: Wishes) -> str:
    return kata_line(infos(session.engine, report, wishes), report, position, wishes)


def _sabaki(session: Session, report: Report, position: Position, wishes: Wishes) -> str:
    return sabaki_line(without_luck(infos(session.engine, report, wishes), wishes.least), report, position)


@command("analyze", "[COLOR] [INTERVAL] [OPTIONS]")
def analyze(session: Session, arguments: Arguments) -> str:
    """Analyse until the next input, in the form that Sabaki reads."""
    return _analyze(session, arguments, _sabaki)


@command("lz-analyze", "[COLOR] [INTERVAL] [OPTIONS]")
def lz_analyze(session: Session, arguments: Arguments) -> str:
    """Analyse until the next input, in Leela Zero's form."""
    return _analyze(session, arguments, _leela)


@command("kata-analyze", "[COLOR] [INTERVAL] [OPTIONS]")
def kata_analyze(session: Session, arguments: Arguments) -> str:
    """Analyse until the next input, in KataGo's form; OPTIONS may ask for ownership."""
    return _analyze(session, arguments, _kata)


@command("genmove_analyze", "[COLOR] [INTERVAL] [OPTIONS]")
def genmove_analyze(session: Session, arguments: Arguments) -> str:
    """Make a move, and show the analysis meanwhile."""
    return _generate(session, arguments, _sabaki)


@command("lz-genmove_analyze", "[COLOR] [INTERVAL] [OPTIONS]")
def lz_genmove_analyze(session: Session, arguments: Arguments) -> str:
    """Make a move, and show the analysis meanwhile in Leela Zero's form."""
    return _generate(session, arguments, _leela)


@command("kata-genmove_analyze", "[COLOR] [INTERVAL] [OPTIONS]")
def kata_genmove_analyze(session: Session, arguments: Arguments) -> str:
    """Make a move, and show the analysis meanwhile in KataGo's form."""
    return _generate(session, arguments, _kata)


def _analyze(session: Session, arguments: Arguments, line: Line) -> str:
    wishes = read_wishes(arguments)
    who = session.state.board.to_move if wishes.player is None else wishes.player

    def show(report: Report, position: Position) -> None:
        assert session.reply is not None
        session.reply.say(line(session, report, position, wishes))

    session.analyze(who, wishes.interval, show, read_bans(session.state.board.ready(who), wishes.bans))
    return ""


def _generate(session: Session, arguments: Arguments, line: Line) -> str:
    """The intermediate reports come from the search as it runs, the last one when it is done."""
    wishes, engine = read_wishes(arguments), session.engine
    who = session.state.board.to_move if wishes.player is None else wishes.player
    position = session.state.board.ready(who)
    watch = session.reporter(wishes.interval, lambda report: say(line(session, report, position, wishes)))

    def say(text: str) -> None:
        assert session.reply is not None
        session.reply.say(text)

    move = session.think(who, watch, read_bans(position, wishes.bans))
    if engine.report is not None:
        say(line(session, engine.report, position, wishes))
    say(f"play {session.finish(who, move)}")
    return ""


def read_wishes(arguments: Arguments) -> Wishes:
    """What is asked for.

    >>> read_wishes(("50", "b")) == read_wishes(("B", "interval", "50")) == Wishes(player=0, interval=0.5)
    True
    >>> read_wishes(("w", "ownership", "true", "avoid", "w", "D4,C3", "1")).ownership
    True
    """
    wishes, words = Wishes(), list(arguments)
    value: Any
    while words:
        word = words.pop(0)
        name = word.lower()
        if name in COLOURS:
            wishes = wishes._replace(player=COLOURS[name])
        elif word.isdecimal():
            wishes = wishes._replace(interval=_interval(word))
        elif name == "interval":
            wishes = wishes._replace(interval=_interval(_next(words)))
        elif name in SWITCHES or name in IGNORED:
            value = _next(words).lower()
            if value not in ("true", "false"):
                raise Failure(f"{word[:40]} is true or false")
            if name in SWITCHES:
                wishes = wishes._replace(**{SWITCHES[name]: value == "true"})
        elif name in COUNTS:
            value = _count(_next(words))
            wishes = wishes._replace(**{COUNTS[name]: value})
        elif name in ("allow", "avoid"):
            ban = _ban(name, [_next(words) for _ in range(3)])
            if ban.is_allowed and any(other.is_allowed and other.player == ban.player for other in wishes.bans):
                raise Failure("allow can be given once for each color")
            wishes = wishes._replace(bans=(*wishes.bans, ban))
        else:
            raise Failure(f"invalid argument {word[:40]}")
    return wishes


def _ban(name: str, words: list[str]) -> Ban:
    colour, moves, plies = words
    if colour.lower() not in COLOURS or not plies.isdecimal() or not _count(plies):
        raise Failure(f"write {name} COLOR MOVES PLIES")
    return Ban(COLOURS[colour.lower()], tuple(moves.split(",")), _count(plies), name == "allow")


def read_bans(position: Position, bans: Sequence[Ban]) -> dict[tuple[int, int], int]:
    """For each player and point, in how many plies the search leaves the move out; at least one move must be left.

    >>> position = Go(size=2).start()
    >>> read_bans(position, [Ban(0, ("A1:A2", "pass"), 3), Ban(1, ("B2",), 5)])
    {(0, 4): 3, (0, 7): 3, (0, 0): 3, (1, 5): 5}
    """
    game, found = position.game, dict[tuple[int, int], int]()
    assert isinstance(game, Go)
    for player, words, plies, is_allowed in bans:
        named = [place for word in words for place in _places(game, word)]
        every = (*game.points(), point_number(game, PASS))
        for place in [place for place in every if place not in named] if is_allowed else named:
            found[player, place] = max(plies, found.get((player, place), 0))
    if bans and all(found.get((position.to_move, int(move))) for move in position.moves):
        raise Failure("no legal move is left")
    return found


def _places(game: Go, word: str) -> list[int]:
    """The points of a move, or of a rectangle."""
    try:
        ends = [point_number(game, end) for end in word.split(":")]
    except IllegalMove:
        raise Failure(f"invalid coordinate {word[:40]}") from None
    if len(ends) == 1:
        return ends
    if len(ends) > 2 or 0 in ends:
        raise Failure(f"invalid coordinate {word[:40]}")
    (top, left), (bottom, right) = (divmod(end, game.cols + 1) for end in ends)
    return [
        place
        for place in game.points()
        for row, col in [divmod(place, game.cols + 1)]
        if min(top, bottom) <= row <= max(top, bottom) and min(left, right) <= col <= max(left, right)
    ]


def _next(words: list[str]) -> str:
    if not words:
        raise Failure("missing argument")
    return words.pop(0)


def _count(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) < 9):
        raise Failure(f"not a number: {word[:40]}")
    return int(word)


def _interval(word: str) -> float:
    return max(min(_count(word), MOST) / 100, LEAST_INTERVAL)
