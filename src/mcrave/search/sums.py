"""One report of several trees about the same position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mcrave.search.reading import TreeReader
from mcrave.search.report import MoveReport, Report
from mcrave.trees.arena import NODES


def told_together(
    readers: Sequence[TreeReader], by_vote: bool, simulations: int, seconds: float, most: int | None = None
) -> Report:
    """What all of them found: counts, outcomes and AMAF statistics of the root's moves are added up.

    The policy's score and β are those of the sums. By vote, the move is best that most trees would play; of moves with
    equally many votes the one that the sums prefer.
    """
    summed = sum_of(readers)
    votes = Counter(reader.best() for reader in readers) if by_vote else Counter[str]()

    def worth(move: MoveReport) -> tuple[float, ...]:
        certain, *rest = summed.worth(move)
        return (certain, votes[move.move], *rest)

    report = summed.report(simulations, seconds, most)
    best = max(summed.moves() if by_vote else report.moves, key=worth).move
    likely = max(readers, key=lambda reader: reader.visits_of(best))
    return replace(
        report,
        best=best,
        pv=likely.principal_variation(best),
        nodes=sum(int(reader.tree.used[NODES]) for reader in readers),
    )


def sum_of(readers: Sequence[TreeReader]) -> TreeReader:
    """The roots of all trees as one node, without what is below."""
    first = readers[0]
    moves = first.tree.move[first.edges(0)]
    ranks = np.argsort(np.argsort(moves))
    orders = [np.argsort(each.tree.move[each.edges(0)])[ranks] for each in readers]  # a prior may have changed it
    found = [(each.tree, each.edges(0).start + order) for each, order in zip(readers, orders, strict=True)]

    def added(field: str) -> np.ndarray:
        return np.sum([getattr(tree, field)[at] if getattr(tree, field).size else [] for tree, at in found], 0)

    def added_tables(field: str) -> np.ndarray:
        return np.sum([getattr(tree, field)[: getattr(tree, field).size // tree.nodes.size] for tree, _ in found], 0)

    nodes = first.tree.nodes[:1].copy()
    nodes.first = 0
    nodes.visits = sum(int(tree.nodes[0].visits) for tree, _ in found)
    nodes.given = sum(float(tree.nodes[0].given) for tree, _ in found)
    tree = first.tree._replace(
        nodes=nodes,
        move=moves,
        code=first.tree.code[first.edges(0)],
        child=np.full_like(moves, -1),
        w=np.sum([each.sums(0)[order] for each, order in zip(readers, orders, strict=True)], 0),
        share=first.tree.share[first.edges(0)],
        proof=np.max([tree.proof[at] for tree, at in found], 0) if first.tree.proof.size else first.tree.proof,
        used=np.array([1, moves.size]),
        **{field: added(field) for field in ("n", "given", "an", "aw", "squares")},
        **{field: added_tables(field) for field in ("table_n", "table_w")},
    )
    return first.of(tree, [counts for reader in readers for counts in reader.owned])
