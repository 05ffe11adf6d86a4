"""GRAVE §4.3, Tables 5–8: Knightthrough on 8×8."""

from __future__ import annotations

from mcrave.papers._grave import UNIFORM, Against, Setting, grave_table, instead, rave_table, readings, unseen

CODES = "A move's AMAF code is where the knight starts and where it lands; a capture has the same code as a plain move."
KNIGHTS = Setting("Knightthrough 8×8", "knightthrough", notes=(UNIFORM, CODES))

TABLE_5 = rave_table(
    5,
    KNIGHTS,
    Against(1000),
    """
    63.4 *69.4  65.2  69.4  68.2
    68.8  69.0  68.6  69.4  65.0
    64.4  66.0  66.0  66.0  66.0
    """,
    "Each player has 1,000 playouts a move. The paper names 0.01 the best bias, with 69.4 %.",
    "Biases 1e-4 and 1e-9 have the same number as the best.",
)
TABLE_6 = grave_table(
    6,
    KNIGHTS,
    Against(1000),
    "0.01",
    """
    25    50    100
    0.01  1e-4  0.01
    62.0 *67.8  63.0
    """,
    "GRAVE against RAVE with bias 0.01, both with 1,000 playouts. The best has ref 50 and bias 1e-4.",
)
TABLE_7 = rave_table(
    7,
    KNIGHTS,
    Against(10_000),
    """
    38.0  55.2  52.6  53.8  53.8
    49.4  52.8  53.6  53.6 *56.2
    52.0  52.0  52.0  52.0  52.0
    """,
    "As Table 5 with 10,000 playouts each. The best bias is 1e-10.",
)
TABLE_8 = grave_table(
    8,
    KNIGHTS,
    Against(10_000),
    "1e-10",
    """
    25    50     100
    1e-9  0.001  0.001
    65.8 *67.2   65.4
    """,
    "GRAVE against RAVE with bias 1e-10, each with 10,000 playouts. The best has ref 50 and bias 0.001.",
)

READINGS = {  # of 0 / 0 in Algorithm 1; and whether the tree is kept, which fits at Atarigo on 19×19
    f"a move without statistics is worth {written}": (unseen(worth),)
    for worth, written in (("0", "0"), ("0.5", "½"), ("1", "1"))
} | {"a tree kept from move to move": (instead("edge", "edge,keep=1"),)}
TABLES = tuple(readings(table, READINGS) for table in (TABLE_5, TABLE_6, TABLE_7, TABLE_8))
