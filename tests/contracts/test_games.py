"""Every registered game keeps the contract, with its default rules and some others (see `cases.EXTRA`).

One game: `pytest tests/contracts -k hex`. More examples: `HYPOTHESIS_PROFILE=deep pytest tests/contracts`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mcrave
from tests.contracts import cases
from tests.contracts.digest import digest

every_game = pytest.mark.parametrize("text", cases.specs())
seeds = st.integers(0, 2**32 - 1)
FEW = settings(max_examples=max(3, settings().max_examples // 3))
ROOT = Path(__file__).parents[2]


def is_bounded(text: str) -> bool:
    return mcrave.game(text).name not in cases.CUT_OFF


@every_game
def test_spec(text):
    game = mcrave.game(text)
    cases.check_spec(game)
    assert getattr(mcrave.games, type(game).__name__) is type(game)


@every_game
@given(seed=seeds)
def test_random_games_end_within_bounds(text, seed):
    cases.check_walk(mcrave.game(text), seed, is_bounded(text))


@every_game
@FEW
@given(seed=seeds)
def test_names_lead_back_to_moves(text, seed):
    cases.check_names(mcrave.game(text), seed)


@every_game
@FEW
@given(seed=seeds)
def test_illegal_moves_are_refused(text, seed):
    cases.check_illegal_moves(mcrave.game(text), seed)


@every_game
@FEW
@given(seed=seeds)
def test_positions_do_not_change(text, seed):
    cases.check_independent_copies(mcrave.game(text), seed)


@every_game
@given(seed=seeds)
def test_diagrams_read_back(text, seed):
    cases.check_round_trip(mcrave.game(text), seed)


@every_game
def test_keys_are_equal_exactly_for_equal_positions(text):
    cases.check_keys(mcrave.game(text), range(12))


@every_game
@FEW
@given(seed=seeds)
def test_kernels_agree_with_positions(text, seed):
    cases.check_kernels(mcrave.game(text), seed)


@every_game
@FEW
@given(seed=seeds)
def test_playouts_stop_in_time(text, seed):
    cases.check_playout_lengths(mcrave.game(text), seed)


@every_game
def test_playouts_make_legal_moves(text):
    cases.check_one_ply_playouts(mcrave.game(text), 1, is_bounded(text))


@every_game
def test_random_moves_are_uniform(text):
    cases.check_random_moves(mcrave.game(text), 2, is_bounded(text))


@every_game
def test_playouts_end_as_random_moves_do(text):
    cases.check_playout_results(mcrave.game(text), 3)


@every_game
@given(diagram=st.text(max_size=200))
def test_any_text_is_a_position_or_an_error(text, diagram):
    cases.check_text(mcrave.game(text), diagram)


@every_game
@given(seed=seeds)
def test_any_diagram_is_a_position_or_an_error(text, seed):
    cases.check_mutated_diagrams(mcrave.game(text), seed)


@cache
def interpreted(name: str) -> dict[str, list[str]]:
    """The digests of all boards of a game, without the compiler."""
    texts = [text for (text,) in (case.values for case in cases.specs()) if text.partition("(")[0] == name]
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.contracts.digest", *texts]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(zip(texts, (lines.splitlines() for lines in done.stdout.strip().split("\n\n")), strict=True))


@every_game
def test_interpreter_equals_native(text):
    """The same games, bit for bit; overflows and memory errors show in the interpreter only."""
    assert interpreted(text.partition("(")[0])[text] == digest(mcrave.game(text))
