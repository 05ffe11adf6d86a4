"""Write SGF: a board with its set-up stones, its moves, and what the engine thought of them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sgfmill import sgf
from sgfmill.common import move_from_vertex

from mcrave.errors import Error
from mcrave.sgf.board import Board

COLOURS = ("b", "w")
KO_NAMES = {"positional": "Chinese", "situational": "AGA", "simple": "Japanese"}


class Heading(NamedTuple):
    """What stands at the head of a game."""

    black: str = ""
    white: str = ""
    result: str = ""
    """As SGF writes it: B+3.5, W+R."""
    date: str = ""


def text_of(board: Board, heading: Heading | None = None) -> str:
    """The board as an SGF text.

    >>> from mcrave.games.go import Go
    >>> print(text_of(Board.empty(Go(size=5)).play(0, "C3", "in the middle")))
    (;FF[4]CA[UTF-8]GM[1]KM[7.5]RU[Chinese]SZ[5];B[cc]C[in the middle])
    <BLANKLINE>
    """
    rules = board.game
    if rules.rows != rules.cols:
        raise Error(f"SGF files hold square boards here, not {rules.rows}x{rules.cols}")
    game = sgf.Sgf_game(size=rules.rows)
    root = game.get_root()
    root.set("KM", rules.komi)
    root.set("RU", KO_NAMES[rules.superko])
    heading = heading or Heading()
    for property, value in zip(("PB", "PW", "RE", "DT"), heading, strict=True):
        if value:
            root.set(property, value)
    if board.handicap:
        root.set("HA", board.handicap)
    black, white = ({move_from_vertex(name, rules.rows) for name in names} for names in board.setup)
    if black or white:
        root.set_setup_stones(black, white)
    if board.first != (1 if board.handicap else 0) or white or (black and not board.handicap):
        root.set("PL", COLOURS[board.first])
    for play in board.plays:
        node = game.extend_main_sequence()
        node.set_move(COLOURS[play.player], move_from_vertex(play.move, rules.rows))
        if play.comment:
            node.set("C", play.comment)
    return str(game.serialise(wrap=None).decode("utf-8"))


def save(board: Board, path: str | Path, heading: Heading | None = None) -> None:
    """Write the board to a file."""
    text = text_of(board, heading)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise Error(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None
