"""OpenSpiel's states as states of the reference: any of its deterministic games with perfect information.

>>> import random
>>> import pyspiel
>>> from mcrave.reference import Search, policies
>>> state = OpenSpielState(pyspiel.load_game("tic_tac_toe").new_initial_state())
>>> for move in (0, 3, 1, 4):
...     state = state.play(move)
>>> Search(policies.uct(0.4)).run(state, 300, random.Random(1)).most_visited()
2
"""

from __future__ import annotations

import pyspiel

from mcrave.errors import Error


class OpenSpielState:
    """A `pyspiel.State` where it is some player's turn."""

    def __init__(self, state: pyspiel.State) -> None:
        """Wrap a state; the object is not changed."""
        if state.is_chance_node() or state.is_simultaneous_node():
            raise Error(f"in {state.get_game()} chance or several players at once move; only turns can be searched")
        self.state = state

    @property
    def to_move(self) -> int:
        """OpenSpiel's number of the player."""
        return int(self.state.current_player())

    @property
    def is_over(self) -> bool:
        """A terminal state."""
        return bool(self.state.is_terminal())

    def legal_moves(self) -> list[int]:
        """OpenSpiel's action numbers."""
        return list(self.state.legal_actions())

    def play(self, move: int) -> OpenSpielState:
        """The state after an action."""
        return OpenSpielState(self.state.child(move))

    def outcome(self, player: int) -> float:
        """The return, brought from the game's range of utilities to [0, 1]."""
        game = self.state.get_game()
        low, high = game.min_utility(), game.max_utility()
        return float((self.state.player_return(player) - low) / (high - low))
