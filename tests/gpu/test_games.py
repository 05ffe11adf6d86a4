"""Whole games on an NVIDIA GPU are those of the processor, move for move, for the same seeds."""

from __future__ import annotations

import pytest

cuda = pytest.importorskip("numba.cuda", reason="numba-cuda is missing: pip install 'mcrave[gpu]'")

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not cuda.is_available(), reason="no NVIDIA GPU with a working driver was found"),
]

TREES = ("uct(c=0.4)", "rave()", "mc_rave()", "grave(ref=10)")
BOARDS = (
    "domineering(size=8)",
    "atarigo(size=8)",
    "knightthrough",
    "go(size=5)",
    "go3(size=5)",
    "hex(size=5)",
    "othello",
    "mnk(size=3,length=3)",
)


WAYS = pytest.mark.parametrize(
    "lanes", [32, 4, 1], ids=["a warp for a game", "eight games in a warp", "a thread for a game"]
)


@WAYS
@pytest.mark.parametrize("board", BOARDS)
def test_same_games(board: str, lanes: int) -> None:
    """Every tree policy against the next, with transpositions; more games than slots."""
    for tree, other in zip(TREES, (*TREES[1:], TREES[0]), strict=True):
        _compare(board, [f"{tree}+search(transpositions=edge)@80", f"{other}@60"], lanes)


@WAYS
@pytest.mark.parametrize("prior", ["handcrafted(m=50)", "mogo2008()", "local_shape(m=50)", "ratings()"])
def test_same_games_with_knowledge(prior: str, lanes: int) -> None:
    """Priors that look at a new node as a whole, and weights that were learnt."""
    _compare("go(size=9)", [f"mc_rave+mogo()+{prior}@60", "uct+patterns()@60"], lanes)


@pytest.mark.parametrize("lanes", [32, 8, 4])
def test_same_games_with_rules_of_2006(lanes: int) -> None:
    """The lanes of a game share these playouts move by move."""
    rules = "mogo(avoid_self_atari=0,two_liberties=false,nakade=false,ladders=false)"
    _compare("go(size=9,pass_last=true)", [f"grave(ref=10)+{rules}@60", f"rave+{rules}@60"], lanes)


@WAYS
def test_same_games_that_stop_early(lanes: int) -> None:
    """Games are at different moves then, some of their players just begin to think, and others stop."""
    _compare("go(size=7)", ["grave(ref=10)+search(early_stop=1)@200", "uct(c=0.4)+search(early_stop=1)@300"], lanes)


@WAYS
def test_same_games_where_every_play_counts(lanes: int) -> None:
    """GRAVE's tables are made at once beside such a RAVE, which is one program with it."""
    _compare("go(size=5)", ["grave(ref=10)@80", "rave+search(replays=1)@80"], lanes)


@WAYS
def test_same_games_with_widening(lanes: int) -> None:
    """How many moves are looked at depends on a power, which a GPU rounds in its own way."""
    _compare(
        "go(size=9)",
        ["uct+ratings()+search(widen_from=2)@100", "grave+search(widen_from=1,widen_power=0.7)@60"],
        lanes,
    )


def _compare(board: str, players: list[str], lanes: int) -> None:
    """Eight games."""
    from mcrave.arena.gpu import Gpu
    from mcrave.arena.referee import Bench, play_game
    from mcrave.arena.schedule import contest
    from mcrave.arena.workers import Task
    from mcrave.parallel.gpu.engines import Cuda
    from tests.arena.interpreted_batch import FIELDS

    bench = Bench()
    played = contest(board, players, opening=1)
    crew = Gpu([(played, 5)], [], Cuda(together=lanes > 1, lanes=lanes if lanes > 1 else 0))
    got = {r.number: r for batch in crew.play(Task(played, number) for number in range(8)) for r in batch}
    for number in range(8):
        record = play_game(played, number, bench)
        for field in FIELDS:
            assert getattr(got[number], field) == getattr(record, field), (players, number)
