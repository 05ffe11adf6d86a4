"""How much of its simulations a search needs until its move is decided: `python benchmarks/early_stop.py [--games 8]`.

A player with `search(early_stop=1)` plays itself; a cell is the share of the budget that it used, over all moves. That
is counted, not timed, so that it is the same on every machine.
"""

from __future__ import annotations

import argparse

import mcrave
from mcrave.players import SearchPlayer, parse_player

GAMES = ("go(size=9)", "hex(size=9)", "domineering(size=8)", "atarigo(size=8)", "knightthrough", "othello")
TREES = ("uct(c=0.4)", "rave(bias=1e-5)", "grave(ref=50,bias=1e-5)")


def share(text: str, tree: str, simulations: int, games: int) -> float:
    """Of the budget, over some games."""
    game, used, moves = mcrave.game(text), 0, 0
    for seed in range(games):
        player, position = parse_player(f"{tree}+search(early_stop=1)@{simulations}", seed), game.start()
        assert isinstance(player, SearchPlayer)
        while not position.is_over:
            report = player.search(position)
            position = position.play(str(report.best))
            used, moves = used + report.simulations, moves + 1
        player.close()
    return used / (moves * simulations)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--simulations", type=int, default=1000)
    options = parser.parse_args()
    print(f"| game | {' | '.join(f'`{tree}`' for tree in TREES)} |")
    print(f"| --- | {' | '.join('---:' for _ in TREES)} |")
    for text in GAMES:
        cells = [f"{100 * share(text, tree, options.simulations, options.games):.0f} %" for tree in TREES]
        print(f"| `{text}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
