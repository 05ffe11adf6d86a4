"""Heuristic priors (Gelly & Silver §5, Eq. 48–52): what is assumed about the moves of a new node.

A prior is any function of the new node, the move, the nodes above it from the root on, and the state. It returns the
value H(s,a) for the player to move, and how many simulations that is worth: C(s,a) for the Monte-Carlo value and
C̃(s,a) for the AMAF value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mcrave.reference.protocol import Move, State
from mcrave.reference.tree import Node

MASK = (1 << 64) - 1
Order = Callable[[State], Sequence[Move]]
"""In which order a node's moves stand: of equal ones the first is taken."""
Prior = Callable[[Node, Move, Sequence[Node], State], tuple[float, float, float]]


def even(m: float = 0.0, c: float = 0.0) -> Prior:
    """The even-game heuristic: H = ½, with C̃ = m and C = c; nothing at all by default."""

    def heuristic(node: Node, a: Move, above: Sequence[Node], state: State) -> tuple[float, float, float]:
        return 0.5, c, m

    return heuristic


def grandfather(m: float = 20.0, c: float = 0.0, amaf: bool = False) -> Prior:
    """The grandfather heuristic: H(s_t,a) = Q(s_{t−2},a), what the move was worth when the player moved last.

    ½ where there is no such state or the move was not tried in it. With more than two players, or when a player moves
    twice in a row, it is the last state in which this player was to move. With `amaf` it is Q̃ in place of Q.
    """

    def heuristic(node: Node, a: Move, above: Sequence[Node], state: State) -> tuple[float, float, float]:
        for ancestor in reversed(above):
            if ancestor.player == node.player:
                for b, code in ancestor.codes.items():
                    if code == node.codes[a]:
                        play = ancestor.player, code
                        n = ancestor.amaf_n[play] if amaf else ancestor.n[b]
                        w = ancestor.amaf_w[play] if amaf else ancestor.w[b]
                        if n:
                            return w / n, c, m
                break
        return 0.5, c, m

    return heuristic


def in_turn(state: State) -> Sequence[Move]:
    """As the game lists them."""
    return state.legal_moves()


def shuffled(state: State) -> Sequence[Move]:
    """In an order drawn from the state's `key()`: Fisher and Yates, with the words of SplitMix64."""
    moves = list(state.legal_moves())
    word = state.key()  # type: ignore[attr-defined]
    for i in range(len(moves) - 1, 0, -1):
        word = (word + 0x9E3779B97F4A7C15) & MASK
        mixed = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        j = ((mixed ^ (mixed >> 31)) >> 32) * (i + 1) >> 32
        moves[i], moves[j] = moves[j], moves[i]
    return moves
