"""MoGo's playout and the playout by urgency: the same moves as plain rules find, drawn as they say, and ends."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

import mcrave
from mcrave.errors import Error, SpecError
from mcrave.games import _patterns as patterns
from mcrave.specs import parse
from tests.oracles.go_walks import STAGES, Walk, walks
from tests.oracles.plain_mogo import PlainMogo, Point

BOARDS = ("go(size=7)", "go(rows=4,cols=7)", "go(rows=2,cols=20)", "go(rows=1,cols=12)", "go(size=9)")
OPTIONS = ("capture_first", "nakade", "two_liberties", "eye_shape", "ladders")
PAPER = "mogo(two_liberties=false,nakade=false,ladders=false)"
ALL = f"mogo({','.join(f'{option}=true' for option in OPTIONS)})"
SURE = 1e-6  # of a chi-square test; there are under 50 in this file


# ------------------------------------------------------------------------------------------ against plain rules


def test_every_stage_lists_what_plain_rules_find():
    seen: Counter[str] = Counter()
    for number, walk in enumerate(walks(BOARDS, "mogo(avoid_self_atari=0,two_liberties=false)", 4)):
        least = (0, 1, 3)[number % 3]
        ladders = number % 2 == 1
        twin, listed = walk.twin(least), walk.stages(least, np.zeros_like(walk.memory), ladders)
        for name in STAGES:
            if walk.last is None and name not in ("captures", "wanted"):
                continue
            stage = getattr(twin, name)
            expected = stage(ladders) if name in ("saves", "two_liberties") else stage()
            assert set(listed[name]) == expected, (name, least, str(walk.game), walk.game.render(walk.states[0]))
            assert len(listed[name]) == len(expected), f"{name} lists a move twice"
            seen[name] += bool(expected)
    assert sum(seen.values()) > 2000
    assert all(seen[name] > 20 for name in STAGES if name != "eye_repairs"), seen


@pytest.mark.parametrize("options", [(), OPTIONS], ids=["paper", "all"])
def test_a_playout_makes_moves_of_the_first_stage(options):
    """From the first move to the end, with what it remembers of ataris: every move is legal and a candidate."""
    playout = parse(ALL if options else PAPER, "playout")
    ends = 0
    for seed in range(4):
        for board in BOARDS[:4]:
            walk = Walk(board, seed)
            for _ in range(walk.game.max_plies()):  # on narrow boards cycles are common
                twin = walk.twin(playout.avoid_self_atari)
                move = walk.choose(playout)
                assert walk.point(move) in twin.candidates(options), walk.game.render(walk.states[0])
                walk.play(move)
                if walk.is_over:
                    break
            ends += walk.is_over and walk.game.rows > 2
    assert ends >= 7, "but for a rare long cycle, playouts end by two passes"


def test_remembered_ataris_are_complete():
    """What may be captured is known from the moves alone, without another look at the whole board."""
    captures = 0
    for walk in walks(
        ("go(size=7)", "go(rows=2,cols=20)"), "mogo(avoid_self_atari=0,two_liberties=false)", 4, noise=0.0
    ):
        if walk.memory[0] == 1.0:
            listed = walk.stages(0, walk.memory.copy())["captures"]
            expected = walk.twin().captures()
            assert sorted(listed) == sorted(expected)
            captures += len(expected) > 0
    assert captures > 50


def test_same_seed_same_playout():
    playout = parse("mogo()", "playout")
    games = []
    for _ in range(2):
        walk, moves = Walk("go(size=9)", 5), []
        for _ in range(80):
            moves.append(walk.choose(playout))
            walk.play(moves[-1])
        games.append(moves)
    assert games[0] == games[1]


# ------------------------------------------------------------------------------------------ drawn positions


def drawn(diagram: str) -> tuple[Walk, set[Point], set[Point]]:
    """A position whose last move is a small letter, the points marked *, and the points marked !."""
    rows = [line.split() for line in diagram.strip().splitlines()]
    marked = {(i, j): mark for i, row in enumerate(rows) for j, mark in enumerate(row)}
    last = next(point for point, mark in marked.items() if mark in "xo")
    player = marked[last].upper()
    board = {point: mark if mark in "XO" else "." for point, mark in marked.items()}
    game = mcrave.game(f"go(rows={len(rows)},cols={len(rows[0])})")
    walk = Walk(game)
    text = "\n".join(" ".join(board[(i, j)] for j in range(len(row))) for i, row in enumerate(rows))
    walk.states = game.parse(f"{text}\n{player} to move").state
    walk.plain.board, walk.plain.turn = board, "XO".index(player)
    walk.play(walk.number(last))
    wanted, refused = ({point for point, mark in marked.items() if mark == sign} for sign in "*!")
    return walk, wanted, refused


def chosen(walk: Walk, playout: str, draws: int = 400) -> Counter[Point | None]:
    """How often each move is chosen."""
    spec = parse(playout, "playout")
    found: Counter[Point | None] = Counter()
    for _ in range(draws):
        walk.memory[:] = 0.0
        found[walk.point(walk.choose(spec))] += 1
    return found


DRAWN = {
    "extend out of atari": """
        . . . . . . .
        . . . . . . .
        . . . X . . .
        . . X O * . .
        . . . x . . .
        . . . . . . .
        . . . . . . . """,
    "capture the attacker, since extending is suicide": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X O . . . .
        ! O x * . . . """,
    "extend, or capture the attacker": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . O . . .
        . . O X * . .
        . . X O * . .
        . . . x . . . """,
    "no extension into another atari": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X . . . . . .
        O x . . . . .
        ! X . . . . .
        . . . . . . . """,
    "hane": """
        . . . . . . .
        . . . . . . .
        . . * * * . .
        . . X o X . .
        . . * * * . .
        . . . . . . .
        . . . . . . . """,
    "cut, or hane around the last move": """
        . . . . . . .
        . . * * . . .
        . * x O . . .
        . * O * . . .
        . . . . . . .
        . . . . . . .
        . . . . . . . """,
    "capture anywhere, if nothing is to be answered": """
        . X . . . . .
        X O X . . . .
        . * . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . o """,
    "the last move's chain, by capture_first": """
        . . . . . . .
        . . . . X . .
        . . . X o * .
        . . . . X . .
        . . . . . . .
        . . . . . . .
        . . . . . . . """,
    "three in a row, by nakade": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X x X X . . .
        . * . X . . . """,
    "three bent, by nakade": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X . . . . .
        . x X . . . .
        * . X . . . . """,
    "four as a T, by nakade": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X x X . . .
        X X . X X . .
        X . * . X . . """,
    "five with a tail, by nakade": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X x X . . . .
        . * . X . . .
        . . X X . . . """,
    "six, by nakade": """
        . . . . . . .
        . X X X . . .
        X X . x X . .
        X . * . X . .
        X X . . X . .
        . X X X X . .
        . . . . . . . """,
    "a liberty more or an atari, by two_liberties": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X . . . . .
        ! o * . . . . """,
    "keep the eye, by eye_shape": """
        . . . . . . .
        . . o X * . .
        . . X ! X . .
        . . * X * . .
        . . . . . . .
        . . . . . . .
        . . . . . . . """,
}


@pytest.mark.parametrize("title", DRAWN)
def test_drawn_positions(title):
    """The marked points are the answers, each as likely as the others."""
    option = title.partition(", by ")[2]
    playout = f"mogo({','.join(f'{name}={name == option}' for name in OPTIONS)})"
    walk, wanted, refused = drawn(DRAWN[title])
    found = chosen(walk, playout)
    assert not refused & set(found)
    if wanted:
        assert set(found) == wanted
        assert set(walk.twin(3).candidates((option,))) == wanted
        assert len(found) == 1 or chisquare(list(found.values())).pvalue > SURE


LADDER = """
        . . . . . . .
        . . . . {} . .
        . . . . . . .
        . . X . . . .
        . X O * . . .
        . . x X . . .
        . . . . . . . """


@pytest.mark.parametrize("breaker", [".", "O", "X"])
def test_ladders(breaker):
    """A stone of the runner's in the way of the ladder makes running good; without it, it is not even tried."""
    walk, wanted, _ = drawn(LADDER.format(breaker))
    listed = walk.stages(3, np.zeros_like(walk.memory), ladders=True)["saves"]
    assert set(listed) == (wanted if breaker == "O" else set())
    assert set(walk.stages(3, np.zeros_like(walk.memory))["saves"]) == wanted


def test_no_vital_point():
    """Four in a square are dead already, four in a row alive; seven are too many, and an open space is none."""
    space = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X . . . .
        . . x X X X X
        . . X . . . . """
    seven = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X X . . .
        . . . . X . .
        . . . x X . . """
    opened = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X x X O . . .
        . . . O . . . """
    for diagram in (space, seven, opened):
        walk, _, _ = drawn(diagram)
        assert walk.stages(0, np.zeros_like(walk.memory))["nakade"] == []
        assert not walk.twin().nakade()


# ------------------------------------------------------------------------------------------ distributions


def test_moves_are_uniform_over_the_stage():
    """Chi-square tests over positions of many stages, 18 of them, each with an error probability of 1e-6."""
    tested: Counter[int] = Counter()
    playout = parse(ALL, "playout")
    for walk in walks(("go(size=7)",), ALL, 12):
        candidates = walk.twin(playout.avoid_self_atari).candidates(OPTIONS)
        if len(candidates) < 2 or tested[len(candidates)] >= 2:
            continue
        tested[len(candidates)] += 1
        found = chosen(walk, ALL, 40 * len(candidates))
        assert set(found) <= candidates
        assert chisquare([found[move] for move in candidates]).pvalue > SURE
        if sum(tested.values()) == 18:
            break
    assert sum(tested.values()) == 18


def test_fill_board_plays_in_the_open():
    """A point is open if there are eight points around it and all are empty."""
    walk = Walk("go(size=9)")
    walk.play(walk.number((0, 0)))
    found = chosen(walk, "mogo(fill_board=1000,two_liberties=false)", 500)
    free = [(i, j) for i in range(1, 8) for j in range(1, 8) if max(i, j) > 1]
    assert set(found) <= set(free)
    assert chisquare([found[point] for point in free]).pvalue > SURE


def test_proximity_plays_next_to_the_last_move():
    """The last move is at E5 with nothing around it: one in eight, and as often elsewhere as the rest says."""
    walk = Walk("go(size=9)")
    walk.play(walk.number((4, 4)))
    near = [(i, j) for i in (3, 4, 5) for j in (3, 4, 5) if (i, j) != (4, 4)]
    assert set(chosen(walk, "mogo(proximity=1)", 500)) == set(near)
    found = chosen(walk, "mogo(proximity=0.5)", 2000)
    close = sum(found[point] for point in near)
    assert chisquare([close, 2000 - close], [1100, 900]).pvalue > SURE  # 1/2 + 1/2 · 8/80


def test_rules_are_heeded_as_often_as_said():
    """Where only the capture is a rule's move: it is chosen if the rule is heeded, or by lot."""
    walk, wanted, _ = drawn(DRAWN["capture anywhere, if nothing is to be answered"])
    (capture,) = wanted
    moves = walk.twin(3).wanted()
    found = chosen(walk, "mogo(heed=0,two_liberties=false)", 40 * len(moves))
    assert set(found) <= moves
    assert chisquare([found[move] for move in moves]).pvalue > SURE
    found = chosen(walk, "mogo(heed=0.7,two_liberties=false)", 2000)
    share = 0.7 + 0.3 / len(moves)
    assert chisquare([found[capture], 2000 - found[capture]], [2000 * share, 2000 * (1 - share)]).pvalue > SURE


def urgencies(twin: PlainMogo, last: Point | None) -> dict[Point, float]:
    """U of every move with capture=3, escape=5, near=2, self_atari=0.25, by trying it."""
    found = {}
    atari = {}
    if last is not None:
        for stone in twin.own_next_to_last():
            if len(twin.liberties(twin.game.board, stone)) == 1:
                atari[min(twin.chain(twin.game.board, stone))] = len(twin.chain(twin.game.board, stone))
    for p, (after, taken) in twin.after.items():
        saved = sum(length for stone, length in atari.items() if len(twin.liberties(after, stone)) >= 2)
        if twin.is_eye(p) and not saved:
            continue
        value = 1.0 + 3.0 * taken + 5.0 * saved
        value *= 2.0 if last is not None and p in twin.around(last) else 1.0
        found[p] = value * (0.25 if twin.is_self_atari(p, 1) else 1.0)
    return found


def test_urgencies_are_the_probabilities():
    """Thirty positions, half of them with something to save, each with an error probability of 1e-6."""
    text, tested = "urgency(capture=3,escape=5,near=2,self_atari=0.25)", Counter[bool]()
    for walk in walks(("go(size=6)", "go(rows=2,cols=20)"), text, 5):
        twin = walk.twin()
        saving = walk.last is not None and bool(twin.saves())
        expected = urgencies(twin, walk.last)
        if tested[saving] >= 15 or not 2 <= len(expected) <= 20:
            continue
        tested[saving] += 1
        draws = 60 * len(expected)
        found, total = chosen(walk, text, draws), sum(expected.values())
        assert set(found) <= set(expected)
        wanted = [value / total * draws for value in expected.values()]
        assert chisquare([found[move] for move in expected], wanted).pvalue > SURE
    assert tested[True] == tested[False] == 15


def test_urgency_passes_when_nothing_is_left():
    walk, _, _ = drawn(". X . X\nX x X X\n. X X X\n")
    walk.play(0)  # White has nothing but suicide, and passes; Black has nothing but eyes
    assert set(chosen(walk, "urgency()", 20)) == {None}


# ------------------------------------------------------------------------------------------ patterns and texts


def test_pattern_table():
    """Every code of the table against the drawings, for one in 37 codes, and mirrored colours."""
    for code in range(0, 1 << 16, 37):
        cells = ["." if bits == 0 else "XO#"[bits - 1] for bits in ((code >> 2 * i) & 3 for i in range(8))]
        game = PlainMogo.__new__(PlainMogo)
        game.mine, game.other = "X", "O"
        places = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
        board = {point: cell for point, cell in zip(places, cells, strict=True) if cell != "#"}
        game.game = type("Board", (), {"board": board})
        held = bool(int(patterns.TABLE[code >> 6]) >> (code & 63) & 1)
        assert game.matches((1, 1)) == held, cells


@pytest.mark.parametrize(
    "text",
    [
        "mogo()",
        "mogo(nakade=false)",
        "mogo(fill_board=4,proximity=0.25)",
        "urgency(near=2)",
        f"truncated(playout={ALL})",
    ],
)
def test_text_form(text):
    spec = parse(text, "playout")
    assert parse(str(spec), "playout") == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mogo(avoid_self_atari=-1)", "mogo needs avoid_self_atari from 0 to 1000, not -1"),
        ("mogo(fill_board=-1)", "mogo needs fill_board from 0 to 1000, not -1"),
        ("mogo(proximity=2)", "mogo needs proximity from 0 to 1, not 2.0"),
        ("mogo(heed=-0.5)", "mogo needs heed from 0 to 1, not -0.5"),
        ("mogo(nakade=2)", "mogo needs nakade to be true or false, not '2'"),
        ("urgency(near=0)", "urgency needs near from 0.000001 to 1000000, not 0.0"),
        ("urgency(capture=-1)", "urgency needs capture from 0 to 1000000, not -1.0"),
    ],
)
def test_bad_fields(text, message):
    with pytest.raises(SpecError) as caught:
        parse(text, "playout")
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["mogo()", "urgency()", "truncated(playout=mogo())"])
@pytest.mark.parametrize("game", ["mnk", "go3", "atarigo"])
def test_only_go(text, game):
    with pytest.raises(Error, match=rf"^(mogo|urgency) is a playout for go, not for {game}$"):
        mcrave.Search(game, playout=text)
