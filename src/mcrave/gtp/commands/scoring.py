"""The end of the game."""

from __future__ import annotations

from mcrave.gtp.registry import Arguments, Failure, command, player
from mcrave.gtp.session import Session
from mcrave.gtp.status import final_score, score_text, statuses


@command("final_score")
def final(session: Session, arguments: Arguments) -> str:
    """The score by area, with stones that playouts rarely leave standing taken off."""
    return score_text(final_score(session.state.board, session.judge().points))


@command("final_status_list", "alive | dead | seki")
def final_status_list(session: Session, arguments: Arguments) -> str:
    """The stones of that status, a chain in a line."""
    if not arguments:
        raise Failure("missing status")
    listed = statuses(session.state.board, session.judge().points).get(arguments[0].lower())
    if listed is None:
        raise Failure("invalid status")
    return "\n".join(" ".join(chain) for chain in listed)


@command("kgs-genmove_cleanup", "COLOR")
def clean_up(session: Session, arguments: Arguments) -> str:
    """Make a move, and no pass before all dead stones of the opponent's are taken off."""
    return session.generate(player(arguments), clean_up=True)
