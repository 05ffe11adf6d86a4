"""The command line: one file per command, errors turned into one line here.

Exit codes: 0 done, 2 bad input (one line on stderr says what), 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from mcrave.cli import analyze, doctor, games, gtp, learn, match, play, policies, reproduce, results, tournament, tune
from mcrave.errors import Error

BAD_INPUT, INTERRUPTED = 2, 130

app = typer.Typer(
    name="mcrave",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("play")(play.play)
app.command("analyze")(analyze.analyze)
app.command("match")(match.match)
app.command("tournament")(tournament.tournament)
app.command("tune")(tune.tune)
app.add_typer(results.app, name="results")
app.add_typer(learn.app, name="learn")
app.command("gtp")(gtp.gtp)
app.command("reproduce")(reproduce.reproduce)
app.command("games")(games.games)
app.command("policies")(policies.policies)
app.command("doctor")(doctor.doctor)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"mcrave {version('mcrave')}")
        raise typer.Exit


@app.callback()
def _mcrave(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Monte-Carlo tree search with RAVE and GRAVE, in Python, at native speed.

    Every command explains itself: mcrave play --help
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command line and end the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what a terminal cannot show becomes a question mark
            stream.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; return its exit code."""
    try:
        code = app(args=list(arguments), prog_name="mcrave", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except Error as error:
        return _complain(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        sys.stdout = None
        return 0
    except Exception as error:
        if (message := _explained(error)) is None:
            raise
        return _complain(message) if message else BAD_INPUT


def _explained(error: Exception) -> str | None:
    """The line for an error that is not ours: typer's complaint, or a mistake in a user's game."""
    if hasattr(error, "format_message"):  # the class depends on typer's version
        return str(error.format_message())
    if loader := sys.modules.get("mcrave.games._loader"):
        if type(error).__module__.startswith("numba."):
            from mcrave.kernel.diagnosis import explain

            return explain(error)
        return loader.blame(error)  # type: ignore[no-any-return]
    return None


def _complain(message: str) -> int:
    print("mcrave: " + " ".join(message.split()), file=sys.stderr)
    return BAD_INPUT
