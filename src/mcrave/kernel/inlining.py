"""A kernel is put into its callers in time that grows with its length, not with its square.

Numba copies an inlined function block by block, and with every block the table of all its variables, for nothing: the
copies are the same. A search of one kind took a ninth longer to compile for it.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir


def _itself(scope: Any, memo: dict[int, Any]) -> Any:
    """The same table of variables, for the copy of a block."""
    return scope


def share_scopes() -> None:
    """Do so from now on; to be called before anything is compiled."""
    ir.Scope.__deepcopy__ = _itself
