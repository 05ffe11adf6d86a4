"""`mcrave tune`: good values for a player's parameters, by matches."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from mcrave.cli import _options
from mcrave.cli.match import INTERRUPTED, Device, Ray, pair

if TYPE_CHECKING:
    from mcrave.arena import Contest, Record
    from mcrave.arena.running import Listener
    from mcrave.tuning import Trial, Tuning, TuningResult
    from mcrave.tuning.running import Attempt, OnTrial

SHOWN = 5  # of the best trials


def tune(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game, as in hex(size=7), or FILE.py:Class.", show_default=False)
    ],
    player: Annotated[
        str,
        typer.Argument(metavar="PLAYER", help="A player with ranges, as in uct(c=[0.1..1.5])@200.", show_default=False),
    ],
    opponent: Annotated[
        str, typer.Argument(metavar="OPPONENT", help="Whom it plays; by default itself at its defaults.")
    ] = "",
    trials: Annotated[int, typer.Option("--trials", "-t", metavar="N", min=1, help="How many values are tried.")] = 50,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", min=1, help="Games of each trial.")] = 20,
    fresh: Annotated[
        int, typer.Option(metavar="N", min=0, help="Games of the best one at the end, which no trial has seen.")
    ] = 200,
    opening: Annotated[
        int, typer.Option("--opening", "--openings", metavar="PLIES", min=0, help="Random moves that begin each pair.")
    ] = 2,
    db: Annotated[str, typer.Option(metavar="FILE", help="Keeps trials and games; goes on from there.")] = "tuning.db",
    cap: Annotated[int, typer.Option(metavar="MOVES", min=0, help="End games here; 0: the game's own bound.")] = 0,
    agree: Annotated[
        str, typer.Option(metavar="VALUE,MOVES", help="End when both were so sure of the result for so many moves.")
    ] = "",
    workers: Annotated[int, typer.Option("--workers", "-w", metavar="N", help="Processes that play a trial.")] = 1,
    ray: Ray = "",
    device: Device = "cpu",
    json: _options.Json = False,
    seed: _options.Seed = None,
) -> None:
    r"""Find good values for a player's parameters by matches against a fixed opponent.

    Write ranges in place of values: [0.1..1.5] for numbers, [1..100] for whole numbers, [1e-6..0.1 log] where
    factors count, \[mogo()|uniform()] for choices. Trials are few games, so the best of them was lucky, too: at the
    end it plays games that had no part in the choice, and their rate is the honest one. The same command goes on
    after Ctrl-C or a crash; more --trials continue a finished one. The same seed gives the same trials.

    Examples:
      mcrave tune "hex(size=5)" "uct(c=[0.05..2 log])@200" --trials 60 --games 20
      mcrave tune go "mc_rave(schedule=min_mse(bias=[0.01..0.5 log]))+mogo@500" --agree 0.03,3 --db bias.db
      mcrave tune breakthrough "\[uct|grave|mc_rave]+search(expand_after=[0..10])@500" "uct@500"
    """
    from mcrave.arena import Manning, Store
    from mcrave.tuning import Tuning
    from mcrave.tuning.running import run

    tuning = Tuning.of(
        game,
        player,
        opponent,
        games=games,
        seed=1 if seed is None else seed,
        opening=opening,
        cap=cap,
        agree=pair(agree, "--agree", "0.02,4") if agree else (0.0, 0),
    )
    with Store(db) as store, _progress(tuning, trials, fresh, not json) as (listener, on_trial):
        manning = Manning(workers, ray, device)
        result = run(tuning, store, manning, trials, fresh, listener=listener, on_trial=on_trial)
    if json:
        from json import dumps

        print(dumps(result.as_dict()))
    else:
        _show(result)
    if not result.complete:
        done = f"{len(result.trials)} of {trials} trials"
        print(f"interrupted: {done} and all finished games are kept in {db}; the same command goes on", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


@contextmanager
def _progress(tuning: Tuning, trials: int, fresh: int, lines: bool) -> Iterator[tuple[Listener | None, OnTrial]]:
    """A line for every trial; on a terminal a bar below them: games done, the last trial, time left."""

    def say(number: int, attempt: Attempt, trial: Trial) -> None:
        if lines:
            print(f"trial {number + 1}: {100 * trial.rate:.1f} % of {trial.games} games  {attempt.player}", flush=True)

    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield None, say
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    before, seen = 0, 0
    with Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=300) as shown:
        task = shown.add_task("games, getting ready", total=trials * tuning.games + fresh)

        def note(contest: Contest, records: Sequence[Record], fresh_ones: bool) -> None:
            nonlocal seen
            seen += len(records)
            done = before // tuning.games
            said = f"games, trial {done + 1} of {trials}" if done < trials else "games, the best one's fresh ones"
            most = tuning.games if done < trials else fresh  # values tried again have older games, too
            shown.update(task, completed=before + min(seen, most), description=said)

        def end(number: int, attempt: Attempt, trial: Trial) -> None:
            nonlocal before, seen
            before, seen = (number + 1) * tuning.games, 0
            say(number, attempt, trial)

        yield note, end


def _show(result: TuningResult) -> None:
    """The best trials, and what fresh games say."""
    from rich.table import Table
    from rich.text import Text

    from mcrave.arena.results import elo_text
    from mcrave.cli import _arena

    tuning = result.tuning
    played, opponent = tuning.contest, tuning.contest.players[1]
    print(f"{played.game}: {tuning.template} against {opponent}, seed {played.seed}, {len(result.trials)} trials")
    if not result.trials:
        print("no trials yet")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("trial", "estimate", "own games"):
        table.add_column(heading, justify="right")
    table.add_column("player")
    order = sorted(range(len(result.trials)), key=lambda i: -result.estimates[i])
    for i in order[:SHOWN]:
        own = f"{result.trials[i].points:g} of {result.trials[i].games}"
        table.add_row(f"{i + 1}", f"{100 * result.estimates[i]:.1f} %", own, Text(result.attempts[i].player))
    _arena.show(table)
    print(f"best  {result.player}")
    if result.fresh is None:
        print("No fresh games: the estimate is flattered, as it was chosen for being high.")
        return
    low, high = result.fresh.interval
    rate = f"{100 * result.fresh.rate:.1f} % of {result.fresh.games} (95 %: {100 * low:.1f} to {100 * high:.1f})"
    print(f"fresh {rate}, Elo {elo_text(result.fresh.elo)}")
    print("The estimate was chosen for being high, and so is flattered; the fresh games are not.")
    for line in _arena.warnings(result.fresh):
        print(line)
