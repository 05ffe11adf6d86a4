"""Games as files: SGF for Go, JSON for every game, the board as SVG."""

from __future__ import annotations

import json
from typing import Any

from mcrave.errors import Error
from mcrave.games.go import Go
from mcrave.sgf import Board, Heading, load, text_of
from mcrave.web.boards import territory
from mcrave.web.drawing import Scene, View
from mcrave.web.limits import MOST_MESSAGE, Allowed, replayed
from mcrave.web.table import HUMAN, Table, seats_for

FORMAT = "mcrave game"


def as_json(table: Table) -> str:
    """A game as JSON, which `from_text` reads."""
    said: dict[str, Any] = {
        "format": FORMAT,
        "game": table.text,
        "players": table.seats,
        "start": str(table.start),
        "moves": table.moves,
        "values": {str(ply): round(value, 4) for ply, value in sorted(table.values.items())},
        "result": table.result(),
        "resigned": table.resigned,
    }
    return json.dumps(said, indent=1) + "\n"


def as_sgf(table: Table) -> str:
    """A game of Go as SGF."""
    game = table.game
    if not isinstance(game, Go):
        raise Error(f"SGF files hold games of Go here; save {game.name} as JSON")
    stones = Board(table.start)
    setup = [frozenset(stones.stones(player)) for player in (0, 1)]
    board = Board(table.start, table.start.to_move, (setup[0], setup[1]), len(setup[0]) if game.handicap else 0)
    for before, after in zip(table.line, table.line[1:], strict=False):
        board = board.play(before.to_move, before.name(after.last_move))
    names = ["" if seat == HUMAN else seat for seat in table.seats]
    return text_of(board, Heading(names[0], names[1], _sgf_result(table, game)))


def _sgf_result(table: Table, game: Go) -> str:
    if table.resigned is not None:
        return "BW"[1 - table.resigned] + "+R" if table.resigned else "W+R"
    if not table.line[-1].is_over:
        return ""
    score = float(game.score(table.line[-1].state[0]))
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"


def as_svg(table: Table) -> str:
    """The board that one looks at."""
    area = territory(table.position) if table.position.is_over else {}
    return View(table.game).picture(table.position, Scene(territory=area), str(table.game))


def from_text(text: str, allowed: Allowed) -> Table:
    """The game of an SGF or JSON text; an `Error` says what is wrong with it.

    >>> from_text("(;SZ[5];B[cc];W[bb])", Allowed()).moves
    ['C3', 'B4']
    """
    if len(text) > MOST_MESSAGE:
        raise Error("the file is too large")
    if text.lstrip("\ufeff \t\r\n").startswith("("):
        return _from_sgf(text, allowed)
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        raise Error("the file is neither SGF nor JSON") from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise Error(f'the JSON file is no game: it needs "format": "{FORMAT}"')
    moves, seats, start = said.get("moves", []), said.get("players", []), said.get("start", "")
    if not (
        isinstance(moves, list)
        and isinstance(seats, list)
        and all(isinstance(each, str) for each in [*moves, *seats, start])
    ):
        raise Error("moves and players in the JSON file must be lists of texts")
    game = allowed.game(said.get("game", ""))
    first = game.parse(start) if start else game.start()
    resigned = said.get("resigned")
    table = Table.of(
        str(said["game"]),
        game,
        seats_for(game, seats, allowed),
        first,
        moves,
        "",
        "" if resigned is None else str(resigned)[:2],
    )
    values = said.get("values")
    if isinstance(values, dict):
        for ply, value in list(values.items())[: len(table.line)]:
            if ply.isascii() and ply.isdigit() and len(ply) < 6 and isinstance(value, int | float) and 0 <= value <= 1:
                table.values[int(ply)] = float(value)
    return table


def _from_sgf(text: str, allowed: Allowed) -> Table:
    record = load(text.encode())
    board = record.board()
    start, moves = board, [play.move for play in board.plays]
    while start.before is not None:
        start = start.before
    seats = [HUMAN, HUMAN]
    try:
        moves = replayed(start.position, moves)
        alternate = all(play.player == (start.position.to_move + i) % 2 for i, play in enumerate(board.plays))
    except Error:
        alternate = False
    first, moves = (start.position, moves) if alternate else (board.position, [])
    name = str(board.game)
    return Table.of(name, allowed.game(name), seats, first, moves)
