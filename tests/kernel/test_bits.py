"""Word operations, compiled and interpreted, against Python's unbounded integers."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mcrave.kernel import bits
from tests.kernel.toy import python

WORDS = st.one_of(
    st.integers(0, 2**64 - 1),
    st.integers(0, 63).map(lambda n: 1 << n),
    st.sampled_from([0, 2**64 - 1, 2**63, 2**63 - 1]),
)
MANY = settings(max_examples=max(100, settings().max_examples))
MASK = 2**64 - 1


def mixed(z: int) -> int:
    """The finaliser as Vigna's splitmix64.c writes it."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@MANY
@given(word=WORDS)
def test_popcount_and_lowest(word):
    assert bits.popcount(np.uint64(word)) == word.bit_count()
    assert bits.lowest(np.uint64(word)) == next((i for i in range(64) if word >> i & 1), 64)


@MANY
@given(word=WORDS)
def test_nth_walks_over_the_set_bits(word):
    found = [bits.nth(np.uint64(word), n) for n in range(word.bit_count())]
    assert found == [bits.nth_by_halves(np.uint64(word), n) for n in range(word.bit_count())]
    assert found == [i for i in range(64) if word >> i & 1]
    assert bits.nth(np.uint64(word), word.bit_count()) == 64


@MANY
@given(word=WORDS)
def test_mix(word):
    assert int(bits.mix(np.uint64(word))) == mixed(word) == bits._mix(word)


@MANY
@given(a=WORDS, b=WORDS)
def test_add_wraps_around(a, b):
    assert int(bits.add(np.uint64(a), np.uint64(b))) == (a + b) & MASK


@MANY
@given(key=WORDS, value=st.integers(0, 2**62))
def test_combine(key, value):
    start = mixed((key + 0x9E3779B97F4A7C15) & MASK)
    assert int(bits.combine(np.uint64(key), value)) == mixed((start + value) & MASK)


def test_combine_takes_key_and_value_apart():
    assert len({int(bits.combine(np.uint64(key), value)) for key in range(64) for value in range(64)}) == 64 * 64
    words = [1 << i for i in range(63)]
    assert len({int(bits.combine(np.uint64(key), value)) for key in words for value in words}) == 63 * 63


@MANY
@given(cell=st.integers(0, 2**20), piece=st.integers(0, 255))
def test_placed(cell, piece):
    assert int(bits.placed(cell, piece)) == mixed((cell << 8) ^ piece ^ 0x632BE59BD9B4E019)


def test_placed_tells_all_cells_and_pieces_apart():
    keys = {int(bits.placed(np.int16(cell), np.int8(piece))) for cell in range(400) for piece in range(20)}
    assert len(keys) == 400 * 20


def test_interpreter_computes_the_same(tmp_path):
    code = """if 1:
        import numpy as np
        from mcrave.kernel import bits
        words = [np.uint64(w) for w in (0, 1, 2**63, 2**64 - 1, 0b1011000, 0x9E3779B97F4A7C15, 123456789123456789)]
        for a in words:
            print(int(bits.popcount(a)), int(bits.lowest(a)), int(bits.mix(a)), int(bits.nth(a, bits.popcount(a))))
            print(int(bits.nth_by_halves(a, 1)))
            print([int(bits.add(a, b)) for b in words], [int(bits.combine(a, n)) for n in (0, 1, 77)])
        print([int(bits.placed(np.int16(c), np.int8(p))) for c in range(5) for p in range(5)])
    """
    native = python("-c", code, folder=tmp_path, cache=tmp_path)
    flags = ("-W", "error::RuntimeWarning")
    assert python(*flags, "-c", code, folder=tmp_path, cache=tmp_path, NUMBA_DISABLE_JIT="1") == native
