"""`dispatched` kernels pick the method of the first argument's class, compiled and interpreted alike."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.errors import NumbaError

from mcrave.kernel import dispatched, jit
from mcrave.specs import Spec


@dispatched
def area(shape, scale):
    """The area; shapes without one have none."""
    return 0.0


@dispatched
def doubled(shape, scale):
    """What uses another dispatched kernel."""
    return 2.0 * area(shape, scale)


class Dot(Spec):
    """Neither fields nor kernels."""


class Square(Spec):
    """One type of field."""

    side: float = 1.0

    def area(shape, scale):
        return shape.side * shape.side * scale


class Tile(Spec):
    """Fields of several types."""

    side: float = 1.0
    count: int = 2
    solid: bool = True

    def area(shape, scale):
        return shape.side * shape.side * shape.count * scale if shape.solid else 0.0


class Wide(Square):
    """A subclass that inherits its kernel."""


class Tall(Square):
    """A subclass that overrides its kernel."""

    height: float = 3.0

    def area(shape, scale):
        return shape.side * shape.height * scale


class Frame(Spec):
    """A spec within a spec."""

    outer: Square = Square(4.0)
    inner: Tile = Tile(1.0, 3)

    def area(shape, scale):
        return area(shape.outer, scale) - area(shape.inner, scale)


SHAPES = [
    (Dot(), 0.0),
    (Square(3.0), 18.0),
    (Tile(3.0, 4), 72.0),
    (Tile(3.0, 4, False), 0.0),
    (Wide(3.0), 18.0),
    (Tall(3.0), 18.0),
    (Tall(3.0, 5.0), 30.0),
    (Frame(), 26.0),
    (Frame(Square(2.0), Tile(1.0, 1)), 6.0),
]


@jit
def compiled(shape, scale):
    return area(shape, scale), doubled(shape, scale)


@jit
def over_all(shapes, scale):
    total = 0.0
    for i in range(2):
        total += area(shapes[i], scale)
    return total


@pytest.mark.parametrize(("shape", "expected"), SHAPES, ids=lambda value: str(value))
def test_the_class_decides(shape, expected):
    assert area(shape, 2.0) == expected
    assert doubled(shape, 2.0) == 2 * expected
    assert compiled(shape, 2.0) == (expected, 2 * expected)
    assert compiled.py_func(shape, 2.0) == (expected, 2 * expected)


def test_specs_of_one_class_are_one_type_to_the_compiler():
    compiled(Square(1.0), 2.0)
    before = len(compiled.signatures)
    compiled(Square(5.0), 2.0)
    assert len(compiled.signatures) == before


def test_specs_of_one_shape_but_two_classes_stay_apart():
    assert compiled(Square(3.0), 1.0) == (9.0, 18.0)
    assert compiled(Wide(3.0), 1.0) == (9.0, 18.0)
    assert over_all((Square(2.0), Square(3.0)), 1.0) == 13.0


def test_what_is_no_spec_does_not_compile():
    with pytest.raises(NumbaError):
        compiled(np.zeros(3), 1.0)


def test_documentation_stays():
    assert area.__name__ == "area"
    assert area.__doc__ == "The area; shapes without one have none."
    assert area.__wrapped__(Dot(), 1.0) == 0.0
