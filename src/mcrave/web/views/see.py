"""What a search thinks, drawn: heat on the board, a table of moves, the game's graph, the tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mcrave.games import Position
from mcrave.search.reading import TreeReader
from mcrave.search.report import MoveReport, Report
from mcrave.web import colours
from mcrave.web.boards import cells_of, choices, layout, path, pieces
from mcrave.web.drawing import Spot
from mcrave.web.live import Glance, LivePlayer
from mcrave.web.markup import Html, join, tag

KINDS = {
    "visits": "Visits",
    "value": "MC value",
    "amaf_value": "AMAF",
    "beta": "β",
    "prior": "Prior",
    "ownership": "Ownership",
    "off": "Off",
}
COLUMNS = {
    "move": "Move",
    "visits": "Visits",
    "value": "MC",
    "amaf_value": "AMAF",
    "amaf_visits": "AMAF n",
    "beta": "β",
    "prior": "Prior",
    "score": "Score",
}
EXTRA = "amaf_visits"  # the column that a phone has no room for
NUMBERED = 5  # moves whose numbers stand on the board
ROWS = 12
TREE_DEPTH, TREE_WIDTH = 5, 8
FINEST = 150  # a part of the visits that is still drawn


# ------------------------------------------------------------------------------------------- heat


def heat(position: Position, report: Report, kind: str, picked: tuple[str, ...]) -> dict[str, Spot]:
    """The cells coloured by what is known of the moves that begin there."""
    if kind not in ("visits", "value", "amaf_value", "beta", "prior"):
        return {}
    by_name = {move.move: move for move in report.moves}
    shape, marks = layout(position.game), pieces(position)
    cells = {
        cell: sorted((by_name[name] for name in names if name in by_name), key=lambda move: -move.visits)
        for cell, names in choices(position, picked).items()
        if not shape.falls or cell in cells_of(shape, marks, names[0])
    }
    cells = {cell: moves for cell, moves in cells.items() if moves}
    amounts = {cell: _amount(moves, kind) for cell, moves in cells.items()}
    known = {cell: value for cell, value in amounts.items() if value is not None}
    most = max(known.values(), default=0.0)
    ranked = sorted(cells, key=lambda cell: -_visits(cells[cell]))[:NUMBERED]
    found = {}
    for cell, value in known.items():
        share = value if kind in ("value", "amaf_value", "beta") else value / most if most else 0.0
        if kind == "visits" and share < 0.004:
            continue
        colour = colours.worth(value) if kind in ("value", "amaf_value") else colours.amount(share)
        if kind == "visits":
            colour = colours.VISITS
        texts = _words(cells[cell], kind) if cell in ranked and _visits(cells[cell]) else ()
        best = any(move.move == report.best for move in cells[cell])
        found[cell] = Spot(colour, texts, best, 0.08 + 0.85 * share if kind == "visits" else 0.85)
    return found


def _visits(moves: list[MoveReport]) -> int:
    return sum(move.visits for move in moves)


def _amount(moves: list[MoveReport], kind: str) -> float | None:
    """What is shown of the moves of one cell: visits are added up, else the most visited one counts."""
    if kind == "visits":
        return float(_visits(moves))
    top = moves[0]
    if (kind == "value" and not top.visits + top.prior) or (kind in ("amaf_value", "beta") and not top.amaf_visits):
        return None
    return float(getattr(top, kind))


def _words(moves: list[MoveReport], kind: str) -> tuple[str, ...]:
    top, visits = moves[0], _visits(moves)
    first = {"amaf_value": f"{100 * top.amaf_value:.0f}", "beta": f"{top.beta:.2f}", "prior": f"{top.prior:g}"}
    return first.get(kind, f"{100 * top.value:.0f}"), short_number(visits)


def short_number(number: float) -> str:
    """A number in four characters.

    >>> short_number(950), short_number(12_345), short_number(2_300_000)
    ('950', '12k', '2.3M')
    """
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.1f}{unit}" if number < 10 * size else f"{number / size:.0f}{unit}"
    return f"{number:.0f}"


def arrows(position: Position, report: Report, picked: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """For games of pieces, the three best moves as arrows."""
    shape, found = layout(position.game), []
    if picked:
        return []
    for move, colour in zip(report.moves[:3], ("#0072b2", "#56b4e9", "#999999"), strict=False):
        cells = path(shape, move.move)
        if len(cells) > 1 and move.visits:
            found.append((cells[0], cells[1], colour))
    return found[::-1]


# ------------------------------------------------------------------------------------------- tables and numbers


def numbers(glance: Glance | None, note: str) -> Html:
    """How fast, how large, how long."""
    if glance is None:
        return tag("p", note, class_="dim")
    report = glance.report
    rate = report.simulations / max(report.seconds, 1e-9)
    left = f"{glance.left:.1f} s" if glance.unit == "s" else short_number(glance.left)
    items = {
        "simulations": f"{report.simulations:,}",
        "per second": f"{rate:,.0f}",
        "nodes": f"{report.nodes:,}",
        "tree": f"{glance.memory:.1f} MB" if glance.memory >= 1 else f"{1000 * glance.memory:.0f} kB",
        "left": left if glance.running else "done",
    }
    shown = [tag("div", tag("b", value), tag("span", name)) for name, value in items.items()]
    return join(tag("div", shown, class_="numbers"), tag("p", glance.player, class_="dim mono"))


def move_table(report: Report, sort: str, more: bool) -> Html:
    """The moves with everything that is known about them; a click on a heading sorts."""
    amaf = any(move.amaf_visits for move in report.moves)
    columns = [name for name in COLUMNS if amaf or name not in ("amaf_value", "amaf_visits", "beta")]
    if not any(move.prior for move in report.moves):
        columns = [name for name in columns if name != "prior"]
    moves = sorted(report.moves, key=lambda move: move.move if sort == "move" else -getattr(move, sort))
    head = [
        tag(
            "th",
            tag("button", COLUMNS[name], data_do="sort", data_sort=name),
            aria_sort="descending" if name == sort else None,
            class_="extra" if name == EXTRA else None,
        )
        for name in columns
    ]
    total = max(1, sum(move.visits for move in moves))
    rows = [
        tag(
            "tr",
            [_entry(move, name, total) for name in columns],
            data_do="choose",
            data_move=move.move,
            data_hover=move.move,
            tabindex=0,
            class_="best" if move.move == report.best else None,
        )
        for move in moves[: 400 if more else ROWS]
    ]
    rest = len(moves) - ROWS
    button = tag("button", "fewer" if more else f"{rest} more", data_do="more", class_="quiet") if rest > 0 else None
    return join(tag("table", tag("thead", tag("tr", head)), tag("tbody", rows), class_="moves"), button)


def _entry(move: MoveReport, name: str, total: int) -> Html:
    if name == "move":
        return tag("td", tag("b", move.move))
    if name == "visits":
        share = move.visits / total
        bar = tag(
            "svg", tag("rect", width=60 * share, height=6, rx=2), viewBox="0 0 60 6", class_="bar", aria_hidden="true"
        )
        return tag("td", f"{move.visits:,}", bar)
    value = getattr(move, name)
    known = {"value": move.visits + move.prior, "amaf_value": move.amaf_visits, "beta": move.amaf_visits}.get(name, 1)
    text = f"{value:,.0f}" if name == "amaf_visits" else f"{value:.3f}" if abs(value) < 1e6 else "∞"
    return tag("td", text if known else "–", class_="extra" if name == EXTRA else None)


# ------------------------------------------------------------------------------------------- the game's graph


def graph(values: Mapping[int, float], moves: int, at: int, name: str) -> Html:
    """The first player's expectation move by move; a click goes to that move."""
    width, height, last = 600.0, 110.0, max(moves, 10)
    step = width / last

    def place(ply: int) -> str:
        return f"{ply * step:.1f},{height * (1 - values[ply]):.1f}"

    known = sorted(ply for ply in values if ply <= moves)
    if not known:
        return tag("p", f"What engines think of {name}’s chances shows up here, move by move.", class_="dim")
    line = tag("polyline", points=" ".join(map(place, known)), class_="curve", fill="none")
    dots = [tag("circle", cx=ply * step, cy=height * (1 - values[ply]), r=3, class_="dot") for ply in known]
    areas = [
        tag(
            "rect",
            x=(ply - 0.5) * step,
            y=0,
            width=step,
            height=height,
            class_="hit",
            data_do="goto",
            data_at=ply,
            fill="transparent",
        )
        for ply in range(moves + 1)
    ]
    here = tag("line", x1=at * step, x2=at * step, y1=0, y2=height, class_="here")
    middle = [
        tag("line", x1=0, x2=width, y1=height * part, y2=height * part, class_="middle") for part in (0.0, 0.5, 1.0)
    ]
    ends = [
        tag("text", f"{level} %", x=width, y=height * (1 - level / 100) + down, class_="axis last")
        for level, down in ((100, 11), (0, -4))
    ]
    picture = tag(
        "svg",
        middle,
        ends,
        line,
        dots,
        here,
        areas,
        viewBox=f"-6 -6 {width + 12:.0f} {height + 12:.0f}",
        class_="graph",
        role="img",
        aria_label=f"what {name} could expect",
    )
    shown = f"{100 * values[at]:.0f} % at " if at in values else ""
    return join(tag("h3", f"{name}’s chances ", tag("small", f"{shown}move {at} of {moves}")), picture)


# ------------------------------------------------------------------------------------------- the tree


def subtree(player: LivePlayer, position: Position, way: list[str]) -> tuple[dict[str, Any], list[str]]:
    """The tree below a way of moves, to a few plies; also how far the way could be gone."""
    reader = player.reader(position)
    if reader is None:
        return {}, []
    node, gone = 0, list[str]()
    for move in way:
        if move not in position.legal_moves():
            break
        number = position.number(move)
        edges = reader.edges(node)
        found = [edge for edge in range(edges.start, edges.stop) if int(reader.tree.move[edge]) == number]
        child = int(reader.tree.child[found[0]]) if found else -1
        if child < 0:
            break
        node, position = child, position.play(number)
        gone.append(move)
    least = float(reader.tree.nodes[node].visits) / FINEST
    return _branch(reader, node, position, TREE_DEPTH, least), gone


def _branch(reader: TreeReader, node: int, position: Position, depth: int, least: float) -> dict[str, Any]:
    """The most visited moves of a node and of those below it, as far as they have so many visits."""
    view, edges = reader.tree.nodes[node], reader.edges(node)
    visits = reader.tree.n[edges] - (reader.tree.given[edges] if reader.tree.given.size else 0.0)
    children = []
    for index in np.argsort(-visits, kind="stable")[:TREE_WIDTH].tolist():
        edge, count = edges.start + index, float(visits[index])
        move, child = int(reader.tree.move[edge]), int(reader.tree.child[edge])
        if count < max(least, 1.0) or move not in position.moves:
            continue
        worth = reader.sum(node, edge) / float(reader.tree.n[edge])
        entry = {"move": position.name(move), "visits": count, "value": worth, "children": []}
        if depth > 1 and child >= 0 and count > 4 * least:
            entry["children"] = _branch(reader, child, position.play(move), depth - 1, least)["children"]
        children.append(entry)
    return {"visits": float(view.visits), "children": children}


def icicle(tree: dict[str, Any], way: list[str]) -> Html:
    """The tree as an icicle: width is visits, colour the value for who moves there; a click walks into it."""
    if not tree or not tree["children"]:
        return tag("p", "The tree shows up here when an engine has thought.", class_="dim")
    width, row = 600.0, 30.0
    boxes: list[Html] = []

    def place(node: dict[str, Any], left: float, size: float, depth: int, moves: list[str]) -> None:
        total = max(node["visits"], sum(child["visits"] for child in node["children"]), 1.0)
        for child in node["children"]:
            part = size * child["visits"] / total
            if part < 3:
                break
            boxes.append(_box(child, (left, depth * row, part, row), [*moves, child["move"]], depth == 0))
            place(child, left, part, depth + 1, [*moves, child["move"]])
            left += part

    place(tree, 0.0, width, 0, way)
    crumbs = [tag("button", "root", data_do="walk", data_way="", class_="quiet")]
    crumbs += [
        tag("button", move, data_do="walk", data_way=".".join(way[: i + 1]), class_="quiet")
        for i, move in enumerate(way)
    ]
    svg = tag(
        "svg",
        boxes,
        viewBox=f"0 0 {width:.0f} {row * TREE_DEPTH:.0f}",
        class_="icicle",
        role="group",
        aria_label="the search tree",
    )
    return join(tag("div", crumbs, class_="crumbs"), svg)


def _box(child: dict[str, Any], place: tuple[float, float, float, float], way: list[str], first: bool) -> Html:
    x, y, width, height = place
    colour = colours.worth(child["value"])
    words = [child["move"]] if width >= 7 * len(child["move"]) + 4 else []
    if words and width > 76:
        words = [f"{child['move']}  {100 * child['value']:.0f} %"]
    text = words and [
        tag(
            "text",
            words,
            x=x + width / 2,
            y=y + height / 2,
            fill=colours.ink(colour),
            text_anchor="middle",
            dominant_baseline="central",
            font_size=12,
            class_=None if width >= 12 * len(words[0]) else "fine",
        )
    ]
    title = tag("title", f"{' '.join(way)}: {child['visits']:,.0f} visits, value {child['value']:.3f}")
    rect = tag("rect", x=x, y=y, width=max(width - 1, 1), height=height - 1, fill=colour)
    return tag(
        "g",
        title,
        rect,
        text,
        data_do="walk",
        data_way=".".join(way),
        class_="box",
        tabindex=0 if first else None,
        role="button" if first else None,
    )
