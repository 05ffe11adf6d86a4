"""Draw `learn-curve.svg` and `learn-shapes.svg`: how local shapes were learnt, and which tell the most.

`python docs/images/learn.py` draws the weights that come with mcrave; `--weights FILE` those of a file.
"""

from __future__ import annotations

import argparse
from importlib.resources import files
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from mcrave.features import weights
from mcrave.features.local_shape import shapes_of

HERE = Path(__file__).parent
SHIPPED = str(files("mcrave.features") / "data" / "local_shape_9.npz")


def draw_curve(about: dict) -> None:
    """Games won against fixed playout policies, over the games played."""
    figure, axes = plt.subplots(figsize=(6.4, 3.2))
    games = [point[0] for point in about["curve"]]
    for number, opponent in enumerate(about["opponents"]):
        axes.plot(games, [100 * point[2][number] for point in about["curve"]], marker="o", label=f"against {opponent}")
    axes.set(xlabel="games of self-play", ylabel="% won", ylim=(50, 101))
    axes.legend(loc="lower right")
    axes.grid(alpha=0.3)
    figure.savefig(HERE / "learn-curve.svg", bbox_inches="tight", metadata={"Date": None})


def telling(size: int, theta: np.ndarray, side: int, count: int) -> list[tuple[float, np.ndarray]]:
    """The shapes of a window size, wherever they stand, whose weights are best for Black."""
    shapes = shapes_of(size)
    start = shapes.empty[{1: 0, 2: size**2, 3: size**2 + (size - 1) ** 2}[side]]
    numbers = shapes.weight[start : start + 3 ** (side * side), 1]
    first = {int(number): i for i, number in reversed(list(enumerate(numbers)))}
    best = sorted((number for number in first if number), key=lambda number: -theta[number])[:count]
    digits = 3 ** np.arange(side * side)
    return [(theta[number], (first[number] // digits % 3).reshape(side, side)) for number in best]


def draw_shapes(size: int, theta: np.ndarray) -> None:
    """Little boards."""
    rows = [telling(size, theta, side, 8) for side in (2, 3)]
    figure, places = plt.subplots(len(rows), 8, figsize=(9.6, 3.2))
    for row, found in zip(places, rows, strict=True):
        for axes, (weight, shape) in zip(row, found, strict=True):
            side = len(shape)
            axes.set(xlim=(-0.6, side - 0.4), ylim=(side - 0.4, -0.6), xticks=[], yticks=[], facecolor="#e8c888")
            axes.set_aspect("equal")
            axes.set_title(f"{weight:+.2f}", fontsize=9)
            for line in range(side):
                axes.plot([-0.6, side - 0.4], [line, line], color="#60482a", lw=0.7, zorder=1)
                axes.plot([line, line], [-0.6, side - 0.4], color="#60482a", lw=0.7, zorder=1)
            for (r, c), color in np.ndenumerate(shape):
                if color:
                    axes.add_patch(plt.Circle((c, r), 0.42, fc="k" if color == 1 else "w", ec="k", zorder=2))
    figure.savefig(HERE / "learn-shapes.svg", bbox_inches="tight", metadata={"Date": None})


def main() -> None:
    """Draw both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", default=SHIPPED, help="a file that mcrave learn td or pack wrote")
    chosen = parser.parse_args()
    plt.rcParams["svg.hashsalt"] = "mcrave"
    about, arrays = weights.read(chosen.weights, weights.LOCAL_SHAPE)
    size = weights.check_local_shape(chosen.weights, about, arrays)
    draw_curve(about)
    draw_shapes(size, weights.unfolded(arrays["pairs"], arrays["whole"]))


if __name__ == "__main__":
    main()
