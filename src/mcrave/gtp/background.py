"""Work in a thread of its own, for programs that do not wait long for an answer: GoGui asks after 15 seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Background:
    """A piece of work that goes on while others are done.

    >>> done = []
    >>> work = Background(lambda: done.append(1))
    >>> work.wait(), done, work.error
    (True, [1], None)
    """

    def __init__(self, work: Callable[[], object]) -> None:
        """Begin."""
        self.error: Exception | None = None
        """What went wrong."""
        self._work = work
        self._thread = threading.Thread(target=self._run, daemon=True, name="gtp background")
        self._thread.start()

    def _run(self) -> None:
        try:
            self._work()
        except Exception as error:  # told by whoever waits
            self.error = error

    def wait(self, seconds: float | None = None) -> bool:
        """Until it is done, or for so many seconds; says whether it is done."""
        self._thread.join(seconds)
        return not self._thread.is_alive()
