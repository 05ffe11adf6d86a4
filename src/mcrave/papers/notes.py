"""The lecture notes: playouts that learn, positions that several paths reach, and searches in parallel."""

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
FORMS = {"leaf(8)": "leaf(playouts=8)", "root(8)": "root(workers=8)", "tree(8)": "tree(threads=8)"}


def _against_one_thread(budget: str) -> tuple[tuple[Cell, ...], ...]:
    """Each form against the plain search with the same budget."""
    return tuple(
        tuple(
            Cell((game, form), NOTHING, game, f"mc_rave+{text}@{budget}", f"mc_rave@{budget}") for form, text in forms
        )
        for game, forms in ((game, FORMS.items()) for game in ("go(size=9)", "hex(size=9)"))
    )


PARALLEL = Table(
    "notes-parallel",
    NOTES,
    "Parallelism",
    "leaf, root and tree parallelism against one thread, 800 simulations each",
    ("game", "form"),
    _against_one_thread("800"),
    "Leaf parallelism plays several games from each leaf, root parallelism grows several trees, tree parallelism has "
    "several threads on one tree. The notes give no numbers.",
    (
        "At equal simulations: one thread knows every outcome before it chooses again, the others do not.",
        "What tree(8) loses depends on how many threads really run at once: on two processors, two.",
    ),
)
PARALLEL_TIME = Table(
    "notes-parallel-time",
    NOTES,
    "Parallelism",
    "leaf, root and tree parallelism against one thread, 0.02 seconds each",
    ("game", "form"),
    _against_one_thread("0.02s"),
    "As in notes-parallel, at equal time. The notes give no numbers.",
    ("Only on a machine that does nothing else; play it with `--workers 1`. What is won depends on its processors.",),
)

TABLES = (PLAYOUTS, TRANSPOSITIONS, PARALLEL, PARALLEL_TIME)
