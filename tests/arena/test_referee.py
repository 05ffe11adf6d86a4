"""One game: every way in which it can end."""

from __future__ import annotations

import time

import pytest

import mcrave
from mcrave.arena.referee import Bench, play_game
from mcrave.arena.schedule import contest
from mcrave.players import Forfeit, Resigned


class Scripted:
    """Plays what a function says."""

    name, estimate, version = "scripted", None, ""

    def __init__(self, choose, estimate=None):
        self.choose, self.estimate = choose, estimate

    def prepare(self, game): ...

    def new_game(self, seed, seconds=0.0): ...

    def close(self): ...


class Seats(Bench):
    """A bench with players of ours."""

    def __init__(self, *players):
        super().__init__()
        self.players = players

    def seated(self, game, texts):
        return list(self.players)


def first(position):
    return int(position.moves[0])


def passing(position):
    return position.number("pass")


def played(game, *players, number=0, **settings):
    return play_game(contest(game, ["random"] * len(players), **settings), number, Seats(*players))


def raising(error):
    def choose(position):
        raise error

    return choose


def test_the_rules_decide():
    record = played("mnk", Scripted(first), Scripted(first))
    assert (record.ending, record.loser, record.note) == ("rules", -1, "")
    end = mcrave.game("mnk").position(record.moves.split())
    assert end.is_over
    assert record.outcome == (end.outcome(0), end.outcome(1))
    assert len(record.thinking) == 2
    assert 0 < sum(record.thinking) <= record.wall
    assert record.slowest <= max(record.thinking)


@pytest.mark.parametrize(
    ("choose", "reason", "note"),
    [
        (lambda _: 99, "illegal move", "illegal move 99 in mnk"),
        (lambda _: "a9", "illegal move", "illegal move 'a9'"),
        (lambda _: None, "illegal move", "a move is a name or a number, not None"),
        (raising(ZeroDivisionError("oh no")), "crash", "ZeroDivisionError: oh no"),
        (raising(MemoryError()), "crash", "MemoryError"),
        (raising(Forfeit("time", "asleep")), "time", "asleep"),
        (raising(Resigned()), "resigned", ""),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_who_cannot_go_on_loses(choose, reason, note, seat):
    players = [Scripted(first), Scripted(first)]
    players[seat] = Scripted(choose)
    record = played("mnk", *players)
    assert (record.ending, record.loser) == (reason, seat)
    assert record.outcome[seat] == 0.0
    assert record.outcome[1 - seat] == 1.0
    assert record.note.startswith(note)
    assert record.is_forfeit == (reason != "resigned")
    assert len(record.moves.split()) == seat


def test_a_forfeit_among_three_is_shared():
    record = played("go3(size=3)", Scripted(first), Scripted(lambda _: 999), Scripted(first))
    assert record.outcome == (0.5, 0.0, 0.5)


def test_time_for_a_move():
    def slow(position):
        time.sleep(0.05)
        return first(position)

    record = played("mnk", Scripted(first), Scripted(slow), seconds=0.04)
    assert (record.ending, record.loser) == ("time", 1)
    assert record.note.endswith("0.04 allowed")
    assert played("mnk", Scripted(first), Scripted(slow), seconds=5.0).ending == "rules"


def test_a_capped_game_of_go_is_scored():
    record = played("go(size=5,komi=0.5)", Scripted(first), Scripted(passing), cap=7)
    assert (record.ending, record.outcome) == ("cap", (1.0, 0.0))
    assert len(record.moves.split()) == 7
    assert played("go(size=5,komi=30.5)", Scripted(first), Scripted(passing), cap=3).outcome == (0.0, 1.0)


def test_a_capped_game_without_pass_is_a_draw():
    record = played("mnk(size=5,length=5)", Scripted(first), Scripted(first), cap=4)
    assert (record.ending, record.outcome) == ("cap", (0.5, 0.5))


def test_the_opening_counts_towards_the_cap():
    record = played("mnk(size=5,length=5)", Scripted(first), Scripted(first), cap=4, opening=3)
    assert len(record.moves.split()) == 4


@pytest.mark.parametrize(
    ("estimates", "moves"), [((0.99, 0.01), 6), ((0.99, 0.5), 25), ((0.99, 0.99), 25), ((0.97, 0.03), 25)]
)
def test_players_who_agree_need_not_go_on(estimates, moves):
    game = "mnk(size=5,length=5)"

    def filling(position):  # rows of XXOO…: nobody gets five in a row
        order = [0, 2, 1, 3, 6, 4, 7, 5, 8, 10, 9, 11, 14, 12, 15, 13, 16, 18, 17, 19, 22, 20, 23, 21, 24]
        return next(move for move in order if move in position.moves)

    record = played(game, *(Scripted(filling, estimate) for estimate in estimates), agree=(0.02, 3))
    assert len(record.moves.split()) == moves
    if moves == 6:
        assert (record.ending, record.outcome, record.loser) == ("agreed", (1.0, 0.0), -1)


@pytest.mark.parametrize("player", ["uct@40", "uct+mast@40", "random"])
def test_nothing_is_left_from_the_game_before(player):
    """Players are kept on the bench; each game must be as if they had just come."""
    c = contest("mnk(size=5,length=4)", [player, "uct@30"], seed=3)
    bench = Bench()
    kept = [play_game(c, number, bench).moves for number in (4, 1, 4, 0, 1)]
    fresh = {number: play_game(c, number, Bench()).moves for number in (0, 1, 4)}
    assert kept == [fresh[number] for number in (4, 1, 4, 0, 1)]
    assert len(set(fresh.values())) == 3


def test_equal_players_are_two():
    bench = Bench()
    a, b = bench.seated(mcrave.game("mnk"), ["uct@10", "uct@10"])
    assert a is not b
    assert bench.seated(mcrave.game("mnk"), ["uct@10", "uct@10"]) == [a, b]


def test_an_interrupted_game_is_no_game():
    bench = Seats(Scripted(first), Scripted(first))
    bench.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        play_game(contest("mnk", ["random", "random"]), 0, bench)
