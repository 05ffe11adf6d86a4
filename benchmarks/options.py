"""What a part or an option is worth: matches of a search with it against the same search without, at equal simulations.

    python benchmarks/options.py transpositions [--games 400] [--simulations 500] [--workers 2] [--db options.db]

Every second game has the seats exchanged, and both games of a pair begin with the same two random moves. A cell is the
share of points of the search with the option and its 95% interval (Wilson); with `--db` a killed run goes on.
"""

from __future__ import annotations

import argparse

import mcrave

GAMES = {
    "transpositions": (
        "mnk(size=5,length=4)",
        "connect_four(rows=6,cols=7)",
        "domineering(size=6)",
        "othello(size=6)",
        "hex(size=5)",
        "breakthrough(size=6)",
        "clobber(rows=5,cols=6)",
        "atarigo(size=5)",
        "go(size=5)",
    ),
    "backups": (
        "mnk(size=5,length=4)",
        "connect_four(rows=6,cols=7)",
        "domineering(size=6)",
        "othello(size=6)",
        "hex(size=5)",
        "breakthrough(size=6)",
        "go(size=5)",
    ),
    "playouts": ("breakthrough(size=6)", "othello(size=6)", "domineering(size=8)", "hex(size=7)", "go(size=7)"),
    "pool_rave": ("breakthrough(size=6)", "domineering(size=8)", "hex(size=7)", "go(size=7)"),
    "disputed": ("go(size=7)", "go(size=9)", "othello(size=6)"),
    "amaf": ("go(size=7)", "go(size=9)", "atarigo(size=7)", "othello(size=6)", "breakthrough(size=6)"),
}
PARTS = {
    "transpositions": tuple(f"search(transpositions={mode})" for mode in ("edge", "state", "full")),
    "backups": tuple(f"search(backup={backup})" for backup in ("max()", "mean_max(k=100)", "mean_max(k=1000)")),
    "playouts": ("mast()", "mast(mode=epsilon)", "past()", "softmax()", "ordered()", "truncated(depth=10)"),
    "pool_rave": ("pool_rave()",),
    "disputed": ("disputed()", "disputed(settled=0.8,after=50)"),
    "amaf": ("search(by_point=1)",),
}
TREES = {
    "transpositions": "uct",
    "backups": "uct",
    "playouts": "uct",
    "pool_rave": "rave",
    "disputed": "mc_rave",
    "amaf": "mc_rave(schedule=min_mse())",
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=GAMES)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--simulations", type=int, default=500)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--db", default=":memory:")
    options = parser.parse_args()
    tree, columns = TREES[options.what], PARTS[options.what]
    print(f"| game | {' | '.join(f'`{column}`' for column in columns)} |")
    print(f"| --- | {' | '.join('---:' for _ in columns)} |")
    for game in GAMES[options.what]:
        cells = []
        for column in columns:
            players = f"{tree}+{column}@{options.simulations}", f"{tree}@{options.simulations}"
            result = mcrave.match(game, *players, options.games, workers=options.workers, opening=2, db=options.db)
            low, high = result.interval
            cells.append(f"{100 * result.rate:.1f}% ({100 * low:.0f}–{100 * high:.0f})")
        print(f"| `{game}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
