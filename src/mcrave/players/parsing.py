"""How a player's text is read.

`random`, or `gtp:COMMAND` for another program, or `local_shape` without a search, or `td_search@BUDGET`, or
`TREE[+PLAYOUT][+PRIOR][+CHOICE][+search(option=value,...)]@BUDGET`: the tree policy comes first, the other parts in any
order; each is known by its name. A budget is a number of simulations (`@1000`, the default) or seconds (`@2.5s`)
for each move. A part may be a class in a file: `my_policy.py:MyPolicy(c=1)`.
"""

from __future__ import annotations

from typing import Any

from mcrave.errors import SpecError
from mcrave.players.base import Budget, Player, read_budget
from mcrave.players.gtp_player import PREFIX, GtpPlayer
from mcrave.players.local_shape import LocalShapePlayer
from mcrave.players.random_moves import RandomMoves
from mcrave.players.search import OPTIONS, SearchPlayer, Setup
from mcrave.players.td_search import TdSearch, TdSearchPlayer
from mcrave.playouts.uniform import Uniform
from mcrave.policies.base import TreePolicy
from mcrave.priors.even import Even
from mcrave.priors.local_shape import LocalShape
from mcrave.search.choices import default_choice
from mcrave.specs import Spec, _hint, _split, names, parse

KINDS = {
    "tree": "tree policies",
    "playout": "playouts",
    "prior": "priors",
    "choice": "choices",
    "parallel": "parallel forms",
}
SEARCH = "search"
DEFAULT_BUDGET = Budget(1000)


def parse_player(text: str, seed: int = 1) -> Player:
    """The player with that text form; the same seed gives the same moves.

    >>> str(parse_player("grave(ref=50,bias=1e-4)+even()+secure(a=2.0)@1000"))
    'grave(bias=0.0001)+secure(a=2)@1000'
    >>> parse_player("uct+xyz@1000")
    Traceback (most recent call last):
    mcrave.errors.SpecError: unknown part 'xyz' of player 'uct+xyz@1000'; playouts: ...; priors: ...; choices: ...
    """
    text = text.strip()
    if text.lower().startswith(PREFIX):
        return GtpPlayer(text[len(PREFIX) :].strip(), seed)
    body, at, budget = _cut(text)
    if body.lower() == RandomMoves.name:
        if at:
            raise SpecError(f"player 'random' does not think, so it takes no budget @{budget}")
        return RandomMoves(seed)
    if _is_alone(body, TdSearch.name):
        return TdSearchPlayer(parse(body, "player"), read_budget(budget, text) if at else DEFAULT_BUDGET, seed)
    if _is_alone(body, LocalShape.name):
        if at:
            raise SpecError(f"player '{body}' does not search, so it takes no budget @{budget}")
        return LocalShapePlayer(parse(body, "prior"), seed)
    return SearchPlayer(_read_setup(text, body, read_budget(budget, text) if at else DEFAULT_BUDGET), seed)


def _is_alone(body: str, name: str) -> bool:
    """Whether the text is this name with its fields, and no more parts."""
    return body.partition("(")[0].strip() == name and not _outside(body, "+")


def _read_setup(text: str, body: str, budget: Budget) -> Setup:
    first, *others = _parts(text, body)
    tree = _read_tree(text, first)
    parts: dict[str, Any] = {"tree": tree}
    for part in others:
        kind, value = _read_part(text, part)
        if kind in parts:
            raise SpecError(f"player '{text}' has two {KINDS.get(kind, 'parts search(...)')}")
        parts[kind] = value
    return Setup(
        tree,
        parts.get("playout", Uniform()),
        parts.get("prior", Even()),
        parts.get("choice", default_choice(tree)),
        (*parts.get("search", ()), *((("parallel", parts["parallel"]),) if "parallel" in parts else ())),
        budget,
    )


def _read_tree(text: str, part: str) -> TreePolicy:
    kind, name = _kind(part)
    known = [*names("tree"), RandomMoves.name, LocalShape.name, TdSearch.name]
    if kind is None:
        raise SpecError(f"unknown player '{text}'{_hint(name, known)} known: {', '.join(known)}")
    spec = _read(part, kind)
    if not isinstance(spec, TreePolicy):
        what = f"must begin with a tree policy, not with '{name}'; known: {', '.join(known)}"
        raise SpecError(f"player '{text}' {what}")
    return spec


def _read_part(text: str, part: str) -> tuple[str, Any]:
    """A part behind a +, and its kind."""
    kind, name = _kind(part)
    if kind is None:
        known = {plural: names(kind) for kind, plural in KINDS.items() if kind != "tree"}
        listed = "; ".join(f"{plural}: {', '.join(those)}" for plural, those in known.items())
        hint = _hint(name, [name for those in known.values() for name in those])
        raise SpecError(f"unknown part '{name}' of player '{text}'{hint} {listed}; options: search({_options()})")
    value = _read(part, kind)
    return (value.kind if isinstance(value, Spec) else kind), value


def _kind(part: str) -> tuple[str | None, str]:
    """Of which kind a part is, by its name alone, and the name; the kind is "file" if it stands in one."""
    name = part.partition("(")[0].strip()
    if ".py" in part:
        return "file", name
    return next((kind for kind in KINDS if name in names(kind)), SEARCH if name == SEARCH else None), name


def _read(part: str, kind: str) -> Any:
    if kind == SEARCH:
        return _read_options(part)
    if kind != "file":
        return parse(part, kind)
    from mcrave.games import _loader
    from mcrave.players.rehearsal import rehearse

    spec = _loader.load(part, tuple(KINDS))
    if isinstance(spec, TreePolicy):
        rehearse(spec)
    return spec


# ------------------------------------------------------------------------------------------- options


def _read_options(part: str) -> tuple[tuple[str, Any], ...]:
    """What `search(name=value,...)` changes, in the order of the keyword arguments."""
    inner = part.partition("(")[2]
    if inner and not inner.endswith(")"):
        raise SpecError(f"the parentheses in '{part}' do not match")
    given: dict[str, Any] = {}
    for item in _split(inner.removesuffix(")"), part):
        name, equals, value = (piece.strip() for piece in item.partition("="))
        if not equals:
            raise SpecError(f"in '{part}', '{item}' needs a field name, as in expand_after=2")
        if name not in OPTIONS:
            raise SpecError(f"search has no field '{name}'{_hint(name, OPTIONS)} fields: {_options()}")
        if name in given:
            raise SpecError(f"in '{part}', field '{name}' stands twice")
        given[name] = _read_option(name, value)
    return tuple((name, given[name]) for name in OPTIONS if given.get(name, OPTIONS[name]) != OPTIONS[name])


def _read_option(name: str, value: str) -> Any:
    """The value in the type of the default."""
    default = OPTIONS[name]
    if isinstance(default, Spec):
        return parse(value, default.kind)
    kind = type(default)
    try:
        return kind(value)
    except ValueError:
        what = {int: "a whole number", float: "a number"}[kind]
        raise SpecError(f"search needs {name} to be {what}, not '{value}'") from None


def _options() -> str:
    return ", ".join(f"{name}={value}" for name, value in OPTIONS.items())


# ------------------------------------------------------------------------------------------- splitting


def _cut(text: str) -> tuple[str, str, str]:
    """What stands before the last @ outside parentheses, whether there is one, and what follows it."""
    at = _outside(text, "@")
    return (text[: at[-1]].strip(), "@", text[at[-1] + 1 :].strip()) if at else (text, "", "")


def _parts(text: str, body: str) -> list[str]:
    """What the signs + outside parentheses divide."""
    ends = [*_outside(body, "+"), len(body)]
    parts = [body[start:end].strip() for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False)]
    if "" in parts:
        raise SpecError(f"player '{text}' is empty" if parts == [""] else f"in '{text}', nothing stands beside a +")
    return parts


def _outside(text: str, sign: str) -> list[int]:
    """Where a sign stands outside parentheses."""
    depth, found = 0, []
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == sign and depth == 0:
            found.append(i)
    return found
