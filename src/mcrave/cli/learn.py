"""`mcrave learn`: what a player can teach itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from mcrave.cli import _learn_balance, _learn_mm, _options

if TYPE_CHECKING:
    from mcrave.learn.td import Point, Training

INTERRUPTED = 130

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="""Learn weights by playing: local shapes, ratings of patterns, balanced playouts, the bias of RAVE.

    Examples:
      mcrave learn td --size 9 --games 100000
      mcrave learn pack local_shape_9.npz small.npz
      mcrave learn bias "go(size=9)" --positions 100
      mcrave learn mm --sgf games.sgf --out ratings.npz
      mcrave learn balance --size 5 --out balanced.npz
    """,
)
app.command("mm")(_learn_mm.mm)
app.command("balance")(_learn_balance.balance)
Progress = Callable[[int, str], None]


@app.command("td")
def td(
    size: Annotated[int, typer.Option(metavar="N", help="The board is N × N points, from 2 to 19.")] = 9,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", min=1, help="Games in all.")] = 100_000,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where the weights are kept; local_shape_N.npz here.")
    ] = "",
    komi: Annotated[float, typer.Option(metavar="K", help="Points for White.")] = 7.5,
    alpha: Annotated[float, typer.Option(metavar="A", help="Step size, divided by the active features.")] = 0.5,
    epsilon: Annotated[float, typer.Option(metavar="E", help="The share of random moves.")] = 0.1,
    halving: Annotated[
        float,
        typer.Option(metavar="N", help="The step is half as large after N games, a third after 2 N; 0: constant."),
    ] = 100_000.0,
    every: Annotated[
        int, typer.Option(metavar="N", min=1, help="Keep and measure the weights every N games.")
    ] = 10_000,
    measure: Annotated[
        int, typer.Option(metavar="N", min=0, help="Games against each fixed opponent to measure; 0: none.")
    ] = 200,
    json: _options.Json = False,
    seed: _options.Seed = None,
) -> None:
    """Learn the weights of local shapes by TD(0) from games of Go against itself (RLGO 1.0).

    After every N games the weights are kept in FILE, and the greedy player is measured against random and MoGo's
    playouts. The same command goes on after Ctrl-C or a crash, and then learns the same weights as an unbroken run.
    Use them as a prior or a player: mc_rave+mogo+local_shape(weights=FILE)@1000, local_shape(weights=FILE).

    Examples:
      mcrave learn td --size 9 --games 100000
      mcrave learn td --size 5 --komi 24.5 --games 20000 --out five.npz
      mcrave match go "local_shape(weights=local_shape_9.npz)" random --games 100
    """
    from mcrave.learn.td import Settings

    path = out or f"local_shape_{size}.npz"
    training = _begin(path, Settings(size, komi, alpha, epsilon, halving, 1 if seed is None else seed))
    shown = not json
    with _progress(training.games, games) as note:
        try:
            while training.games < games:
                training.run(
                    min(every - training.games % every, games - training.games), lambda done: note(done, "learning")
                )
                if training.games % every == 0 and measure:
                    point = training.measure(measure)
                    if shown:
                        print(_point_text(point, training), flush=True)
                training.save(path)
        except KeyboardInterrupt:
            training.save(path)
            print(f"interrupted: {training.games} games are kept in {path}; the same command goes on", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
    if json:
        from json import dumps

        print(dumps(training.about()))
    else:
        print(f"{training.games} games are in {path}")


@app.command("pack")
def pack(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What mcrave learn td wrote.", show_default=False)],
    out: Annotated[str, typer.Argument(metavar="OUT", help="Where the small file goes.", show_default=False)],
) -> None:
    """Write learnt weights to a small file, in half precision: enough to play with, not to go on learning.

    Examples:
      mcrave learn pack local_shape_9.npz small.npz
    """
    from mcrave.learn.td import Training

    training = Training.load(file)
    training.pack(out)
    print(f"weights of {training.games} games are in {out}")


@app.command("bias")
def bias(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game, as in hex(size=7), or FILE.py:Class.", show_default=False)
    ],
    positions: Annotated[int, typer.Option("--positions", "-n", metavar="N", min=1, help="How many to search.")] = 50,
    visits: Annotated[int, typer.Option(metavar="N", min=20, help="Simulations of every move of each.")] = 400,
    playout: Annotated[str, typer.Option(metavar="PLAYOUT", help="As it will be used.")] = "uniform()",
    json: _options.Json = False,
    seed: _options.Seed = None,
) -> None:
    """Learn by how much AMAF values are wrong in a game (Gelly & Silver §4.6.2), and print a schedule for mc_rave.

    Examples:
      mcrave learn bias "go(size=9)" --playout "mogo()" --positions 100
      mcrave learn bias domineering --visits 1000
    """
    from mcrave.games import game as game_of
    from mcrave.learn.bias import collect, fit

    played = game_of(game)
    with _progress(0, positions) as note:
        samples = collect(
            played, positions, visits, playout, 1 if seed is None else seed, lambda done: note(done, "searching")
        )
    found = fit(samples)
    if json:
        from json import dumps

        print(dumps({"game": str(played), **found._asdict(), "schedule": str(found.schedule)}))
        return
    print(f"{played}: {found.samples} moves of {positions} positions, {visits} simulations each")
    print(f"constant bias  {found.constant:.4f}   mc_rave(schedule=min_mse(bias={found.constant:.4f}))")
    print(f"learnt bias    explains {100 * found.explained:.0f} % of its square")
    print(f"mc_rave(schedule={found.schedule})")


def _begin(path: str, settings: tuple[object, ...]) -> Training:
    """The run in a file, or a new one."""
    from pathlib import Path

    from mcrave.errors import Error
    from mcrave.learn.td import Settings, Training

    wanted = Settings(*settings)  # type: ignore[arg-type]
    wanted.check()
    if not Path(path).exists():
        training = Training(wanted)
        training.save(path)  # whoever cannot write there hears it now
        return training
    training = Training.load(path)
    for name, old, new in zip(Settings._fields, training.settings, wanted, strict=True):
        if old != new:
            raise Error(f"{path} is of a run with {name}={old:g}, not {new:g}; choose another file by --out")
    return training


def _point_text(point: Point, training: Training) -> str:
    from mcrave.learn.td import OPPONENTS

    rates = ", ".join(f"{100 * rate:.1f} % against {name}" for name, rate in zip(OPPONENTS, point.rates, strict=True))
    return f"{point.games} games, {training.games / max(training.seconds, 1e-9):.0f} a second: won {rates}"


@contextmanager
def _progress(done: int, total: int | None) -> Iterator[Progress]:
    """A bar on a terminal, without an end if none is known; nothing in a pipe."""
    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield lambda completed, said: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=300) as shown:
        task = shown.add_task("getting ready", total=total, completed=done)
        yield lambda completed, said: shown.update(task, completed=completed, description=said)
