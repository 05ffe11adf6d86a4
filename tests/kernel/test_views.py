"""Parts of arrays that are taken without a look at where the arrays end are those that slices give."""

from __future__ import annotations

import numpy as np
import pytest

from mcrave.kernel import jit, record
from mcrave.kernel.views import piece, row

CELL = record(pad=np.int8, value=np.float64)
KINDS = pytest.mark.parametrize("kind", [np.int8, np.float32, np.float64], ids=str)


@jit
def write_row(rows, i, length, value):
    part = row(rows, i, length)
    for k in range(part.shape[0]):
        part[k] = value
    return part.shape[0]


@jit
def write_piece(array, start, length, value):
    part = piece(array, start, length)
    for k in range(part.shape[0]):
        part[k] += value
    return part.shape[0]


@jit
def write_record(rows, i, value):
    row(rows, i, 2)[1].value = value


@KINDS
def test_a_row_is_the_slice(kind):
    rows, plain = np.zeros((4, 5), kind), np.zeros((4, 5), kind)
    for i, length in ((0, 5), (2, 3), (3, 0)):
        assert write_row(rows, i, length, i + 1) == length
        plain[i][:length] = i + 1
    assert np.array_equal(rows, plain)


@KINDS
def test_a_piece_is_the_slice(kind):
    array, plain = np.arange(20).astype(kind), np.arange(20).astype(kind)
    assert write_piece(array, 3, 4, 7) == 4
    plain[3:7] += kind(7)
    assert np.array_equal(array, plain)


def test_rows_of_records():
    rows = np.zeros((3, 4), CELL).view(np.recarray)
    write_record(rows, 1, 2.5)
    assert rows.value.tolist() == [[0, 0, 0, 0], [0, 2.5, 0, 0], [0, 0, 0, 0]]
