"""The memory of many searches: for every field of `Tree` or `Scratch` one array with a row for each game.

A game's own tree is again a `Tree`, made of views of its rows, so that the kernels of the search run on it unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mcrave.kernel import jit
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
    """Rows in which each of several searches finds room."""
    return {
        field: Column(column.dtype, max(each[field].length for each in every)) for field, column in every[0].items()
    }


def lengths(cls: type, needed: dict[str, Column]) -> Any:
    """How much of its rows a search may use, as kernels see it: the class's fields, all whole numbers."""
    return cls(*(int(needed[field].length) for field in cls._fields))  # type: ignore[attr-defined]


def marks_at_most(scratch: Scratch) -> int:
    """How many moves a simulation can mark, given the lengths of its memory: as many as there are, or its plies."""
    return int(min(scratch.seen, scratch.who))


def _maker(cls: type, name: str, arguments: str, index: Callable[[str], str]) -> Callable[..., Any]:
    """A kernel that makes one game's `cls` of the rows of all.

    Its text is made from the class's fields: a compiled tuple can only be written out field by field.
    """
    parts = ", ".join(index(field) for field in cls._fields)  # type: ignore[attr-defined]
    space: dict[str, Any] = {cls.__name__: cls}
    exec(f"def {name}({arguments}):\n    return {cls.__name__}({parts})\n", space)
    return jit(space[name])


tree_of = _maker(Tree, "tree_of", "rows, lengths, game", lambda field: f"rows.{field}[game][: lengths.{field}]")


def _scratch_part(field: str) -> str:
    if field == "root_moves":
        return "rows.root_moves[game][:moves]"
    return f"rows.{field}[{'seat' if field in OWN else 'game'}][: lengths.{field}]"


scratch_of = _maker(Scratch, "scratch_of", "rows, lengths, game, seat, moves", _scratch_part)
