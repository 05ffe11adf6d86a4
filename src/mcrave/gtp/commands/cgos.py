"""What CGOS, the Computer Go Server, tells and asks (https://github.com/zakki/cgos)."""

from __future__ import annotations

from dataclasses import replace

from mcrave.gtp.infos import cgos_json
from mcrave.gtp.registry import Arguments, command, player
from mcrave.gtp.session import Session


@command("cgos-genmove_analyze", "COLOR")
def cgos_genmove_analyze(session: Session, arguments: Arguments) -> str:
    """Make a move, with what the engine thinks as a line of JSON."""
    who = player(arguments)
    position = session.state.board.ready(who)
    move = session.think(who)
    value = 0.0 if move is None else move.value
    found = cgos_json(session.engine, session.engine.report, position, value)
    return f"\n{found}\nplay {session.finish(who, move)}"


@command("cgos-opponent_name", "NAME")
def opponent_name(session: Session, arguments: Arguments) -> str:
    """Who the opponent is; kept for the titles of saved games."""
    session.state = replace(session.state, opponent=" ".join(arguments)[:80])
    return ""


@command("cgos-opponent_rating", "RATING")
def opponent_rating(session: Session, arguments: Arguments) -> str:
    """How strong the opponent is; not used."""
    return ""


@command("cgos-gameover", "RESULT")
def game_over(session: Session, arguments: Arguments) -> str:
    """The result; the game is saved now, if games are saved."""
    session.keep()
    return ""


@command("kgs-game_over")
def kgs_game_over(session: Session, arguments: Arguments) -> str:
    """The game has ended; it is saved now, if games are saved."""
    session.keep()
    return ""
