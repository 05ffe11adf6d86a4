"""The end of the game."""

from __future__ import annotations

from mcrave.gtp.registry import Arguments, Failure, command, player
from mcrave.gtp.session import Session
from mcrave.gtp.status import alive_chains, dead_chains, final_score, score_text


@command("final_score")
def final(session: Session, arguments: Arguments) -> str:
    """The score by area, with stones that random games do not leave standing taken off."""
    return score_text(final_score(session.state.board, session.seed))


@command("final_status_list", "alive | dead | seki")
def final_status_list(session: Session, arguments: Arguments) -> str:
    """The stones of that status, a chain in a line; alive in seki counts as alive."""
    if not arguments:
        raise Failure("missing status")
    board, status = session.state.board, arguments[0].lower()
    if status == "seki":
        return ""
    listed = {"alive": alive_chains, "dead": dead_chains}.get(status)
    if listed is None:
        raise Failure("invalid status")
    return "\n".join(" ".join(chain) for who in (0, 1) for chain in listed(board, who, session.seed))


@command("kgs-genmove_cleanup", "COLOR")
def clean_up(session: Session, arguments: Arguments) -> str:
    """Make a move, and no pass before all dead stones of the opponent's are taken off."""
    return session.generate(player(arguments), clean_up=True)
