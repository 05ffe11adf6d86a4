"""The rules that the engine can play by.

Scoring is by area and suicide is forbidden; the ko rule and what White gets for handicap stones can be chosen.
The names are those of KataGo's `kata-set-rules`.
"""

from __future__ import annotations

import json
from typing import Any, Literal, NamedTuple

from mcrave.gtp.registry import Failure

Ko = Literal["simple", "positional", "situational"]
Bonus = Literal["0", "N", "N-1"]


class Rules(NamedTuple):
    """What can be chosen."""

    ko: Ko = "positional"
    handicap_bonus: Bonus = "0"

    def bonus(self, handicap: int) -> int:
        """What White gets in addition to komi.

        >>> Rules("simple", "N").bonus(4), Rules("simple", "N-1").bonus(0)
        (4, 0)
        """
        return {"0": 0, "N": handicap, "N-1": max(handicap - 1, 0)}[self.handicap_bonus]

    def to_json(self) -> str:
        """As `kata-get-rules` answers."""
        return json.dumps(FIXED | {"ko": self.ko.upper(), "whiteHandicapBonus": self.handicap_bonus}, sort_keys=True)


DEFAULT_RULES = Rules()
FIXED: dict[str, Any] = {
    "scoring": "AREA",
    "tax": "NONE",
    "suicide": False,
    "hasButton": False,
    "friendlyPassOk": False,
}
NAMED = {
    "chinese": Rules("simple", "N"),
    "chinese-ogs": Rules("positional", "N"),
    "chinese-kgs": Rules("positional", "N"),
    "aga": Rules("situational", "N-1"),
    "bga": Rules("situational", "N-1"),
    "french": Rules("situational", "N-1"),
}
KGS = {"chinese": Rules("positional", "N"), "aga": Rules("situational", "N-1")}
KOS: dict[str, Ko] = {"SIMPLE": "simple", "POSITIONAL": "positional", "SITUATIONAL": "situational"}


def read_rules(text: str, now: Rules) -> Rules:
    """The rules with that name, or those of a JSON object; what it does not mention stays.

    >>> read_rules('{"ko": "SITUATIONAL"}', Rules())
    Rules(ko='situational', handicap_bonus='0')
    >>> read_rules("japanese", Rules())
    Traceback (most recent call last):
    mcrave.gtp.registry.Failure: unsupported rules; known: aga, bga, chinese, chinese-kgs, chinese-ogs, french, or JSON
    """
    if not text.startswith("{"):
        if text.lower() not in NAMED:
            raise Failure(f"unsupported rules; known: {', '.join(sorted(NAMED))}, or JSON")
        return NAMED[text.lower()]
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise Failure("rules are not valid JSON") from None
    for name, value in given.items():
        now = change_rule(name, value, now)
    return now


def change_rule(name: str, value: Any, rules: Rules) -> Rules:
    """One of KataGo's rules changed, or the failure that it cannot be had."""
    if name == "multiStoneSuicideLegal":
        name = "suicide"
    if name == "ko" and str(value).upper() in KOS:
        return rules._replace(ko=KOS[str(value).upper()])
    if name == "whiteHandicapBonus" and str(value) in ("0", "N", "N-1"):
        return rules._replace(handicap_bonus=str(value))  # type: ignore[arg-type]
    if name == "friendlyPassOk" or (name in FIXED and str(value).upper() == str(FIXED[name]).upper()):
        return rules
    raise Failure(f"unsupported rule {str(name)[:40]}={str(value)[:40]}")
