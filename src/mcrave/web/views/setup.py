"""The form of a new game: which, how large, who plays."""

from __future__ import annotations

import math
from functools import cache

from mcrave.errors import Error
from mcrave.games import Game
from mcrave.games.go import Go
from mcrave.gtp.defaults import default_player
from mcrave.specs import find, names
from mcrave.web.boards import side_name
from mcrave.web.limits import MOST_SECONDS, MOST_SIMULATIONS, Allowed, short
from mcrave.web.markup import Html, empty, join, tag
from mcrave.web.table import HUMAN, Table
from mcrave.web.views.base import Message, number_of, text_of

STRENGTHS = {
    "You": HUMAN,
    "Random moves": "random",
    "Beginner": "uct@60",
    "Casual": "grave@600",
    "Strong": "grave@1.5s",
    "Very strong": "grave@6s",
}
OWN = "own"
UNITS = {"": "as named", "simulations": "simulations a move", "seconds": "seconds a move"}
SIZES = {
    "go": (9, 2, 19),
    "hex": (7, 2, 19),
    "havannah": (5, 3, 10),
    "y": (8, 2, 19),
    "domineering": (8, 2, 19),
    "mnk": (3, 3, 15),
}


@cache
def sizes(name: str) -> tuple[int, int, int] | None:
    """The usual, smallest and largest size of a game with square boards; what the rules forbid is told later."""
    usual = find(name, "game")._defaults.get("size", 0)
    return SIZES.get(name, (usual, 2, 25)) if usual else None


def strengths(game: Game) -> dict[str, str]:
    """The named players; for Go also the engine's own."""
    if isinstance(game, Go):
        return STRENGTHS | {"Go engine (compiles first)": default_player(game.rows, game.cols)}
    return STRENGTHS


def form(table: Table, name: str, allowed: Allowed) -> Html:
    """The form; `name` is the game chosen in it, which may be another than the one on the table."""
    listed = [*allowed.games, *names("game")]
    name = name if name in listed else table.game.name
    chosen = table.game if name in (table.game.name, table.text) else allowed.game(name)
    known = None if name in allowed.games else sizes(name)
    size = getattr(chosen, "size", 0) if chosen is table.game else 0
    entries = [
        _field(
            "Game",
            tag("select", [_option(each, each, each == name) for each in listed], name="game", data_change="form"),
        ),
    ]
    if known is not None:
        usual, low, high = known
        value = size if low <= size <= high else usual
        entries.append(_field("Size", empty("input", type="number", name="size", value=value, min=low, max=high)))
    for seat in range(chosen.players):
        given = table.seats[seat] if seat < len(table.seats) else "random"
        entries.append(_seat(chosen, seat, given))
    unit = tag("select", [_option(key, label, not key) for key, label in UNITS.items()], name="unit")
    amount = empty(
        "input", type="number", name="budget", min=0, step="any", placeholder="how many", aria_label="how many"
    )
    entries.append(_field("Budget", join(unit, amount)))
    details = tag(
        "details",
        tag("summary", "In full"),
        _field("Rules", empty("input", name="spec", placeholder="go(size=9,komi=6.5)", maxlength=200)),
        tag(
            "p",
            "Where a player is “Own text”, write TREE[+PLAYOUT][+PRIOR]@BUDGET, "
            "as in mc_rave+even(m=10)@2000 or grave(ref=50)@2.5s.",
            class_="dim",
        ),
    )
    start = tag("button", "Start", data_do="new", data_form="main-form", class_="primary")
    return join(entries, details, start)


def _field(label: str, control: object) -> Html:
    return tag("label", tag("span", label), control, class_="field")


def _option(value: str, text: str, selected: bool) -> Html:
    return tag("option", text, value=value, selected=selected)


def _seat(game: Game, seat: int, given: str) -> Html:
    named = strengths(game)
    own = given not in named.values()
    options = [
        _option(text, label if text in (HUMAN, "random") else f"{label} · {text}", text == given)
        for label, text in named.items()
    ]
    options.append(_option(OWN, "Own text", own))
    chosen = tag("select", options, name=f"seat{seat}", aria_label=side_name(game, seat))
    written = empty(
        "input",
        name=f"text{seat}",
        value=given if own else "",
        placeholder="own text: grave@1000",
        maxlength=200,
        aria_label=f"{side_name(game, seat)}, own text",
    )
    return _field(side_name(game, seat), join(chosen, written))


def new_table(message: Message, allowed: Allowed) -> Table:
    """The game that a filled form means."""
    name, spec = text_of(message, "game", "go"), short(text_of(message, "spec")).strip()
    text = spec or name
    if not spec and name not in allowed.games and name in names("game") and (known := sizes(name)) is not None:
        text = f"{name}(size={number_of(message, 'size', known[0])})"
    game = allowed.game(text)
    seats = []
    for seat in range(game.players):
        chosen = text_of(message, f"seat{seat}", "random")
        chosen = text_of(message, f"text{seat}").strip() if chosen == OWN else chosen
        if not chosen:
            raise Error(f"write who plays {side_name(game, seat)}, as in grave@1000")
        if chosen != HUMAN:
            chosen = thinking(chosen, text_of(message, "budget").strip(), text_of(message, "unit"))
            allowed.player(chosen)
        seats.append(short(chosen))
    return Table.new(text, game, seats)


def thinking(player: str, amount: str, unit: str) -> str:
    """A player's text with another budget; who does not search keeps its own.

    >>> thinking("grave@600", "2000", "simulations"), thinking("uct", "0.5", "seconds"), thinking("uct@60", "9", "")
    ('grave@2000', 'uct@0.5s', 'uct@60')
    >>> thinking("grave@600", "many", "simulations")
    Traceback (most recent call last):
    mcrave.errors.Error: 'many' is no number of simulations; here an engine thinks for 1 to 5,000,000
    """
    if unit not in ("simulations", "seconds") or player == "random":
        return player
    least, most, end = (1.0, float(MOST_SIMULATIONS), "") if unit == "simulations" else (0.01, MOST_SECONDS, "s")
    try:
        number = float(amount[:20])
    except ValueError:
        number = math.nan
    if not least <= number <= most or (unit == "simulations" and number % 1):
        raise Error(f"'{amount[:20]}' is no number of {unit}; here an engine thinks for {least:g} to {most:,.0f}")
    return f"{player.partition('@')[0]}@{number:.10g}{end}"
