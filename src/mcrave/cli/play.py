"""`mcrave play`: a game in the terminal, you against an engine or engines among themselves."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

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
    seed: _options.Seed = None,
) -> None:
    """Play a game in the terminal, against an engine or watching engines.

    You type moves by their names; ? explains the rest.
    Without a terminal, one game between engines is played and printed.

    Examples:
      mcrave play
      mcrave play --game "hex(size=7)" --human 2
      mcrave play --game go3 --players human,random,monte_carlo@500
      mcrave play --players "grave(ref=50)@2000,mc_rave(schedule=hand(k=500))+secure()@0.5s"
      mcrave play --game examples/my_game.py:MyGame --players random --seed 7
    """
    import mcrave
    from mcrave.cli._table import Table

    rules = mcrave.game(game)
    watched = sys.stdin.isatty() and sys.stdout.isatty()
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


def _seats(game: Game, players: str | None, human: list[str], watched: bool, seed: int) -> list[Seat]:
    """Who sits where."""
    from mcrave.cli._table import Seat
    from mcrave.errors import SpecError
    from mcrave.players import parse_player
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
    try:
        engines = [None if text == HUMAN else parse_player(text, seed * 64 + i) for i, text in enumerate(texts)]
    except SpecError as error:
        raise SpecError(f"{error}, {HUMAN}" if "known:" in str(error) else str(error)) from None
    return [Seat(engine) for engine in engines]


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
