"""Records: aligned, zeroed, fields as attributes, and a clear error for a name that cannot be one."""

from __future__ import annotations

import numpy as np
import pytest

from mcrave.kernel import jit, new, record

CELL = record(mark=np.int8, key=np.uint64, board=(np.int8, 9), grid=(np.int16, (2, 3)))


@jit
def fill(states):
    state = states[0]
    state.mark = 3
    state.key = np.uint64(2**63)
    state.board[4] = -1
    state.grid[1, 2] = 7


def test_fields_in_order_and_aligned_as_in_c():
    assert CELL.names == ("mark", "key", "board", "grid")
    assert CELL.isalignedstruct
    assert [CELL.fields[name][1] for name in CELL.names] == [0, 8, 16, 26]
    assert CELL.itemsize == 40
    assert CELL["grid"].shape == (2, 3)


def test_new_records_are_zero_and_have_attributes():
    states = new(CELL, 2)
    assert states.shape == (2,)
    assert not states.view(np.uint8).any()
    states[1].board[3] = 5
    assert states[1].board.tolist() == [0, 0, 0, 5, 0, 0, 0, 0, 0]
    assert not states[0].board.any()


@pytest.mark.parametrize("run", [fill, getattr(fill, "py_func", fill)], ids=["compiled", "interpreted"])
def test_kernels_write_through(run):
    states = new(CELL)
    run(states)
    state = states[0]
    assert (state.mark, state.key, state.board[4], state.grid.tolist()) == (3, 2**63, -1, [[0, 0, 0], [0, 0, 7]])


def test_a_copy_is_independent():
    states = new(CELL)
    fill(states)
    work = new(CELL)
    work[0] = states[0]
    work[0].board[4] = 0
    assert states[0].board[4] == -1
    assert work[0].grid[1, 2] == 7


@pytest.mark.parametrize("name", ["size", "shape", "dtype"])
def test_names_of_array_attributes_are_refused(name):
    with pytest.raises(ValueError, match=f"a record field must not be called '{name}': NumPy arrays have that"):
        record(**{name: np.int8})
