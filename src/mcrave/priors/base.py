"""The contract of a prior: a value H(s,a) with confidences C and C̃ for every move of a new node.

Q(s,a) = Q̃(s,a) = H(s,a), N(s,a) = C(s,a), Ñ(s,a) = C̃(s,a), and N(s) = Σ N(s,a) (Eq. 48–52).
"""

from __future__ import annotations

from mcrave.kernel import dispatched
from mcrave.kernel.jit import include_source
from mcrave.specs import Spec, register


@dispatched
def heuristic(prior, rules, state, tree, grandparent, edge):
    """H, C and C̃ of the move on an edge; `grandparent` is where the player was last to move, or -1."""
    return 0.5, 0.0, 0.0


class Prior(Spec, kind="prior"):
    """A prior; subclass it with a name to add one."""

    def __init_subclass__(cls, name: str | None = None, kind: str | None = None) -> None:
        """Register, and let the compiler's cache know the file."""
        super().__init_subclass__(kind=kind)
        if name is not None:
            register(cls, name)
        if not cls.__module__.startswith("mcrave."):
            include_source(cls)
