"""A node of the search tree, and how one simulation is added to the nodes it went through.

In place of a mean Q a node holds the sum w = N · Q. Adding the outcome to w is Eq. 6 without its rounding errors
(footnote 3 of the paper). All sums are of outcomes for the player named, so everybody maximises: the papers'
argmin for White is the same thing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from mcrave.reference.protocol import Code, Move, Play

Counting = Literal["once", "by_point", "replays", "playout_alone"]
"""Which moves of a simulation AMAF counts, see `counted`."""


def zeros() -> Any:
    """A table of numbers, all of them 0 until set."""
    return defaultdict(float)


@dataclass
class Node:
    """The statistics of one state s.

    `amaf_n` and `amaf_w` hold the moves of all players, as GRAVE needs them. RAVE looks up the legal moves of the
    player to move and nothing else, which is the rule of §4.3 that a move illegal at s gets no AMAF value there.
    """

    player: int  # Who moves at s
    codes: dict[Move, Code]  # The legal moves, in the game's order, and what AMAF takes them for
    visits: int = 0  # Simulations through s, the one that made the node included
    given: float = 0.0  # The sum of prior counts: N(s) = visits + given (Eq. 52)
    prior: dict[Move, float] = field(default_factory=zeros)  # The prior count of each move, C(s,a)
    h: dict[Move, float] = field(default_factory=zeros)  # The prior value of each move, H(s,a)
    n: dict[Move, float] = field(default_factory=zeros)  # N(s,a), prior included
    w: dict[Move, float] = field(default_factory=zeros)  # N(s,a) · Q(s,a)
    squares: dict[Move, float] = field(default_factory=zeros)  # The sum of squared outcomes, for variances
    amaf_n: dict[Play, float] = field(default_factory=zeros)  # Ñ(s,a), prior included
    amaf_w: dict[Play, float] = field(default_factory=zeros)  # Ñ(s,a) · Q̃(s,a)
    children: dict[Move, Node] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """N(s)."""
        return self.visits + self.given

    def tried(self, move: Move) -> float:
        """How many simulations took the move here."""
        return self.n[move] - self.prior[move]

    def most_visited(self) -> Move:
        """The move with the most simulations; of equal ones the better."""
        return max(self.codes, key=lambda move: (self.tried(move), self.w[move]))

    def best(self) -> Move:
        """The move with the highest Q(s,a), with which Algorithm 1 ends: `SelectMove(board, s₀, 0)`."""
        return max(self.codes, key=lambda move: self.w[move] / self.n[move] if self.n[move] else -1.0)


Path = Sequence[tuple[Node, Move | None]]
"""The nodes s₀ … s_T of a simulation, each with the move taken there; None at the node that was added."""


def backup(path: Path, plays: Sequence[Play], z: Callable[[int], float], amaf: Counting = "once") -> None:
    """Backup([s₀ … s_T], [a₀ … a_D], z) of Algorithm 2: add the outcome `z(player)` to every node of the path.

    The player who moves again at ply u need not be found by counting in twos: `plays` names the player of each move.
    Which moves AMAF counts, see `counted`.

    >>> s = Node(player=0, codes={"a": "a", "b": "b"})
    >>> backup([(s, "b")], [(0, "b"), (1, "a"), (0, "a"), (0, "a")], lambda player: 1.0 - player)
    >>> s.visits, dict(s.n), dict(s.w)
    (1, {'b': 1.0}, {'b': 1.0})
    >>> s.amaf_n[0, "a"], s.amaf_w[0, "a"], s.amaf_n[1, "a"], s.amaf_w[1, "a"]
    (1.0, 1.0, 1.0, 0.0)
    """
    for t, (node, move) in enumerate(path):
        node.visits += 1  # Eq. 13
        if move is not None:
            node.n[move] += 1.0  # Eq. 14
            node.w[move] += z(node.player)  # Eq. 15
            node.squares[move] += z(node.player) ** 2
        for player, code in counted(path, plays, t, amaf):
            node.amaf_n[player, code] += 1.0  # Eq. 16
            node.amaf_w[player, code] += z(player)  # Eq. 17


def counted(path: Path, plays: Sequence[Play], t: int, amaf: Counting = "once") -> Iterable[Play]:
    """The moves that AMAF counts for the node s_t of a simulation.

    Algorithm 2 counts a move once for each player who makes it. By point, only the first player to make it counts, as
    the text of §4.3 says; with replays, every play of a move does; and of the playout alone, no move made in the tree.

    >>> s, plays = Node(player=0, codes={"a": "a"}), [(0, "a"), (1, "b"), (0, "b"), (1, "b")]
    >>> for amaf in ("once", "by_point", "replays", "playout_alone"):
    ...     print(amaf, sorted(counted([(s, "a")], plays, 0, amaf)))
    once [(0, 'a'), (0, 'b'), (1, 'b')]
    by_point [(0, 'a'), (1, 'b')]
    replays [(0, 'a'), (0, 'b'), (1, 'b'), (1, 'b')]
    playout_alone [(0, 'b'), (1, 'b')]
    """
    if amaf == "replays":
        return plays[t:]
    if amaf == "by_point":
        first = {code: player for player, code in reversed(plays[t:])}
        return {(player, code) for code, player in first.items()}
    if amaf == "playout_alone":
        t = sum(move is not None for _, move in path)
    return set(plays[t:])  # a set: however often a move was played, it counts once
