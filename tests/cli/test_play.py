"""Games in the terminal: printed ones between engines, and a person who types."""

from __future__ import annotations

import io
import re
import sys
import time

import pytest

import mcrave
from mcrave.cli import _screen, run
from mcrave.specs import names
from tests.cli import terminal
from tests.cli.terminal import Terminal

RESULT = re.compile(r"(a draw|\S \(.*\) wins|.* share the win) after (\d+) moves|no end after \d+ moves; by .*")
SMALL = {
    "amazons": "amazons(size=4)",
    "atarigo": "atarigo(size=4)",
    "breakthrough": "breakthrough(size=5)",
    "domineering": "domineering(size=4)",
    "go": "go(size=5)",
    "go3": "go3(size=4)",
    "havannah": "havannah(size=3)",
    "hex": "hex(size=4)",
    "knightthrough": "knightthrough(size=5)",
    "nogo": "nogo(size=4)",
    "y": "y(size=4)",
}


def play(capsys, monkeypatch, *arguments: str, typed: str = "") -> tuple[int, str]:
    """The exit code and output of a game without a terminal."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    code = run(["play", *arguments])
    out, err = capsys.readouterr()
    assert err == ""
    return code, out


@pytest.mark.parametrize("name", names("game"))
def test_printed_game(name, capsys, monkeypatch):
    """Every game is played to its end; the printed moves lead to the printed board."""
    text = SMALL.get(name, name)
    code, out = play(capsys, monkeypatch, "--game", text, "--players", "random", "--seed", "3")
    assert code == 0
    lines = out.splitlines()
    assert RESULT.fullmatch(lines[-1]), lines[-1]
    moves = [line.split()[2] for line in lines[1:] if re.match(r"\s*\d+ \S \S+$", line)][: _count(lines[-1])]
    assert str(mcrave.game(text).position(moves)) in out


def _count(line: str) -> int:
    return int(re.search(r"after (\d+) moves", line)[1])  # type: ignore[index]


def test_same_seed_same_game(capsys, monkeypatch):
    arguments = ["--game", "mnk", "--players", "mc_rave@50,random"]
    games = [play(capsys, monkeypatch, *arguments, "--seed", seed) for seed in "112"]
    assert games[0] == games[1] != games[2]


def test_default_game_without_a_terminal(capsys, monkeypatch):
    code, out = play(capsys, monkeypatch)
    assert code == 0
    assert out.startswith("go(size=9), grave@1000 against grave@1000, seed 1\n")
    assert re.search(r"^   1 X [A-J]\d +\d+ %$", out, re.MULTILINE)
    assert _count(out.splitlines()[-1]) < 120, "the engines must know when to pass"
    assert "wins after" in out


def test_start_after_moves(capsys, monkeypatch):
    code, out = play(capsys, monkeypatch, "--game", "mnk", "--moves", "a1, b1 a2 b2", "--players", "monte_carlo@500")
    assert code == 0
    assert "   5 X a3     100 %" in out
    assert "X (monte_carlo@500) wins after 5 moves" in out


def test_endless_games_are_adjudicated(capsys, monkeypatch):
    monkeypatch.setattr("mcrave.games.go.Go.max_plies", lambda self: 5)
    code, out = play(capsys, monkeypatch, "--game", "go(size=5)", "--players", "random", "--seed", "1")
    assert code == 0
    assert re.search(r"no end after 10 moves; by 1000 random playouts from here, [XO] \(random\) wins", out)


def test_typed_game_without_a_terminal(capsys, monkeypatch):
    typed = "A1\n\nzz\nmoves\nhint\nundo\nrules\n?\nquit\n"
    code, out = play(capsys, monkeypatch, "--game", "mnk", "--players", "human,random", typed=typed)
    assert code == 0
    assert "illegal move 'zz' in mnk(size=3): the legal moves are" in out
    assert "grave@1.5s would play" in out
    assert "m,n,k-games: a stone a turn on an empty cell" in out
    assert "what an engine would play" in out
    assert "left after 0 moves; to go on: mcrave play --game mnk --players human,random\n" in out


def test_nothing_to_take_back(capsys, monkeypatch):
    _, out = play(capsys, monkeypatch, "--game", "mnk", "--human", "X", typed="undo\n")
    assert "there is no move of yours to take back" in out


def test_undo_goes_back_to_the_same_player(capsys, monkeypatch):
    typed = "a1\nb1\na2\nundo\nquit\n"
    _, out = play(capsys, monkeypatch, "--game", "mnk", "--players", "human,human", typed=typed)
    assert "left after 1 moves; to go on: mcrave play --game mnk --players human,human --moves a1\n" in out


def test_the_word_to_come_back_works(capsys, monkeypatch):
    _, out = play(capsys, monkeypatch, "--game", "mnk", "--players", "human,human", typed="a1\nb2\n")
    words = out.splitlines()[-1].partition("to go on: mcrave play ")[2].replace("'", "").split(" --moves ")
    code, again = play(capsys, monkeypatch, *words[0].split(), "--moves", words[1], typed="")
    assert code == 0
    assert str(mcrave.game("mnk").position(["a1", "b2"])) in again


def test_person_wins_three_player_game(capsys, monkeypatch):
    """On one point nobody can move: all pass, and the win is shared."""
    code, out = play(capsys, monkeypatch, "--game", "go3(size=1)", "--human", "#", typed="pass\n")
    assert code == 0
    assert "a draw after 3 moves" in out


# ------------------------------------------------------------------------------------- with a terminal


def test_person_wins_in_a_terminal():
    with Terminal("play", "--terminal", "--game", "mnk", "--players", "human,human") as screen:
        for move in ("a1", "B1", "a2", "b2"):
            screen.wait_for("(? for help): ")
            screen.type(move)
        screen.wait_for("(? for help): ")
        screen.type("a3")
        shown = screen.wait_for("X (you) wins after 5 moves")
        assert "3 X . ." in shown
        assert "X you played a3" in shown
        assert screen.exit_code() == 0


def test_engine_answers_and_person_leaves():
    with Terminal("play", "--terminal", "--game", "go(size=5)", "--seed", "1") as screen:
        first = screen.wait_for("Your move, X (? for help): ")
        assert "▸ X you" in first
        assert "O grave@1.5s" in first
        screen.type("z9")
        screen.wait_for("illegal move 'z9' in go(size=5): the legal moves are A5 B5 C5 D5 E5 A4 … (26)")
        screen.wait_for("(? for help): ")
        screen.type("c3")
        shown = screen.wait_for("(? for help): ")
        assert "X you played C3" in shown
        assert re.search(r"O grave@1\.5s played \S+, expects to win \d+ %", shown)
        screen.type("undo")
        assert "C3" not in screen.wait_for("(? for help): ").replace("c3", "")
        screen.type("quit")
        screen.wait_for("left after 0 moves; to go on: mcrave play --game 'go(size=5)'")
        assert screen.exit_code() == 0


@pytest.mark.parametrize("key", ["\x04", "\x03"], ids=["end of input", "Ctrl-C"])
def test_leaving_by_a_key(key):
    with Terminal("play", "--terminal", "--game", "mnk", "--players", "human,human") as screen:
        screen.wait_for("(? for help): ")
        screen.type("b2")
        screen.wait_for("(? for help): ")
        if key == "\x03":
            time.sleep(0.5)  # a signal between the prompt and the reading of the line would wait for the next key
            screen.interrupt()
        else:
            screen.type(key, end="")
        screen.wait_for("left after 1 moves; to go on: mcrave play --game mnk --players human,human --moves b2")
        assert screen.exit_code() == (130 if key == "\x03" else 0)
        assert "Traceback" not in screen.seen


def test_watching_engines(monkeypatch):
    with Terminal("play", "--terminal", "--game", "mnk", "--players", "random", "--seed", "2") as screen:
        screen.wait_for("random played")
        screen.interrupt()
        assert screen.exit_code() == 130
        assert "Traceback" not in screen.seen


def test_piped_process_plays_by_itself():
    done = terminal.mcrave("play", "--game", "mnk", "--seed", "5")
    assert done.returncode == 0
    assert done.stderr == ""
    assert RESULT.fullmatch(done.stdout.splitlines()[-1])


# ---------------------------------------------------------------------------------------------- pieces


def test_last_move_and_captures_are_marked():
    position = mcrave.game("go(size=3)").position(["A3", "B3", "C1", "A2"])  # takes A3
    text = _screen.diagram(position)
    marked = [text.plain[span.start : span.end] for span in text.spans if "reverse" in str(span.style)]
    assert sorted(marked) == [".", "O"]


def test_wide_boards_fit_narrow_terminals(capsys):
    from rich.console import Console

    position = mcrave.game("go(size=19)").start()
    for width in (60, 120):
        Console(width=width).print(_screen.screen(position, ["you", "random"], [], width))
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= width
        assert any("19 . . ." in line for line in lines)


def test_verdicts():
    names = ["a", "b", "c"]
    assert _screen.verdict([0.0, 0.5, 0.5], "XO#", names) == "O (b) and # (c) share the win"
    assert _screen.verdict([1 / 3] * 3, "XO#", names) == "a draw"
