"""How much playouts that learn are worth: matches at equal simulations, and what a simulation costs.

`python -m benchmarks.playout_policies [--games 200] [--matches "nim@100:uct()+mast()/uct()+uniform()"]`

Pairs of games with exchanged sides. A search is kept through a game, so a policy keeps what it learnt. In games
between programs that never pass, Go is ended after as many plies as playouts may have and counted as it stands.
`cost` is the time of a simulation of A as a multiple of B's.
"""

from __future__ import annotations

import argparse
import math
import time

import mcrave
from mcrave.games import base
from mcrave.specs import lowered

BREAKTHROUGH, OTHELLO = "breakthrough(size=6)@300", "othello(size=6)@300"
DOMINEERING, GO = "domineering(size=8)@300", "go(size=9)@100"
LEARNERS = ["mast()", "mast(mode=epsilon)", "softmax()", "ordered()"]
MATCHES = [
    *(f"{game}:uct()+{playout}/uct()+uniform()" for game in (BREAKTHROUGH, OTHELLO) for playout in LEARNERS),
    *(f"{game}:uct()+past()/uct()+uniform()" for game in (BREAKTHROUGH, OTHELLO)),
    *(f"{game}:uct()+past(combine=mean)/uct()+uniform()" for game in (BREAKTHROUGH, OTHELLO)),
    *(f"{DOMINEERING}:uct()+{playout}/uct()+uniform()" for playout in LEARNERS),
    *(f"{game}:rave()+pool_rave()/rave()+uniform()" for game in (BREAKTHROUGH, DOMINEERING)),
    *(f"{game}:uct()+truncated(depth=10)/uct()+uniform()" for game in (BREAKTHROUGH, OTHELLO)),
    f"{GO}:uct()+mast()/uct()+uniform()",
    f"{GO}:uct()+past()/uct()+uniform()",
]


def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson interval of a rate."""
    rate, spread = wins / games, z * z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = z * math.sqrt(rate * (1 - rate) / games + spread / games / 4) / (1 + spread)
    return middle - half, middle + half


class Side:
    """A search, and the time it took."""

    def __init__(self, game: str, text: str, seed: int) -> None:
        """Make the search of `TREE+PLAYOUT`."""
        tree, _, playout = text.partition("+")
        self.search = mcrave.Search(game, tree=tree, playout=playout, memory="16MB", seed=seed)
        self.simulations, self.seconds = 0, 0.0

    def choose(self, position: mcrave.Position, simulations: int) -> int:
        """The move to play."""
        report = self.search.run(position, simulations=simulations)
        self.simulations += report.simulations
        self.seconds += report.seconds
        return position.number(str(report.best))


def play(game: str, sides: list[Side], simulations: int) -> float:
    """The result for the side that moves first."""
    position, plies = mcrave.game(game).start(), 0
    while not position.is_over and plies <= position.game.max_plies():
        position = position.play(sides[position.to_move].choose(position, simulations))
        plies += 1
    return float(base.outcome(lowered(position.game), position.state[0], 0))


def match(text: str, games: int, seed: int) -> str:
    """A row of the table."""
    setting, _, players = text.partition(":")
    game, _, simulations = setting.rpartition("@")
    names = players.split("/")
    for name in names:
        Side(game, name, seed).choose(mcrave.game(game).start(), 1)  # compile
    started, wins = time.process_time(), 0.0
    costs = [[0, 0.0], [0, 0.0]]
    for number in range(games):
        sides = [Side(game, name, 1000 * seed + 2 * (number // 2) + i) for i, name in enumerate(names)]
        first = number % 2
        result = play(game, sides[::-1] if first else sides, int(simulations))
        wins += 1 - result if first else result
        for cost, side in zip(costs, sides, strict=True):
            cost[0] += side.simulations
            cost[1] += side.seconds
    low, high = wilson(wins, games)
    each = [seconds / simulated for simulated, seconds in costs]
    row = [f"`{game}`", simulations, f"`{names[0]}`", f"`{names[1]}`", str(games), f"{100 * wins / games:.1f}%"]
    row += [f"{100 * low:.0f}–{100 * high:.0f}%", f"{each[0] / each[1]:.1f}", f"{time.process_time() - started:.0f}"]
    return f"| {' | '.join(row)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", action="append", metavar="GAME@SIMULATIONS:A/B")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("| game | simulations | A | B | games | A wins | 95% | cost | CPU s |")
    print("| --- | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for text in options.matches or MATCHES:
        print(match(text, options.games, options.seed), flush=True)


if __name__ == "__main__":
    main()
