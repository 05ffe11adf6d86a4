"""`mcrave learn balance`: playouts whose mean outcome is right."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcrave.cli import _options

if TYPE_CHECKING:
    from mcrave.learn.balance import Balancing, Errors, Settings

INTERRUPTED = 130
UNSEEN = 1 << 20  # added to the seed of positions that are only measured


def balance(
    size: Annotated[int, typer.Option(metavar="N", help="The board is N × N points.")] = 5,
    komi: Annotated[float, typer.Option(metavar="K", help="Points for White.")] = 7.5,
    positions: Annotated[int, typer.Option(metavar="N", help="Positions to learn from.")] = 60,
    oracle: Annotated[int, typer.Option(metavar="N", help="Simulations of the search that values each.")] = 2000,
    steps: Annotated[int, typer.Option(metavar="N", min=0, help="Corrections of the weights.")] = 2000,
    method: Annotated[str, typer.Option(metavar="METHOD", help="gradient, or two_step.")] = "gradient",
    start: Annotated[
        str, typer.Option(metavar="RATINGS", help="What to begin with: uniform, patterns, or a file.")
    ] = "patterns",
    alpha: Annotated[float, typer.Option(metavar="A", help="Step size.")] = 1.0,
    simulations: Annotated[int, typer.Option(metavar="N", help="Of each step, by gradient.")] = 200,
    measure: Annotated[int, typer.Option(metavar="N", min=2, help="Other positions to measure the bias on.")] = 40,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where the ratings go.")] = "balanced.npz",
    json: _options.Json = False,
    seed: _options.Seed = None,
) -> None:
    """Balance playouts of Go: learn ratings by which their mean outcome is right (Silver & Tesauro 2009).

    Positions of random games are valued by a deep search. The bias and the variance of playouts are measured on other
    positions, before and after. FILE is kept while it works: the same command goes on after Ctrl-C or a crash, and then
    learns the same ratings as an unbroken run. Use them in playouts: balanced(weights=FILE).

    Examples:
      mcrave learn balance --size 5 --out five.npz
      mcrave learn balance --size 6 --method two_step --positions 30 --alpha 3
      mcrave match "go(size=5)" "uct+balanced(weights=five.npz)@200" "uct@200" --games 100
    """
    from mcrave.cli.learn import _progress
    from mcrave.learn.balance import Balancing, Settings

    setting = (size, komi, positions, oracle, method, start, alpha, simulations, 1 if seed is None else seed)
    run = Balancing(Settings(*setting))
    if Path(out).exists():
        run.resume(out)
    run.save(out)  # whoever cannot write there hears it now
    with _progress(0, positions + steps) as note:
        try:
            run.value_positions(lambda done: note(done, "valuing positions"), lambda: run.save(out))
            while run.steps < steps:
                run.step()
                if run.steps % 50 == 0 or run.steps == steps:
                    run.save(out)
                    note(positions + run.steps, "balancing")
            note(positions + steps, "measuring")
            table = _measure(run, measure, out)
        except KeyboardInterrupt:
            run.save(out)
            print(f"interrupted: {run.steps} steps are kept in {out}; the same command goes on", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
    if json:
        from json import dumps

        print(dumps({**run.about(), "errors": {name: found._asdict() for name, found in table.items()}}))
        return
    print(f"{run.steps} steps over {positions} positions; on {measure} others, mean over positions:")
    print(f"{'playout':24} {'bias':>8} {'rms error':>10} {'variance':>9}")
    for name, found in table.items():
        print(f"{name:24} {found.bias:+8.3f} {found.error:10.3f} {found.variance:9.3f}")
    print(f"the ratings are in {out}")


def _measure(run: Balancing, count: int, out: str) -> dict[str, Errors]:
    """Several playouts on positions that were not learnt from."""
    from mcrave.features import ratings
    from mcrave.learn.balance import Balancing, errors_of

    unseen: Settings = run.settings._replace(
        positions=count, seed=run.settings.seed + UNSEEN, method="gradient", start="uniform"
    )
    other = Balancing(unseen)
    other.value_positions()
    ratings.load.cache_clear()  # the file has changed
    playouts = {"uniform()": "uniform()", "mogo()": "mogo()", "patterns()": "patterns()"}
    playouts["balanced, from " + Path(run.settings.start).name] = f"balanced(weights={out})"
    return {name: errors_of(text, other.positions, other.values, 400) for name, text in playouts.items()}
