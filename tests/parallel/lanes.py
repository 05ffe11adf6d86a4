"""A team of a warp's lanes in the interpreter: they are threads that meet wherever a GPU's would.

`python -m tests.parallel.lanes` with `NUMBA_DISABLE_JIT=1` plays games by `think_together` and by `think`, and prints
which of them differ.
"""

from __future__ import annotations

import json
import sys
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np

import mcrave
from mcrave.kernel.rng import stream
from mcrave.parallel.gpu import mogo_together, near, pace, stones_together, warp, warp_amaf
from mcrave.parallel.gpu.engines import Host
from mcrave.parallel.gpu.lanes import WHOLE
from mcrave.parallel.gpu.planning import layout, thinker
from mcrave.parallel.gpu.room import Room, Start
from mcrave.parallel.gpu.shapes import Shape
from mcrave.search import Options
from mcrave.search.backups import Max

WIDTH = 4
TEAM = range(2 * WIDTH, 3 * WIDTH)  # the third team of a warp: neither its first lane nor its mask is that of the first
MASK = sum(1 << lane for lane in TEAM)


class Meeting:
    """What `numba.cuda` offers to some lanes of a warp."""

    def __init__(self) -> None:
        self._barrier = threading.Barrier(WIDTH)
        self._values: dict[int, Any] = {}
        self._own = threading.local()

    def enter(self, lane: int) -> None:
        """Say which lane this thread is."""
        self._own.lane = lane

    def syncwarp(self, mask: int) -> None:
        """Wait for all."""
        assert mask == MASK
        self._barrier.wait()

    def _all(self, mask: int, value: Any) -> dict[int, Any]:
        assert mask in (MASK, WHOLE)
        self._values[self._own.lane] = value
        self._barrier.wait()
        found = dict(self._values)
        self._barrier.wait()
        return found

    def shfl_sync(self, mask: int, value: Any, lane: int) -> Any:
        """The value of one lane."""
        return self._all(mask, value)[lane]

    def shfl_xor_sync(self, mask: int, value: Any, far: int) -> Any:
        """The value of a partner."""
        return self._all(mask, value)[self._own.lane ^ far]

    def ballot_sync(self, mask: int, value: Any) -> int:
        """Who says yes."""
        return sum(1 << lane for lane, said in self._all(mask, bool(value)).items() if said)

    def any_sync(self, mask: int, value: Any) -> bool:
        """Whether anybody says yes."""
        return any(self._all(mask, bool(value)).values())

    def match_any_sync(self, mask: int, value: Any) -> int:
        """Who has the same value."""
        return sum(1 << lane for lane, other in self._all(mask, int(value)).items() if other == int(value))

    def popc(self, word: Any) -> int:
        """How many bits are set."""
        return int(word).bit_count()

    @property
    def atomic(self) -> Meeting:
        """Where `add` is."""
        return self

    def add(self, array: Any, index: int, value: float) -> None:
        """No two lanes add to one entry."""
        array[index] += value

    @property
    def threadIdx(self) -> Any:
        """Which thread of a block this is."""
        return SimpleNamespace(x=self._own.lane)


class Warp(Host):
    """This processor, a game thought about by some lanes of a warp."""

    together = True

    def shape(self, games: int, plies: int, state: int) -> Shape:
        """Always the same."""
        return Shape(WIDTH)

    def launch_teams(self, body: Any, count: int, shape: Shape, args: tuple[Any, ...], group: int) -> None:
        """One game after the other."""
        for k in range(count):
            failures: list[BaseException] = []
            threads = [threading.Thread(target=self._lane, args=(body, k, i, args, failures)) for i in TEAM]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if failures:
                raise failures[0]

    def _lane(self, body: Any, k: int, lane: int, args: tuple[Any, ...], failures: list[BaseException]) -> None:
        meeting: Any = warp.cuda
        meeting.enter(lane)
        try:
            body(k, lane, args)
        except BaseException as failure:
            failures.append(failure)
            meeting._barrier.abort()


OPTIONS = {
    "max": Options(backup=Max()),
    "replays": Options(replays=1),
    "playout_alone": Options(playout_alone=1),
}


def played(engine: Host, game_text: str, simulations: int, **parts: Any) -> list[list[int]]:
    """The moves of two games of a search against itself."""
    game = mcrave.game(game_text)
    if "options" in parts:
        parts["options"] = OPTIONS[parts["options"]]
    early = {"early_stop": parts.pop("early_stop", False)}
    each = thinker("x", mcrave.Search(game, **parts), simulations, 0.03, together=engine.together, **early)
    room = Room(engine, game, layout(game, [each], game.max_plies()), 2)
    room.begin(
        [Start(slot, game.start(), [int(stream(slot, s)[0].state) for s in range(game.players)]) for slot in (0, 1)]
    )
    while True:  # in parts of a move, if they stop early
        open_games = [slot for slot, now in enumerate(room.facts()) if not now.over and now.played < game.max_plies()]
        if not open_games:
            break
        room.move({0: each}, {0: open_games})
    facts, history = room.facts(), room.history()
    return [history[slot][: facts[slot].played].tolist() for slot in (0, 1)]


if __name__ == "__main__":
    np.seterr(all="ignore")
    meeting = Meeting()
    for module in (warp, warp_amaf, near, pace, mogo_together, stones_together):
        module.cuda = meeting
    found = []
    for case in json.loads(sys.argv[1]):
        found.append([played(Warp(), **case), played(Host(), **case)])
    print(json.dumps(found))
