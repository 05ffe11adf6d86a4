"""Whole games through the device's kernels, run by the interpreter; prints what differs from the referee's games."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mcrave.arena import gpu
from mcrave.arena.gpu import Gpu
from mcrave.arena.referee import Bench, play_game
from mcrave.arena.schedule import contest
from mcrave.arena.store import Store
from mcrave.arena.workers import Task
from mcrave.kernel.cache import fingerprint
from mcrave.parallel.gpu.engines import Host

FIELDS = ("contest", "number", "seed", "seats", "outcome", "ending", "loser", "note", "moves")


def compared(case: dict[str, Any]) -> dict[str, Any]:
    """Play a contest both ways, with fewer slots than games."""
    played = contest(case["game"], case["players"], opening=case.get("opening", 0), cap=case.get("cap", 0))
    games = case["games"]
    crew = Gpu([(played, case["slots"])], [], Host())
    batches = list(crew.play(Task(played, number) for number in range(games)))
    got = {record.number: record for batch in batches for record in batch}
    bench = Bench()
    different = [
        number
        for number in range(games)
        if any(
            getattr(play_game(played, number, bench), field) != getattr(got.get(number), field, None)
            for field in FIELDS
        )
    ]
    return {
        "different": different,
        "got": len(got),
        "batches": len(batches),
        "passes": sum(record.moves.lower().count("pass") for record in got.values()),
        "endings": sorted({record.ending for record in got.values()}),
    }


def interrupted() -> list[int]:
    """The numbers of the games that are kept if Ctrl-C comes with the first finished ones."""
    played, kept = contest("mnk(size=3,length=3)", ["uct@6", "random"]), []
    try:
        for batch in Gpu([(played, 4)], [], Host()).play(Task(played, number) for number in range(40)):
            kept += [record.number for record in batch]
            os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        return kept
    raise AssertionError("Ctrl-C was not heard")


def _after(turns: int) -> Callable[[float | None], Any]:
    """In place of `_interruptible`: the games are broken off after so many turns."""

    @contextmanager
    def interruptible(until: float | None) -> Iterator[Callable[[], bool]]:
        left = iter(range(turns - 1))
        yield lambda: next(left, None) is None

    return interruptible


def resumed() -> dict[str, Any]:
    """A run that is broken off again and again, and goes on each time, has the games of one that is not."""
    found = {}
    early = "+search(early_stop=1)"
    for text, also, turns in (("go(size=3)", "", 1), ("domineering(size=4)", "", 1), ("domineering(size=5)", early, 8)):
        gpu._interruptible = _after(turns)
        played = contest(text, [f"uct{also}@5", f"rave{also}@5"])
        wanted = {number: play_game(played, number, Bench()).moves for number in range(4)}
        with Store() as store:
            kept, pieces, adjourned = {}, 0, 0
            while len(kept) < 4 and pieces < 200:
                pieces += 1
                crew = Gpu([(played, 4)], [], Host(), store=store)
                try:
                    left = [number for number in range(4) if number not in kept]
                    for batch in crew.play(Task(played, number) for number in left):
                        kept |= {record.number: record.moves for record in batch}
                except KeyboardInterrupt:
                    crew.close()
                    adjourned = max(adjourned, len(store.adjourned(played.key, fingerprint())))
            found[text] = [kept == wanted, pieces, adjourned, len(store.adjourned(played.key, "other code"))]
    return found


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print(json.dumps([[compared(case) for case in json.loads(sys.argv[1])], interrupted(), resumed()]))
