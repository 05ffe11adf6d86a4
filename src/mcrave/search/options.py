"""What a user may change about the loop itself, in Python and in a player's `search(...)`."""

from __future__ import annotations

from typing import Literal, NamedTuple

from mcrave.errors import Error
from mcrave.search.amaf import BY_POINT, ONCE, PLAYOUT_ALONE, REPLAYS
from mcrave.search.backups import Backup, Mean

MODES = ("off", "edge", "state", "full")
Mode = Literal["off", "edge", "state", "full"]
AMAF_RULES = {"by_point": BY_POINT, "replays": REPLAYS, "playout_alone": PLAYOUT_ALONE}


class Options(NamedTuple):
    """Every option is off at its default; they combine."""

    expand_after: int = 0
    """Visits of a move before its position becomes a node."""
    by_point: int = 0
    """AMAF counts the first move on a point, whoever made it (the text of §4.3)."""
    replays: int = 0
    """AMAF counts every play of a move in a simulation, not the first alone."""
    playout_alone: int = 0
    """AMAF counts the moves of the playout alone, not those made in the tree."""
    widen_from: float = 0.0
    """Progressive widening: the first a + a · N(s)^b moves are considered; this is a."""
    widen_power: float = 0.5
    """And this is b."""
    prune_from: float = 0.0
    """Progressive pruning (§3.5): moves that are so many deviations worse are left out."""
    full_width: int = 0
    """The minimax enhancement (§3.5): in the first plies all moves are tried equally often."""
    solve: int = 0
    """MCTS-Solver: proven results are kept and used."""
    ownership: int = 0
    """Territory statistics (§3.5): who owned each point at the end of the simulations, in `Report.owners`."""
    backup: Backup = Mean()
    """What a move is worth: the mean of its outcomes, or the value of the position it leads to (§2.4)."""

    @property
    def rule(self) -> int:
        """Which moves AMAF counts."""
        return next((rule for name, rule in AMAF_RULES.items() if getattr(self, name)), ONCE)

    def check(self, players: int, transpositions: str, game: str) -> None:
        """Raise `Error` if these options cannot be had, or not for so many players."""
        if transpositions not in MODES:
            raise Error(f"transpositions must be one of {', '.join(MODES)}, not {transpositions!r}")
        for name in ("expand_after", "widen_from", "prune_from", "full_width"):
            if getattr(self, name) < 0:
                raise Error(f"{name} must be 0 or more, not {getattr(self, name)}")
        if sum(bool(getattr(self, name)) for name in AMAF_RULES) > 1:
            raise Error(f"{', '.join(AMAF_RULES)} say which moves AMAF counts: give one of them")
        if not isinstance(self.backup, Backup):
            raise Error(f"backup must be a spec such as Mean() or Max(), not {self.backup!r}")
        if players == 2:
            return
        if transpositions in ("state", "full"):
            raise Error(f"transpositions={transpositions} is for two players; {game} has {players}")
        if self.backup != Mean():
            raise Error(f"backup={self.backup} is for two players; {game} has {players}")
        if self.solve:
            raise Error(f"only games for two players can be proven, and {game} is for {players}")
