"""The memory of many searches: for every field of `Tree` or `Scratch` one array with a row for each game.

A game's own tree is again a `Tree`, made of views of its rows, so that the kernels of the search run on it unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mcrave.kernel import jit
from mcrave.kernel.views import row
from mcrave.search.plan import Scratch
from mcrave.trees.arena import Tree

OWN = ("rng", "memory")  # fields of `Scratch` that every seat of a game has for itself


class Column(NamedTuple):
    """The rows of one field."""

    dtype: np.dtype[Any]
    length: int

    @property
    def bytes(self) -> int:
        """Of one row; an array of a device has at least one element."""
        return self.dtype.itemsize * max(1, self.length)


def columns(example: Any) -> dict[str, Column]:
    """What one search needs, read off a `Tree` or `Scratch` of it.

    >>> from mcrave.trees.arena import new_tree
    >>> columns(new_tree(10_000, 0, 9, 9))["child"].dtype
    dtype('int32')
    """
    return {field: Column(array.dtype, array.size) for field, array in zip(example._fields, example, strict=True)}


def largest(every: list[dict[str, Column]]) -> dict[str, Column]:
    """Rows in which each of several searches finds room, for numbers of its type."""
    return {
        field: Column(_widest([each[field].dtype for each in every]), max(each[field].length for each in every))
        for field in every[0]
    }


def _widest(types: list[np.dtype[Any]]) -> np.dtype[Any]:
    """The type that holds the numbers of all; records are of one type."""
    return types[0] if types[0].names else np.result_type(*types)


def lengths(cls: type, needed: dict[str, Column]) -> Any:
    """How much of its rows a search may use, as kernels see it: the class's fields, all whole numbers."""
    return cls(*(int(needed[field].length) for field in cls._fields))  # type: ignore[attr-defined]


def marks_at_most(scratch: Scratch) -> int:
    """How many moves a simulation can mark, given the lengths of its memory: as many as there are, or its plies."""
    return int(min(scratch.seen, scratch.who))


def maker(
    cls: type, name: str, arguments: str, index: Callable[[str], str], **known: Callable[..., Any]
) -> Callable[..., Any]:
    """A kernel that makes one game's `cls` of the rows of all; `known` are the kernels that it calls.

    Its text is made from the class's fields: a compiled tuple can only be written out field by field.
    """
    parts = ", ".join(index(field) for field in cls._fields)  # type: ignore[attr-defined]
    space: dict[str, Any] = {cls.__name__: cls, **known}
    exec(f"def {name}({arguments}):\n    return {cls.__name__}({parts})\n", space)
    return jit(space[name])


tree_of = maker(
    Tree, "tree_of", "rows, lengths, game", lambda field: f"row(rows.{field}, game, lengths.{field})", row=row
)


def _scratch_part(field: str) -> str:
    if field == "root_moves":
        return "row(rows.root_moves, game, moves)"
    return f"row(rows.{field}, {'seat' if field in OWN else 'game'}, lengths.{field})"


scratch_of = maker(Scratch, "scratch_of", "rows, lengths, game, seat, moves", _scratch_part, row=row)
