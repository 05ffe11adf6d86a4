"""Pieces of SVG that the boards are drawn with."""

from __future__ import annotations

import math

from mcrave.web.markup import Html, tag


def stars(rows: int, cols: int) -> list[tuple[int, int]]:
    """The marked points of a Go board, as rows and columns.

    >>> stars(9, 9)
    [(2, 2), (2, 6), (6, 2), (6, 6), (4, 4)]
    """
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


def hexagon(x: float, y: float, width: float) -> str:
    """The corners of a hexagon that stands on one of them."""
    radius = width / math.sqrt(3)
    corners = [
        (x + radius * math.sin(turn * math.pi / 3), y - radius * math.cos(turn * math.pi / 3)) for turn in range(6)
    ]
    return " ".join(pair(*corner) for corner in corners)


def pair(x: float, y: float) -> str:
    """A point in a path."""
    return f"{x:.1f},{y:.1f}"


def words(x: float, y: float, text: str, size: float, fill: str, weight: int = 400) -> Html:
    """A text in the middle of a point."""
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
