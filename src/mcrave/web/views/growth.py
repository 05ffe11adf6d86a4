"""The small trees of a lesson, drawn as in the papers: circles with wins and visits, a star for the new node."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mcrave.reference import Node
from mcrave.web import colours
from mcrave.web.lesson import EXPAND, SELECT, Lesson
from mcrave.web.markup import Html, tag

ON_WAY, BESIDE = (9, 4, 3, 2, 2, 1, 1, 0), (9, 2, 1, 0, 0, 0, 0, 0)  # children that are drawn, by depth
DEEPEST = len(ON_WAY) - 1
WIDTH, HIGH = 64.0, 78.0


class Drawn(NamedTuple):
    """A node with its place."""

    node: Node
    x: float
    depth: int
    move: str
    parent: int


def drawing(lesson: Lesson) -> Html:
    """The tree with the way of this simulation in it."""
    path = [node for node, _ in lesson.now.path]
    hidden = lesson.added if lesson.phase == SELECT else None
    found: list[Drawn] = []
    width = _place(lesson, lesson.root, lesson.state, 0, 0.0, "", -1, {id(node) for node in path}, hidden, found)
    lines, circles = [], []
    for each in found:
        x, y = each.x * WIDTH, each.depth * HIGH + 30
        on_way = any(each.node is node for node in path)
        if each.parent >= 0:
            above = found[each.parent]
            lines.append(
                tag(
                    "line",
                    x1=above.x * WIDTH,
                    y1=above.depth * HIGH + 30,
                    x2=x,
                    y2=y,
                    class_="way" if on_way else "twig",
                )
            )
            lines.append(
                tag(
                    "text",
                    each.move,
                    x=(above.x * WIDTH + 2 * x) / 3,
                    y=(above.depth * HIGH + 30 + 2 * y) / 3,
                    class_="twigname",
                )
            )
        circles.append(_circle(lesson, each, x, y, on_way))
    deep = max(each.depth for each in found) + 1
    size = max(width * WIDTH, 260.0)
    box = f"{-WIDTH / 2 - (size - width * WIDTH) / 2:.0f} 0 {size:.0f} {deep * HIGH:.0f}"
    return tag(
        "svg", lines, circles, viewBox=box, class_="growth", width=1.25 * size, role="img", aria_label="the tree so far"
    )


def _place(
    lesson: Lesson,
    node: Node,
    state: Any,
    depth: int,
    left: float,
    move: str,
    parent: int,
    way: set[int],
    hidden: Node | None,
    found: list[Drawn],
) -> float:
    """Put a node above its children; returns how many places it takes."""
    index = len(found)
    found.append(Drawn(node, left, depth, move, parent))
    most = (ON_WAY if id(node) in way else BESIDE)[min(depth, DEEPEST)]
    children = [(each, child) for each, child in node.children.items() if child is not hidden]
    ranked = sorted(children, key=lambda pair: (id(pair[1]) not in way, -pair[1].visits))[:most]
    shown = [pair for pair in children if pair in ranked]
    taken = 0.0
    for each, child in shown:
        name = lesson.start.game.move_name(state.states[0], int(each))
        taken += _place(lesson, child, state.play(each), depth + 1, left + taken, name, index, way, hidden, found)
    found[index] = found[index]._replace(x=left + max(taken - 1, 0) / 2)
    return max(taken, 1.0)


def _circle(lesson: Lesson, each: Drawn, x: float, y: float, on_way: bool) -> Html:
    wins, visits = lesson.wins.get(id(each.node), 0.0), each.node.visits
    colour = colours.worth(wins / visits) if visits else "#c8c8c8"
    is_new = each.node is lesson.added and lesson.phase >= EXPAND
    if is_new:
        shape = tag("path", d=star(x, y, 21), fill=colour, class_="node on")
    else:
        shape = tag("circle", cx=x, cy=y, r=21, fill=colour, class_="node on" if on_way else "node")
    name = f"{wins:g}/{visits}"
    look = "nodename" if len(name) < 6 else "nodename long"
    return tag("g", shape, tag("text", name, x=x, y=y, fill=colours.ink(colour), class_=look))


def star(x: float, y: float, size: float) -> str:
    """The path of a star as large as a circle of that radius, and a little more."""
    corners = []
    for turn in range(16):
        radius = size * (1.28 if turn % 2 == 0 else 0.95)
        corners.append(
            f"{x + radius * math.sin(turn * math.pi / 8):.1f},{y - radius * math.cos(turn * math.pi / 8):.1f}"
        )
    return "M" + "L".join(corners) + "z"
