"""Players that search: they take wins, stop losses, know when to pass, and repeat themselves for a seed."""

from __future__ import annotations

import time

import pytest

import mcrave
from mcrave.errors import Error
from mcrave.players import Player, parse_player
from mcrave.search import MoveReport


def finished(game: str, *players: Player) -> mcrave.Position:
    """The end of a game between these players."""
    position = mcrave.game(game).start()
    while not position.is_over:
        position = position.play(players[position.to_move].choose(position))
    return position


@pytest.mark.parametrize("text", ["monte_carlo@2000", "mc_rave@500", "grave@500"])
def test_takes_a_win_and_stops_a_loss(text):
    engine = parse_player(text, seed=4)
    win = mcrave.game("mnk").position(["a1", "b1", "a2", "b2"])
    assert win.name(engine.choose(win)) == "a3"
    assert engine.estimate == 1.0
    threat = mcrave.game("mnk").position(["a1", "b2", "a2"])
    assert threat.name(engine.choose(threat)) == "a3"


def test_beats_random():
    game = "mnk(size=5,length=4)"
    won = [finished(game, parse_player("random", seed), parse_player("mc_rave@100", seed)) for seed in range(6)]
    assert sum(position.outcome(1) for position in won) >= 5


def test_flat_monte_carlo_plays_the_best_mean():
    """Its visits differ by one at most, so they must not decide."""
    engine = parse_player("monte_carlo@105")
    position = mcrave.game("mnk").start()
    report = engine.search(position)  # type: ignore[attr-defined]
    assert max(m.visits for m in report.moves) - min(m.visits for m in report.moves) == 1
    assert report.best == max(report.moves, key=lambda move: move.value).move


def test_same_seed_same_moves():
    position = mcrave.game("mnk(size=5,length=4)").start()
    chosen = [[parse_player("mc_rave@30", seed).choose(position) for seed in range(6)] for _ in range(2)]
    assert chosen[0] == chosen[1]
    assert len(set(chosen[0])) > 1


def test_keeps_its_tree_if_asked():
    """What the first search knew of the position two plies on is still there, and the budget comes on top."""
    start = mcrave.game("mnk(size=5,length=4)").start()
    for text, keeps in (("mc_rave@400", False), ("mc_rave+search(keep=1)@400", True)):
        player = parse_player(text, seed=2)
        assert str(player) == text
        first = start.play(player.choose(start))
        below = player.tree(3)["children"]  # type: ignore[attr-defined]
        replies = next(move for move in below if move["move"] == start.name(first.last_move))["children"]
        reply = max(replies, key=lambda move: move["visits"])
        known = sum(move["visits"] for move in reply["children"])
        report = player.search(first.play(reply["move"]))  # type: ignore[attr-defined]
        assert known > 20
        assert sum(move.visits for move in report.moves) == (400 + known if keeps else 399)
        assert report.simulations == 400
        player.new_game(2)
        assert player.choose(start) == first.last_move


def test_stops_early_if_asked():
    """The same move after fewer simulations."""
    start = mcrave.game("mnk(size=3,length=3)").position(["a1", "c3", "a2", "c2"])
    whole, early = (parse_player(f"rave+search(early_stop={stops})@800", seed=2) for stops in (0, 1))
    assert (str(whole), str(early)) == ("rave@800", "rave+search(early_stop=1)@800")
    assert early.choose(start) == whole.choose(start)
    assert early.search(start).simulations < 800 == whole.search(start).simulations  # type: ignore[attr-defined]


@pytest.mark.parametrize("parts", ["best_value+search(early_stop=1)", "search(early_stop=1,solve=1)"])
def test_stops_early_for_the_most_visited_move_alone(parts):
    with pytest.raises(Error, match="cannot stop early: early_stop=1 waits until the most visited move is certain"):
        parse_player(f"uct+{parts}@10")


def test_time_budget():
    engine = parse_player("mc_rave@0.05s")
    assert engine.name == "mc_rave@0.05s"
    position = mcrave.game("mnk").start()
    engine.choose(position)  # the first call may compile
    began = time.perf_counter()
    assert engine.choose(position) in position.moves
    assert time.perf_counter() - began > 0.04


def test_prepare_refuses_what_the_search_refuses():
    game = mcrave.game("mnk")
    with pytest.raises(Error, match="expand_after must be 0 or more, not -1"):
        parse_player("uct+search(expand_after=-1)").prepare(game)
    with pytest.raises(Error, match="cannot read 'much' as an amount of memory"):
        parse_player("uct+search(memory=much)").prepare(game)


def test_one_player_for_several_games():
    engine = parse_player("mc_rave@50")
    for game in ("mnk", "mnk(size=4,length=3)", "mnk"):
        position = mcrave.game(game).start()
        assert engine.choose(position) in position.moves


# ---------------------------------------------------------------------------------------------- passing

WON = ".XXX. / XXXXX / XXXXX / XXXXX / .XXX. / X to move, 1 pass"
LOST = ".XXX. / XXXXX / XXXXX / XXXXX / .XXX. / O to move"


def test_passes_when_that_wins():
    engine = parse_player("mc_rave@100")
    position = mcrave.game("go(size=5)").parse(WON)
    assert position.name(engine.choose(position)) == "pass"
    assert engine.estimate == 1.0


def test_passes_when_all_is_lost():
    engine = parse_player("mc_rave@100")
    position = mcrave.game("go(size=5)").parse(LOST)
    assert position.name(engine.choose(position)) == "pass"
    assert engine.estimate is not None
    assert engine.estimate <= 0.03


@pytest.mark.parametrize(
    ("drawn", "chosen"),
    [
        ("..... / ..... / ..X.. / ..... / ..... / X to move", "pass"),  # on the board X is ahead
        ("..... / ..... / ..O.. / ..... / ..... / X to move", "B2"),  # O would pass too, and win
    ],
)
def test_does_not_pass_into_a_loss(drawn, chosen, monkeypatch):
    """A search that wants to pass is followed unless the opponent wins by passing in turn."""
    engine = parse_player("mc_rave@5")
    position = mcrave.game("go(size=5,komi=0.5)").parse(drawn)
    moves = [MoveReport(name, n, 0.6, 0.0, 0.0, 0.0, 0.0, 0.0) for name, n in (("pass", 50), ("B2", 9), ("A1", 3))]
    report = mcrave.Report(str(position.game), "pass", moves, 0.6, [], 62, 1.0, 62)
    monkeypatch.setattr(engine, "search", lambda _: report)
    assert position.name(engine.choose(position)) == chosen
    assert engine.estimate == 0.6


@pytest.mark.parametrize("seed", range(3))
def test_games_of_go_end_in_time(seed):
    """Without the rules for passing such games last about 200 moves on 9×9, and over 60 here."""
    end = finished("go(size=5)", parse_player("mc_rave@200", seed), parse_player("mc_rave@200", seed + 9))
    assert len(end.history()) < 50
