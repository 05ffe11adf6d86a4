"""How the engine plays: legally, by the clock, passing sensibly, with its tree."""

from __future__ import annotations

import itertools
import random

import pytest

from mcrave.games.go import Go
from mcrave.gtp import Session, Settings
from mcrave.gtp.clock import Allowance
from mcrave.gtp.engine import Engine, Plan
from mcrave.players import parse_player
from mcrave.search import Search
from mcrave.sgf import Board
from tests.gtp.dialogue import QUICK, ask

PLAYER = "mc_rave@200"


def engine(text: str = PLAYER) -> Engine:
    return Engine(parse_player(text).setup)


def session_with(player: str = PLAYER, **others) -> Session:
    session = Session(QUICK._replace(player=player, **others))
    ask(session, "boardsize 5")
    return session


# ------------------------------------------------------------------------------------------- thinking


def test_the_tree_is_kept_from_move_to_move():
    """After two moves the root has the visits that its position had, and the new ones."""
    thinker, board = engine("mc_rave@2000"), Board.empty(Go(size=5))
    thinker.search(board.position)
    line = thinker.report.pv[:2]
    after = board.play(0, line[0]).play(1, line[1])
    thinker.search(after.position)
    assert sum(move.visits for move in thinker.report.moves) > 2000 + 20
    elsewhere = board.play(0, line[1])
    thinker.search(elsewhere.position)
    assert sum(move.visits for move in thinker.report.moves) <= 2000


def test_a_seed_gives_the_same_game():
    games = []
    for _ in range(2):
        session = session_with()
        games.append(ask(session, "set_random_seed 5", *["genmove b", "genmove w"] * 4))
    session = session_with()
    games.append(ask(session, *["genmove w", "genmove b"] * 2, "clear_board", "set_random_seed 5"))
    games[-1] = ["=", *ask(session, *["genmove b", "genmove w"] * 4)]
    assert games[0] == games[1] == games[2]


@pytest.mark.parametrize("first", ["A1", "B2", "C3", "D2"])
def test_lines_begin_with_their_move_and_are_legal(first):
    thinker, board = engine(), Board.empty(Go(size=5))
    thinker.search(board.position)
    line = [move for move, _ in thinker.line(first)]
    assert line[0] == first
    for player, move in zip(itertools.cycle((0, 1)), line, strict=False):
        board = board.play(player, move)


@pytest.mark.parametrize("decided", [True, False])
def test_a_decided_game_is_not_thought_about(decided, monkeypatch):
    """The search is begun for a part of the time, and goes on only if something can change."""
    asked = []
    run = Search.run

    def note(search, position, simulations=None, seconds=None, **others):
        asked.append(round(seconds, 3))
        return run(search, position, 200, **others)  # however slow the machine is

    monkeypatch.setattr(Search, "run", note)
    thinker = engine()
    thinker.plan = Plan(0, Allowance(1.0, 1.0))
    walls = [f"{column}{row}" for column in "BD" for row in range(1, 6)]
    thinker.search(Board.set_up(Go(size=5), walls if decided else []).position)
    assert asked[:2] == ([0.3] if decided else [0.3, 0.7])


def test_a_watch_ends_the_thinking():
    thinker, calls = engine(), itertools.count()
    thinker.plan, thinker.watch = Plan(0, None), lambda: next(calls) > 3
    thinker.search(Board.empty(Go(size=5)).position)
    assert thinker.report.simulations > 0


# ------------------------------------------------------------------------------------------- the rules


@pytest.mark.parametrize("size", [2, 3])
def test_no_repetition_on_tiny_boards(size):
    """Superko comes up all the time there; every move is checked by all positions so far."""
    session = session_with("mc_rave@20")
    for seed in range(12):
        ask(session, f"boardsize {size}", "komi 0.5", f"set_random_seed {seed}")
        seen = {_stones(session)}
        dice = random.Random(seed)
        for move in range(40):
            colour = "bw"[move % 2]
            legal = ask(session, f"all_legal {colour}")[0][2:].split()
            if legal and dice.random() < 0.5:  # random moves lead to where repetitions are
                played = dice.choice(legal)
                ask(session, f"play {colour} {played}")
            else:
                played = ask(session, f"genmove {colour}")[0][2:]
            assert played == "pass" or (played in legal and _stones(session) not in seen)
            seen.add(_stones(session))


def _stones(session: Session) -> tuple[str, ...]:
    return tuple(ask(session, "list_stones b", "list_stones w"))


def test_either_colour_may_move_at_any_time():
    session = session_with()
    assert ask(session, "play b C3", "play b C2", "genmove b", "play w pass", "play w pass", "play b pass")[-1] == "="
    assert ask(session, "genmove w")[0][2:] != ""
    assert ask(session, "undo", "undo", "undo", "undo", "undo", "undo", "undo", "undo")[-1] == "? cannot undo"


def test_superko_holds_across_a_turn_taken_twice():
    """A ko may be taken back once something else has changed, but not if the taker has only passed out of turn."""
    session = session_with()
    ask(session, "boardsize 4", "gogui-setup b B4 b A3 b B2 w C4 w D3 w C2 w B3", "play b C3")
    assert ask(session, "is_legal w B3", "play b pass", "is_legal w B3", "play w B3")[2:] == ["= 0", "? illegal move"]
    assert ask(session, "play b D1", "is_legal w B3") == ["=", "= 1"]


# ------------------------------------------------------------------------------------------- the end


WON = "gogui-setup b B1 b B2 b B3 b B4 b B5 b D1 b D2 b D3 b D4 b D5"
DEAD = "gogui-setup b B1 b B2 b B3 b B4 b B5 w D1 w D2 w D3 w D4 w D5 w A2 w A4"


def test_a_pass_that_wins_is_answered_by_a_pass():
    session = session_with()
    assert ask(session, WON, "play w pass", "genmove b") == ["=", "=", "= pass"]


def test_dead_stones_are_taken_off_in_the_clean_up():
    """Passes do not come before all dead stones are gone, whoever owns the rest."""
    session = session_with()
    ask(session, "komi 0.5", DEAD)
    for _ in range(12):
        if ask(session, "kgs-genmove_cleanup b")[0] == "= pass":
            break
        ask(session, "play w pass")
    assert ask(session, "color A2", "color A4") == ["= empty", "= empty"]
    assert "B1" in ask(session, "list_stones b")[0]


def test_resigning_and_not():
    lost = "gogui-setup w B1 w B2 w B3 w B4 w B5 w D1 w D2 w D3 w D4 w D5"
    session = session_with(resign=0.3)
    answers = ask(session, lost, "genmove b", "play w pass", "genmove b")
    assert answers[1] != "= resign", "not at the first sign"
    assert answers[3] == "= resign"
    before = session.state.board
    assert before.plays[-1].move == "pass"
    stubborn = session_with(resign=0.0)
    assert "= resign" not in ask(stubborn, lost, *["genmove b", "play w pass"] * 3)


def test_a_game_does_not_go_on_for_ever():
    session = session_with("mc_rave@5")
    ask(session, "boardsize 2", "komi 100")
    moves = [ask(session, f"genmove {'bw'[ply % 2]}")[0] for ply in range(60)]
    assert ["= pass", "= pass"] in [moves[i : i + 2] for i in range(59)]


def test_the_default_player_depends_on_the_board():
    session = Session(Settings())
    nine = str(session.engine_for(session.state))
    assert nine.startswith("mc_rave")
