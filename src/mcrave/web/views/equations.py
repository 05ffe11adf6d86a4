"""The equation of a tree policy, filled in with the numbers of one move."""

from __future__ import annotations

import math

from mcrave.web.lesson import BIAS, REF, C, K, Selection, numbers, reference_of
from mcrave.web.markup import Html, join, tag

GENERAL = {
    "uct": "Q⊕(s,a) = Q(s,a) + c √( ln N(s) / N(s,a) )",
    "rave": "Q⋆(s,a) = (1 − β) Q(s,a) + β Q̃(s,a),  β = Ñ / (Ñ + N + bias · Ñ · N)",
    "mc_rave": "Q⋆(s,a) = (1 − β) Q(s,a) + β Q̃(s,a),  β = √( k / (3 N(s) + k) )",
    "grave": "as RAVE, with Ñ and Q̃ of the closest node above that has more than ref simulations",
}


def filled(policy: str, selection: Selection, move: object) -> str:
    """The right-hand side in numbers.

    >>> from mcrave.reference import Node
    >>> s = Node(0, {"a": "a"}, visits=12, n={"a": 3.0}, w={"a": 2.0}, amaf_n={(0, "a"): 6.0}, amaf_w={(0, "a"): 3.0})
    >>> filled("uct", Selection([s], {"a": 1.03}, "a"), "a")
    '0.667 + 0.4 √( ln 12 / 3 ) = 1.031'
    >>> filled("mc_rave", Selection([s], {"a": 0.52}, "a"), "a")
    'β = √( 100 / (3 · 12 + 100) ) = 0.857;  (1 − 0.857) · 0.667 + 0.857 · 0.500 = 0.524'
    """
    node = selection.nodes[-1]
    other = reference_of(selection.nodes) if policy == "grave" else node
    n, q, an, aq = numbers(node, move, other)
    total = f"{node.total:g}"
    if policy == "uct":
        if not n:
            return "never tried: ∞"
        return f"{q:.3f} + {C:g} √( ln {total} / {n:g} ) = {q + C * math.sqrt(math.log(node.total) / n):.3f}"
    if not n or not an:
        return f"only Q is known: {q:.3f}" if n else f"only Q̃ is known: {aq:.3f}" if an else "nothing is known: ∞"
    if policy == "mc_rave":
        beta = math.sqrt(K / (3.0 * node.total + K))
        first = f"β = √( {K:g} / (3 · {total} + {K:g}) ) = {beta:.3f}"
    else:
        beta = an / (an + n + BIAS * an * n)
        first = f"β = {an:g} / ({an:g} + {n:g} + {BIAS:g} · {an:g} · {n:g}) = {beta:.3f}"
    return f"{first};  (1 − {beta:.3f}) · {q:.3f} + {beta:.3f} · {aq:.3f} = {(1 - beta) * q + beta * aq:.3f}"


def shown(policy: str, selection: Selection, names: dict[object, str], most: int = 4) -> Html:
    """The best moves of a choice, each with its equation."""
    ranked = sorted(selection.scores, key=lambda move: (move != selection.move, -selection.scores[move]))[:most]
    rows = [
        tag(
            "tr",
            tag("td", tag("b", names[move])),
            tag("td", filled(policy, selection, move), class_="mono"),
            class_="best" if move == selection.move else None,
        )
        for move in ranked
    ]
    note = None
    if policy == "grave":
        other = reference_of(selection.nodes)
        where = (
            "this node itself"
            if other is selection.nodes[-1]
            else f"the node {len(selection.nodes) - 1 - selection.nodes.index(other)} above"
        )
        note = tag("p", f"ref = {REF}: AMAF values of {where}, with {other.visits} simulations", class_="dim")
    return join(note, tag("table", tag("tbody", rows), class_="equations"))
