"""A visitor's tab: one thread that does everything for it, one message after another.

A search runs in this thread too. It looks into the inbox about twenty times a second: what only changes the view is
done at once, anything else ends the search. So nothing is shared between threads but the two queues.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import wait
from typing import Any

from mcrave.errors import Error
from mcrave.games import Game, Position
from mcrave.players import SearchPlayer
from mcrave.players.random_moves import RandomMoves
from mcrave.web import limits
from mcrave.web.limits import Allowed
from mcrave.web.live import LivePlayer, compiling
from mcrave.web.markup import Html, join, tag
from mcrave.web.table import Table
from mcrave.web.views.base import Message, Page, text_of

FRAME = 0.2  # seconds between two pictures of a running search, at least,
DRAWING = 9.0  # and so many times as long as it takes to draw one, so that nine tenths of the time are the search's
ENGINES = 3  # searches whose memory a session keeps
CLOSE = "close"
log = logging.getLogger("mcrave.web")
_places = threading.BoundedSemaphore(limits.SEARCHES)


class Session:
    """What one tab sees; `send` takes messages for the browser, and may be called from this thread."""

    def __init__(
        self, send: Callable[[dict[str, Any]], bool], allowed: Allowed, first: Table, results: str = ""
    ) -> None:
        """`first` is the game that a tab without a link begins with; `results` a file of games."""
        from mcrave.web.views.compare import ComparePage
        from mcrave.web.views.learn import LearnPage
        from mcrave.web.views.play import PlayPage
        from mcrave.web.views.results import ResultsPage

        self.send, self.allowed, self.results = send, allowed, results
        self.table = Table.of(first.text, first.game, list(first.seats), first.start, first.moves)
        self.inbox: queue.Queue[Message] = queue.Queue(limits.MOST_WAITING)
        self.pages: dict[str, Page] = {
            page.name: page(self) for page in (PlayPage, LearnPage, ComparePage, ResultsPage)
        }
        self.page: Page = self.pages["play"]
        self._engines: dict[tuple[str, Game], LivePlayer] = {}
        self._shown: dict[str, str] = {}
        self._waiting: Message | None = None
        self._next_frame = 0.0
        self._greeted = self._behind = False
        self._thread = threading.Thread(target=self._run, name="mcrave-tab", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def post(self, message: Message) -> bool:
        """Hand a message over; False if it was dropped because too many are waiting. Mouse moves are dropped first."""
        if message.get("do") == "hover" and self.inbox.qsize() > limits.MOST_WAITING // 4:
            return False
        try:
            self.inbox.put_nowait(message)
        except queue.Full:
            return False
        return True

    def close(self) -> None:
        """End the thread and its search."""
        while not self.post({"do": CLOSE}):
            try:
                self.inbox.get_nowait()
            except queue.Empty:
                continue

    def join(self, seconds: float) -> bool:
        """Wait until the thread has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    # ------------------------------------------------------------------------------------ the loop

    def _run(self) -> None:
        try:
            while (message := self._next()) is None or message.get("do") != CLOSE:
                if message is not None:
                    self._handle(message)
                self.push()
        finally:
            for engine in self._engines.values():
                engine.end()

    def _next(self) -> Message | None:
        """The next message; None when a search ended or the page wants to be shown anew."""
        if self._waiting is not None:
            message, self._waiting = self._waiting, None
            return message
        try:
            return self.inbox.get_nowait()
        except queue.Empty:
            pass
        if self._greeted and (self._work() or self.is_wanted()):
            return None
        try:
            return self.inbox.get(timeout=FRAME if self._behind else self.page.refresh() if self._greeted else None)
        except queue.Empty:
            return None

    def _work(self) -> bool:
        try:
            return self.page.work()
        except Exception as error:  # a page that fails must not take its tab down
            self._complain(error)
            self.page.halt()
            return False

    def _handle(self, message: Message) -> None:
        """Do what is wished; what is wrong with it is told."""
        wish = text_of(message, "do")
        try:
            if wish == "hello":
                self._hello(text_of(message, "link"))
            elif not self._greeted:
                return
            elif wish == "page":
                self._open(text_of(message, "page"))
            elif handler := self.page.handlers().get(wish):
                handler(message)
        except Exception as error:
            self._complain(error)

    def _hello(self, link: str) -> None:
        """A tab was opened, or has found the server again."""
        self._shown.clear()
        self._greeted = True
        fields = dict(part.partition("=")[::2] for part in link.split("&"))
        if "game" in fields:
            try:
                self.table = Table.from_link(link, self.allowed)
            except Exception as error:
                self._complain(error)
        self._open(fields.get("page", self.page.name))

    def _open(self, name: str) -> None:
        self.page = self.pages.get(name, self.page)

    def _complain(self, error: Exception) -> None:
        if not isinstance(error, Error):
            log.warning("a tab's wish failed", exc_info=error)
        self.say(str(error) if isinstance(error, Error) else "that did not work; the server's log tells why")

    def say(self, text: str) -> None:
        """A line for the visitor."""
        self.send({"say": text[:400]})

    # ------------------------------------------------------------------------------------ what is shown

    def push(self) -> None:
        """Send the regions that changed."""
        if not self._greeted:
            return
        began = time.monotonic()
        try:
            regions = {"nav": self._nav()} | self.page.regions()
        except Exception as error:
            self._complain(error)
            return
        link = f"page={self.page.name}&{self.table.link()}"
        if self._shown.get("#") != link:
            self._shown["#"] = link
            self.send({"link": link})
        changed, shown = dict[str, str](), self._shown
        for name, html in regions.items():
            if shown.get(name) != html:
                changed[name] = html
                shown = {key: old for key, old in shown.items() if not key.startswith(f"{name}-")} | {name: html}
        self._behind = bool(changed) and not self.send({"put": changed})
        if not self._behind:  # else the browser gets it when it has caught up
            self._shown = shown
        now = time.monotonic()
        self._next_frame = now + max(FRAME, DRAWING * (now - began))

    def _nav(self) -> Html:
        return join(
            [
                tag(
                    "button",
                    page.title,
                    data_do="page",
                    data_page=page.name,
                    aria_current="page" if page is self.page else None,
                )
                for page in self.pages.values()
            ]
        )

    # ------------------------------------------------------------------------------------ searching

    def engine(self, text: str, game: Game, number: int = 0) -> LivePlayer | RandomMoves:
        """The player with that text; those used last keep their memory."""
        player = self.allowed.player(text)
        if not isinstance(player, SearchPlayer):
            return player
        key = f"{number}:{text}", game
        live = self._engines.pop(key, None) or LivePlayer(text, player.setup, self.listen, player.seed)
        self._engines[key] = live
        while len(self._engines) > ENGINES:
            self._engines.pop(next(iter(self._engines))).end()
        return live

    def listen(self, player: LivePlayer, position: Position, done: int, seconds: float) -> bool:
        """Called by a running search: show how it stands, do gentle wishes, stop for others."""
        shown = self._drain()
        if self._waiting is not None:
            return False
        if not shown and time.monotonic() >= self._next_frame:
            self.push()
        return True

    def ready(self, player: LivePlayer | RandomMoves, game: Game) -> bool:
        """Have a player's search compiled, in a thread beside; False if the visitor wishes something else meanwhile."""
        if not isinstance(player, LivePlayer):
            player.prepare(game)
            return True
        job = compiling(player, game)
        while not job.done():
            self._drain()
            if self._waiting is not None:
                return False
            wait([job], timeout=0.03)
        job.result()
        return True

    def _drain(self) -> bool:
        """Do the gentle wishes that wait, up to the first of another kind."""
        done = False
        while self._waiting is None:
            try:
                message = self.inbox.get_nowait()
            except queue.Empty:
                break
            if text_of(message, "do") in self.page.gentle:
                self._handle(message)
                done = True
            else:
                self._waiting = message
        if done:
            self.push()
        return done

    def is_wanted(self) -> bool:
        """Whether something waits to be done."""
        return self._waiting is not None or not self.inbox.empty()

    def place(self) -> bool:
        """Wait for one of the places for searches; False if the visitor wishes something else meanwhile."""
        while not _places.acquire(timeout=0.05):
            if self.is_wanted():
                return False
        return True

    def leave(self) -> None:
        """Give the place back."""
        _places.release()
