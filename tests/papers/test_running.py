"""What is played next, and going on after a stop."""

from __future__ import annotations

import itertools

import pytest

from mcrave.arena import Manning, Store
from mcrave.errors import Error
from mcrave.papers import find, running, tables
from mcrave.papers.base import NOTHING, Cell, Table
from mcrave.papers.running import BEST, DONE, INTERRUPTED, NEIGHBOUR, OTHER, OUT_OF_TIME, ROW, Wanted
from tests.papers.example import CLAIM, SMALL


def labels(steps):
    return [step.cell.labels[0] for step in steps]


def test_best_first_then_neighbours_then_the_row():
    stages = running.stages(find("grave-table-5"))  # bold is the second of fifteen
    assert stages == [NEIGHBOUR, BEST, NEIGHBOUR, ROW, ROW] + [OTHER] * 10
    steps = running.plan([find("grave-table-5")], Wanted())
    assert steps[0].cell.best
    assert {*labels(steps[1:3])} == {"0.1", "0.001"}
    assert {*labels(steps[3:5])} == {"1e-4", "1e-5"}
    assert len(steps) == 15


def test_all_tables_begin_with_their_best_cells_and_the_cheap_ones():
    steps = running.plan(list(tables().values()), Wanted())
    assert [step.stage for step in steps] == sorted(step.stage for step in steps)
    first = [step for step in steps if step.stage == BEST]
    cost = [step.order.games * running.effort(step.cell) for step in first]
    assert cost == sorted(cost)
    assert first[0].table.id in ("grave-table-5", "grave-table-6", "cadia", "grave-section-4-4", "grave-table-9")


def test_a_contest_of_two_tables_is_played_once():
    both = [find("grave-table-2"), find("grave-section-4-1")]
    steps = running.plan(both, Wanted())
    assert len(steps) == 3 + 15 - 1
    assert len({step.order.contest.key for step in steps}) == len(steps)


def test_games_are_the_papers_unless_told():
    (step,) = running.plan([CLAIM], Wanted())
    assert step.order.games == 500
    assert {step.order.games for step in running.plan([find("grave-table-18")], Wanted())} == {600}
    assert {step.order.games for step in running.plan([SMALL], Wanted(games=7))} == {7}


def test_cells_that_lack_a_part_are_left_out():
    odd = Cell(("x",), NOTHING, "mnk", "uct+no_such@10", "random")
    table = Table("odd", SMALL.paper, "", "", ("x",), ((odd, SMALL.cells[0]),), "")
    assert len(running.plan([table], Wanted())) == 1


def test_play_all_and_again():
    steps = running.plan([SMALL], Wanted(games=4))
    with Store() as store:
        fresh = []
        for _ in range(2):
            said = running.play(steps, store, Manning(1), listener=lambda _c, r, new: fresh.append(new))
            assert said == DONE
        assert [len(store.records(step.order.contest)) for step in steps] == [4] * 4
        assert fresh.count(True) == 16  # the second time everything lay there


def test_a_budget_stops_it_and_the_same_call_goes_on():
    steps = running.plan([SMALL], Wanted(games=4))
    with Store() as store:

        def finished():
            return sum(len(store.records(step.order.contest)) for step in steps)

        seen = []
        while not seen or seen[-1] < 16:
            ticks = itertools.count()
            assert len(seen) < 10
            running.play(steps, store, Manning(1), seconds=5.0, clock=lambda: next(ticks))  # noqa: B023
            seen.append(finished())
        assert len(seen) > 2
        assert seen == sorted(set(seen))
        assert store.numbers(steps[0].order.contest) == {0, 1, 2, 3}
        assert running.play(steps, store, Manning(1), seconds=0.0) == OUT_OF_TIME
        assert running.play(steps, store, Manning(1)) == DONE
        assert finished() == 16


def test_the_first_cell_is_finished_before_the_next_begins():
    steps = running.plan([SMALL], Wanted(games=6))
    assert steps[0].cell.best
    with Store() as store:
        ticks = itertools.count()
        assert running.play(steps, store, Manning(1), seconds=4.0, clock=lambda: next(ticks)) == OUT_OF_TIME
        assert 0 < len(store.records(steps[0].order.contest)) < 6
        assert not any(store.records(step.order.contest) for step in steps[1:])


def test_interrupted(monkeypatch):
    steps = running.plan([SMALL], Wanted(games=4))

    def stop(*_):
        raise KeyboardInterrupt

    with Store() as store:
        assert running.play(steps, store, Manning(1), listener=stop) == INTERRUPTED
        assert len(store.records(steps[0].order.contest)) == 1


def test_errors_name_the_table():
    broken = Cell(("x",), NOTHING, "mnk", "random", "gtp:true")
    table = Table("broken", SMALL.paper, "", "", ("x",), ((broken,),), "")
    with Store() as store, pytest.raises(Error, match=r"^broken: player 'gtp:true' plays go"):
        running.play(running.plan([table], Wanted()), store, Manning(1))
