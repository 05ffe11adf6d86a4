"""`mcrave learn mm`: ratings of move patterns from games."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcrave.cli import _options
from mcrave.cli.match import INTERRUPTED, Device
from mcrave.machine import usable_cores

if TYPE_CHECKING:
    from mcrave.arena import Manning, Order
    from mcrave.learn.choices import Choices
    from mcrave.learn.mm import Training

MOST_TOLD = 10  # games that are named when they are left out


def mm(
    more: Annotated[list[str] | None, typer.Argument(metavar="[FILE]...", help="More SGF files.")] = None,
    sgf: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Games of Go: a file, a collection, or a folder.")
    ] = None,
    db: Annotated[str, typer.Option(metavar="FILE", help="Games of Go in a results file of mcrave.")] = "",
    only: Annotated[str, typer.Option(metavar="TEXT", help="Of --db, games of players whose text has this.")] = "",
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", min=0, help="Play so many to learn from.")] = 0,
    player: Annotated[str, typer.Option(metavar="PLAYER", help="Who plays them; the engine's default @1000.")] = "",
    opponent: Annotated[
        str, typer.Option(metavar="PLAYER", help="Against whom; GNU Go if it is installed, else the same.")
    ] = "",
    size: Annotated[int, typer.Option(metavar="N", help="The board is N × N points, from 2 to 19.")] = 9,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where the ratings are kept.")
    ] = "ratings.npz",
    sweeps: Annotated[int, typer.Option(metavar="N", min=1, help="Steps of every group of features.")] = 40,
    prior: Annotated[float, typer.Option(metavar="N", min=0, help="Games won and lost by every feature before.")] = 1.0,
    workers: Annotated[int, typer.Option(metavar="N", min=0, help="Processes that play; 0: one a core.")] = 0,
    device: Device = "cpu",
    json: _options.Json = False,
    seed: _options.Seed = None,
) -> None:
    """Learn ratings of move patterns from games of Go, by minorisation–maximisation (Coulom 2007).

    The games come from SGF files, from a results file, or are played; those that are played are kept beside FILE, in
    FILE.db. The ratings are kept after every sweep: the same command goes on after Ctrl-C or a crash, and then learns
    the same ratings as an unbroken run. Games that cannot be used are named, counted and left out.
    Use them in playouts or in the tree: patterns(weights=FILE), ratings(weights=FILE).

    Examples:
      mcrave learn mm --sgf games.sgf --out mine.npz
      mcrave learn mm --size 19 --sgf collection/ --out nineteen.npz
      mcrave learn mm --games 200 --out ratings.npz --seed 1
      mcrave learn mm --games 5000 --device cuda --player "grave+mogo@300" --out ratings.npz
      mcrave match go "uct+patterns(weights=mine.npz)@500" "uct+mogo@500" --games 100
    """
    from mcrave.arena import Manning, Order
    from mcrave.arena.running import CUDA
    from mcrave.cli._choices import played_to_learn
    from mcrave.cli.learn import _progress
    from mcrave.errors import Error
    from mcrave.learn.choices import Choices
    from mcrave.learn.mm import Training, predict

    files = [*(sgf or []), *(more or [])]
    if not files and not db and not games:
        raise Error("there is nothing to learn from: name SGF files by --sgf, a results file by --db, or give --games")
    choices, skipped = Choices(size), Counter[str]()

    def skip(text: str) -> None:
        skipped["games"] += 1
        if skipped["games"] <= MOST_TOLD:
            print(f"left out: {text}", file=sys.stderr)

    with _progress(0, None) as note:
        _gather(choices, skip, lambda done: note(done, "games read"), files, db, only)
    if games:
        manning = Manning(workers or usable_cores(), device=device)
        setting = (size, player, opponent, 1 if seed is None else seed)
        order = Order(played_to_learn(*setting, alone=device == CUDA), games, None)
        contest_text = _play(choices, skip, order, out, manning)
    if skipped["games"]:
        print(f"left out {skipped['games']} games that cannot be used", file=sys.stderr)
    learnt, held_out = choices.learnt(), choices.held_out()
    if not learnt.number:
        raise Error("no game could be learnt from")
    about = {
        "size": size,
        "games": choices.games,
        "skipped": skipped["games"],
        "unused": dict(choices.unused),
        "sources": [Path(path).name for path in [*files, *([db] if db else [])]] + ([contest_text] if games else []),
    }
    training = Training(learnt, about, prior)
    _fit(training, out, sweeps)
    found = {name: predict(fit.gamma, held_out) for name, fit in training.fits.items()}
    if json:
        from json import dumps

        said = {name: {"learnt": training.fits[name].curve[-1], **p._asdict()} for name, p in found.items()}
        print(dumps({**training.about, "sweeps": sweeps, "held_out": held_out.number, "fits": said}))
        return
    print(f"{choices.games} games, {learnt.number + held_out.number} moves; not used: {_counted(choices.unused)}")
    for name, fit in training.fits.items():
        print(f"{name}: {fit.sweeps} sweeps, log-likelihood {fit.curve[-1]:.4f} a move", end="")
        if held_out.number:
            unseen = found[name]
            print(f"; of unseen games {unseen.likelihood:.4f}, {100 * unseen.first:.1f} % come first", end="")
        print()
    print(f"the ratings are in {out}")


def _gather(
    choices: Choices, skip: Callable[[str], None], note: Callable[[int], None], files: list[str], db: str, only: str
) -> None:
    """Games that exist."""
    from mcrave.cli import _choices

    _choices.from_files(files, choices, skip, note)
    if db:
        from mcrave.arena import Store

        with Store(db, read_only=True) as store:
            _choices.from_store(store, choices, skip, note, only)


def _play(choices: Choices, skip: Callable[[str], None], order: Order, out: str, manning: Manning) -> str:
    """Games that are played for it, and kept; returns what was played."""
    from mcrave.arena import Store, play_match
    from mcrave.cli import _arena, _choices

    place = f"{out}.db"
    with Store(place) as store:
        with _arena.progress([order]) as listener:
            result = play_match(order, store, manning, listener=listener)
        if not result.complete:
            print(f"interrupted: the games so far are kept in {place}; the same command goes on", file=sys.stderr)
            raise typer.Exit(INTERRUPTED)
        _choices.add_contest(store, order.contest, choices, skip, lambda done: None)
    return order.contest.to_json()


def _fit(training: Training, out: str, sweeps: int) -> None:
    """All sweeps that the file lacks."""
    from mcrave.cli.learn import _progress

    if Path(out).exists():
        training.resume(out)
    training.save(out)  # whoever cannot write there hears it now
    with _progress(0, sweeps * len(training.fits)) as note:
        done = 0
        try:
            for name, fit in training.fits.items():
                while fit.sweeps < sweeps:
                    step = fit.sweep()
                    training.save(out)
                    note(done + step.sweep, f"{name}: {step.likelihood:.4f} a move")
                done += sweeps
        except KeyboardInterrupt:
            made = ", ".join(f"{fit.sweeps} of {name}" for name, fit in training.fits.items())
            print(f"interrupted: sweeps so far ({made}) are kept in {out}; the same command goes on", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None


def _counted(unused: Counter[str]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in unused.items()) or "none"
