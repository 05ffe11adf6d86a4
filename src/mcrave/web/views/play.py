"""The page to play on, and to see an engine think."""

from __future__ import annotations

import time

from mcrave.errors import Error
from mcrave.games import Position
from mcrave.games.go import Go
from mcrave.gtp.ownership import ownership
from mcrave.web import files
from mcrave.web.boards import (
    TEXT,
    about,
    cells_of,
    choices,
    clicked,
    layout,
    other_moves,
    pieces,
    side_name,
    territory,
    tone,
)
from mcrave.web.drawing import Scene, Step, View
from mcrave.web.live import Glance, LivePlayer
from mcrave.web.markup import Html, empty, join, tag
from mcrave.web.session import Session
from mcrave.web.table import HUMAN, Table
from mcrave.web.views import see, setup
from mcrave.web.views.base import Handler, Message, Page, number_of, text_of

ANALYST = "grave@20s"
PACE = 0.35  # seconds between moves of engines among themselves
BOARD = "main-board"
VARIATION = 12
IDLE = "No search yet. Let an engine play, or press Analyse."
COMPILING = "Getting ready: a search of a new kind is compiled once, then kept on disk."


class PlayPage(Page):
    """A board, those who play, and what they think."""

    name, title = "play", "Play"
    gentle = frozenset({"hover", "heat", "sort", "more", "walk", "form", "numbers"})

    def __init__(self, session: Session) -> None:
        """Nothing is thought yet."""
        super().__init__(session)
        self.picked: tuple[str, ...] = ()
        self.heat, self.sort, self.more, self.hover = "visits", "visits", False, ""
        self.way: list[str] = []
        self.paused = self.analysing = self.thinking = self.complete = False
        self.chosen = ""
        self.analyst = ANALYST
        self.thinker: LivePlayer | None = None
        self.glance: Glance | None = None
        self.note = ""

    @property
    def table(self) -> Table:
        """The session's game."""
        return self.session.table

    def handlers(self) -> dict[str, Handler]:
        """Everything that can be clicked."""
        return {
            "cell": self._cell,
            "move": lambda message: self._move(text_of(message, "move")),
            "choose": lambda message: self._move(text_of(message, "move")) if self._may_move() else None,
            "undo": lambda message: self._turn(self.table.undo),
            "redo": lambda message: self._turn(self.table.redo),
            "goto": lambda message: self._turn(lambda: self.table.go_to(number_of(message, "at"))),
            "first": lambda message: self._turn(lambda: self.table.go_to(0)),
            "last": lambda message: self._turn(lambda: self.table.go_to(len(self.table.line))),
            "back": lambda message: self._turn(lambda: self.table.go_to(self.table.at - 1)),
            "forth": lambda message: self._turn(lambda: self.table.go_to(self.table.at + 1)),
            "resume": lambda message: self._turn(self.table.truncate),
            "resign": lambda message: self._turn(self.table.resign),
            "pause": self._pause,
            "analyse": self._analyse,
            "analyst": self._analyst,
            "new": self._new,
            "form": lambda message: setattr(self, "chosen", text_of(message, "value")[:80]),
            "heat": lambda message: setattr(
                self, "heat", text_of(message, "heat") if text_of(message, "heat") in see.KINDS else "off"
            ),
            "sort": lambda message: setattr(
                self, "sort", text_of(message, "sort") if text_of(message, "sort") in see.COLUMNS else "visits"
            ),
            "more": lambda message: setattr(self, "more", not self.more),
            "hover": lambda message: setattr(self, "hover", text_of(message, "move")[:40]),
            "walk": lambda message: setattr(
                self, "way", [move for move in text_of(message, "way")[:400].split(".") if move]
            ),
            "save": self._save,
            "open": self._open,
        }

    # ------------------------------------------------------------------------------------ what is done

    def _may_move(self) -> bool:
        """Whether a person is to move where one looks."""
        table = self.table
        free = not table.position.is_over and (table.resigned is None or not table.is_live)
        return free and table.seats[table.position.to_move] == HUMAN

    def _cell(self, message: Message) -> None:
        if not self._may_move():
            return
        move, self.picked = clicked(self.table.position, self.picked, text_of(message, "cell"))
        if move is not None:
            self._move(move)

    def _move(self, move: str) -> None:
        if not self._may_move():
            raise Error("it is not your turn")
        self._turn(lambda: self.table.play(move))

    def _turn(self, change: object) -> None:
        """Change the position; what was picked and walked to belongs to the old one."""
        assert callable(change)
        change()
        self.picked, self.way, self.hover, self.glance, self.thinker = (), [], "", None, None
        self.complete = False

    def _pause(self, message: Message) -> None:
        self.paused = not self.paused

    def _analyse(self, message: Message) -> None:
        self.analysing, self.complete = not self.analysing, False

    def _analyst(self, message: Message) -> None:
        text = text_of(message, "value").strip()
        if not isinstance(self.session.engine(text, self.table.game), LivePlayer):
            raise Error("an analysis needs a search, as in grave@20s")
        self.analyst, self.glance, self.thinker, self.complete = text, None, None, False

    def _new(self, message: Message) -> None:
        table = setup.new_table(message, self.session.allowed)
        self.session.table = table
        self.chosen, self.paused = "", False
        self._turn(lambda: None)

    def _save(self, message: Message) -> None:
        kind, table = text_of(message, "kind"), self.table
        writers = {"sgf": files.as_sgf, "json": files.as_json, "svg": files.as_svg}
        if kind not in writers:
            raise Error("a game is saved as sgf, json or svg")
        mime = {"sgf": "application/x-go-sgf", "json": "application/json", "svg": "image/svg+xml"}[kind]
        self.session.send({"file": {"name": f"{table.game.name}.{kind}", "type": mime, "text": writers[kind](table)}})

    def _open(self, message: Message) -> None:
        self.session.table = files.from_text(text_of(message, "text"), self.session.allowed)
        self.chosen = ""
        self._turn(lambda: None)

    # ------------------------------------------------------------------------------------ thinking

    def work(self) -> bool:
        """Let the engine whose turn it is move, or analyse."""
        table = self.table
        if table.is_live and not table.is_over and not self.paused and table.seats[table.position.to_move] != HUMAN:
            return self._engine_moves()
        if self.analysing and not table.position.is_over and not self.complete:
            return self._go_on()
        return False

    def _engine_moves(self) -> bool:
        table, position, began = self.table, self.table.position, time.monotonic()
        player = self.session.engine(table.seats[position.to_move], table.game, position.to_move)
        self._begin(player)
        if not self.session.ready(player, table.game) or not self.session.place():
            self._end()
            return False
        try:
            move = player.choose(position)
        finally:
            self._end()
            self.session.leave()
        if isinstance(player, LivePlayer):
            if player.aborted:
                return False
            self._remember(player, position)
        if HUMAN not in table.seats:
            while time.monotonic() - began < PACE:
                if self.session.is_wanted():
                    return False
                time.sleep(0.02)
        glance, thinker = self.glance, self.thinker
        self._turn(lambda: table.play(move))
        self.glance, self.thinker = glance, thinker
        return True

    def _go_on(self) -> bool:
        position = self.table.position
        player = self.session.engine(self.analyst, self.table.game, 9)
        assert isinstance(player, LivePlayer)
        self._begin(player)
        if not self.session.ready(player, self.table.game) or not self.session.place():
            self._end()
            return False
        try:
            simulations, seconds = player.setup.budget
            player.think(position, simulations or None, seconds or None)
        finally:
            self._end()
            self.session.leave()
        self._remember(player, position)
        self.complete = not player.aborted
        return self.complete

    def halt(self) -> None:
        """Wait until somebody chooses something else."""
        self.paused, self.analysing, self.thinking = True, False, False

    def _begin(self, player: object) -> None:
        self.thinking = True
        self.thinker = player if isinstance(player, LivePlayer) else None
        self.glance = None
        self.session.push()

    def _end(self) -> None:
        self.thinking = False

    def _remember(self, player: LivePlayer, position: Position) -> None:
        self.glance = player.glance(position, running=False)
        if self.glance is not None and self.table.game.players == 2:
            value = self.glance.report.value
            self.table.values[self.table.line.index(position)] = value if position.to_move == 0 else 1.0 - value

    def _look(self) -> Glance | None:
        """What is known now: of the running search, or of the last one."""
        if self.thinking and self.thinker is not None and self.thinker.done:
            return self.thinker.glance(self.table.position, running=True)
        return self.glance

    # ------------------------------------------------------------------------------------ what is shown

    def regions(self) -> dict[str, Html]:
        """The board with everything around it."""
        table, glance = self.table, self._look()
        view = View(table.game, BOARD)
        scene = self._scene(glance)
        return {
            "main": _frame(),
            BOARD: view.shell(str(table.game)),
            **view.layers(table.position, scene),
            "main-status": self._status(),
            "main-buttons": self._buttons(),
            "main-heat": self._switches(glance),
            "main-numbers": see.numbers(glance, COMPILING if self.thinking else IDLE),
            "main-table": see.move_table(glance.report, self.sort, self.more)
            if glance and glance.report.moves
            else Html(""),
            "main-tree": self._tree(glance),
            "main-graph": see.graph(table.values, len(table.line) - 1, table.at, side_name(table.game, 0))
            if table.game.players == 2
            else Html(""),
            "main-form": setup.form(table, self.chosen or table.text.partition("(")[0], self.session.allowed),
            "main-files": self._files(),
        }

    def _scene(self, glance: Glance | None) -> Scene:
        position = self.table.position
        scene = Scene(picked=self.picked)
        if self._may_move():
            scene.targets = list(choices(position, self.picked))
        if position.is_over:
            scene.territory = territory(position)
        if glance is not None and glance.position is position:
            if self.heat == "ownership" and isinstance(position.game, Go) and not position.is_over:
                scene.owners = ownership(glance.report.owners, position.game).points
            scene.heat = see.heat(position, glance.report, self.heat, self.picked)
            if self.heat != "off":
                scene.arrows = see.arrows(position, glance.report, self.picked)
            scene.variation = self._variation(glance)
        return scene

    def _variation(self, glance: Glance) -> list[Step]:
        """What the search expects after the move that the mouse is on."""
        names = {move.move.lower(): move for move in glance.report.moves}
        on_cell = choices(glance.position, self.picked).get(self.hover, [])
        here = [names[name.lower()] for name in (self.hover, *on_cell) if name.lower() in names]
        move = max(here, key=lambda each: each.visits, default=None)
        reader = self.thinker.reader(glance.position) if self.thinker else None
        if move is None or not move.visits or reader is None:
            return []
        position, steps = glance.position, []
        shape = layout(position.game)
        for name in reader.principal_variation(move.move)[:VARIATION]:
            steps.append((position.to_move, cells_of(shape, pieces(position), name)))
            position = position.play(name)
        return steps

    def _tree(self, glance: Glance | None) -> Html:
        if glance is None or self.thinker is None:
            return see.icicle({}, [])
        return see.icicle(*see.subtree(self.thinker, glance.position, self.way))

    def _status(self) -> Html:
        table, game = self.table, self.table.game
        rows = []
        for seat, (text, count) in enumerate(zip(table.seats, table.counts(), strict=True)):
            turn = seat == table.position.to_move and not table.position.is_over and table.resigned is None
            name = "You" if text == HUMAN else text
            state = "thinking" if turn and self.thinking and text != HUMAN else "to move" if turn else ""
            rows.append(
                tag(
                    "div",
                    tag("span", class_=f"disc {tone(game, seat)}"),
                    tag("b", side_name(game, seat)),
                    tag("span", name, class_="mono"),
                    tag("span", count, class_="dim"),
                    tag("em", state),
                    class_="seat turn" if turn else "seat",
                )
            )
        result = table.result() if table.is_live or table.resigned is not None else ""
        shown = tag("div", result, class_="result", role="status") if result else None
        return join(tag("h2", str(game), class_="mono"), tag("p", about(game), class_="dim"), rows, shown)

    def _buttons(self) -> Html:
        table = self.table
        mine = self._may_move()
        others = other_moves(table.position) if mine else []
        moves = [
            tag("button", name.capitalize() if name in ("pass", "swap") else name, data_do="move", data_move=name)
            for name in others[:300]
        ]
        engines = any(seat != HUMAN for seat in table.seats)
        return join(
            tag(
                "div",
                _button("«", "first", "To the start (Home)", table.at == 0),
                _button("‹", "back", "One move back (←)", table.at == 0),
                _button("›", "forth", "One move on (→)", table.is_live),
                _button("»", "last", "To the end (End)", table.is_live),
                _button("Undo", "undo", "Take back (U)", table.at == 0),
                _button("Redo", "redo", "Play again what was taken back (R)", table.is_live),
                moves if layout(table.game).look != TEXT else None,
                _button("Resign", "resign", "Give up", not (mine and table.is_live)),
                _button("Go on" if self.paused else "Pause", "pause", "Let engines wait (Space)", False)
                if engines
                else None,
                _button("Play on from here", "resume", "Forget the moves after this one", False)
                if not table.is_live
                else None,
                class_="buttons",
            ),
            tag("div", moves, class_="buttons many") if layout(table.game).look == TEXT else None,
        )

    def _switches(self, glance: Glance | None) -> Html:
        kinds = dict(see.KINDS)
        if not isinstance(self.table.game, Go):
            kinds.pop("ownership")
        shown = [
            tag("button", label, data_do="heat", data_heat=kind, aria_pressed="true" if kind == self.heat else "false")
            for kind, label in kinds.items()
        ]
        analyse = tag(
            "button",
            "Analysing" if self.analysing else "Analyse",
            data_do="analyse",
            aria_pressed="true" if self.analysing else "false",
            class_="primary",
            title="Let an engine think about this position (A)",
        )
        by = empty(
            "input",
            value=self.analyst,
            data_change="analyst",
            maxlength=200,
            aria_label="the analysing player",
            class_="mono",
        )
        return join(
            tag("div", analyse, by, class_="row"),
            tag("div", shown, class_="segments", role="group", aria_label="colour the board by"),
            _legend(self.heat),
        )

    def _files(self) -> Html:
        sgf = tag("button", "Save SGF", data_do="save", data_kind="sgf") if isinstance(self.table.game, Go) else None
        return join(
            tag(
                "label",
                "Open SGF or JSON",
                empty("input", type="file", accept=".sgf,.json", data_upload="open"),
                class_="button",
            ),
            sgf,
            tag("button", "Save JSON", data_do="save", data_kind="json"),
            tag("button", "Board as SVG", data_do="save", data_kind="svg"),
            tag("button", "Copy link", data_copy="link"),
        )


def _button(text: str, wish: str, title: str, disabled: bool) -> Html:
    return tag(
        "button", text, data_do=wish, title=title, aria_label=title if len(text) == 1 else None, disabled=disabled
    )


def _legend(kind: str) -> Html:
    said = {
        "visits": "darker: more simulations began with the move; on it: MC value in % and visits",
        "value": "blue: won, orange: lost, by the mean of the simulations that began with the move",
        "amaf_value": "blue: won, orange: lost, by all simulations in which the player made the move at any time",
        "beta": "how much the AMAF value weighs beside the MC value",
        "prior": "how many simulations the prior stands for",
        "ownership": "whose each point was when the simulations ended",
    }
    return tag("p", said.get(kind, ""), class_="dim")


def _frame() -> Html:
    def box(name: str, title: str, opened: bool = False) -> Html:
        return tag("details", tag("summary", title), tag("div", id=name), class_="card", open=opened)

    left = tag(
        "section",
        tag("div", id=BOARD, class_="boardbox", tabindex=0, aria_label="board: arrow keys and Enter"),
        tag("div", id="main-buttons"),
        tag("div", id="main-graph", class_="card"),
        class_="left",
    )
    right = tag(
        "section",
        tag("div", id="main-status", class_="card"),
        box("main-form", "New game"),
        tag(
            "div",
            tag("div", id="main-heat"),
            tag("div", id="main-numbers"),
            tag("div", id="main-table", class_="scroll"),
            class_="card",
        ),
        box("main-tree", "Search tree: width is visits, colour the value", True),
        tag("details", tag("summary", "Files and links"), tag("div", id="main-files", class_="buttons"), class_="card"),
        class_="right",
    )
    return tag("div", left, right, class_="two")
