"""How the engine plays if `--player` is not given, by the size of the board.

A line is: up to this many points on the longer side, the player, in the form of `mcrave policies`. The number behind
the @ is for games without a clock; with one, the clock says how long to think.
"""

from __future__ import annotations

STRONGEST = "mc_rave(schedule=bias(bias=0.0003))+mogo(mercy=2.25)+mogo2008+search(expand_after=2,by_point=1)"
"""What beat GNU Go most often on 9×9; `benchmarks/strength.md` tells how often, and what else was tried."""

PLAYERS = (
    (9, f"{STRONGEST}@10000"),
    (13, f"{STRONGEST}@10000"),
    (25, f"{STRONGEST}@10000"),
)

RESIGN_BELOW = 0.06
"""The engine resigns when it gives itself less than this, twice in a row."""


def default_player(rows: int, cols: int) -> str:
    """The player for a board.

    >>> default_player(9, 9).partition("@")[0].startswith("mc_rave")
    True
    """
    return next(player for size, player in PLAYERS if max(rows, cols) <= size)
