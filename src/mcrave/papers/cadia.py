"""CadiaPlayer's results with RAVE, as GRAVE §2 quotes them (Finnsson & Björnsson 2010)."""

from __future__ import annotations

from dataclasses import replace

from mcrave.papers._grave import also, instead
from mcrave.papers.base import CURVES, GRAVE, Cell, Reading, Table, at_least

CHECKERS = "gdl_checkers"
GAMES = ("breakthrough", CHECKERS, "othello")
PLAYOUTS = (100, 300, 1000, 10_000)
RAVE = "uct_rave(schedule=hand(k=1000))"

CADIA = Table(
    "cadia",
    GRAVE,
    "§2",
    "RAVE against UCT on CadiaPlayer's games",
    ("game", "playouts"),
    tuple(
        tuple(
            Cell(
                (game.removeprefix("gdl_"), f"{playouts:,}"),
                at_least(50),
                game,
                f"{RAVE}@{playouts}",
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
        "RAVE is UCT–RAVE with the hand-selected schedule of Gelly & Silver, k = 1,000, and untried moves first; UCT "
        "has the constant 0.4 that GRAVE §4 calls usual in general game playing, and so has UCT–RAVE.",
        "How CadiaPlayer was set up, and how many playouts it made, is not quoted; here they are uniform. It had to "
        "interpret the rules of its games, so they may have been few: with 100 a move the claim comes out at "
        "Breakthrough and Othello, and with more of them RAVE is worth less and less.",
        "Checkers is that of general game playing (`gdl_checkers`), by the rules of a public description: nobody has "
        "to jump, and after 101 moves who has more pieces wins. Which description CadiaPlayer was given is not "
        "quoted. With these rules the claim comes out up to 1,000 playouts; by those of English draughts RAVE does not "
        "win, however few the playouts (below).",
        "Skirmish is not among our games.",
    ),
    CURVES,
)

GREEDY = also(CADIA, "no exploration: MC–RAVE", instead("uct_rave(", "mc_rave("))
BY_MOVE = also(
    GREEDY,
    "no exploration, and N(s,a) in place of N(s) in the schedule",
    instead("uct_rave(", "mc_rave("),
    instead("k=1000)", "k=1000,by_move=true)"),
)


def with_draughts(table: Table) -> Table:
    """The table with all that is played at Checkers read as English draughts, too."""
    as_printed = tuple(Reading("", cell) for cell in table.cells)
    others = tuple(
        Reading("; ".join(filter(None, ("English draughts", what))), replace(cell, game="checkers"))
        for what, cell in (*as_printed, *table.readings)
        if cell.game == CHECKERS
    )
    return replace(table, readings=(*table.readings, *others))


TABLES = (with_draughts(BY_MOVE),)
