"""A match that a visitor starts: two engines, one game after another, in the thread of the tab.

It ends with its tab, within the same bounds as any search here, and nothing of it is written to a file.
"""

from __future__ import annotations

import os
import time

from mcrave.arena import MatchResult, Record
from mcrave.arena.schedule import Contest
from mcrave.errors import Error
from mcrave.games import Game, Position
from mcrave.specs import names
from mcrave.web.boards import side_name
from mcrave.web.drawing import Scene, View
from mcrave.web.limits import MOST_MOVES, Allowed, short
from mcrave.web.live import LivePlayer
from mcrave.web.markup import Html, empty, join, tag
from mcrave.web.session import Session
from mcrave.web.views.base import Message, number_of, text_of

MOST_GAMES = 500
SLICE = 0.2  # seconds of quick moves between two pictures
SEATS = 20  # numbers of its engines among those of the session


class Bout:
    """The games so far, and the position of the one that is played."""

    def __init__(self, text: str, game: Game, players: tuple[str, str], games: int) -> None:
        """Nothing is played yet; the seats change after every game."""
        everybody = (players[0], *players[1:] * (game.players - 1))
        self.game, self.games = game, games
        self.contest = Contest(text, everybody, seed=int.from_bytes(os.urandom(4), "little"))
        self.records: list[Record] = []
        self.position: Position = game.start()
        self.plies, self.running = 0, True

    @classmethod
    def of(cls, message: Message, allowed: Allowed) -> Bout:
        """The match that a filled form means; an `Error` says what is wrong with it."""
        text = short(text_of(message, "game")).strip()
        players = short(text_of(message, "one")).strip(), short(text_of(message, "other")).strip()
        game, games = allowed.game(text), number_of(message, "games")
        for player in players:
            allowed.player(player)
        if not 1 <= games <= MOST_GAMES:
            raise Error(f"a match here has 1 to {MOST_GAMES} games; mcrave match plays more")
        return cls(text, game, players, games)

    @property
    def result(self) -> MatchResult:
        """How it stands."""
        return MatchResult(self.contest, self.records)

    @property
    def seats(self) -> tuple[int, ...]:
        """Who sits where in this game."""
        return self.contest.seats(len(self.records))

    def play_on(self, session: Session) -> bool:
        """Some moves, after which the page is shown; False if the visitor wishes something else."""
        end = time.monotonic() + SLICE
        while self.running and time.monotonic() < end:
            if not self._move(session):
                return False
        return True

    def _move(self, session: Session) -> bool:
        if self.position.is_over or self.plies >= MOST_MOVES:
            self._next_game()
            return True
        who = self.seats[self.position.to_move]
        player = session.engine(self.contest.players[who], self.game, SEATS + who)
        if session.is_wanted() or not session.ready(player, self.game) or not session.place():
            return False
        try:
            move = player.choose(self.position)
        finally:
            session.leave()
        if isinstance(player, LivePlayer) and player.aborted:
            return False
        self.position, self.plies = self.position.play(move), self.plies + 1
        return True

    def _next_game(self) -> None:
        count = self.game.players
        ended = self.position.is_over
        outcome = tuple(self.position.outcome(seat) if ended else 1 / count for seat in range(count))
        ending = "rules" if ended else "cap"
        self.records.append(Record(self.contest.key, len(self.records), 0, self.seats, outcome, ending))
        self.running = len(self.records) < self.games
        if self.running:
            self.position, self.plies = self.game.start(), 0


def form(bout: Bout | None, text: str) -> Html:
    """Which match to play; `text` is the game that is offered first."""
    running = bout is not None and bout.running
    text, games = (bout.contest.game, bout.games) if bout else (text, 20)
    players = bout.contest.players[:2] if bout else ("grave@500", "uct@500")
    listed = [tag("option", value=f"{name}()") for name in names("game")]
    fields = [
        _field("Game", empty("input", name="game", value=text, maxlength=200, list="main-games", class_="mono")),
        _field("Player", empty("input", name="one", value=players[0], maxlength=200, class_="mono")),
        _field("Against", empty("input", name="other", value=players[1], maxlength=200, class_="mono")),
        _field(
            "Games",
            empty("input", name="games", type="number", value=games, min=1, max=MOST_GAMES),
        ),
    ]
    button = (
        tag("button", "Stop", data_do="stop", class_="primary")
        if running
        else tag("button", "Play", data_do="bout", data_form="main-bout", class_="primary")
    )
    return join(tag("datalist", listed, id="main-games"), tag("div", fields, class_="bout"), button)


def _field(label: str, control: Html) -> Html:
    return tag("label", tag("span", label), control, class_="field")


def score(bout: Bout | None) -> Html:
    """The score with its interval, and who plays which side now."""
    if bout is None:
        said = "Two engines play here for as long as this page is open. To keep the games, play with mcrave match."
        return tag("p", said, class_="dim")
    result, one = bout.result, bout.contest.players[0]
    parts: list[object] = [tag("b", f"{result.wins}–{result.losses}")]
    if result.draws:
        parts.append(f" ({result.draws} drawn)")
    if result.games:
        low, high = result.interval
        parts.append(f" for {one}: {100 * result.rate:.1f} %, 95 % interval {100 * low:.0f} to {100 * high:.0f} %")
    if bout.running:
        sides = ", ".join(
            f"{side_name(bout.game, seat)} {bout.contest.players[who]}" for seat, who in enumerate(bout.seats)
        )
        now = f"Game {len(bout.records) + 1} of {bout.games}, move {bout.plies}: {sides}"
    else:
        now = f"{result.games} of {bout.games} games played"
    return join(tag("p", parts, class_="score"), tag("p", now, class_="dim"))


def board(bout: Bout | None, name: str) -> dict[str, Html]:
    """The position of the game that is played, as regions."""
    if bout is None:
        return {name: Html("")}
    view = View(bout.game, name)
    return {name: view.shell(str(bout.game)), **view.layers(bout.position, Scene())}
