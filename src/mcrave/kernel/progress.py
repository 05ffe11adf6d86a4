"""Say that something is being compiled when it takes more than a second and a person is watching."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

DELAY = 1.0  # seconds


class _Announcer(event.Listener):
    """Counts nested compilations; the outermost one starts the timer that speaks up."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.depth = 0
        self.spoke = False
        self.timer: threading.Timer | None = None

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.timer is None:
            self.timer = threading.Timer(DELAY, self.speak)
            self.timer.daemon = True
            self.timer.start()

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.close()

    def speak(self) -> None:
        self.spoke = True
        print(f"\rcompiling {self.what} (once; kept for the next start) …", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if self.spoke:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self.spoke = False


@contextmanager
def shown(what: str) -> Iterator[None]:
    """While this runs, a compilation of over a second is announced on a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    announcer = _Announcer(what)
    with event.install_listener("numba:compile", announcer):
        try:
            yield
        finally:
            announcer.close()
