"""Games that misbehave outside their rules."""

from __future__ import annotations

import os

from mcrave.games.mnk import Mnk


class Deadly(Mnk, name="deadly"):
    """Ends the process that asks for the name of a move."""

    def move_name(self, state, move):
        os.kill(os.getpid(), 9)


class Noisy(Mnk, name="noisy"):
    """Prints whenever it is asked for the name of a move."""

    def move_name(self, state, move):
        print("a move!", flush=True)
        return super().move_name(state, move)
