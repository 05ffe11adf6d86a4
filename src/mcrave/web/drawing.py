"""Boards as SVG, in layers: the page replaces a layer when it changes, and a download puts them into one file.

All colours are attributes, so that a downloaded board looks the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mcrave.games import Game, Position
from mcrave.games.hex import Hex
from mcrave.web import colours
from mcrave.web.boards import (
    BLOCK,
    CHEQUERED,
    HEAPS,
    HEXAGONS,
    KING,
    LINES,
    TEXT,
    Cell,
    Mark,
    cells_of,
    layout,
    path,
    pieces,
    tone,
)
from mcrave.web.markup import Html, join, tag
from mcrave.web.shapes import hexagon, pair, stars, words

UNIT = 40.0
MARGIN = 24.0
WIDE_MARGIN = 44.0  # around hexagons, for the goals
MOST_WIDTH = 720.0
LAYERS = ("ground", "heat", "stones", "marks", "line", "targets")


Step = tuple[int, tuple[str, ...]]
"""A move of a variation: its player, and its cells."""


class Spot(NamedTuple):
    """A coloured cell, with up to two lines of text."""

    colour: str
    texts: tuple[str, ...] = ()
    best: bool = False
    strength: float = 1.0


@dataclass
class Scene:
    """What is shown beside the pieces; everything by the names of cells."""

    heat: Mapping[str, Spot] = field(default_factory=dict)
    owners: Mapping[str, float] = field(default_factory=dict)
    """1 the first player's, -1 the second's."""
    territory: Mapping[str, int] = field(default_factory=dict)
    variation: Sequence[Step] = ()
    """Moves to be shown as numbered stones."""
    targets: Sequence[str] = ()
    picked: Sequence[str] = ()
    arrows: Sequence[tuple[str, str, str]] = ()
    """From, to, colour."""


class View:
    """A board of one game, drawn again and again."""

    def __init__(self, game: Game, name: str = "board") -> None:
        """`name` begins the ids of all layers."""
        self.game, self.name, self.shape = game, name, layout(game)
        self.margin = WIDE_MARGIN if self.shape.look == HEXAGONS else MARGIN
        cells = self.shape.cells or (Cell("", 8.0, 8.0, 0, 0),)
        self.width = max(cell.x for cell in cells) * UNIT + 2 * self.margin + UNIT
        self.height = max(cell.y for cell in cells) * UNIT + 2 * self.margin + UNIT

    def shell(self, label: str) -> Html:
        """The empty picture with its layers, into which `layers` are put."""
        layers = [tag("g", id=f"{self.name}-{layer}") for layer in LAYERS]
        return self._svg(label, layers)

    def picture(self, position: Position, scene: Scene, label: str) -> Html:
        """The whole picture in one text."""
        return self._svg(label, list(self.layers(position, scene).values()), xmlns="http://www.w3.org/2000/svg")

    def layers(self, position: Position, scene: Scene) -> dict[str, Html]:
        """The contents of all layers, by their ids."""
        if self.shape.look == TEXT:
            drawn = {"ground": self._text(position)}
        else:
            marks = pieces(position)
            drawn = {
                "ground": self._ground(),
                "heat": join([self._heat(name, spot) for name, spot in scene.heat.items()]),
                "stones": join(
                    [self._piece(name, mark) for name, mark in marks.items()], self._dominoes(position, marks)
                ),
                "marks": self._marks(position, scene, marks),
                "line": join(
                    [self._way(*arrow, marks) for arrow in scene.arrows],
                    [self._numbered(*step) for step in list(enumerate(scene.variation, 1))[::-1]],
                ),
                "targets": join([self._target(name, position, marks, bool(scene.picked)) for name in scene.targets]),
            }
        return {f"{self.name}-{layer}": drawn.get(layer, Html("")) for layer in LAYERS}

    def _svg(self, label: str, inside: Sequence[object], **attributes: str) -> Html:
        box = f"0 0 {self.width:.0f} {self.height:.0f}"
        return tag(
            "svg",
            inside,
            viewBox=box,
            width=min(MOST_WIDTH, 2.6 * self.width),
            role="group",
            aria_label=label,
            class_=f"board {self.shape.look}",
            **attributes,
        )

    def _at(self, name: str) -> tuple[float, float] | None:
        cell = self.shape.find(name)
        return (
            None if cell is None else (cell.x * UNIT + self.margin + UNIT / 2, cell.y * UNIT + self.margin + UNIT / 2)
        )

    # ------------------------------------------------------------------------------------ ground

    def _ground(self) -> Html:
        look = self.shape.look
        frame = tag(
            "rect", width=self.width, height=self.height, rx=10, fill=colours.WOOD if look == LINES else colours.PAPER
        )
        if look == LINES:
            return join(frame, self._grid_lines(), self._labels())
        if look == HEXAGONS:
            return join(frame, self._goals(), [self._hexagon(cell) for cell in self.shape.cells], self._hex_labels())
        if look == HEAPS:
            return join(frame, self._labels())
        return join(frame, [self._square(cell, look == CHEQUERED) for cell in self.shape.cells], self._labels())

    def _grid_lines(self) -> Html:
        rows, cols = len(self.shape.rows), len(self.shape.columns)
        low, right, bottom = (
            self.margin + UNIT / 2,
            (cols - 0.5) * UNIT + self.margin,
            (rows - 0.5) * UNIT + self.margin,
        )
        lines = [f"M{low},{low + row * UNIT}H{right}" for row in range(rows)]
        lines += [f"M{low + col * UNIT},{low}V{bottom}" for col in range(cols)]
        dots = [
            tag("circle", cx=low + col * UNIT, cy=low + row * UNIT, r=4, fill=colours.LINE)
            for row, col in stars(rows, cols)
        ]
        return join(
            tag("path", d="".join(lines), stroke=colours.LINE, stroke_width=1.2, fill="none", stroke_linecap="square"),
            dots,
        )

    def _square(self, cell: Cell, chequered: bool) -> Html:
        dark = chequered and (cell.row + cell.col) % 2
        x, y = cell.x * UNIT + self.margin, cell.y * UNIT + self.margin
        fill = colours.SHADE if dark else "#f6ecd6"
        return tag("rect", x=x, y=y, width=UNIT, height=UNIT, fill=fill, stroke="#b89d6b", stroke_width=0.8)

    def _hexagon(self, cell: Cell) -> Html:
        x, y = cell.x * UNIT + self.margin + UNIT / 2, cell.y * UNIT + self.margin + UNIT / 2
        return tag("polygon", points=hexagon(x, y, UNIT), fill=colours.HEXES, stroke="#a98f60", stroke_width=1.2)

    def _goals(self) -> Html:
        """In Hex, whose side is whose."""
        if not isinstance(self.game, Hex):
            return Html("")
        corner = {(cell.row, cell.col): self._at(cell.name) or (0.0, 0.0) for cell in self.shape.cells}
        rows, cols = max(row for row, _ in corner), max(col for _, col in corner)
        far = UNIT * 0.78
        ends = [corner[0, 0], corner[0, cols], corner[rows, cols], corner[rows, 0]]
        a, b, c, d = ends
        sides = [
            ((a, b), (0, -far), "dark"),
            ((d, c), (0, far), "dark"),
            ((a, d), (-far, 0), "light"),
            ((b, c), (far, 0), "light"),
        ]
        drawn = []
        for ((x1, y1), (x2, y2)), (dx, dy), who in sides:
            fill, stroke = colours.STONES[who]
            line = {"x1": x1 + dx, "y1": y1 + dy, "x2": x2 + dx, "y2": y2 + dy}
            for colour, width in ((stroke, 11), (fill, 8)):
                drawn.append(tag("line", **line, stroke=colour, stroke_width=width, stroke_linecap="round"))
        return join(drawn)

    def _labels(self) -> Html:
        low = self.margin + UNIT / 2
        bottom = self.height - self.margin / 2
        rows = [self._label(self.margin / 2, low + row * UNIT, label) for row, label in enumerate(self.shape.rows)]
        return join(
            rows, [self._label(low + col * UNIT, bottom, label) for col, label in enumerate(self.shape.columns)]
        )

    def _hex_labels(self) -> Html:
        firsts = {cell.row: cell for cell in reversed(self.shape.cells)}
        shown = []
        for row, cell in firsts.items():
            x, y = self._at(cell.name) or (0.0, 0.0)
            shown.append(self._label(x - UNIT * 1.2, y, self.shape.rows[row]))
        columns: dict[str, list[Cell]] = {}
        for cell in self.shape.cells:
            columns.setdefault(cell.name.rstrip("0123456789"), []).append(cell)
        for letters, cells in columns.items():  # at the top, in the direction in which the column runs
            x, y = self._at(cells[0].name) or (0.0, 0.0)
            right = len(cells) > 1 and cells[1].x < cells[0].x
            shown.append(self._label(x + UNIT * (0.62 if right else -0.62), y - UNIT * 1.12, letters))
        return join(shown)

    def _label(self, x: float, y: float, text: str) -> Html:
        return words(x, y, text, 13, "#5b4a2c")

    def _text(self, position: Position) -> Html:
        lines = str(position).splitlines()
        spans = [tag("tspan", line.replace(" ", "\u00a0"), x=12, dy=20) for line in lines[:40]]
        return tag("text", spans, font_family="monospace", font_size=15, fill="currentColor", y=4)

    # ------------------------------------------------------------------------------------ pieces and marks

    def _piece(self, name: str, mark: Mark) -> Html:
        place = self._at(name)
        if place is None:
            return Html("")
        x, y = place
        if mark.kind == BLOCK:
            return tag("rect", x=x - 15, y=y - 15, width=30, height=30, rx=5, fill="#8a6f47", stroke="#5f4a2b")
        fill, stroke = colours.STONES[tone(self.game, mark.seat) if mark.seat >= 0 else ""]
        stone = tag(
            "circle",
            cx=x,
            cy=y,
            r=UNIT * (0.47 if self.shape.look == LINES else 0.39),
            fill=fill,
            stroke=stroke,
            stroke_width=1.2,
        )
        if mark.kind != KING:
            return stone
        ring = tag("path", d=f"M{x - 9},{y + 6}V{y - 7}l5,5l4,-8l4,8l5,-5V{y + 6}z", fill="#e0a800", stroke="#5f4a00")
        return join(stone, ring)

    def _marks(self, position: Position, scene: Scene, marks: Mapping[str, Mark]) -> Html:
        drawn = [self._owner(name, value) for name, value in scene.owners.items()]
        for name, seat in scene.territory.items():
            if place := self._at(name):
                fill, stroke = colours.STONES[tone(self.game, seat)]
                drawn.append(tag("rect", x=place[0] - 6, y=place[1] - 6, width=12, height=12, fill=fill, stroke=stroke))
        for name in scene.picked:
            if place := self._at(name):
                drawn.append(
                    tag(
                        "circle",
                        cx=place[0],
                        cy=place[1],
                        r=UNIT * 0.44,
                        fill="none",
                        stroke=colours.MARKER,
                        stroke_width=3,
                        class_="picked",
                    )
                )
        drawn += [self._last(name, name in marks) for name in last_cells(position)]
        drawn += [self._words(name, spot, marks.get(name)) for name, spot in scene.heat.items() if spot.texts]
        return join(drawn)

    def _last(self, name: str, stone: bool) -> Html:
        place = self._at(name)
        if place is None:
            return Html("")
        if stone:
            ring = {"cx": place[0], "cy": place[1], "r": 7, "fill": "none"}
            return join(
                tag("circle", **ring, stroke=colours.FRAME, stroke_width=5),
                tag("circle", **ring, stroke=colours.MARKER, stroke_width=3),
            )
        return tag("circle", cx=place[0], cy=place[1], r=5, fill=colours.MARKER, opacity=0.55)

    def _owner(self, name: str, value: float) -> Html:
        place = self._at(name)
        if place is None or abs(value) < 0.05:
            return Html("")
        side = 7 + 13 * abs(value)
        fill, stroke = colours.STONES["dark" if value > 0 else "light"]
        return tag(
            "rect",
            x=place[0] - side / 2,
            y=place[1] - side / 2,
            width=side,
            height=side,
            fill=fill,
            stroke=stroke,
            opacity=0.8,
        )

    def _heat(self, name: str, spot: Spot) -> Html:
        place = self._at(name)
        if place is None:
            return Html("")
        x, y = place
        round_one = self.shape.look in (LINES, HEXAGONS, HEAPS)

        def shape(**look: object) -> Html:
            if round_one:
                return tag("circle", cx=x, cy=y, r=UNIT * 0.45, **look)
            return tag("rect", x=x - 18, y=y - 18, width=36, height=36, rx=5, **look)

        under = self.shape.look == LINES and spot.texts  # no line goes through a number
        # some colours are the board's own
        rim = {"stroke": colours.LINE, "stroke_opacity": 0.4} if spot.strength > 0.5 else {}
        return join(
            tag("circle", cx=x, cy=y, r=UNIT * 0.43, fill=colours.WOOD) if under else None,
            shape(fill="none", stroke=colours.FRAME, stroke_width=6) if spot.best else None,
            shape(fill=spot.colour, fill_opacity=spot.strength, **rim),
            shape(fill="none", stroke=colours.MARKER, stroke_width=3) if spot.best else None,
        )

    def _words(self, name: str, spot: Spot, mark: Mark | None) -> Html:
        place = self._at(name)
        if place is None:
            return Html("")
        x, y = place
        fill = colours.ink(spot.colour) if spot.strength > 0.5 else "#111"
        if mark is not None and mark.kind != BLOCK:  # the text stands on the piece, not on the colour
            fill = colours.ink(colours.STONES[tone(self.game, mark.seat) if mark.seat >= 0 else ""][0])
        if len(spot.texts) == 1:
            return words(x, y, spot.texts[0], 13, fill, 600)
        return join(words(x, y - 6, spot.texts[0], 12.5, fill, 700), words(x, y + 8, spot.texts[1], 10, fill))

    def _numbered(self, number: int, step: Step) -> Html:
        seat, cells = step
        if not cells:
            return Html("")
        fill, stroke = colours.STONES[tone(self.game, seat)]
        place = self._at(cells[min(1, len(cells) - 1)])
        if place is None:
            return Html("")
        way = self._arrow(cells[0], cells[1], stroke) if len(cells) > 1 else Html("")
        return join(
            way,
            tag("circle", cx=place[0], cy=place[1], r=UNIT * 0.4, fill=fill, stroke=colours.MARKER, stroke_width=1.6),
            words(*place, str(number), 15, "#fff" if fill == colours.STONES["dark"][0] else "#111", 600),
        )

    def _way(self, start: str, end: str, colour: str, marks: Mapping[str, Mark]) -> Html:
        """A move of two cells: an arrow where a piece goes, a frame around both where one is put on them."""
        if start in marks:
            return self._arrow(start, end, colour)
        return self._domino(start, end, fill="none", stroke=colour, stroke_width=4.0)

    def _domino(self, start: str, end: str, **look: object) -> Html:
        first, last = self._at(start), self._at(end)
        if first is None or last is None:
            return Html("")
        (left, right), (top, bottom) = (sorted(pair) for pair in zip(first, last, strict=True))
        size = {"width": right - left + 30, "height": bottom - top + 30}
        return tag("rect", x=left - 15, y=top - 15, **size, rx=6, **look)

    def _dominoes(self, position: Position, marks: Mapping[str, Mark]) -> Html:
        """Where the moves so far tell who put what on two cells that the diagram shows as taken by nobody."""
        if all(mark.kind != BLOCK for mark in marks.values()):
            return Html("")
        drawn, after = [], position
        while (before := after.parent) is not None:
            cells = path(self.shape, before.name(after.last_move))
            if len(cells) == 2 and all(cell in marks and marks[cell].kind == BLOCK for cell in cells):
                fill, stroke = colours.STONES[tone(self.game, before.to_move)]
                drawn.append(self._domino(*cells, fill=fill, stroke=stroke, stroke_width=1.2))
            after = before
        return join(drawn)

    def _arrow(self, start: str, end: str, colour: str) -> Html:
        first, last = self._at(start), self._at(end)
        if first is None or last is None or first == last:
            return Html("")
        angle = math.atan2(last[1] - first[1], last[0] - first[0])
        edge = UNIT * 0.4  # from the rim of the piece, so that its numbers can be read
        first = first[0] + edge * math.cos(angle), first[1] + edge * math.sin(angle)
        tip = last[0] - 8 * math.cos(angle), last[1] - 8 * math.sin(angle)
        wings = [(tip[0] - 9 * math.cos(angle + turn), tip[1] - 9 * math.sin(angle + turn)) for turn in (0.5, -0.5)]
        head = f"M{pair(*wings[0])}L{pair(*tip)}L{pair(*wings[1])}"
        return tag(
            "path",
            d=f"M{pair(*first)}L{pair(*tip)}{head}",
            stroke=colour,
            stroke_width=4,
            fill="none",
            stroke_linecap="round",
            opacity=0.8,
        )

    def _target(self, name: str, position: Position, marks: Mapping[str, Mark], on_way: bool) -> Html:
        """Where one can click; the ghost of a stone shows on hover, where it would come to stand.

        Of a move that is begun (`on_way`), where it can go is always shown.
        """
        place, taken = self._at(name), name in marks
        if place is None:
            return Html("")
        x, y = place
        column = self.shape.columns[self.shape.find(name).col] if self.shape.falls else ""  # type: ignore[union-attr]
        end = self._at(cells_of(self.shape, marks, column)[0]) if column else place
        assert end is not None
        taken = taken and not column
        fill, stroke = colours.STONES[tone(self.game, position.to_move)]
        ghost = tag(
            "circle",
            cx=end[0],
            cy=end[1],
            r=UNIT * 0.4,
            fill="none" if taken else fill,
            stroke=colours.MARKER if taken else stroke,
            stroke_width=2,
            class_="ghost",
        )
        area = tag("rect", x=x - UNIT / 2, y=y - UNIT / 2, width=UNIT, height=UNIT, fill="transparent")
        hint = tag("circle", cx=x, cy=y, r=6, fill=colours.MARKER, stroke=colours.FRAME) if on_way else None
        return tag(
            "g",
            ghost,
            area,
            hint,
            class_="target",
            data_do="cell",
            data_cell=name,
            data_hover=name,
            tabindex=-1,
            role="button",
            aria_label=name,
        )


def last_cells(position: Position) -> list[str]:
    """The cells that the last move was made on."""
    before = position.parent
    if before is None or position.last_move < 0:
        return []
    cells = [
        name
        for name in path(layout(position.game), before.name(position.last_move))
        if layout(position.game).find(name)
    ]
    if cells:
        return cells
    old, new = pieces(before), pieces(position)
    return [name for name, mark in new.items() if name not in old or old[name] != mark]
