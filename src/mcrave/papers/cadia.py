"""CadiaPlayer's results with RAVE, as GRAVE §2 quotes them (Finnsson & Björnsson 2010)."""

from __future__ import annotations

from mcrave.papers._grave import also, instead
from mcrave.papers.base import GRAVE, Cell, Table, at_least

GAMES = ("breakthrough", "checkers", "othello")
PLAYOUTS = (1000, 10_000)

CADIA = Table(
    "cadia",
    GRAVE,
    "§2",
    "RAVE against UCT on CadiaPlayer's games",
    ("game", "playouts"),
    tuple(
        tuple(
            Cell(
                (game, f"{playouts:,}"),
                at_least(50),
                game,
                f"mc_rave(schedule=hand(k=1000))@{playouts}",
                f"uct(c=0.4)@{playouts}",
            )
            for playouts in PLAYOUTS
        )
        for game in GAMES
    ),
    "CadiaPlayer was much stronger with RAVE than without at Breakthrough, Checkers and Othello, and slightly "
    "weaker at Skirmish. No numbers are quoted.",
    (
        "The claim is read as a rate above 50 %, with the same number of playouts for both.",
        "RAVE has the hand-selected schedule of Gelly & Silver with k = 1,000, UCT the constant 0.4 that GRAVE §4 "
        "calls usual in general game playing.",
        "How CadiaPlayer was set up is not quoted; here playouts are uniform, and 1,000 or 10,000 of them a move.",
        "At Breakthrough RAVE loses to UCT here, with exploration in the tree (below) as without. What made it win in "
        "CadiaPlayer is not found: its search control and its times are not quoted.",
        "Skirmish is not among our games.",
    ),
)

BY_MOVE = also(CADIA, "N(s,a) in place of N(s) in the schedule", instead("k=1000)", "k=1000,by_move=true)"))
TABLES = (also(BY_MOVE, "exploration kept: UCT–RAVE, untried moves first", instead("mc_rave(", "uct_rave(")),)
