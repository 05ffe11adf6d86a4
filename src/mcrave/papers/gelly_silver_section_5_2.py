"""Gelly & Silver §5.2: UCT needs exploration, heuristic UCT–RAVE does best with none."""

from __future__ import annotations

from mcrave.papers._gelly_silver import GO, SCHEDULE, hand
from mcrave.papers.base import CURVES, GELLY_SILVER, Cell, Table, at_least, at_most

CONSTANTS = ("0.05", "0.1", "0.2", "0.4", "0.8")
PRIOR = "even(m=50,c=1)"


def _rave(c: str, label: str, playout: str) -> Cell:
    b = f"{hand()}+{PRIOR}{playout}@3000"
    a = b.replace("mc_rave(", f"uct_rave(c={c},")
    return Cell((label, c), at_most(50), GO, a, b)


def _uct(c: str, label: str, playout: str) -> Cell:
    return Cell((label, c), at_least(50), GO, f"uct(c={c}){playout}@3000", f"greedy{playout}@3000")


SECTION_5_2 = Table(
    "gelly-silver-section-5-2",
    GELLY_SILVER,
    "§5.2",
    "exploration with and without RAVE, Go 9×9, 3,000 simulations",
    ("players", "c"),
    (
        tuple(_rave(c, "UCT–RAVE against MC–RAVE, random playouts", "") for c in CONSTANTS),
        tuple(_rave(c, "UCT–RAVE against MC–RAVE, MoGo's playouts", "+mogo()") for c in CONSTANTS),
        (_uct("0.4", "UCT against greedy MCTS, random playouts", ""),),
        (_uct("0.4", "UCT against greedy MCTS, MoGo's playouts", "+mogo()"),),
    ),
    "UCT is much stronger than a greedy tree policy. With RAVE the best exploration constant was 0: UCT–RAVE with c "
    "> 0 does not beat MC–RAVE. It was tested with up to tens of thousands of simulations; no numbers are given.",
    (
        "The claim is read as a rate of at most 50 % for UCT–RAVE against MC–RAVE, all else equal, and of at least "
        "50 % for UCT against greedy search. The paper compared against GNU Go.",
        "Both have the even-game prior with C̃ = 50 and C = 1. With C = 0 the bonus of untried moves would be "
        "infinite, and UCT–RAVE would try every move once before it looks at any AMAF value.",
        SCHEDULE,
    ),
    CURVES,
)

TABLES = (SECTION_5_2,)
