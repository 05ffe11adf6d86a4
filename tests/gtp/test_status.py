"""The end of a game: dead stones, seki, the score; and ownership while it is played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mcrave.games.go import Go
from mcrave.gtp import Session
from mcrave.gtp.status import final_score, groups, regions, score_text, seki_stones, statuses
from mcrave.sgf import Board
from tests.gtp.dialogue import QUICK, ask
from tests.oracles.gnugo import GnuGo, needs_gnugo

MOGO = "mc_rave+mogo@200"
SEKI = """
. X . X . X .
X X X X X X X
O O O O O O O
. O . O . O .
O O O O O O O
X X X X X X O
. O O O . X O
"""
"""Three white stones and seven black ones share A1 and E1; whoever plays there loses his own."""
UNFINISHED = ". . . . . / . X . O . / . X . O . / . X . O . / . . . . ."


def board_of(diagram: str, komi: float = 0.5) -> Board:
    lines = [line.split() for line in diagram.strip().replace(" / ", "\n").splitlines()]
    size = len(lines)
    stones = {mark: [f"{'ABCDEFGHJ'[c]}{size - r}" for r in range(size) for c in range(size) if lines[r][c] == mark]
              for mark in "XO"}  # fmt: skip
    return Board.set_up(Go(size=size, komi=komi), stones["X"], stones["O"])


def setup_of(board: Board) -> list[str]:
    stones = [f"{colour} {name}" for player, colour in enumerate("bw") for name in board.stones(player)]
    return [f"boardsize {board.game.rows}", f"komi {board.game.komi}", f"gogui-setup {' '.join(stones)}"]


def session_at(board: Board, player: str = MOGO, analysis: int = 30) -> Session:
    session = Session(QUICK._replace(player=player, analysis=analysis))
    assert ask(session, *setup_of(board))[-1] == "="
    return session


def listed(session: Session, status: str) -> set[str]:
    return set(ask(session, f"final_status_list {status}")[0].removeprefix("=").split())


def test_dead_stones_are_seen():
    wall, other = ([f"{column}{row}" for row in range(1, 6)] for column in "BD")
    board = Board.set_up(Go(size=5, komi=0.5), wall, ["A2", "A4", *other])
    session = session_at(board, "mc_rave@30")
    owned = session.judge().points
    assert statuses(board, owned)["dead"] == [("A4",), ("A2",)]
    assert final_score(board, owned) == 10 - 10 - 0.5
    assert min(owned[name] for name in ("A1", "B3", "A5")) > 0.5 > -0.5 > owned["E3"]


def test_stones_in_seki_are_no_dead_stones():
    board = board_of(SEKI)
    session = session_at(board)
    seki = {"B1", "C1", "D1", "F1", "A2", "B2", "C2", "D2", "E2", "F2"}
    assert (listed(session, "seki"), listed(session, "dead")) == (seki, set())
    assert listed(session, "alive") == {*board.stones(0), *board.stones(1)} - seki
    assert ask(session, "final_score") == ["= W+5.5"]  # 21 points against 26, A1 and E1 nobody's, komi


@needs_gnugo
@pytest.mark.gnugo
def test_gnu_go_agrees_about_the_seki():
    gnugo = GnuGo("--chinese-rules")
    size, komi, setup = setup_of(board_of(SEKI))
    words = setup.split()[1:]
    plays = [f"play {words[i]} {words[i + 1]}" for i in range(0, len(words), 2)]
    *_, seki, dead = gnugo.ask([size, komi, *plays, "final_status_list seki", "final_status_list dead"])
    gnugo.close()
    session = session_at(board_of(SEKI))
    assert (set(seki.split()), set(dead.split())) == (listed(session, "seki"), listed(session, "dead"))


def test_gnu_go_agrees_about_the_ends_of_its_games():
    """About every dead stone, every stone in seki and the score; two or three games of 60 are judged otherwise."""
    lines = (Path(__file__).parent / "verdicts.txt").read_text().splitlines()[2:]
    agreed, session = 0, Session(QUICK._replace(player=MOGO))
    for line in lines:
        black, white, dead, seki, score = (part.split() for part in line.split("|"))
        board = Board.set_up(Go(size=9), black, white)
        session.state = replace(session.state, rows=9, cols=9, _board=board)
        owned = session.judge().points
        found = {status: {name for chain in of for name in chain} for status, of in statuses(board, owned).items()}
        said = found["dead"] == set(dead) and found["seki"] == set(seki)
        agreed += said and [score_text(final_score(board, owned))] == score
    assert len(lines) == 60
    assert agreed >= 57


def test_nothing_is_in_seki_while_there_is_room():
    assert seki_stones(board_of(UNFINISHED)) == set()


def test_groups_with_eyes_are_no_part_of_a_seki():
    board = board_of(SEKI)
    found = regions(board)
    assert len(found) == 10
    weak = [{name for group in groups(found, player) for chain in group for name in chain} for player in (0, 1)]
    assert weak == [{"A2", "B2", "C2", "D2", "E2", "F2", "F1"}, {"B1", "C1", "D1"}]


def test_the_seki_is_left_alone():
    """Whoever is ahead passes, in the clean-up too: nothing there is dead."""
    for komi, ahead in ((0.5, "w"), (-5.5, "b")):
        session = session_at(board_of(SEKI, komi))
        loser = "w" if ahead == "b" else "b"
        assert ask(session, f"play {loser} pass", f"genmove {ahead}")[1] == "= pass"
        assert ask(session, "undo", f"kgs-genmove_cleanup {ahead}")[1] == "= pass"


def test_judging_changes_nothing():
    """Neither the answer when asked again, nor the moves that follow."""
    games = []
    for questions in ([], ["final_score", "final_status_list dead", "final_score"]):
        session = Session(QUICK._replace(player="mc_rave@30"))
        ask(session, "boardsize 5", "genmove b")
        answers = ask(session, *questions)
        assert answers[:1] == answers[2:]
        games.append(ask(session, "genmove w", "genmove b", "genmove w"))
    assert games[0] == games[1]


def test_two_passes_are_no_reason_to_see_nothing():
    session = session_at(board_of("X . X O . / X X X O O / . X X O . / X X O O O / . X O . O"), "mc_rave@30")
    ask(session, "play b pass", "play w pass")
    assert ask(session, "final_score") == ["= B+0.5"]
    assert listed(session, "dead") == set()


# ------------------------------------------------------------------------------------------- analysis


def test_ownership_is_of_the_search_itself():
    """A wall across the board; the sign is that of the player asked for."""
    session = session_at(board_of(UNFINISHED), "mc_rave@30", analysis=1000)
    lines = ask(session, "kata-analyze b ownership true", "kata-analyze w ownership true")
    black, white = ([float(word) for word in line.split(" ownership ")[1].split()] for line in lines)
    assert len(black) == len(white) == 25
    assert black[10] > black[14] + 0.3  # A3 and E3
    assert white[14] > white[10] + 0.3
    assert session.examine().owners


@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze"])
def test_the_search_looks_at_allowed_moves_only(command):
    session = session_at(board_of(UNFINISHED), "mc_rave@30")
    said = ask(
        session,
        f"{command} b 10 allow b A1,e5 1",
        f"{command} 10 b avoid b A2:E5,pass 3 avoid b A1:D1 1",
        f"{command} b",
    )
    moves = [{part.split()[1] for part in line.split("info ")[1:]} for line in said]
    visits = [sum(int(part.split()[3]) for part in line.split("info ")[1:]) for line in said]
    assert moves[:2] == [{"A1", "E5"}, {"E1"}]
    assert len(moves[2]) > 5
    assert visits[:2] == [29, 29]  # the first simulation makes the root


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("allow b A1", "missing argument"),
        ("allow b A1 0", "write allow COLOR MOVES PLIES"),
        ("avoid x A1 1", "write avoid COLOR MOVES PLIES"),
        ("avoid b Z1 1", "invalid coordinate Z1"),
        ("avoid b A1:pass 1", "invalid coordinate A1:pass"),
        ("avoid b A1:E5,pass 1", "no legal move is left"),
        ("allow b B2 1", "no legal move is left"),
        ("allow b A1 1 allow b A2 1", "allow can be given once for each color"),
    ],
)
def test_moves_that_cannot_be_left_out(words, complaint):
    session = session_at(board_of(UNFINISHED), "mc_rave@30")
    assert ask(session, f"lz-analyze b {words}") == [f"? {complaint}"]


def test_what_was_avoided_is_free_again():
    """The move that is played is not bound by the analysis before."""
    lost = "X . X . . / X X X . . / O O O O O / O . O . O / O O O O O"
    moves = []
    for before in ([], ["lz-analyze b allow b D5 1"]):
        session = session_at(board_of(lost), "mc_rave@30")
        ask(session, *before, "clear_cache", "set_random_seed 1")
        moves.append(ask(session, "genmove b"))
    assert moves[0] == moves[1]
