"""Where decisions to learn from come from: SGF files, results files, and games that are played for it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from mcrave.errors import Error, IllegalMove

if TYPE_CHECKING:
    from mcrave.arena import Contest, Store
    from mcrave.learn.choices import Choices
    from mcrave.sgf import Record

GNU_GO = "gtp:gnugo --mode gtp --level 10 --chinese-rules --positional-superko"
OPENING = 4  # random moves that begin a game that is played to learn from; they are not learnt
Skip = Callable[[str], None]


def from_files(paths: Iterable[str], choices: Choices, skip: Skip, note: Callable[[int], None]) -> None:
    """Every game of SGF files, and of those in folders; what cannot be used is told to `skip`."""
    from mcrave.sgf import read_all

    for path in _sgf_files(paths):
        try:
            records = read_all(path)
        except Error as error:
            skip(f"{path}: {error}")
            continue
        for number, record in enumerate(records, 1):
            try:
                if isinstance(record, Error):
                    raise record
                _add_record(record, choices)
            except Error as error:
                skip(f"{path}, game {number}: {error}")
            note(choices.games)


def _sgf_files(paths: Iterable[str]) -> list[Path]:
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            found += sorted(path.rglob("*.sgf"))
        elif path.exists():
            found.append(path)
        else:
            raise Error(f"there is no file {path}")
    return found


def _add_record(record: Record, choices: Choices) -> None:
    """The main line of a game."""
    size = choices.size
    if (record.rules.rows, record.rules.cols) != (size, size):
        raise Error(f"the game is on {record.rules.rows}x{record.rules.cols}, not on {size}x{size}")
    board, boards = record.board(), []
    while board.before is not None:
        boards.append(board)
        board = board.before
    if not boards:
        raise Error("the game has no moves")
    for earlier, later in pairwise([board, *reversed(boards)]):
        play = later.plays[-1]
        position = earlier.ready(play.player)
        choices.add(position, position.number(play.move))
    choices.end_game()


def from_store(store: Store, choices: Choices, skip: Skip, note: Callable[[int], None], only: str = "") -> None:
    """Every game of Go on this board, or those that a player with this in its text took part in."""
    for contest in store.contests():
        if only in " ".join(contest.players):
            add_contest(store, contest, choices, skip, note)


def add_contest(store: Store, contest: Contest, choices: Choices, skip: Skip, note: Callable[[int], None]) -> None:
    """The games of a contest, without their openings."""
    from mcrave.games import game as game_of
    from mcrave.games.go import Go

    game = game_of(contest.game)
    if not isinstance(game, Go) or (game.rows, game.cols) != (choices.size, choices.size):
        return
    for record in store.records(contest):
        try:
            position = game.start()
            for ply, move in enumerate(record.moves.split()):
                if ply >= contest.opening:
                    choices.add(position, position.number(move))
                position = position.play(move)
            choices.end_game()
        except IllegalMove as error:
            skip(f"{store.path}, game {record.number} of {contest.key}: {error}")
        note(choices.games)


def played_to_learn(size: int, player: str, opponent: str, seed: int, alone: bool = False) -> Contest:
    """What is played if there are no games: the engine's default against GNU Go, if it is installed, else itself.

    With `alone`, no other program plays.
    """
    from mcrave.arena import contest
    from mcrave.gtp.defaults import STRONGEST

    player = player or f"{STRONGEST}@1000"
    opponent = opponent or (GNU_GO if shutil.which("gnugo") and not alone else player)
    return contest(f"go(size={size})", [player, opponent], seed=seed, opening=OPENING, cap=size * size)
