"""What other programs say and how they read the answers, by their sources: Lizzie, q5Go, Sabaki, GoGui and CGOS."""

from __future__ import annotations

import json
import re
import threading

import pytest

from mcrave.errors import Error
from mcrave.gtp import Session
from mcrave.gtp import session as session_module
from mcrave.gtp.engine import Engine
from tests.gtp.dialogue import QUICK, ask, converse, replies_in

MOVE = re.compile(r"(pass|[A-HJ-Z][0-9]+)")


def dialogue(*lines: str, player: str = QUICK.player, analysis: int = QUICK.analysis) -> list[str]:
    """The texts of the replies to numbered requests, none of which fails."""
    numbered = "".join(f"{number} {line}\n" for number, line in enumerate(lines, 1))
    found = replies_in(converse(numbered.encode(), QUICK._replace(player=player, analysis=analysis)))
    assert [(sign, number) for sign, number, _ in found] == [("=", str(number + 1)) for number in range(len(lines))]
    return [text for _, _, text in found]


def infos(line: str) -> list[dict[str, str]]:
    """The moves of an analysis: pairs of a key and a value, and after `pv` moves to the end."""
    found = []
    for part in line.split("info ")[1:]:
        pairs, line_of_moves = part.split(" pv ")
        words = pairs.split()
        assert len(words) % 2 == 0
        assert all(MOVE.fullmatch(word) for word in line_of_moves.split())
        found.append(dict(zip(words[::2], words[1::2], strict=True)) | {"pv": line_of_moves})
    return found


def test_lizzie():
    """It names a rectangular board by two numbers, reads whole numbers, and asks for a second part of the version."""
    avoid = "lz-analyze 10 avoid b A1,C2 30 avoid w A1,C2 30"
    said = dialogue("name", "version", "boardsize 5 4", "komi 7.5", "lz-analyze 10", "play B A1", "undo", avoid,
                    "query_boardsize", "clear_board", "time_settings 0 1 1", "genmove W")  # fmt: skip
    assert said[1].split(".")[1].isdecimal()
    assert said[8] == "5 4"
    assert MOVE.fullmatch(said[11])
    for text in (said[4], said[7]):
        for info in infos(text):
            assert int(info["visits"]) > 0
            assert 0 <= int(info["lcb"]) <= int(info["winrate"]) <= 10_000
            assert 0 <= int(info["prior"]) <= 10_000
    assert not {"A1", "C2"} & {info["move"] for info in infos(said[7])}


def test_q5go():
    """One error ends the engine there, so nothing of its start may fail; no clock is a period without stones."""
    said = dialogue("protocol_version", "boardsize 5", "clear_board", "komi 0.5", "known_command lz-analyze",
                    "known_command kata-analyze", "known_command kata-set-rules", "kata-set-rules chinese",
                    "time_settings 1 1 0", "play black C3", "kata-genmove_analyze white 100", "time_settings 300 0 0",
                    "time_left black 300 0", "kata-analyze black 100", "known_command known_command",
                    "known_command final_score", "final_score")  # fmt: skip
    assert said[0] == "2"
    assert said[4:7] == ["true"] * 3
    *shown, last = said[10].split("\n")
    assert re.fullmatch(r"play (pass|resign|[A-E][1-5])", last)
    for line in (*shown, said[13]):
        for info in infos(line):
            assert 0.0 <= float(info["winrate"]) <= 1.0
            assert {"visits", "scoreMean", "scoreStdev"} <= set(info)
    assert re.fullmatch(r"[BW]\+[0-9.]+", said[16])


def test_sabaki_is_not_told_of_luck():
    """It takes the largest value of all moves for that of the position; Leela Zero's form has all moves."""
    few, all_of_them = dialogue("boardsize 5", "clear_board", "analyze B 50", "lz-analyze B 50", analysis=3000)[2:]
    moves, every = infos(few), infos(all_of_them)
    assert len(moves) < len(every)
    assert all(50 * int(move["visits"]) >= int(moves[0]["visits"]) for move in moves)
    assert min(int(move["visits"]) for move in every) * 50 < int(every[0]["visits"])
    (least,) = dialogue("analyze B minmoves 400", player="mc_rave@30")
    assert len(infos(least)) == 362


def test_cgos():
    """One line of JSON and one with the move, with a number for every visit and a sign for every point."""
    said = dialogue("list_commands", "boardsize 5", "komi 7.5", "time_settings 60 0 0", "cgos-opponent_name other",
                    "cgos-opponent_rating", "clear_board", "time_left b 60 0", "cgos-genmove_analyze b",
                    "play w pass", "cgos-gameover B+Resign")  # fmt: skip
    analysis, move = said[8].split("\n")
    assert re.fullmatch(r"play (pass|[A-E][1-5])", move)
    found = json.loads(analysis)
    assert len(found["ownership"]) == 25
    assert found["visits"] >= sum(each["visits"] for each in found["moves"]) > 0
    assert all(0.0 <= each["winrate"] <= 1.0 for each in found["moves"])


@pytest.fixture(scope="module")
def thinking() -> Session:
    """A session whose tree was kept over some moves."""
    session = Session(QUICK._replace(player="mc_rave@400"))
    ask(session, "boardsize 5", "genmove b", "genmove w", "genmove b")
    return session


def test_comments_count_the_kept_tree(thinking):
    """A move cannot have more visits than there were simulations."""
    comments = [play.comment for play in thinking.state.board.plays]
    counts = [re.search(r"([0-9,]+) of ([0-9,]+) simulations", comment) for comment in comments]
    for mine, total in ((int(each[1].replace(",", "")), int(each[2].replace(",", ""))) for each in counts):
        assert total >= 400
        assert mine <= total


@pytest.mark.parametrize("name", ["visits", "value", "amaf", "beta"])
def test_heat_maps_of_gogui(thinking, name):
    """Colours and labels are for points without stones; what was not visited has none; the range is used."""
    (text,) = ask(thinking, f"mcrave-{name}")
    *lines, status = text.removeprefix("= ").split("\n")
    words = [line.split() for line in lines]
    assert {word[0] for word in words} == {"COLOR", "LABEL"}
    assert status.startswith("TEXT ")
    coloured = {word[2]: word[1] for word in words if word[0] == "COLOR"}
    labelled = {word[1]: int(word[2]) for word in words if word[0] == "LABEL"}
    stones = {point for who in (0, 1) for point in thinking.state.board.stones(who)}
    assert not stones & set(coloured)
    assert set(labelled) <= set(coloured)
    visited = {move.move for move in thinking.examine().moves if move.visits and move.move != "pass"}
    if name in ("visits", "value"):
        assert set(coloured) == visited
    if name in ("visits", "value", "amaf"):
        highest = [point for point, label in labelled.items() if label == max(labelled.values())]
        assert "#e02020" in {coloured[point] for point in highest}


@pytest.fixture
def slow(monkeypatch) -> tuple[threading.Event, list[str]]:
    """A compiler that does not end before the event, and what has ended."""
    event, ended = threading.Event(), list[str]()
    compile_now = Engine.compile

    def compile_late(self, game):
        assert event.wait(60)
        compile_now(self, game)
        ended.append(str(game))

    monkeypatch.setattr(Engine, "compile", compile_late)
    monkeypatch.setattr(session_module, "PATIENCE", 0.05)
    return event, ended


def test_programs_need_not_wait_for_the_compiler(slow):
    """GoGui asks its user whether to go on after 15 seconds; what needs the search waits."""
    event, ended = slow
    session = Session(QUICK)
    assert ask(session, "boardsize 5", "clear_board", "komi 5.5", "play b C3", "undo", "showboard")[:5] == ["="] * 5
    assert ended == []
    event.set()
    assert MOVE.fullmatch(ask(session, "genmove b")[0].removeprefix("= "))
    assert ended == ["go(size=5)"]
    assert ask(session, "boardsize 5", "quit") == ["="] * 2
    assert ended == ["go(size=5)"]


@pytest.mark.parametrize("order", [("boardsize 5", "time_settings 9 0 0"), ("time_settings 9 0 0", "boardsize 5")])
def test_no_clock_runs_while_the_compiler_does(slow, order):
    event, ended = slow
    timer = threading.Timer(0.3, event.set)
    timer.start()
    assert ask(Session(QUICK), *order) == ["="] * 2
    assert ended == ["go(size=5)"]
    timer.join()


def test_an_error_of_the_compiler_is_told(monkeypatch):
    def fail(self, game):
        raise Error("no memory")

    monkeypatch.setattr(Engine, "compile", fail)
    session = Session(QUICK)
    assert ask(session, "boardsize 5", "query_boardsize") == ["? no memory", "= 19"]
