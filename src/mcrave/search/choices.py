"""Which move to play once the simulations are done. Ties go to the move that the game lists first."""

from __future__ import annotations

import math

from mcrave.errors import SpecError
from mcrave.policies.base import TreePolicy
from mcrave.policies.monte_carlo import MonteCarlo
from mcrave.search.report import MoveReport
from mcrave.specs import Spec, plain_name


class Choice(Spec, kind="choice"):
    """A final choice; subclass it with a name to add one."""

    def worth(self, move: MoveReport) -> tuple[float, ...]:
        """What the chosen move has most of."""
        raise SpecError(f"{plain_name(type(self))} has no `def worth(self, move)`; every choice needs it")


class MostVisits(Choice, name="most_visits"):
    """The most visited move; of equally visited ones the one with the higher value."""

    def worth(self, move: MoveReport) -> tuple[float, ...]:
        """Visits, then the mean."""
        return move.visits, move.value


class BestValue(Choice, name="best_value"):
    """The highest mean outcome among moves that were tried."""

    def worth(self, move: MoveReport) -> tuple[float, ...]:
        """The mean, then visits."""
        return (move.value if move.visits else -1.0, move.visits)


class Secure(Choice, name="secure"):
    """The highest lower bound of the mean: Q − a / √N (Chaslot et al. 2008)."""

    a: float = 1.0

    def worth(self, move: MoveReport) -> tuple[float, ...]:
        """The bound."""
        return (move.value - self.a / math.sqrt(move.visits) if move.visits else -math.inf, move.visits)


class Policy(Choice, name="policy"):
    """What the tree policy would select next, as the papers' pseudocode ends."""

    def worth(self, move: MoveReport) -> tuple[float, ...]:
        """The policy's score."""
        return (move.score,)


def default_choice(tree: TreePolicy) -> Choice:
    """How the move is chosen unless said otherwise: flat Monte-Carlo visits all moves alike, so there by value."""
    return BestValue() if isinstance(tree, MonteCarlo) else MostVisits()
