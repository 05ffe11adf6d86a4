"""Analysis that goes on until the next input, and moves with what the engine thought of them.

The colour and the interval (in hundredths of a second) may stand in either order, or be left out. Then come pairs:
`ownership true`, `rootInfo true`, `pvVisits true`, `minmoves N`, `maxmoves N`, `interval N`; and
`allow COLOR MOVES N` or `avoid COLOR MOVES N`, which choose among the moves that are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcrave.games import Position
from mcrave.gtp.infos import Wishes, infos, kata_line, leela_line, plain_line
from mcrave.gtp.registry import COLOURS, Arguments, Failure, command
from mcrave.gtp.session import Session
from mcrave.search import Report

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


def _plain(session: Session, report: Report, position: Position, wishes: Wishes) -> str:
    return plain_line(infos(session.engine, report, wishes))


@command("analyze", "[COLOR] [INTERVAL] [OPTIONS]")
def analyze(session: Session, arguments: Arguments) -> str:
    """Analyse until the next input; values from 0 to 1, as Sabaki reads them."""
    return _analyze(session, arguments, _plain)


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
    return _generate(session, arguments, _plain)


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

    session.analyze(who, wishes.interval, show)
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

    move = session.think(who, watch)
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
            wishes = _choose(wishes, name, [_next(words) for _ in range(3)])
        else:
            raise Failure(f"invalid argument {word[:40]}")
    return wishes


def _choose(wishes: Wishes, name: str, words: list[str]) -> Wishes:
    colour, moves, until = words
    if colour.lower() not in COLOURS or not until.isdecimal():
        raise Failure(f"write {name} COLOR MOVES COUNT")
    names = frozenset(move.upper() for move in moves.split(","))
    return wishes._replace(allowed=names) if name == "allow" else wishes._replace(avoided=names)


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
