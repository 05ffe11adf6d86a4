"""Figures 1 and 4 of Gelly & Silver, simulation by simulation; their numbers come from the reference's own search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mcrave.reference import Node, Search, backup, policies
from mcrave.reference.mcts import Simulation
from mcrave.web import colours
from mcrave.web.markup import Html, join, tag
from mcrave.web.views.growth import star

FIRST, FOURTH = "1", "4"
WIDE, DEEP, RADIUS = 44.0, 58.0, 17.0


class Moves(NamedTuple):
    """A position of Figure 1: each player has two moves, and the default policy plays the rest."""

    ply: int = 0
    is_over: bool = False

    @property
    def to_move(self) -> int:
        """Black, then White."""
        return self.ply % 2

    def legal_moves(self) -> list[str]:
        """Always the same two."""
        return ["left", "right"]

    def play(self, move: str) -> Moves:
        """One ply on."""
        return Moves(self.ply + 1)

    def outcome(self, player: int) -> float:
        """Nobody comes here: the outcomes of the playouts are those of the figure."""
        raise NotImplementedError


OUTCOMES = (1, 0, 1, 0, 1)
"""Of the five simulations of Figure 1, for Black."""


class Grown(NamedTuple):
    """A node of Figure 1; `place` are the moves to it, as in RL."""

    place: str
    wins: int
    visits: int
    is_new: bool


def figure_1(count: int) -> list[Grown]:
    """The tree after so many simulations of greedy MCTS (§2.4) that tries every move once.

    >>> [f"{node.place or 'root'} {node.wins}/{node.visits}" for node in figure_1(5)]
    ['root 3/5', 'L 0/1', 'R 2/3', 'RL 0/1', 'RR 1/1']
    >>> [node.place for node in figure_1(4) if node.is_new]
    ['RL']
    """
    search, tree, new = Search(policies.greedy()), dict[str, tuple[int, int]](), ""
    for z in OUTCOMES[:count]:
        simulation = Simulation([Moves()])
        search.sim_tree(simulation)
        backup(simulation.path, simulation.plays, _outcome(z))
        new = ""
        for depth, _ in enumerate(simulation.path):
            new += str(simulation.plays[depth - 1][1])[0].upper() if depth else ""
            wins, visits = tree.get(new, (0, 0))
            tree[new] = wins + z, visits + 1
    return [Grown(place, *tree[place], place == new) for place in sorted(tree, key=lambda place: (len(place), place))]


class Played(NamedTuple):
    """A simulation of Figure 4: Black's moves, and the outcome for Black."""

    moves: tuple[str, ...]
    outcome: int
    from_root: bool = False
    """Whether it left the way to s at the root."""


SIMULATIONS = (
    Played(("a", "b"), 0),
    Played(("a", "b"), 0),
    Played(("b", "a"), 1),
    Played(("b", "a"), 1),
    Played(("b",), 0),
    Played(("c", "a"), 1),
    Played(("a",), 0, from_root=True),
)


def figure_4(count: int) -> tuple[list[str], list[str]]:
    """Q and Q̃ of the moves a and b in s after so many simulations.

    >>> figure_4(6)
    (['0/2', '2/3'], ['3/5', '2/5'])
    >>> figure_4(7) == figure_4(6)
    True
    """
    root, s = (Node(0, {move: move for move in "abcd"}) for _ in range(2))
    for moves, z, from_root in SIMULATIONS[:count]:
        way = [] if from_root else ["d"]
        plays = [(0, move) for move in (*way, *moves)]
        path: list[tuple[Node, Any]] = [(root, plays[0][1])]
        if not from_root:
            path.append((s, moves[0]))
        backup(path, plays, _outcome(z))
    mc = [f"{s.w[move]:g}/{s.n[move]:g}" for move in "ab"]
    return mc, [f"{s.amaf_w[0, move]:g}/{s.amaf_n[0, move]:g}" for move in "ab"]


def _outcome(z: int) -> Callable[[int], float]:
    return lambda player: float(z if player == 0 else 1 - z)


# ------------------------------------------------------------------------------------------- drawn

STEPS = {FIRST: len(OUTCOMES), FOURTH: len(SIMULATIONS)}


def shown(figure: str, count: int) -> Html:
    """A figure after so many simulations."""
    return _first(count) if figure == FIRST else _fourth(count)


def _first(count: int) -> Html:
    said = (
        "Five simulations of a simple Monte-Carlo tree search. Each starts at the root, goes by the best mean of the "
        "player to move (a move never tried comes first), adds one node, the star, and ends with 1 for a win of Black "
        "or 0 for White in the square. Every node on the way then counts it: wins of Black/visits."
    )
    trees = [tag("div", _grown(number), class_=None if number <= count else "later") for number in range(1, 6)]
    return join(tag("h2", "Gelly & Silver, Figure 1"), tag("p", said), tag("div", trees, class_="figures"))


def _grown(number: int) -> Html:
    """The tree after one of the five simulations, its way marked."""
    spots = {"": (3, 0), "L": (1, 1), "R": (4, 1), "RL": (3, 2), "RR": (5, 2)}
    lines, nodes = [], []
    z, bottom = OUTCOMES[number - 1], 3 * DEEP + 34
    tree = figure_1(number)
    last = next(node.place for node in tree if node.is_new)
    for node in tree:
        x, y = spots[node.place][0] * WIDE / 1.6, spots[node.place][1] * DEEP + 30
        on_way = last.startswith(node.place)
        if node.place:
            above = spots[node.place[:-1]]
            lines.append(
                tag(
                    "line",
                    x1=above[0] * WIDE / 1.6,
                    y1=above[1] * DEEP + 30,
                    x2=x,
                    y2=y,
                    class_="way" if on_way else "twig",
                )
            )
        fill = colours.worth(node.wins / node.visits)
        if node.is_new:
            lines.append(tag("line", x1=x, y1=y, x2=x, y2=bottom, class_="way", stroke_dasharray="4 5"))
            shape = tag("path", d=star(x, y, RADIUS), fill=fill, class_="node on")
            square = {"x": x - 12, "y": bottom - 12, "width": 24.0, "height": 24.0}
            nodes += [
                tag("rect", **square, fill=colours.worth(float(z)), class_="node"),
                tag("text", z, x=x, y=bottom, fill=colours.ink(colours.worth(float(z))), class_="nodename"),
            ]
        else:
            shape = tag("circle", cx=x, cy=y, r=RADIUS, fill=fill, class_="node on" if on_way else "node")
        label = tag("text", f"{node.wins}/{node.visits}", x=x, y=y, fill=colours.ink(fill), class_="nodename")
        nodes += [shape, label]
    caption = tag("text", f"Simulation {number}", x=3 * WIDE / 1.6, y=bottom + 32, class_="axis")
    return tag(
        "svg",
        lines,
        nodes,
        caption,
        viewBox=f"0 0 {WIDE * 4:.0f} {bottom + 44:.0f}",
        class_="growth",
        role="img",
        aria_label=f"the tree after simulation {number}: "
        + ", ".join(f"{node.place or 'root'} {node.wins}/{node.visits}" for node in tree),
    )


def _fourth(count: int) -> Html:
    said = (
        "Six simulations have visited s, where Black is to move: Black’s moves stand beside the lines, the outcome for "
        "Black in the square. Monte-Carlo counts only the move made in s. AMAF counts a move whenever Black makes it "
        "later: a lost twice at once, but won three times out of five on the whole. The seventh began with a at the "
        "root: it is not below s, and counts for nothing there."
    )
    columns = [_played(number, count) for number in range(1, len(SIMULATIONS) + 1)]
    (mc_a, mc_b), (amaf_a, amaf_b) = figure_4(count)

    def row(name: str, a: str, b: str) -> Html:
        return tag("tr", tag("td", name), tag("td", a), tag("td", b), tag("td", _better(a, b)))

    table = tag(
        "table",
        tag("thead", tag("tr", tag("th", ""), tag("th", "a"), tag("th", "b"), tag("th", "prefers"))),
        tag("tbody", row("Q(s,·), Monte-Carlo", mc_a, mc_b), row("Q̃(s,·), all moves as first", amaf_a, amaf_b)),
        class_="moves",
    )
    picture = tag(
        "svg", columns, viewBox="0 0 440 212", class_="growth", width=640, role="img", aria_label="the simulations"
    )
    return join(tag("h2", "Gelly & Silver, Figure 4"), tag("p", said), picture, table)


def _played(number: int, count: int) -> Html:
    """One simulation as a column: from the root through s, or past it."""
    moves, z, from_root = SIMULATIONS[number - 1]
    done = number <= count
    line = "way" if done else "twig"
    drawn: list[Html] = [
        tag("line", x1=0, y1=17, x2=0, y2=186, class_=line),
        tag("circle", cx=0, cy=14, r=11, class_="node"),
        tag("text", "root", x=0, y=34, class_="twigname"),
    ]
    if not from_root:
        drawn += [
            tag("circle", cx=0, cy=62, r=13, class_="node"),
            tag("text", "s", x=0, y=62, class_="nodename dark"),
        ]
    for move, y in zip(moves, (48,) if from_root else (92, 142), strict=False):
        drawn.append(tag("text", move, x=12, y=y, class_="twigname move"))
    if not from_root and len(moves) > 1:
        drawn.append(tag("circle", cx=0, cy=116, r=7, class_="node"))
    fill = colours.worth(float(z))
    drawn += [
        tag("rect", x=-13, y=176, width=26, height=26, fill=fill, class_="node"),
        tag("text", z, x=0, y=189, fill=colours.ink(fill), class_="nodename"),
    ]
    return tag("g", drawn, transform=f"translate({34 + 62 * (number - 1)},0)", opacity=1 if done else 0.25)


def _better(a: str, b: str) -> str:
    values = [int(text.split("/")[0]) / int(text.split("/")[1]) if not text.endswith("/0") else -1.0 for text in (a, b)]
    return "–" if values[0] == values[1] else "a" if values[0] > values[1] else "b"
