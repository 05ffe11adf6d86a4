"""Figure 4 of Gelly & Silver, simulation by simulation; its numbers come from the reference's own backup."""

from __future__ import annotations

from mcrave.reference import Node, backup
from mcrave.web.markup import Html, join, tag

SIMULATIONS = (("a", "b", 0), ("a", "b", 0), ("b", "a", 1), ("b", "a", 1), ("b", "–", 0), ("c", "a", 1))
"""Black's first and second move from s, and the outcome."""


def figure_4(count: int) -> tuple[list[str], list[str]]:
    """Q and Q̃ of the moves a and b after so many simulations.

    >>> figure_4(6)
    (['0/2', '2/3'], ['3/5', '2/5'])
    """
    s = Node(0, {"a": "a", "b": "b", "c": "c"})
    for first, later, z in SIMULATIONS[:count]:
        plays = [(0, first), (1, "x"), (0, later)]
        backup([(s, first)], plays, lambda player, z=z: float(z if player == 0 else 1 - z))  # type: ignore[misc]
    mc = [f"{s.w[move]:g}/{s.n[move]:g}" for move in "ab"]
    return mc, [f"{s.amaf_w[0, move]:g}/{s.amaf_n[0, move]:g}" for move in "ab"]


def shown(count: int) -> Html:
    """The simulations so far and what they say."""
    columns = []
    for number, (first, later, z) in enumerate(SIMULATIONS, 1):
        done = number <= count
        column = [
            tag("circle", cx=0, cy=16, r=13, class_="node"),
            tag("text", "s", x=0, y=16, class_="nodename dark"),
            tag("line", x1=0, y1=29, x2=0, y2=59, class_="way" if done else "twig"),
            tag("text", first, x=10, y=45, class_="twigname"),
            tag("circle", cx=0, cy=72, r=13, class_="node"),
            tag("line", x1=0, y1=85, x2=0, y2=115, class_="way" if done else "twig"),
            tag("text", later, x=10, y=101, class_="twigname"),
            tag("rect", x=-13, y=116, width=26, height=26, fill="#0072b2" if z else "#d55e00", class_="node"),
            tag("text", z, x=0, y=129, fill="#fff", class_="nodename"),
        ]
        columns.append(
            tag("g", column, transform=f"translate({40 + 70 * (number - 1)},0)", opacity=1 if done else 0.25)
        )
    (mc_a, mc_b), (amaf_a, amaf_b) = figure_4(count)
    table = tag(
        "table",
        tag("thead", tag("tr", tag("th", ""), tag("th", "a"), tag("th", "b"), tag("th", "prefers"))),
        tag(
            "tbody",
            tag(
                "tr", tag("td", "Q(s,·), Monte-Carlo"), tag("td", mc_a), tag("td", mc_b), tag("td", _better(mc_a, mc_b))
            ),
            tag(
                "tr",
                tag("td", "Q̃(s,·), all moves as first"),
                tag("td", amaf_a),
                tag("td", amaf_b),
                tag("td", _better(amaf_a, amaf_b)),
            ),
        ),
        class_="moves",
    )
    said = (
        "Six simulations from s: Black’s moves stand beside the lines, the outcome for Black in the square. "
        "Monte-Carlo counts only the first move. AMAF counts a move whenever Black makes it: "
        "a is worse at once, but better on the whole."
    )
    return join(
        tag("p", said),
        tag(
            "svg", columns, viewBox="0 0 430 150", class_="growth", width=640, role="img", aria_label="six simulations"
        ),
        table,
    )


def _better(a: str, b: str) -> str:
    values = [int(text.split("/")[0]) / int(text.split("/")[1]) if not text.endswith("/0") else -1.0 for text in (a, b)]
    return "–" if values[0] == values[1] else "a" if values[0] > values[1] else "b"
