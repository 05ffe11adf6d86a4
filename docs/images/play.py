"""Makes `play.svg`, a screen of `mcrave play`: `.venv/bin/python docs/images/play.py`."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from rich.text import Text

import mcrave
from mcrave.cli._table import Seat, Table
from mcrave.players import parse_player

MINE = ["E5", "C4", "G6", "F7", "D6", "G3"]

engine = parse_player("grave@20000", seed=1)
table = Table("go(size=9)", mcrave.game("go(size=9)").start(), [Seat(None), Seat(engine)], watched=True, seed=1)
table.console = Console(record=True, width=84, file=io.StringIO(), force_terminal=True, color_system="truecolor")
for move in MINE:
    table.advance(table.position.number(move), None)
    table.console.export_text()  # forget all but the last screen
    table.wait_for(engine)
table.console.export_text()
table.show()
table.console.print(Text("Your move, X (? for help): ▏"))
svg = table.console.export_svg(title="mcrave play")
Path(__file__).with_name("play.svg").write_text("\n".join(line.rstrip() for line in svg.splitlines()) + "\n")
