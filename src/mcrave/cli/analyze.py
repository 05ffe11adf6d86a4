"""`mcrave analyze`: what a search thinks of a position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mcrave.cli import _options

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.tree import Tree

    from mcrave.games import Position
    from mcrave.players import SearchPlayer
    from mcrave.search import Report

DEFAULT_PLAYER = "grave@10000"
LINE = 12  # moves of the main line that are shown
BRANCHES = 3  # moves of a node that are shown in the tree


def analyze(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game, as in hex(size=7), or FILE.py:Class.", show_default=False)
    ],
    player: Annotated[
        str, typer.Option("--player", "-p", metavar="PLAYER", help="Who thinks, and how long; see mcrave policies.")
    ] = DEFAULT_PLAYER,
    moves: Annotated[str, typer.Option(metavar="MOVES", help="The moves so far, as in 'E5 C3'.")] = "",
    diagram: Annotated[
        str, typer.Option(metavar="FILE", help="A file with a drawn position to start from; - reads the input.")
    ] = "",
    top: Annotated[int, typer.Option(metavar="N", min=1, help="How many moves to list.")] = 10,
    depth: Annotated[int, typer.Option(metavar="D", min=0, help="Show the tree, too, so many moves deep.")] = 0,
    ray: _options.Ray = "",
    json: _options.Json = False,
    seed: _options.Seed = None,
) -> None:
    """Search one position, and show every move's statistics and where the simulations went.

    A player is TREE[+PLAYOUT][+PRIOR][+CHOICE]@SIMULATIONS, or @2.5s for seconds.

    Examples:
      mcrave analyze "go(size=9)" --player "grave(ref=50)@20000"
      mcrave analyze "hex(size=7)" --moves "d4 c5" --player "mc_rave(schedule=min_mse(bias=0.1))+secure()@2s"
      mcrave analyze mnk --diagram position.txt --player "uct+search(solve=1)@1000" --json --depth 2
      mcrave analyze "go(size=19)" --player "mc_rave+ray(workers=4)@10s" --ray local
    """
    import mcrave
    from mcrave.errors import Error

    engine = _engine(player, 1 if seed is None else seed, ray)
    rules = mcrave.game(game)
    position = rules.parse(_read(diagram)) if diagram else rules.start()
    for move in moves.replace(",", " ").split():
        position = position.play(move)
    if position.is_over:
        raise Error(f"this game of {rules} is over, so there is nothing to analyze")
    engine.prepare(rules)
    try:
        if json:
            print(_as_json(engine.search(position), engine, depth))
        else:
            _show(position, engine, top, depth)
    finally:
        engine.close()


def _as_json(report: Report, engine: SearchPlayer, depth: int) -> str:
    from json import dumps, loads

    text = report.to_json()
    return dumps(loads(text) | {"tree": engine.tree(depth)}) if depth else text


def _engine(text: str, seed: int, ray: str = "") -> SearchPlayer:
    from mcrave.errors import SpecError
    from mcrave.players import SearchPlayer, parse_player

    engine = parse_player(text, seed)
    if not isinstance(engine, SearchPlayer):
        raise SpecError(f"player '{text}' does not search; write a tree policy and a budget, as in {DEFAULT_PLAYER}")
    if ray:
        from mcrave.players import on_cluster

        engine = SearchPlayer(on_cluster(engine.setup, ray), seed)
    return engine


def _read(file: str) -> str:
    """The text of a file, or of the input."""
    import sys

    from mcrave.errors import Error

    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text()
    except FileNotFoundError:
        raise Error(f"there is no file {file}") from None
    except UnicodeDecodeError:
        raise Error(f"cannot read {file}: it is not a text") from None
    except (OSError, ValueError) as error:
        raise Error(f"cannot read {file}: {getattr(error, 'strerror', None) or error}") from None


# ------------------------------------------------------------------------------------------- the report


def _show(position: Position, engine: SearchPlayer, top: int, depth: int) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    report = _watched(position, engine, console) if console.is_terminal else engine.search(position)
    shown = _beside(_board(position, report, console.is_terminal), _table(report, top), console.width)
    with console.capture() as drawn:
        console.print(shown)
        if depth:
            console.print(_tree(engine.tree(depth), "tree"))
    print("\n".join(line.rstrip() for line in drawn.get().splitlines()))
    symbol = position.game.symbols[position.to_move]
    print(f"{symbol} to move: {report.best}, {100 * report.value:.1f} % over all simulations")
    more = " …" if len(report.pv) > LINE else ""
    print(f"main line: {' '.join(report.pv[:LINE])}{more}")
    rate = report.simulations / max(report.seconds, 1e-9)
    print(f"{report.simulations:,} simulations in {report.seconds:.2f} s: {rate:,.0f} a second; {report.nodes:,} nodes")


def _watched(position: Position, engine: SearchPlayer, console: Console) -> Report:
    """The search behind a bar that shows the rate and the time left."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    budget = engine.setup.budget
    columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(f"{engine} is thinking", total=budget.simulations or budget.seconds)

        def show(simulations: int, seconds: float) -> None:
            done = simulations if budget.simulations else seconds
            rate = f"{simulations:,} simulations, {simulations / max(seconds, 1e-9):,.0f} a second"
            progress.update(task, completed=done, description=rate)

        return engine.search(position, show)


def _tree(node: dict[str, Any], label: str) -> Tree:
    """The most visited branches of a tree."""
    from rich.tree import Tree

    tree = Tree(label, guide_style="dim")
    children = sorted(node.get("children", ()), key=lambda child: -int(child["visits"]))
    for child in children[:BRANCHES]:
        tree.add(_tree(child, f"{child['move']}  {child['visits']:,}  {child['value']:.3f}"))
    return tree


def _board(position: Position, report: Report, coloured: bool) -> RenderableType:
    from rich.panel import Panel

    from mcrave.cli._heat import heat_map

    drawn = heat_map(position, report, coloured)
    title = f"[bold]{position.game}[/]" if coloured else str(position.game)
    return Panel(drawn, title=title, border_style="bright_black", expand=False, padding=(0, 2)) if coloured else drawn


def _table(report: Report, top: int) -> Table:
    """The most visited moves; a dash stands for what the policy does not use."""
    from rich.table import Table
    from rich.text import Text

    amaf, prior = any(move.amaf_visits for move in report.moves), any(move.prior for move in report.moves)
    proven = any(move.proven is not None for move in report.moves)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("move")
    for heading in ("visits", "value", "AMAF visits", "AMAF value", "β", "prior", *(["proven"] if proven else [])):
        table.add_column(heading, justify="right")
    for move in report.moves[:top]:
        values = [f"{move.visits:,}", f"{move.value:.3f}" if move.visits or move.prior else "–"]
        values += [f"{move.amaf_visits:,.0f}", f"{move.amaf_value:.3f}", f"{move.beta:.3f}"] if amaf else ["–"] * 3
        values += [f"{move.prior:g}"] if prior else ["–"]
        values += ["–" if move.proven is None else f"{move.proven:g}"] if proven else []
        table.add_row(Text(move.move, "bold" if move.move == report.best else ""), *values)
    if len(report.moves) > top:
        table.add_row(Text(f"… {len(report.moves) - top} more", "dim"))
    return table


def _beside(board: RenderableType, table: Table, width: int) -> RenderableType:
    """The table to the right of the board where there is room, else below it."""
    from rich.console import Console, Group
    from rich.table import Table
    from rich.text import Text

    console = Console(width=10_000)
    if console.measure(board).maximum + console.measure(table).maximum + 4 > width:
        return Group(board, Text(), table)
    grid = Table.grid(padding=(0, 4, 0, 0))
    grid.add_row(board, table)
    return grid
