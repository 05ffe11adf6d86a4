"""Tree policies: the expression that SelectMove maximises.

A policy is a function of a node s, a move a there, and the nodes from the root down to s, which only GRAVE looks at.
What the papers leave open is the value of a move that was never tried: unless said otherwise it is +∞, so that every
move is tried once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from mcrave.reference.protocol import Move
from mcrave.reference.schedules import Schedule, cazenave, hand
from mcrave.reference.tree import Node

Policy = Callable[[Node, Move, Sequence[Node]], float]
UNTRIED = math.inf


def evenly() -> Policy:
    """All moves in turn: flat Monte-Carlo (§2.3), if only the root is kept."""
    return lambda s, a, nodes: -s.n[a] if s.n[a] else UNTRIED


def greedy(urgency: float = UNTRIED) -> Policy:
    """Greedy MCTS (§2.4): Q(s,a); untried moves are credited with `urgency`."""
    return lambda s, a, nodes: s.w[a] / s.n[a] if s.n[a] else urgency


def uct(c: float = 0.4, urgency: float = UNTRIED) -> Policy:
    """UCT (Algorithm 1): Q⊕(s,a) = Q(s,a) + c √(log N(s) / N(s,a)) (Eq. 7); untried moves have `urgency`."""
    return lambda s, a, nodes: s.w[a] / s.n[a] + c * bonus(s, a) if s.n[a] else urgency


def bonus(s: Node, a: Move) -> float:
    """√(log N(s) / N(s,a)), what UCB1 adds to a mean."""
    return math.sqrt(math.log(s.total) / s.n[a])


def variance(s: Node, a: Move) -> float:
    """σ²(s,a), the variance of the outcomes of a move.

    >>> variance(Node(0, {"a": "a"}, n={"a": 4.0}, w={"a": 1.0}, squares={"a": 1.0}), "a")
    0.1875
    """
    return max(s.squares[a] / s.n[a] - (s.w[a] / s.n[a]) ** 2, 0.0)


def ucb1_tuned(c: float = 1.0) -> Policy:
    """UCB1-tuned (Auer et al. 2002), MoGo's first choice: the bonus shrinks where outcomes vary little.

    Q + c √(log N(s) / N(s,a) · min(¼, σ² + √(2 log N(s) / N(s,a)))).
    """

    def score(s: Node, a: Move, nodes: Sequence[Node]) -> float:
        if not s.n[a]:
            return UNTRIED
        most = variance(s, a) + math.sqrt(2.0) * bonus(s, a)
        return s.w[a] / s.n[a] + c * bonus(s, a) * math.sqrt(min(0.25, most))

    return score


def crazy_stone(floor: float = 1e-3) -> Policy:
    """Crazy Stone (§3.6): each move in proportion to the probability that it is better than the best, both Gaussian.

    Coulom (2006) draws a move with a probability proportional to exp(−2.4 (μ₀ − μ) / √(2 (σ₀² + σ²))) + ε, 0 being
    the best. Without drawing lots, the move that has the fewest visits for its probability gives the same shares.
    The variance of a mean is that of the outcomes, with one more of variance ¼ for caution, over their number.
    """

    def spread(s: Node, a: Move) -> float:
        return (variance(s, a) * s.n[a] + 0.25) / (s.n[a] + 1.0) / s.n[a]

    def score(s: Node, a: Move, nodes: Sequence[Node]) -> float:
        if not s.n[a]:
            return UNTRIED
        best = max((b for b in s.codes if s.n[b]), key=lambda b: s.w[b] / s.n[b])
        gap = s.w[best] / s.n[best] - s.w[a] / s.n[a]
        return (math.exp(-2.4 * gap / math.sqrt(2.0 * (spread(s, best) + spread(s, a)))) + floor) / s.n[a]

    return score


def puct(c: float = 1.0, urgency: float = 0.5) -> Policy:
    """PUCT (Silver et al. 2016): Q(s,a) + c P(s,a) √N(s) / (1 + N(s,a)), with P the prior's values scaled to sum to 1.

    Untried moves have Q = `urgency`.
    """

    def score(s: Node, a: Move, nodes: Sequence[Node]) -> float:
        whole = sum(s.h.values())
        share = s.h[a] / whole if whole else 1.0 / len(s.codes)
        return (s.w[a] / s.n[a] if s.n[a] else urgency) + c * share * math.sqrt(s.total) / (1.0 + s.n[a])

    return score


def amaf() -> Policy:
    """AMAF values in every subtree (§4.1–4.2): Q̃(s,a) alone (Eq. 11), RAVE before Monte-Carlo values are mixed in."""

    def score(s: Node, a: Move, nodes: Sequence[Node]) -> float:
        play = s.player, s.codes[a]
        return s.amaf_w[play] / s.amaf_n[play] if s.amaf_n[play] else UNTRIED

    return score


def combined(s: Node, a: Move, schedule: Schedule, reference: Node, urgency: float = UNTRIED) -> float:
    """Q⋆(s,a) = (1 − β) Q(s,a) + β Q̃(s,a) (Eq. 12), with Q̃ of the reference node: s itself, but for GRAVE.

    If only one of the two values is known, it is that one; if neither, `urgency`.

    >>> s = Node(0, {"a": "a"}, n={"a": 2.0}, w={"a": 0.0}, amaf_n={(0, "a"): 5.0}, amaf_w={(0, "a"): 3.0})
    >>> combined(s, "a", lambda *statistics: 0.5, s)
    0.3
    """
    play = s.player, s.codes[a]
    n, w, an, aw = s.n[a], s.w[a], reference.amaf_n[play], reference.amaf_w[play]
    if not n or not an:
        return w / n if n else aw / an if an else urgency
    beta = schedule(s.total, n, w, an, aw)
    return (1.0 - beta) * (w / n) + beta * (aw / an)


def mc_rave(schedule: Schedule | None = None) -> Policy:
    """MC–RAVE (§4.3, Algorithm 2): Q⋆(s,a), by default with the hand-selected schedule."""
    return lambda s, a, nodes: combined(s, a, schedule or hand(), s)


def uct_rave(c: float = 0.4, schedule: Schedule | None = None) -> Policy:
    """UCT–RAVE (§4.4): Q⋆(s,a) + c √(log N(s) / N(s,a)) (Eq. 18); with c = 0, MC–RAVE."""
    if c == 0.0:
        return mc_rave(schedule)
    return lambda s, a, nodes: combined(s, a, schedule or hand(), s) + c * bonus(s, a) if s.n[a] else UNTRIED


def mogo_abc(k: float = 500.0, rise: float = 20.0, g: float = 1.2) -> Policy:
    """MoGo's three weights (GRAVE §2): α Q + β Q̃ + γ H, from the prior over AMAF to Monte-Carlo values."""

    def score(s: Node, a: Move, nodes: Sequence[Node]) -> float:
        play = s.player, s.codes[a]
        n, an, whole = s.n[a], s.amaf_n[play], sum(s.h.values())
        h = 0.5 * s.h[a] * len(s.codes) / whole if whole else 0.5
        alpha, beta, gamma = n / (n + k), an / (an + rise) * k / (n + k), g * rise / (an + rise)
        q, amaf = (s.w[a] / n if n else 0.0), (s.amaf_w[play] / an if an else 0.0)
        return alpha * q + beta * amaf + gamma * h

    return score


def rave(bias: float = 1e-3, urgency: float = UNTRIED) -> Policy:
    """RAVE as in the paper on GRAVE (§2): MC–RAVE with β = p̃ / (p̃ + p + bias · p̃ · p)."""
    return lambda s, a, nodes: combined(s, a, cazenave(bias), s, urgency)


def grave(ref: int = 50, bias: float = 1e-5, urgency: float = UNTRIED) -> Policy:
    """GRAVE (Cazenave 2015, Algorithm 1): RAVE with AMAF values of the closest ancestor with more than `ref` playouts.

    The node itself may be that ancestor; where there is none, it is the root. In the paper it is `tref`.

    >>> s0 = Node(0, {}, visits=9, amaf_n={(1, "a"): 4.0}, amaf_w={(1, "a"): 3.0})
    >>> s1 = Node(1, {"a": "a"}, visits=3, amaf_n={(1, "a"): 1.0}, amaf_w={(1, "a"): 0.0})
    >>> [grave(ref)(s1, "a", [s0, s1]) for ref in (2, 3, 9)]
    [0.0, 0.75, 0.75]
    """

    def score(s: Node, a: Move, nodes: Sequence[Node]) -> float:
        tref = next((node for node in reversed(nodes) if node.visits > ref), nodes[0])
        return combined(s, a, cazenave(bias), tref, urgency)

    return score
