"""Whole games of the engine against itself, two processes, on boards of many sizes, each move checked by others.

    python -m tests.gtp.selfplay --games 1000

Every move is checked by `PlainGo`, the plain twin of the rules: illegal moves and forbidden repetitions of the whole
board. Every second game has a clock, and the referee measures. A sample of the games is played on GNU Go's board as
well, which must accept every move and have the same stones at the end. The last line says how many games there were,
and how many of them had anything wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from typing import NamedTuple

from tests.gtp.dialogue import Process
from tests.oracles.gnugo import PROGRAM, GnuGo
from tests.oracles.plain_go import PlainGo

COLOURS = ("black", "white")
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
SMALLEST_OF_GNUGO = 5


class Setting(NamedTuple):
    """One game to play."""

    rows: int
    cols: int
    komi: float
    seconds: int
    """Absolute time for each side; 0 for no clock."""
    seed: int


class Played(NamedTuple):
    """One game that was played."""

    moves: list[str]
    complaints: list[str]
    stones: dict[str, set[str]] = {}  # noqa: RUF012
    """What stands on the referee's board at the end, by colour."""
    resigned: bool = False


def settings(games: int, seed: int, sizes: list[int], seconds: int) -> list[Setting]:
    """A mixture; every fifth board is rectangular."""
    dice = random.Random(seed)
    found = []
    for number in range(games):
        rows = dice.choice(sizes)
        cols = dice.choice([size for size in sizes if size <= 9] or sizes) if number % 5 == 4 and rows <= 9 else rows
        komi = dice.choice([7.5, 6.5, 0.5, 0.0, -3.5])
        found.append(Setting(rows, cols, komi, seconds if number % 2 else 0, dice.randrange(10**6)))
    return found


def play_game(engines: list[Process], setting: Setting) -> Played:
    """Let two engines play, and check every move."""
    for seat, engine in enumerate(engines):
        for command in (
            f"rectangular_boardsize {setting.cols} {setting.rows}",
            f"komi {setting.komi}",
            f"time_settings {setting.seconds} 0 0",
            "clear_board",
            f"set_random_seed {setting.seed + seat}",
        ):
            if not engine.ask(command).startswith("="):
                return Played([], [f"'{command}' was refused"])
    referee = PlainGo(setting.rows, setting.cols)
    moves: list[str] = []
    left = [float(setting.seconds)] * 2
    while referee.passes < 2:
        seat = len(moves) % 2
        colour = "bw"[seat]
        if setting.seconds:
            engines[seat].ask(f"time_left {colour} {left[seat]:.2f} 0")
        began = time.monotonic()
        answer = engines[seat].ask(f"genmove {colour}")
        left[seat] -= time.monotonic() - began
        complaint = _complaint(referee, setting, answer)
        if not complaint and setting.seconds and left[seat] < 0:
            complaint = f"time is up after {len(moves)} moves"
        if not complaint and len(moves) > 10 * setting.rows * setting.cols:
            complaint = "the game does not end"
        if complaint:
            return Played(moves, [complaint])
        moves.append(answer[2:])
        if answer == "= resign":
            return Played(moves[:-1], [], _stones(referee, setting), True)
        referee.play(_point(setting, answer[2:]))
        if not engines[1 - seat].ask(f"play {colour} {answer[2:]}").startswith("="):
            return Played(moves, [f"{answer[2:]} was refused by the other side"])
    return Played(moves, [], _stones(referee, setting))


def _stones(referee: PlainGo, setting: Setting) -> dict[str, set[str]]:
    return {
        colour: {f"{LETTERS[col]}{setting.rows - row}" for (row, col), mark in referee.board.items() if mark == symbol}
        for colour, symbol in zip(COLOURS, referee.symbols, strict=True)
    }


def _complaint(referee: PlainGo, setting: Setting, answer: str) -> str:
    if not answer.startswith("= "):
        return f"genmove was answered by {answer!r}"
    if answer == "= resign":
        return ""
    try:
        point = _point(setting, answer[2:])
    except (ValueError, IndexError):
        return f"{answer[2:]!r} is no move"
    return "" if _is_legal(referee, point) else f"{answer[2:]} is illegal"


def _is_legal(referee: PlainGo, point: tuple[int, int] | None) -> bool:
    """What `PlainGo.legal` says of all points, of one: no ko, no suicide, no position that has been there before."""
    if point is None:
        return True
    found = referee.try_stone(point) if point in referee.board and point != referee.ko else None
    return found is not None and (tuple(found[0].values()),) not in referee.seen


def _point(setting: Setting, move: str) -> tuple[int, int] | None:
    return None if move == "pass" else (setting.rows - int(move[1:]), LETTERS.index(move[0]))


def ask_gnugo(setting: Setting, played: Played) -> list[str]:
    """What GNU Go has against a game."""
    gnugo = GnuGo("--positional-superko", "--chinese-rules")
    setup = [f"boardsize {setting.rows}", "clear_board", f"komi {setting.komi}"]
    plays = [f"play {'bw'[ply % 2]} {move}" for ply, move in enumerate(played.moves)]
    *replies, black, white = gnugo.ask([*setup, *plays, "list_stones black", "list_stones white"])
    stones = (black, white)
    gnugo.close()
    complaints = [f"'{said}': GNU Go says {reply!r}" for said, reply in zip(setup + plays, replies) if reply]
    for colour, reply in zip(COLOURS, stones, strict=True):
        if set(reply.split()) != played.stones[colour]:
            complaints.append(f"GNU Go has other {colour} stones: {reply}")
    return complaints


def run(todo: list[Setting], player: str, sample: int) -> Counter[str]:
    """Play, print what is wrong, and count."""
    counts: Counter[str] = Counter()
    options = ("--player", player, "--resign", "0.02")
    began = time.monotonic()
    with Process(*options) as first, Process(*options) as second:
        for number, setting in enumerate(todo):
            played = play_game([first, second] if number % 4 < 2 else [second, first], setting)
            counts.update(games=1, moves=len(played.moves), clocked=bool(setting.seconds), resigned=played.resigned)
            counts[f"{setting.rows}x{setting.cols}"] += 1
            complaints = played.complaints
            if not complaints and PROGRAM and number % sample == 0:
                if setting.rows == setting.cols >= SMALLEST_OF_GNUGO and setting.cols <= 19:
                    complaints = ask_gnugo(setting, played)
                    counts["checked by GNU Go"] += 1
            for complaint in complaints:
                print(f"game {number}, {setting}: {complaint}; moves: {' '.join(played.moves)}")
            counts["wrong"] += bool(complaints)
            if number % 50 == 49:
                print(f"{number + 1} games, {time.monotonic() - began:.0f} s", file=sys.stderr)
    return counts


def main() -> None:
    """Read the options, play, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", default="2,3,4,5,6,7,8,9")
    parser.add_argument("--seconds", type=int, default=30, help="for all moves of a side, in every second game")
    parser.add_argument("--player", default="mc_rave@20")
    parser.add_argument("--sample", type=int, default=10, help="every so many games GNU Go is asked")
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    counts = run(settings(given.games, given.seed, sizes, given.seconds), given.player, given.sample)
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    sys.exit(counts["wrong"] > 0)


if __name__ == "__main__":
    main()
