"""The page on which two players think about the same position, side by side."""

from __future__ import annotations

from mcrave.errors import Error
from mcrave.search import Report
from mcrave.web.drawing import Scene, View
from mcrave.web.live import Glance, LivePlayer
from mcrave.web.markup import Html, empty, join, tag
from mcrave.web.session import Session
from mcrave.web.views import see
from mcrave.web.views.base import Handler, Message, Page, text_of

SLICE = 0.25  # seconds that each thinks at a time
ROWS = 14
SIDES = ("main-left", "main-right")


class ComparePage(Page):
    """Two boards with what each thinks, and the moves on which they differ most."""

    name, title = "compare", "Compare"
    gentle = frozenset({"heat"})

    def __init__(self, session: Session) -> None:
        """MC–RAVE beside GRAVE."""
        super().__init__(session)
        self.texts = ["mc_rave@20000", "grave@20000"]
        self.heat, self.running = "visits", False
        self.glances: list[Glance | None] = [None, None]
        self.position = session.table.position

    def handlers(self) -> dict[str, Handler]:
        """Begin, stop, choose."""
        return {
            "think": self._think,
            "heat": lambda message: setattr(
                self, "heat", text_of(message, "heat") if text_of(message, "heat") in see.KINDS else "visits"
            ),
            "first": lambda message: self._player(0, message),
            "second": lambda message: self._player(1, message),
            "undo": lambda message: self._go(-1),
            "redo": lambda message: self._go(1),
        }

    def _think(self, message: Message) -> None:
        self.running = not self.running
        if self.running:
            self.glances = [None, None]

    def _player(self, side: int, message: Message) -> None:
        text = text_of(message, "value").strip()
        if not isinstance(self.session.engine(text, self.session.table.game, side + 5), LivePlayer):
            raise Error("to compare, both must search, as in mc_rave@20000")
        self.texts[side] = text
        self.glances = [None, None]

    def _go(self, by: int) -> None:
        self.session.table.go_to(self.session.table.at + by)

    def work(self) -> bool:
        """A slice of thinking for each, in turn, until both have used their budgets."""
        table = self.session.table
        if self.position is not table.position:
            self.position, self.glances = table.position, [None, None]
        if not self.running or self.position.is_over:
            return False
        for side, text in enumerate(self.texts):
            player = self.session.engine(text, table.game, side + 5)
            assert isinstance(player, LivePlayer)
            if not self._slice(side, player):
                return False
        self.running = any(glance is None or glance.running for glance in self.glances)
        return True

    def halt(self) -> None:
        """Stop."""
        self.running = False

    def _slice(self, side: int, player: LivePlayer) -> bool:
        """Think a little; False if the visitor wishes something else."""
        simulations, seconds = player.setup.budget
        fresh = self.glances[side] is None
        done, taken = (0, 0.0) if fresh else (player.done, player.seconds)
        if (simulations and done >= simulations) or (seconds and taken >= seconds):
            return True
        if fresh:
            player._earlier = (None, 0, 0.0)
        if not self.session.ready(player, self.position.game) or not self.session.place():
            return False
        try:
            most = min(SLICE, seconds - taken) if seconds else SLICE
            player.think(self.position, simulations - done if simulations else None, most)
        finally:
            self.session.leave()
        running = player.done < simulations if simulations else player.seconds < seconds
        self.glances[side] = player.glance(self.position, running)
        return not player.aborted

    # ------------------------------------------------------------------------------------ what is shown

    def regions(self) -> dict[str, Html]:
        """Both boards, and where they differ."""
        position = self.session.table.position
        found: dict[str, Html] = {"main": _frame(), "main-controls": self._controls()}
        for side, name in enumerate(SIDES):
            glance = self.glances[side]
            if glance is not None and glance.position is not position:
                glance = None
            view, scene = View(position.game, f"{name}-board"), Scene()
            if glance is not None:
                scene.heat = see.heat(position, glance.report, self.heat, ())
                scene.arrows = see.arrows(position, glance.report, ())
            found |= {
                f"{name}-head": self._head(side),
                f"{name}-board": view.shell(self.texts[side]),
                **view.layers(position, scene),
            }
            found[f"{name}-numbers"] = see.numbers(glance, "Getting ready …" if self.running else "Press Think.")
        left, right = self.glances
        shown = left is not None and right is not None and left.position is position
        found["main-differences"] = (
            differences(left.report, right.report, self.texts)
            if shown and left and right
            else tag("p", "Where do they differ? Press Think.", class_="dim")
        )
        return found

    def _head(self, side: int) -> Html:
        wish = ("first", "second")[side]
        return tag(
            "label",
            tag("span", "Left" if side == 0 else "Right"),
            empty("input", value=self.texts[side], data_change=wish, maxlength=200, class_="mono"),
            class_="field",
        )

    def _controls(self) -> Html:
        kinds = [kind for kind in see.KINDS if kind not in ("ownership", "off")]
        shown = [
            tag(
                "button",
                see.KINDS[kind],
                data_do="heat",
                data_heat=kind,
                aria_pressed="true" if kind == self.heat else "false",
            )
            for kind in kinds
        ]
        table = self.session.table
        return join(
            tag("button", "Stop" if self.running else "Think", data_do="think", class_="primary"),
            tag("div", shown, class_="segments", role="group", aria_label="colour the boards by"),
            tag("button", "‹", data_do="undo", title="One move back", disabled=table.at == 0),
            tag("button", "›", data_do="redo", title="One move on", disabled=table.is_live),
            tag("span", f"{table.game}, move {table.at}", class_="dim mono"),
        )


def differences(left: Report, right: Report, texts: list[str]) -> Html:
    """The moves, those first on whose share of visits the two differ most."""
    by_name = [{move.move: move for move in report.moves} for report in (left, right)]
    totals = [max(1, sum(move.visits for move in report.moves)) for report in (left, right)]

    def share(side: int, name: str) -> float:
        return by_name[side][name].visits / totals[side] if name in by_name[side] else 0.0

    ranked = sorted(
        by_name[0].keys() & by_name[1].keys(), key=lambda name: (-abs(share(0, name) - share(1, name)), name)
    )
    rows = []
    for name in ranked[:ROWS]:
        cells = [tag("td", tag("b", name))]
        for key in ("visits", "value", "amaf_value", "beta"):
            for side in (0, 1):
                move = by_name[side][name]
                known = move.visits if key in ("visits", "value") else move.amaf_visits
                text = (
                    f"{100 * share(side, name):.1f} %"
                    if key == "visits"
                    else f"{getattr(move, key):.3f}"
                    if known
                    else "–"
                )
                cells.append(tag("td", text, class_="second" if side else None))
        rows.append(tag("tr", cells, class_="best" if name in (left.best, right.best) else None))
    heads = [tag("th", "Move")] + [
        tag("th", f"{label} {side}") for label in ("Visits", "MC", "AMAF", "β") for side in ("L", "R")
    ]
    if left.best == right.best:
        said = f"Both choose {left.best}."
    else:
        chosen = [
            f"{text} chooses {report.best} ({100 * share(side, str(report.best)):.0f} % of its visits)"
            for side, (text, report) in enumerate(zip(texts, (left, right), strict=True))
        ]
        said = ", ".join(chosen) + "."
    return join(
        tag("p", tag("b", said)), tag("table", tag("thead", tag("tr", heads)), tag("tbody", rows), class_="moves")
    )


def _frame() -> Html:
    def side(name: str) -> Html:
        return tag(
            "section",
            tag("div", id=f"{name}-head"),
            tag("div", id=f"{name}-board", class_="boardbox small"),
            tag("div", id=f"{name}-numbers", class_="card"),
        )

    return join(
        tag("div", id="main-controls", class_="row card"),
        tag("div", side(SIDES[0]), side(SIDES[1]), class_="pair"),
        tag("div", id="main-differences", class_="card scroll"),
    )
