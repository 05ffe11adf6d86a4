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
    layout,
    path,
    pieces,
    tone,
)
from mcrave.web.markup import Html, join, tag

UNIT = 40.0
MARGIN = 24.0
WIDE_MARGIN = 44.0  # around hexagons, for the goals
MOST_WIDTH = 720.0
LAYERS = ("ground", "heat", "stones", "marks", "line", "targets")


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
    variation: Sequence[tuple[int, str]] = ()
    """Moves to be shown as numbered stones, each with its player."""
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
                "stones": join([self._piece(name, mark) for name, mark in marks.items()]),
                "marks": self._marks(position, scene, marks),
                "line": join(
                    [self._arrow(*arrow) for arrow in scene.arrows],
                    [self._numbered(*step) for step in list(enumerate(scene.variation, 1))[::-1]],
                ),
                "targets": join([self._target(name, position, name in marks) for name in scene.targets]),
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
            for row, col in _stars(rows, cols)
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
        return tag("polygon", points=_hexagon(x, y), fill=colours.HEXES, stroke="#a98f60", stroke_width=1.2)

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
        for cell in self.shape.cells:
            if cell.row == 0 and len(self.shape.rows) > 1:
                x, y = self._at(cell.name) or (0.0, 0.0)
                shown.append(self._label(x - UNIT * 0.62, y - UNIT * 1.12, cell.name.rstrip("0123456789")))
        return join(shown)

    def _label(self, x: float, y: float, text: str) -> Html:
        return _text(x, y, text, 13, "#5b4a2c")

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
                    )
                )
        drawn += [self._last(name, name in marks) for name in last_cells(position)]
        drawn += [self._words(name, spot) for name, spot in scene.heat.items() if spot.texts]
        return join(drawn)

    def _last(self, name: str, stone: bool) -> Html:
        place = self._at(name)
        if place is None:
            return Html("")
        if stone:
            return tag("circle", cx=place[0], cy=place[1], r=7, fill="none", stroke=colours.MARKER, stroke_width=3)
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
        look = {"fill": spot.colour, "fill_opacity": spot.strength}
        if spot.best:
            look |= {"stroke": colours.MARKER, "stroke_width": 3.0}
        if self.shape.look in (LINES, HEXAGONS, HEAPS):
            return tag("circle", cx=x, cy=y, r=UNIT * 0.45, **look)
        return tag("rect", x=x - 18, y=y - 18, width=36, height=36, rx=5, **look)

    def _words(self, name: str, spot: Spot) -> Html:
        place = self._at(name)
        if place is None:
            return Html("")
        x, y = place
        fill = colours.ink(spot.colour) if spot.strength > 0.5 else "#111"
        if len(spot.texts) == 1:
            return _text(x, y, spot.texts[0], 13, fill, 600)
        return join(_text(x, y - 6, spot.texts[0], 12.5, fill, 700), _text(x, y + 8, spot.texts[1], 10, fill))

    def _numbered(self, number: int, step: tuple[int, str]) -> Html:
        seat, move = step
        cells = path(self.shape, move)
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
            _text(*place, str(number), 15, "#fff" if fill == colours.STONES["dark"][0] else "#111", 600),
        )

    def _arrow(self, start: str, end: str, colour: str) -> Html:
        first, last = self._at(start), self._at(end)
        if first is None or last is None or first == last:
            return Html("")
        angle = math.atan2(last[1] - first[1], last[0] - first[0])
        tip = last[0] - 8 * math.cos(angle), last[1] - 8 * math.sin(angle)
        wings = [(tip[0] - 12 * math.cos(angle + turn), tip[1] - 12 * math.sin(angle + turn)) for turn in (0.45, -0.45)]
        head = f"M{_pair(*wings[0])}L{_pair(*tip)}L{_pair(*wings[1])}"
        return tag(
            "path",
            d=f"M{_pair(*first)}L{_pair(*tip)}{head}",
            stroke=colour,
            stroke_width=4,
            fill="none",
            stroke_linecap="round",
            opacity=0.8,
        )

    def _target(self, name: str, position: Position, taken: bool) -> Html:
        """Where one can click; the ghost of a stone shows on hover."""
        place = self._at(name)
        if place is None:
            return Html("")
        x, y = place
        fill, stroke = colours.STONES[tone(self.game, position.to_move)]
        ghost = tag(
            "circle",
            cx=x,
            cy=y,
            r=UNIT * 0.4,
            fill="none" if taken else fill,
            stroke=colours.MARKER if taken else stroke,
            stroke_width=2,
            class_="ghost",
        )
        area = tag("rect", x=x - UNIT / 2, y=y - UNIT / 2, width=UNIT, height=UNIT, fill="transparent")
        return tag(
            "g",
            ghost,
            area,
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


def _stars(rows: int, cols: int) -> list[tuple[int, int]]:
    if min(rows, cols) < 7:
        return [(rows // 2, cols // 2)] if rows % 2 and cols % 2 and min(rows, cols) > 4 else []
    edges = [3 if size >= 12 else 2 for size in (rows, cols)]
    down, across = ([edge, size - 1 - edge] for edge, size in zip(edges, (rows, cols), strict=True))
    found = [(row, col) for row in down for col in across]
    if rows % 2 and cols % 2:
        found.append((rows // 2, cols // 2))
        if min(rows, cols) >= 15:
            found += [(row, cols // 2) for row in down] + [(rows // 2, col) for col in across]
    return found


def _hexagon(x: float, y: float) -> str:
    radius = UNIT / math.sqrt(3)
    corners = [
        (x + radius * math.sin(turn * math.pi / 3), y - radius * math.cos(turn * math.pi / 3)) for turn in range(6)
    ]
    return " ".join(_pair(*corner) for corner in corners)


def _pair(x: float, y: float) -> str:
    return f"{x:.1f},{y:.1f}"


def _text(x: float, y: float, text: str, size: float, fill: str, weight: int = 400) -> Html:
    return tag(
        "text",
        text,
        x=x,
        y=y,
        font_size=size,
        fill=fill,
        font_weight=weight,
        text_anchor="middle",
        dominant_baseline="central",
        font_family="system-ui, sans-serif",
        pointer_events="none",
    )
