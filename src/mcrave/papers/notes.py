"""The lecture notes: playouts that learn, and positions that several paths reach.

Leaf, root and tree parallelism at equal simulations belong here, too, as soon as there are players that search so.
"""

from __future__ import annotations

from mcrave.papers.base import NOTES, NOTHING, Cell, Table

PLAYOUTS = Table(
    "notes-playouts",
    NOTES,
    "MAST and PAST",
    "playouts that learn against uniform playouts, 1,000 simulations",
    ("game", "playouts"),
    tuple(
        tuple(Cell((game, playout), NOTHING, game, f"uct+{playout}@1000", "uct@1000") for playout in ("mast", "past"))
        for game in ("breakthrough", "knightthrough", "domineering(size=8)", "othello", "connect_four", "hex(size=7)")
    ),
    "MAST prefers moves that won before, PAST moves that make such statements true which held in won games. The "
    "notes give no numbers.",
    (
        "Both players are UCT with constant 0.4 and the same number of simulations; MAST and PAST take longer for "
        "each.",
        "Temperatures and counts are our defaults.",
        "The notes' leaf, root and tree parallelism are not compared yet: no player searches in parallel.",
    ),
)
TRANSPOSITIONS = Table(
    "notes-transpositions",
    NOTES,
    "Games that are not trees",
    "treatments of transpositions against none, 1,000 simulations",
    ("game", "treatment"),
    tuple(
        tuple(
            Cell((game, mode), NOTHING, game, f"uct+search(transpositions={mode})@1000", "uct@1000")
            for mode in ("edge", "state", "full")
        )
        for game in ("domineering(size=6)", "connect_four", "breakthrough", "hex(size=5)")
    ),
    "Three treatments: a position reached by several paths is several nodes (UCB0, our `off`); one node, judged by "
    "the edge that leads there (UCB1, `edge`); one node, judged by all edges (UCB2, `state`), which need not "
    "converge. The notes give no numbers.",
    ("`full`, which recomputes values through all parents (UCT3 of Childs et al. 2008), is added.",),
)

TABLES = (PLAYOUTS, TRANSPOSITIONS)
