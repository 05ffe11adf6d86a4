"""Clocks."""

from __future__ import annotations

from dataclasses import replace

from mcrave.gtp.clock import NO_LIMIT, Clock, Kind, TimeLimit
from mcrave.gtp.registry import Arguments, Failure, command, number, player, whole
from mcrave.gtp.session import Session

MOST, LEAST_PERIOD = 1e7, 0.01  # seconds


@command("time_settings", "MAIN PERIOD STONES")
def time_settings(session: Session, arguments: Arguments) -> str:
    """Main time, then (Canadian) so many stones in each period; PERIOD 0 for none, STONES 0 for no limit at all."""
    complaint = "not three integers"
    main, period = _seconds(arguments, 0, complaint), _seconds(arguments, 1, complaint)
    stones = whole(arguments, 2, complaint)
    timed = period >= LEAST_PERIOD
    if (timed and stones <= 0) or (main <= 0 and not timed):
        return _agree(session, TimeLimit())
    return _agree(session, TimeLimit("canadian", main, period, stones) if timed else TimeLimit("absolute", main))


@command("kgs-time_settings", "none | absolute MAIN | byoyomi MAIN PERIOD PERIODS | canadian MAIN PERIOD STONES")
def kgs_time_settings(session: Session, arguments: Arguments) -> str:
    """Time as KGS tells it."""
    kinds: dict[str, Kind] = {kind: kind for kind in ("none", "absolute", "byoyomi", "canadian")}
    kind = kinds.get(arguments[0].lower() if arguments else "")
    if kind is None:
        raise Failure("unknown time system")
    if kind == "none":
        return _agree(session, TimeLimit())
    main = _seconds(arguments, 1, "invalid time settings")
    if kind == "absolute":
        return _agree(session, TimeLimit(kind, main))
    period, count = _seconds(arguments, 2, "invalid time settings"), whole(arguments, 3, "invalid time settings")
    if period < LEAST_PERIOD or count < 1:
        raise Failure("invalid time settings")
    return _agree(session, TimeLimit(kind, main, period, count))


@command("time_left", "COLOR SECONDS STONES")
def time_left(session: Session, arguments: Arguments) -> str:
    """What a player has left; STONES is 0 in the main time, else the stones or periods left."""
    who = player(arguments)
    complaint = "time and stones not two integers"
    seconds, stones = number(arguments, 1, complaint), whole(arguments, 2, complaint)
    session.state = replace(session.state, clock=session.state.clock.tell(who, min(seconds, MOST), stones))
    return ""


def _seconds(arguments: Arguments, index: int, complaint: str) -> float:
    return min(max(number(arguments, index, complaint), 0.0), MOST)


def _agree(session: Session, limit: TimeLimit) -> str:
    if limit != NO_LIMIT:
        session.engine.wait()  # no move of a game with a clock may have to wait for the compiler
    session.state = replace(session.state, clock=Clock.start(limit))
    return ""
