"""Links, files, limits, and what becomes of hostile texts."""

from __future__ import annotations

import contextlib
import json
import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mcrave
from mcrave import reference
from mcrave.errors import Error
from mcrave.reference.position import Stream, from_position
from mcrave.search import Search
from mcrave.web import files, lesson
from mcrave.web.lesson import Lesson
from mcrave.web.limits import FEW_MEGABYTES, MOST_SECONDS, MOST_SIMULATIONS, POOL, Allowed
from mcrave.web.live import LivePlayer
from mcrave.web.markup import tag
from mcrave.web.security import Guard
from mcrave.web.table import Table
from mcrave.web.views.equations import filled
from mcrave.web.views.setup import thinking

EVIL = "<script>alert(1)</script>\"'&"


@given(st.text(), st.text())
def test_no_text_becomes_markup(text, value):
    """Whatever the text, there is one element, and its end is ours."""
    html = tag("p", text, title=value)
    inner = html.removeprefix("<p title=").removesuffix("</p>")
    assert "<" not in inner
    assert inner.count(">") == 1
    assert inner.count('"') == 2


def table(text: str, moves: str, seats: list[str] | None = None) -> Table:
    game = mcrave.game(text)
    return Table.of(text, game, seats or ["human", "random"], game.start(), moves.split())


@pytest.mark.parametrize(
    "made",
    [("go(size=5)", "C3 pass B2"), ("hex(size=4)", "b2 c3"), ("breakthrough(size=5)", "a2-a3 b4xa3")],
    ids=lambda made: made[0],
)
def test_links_and_json_bring_a_game_back(made):
    before = table(*made)
    before.go_to(1)
    after = Table.from_link(before.link(), Allowed())
    assert (after.text, after.moves, after.at, after.seats) == (before.text, before.moves, 1, before.seats)
    assert after.position == before.position
    before.values = {0: 0.5, 1: 0.25}
    again = files.from_text(files.as_json(before), Allowed())
    assert (again.text, again.moves, again.values, again.seats) == (
        before.text,
        before.moves,
        before.values,
        before.seats,
    )


def test_sgf_round_trip():
    before = table("go(size=5)", "C3 B2 pass D4")
    after = files.from_text(files.as_sgf(before), Allowed())
    assert after.moves == before.moves
    assert after.line[-1] == before.line[-1]


def test_sgf_with_stones_before_the_first_move():
    opened = files.from_text("(;SZ[5]HA[2]AB[bb][dd];W[cc];B[cd])", Allowed())
    assert opened.moves == ["C3", "C2"]
    assert opened.position.play(opened.moves[0]).to_move == 0 if opened.at == 0 else opened.start.to_move == 1
    assert Table.from_link(opened.link(), Allowed()).line[-1] == opened.line[-1]
    again = files.from_text(files.as_sgf(opened), Allowed())
    assert again.line[-1] == opened.line[-1]


def test_sgf_whose_players_do_not_alternate_keeps_its_last_position():
    opened = files.from_text("(;SZ[5];B[cc];B[bb];W[dd])", Allowed())
    assert opened.moves == []
    assert str(opened.position).count("X") == 3  # two stones, and its turn


BROKEN = [
    ("mnk", ["z9"]),
    ("mnk", "a1"),
    ("mnk", [1]),
    ("evil.py:X", []),
    (5, []),
    ("mnk(size=999999999)", []),
    ("mnk", ["a1"] * 3000),
]


@pytest.mark.parametrize(
    "text",
    [
        *("", "(", "(;SZ[99])", "(;SZ[5];B[zz])", "[]", "{}", '{"format": "mcrave game"}', "[" * 5000, "\0", EVIL),
        *(json.dumps({"format": "mcrave game", "game": game, "moves": moves}) for game, moves in BROKEN),
    ],
    ids=lambda text: repr(text[:60]),
)
def test_broken_files_are_told_apart(text):
    with pytest.raises(Error) as told:
        files.from_text(text, Allowed())
    assert "\n" not in str(told.value)


@settings(max_examples=50)
@given(st.text(alphabet=string.printable, max_size=60))
def test_any_link_is_a_game_or_an_error(text):
    for link in (text, f"game={text}", f"game=mnk&moves={text}", f"game=mnk&start={text}", f"game=mnk&seats={text}"):
        with contextlib.suppress(Error):
            assert Table.from_link(link, Allowed()).line


@pytest.mark.parametrize(
    "text", ["gtp:touch x", "GTP:touch x", "x.py:Policy@10", "uct+x.py:P@5", "a" * 400, "", "human"]
)
def test_players_that_a_visitor_may_not_name(text):
    with pytest.raises(Error):
        Allowed().player(text)


@pytest.mark.parametrize(
    "text", ["examples/my_game.py:MyGame", "go(size=400)", "hex(size=1000000)", "nim(heaps=9999999)", "x" * 400]
)
def test_games_that_a_visitor_may_not_name(text):
    with pytest.raises(Error):
        Allowed().game(text)


@pytest.mark.parametrize(
    ("amount", "unit"),
    [("0", "simulations"), ("1.5", "simulations"), ("6e6", "simulations"), ("nan", "simulations"), ("", "seconds"),
     ("61", "seconds"), ("-1", "seconds"), ("inf", "seconds"), ("1" * 500, "seconds"), (EVIL, "seconds")],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_budgets_that_a_visitor_may_not_give(amount, unit):
    with pytest.raises(Error, match=f"is no number of {unit}; here an engine thinks for") as told:
        thinking("grave@600", amount, unit)
    assert len(str(told.value)) < 120


def test_a_file_named_on_the_command_line_is_allowed():
    game = mcrave.game("examples/my_game.py:MyGame")
    assert Allowed(games={"examples/my_game.py:MyGame": game}).game("examples/my_game.py:MyGame") is game


@pytest.mark.parametrize(
    "text",
    ["uct+root(workers=99)@9999999999", "grave+search(memory=64GB,threads=50)@5000s", "uct+leaf(playouts=900000)@50"],
)
def test_thinking_is_bounded(text):
    simulations, seconds = (setup := Allowed().player(text).setup).budget
    assert simulations <= MOST_SIMULATIONS
    assert seconds <= MOST_SECONDS
    options = dict(setup.options)
    assert options["memory"] == f"{FEW_MEGABYTES}MB"
    assert options.get("threads", 1) == 1
    assert getattr(options.get("parallel"), "playouts", 1) <= 1000


def test_a_search_keeps_its_share_of_the_memory():
    """As long as its player lives; what is shared among all tabs would have no bound otherwise."""
    before = POOL._left
    player = LivePlayer("uct@5", Allowed().player("uct@5").setup, lambda *told: True)
    player.prepare(mcrave.game("mnk"))
    player.prepare(mcrave.game("mnk(size=4)"))
    assert player.megabytes == before - POOL._left > 0
    player.end()
    assert before == POOL._left


def test_tokens():
    guard = Guard.of("0.0.0.0")
    assert len(guard.token) >= 20
    assert guard.token != Guard.of("0.0.0.0").token
    assert guard.token_ok(guard.token)
    assert not any(guard.token_ok(given) for given in (None, "", "x", guard.token[:-1], guard.token + "x", "é"))
    assert Guard.of("127.0.0.1").token == ""
    assert guard.token not in repr(guard)


@pytest.mark.parametrize("host", ["", "evil.example", "127.0.0.1.evil.example", "[", "127.0.0.1@evil.example"])
def test_foreign_hosts(host):
    assert not Guard("127.0.0.1").host_ok(host)


# ------------------------------------------------------------------------------------------- lessons


@pytest.mark.parametrize("policy", list(lesson.POLICIES))
def test_a_lesson_is_the_reference(policy):
    """Step by step or at once: the same visits and sums; tests/search compares the reference with the kernels."""
    start = mcrave.game("mnk(size=3,length=3)").start()
    told = Lesson(start, policy, seed=5)
    for _ in range(4 * 60):
        told.step()
    root = reference.Search(lesson.POLICIES[policy][1]).run(from_position(start), 60, Stream(5))
    assert told.root.visits == root.visits == 60
    assert (told.root.n, told.root.w, told.root.amaf_n) == (root.n, root.w, root.amaf_n)


@pytest.mark.parametrize("text", ["amazons(size=6)", "checkers(size=6)", "othello(size=4)"])
def test_lessons_of_games_on_whole_words(text):
    """Their rules work on 64-bit numbers, which must not become Python's on the way."""
    told = Lesson(mcrave.game(text).start(), "grave")
    told.simulations(3)
    assert told.root.visits == 3
    assert sum(told.root.n.values()) == 2  # the first simulation made the root


def test_a_lesson_is_the_search():
    """The same visits and sums as the compiled search with the same seed."""
    start = mcrave.game("mnk(size=3,length=3)").start()
    told = Lesson(start, "uct", seed=5)
    told.simulations(60)
    report = Search(start.game, tree="uct(c=0.4)", seed=5).run(start, simulations=60)
    found = {start.name(int(move)): (round(told.root.n[move]), told.root.w[move]) for move in told.root.codes}
    assert told.root.visits == 60
    for move in report.moves:
        n, w = found[move.move]
        assert n == move.visits
        assert w == pytest.approx(move.value * move.visits)


@pytest.mark.parametrize("policy", list(lesson.POLICIES))
def test_equations_end_with_the_score(policy):
    """The number that the filled-in equation ends with is what the policy maximised."""
    told, checked = Lesson(mcrave.game("mnk(size=3,length=3)").start(), policy), 0
    told.simulations(40)
    for _ in range(20):
        told.step()
        for selection in told.search.selections if told.phase == lesson.SELECT else []:
            for move, score in selection.scores.items():
                text = filled(policy, selection, move)
                if "= " in text:
                    assert float(text.rpartition("= ")[2]) == pytest.approx(score, abs=6e-4)
                    checked += 1
    assert checked > 20


def test_random_messages_never_break_a_table():
    """Any order of going back and forth leaves a line of legal positions."""
    dice = random.Random(11)
    played = table("mnk", "")
    for _ in range(300):
        wish = dice.choice(["play", "undo", "redo", "goto", "resign", "truncate"])
        if wish == "play" and not played.position.is_over:
            played.play(dice.choice(played.position.legal_moves()))
        elif wish == "goto":
            played.go_to(dice.randrange(-3, 12))
        elif wish in ("undo", "redo", "resign", "truncate"):
            getattr(played, wish)()
        assert played.line[played.at] is played.position
        assert played.game.position(played.moves) == played.line[-1]
