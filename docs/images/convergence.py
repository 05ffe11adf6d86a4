"""Draw `convergence.svg`: the bias of UCT's root value shrinks as §2.5 says (`python docs/images/convergence.py`).

Gelly & Silver §2.5: the bias of the root's values is O(log n / n). Here for small solved positions: the mean over many
seeds of |V(s₀) − V*(s₀)| after n simulations, V being the mean outcome of the most visited move.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import mcrave

POSITIONS = {
    "tic-tac-toe, from the start": ("mnk(size=3,length=3)", ()),
    "domineering 4×4": ("domineering(size=4)", ()),
    "nim 2-3-4": ("nim(heaps=2-3-4)", ()),
    "atarigo 3×3": ("atarigo(size=3)", ()),
}
BUDGETS = (30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)


def bias(game: str, moves: tuple[str, ...], seeds: int, tree: str) -> list[float]:
    """The mean error of the root value at each budget."""
    position = mcrave.game(game).position(list(moves))
    truth = mcrave.solve(position).value
    errors = [0.0] * len(BUDGETS)
    for seed in range(1, seeds + 1):
        search, done = mcrave.Search(game, tree=tree, memory="128MB", seed=seed), 0
        for i, budget in enumerate(BUDGETS):
            report = search.run(position, simulations=budget - done)
            errors[i] += abs(report.moves[0].value - truth) / seeds
            done = budget
    return errors


def main() -> None:
    """Print the table and draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--tree", default="uct(c=0.7)")
    options = parser.parse_args()
    found = {name: bias(*where, options.seeds, options.tree) for name, where in POSITIONS.items()}
    print(f"| simulations | {' | '.join(found)} | log n / n |")
    print(f"| ---: | {' | '.join('---:' for _ in found)} | ---: |")
    for i, n in enumerate(BUDGETS):
        print(f"| {n:,} | {' | '.join(f'{errors[i]:.4f}' for errors in found.values())} | {math.log(n) / n:.4f} |")
    draw(found, options.tree)


def draw(found: dict[str, list[float]], tree: str) -> None:
    """Write the picture beside this file."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    pyplot.rcParams.update({"svg.hashsalt": "mcrave", "font.family": "sans-serif"})
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for (name, errors), marker in zip(found.items(), "os^D", strict=True):
        axes.loglog(BUDGETS, errors, marker=marker, label=name)
    axes.loglog(BUDGETS, [math.log(n) / n for n in BUDGETS], "k--", label="log n / n")
    axes.set_xlabel("simulations n")
    axes.set_ylabel("|value of the move found − solved value|")
    axes.set_title(f"{tree}: the bias of the root value (Gelly & Silver §2.5)")
    axes.grid(True, which="both", alpha=0.25)
    axes.legend()
    figure.tight_layout()
    figure.savefig(Path(__file__).with_suffix(".svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
