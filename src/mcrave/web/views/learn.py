"""The page that shows one simulation at a time."""

from __future__ import annotations

import math
import time

from mcrave.errors import Error
from mcrave.web import colours
from mcrave.web.boards import cells_of, layout, pieces, side_name
from mcrave.web.drawing import Scene, Spot, View
from mcrave.web.lesson import BACKUP, EXPAND, PHASES, PLAYOUT, POLICIES, READY, SELECT, Lesson, Numbers
from mcrave.web.markup import Html, join, tag
from mcrave.web.session import Session
from mcrave.web.views import equations, figures, growth
from mcrave.web.views.base import Handler, Message, Page, number_of, text_of

GAMES = (
    "mnk(size=3,length=3)",
    "nim(heaps=1-2)",
    "connect_four(rows=4,cols=5)",
    "hex(size=4)",
    "go(size=5)",
    "domineering(size=4)",
    "breakthrough(size=5)",
)
FIGURES = {figures.FIRST: "Five simulations, each adding a node", figures.FOURTH: "Monte-Carlo and AMAF disagree"}
HERE = "the game of the page Play"
BOARD = "main-board"
MOST_ROWS = 12
SLICE = 0.2  # seconds of simulations between two pictures
SAID = {
    READY: "Each simulation has four steps. Press Step (or the space bar).",
    SELECT: "At every node the move with the highest score is taken, until a position is not in the tree.",
    EXPAND: "That position becomes a node of the tree: the star.",
    PLAYOUT: "From there, random moves to the end of the game.",
    BACKUP: "The outcome is added to every node on the way. AMAF values also count the moves made later.",
}


class LearnPage(Page):
    """The four steps, on board and tree, with the numbers that change."""

    name, title = "learn", "Learn"

    def __init__(self, session: Session) -> None:
        """Tic-tac-toe with UCT to begin with."""
        super().__init__(session)
        self.game, self.policy = GAMES[0], "uct"
        self.figure, self.shown = "", 0
        self.lesson: Lesson | None = None
        self.left = 0
        """Simulations that were asked for at once and are not done yet."""

    def handlers(self) -> dict[str, Handler]:
        """Steps and choices."""
        return {
            "step": self._step,
            "many": lambda message: setattr(self, "left", min(max(number_of(message, "count", 1), 1), 200)),
            "reset": lambda message: self._begin(),
            "lesson": self._choose,
            "policy": self._policy,
            "figure": self._figure,
        }

    def _now(self) -> Lesson:
        if self.lesson is None:
            self._begin()
        assert self.lesson is not None
        return self.lesson

    def _begin(self) -> None:
        table = self.session.table
        start = table.position if self.game == HERE else self.session.allowed.game(self.game).start()
        if start.is_over:
            raise Error("the game on the page Play is over; take a move back, or choose another game")
        self.lesson, self.figure, self.left = Lesson(start, self.policy), "", 0

    def work(self) -> bool:
        """Some of the simulations that were asked for: on a large board they take long, and the tab may be closed."""
        if self.figure or not self.left:
            return False
        end = time.monotonic() + SLICE
        while self.left and time.monotonic() < end and not self.session.is_wanted():
            self._now().simulations(1)
            self.left -= 1
        return True

    def halt(self) -> None:
        """Ask for no more."""
        self.left = 0

    def _step(self, message: Message) -> None:
        self.left = 0
        if self.figure:
            self.shown = (self.shown + 1) % (figures.STEPS[self.figure] + 1)
        else:
            self._now().step()

    def _choose(self, message: Message) -> None:
        game = text_of(message, "value")
        self.game = game if game in (*GAMES, HERE) else GAMES[0]
        self._begin()

    def _policy(self, message: Message) -> None:
        policy = text_of(message, "policy")
        self.policy = policy if policy in POLICIES else "uct"
        self._begin()

    def _figure(self, message: Message) -> None:
        figure = text_of(message, "figure")
        self.figure, self.shown, self.left = (figure if figure in figures.STEPS else figures.FIRST), 1, 0

    # ------------------------------------------------------------------------------------ what is shown

    def regions(self) -> dict[str, Html]:
        """Board, tree, numbers."""
        if self.figure:
            return {
                "main": _figure_frame(),
                "main-controls": self._controls(),
                "main-figure": figures.shown(self.figure, self.shown),
                "main-next": _next("Next simulation"),
            }
        lesson = self._now()
        view = View(lesson.start.game, BOARD)
        ply = lesson.depth if lesson.phase == EXPAND else len(lesson.now.moves) if lesson.phase == PLAYOUT else 0
        return {
            "main": _frame(),
            "main-controls": self._controls(),
            BOARD: view.shell(str(lesson.start.game)),
            **view.layers(lesson.position(ply), self._scene(lesson)),
            "main-phase": self._phase(lesson),
            "main-tree": growth.drawing(lesson),
            "main-numbers": self._details(lesson),
        }

    def _scene(self, lesson: Lesson) -> Scene:
        scene = Scene()
        if lesson.phase == SELECT:
            shape = layout(lesson.start.game)
            scene.variation = [
                (lesson.now.plays[i][0], cells_of(shape, pieces(lesson.position(i)), name))
                for i, name in enumerate(lesson.names())
            ]
        if lesson.phase in (READY, BACKUP):
            names = {move: lesson.start.name(int(move)) for move in lesson.root.codes}
            for move, known in lesson.numbers(lesson.root).items():
                if known.n:
                    scene.heat = {
                        **scene.heat,
                        names[move]: Spot(
                            colours.worth(known.q), (f"{100 * known.q:.0f}", f"{known.n:g}"), False, 0.85
                        ),
                    }
        return scene

    def _controls(self) -> Html:
        options = [tag("option", each, value=each, selected=each == self.game) for each in (*GAMES, HERE)]
        chosen = [
            tag(
                "button",
                label,
                data_do="policy",
                data_policy=name,
                aria_pressed="true" if name == self.policy and not self.figure else "false",
            )
            for name, (label, _) in POLICIES.items()
        ]
        return join(
            tag("div", chosen, class_="segments", role="group", aria_label="tree policy"),
            tag("label", tag("span", "Game"), tag("select", options, data_change="lesson"), class_="field"),
            tag(
                "div",
                [
                    tag(
                        "button",
                        f"Figure {number}",
                        data_do="figure",
                        data_figure=number,
                        title=said,
                        aria_pressed="true" if number == self.figure else "false",
                    )
                    for number, said in FIGURES.items()
                ],
                class_="buttons",
            ),
        )

    def _phase(self, lesson: Lesson) -> Html:
        bar = [
            tag("span", phase, class_="on" if number == lesson.phase else None)
            for number, phase in enumerate(PHASES)
            if number
        ]
        who = (
            f" {side_name(lesson.start.game, 0)} wins are counted in the tree."
            if lesson.start.game.players == 2
            else ""
        )
        return join(
            tag("div", bar, class_="phases"),
            tag("p", SAID[lesson.phase], who if lesson.phase in (READY, BACKUP) else None),
            tag(
                "div",
                tag("button", "Step", data_do="step", class_="primary", title="The next of the four steps (Space)"),
                [
                    tag("button", f"{count} simulation{'s'[: count > 1]}", data_do="many", data_count=count)
                    for count in (1, 10, 100)
                ],
                tag("button", "Begin again", data_do="reset"),
                class_="buttons",
            ),
            tag("p", f"{lesson.count} simulation{'s'[: lesson.count != 1]} so far", class_="dim"),
        )

    def _details(self, lesson: Lesson) -> Html:
        """What this step is about, in numbers."""
        formula = tag("p", equations.GENERAL[lesson.policy], class_="formula")
        if lesson.phase in (SELECT, EXPAND):
            return join(formula, self._choices(lesson))
        if lesson.phase == PLAYOUT:
            names, result = lesson.names(), lesson.now.states[-1].outcome(0)
            tree = tag("b", " ".join(names[: lesson.depth]))
            text = {1.0: "wins", 0.0: "loses"}.get(result, f"gets {result:g}")
            return join(
                tag("p", tree, " ", " ".join(names[lesson.depth :][:120])),
                tag("p", f"{side_name(lesson.start.game, 0)} {text}: z = {result:g}", class_="formula"),
            )
        if lesson.phase == BACKUP:
            return join([self._changes(lesson, depth) for depth in range(len(lesson.now.path))])
        return formula

    def _choices(self, lesson: Lesson) -> Html:
        if not lesson.search.selections:
            return tag("p", "There is no node yet: the root is made now.")
        shown = []
        for depth, selection in enumerate(lesson.search.selections):
            names: dict[object, str] = {move: lesson.name(depth, move) for move in selection.scores}
            where = "At the root" if depth == 0 else f"After {' '.join(lesson.names()[:depth])}"
            shown.append(
                join(
                    tag("h3", f"{where}, N(s) = {selection.nodes[-1].total:g}: {names[selection.move]}"),
                    equations.shown(lesson.policy, selection, names),
                )
            )
        return join(shown)

    def _changes(self, lesson: Lesson, depth: int) -> Html:
        """Before and after for the moves of one node whose numbers changed."""
        node, move = lesson.now.path[depth]
        before, after = lesson.before[depth], lesson.numbers(node)
        changed = [each for each in after if not _same(before[each], after[each])]
        changed.sort(key=lambda each: each != move)
        where = "Root" if depth == 0 else f"Node after {' '.join(lesson.names()[:depth])}"
        uses_amaf = lesson.policy != "uct"
        if not uses_amaf:
            changed = [each for each in changed if each == move]
        head = ["move", "N", "Q", *(["Ñ", "Q̃"] if uses_amaf else [])]
        rows = [
            tag(
                "tr",
                tag("td", tag("b", lesson.name(depth, each))),
                [_pair(a, b) for a, b in list(zip(before[each], after[each], strict=True))[: 4 if uses_amaf else 2]],
                class_="best" if each == move else None,
            )
            for each in changed[:MOST_ROWS]
        ]
        more = (
            tag("p", f"and {len(changed) - MOST_ROWS} moves more", class_="dim") if len(changed) > MOST_ROWS else None
        )
        table = (
            tag(
                "table", tag("thead", tag("tr", [tag("th", each) for each in head])), tag("tbody", rows), class_="moves"
            )
            if rows
            else None
        )
        return join(tag("h3", f"{where}: {node.visits} simulation{'s'[: node.visits != 1]}"), table, more)


def _same(a: Numbers, b: Numbers) -> bool:
    return all(x == y or (math.isnan(x) and math.isnan(y)) for x, y in zip(a, b, strict=True))


def _pair(before: float, after: float) -> Html:
    def text(value: float) -> str:
        return "–" if math.isnan(value) else f"{value:g}" if value == int(value) else f"{value:.3f}"

    if text(before) == text(after):
        return tag("td", text(after))
    return tag("td", tag("span", f"{text(before)} → ", class_="dim"), text(after))


def _next(label: str) -> Html:
    return tag(
        "div",
        tag("button", label, data_do="step", class_="primary"),
        tag("button", "Back to the lesson", data_do="reset"),
        class_="buttons",
    )


def _frame() -> Html:
    left = tag(
        "section",
        tag("div", id="main-controls", class_="card"),
        tag("div", id=BOARD, class_="boardbox small"),
        class_="left",
    )
    right = tag(
        "section",
        tag("div", id="main-phase", class_="card"),
        tag("div", id="main-tree", class_="card scroll"),
        tag("div", id="main-numbers", class_="card scroll"),
        class_="right",
    )
    return tag("div", left, right, class_="two learn")


def _figure_frame() -> Html:
    left = tag("section", tag("div", id="main-controls", class_="card"), tag("div", id="main-next"), class_="left")
    return tag(
        "div", left, tag("section", tag("div", id="main-figure", class_="card"), class_="right"), class_="two learn"
    )
