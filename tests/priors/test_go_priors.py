"""Priors for Go: the handcrafted one is the playout's choice, and the tuned one adds up what plain rules find."""

from __future__ import annotations

import itertools

import pytest

import mcrave
from mcrave.errors import Error, SpecError
from mcrave.specs import parse
from tests.oracles.go_walks import Walk, walks
from tests.oracles.plain_mogo import Point

BOARDS = ("go(size=7)", "go(rows=4,cols=7)", "go(rows=2,cols=20)", "go(size=9)")
OPTIONS = ("capture_first", "nakade", "two_liberties", "eye_shape", "ladders")
WEIGHTS = {
    "even": 1.0,
    "save": 2.0,
    "capture": 4.0,
    "atari": 8.0,
    "pattern": 16.0,
    "near": 32.0,
    "self_atari": 64.0,
    "eye": 128.0,
    "border": 256.0,
    "share": 0.5,
    "amaf": 0.25,
}


def best(values: dict[Point | None, tuple[float, float, float]]) -> set[Point | None]:
    """The moves of the highest H."""
    highest = max(h for h, _, _ in values.values())
    return {move for move, (h, _, _) in values.items() if h == highest}


def options_of(number: int) -> tuple[tuple[str, ...], int]:
    """All combinations of options in turn."""
    chosen = tuple(option for i, option in enumerate(OPTIONS) if number >> i & 1)
    return chosen, (3, 1, 0)[number % 3]


def test_greedy_choice_is_the_playout():
    """Over positions of all kinds: the moves of the highest H are those that the playout draws from."""
    kinds = {0.5: 0, 1.0: 0}
    for number, walk in enumerate(walks(BOARDS, "mogo()", 3)):
        options, least = options_of(number)
        fields = ",".join([f"avoid_self_atari={least}", *(f"{option}={option in options}" for option in OPTIONS)])
        values = walk.prior(f"handcrafted(m=20,c=3,playout=mogo({fields}))")
        assert best(values) == walk.twin(least).candidates(options), walk.game.render(walk.states[0])
        assert {(c, m) for _, c, m in values.values()} == {(3.0, 20.0)}
        assert {h for h, _, _ in values.values()} <= {0.0, 0.5, 1.0}
        kinds[max(h for h, _, _ in values.values())] += 1
    assert min(kinds.values()) > 100, kinds


def test_bad_moves_are_worth_nothing():
    for walk in itertools.islice(walks(("go(size=7)",), "mogo()", 3), 0, None, 3):
        twin, values = walk.twin(3), walk.prior("handcrafted()")
        candidates, wanted = twin.candidates(parse_options()), twin.wanted()
        for move, (h, _, _) in values.items():
            assert (h == 0.0) == (move not in candidates and (move not in wanted if move else bool(wanted))), move


def parse_options() -> tuple[str, ...]:
    """The options that are on by default."""
    return tuple(option for option in OPTIONS if getattr(parse("mogo()", "playout"), option))


def weight(stones: int) -> float:
    """What several stones are worth beside one."""
    return min(3.0, (1 + stones) / 2)


def distances(walk: Walk) -> dict[Point, int]:
    """Steps from the last move, where chains are one point."""
    twin, board = walk.twin(), walk.plain.board
    reached: dict[Point, int] = {}
    border = twin.chain(board, walk.last) if walk.last is not None else set()
    steps = 0
    while border:
        reached |= dict.fromkeys(border, steps)
        steps += 1
        near = {q for p in border for q in walk.plain.neighbours(p)}
        border = {s for q in near for s in ({q} if board[q] == "." else twin.chain(board, q))} - set(reached)
    return reached


def plain(walk: Walk, move: Point | None, near: dict[Point, int]) -> tuple[float, float, float]:
    """H, C and C̃ with `WEIGHTS`, from the board before and after the move."""
    twin, won, lost = walk.twin(), 0.0, 0.0
    board, seen = walk.plain.board, set[Point]()
    if move is None:
        lost = WEIGHTS["eye"]
    else:
        after, taken = twin.after[move]
        won += WEIGHTS["near"] * {1: 1, 2: 1, 3: 1 / 3}.get(near.get(move, 9), 0)
        for stone in board:
            if board[stone] == twin.mine and stone not in seen and len(twin.liberties(board, stone)) == 1:
                chain = twin.chain(board, stone)
                seen |= chain
                if move in twin.saves_of(stone, True):
                    won += WEIGHTS["save"] * weight(len(chain))
                elif move in twin.liberties(board, stone):
                    lost += WEIGHTS["self_atari"]
        hit = [q for q in walk.plain.neighbours(move) if after[q] == twin.other]
        threatened = [q for q in hit if len(twin.liberties(after, q)) == 1]
        if taken:
            won += WEIGHTS["capture"] * weight(taken)
        elif twin.is_self_atari(move, 1):
            lost += WEIGHTS["self_atari"]
        elif threatened:
            caught = [len(twin.chain(after, q)) for q in threatened if twin.is_caught(after, q)]
            won += WEIGHTS["capture"] * weight(max(caught)) if caught else WEIGHTS["atari"]
        won += WEIGHTS["pattern"] * twin.matches(move)
        lost += WEIGHTS["eye"] * twin.is_eye(move)
        if not any(walk.plain.board.get(q) in ("X", "O") for q in twin.around(move)):
            (row, col), game = move, walk.game
            line = 1 + min(row, col, game.rows - 1 - row, game.cols - 1 - col)
            lost += {1: WEIGHTS["border"], 2: WEIGHTS["border"] / 2}.get(line, 0.0)
            won += WEIGHTS["border"] / 2 * (line == 3)
    total = WEIGHTS["even"] + won + lost
    return (0.5 * WEIGHTS["even"] + won) / total, WEIGHTS["share"] * total, WEIGHTS["amaf"] * total


def test_mogo2008_adds_up():
    text = f"mogo2008({','.join(f'{name}={value}' for name, value in WEIGHTS.items())})"
    for walk in itertools.islice(walks(BOARDS, "mogo()", 2), 0, None, 5):
        near = distances(walk)
        for move, found in walk.prior(text).items():
            assert found == pytest.approx(plain(walk, move, near), abs=1e-12), (move, walk.game.render(walk.states[0]))


def test_without_any_weight_nothing_is_known():
    walk = Walk("go(size=7)")
    text = f"mogo2008({','.join(f'{name}=0' for name in WEIGHTS)})"
    assert set(walk.prior(text).values()) == {(0.5, 0.0, 0.0)}


def test_search_sees_the_prior():
    """The capture of a group is what the first simulations try."""
    game = mcrave.game("go(size=7)")
    position = game.parse(".XXX... / XOOOX.. / .XX.... / ....... / ....... / ....... / ....... / X to move")
    for prior in ("handcrafted()", "mogo2008()"):
        search = mcrave.Search(game, tree="mc_rave()", prior=prior, seed=1)
        report = search.run(position, simulations=60)
        assert report.best == "D5", prior


@pytest.mark.parametrize("text", ["handcrafted()", "mogo2008()"])
@pytest.mark.parametrize("game", ["mnk", "go3"])
def test_only_go(text, game):
    with pytest.raises(Error, match=rf"^(handcrafted|mogo2008) is a prior for go, not for {game}$"):
        mcrave.Search(game, prior=text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("handcrafted(playout=uniform())", "handcrafted needs a playout mogo(...), not uniform()"),
        (
            "handcrafted(playout=mogo(fill_board=2))",
            "handcrafted needs a playout with fill_board=0, proximity=0 and heed=1, not mogo(fill_board=2)",
        ),
        ("mogo2008(near=-1)", "mogo2008 needs near from 0 to 1000000, not -1.0"),
    ],
)
def test_bad_fields(text, message):
    with pytest.raises(SpecError) as caught:
        parse(text, "prior")
    assert str(caught.value) == message
