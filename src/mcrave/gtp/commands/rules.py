"""The rules to play by."""

from __future__ import annotations

from mcrave.errors import IllegalMove
from mcrave.gtp.registry import Arguments, Failure, command
from mcrave.gtp.rules import KGS, Rules, change_rule, read_rules
from mcrave.gtp.session import Session


@command("kgs-rules", "chinese | aga")
def kgs_rules(session: Session, arguments: Arguments) -> str:
    """Rules as KGS names them; those with territory scoring or suicide are refused."""
    rules = KGS.get(arguments[0].lower() if arguments else "")
    if rules is None:
        raise Failure("unsupported rules; known: " + ", ".join(sorted(KGS)))
    return _play_by(session, rules)


@command("kata-set-rules", "NAME | JSON")
def kata_set_rules(session: Session, arguments: Arguments) -> str:
    """Rules by KataGo's names, or as JSON: the ko rule and White's bonus for handicap stones can be chosen."""
    return _play_by(session, read_rules(" ".join(arguments), session.state.rules))


@command("kata-set-rule", "NAME VALUE")
def kata_set_rule(session: Session, arguments: Arguments) -> str:
    """One of KataGo's rules."""
    if len(arguments) != 2:
        raise Failure("a rule is a name and a value")
    return _play_by(session, change_rule(*arguments, session.state.rules))


@command("kata-get-rules")
def kata_get_rules(session: Session, arguments: Arguments) -> str:
    """The rules as JSON."""
    return session.state.rules.to_json()


def _play_by(session: Session, rules: Rules) -> str:
    try:
        session.state = session.state.with_rules(session.state.komi, rules)
    except IllegalMove:
        raise Failure("the moves so far are illegal by these rules") from None
    return ""
