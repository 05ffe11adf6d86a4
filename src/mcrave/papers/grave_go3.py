"""GRAVE §4.8–4.9, Tables 18–19: three-colour Go on 9×9 and 19×19."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mcrave.papers._grave import (
    BIASES,
    NOTES,
    PLAYOUT_ALONE,
    REPLAYS,
    SHUFFLED,
    Against,
    Setting,
    claim,
    grave_table,
    instead,
    rave_table,
    readings,
)
from mcrave.papers.base import Cell, at_least, at_most, exactly, trials

LAST = ",pass_last=true"
THREE_NOTES = (
    "Nobody passes who has a move that does not fill an own eye, and nobody fills one (`pass_last`): the paper says "
    "only that the game ends when all three have passed. Where players may pass at any time, two beaten UCT players "
    "pass early, games last 80 moves in place of about 145, and RAVE wins more (below).",
    "Playouts are uniformly random, as in the paper; own eyes are not filled.",
    "The paper plays the six orders of three players, of whom two are equal, 100 times each. Here the first player "
    "takes each of the three seats equally often, which is the same.",
    "A score is the number of stones and of eyes, as in the paper; an eye is taken to be an empty point that "
    "reaches one colour only. Players who tie for the greatest score share the win.",
    "Equal players get 33.3 %.",
    "With uniform playouts Tables 18 and 19 do not come out: with every bias RAVE wins more against UCT than in the "
    "paper, by 6 to 20 points, and most with small ones; with every ref GRAVE wins less against RAVE. Two "
    "cells of Table 18 were played with playouts that save what stands in atari and capture what they can "
    "(`reflex()`, below), and both come out: these are MoGo's without its patterns, which the paper's words, uniform "
    "without patterns, may mean. Table 19 does not come out with them ([what was tried](grave-table-19.md)).",
    "What comes nearest to Table 18 is a RAVE that counts the moves of the playout alone, and none made in the tree: "
    "so one may read the paper's words that nodes are updated with all the moves of the playout. All 15 cells agree, "
    "with only 150 games each, so that a difference of some eight points would not show; the eleven that stand on "
    "different games in the paper are together 2.4 points higher here, 1.8 standard errors. But beside such a RAVE "
    "GRAVE wins too little for Table 19. There a RAVE that counts every play of a move, beside a GRAVE that counts "
    "the first, comes nearest: three of four cells agree, with 200 games each, and all four together are 5.6 points "
    "lower, of which the choice of the best of 15 may explain three to four. (A playout here has some 190 moves on 81 "
    "points, so points are captured and played on again.) In Table 18 this RAVE wins too little, 5.7 points in five "
    "cells together, 3.2 standard errors. The paper says that GRAVE updates its statistics in another way than RAVE, "
    "so the two may have been written apart; which way RAVE's went is a guess, and no reading that was tried gives "
    "both tables. In other games the moves of the playout alone make little difference (Domineering 8×8, bias 0.001 "
    "of Table 9: 69 % of 120 games) or too weak a RAVE (Tables 1, 13 and 14).",
    "In Elo, both tables together put GRAVE 420 to 445 above UCT in the paper (with and without 3.5 points for the "
    "choice of the best of 15), and 393 here: what differs is where RAVE stands between the two, 275 above UCT there "
    "and 356 here. With two colours and uniform playouts GRAVE (ref 100, bias 1e-5) wins 60 % of 150 games against "
    "RAVE (bias 0.001), and that 98 % of 100 against UCT.",
)
TRIALS = trials(
    """
    the tree kept from move to move                                | Table 19, ref 100, 1e-5 | 41.7 | 100
    a node's first playout does not count there                    | | 29 |  31
    AMAF counts a point whoever plays there                        | | 38 |  47
    the same for RAVE alone                                        | | 74 |  60
                                                                   | Table 18, 1e-3 | 7.5 | 60
    the same for RAVE alone, counted for the one who thinks        | Table 18, 1e-9 | 0 | 60
    AMAF counts every play of a move                               | Table 19, ref 100, 1e-5 | 41 | 270
                                                                   | Table 18, 1e-3 | 62 | 300
                                                                   | Table 18, 1e-9 | 56 | 90
    AMAF counts the first play at a point alone (`by_point=1`)     | Table 19, ref 100, 1e-5 | 43 | 210
                                                                   | Table 18, 1e-9 | 78 | 60
    AMAF counts the last play at a point alone                     | Table 19, ref 100, 1e-5 | 35.1 | 120
                                                                   | Table 18, 1e-3 | 49.2 | 120
                                                                   | Table 18, 1e-9 | 45.9 | 90
    the same for RAVE alone                                        | Table 19, ref 100, 1e-5 | 59.1 | 90
    AMAF counts moves above the node, too                          | | 38 | 60
                                                                   | Table 18, 1e-9 | 81 | 60
    AMAF counts the moves behind the tree alone                    | Table 19, ref 100, 1e-5 | 28 | 90
                                                                   | Table 18, 1e-9 | 59 | 60
    RAVE tells players by counting moves, and passes are not moves | Table 18, 1e-3 | 77.8 | 120
    the others play against the one who thinks                     | Table 19, ref 100, 1e-5 | 46 | 90
                                                                   | Table 18, 1e-9 | 79 | 90
    passing at any time                                            | Table 19, ref 100, 1e-5 | 38 | 60
    a move without statistics is worth ½                           | | 29 | 60
    a move without statistics is worth 0                           | | 37 | 54
    RAVE tries every move of a node once before it looks at AMAF    | Table 18, 1e-3 | 84.1 | 90
    no transpositions                                              | Table 19, ref 100, 1e-5 | 43 | 60
                                                                   | Table 18, 1e-9 | 75 | 60
    the move that would be selected next is played                 | Table 19, ref 100, 1e-5 | 41 | 60
    moves listed in another order                                  | | 38 | 120
                                                                   | Table 18, 1e-9 | 82 | 120
    eyes whatever stands on their diagonals                        | Table 19, ref 100, 1e-5 | 29 | 90
                                                                   | Table 18, 1e-9 | 81 | 60
    eyes with own stones on all diagonals                          | Table 19, ref 100, 1e-5 | 38 | 120
                                                                   | Table 18, 1e-9 | 82 | 90
    eyes with own stones on all diagonals but one                  | Table 19, ref 100, 1e-5 | 29 | 120
    playouts that fill own eyes                                    | | 39 | 90
    playouts that go on from a random point to one they may play   | | 34.3 | 90
                                                                   | Table 18, 1e-9 | 84.3 | 90
    playouts that capture, and save nothing                        | Table 19, ref 100, 1e-5 | 44 | 90
                                                                   | Table 18, 1e-9 | 79 | 90
    the tree may fill own eyes, as no player or playout does       | Table 19, ref 100, 1e-5 | 39.4 | 120
                                                                   | Table 18, 1e-3 | 83.5 | 120
    RAVE counts every play, GRAVE the first; playouts of 120 moves | | 81.5 | 90
                                                                   | Table 18, 1e-9 | 70.2 | 90
                                                                   | Table 19, ref 100, 1e-5 | 47.0 | 90
    the same; playouts of 160 moves                                | Table 18, 1e-3 | 69.6 | 90
                                                                   | Table 18, 1e-9 | 63.3 | 90
                                                                   | Table 19, ref 100, 1e-5 | 38.1 | 90
    RAVE with bias 0.1 in place of 0.001                           | Table 19, ref 100, 1e-5 | 63 | 120
    RAVE with bias 1e-9 in place of 0.001                          | Table 19, ref 50, 1e-4 | 38 | 120
    """
)
SMALL = Setting("three-colour Go 9×9", f"go3(size=9{LAST})", games=600, notes=THREE_NOTES)
LARGE = Setting(
    "three-colour Go 19×19",
    f"go3(size=19{LAST})",
    games=600,
    notes=THREE_NOTES,
    options="transpositions=edge,memory=512MB",
)

TABLE_18 = rave_table(
    18,
    SMALL,
    Against(1000),
    """
    49.7  70.5 *70.8  66.7  68.2
    67.3  64.5  67.8  63.5  64.7
    63.3  63.3  63.3  63.3  63.3
    """,
    "RAVE against two UCT players, each with 1,000 playouts a move. The best bias is 0.001 with 70.83 %.",
)
TABLE_19 = grave_table(
    19,
    SMALL,
    Against(1000),
    "0.001",
    """
    50     100    200    400
    1e-4   1e-5   1e-9   1e-11
    56.00 *57.17  54.50  55.17
    """,
    "GRAVE against two RAVE players with bias 0.001, each with 1,000 playouts. The best has ref 100 and bias 1e-5.",
)
UCT = claim(
    "4.9-uct",
    "RAVE against two UCT players at three-colour Go 19×19, 1,000 playouts",
    ("bias",),
    [Cell(("1e-9",), at_least(33.4), LARGE.game, LARGE.rave("1e-9", 1000), LARGE.uct(1000))],
    "With 1,000 playouts each, RAVE is said to be much better than UCT; no number is given.",
    *THREE_NOTES,
    *NOTES,
)
SECTION_4_9 = claim(
    "4.9-rave",
    "RAVE against two GRAVE players (ref 400, bias 1e-5) at three-colour Go 19×19, 1,000 playouts",
    ("RAVE bias",),
    [
        Cell(
            (bias,),
            exactly("18.5", 600) if bias == "1e-9" else at_most(18.5, 600),
            LARGE.game,
            LARGE.rave(bias, 1000),
            LARGE.grave("400", "1e-5", 1000),
            bias == "1e-9",
        )
        for bias in BIASES
    ],
    "RAVE was tuned against two GRAVE players with ref 400 and bias 1e-5, each with 1,000 playouts. Its best result "
    "was 18.5 % with bias 1e-9; so all others are at most that.",
    *THREE_NOTES,
    *NOTES,
)


def _short(most: int) -> tuple[Callable[[str], str]]:
    """Uniform playouts that end after so many moves, and are judged as they stand then."""
    return (instead("+search(", f"+truncated(depth={most},evaluation=outcome)+search("),)


REFLEX = (instead("+search(", "+reflex()+search("),)
READINGS = {
    "moves below the root in an order of chance": (SHUFFLED,),
    "passing at any time": (instead(LAST),),
    "RAVE counts every play of a move, GRAVE the first": (REPLAYS,),
    "RAVE counts the moves of the playout alone, GRAVE all": (PLAYOUT_ALONE,),
    **{f"playouts of {most} moves at the most": _short(most) for most in (40, 80, 120)},
    "playouts that save and capture": REFLEX,
    "playouts that save and capture; a kept tree": (*REFLEX, instead("edge", "edge,keep=1")),
}
TABLES = tuple(readings(table, READINGS) for table in (TABLE_18, replace(TABLE_19, trials=TRIALS), UCT, SECTION_4_9))
