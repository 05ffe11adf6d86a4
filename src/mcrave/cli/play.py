"""`mcrave play`: a game on a page or in the terminal, you against an engine or engines among themselves."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from mcrave.cli import _options

if TYPE_CHECKING:
    from mcrave.cli._table import Seat
    from mcrave.games import Game

DEFAULT_GAME = "go(size=9)"
OPPONENT = "grave@1.5s"
QUICK = "grave@1000"  # for a printed game, in a few seconds
HUMAN = "human"


def play(
    game: _options.Game = DEFAULT_GAME,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help=f"Who plays, in turn order: human, random, uct@1000, …; one name is for all. "
            f"By default you play first, against {OPPONENT}.",
            show_default=False,
        ),
    ] = None,
    human: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT", help="A seat for you: 1, 2, … or its symbol; may be given again.", show_default=False
        ),
    ] = None,
    moves: Annotated[str, typer.Option(metavar="MOVES", help="Start after these moves, as in 'E5 C3'.")] = "",
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal, not on a page.")] = False,
    port: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=65535, help="Serve the page here; 0 takes any.", show_default=False),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="H", help="Serve the page at this address; others than your own get a token.")
    ] = "",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Serve the page without opening it.")] = False,
    results: Annotated[str, typer.Option(metavar="FILE", help="Results that the page shows, as --db wrote them.")] = "",
    seed: _options.Seed = None,
) -> None:
    """Play on a page in the browser, against an engine or watching engines, and see them think.

    With --terminal, or where the page's extra (pip install 'mcrave[web]') is missing, the game is in the terminal:
    you type moves by their names; ? explains the rest.
    Without a terminal, one game between engines is played and printed.

    Examples:
      mcrave play
      mcrave play --no-browser --port 8080
      mcrave play --terminal
      mcrave play --game "hex(size=7)" --human 2
      mcrave play --game go3 --players human,random,monte_carlo@500
      mcrave play --players "grave(ref=50)@2000,mc_rave(schedule=hand(k=500))+secure()@0.5s"
      mcrave play --game examples/my_game.py:MyGame --players random --seed 7
    """
    import mcrave
    from mcrave.cli._table import Table
    from mcrave.errors import Error

    rules = mcrave.game(game)
    watched = sys.stdin.isatty() and sys.stdout.isatty()
    if wants_page := bool(no_browser or host or results or port is not None):
        if terminal:
            raise Error("give either --terminal or options of the page")
        if not _has_page():
            raise Error("the page needs aiohttp: pip install 'mcrave[web]'")
    if wants_page or (watched and not terminal and _has_page()):
        place = Place(host or "127.0.0.1", port, not no_browser)
        _serve(game, rules, _seat_texts(rules, players, human or [], True), moves, place, results)
        return
    if seed is None:
        import secrets

        seed = secrets.randbelow(10**6) if watched else 1
    seats = _seats(rules, players, human or [], watched, seed)
    position = rules.position(moves.replace(",", " ").split())
    for seat in seats:
        if seat.engine is not None:
            seat.engine.prepare(rules)
    code = Table(game, position, seats, watched, seed).play()
    if code:
        raise typer.Exit(code)


def _has_page() -> bool:
    from importlib.util import find_spec

    return find_spec("aiohttp") is not None


class Place(NamedTuple):
    """Where the page is served; port None means the first of a few that is free."""

    host: str
    port: int | None
    browser: bool


def _serve(text: str, rules: Game, seats: list[str], moves: str, place: Place, results: str) -> None:
    """The page, until Ctrl-C."""
    from pathlib import Path

    from mcrave.errors import Error
    from mcrave.specs import names
    from mcrave.web.limits import Allowed
    from mcrave.web.running import serve
    from mcrave.web.table import Table

    allowed = Allowed(players=set(seats))
    if text.partition("(")[0] not in names("game"):
        allowed.games[text] = rules
    for seat in seats:
        if seat != HUMAN:
            allowed.player(seat).prepare(rules)
    if results and not Path(results).is_file():
        raise Error(f"there is no results file {results}")
    table = Table.of(text, rules, seats, rules.start(), moves.replace(",", " ").split())
    serve(table, allowed, *place, results=results)


def _seats(game: Game, players: str | None, human: list[str], watched: bool, seed: int) -> list[Seat]:
    """Who sits where."""
    from mcrave.cli._table import Seat
    from mcrave.errors import SpecError
    from mcrave.players import parse_player

    texts = _seat_texts(game, players, human, watched)
    try:
        engines = [None if text == HUMAN else parse_player(text, seed * 64 + i) for i, text in enumerate(texts)]
    except SpecError as error:
        raise SpecError(f"{error}, {HUMAN}" if "known:" in str(error) else str(error)) from None
    return [Seat(engine) for engine in engines]


def _seat_texts(game: Game, players: str | None, human: list[str], watched: bool) -> list[str]:
    """The texts of all players, in turn order."""
    from mcrave.errors import SpecError
    from mcrave.specs import _split

    texts = _split(players, players) if players else [OPPONENT if watched or human else QUICK]
    if len(texts) == 1:
        texts *= game.players
    if len(texts) != game.players:
        raise SpecError(f"{game.name} has {game.players} players, but --players names {len(texts)}")
    if not human and players is None and watched:
        texts[0] = HUMAN
    for seat in human:
        texts[_seat_number(game, seat)] = HUMAN
    return texts


def _seat_number(game: Game, text: str) -> int:
    """The seat of a number from 1 or a symbol."""
    from mcrave.errors import SpecError

    seats = {str(seat + 1): seat for seat in range(game.players)}
    seats |= {symbol.lower(): seat for seat, symbol in enumerate(game.symbols)}
    try:
        return seats[text.strip().lower()]
    except KeyError:
        choices = ", ".join(f"{seat + 1} ({symbol})" for seat, symbol in enumerate(game.symbols))
        raise SpecError(f"{game.name} has no seat '{text}'; choose from {choices}") from None
