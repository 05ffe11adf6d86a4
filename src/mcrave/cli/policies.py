"""`mcrave policies`: what a search, and so a player, can be made of."""

from __future__ import annotations

from typing import Annotated

import typer

from mcrave.cli import _options

HEADINGS = {
    "tree": "Tree policies: which move a simulation takes inside the tree",
    "schedule": "Schedules: the weight of AMAF values, as in mc_rave(schedule=hand(k=500))",
    "playout": "Playouts: how a simulation ends",
    "prior": "Priors: what is assumed of a move before it is tried",
    "choice": "Choices: which move is played at last",
    "backup": "Backups: what a move is worth to its parent, as search(backup=...)",
    "parallel": "Parallel forms: how several processors are used",
}


def policies(
    kind: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND", help=f"Show one kind only: {', '.join(HEADINGS)}; may be given again.", show_default=False
        ),
    ] = None,
    json: _options.Json = False,
    seed: _options.Seed = None,
) -> None:
    """List what a search is made of: tree policies, playouts, priors and all the rest.

    Each is written name(field=value,...); every field has a default.
    A player joins them: TREE[+PLAYOUT][+PRIOR][+CHOICE]@SIMULATIONS, or @2.5s for seconds.

    Examples:
      mcrave policies
      mcrave policies --kind tree
      mcrave policies --json
    """
    import mcrave.search  # noqa: F401  (where choices, backups and parallel forms are registered)
    from mcrave.cli._listing import described, show
    from mcrave.errors import SpecError
    from mcrave.specs import _hint, find, names

    for wanted in kind or ():
        if wanted not in HEADINGS:
            raise SpecError(f"unknown kind '{wanted}'{_hint(wanted, HEADINGS)} known: {', '.join(HEADINGS)}")
    wanted_kinds = [one for one in HEADINGS if not kind or one in kind]
    found = [described(find(name, one)) for one in wanted_kinds for name in names(one)]
    if json:
        from json import dumps

        print(dumps(found, indent=2))
    else:
        show(found, HEADINGS)
