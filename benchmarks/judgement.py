"""How well playouts judge positions of finished games: a cheap first look at whether a change of a playout is any good.

    python benchmarks/judgement.py games.db "mogo()" "mogo(ladders=false)" [--simulations 300]

From every game of a results file (`mcrave match go ... --db games.db`) some positions are taken. A search that adds no
node below the root judges each; the outcome of the game is what it should have said. One line for each playout: the
mean of -log p of the outcomes, with p a logistic function of the judgement fitted to all positions; how much that is
above the first playout's, with the standard error over games; and the two numbers of the fit, which would be 0 and 1 if
judgements were probabilities. Less is better. A playout that judges better mostly plays better, but only matches tell.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import time

import numpy as np
from scipy.optimize import minimize
from scipy.special import logit

import mcrave

PLIES = (12, 18, 24, 30, 36, 42)
LEAST_LEFT = 4  # moves to come after a position
TREE, PRIOR = "mc_rave(schedule=bias(bias=0.0003))", "mogo2008()"


def positions(files: list[str], game: mcrave.Game) -> list[tuple[int, mcrave.Position, float]]:
    """The number of the game, the position, and what Black got in the end."""
    found, number = [], 0
    for file in files:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as store:
            rows = store.execute("SELECT moves, outcome, config FROM results").fetchall()
        for moves, outcome, config in rows:
            if json.loads(config)["game"] != str(game):
                continue
            number += 1
            position, names = game.start(), moves.split()
            for ply, name in enumerate(names, 1):
                position = position.play(name)
                if ply in PLIES and name != "pass" and len(names) >= ply + LEAST_LEFT:
                    found.append((number, position, float(json.loads(outcome)[0])))
    return found


def judged(playout: str, game: mcrave.Game, asked: list[mcrave.Position], simulations: int) -> np.ndarray:
    """Black's chance in each position, as log-odds."""
    search = mcrave.Search(game, tree=TREE, playout=playout, prior=PRIOR, expand_after=10**9, seed=1)
    values = []
    for position in asked:
        value = search.run(position, simulations=simulations).value
        values.append(value if position.to_move == 0 else 1.0 - value)
    return logit(np.clip(values, 0.003, 0.997))


def surprise(fit: np.ndarray, judgement: np.ndarray, outcome: np.ndarray) -> np.ndarray:
    """Compute -log p of each outcome, p by a logistic function."""
    odds = fit[0] + fit[1] * judgement
    return np.logaddexp(0.0, odds) - outcome * odds


def main() -> None:
    """Print a line for each playout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", help="results files, with commas between")
    parser.add_argument("playouts", nargs="+")
    parser.add_argument("--game", default="go(size=9)")
    parser.add_argument("--simulations", type=int, default=300)
    options = parser.parse_args()
    game = mcrave.game(options.game)
    asked = positions(options.files.split(","), game)
    games, outcome = np.array([number for number, _, _ in asked]), np.array([won for _, _, won in asked])
    print(f"{len(set(games.tolist()))} games, {len(asked)} positions")
    first = None
    for playout in options.playouts:
        began = time.process_time()
        judgement = judged(playout, game, [position for _, position, _ in asked], options.simulations)
        fit = minimize(lambda fit, seen=judgement: surprise(fit, seen, outcome).mean(), [0.0, 1.0]).x
        each = surprise(fit, judgement, outcome)
        first = each if first is None else first
        more = np.bincount(games, each - first)
        error = np.sqrt((more**2).sum()) / len(asked)
        print(
            f"{playout:40} {each.mean():.4f}  {(each - first).mean():+.4f} ± {error:.4f}  fit {fit[0]:.2f} {fit[1]:.2f}"
            f"  {time.process_time() - began:.1f} CPU-s",
            flush=True,
        )


if __name__ == "__main__":
    main()
