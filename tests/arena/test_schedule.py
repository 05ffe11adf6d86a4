"""Which games a contest consists of."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcrave
from mcrave.arena.schedule import Contest, contest, player_seed
from mcrave.errors import Error


@given(seed=st.integers(0, 2**40), opening=st.integers(0, 4), first=st.integers(0, 10**6))
def test_pairs_share_the_opening_and_exchange_seats(seed, opening, first):
    c = contest("mnk(size=5,length=4)", ["uct@10", "random"], seed=seed, opening=opening)
    game, number = mcrave.game(c.game), 2 * first
    starts = [c.start(game, number + i).history() for i in range(2)]
    assert starts[0] == starts[1]
    assert len(starts[0]) == opening
    assert (c.seats(number), c.seats(number + 1)) == ((0, 1), (1, 0))
    assert c.game_seed(number) != c.game_seed(number + 1)


def test_openings_differ_between_rounds_and_seeds():
    game = mcrave.game("mnk(size=15,length=5)")
    starts = Counter(
        " ".join(contest(game, ["random", "uct@1"], seed=seed, opening=2).start(game, number).history())
        for seed in range(10)
        for number in range(0, 20, 2)
    )
    assert len(starts) > 95


def test_openings_do_not_depend_on_the_players():
    game = mcrave.game("mnk(size=15,length=5)")
    a, b = (contest(game, ["random", other], opening=3) for other in ("uct@1", "uct@2"))
    assert [a.start(game, n).history() for n in range(8)] == [b.start(game, n).history() for n in range(8)]


def test_openings_do_not_pass_or_end_the_game():
    go = mcrave.game("go(size=2)")
    c = contest(go, ["random", "uct@1"], opening=3)
    assert all("pass" not in c.start(go, number).history() for number in range(50))
    nim = mcrave.game("nim(heaps=1-1-1)")
    starts = [contest(nim, ["random", "uct@1"], opening=2).start(nim, n) for n in range(20)]
    assert not any(start.is_over for start in starts)
    with pytest.raises(Error, match="are over within 3 random moves; choose a shorter opening"):
        contest(nim, ["random", "uct@1"], opening=3).start(nim, 0)


def test_seatings_of_three():
    one_against_two = contest("go3(size=3)", ["uct@1", "random"])
    assert one_against_two.players == ("uct@1", "random", "random")
    assert [seating.index(0) for seating in one_against_two.seatings] == [0, 1, 2]
    all_different = contest("go3(size=3)", ["uct@1", "random", "uct@2"])
    assert sorted(all_different.seatings) == sorted(permutations(range(3)))
    assert [all_different.round(n) for n in (0, 5, 6)] == [0, 0, 1]


def test_a_player_against_itself_exchanges_seats():
    assert contest("mnk", ["random", "random"]).seatings == ((0, 1), (1, 0))


def test_one_key_for_one_contest():
    settings = {"seed": 2, "opening": 1, "cap": 50, "seconds": 1.5, "agree": (0.02, 4)}
    full = contest("go(size=9,komi=7.5)", ["grave(ref=50) @100", "uct"], **settings)
    assert full == contest("go", ["grave(ref=50)@100", "uct@1000"], **settings)
    assert Contest.from_json(full.to_json()) == full
    keys = {full.key}
    for name, value in {"seed": 3, "opening": 2, "cap": 51, "seconds": 1.0, "agree": (0.02, 5)}.items():
        keys.add(contest(full.game, full.players, **settings | {name: value}).key)
    keys.add(contest("go(komi=6.5)", full.players, **settings).key)
    keys.add(contest(full.game, full.players[::-1], **settings).key)
    assert len(keys) == 8


def test_keys_and_seeds_stay_as_they_are():
    """Results files of today must be readable tomorrow: a changed key would play every game again."""
    c = contest("mnk", ["uct@10", "random"], seed=7, opening=2)
    assert c.key == "65b2f29739840124"
    assert c.game_seed(5) == 6236621522933458320
    assert player_seed(5, 1) == 7200703513249576258


@pytest.mark.parametrize(
    ("players", "settings", "line"),
    [
        (["uct@10"], {}, "mnk has 2 players, not 1"),
        (["uct@10"] * 3, {}, "mnk has 2 players, not 3"),
        (["uct@10", "gp"], {}, "unknown player 'gp'"),
        (["uct@10", "random"], {"opening": -1}, "opening must be 0 or more, not -1"),
        (["uct@10", "random"], {"seconds": float("nan")}, "seconds must be 0 or more, not nan"),
        (["uct@10", "random"], {"agree": (0.7, 3)}, "agree needs a value below 0.5 and a number of moves"),
        (["uct@10", "gtp:"], {}, "player 'gtp:' names no program"),
    ],
)
def test_bad_contests(players, settings, line):
    with pytest.raises(Error, match=line):
        contest("mnk", players, **settings)
