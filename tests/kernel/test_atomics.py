"""Threads that add to and swap the same memory lose nothing, compiled and interpreted."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from mcrave.kernel import INTERPRETED, jit, new, record
from mcrave.kernel.atomics import add_field, add_item, swap_field, swap_item
from tests.kernel.toy import SRC, python

CELL = record(pad=np.int8, visits=np.int32, total=np.float32, value=np.float64, lock=np.uint64)
THREADS = 4


@jit
def add_items(array, times, value):
    for _ in range(times):
        add_item(array, 1, value)


@jit
def add_fields(cells, times):
    for _ in range(times):
        add_field(cells, 1, "visits", 1)
        add_field(cells, 1, "value", 0.5)
        add_field(cells, 1, "total", np.float32(1))


@jit
def count_under_lock(cells, times):
    """Add without atomics, inside a lock made of `swap_field`; give up a lock by swapping it back."""
    for _ in range(times):
        while not swap_field(cells, 0, "lock", 0, 1):
            pass
        cells[0].visits += 1
        swap_field(cells, 0, "lock", 1, 0)


@jit
def claim(slots, me):
    """Take every free slot; return how many were won."""
    won = 0
    for i in range(slots.shape[0]):
        if swap_item(slots, i, 0, me):
            won += 1
    return won


@jit
def olds(array):
    return add_item(array, 0, 5), add_item(array, 0, 5), swap_item(array, 0, 3, 9), swap_item(array, 0, 11, 9)


@jit
def field_olds(cells):
    first = add_field(cells, 1, "visits", 3)
    second = add_field(cells, 1, "value", 1.5)
    return first, second, swap_field(cells, 1, "visits", 0, 8), swap_field(cells, 1, "visits", 3, 8)


def in_threads(function, *arguments, per_thread=None):
    """Run the function in several threads at once; return what each gave."""
    results = [None] * THREADS
    gate = threading.Barrier(THREADS)

    def work(i):
        gate.wait()
        results[i] = function(*arguments, *(per_thread(i) if per_thread else ()))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


TIMES = 100_000 // (100 if INTERPRETED else 1)


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint32, np.float32, np.float64])
def test_no_addition_is_lost(kind):
    array = np.zeros(3, kind)
    add_items(array, 0, kind(1))
    in_threads(add_items, array, TIMES, kind(1))
    assert array.tolist() == [0, THREADS * TIMES, 0]


def test_no_addition_to_a_field_is_lost():
    cells = new(CELL, 3)
    add_fields(cells, 0)
    in_threads(add_fields, cells, TIMES)
    assert cells.visits.tolist() == [0, THREADS * TIMES, 0]
    assert cells.value.tolist() == [0, THREADS * TIMES / 2, 0]
    assert cells.total.tolist() == [0, THREADS * TIMES, 0]
    assert not cells.pad.any()
    assert not cells.lock.any()


def test_a_lock_of_swaps_excludes():
    cells = new(CELL, 1)
    count_under_lock(cells, 0)
    in_threads(count_under_lock, cells, TIMES // 50)
    assert cells[0].visits == THREADS * (TIMES // 50)
    assert cells[0].lock == 0


def test_every_slot_is_won_once():
    slots = np.zeros(TIMES, np.int64)
    claim(slots[:0], 1)
    won = in_threads(claim, slots, per_thread=lambda i: (i + 1,))
    assert sum(won) == len(slots)
    assert np.bincount(slots, minlength=THREADS + 1).tolist() == [0, *won]


def test_old_values_come_back():
    array = np.array([1, 0], np.int32)
    assert olds(array) == (1, 6, False, True)
    assert array.tolist() == [9, 0]
    cells = new(CELL, 2)
    assert field_olds(cells) == (0, 0.0, False, True)
    assert (cells[1].visits, cells[1].value, cells[0].visits) == (8, 1.5, 0)


def test_the_same_without_compiler(tmp_path):
    code = """if 1:
        import numpy as np
        from tests.kernel import test_atomics as t
        assert type(t.add_items).__name__ == "function"
        t.test_no_addition_is_lost(np.int32)
        t.test_no_addition_to_a_field_is_lost()
        t.test_a_lock_of_swaps_excludes()
        t.test_every_slot_is_won_once()
        t.test_old_values_come_back()
        print("same")
    """
    path = f"{SRC}:{SRC.parent}"
    assert python("-c", code, folder=tmp_path, cache=tmp_path, NUMBA_DISABLE_JIT="1", PYTHONPATH=path) == "same"
