"""Talk to GNU Go over GTP: an independent referee for the rules of Go."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable

import pytest

PROGRAM = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")

needs_gnugo = pytest.mark.skipif(
    PROGRAM is None and os.environ.get("CI") != "true",
    reason="GNU Go is missing: apt-get install gnugo",
)


class GnuGo:
    """One GNU Go process."""

    def __init__(self, *options: str) -> None:
        assert PROGRAM is not None, "GNU Go is missing: apt-get install gnugo"
        self.process = subprocess.Popen(
            [PROGRAM, "--mode", "gtp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, commands: Iterable[str]) -> list[str]:
        """Send commands all at once and return the replies; a refused command replies with its `?` text."""
        commands = list(commands)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("".join(command + "\n" for command in commands))
        self.process.stdin.flush()
        replies = []
        for _ in commands:
            lines = []
            while line := self.process.stdout.readline().rstrip("\n"):
                lines.append(line)
            reply = "\n".join(lines)
            replies.append(reply[1:].strip() if reply.startswith("=") else reply)
        return replies

    def close(self) -> None:
        """End the process."""
        self.ask(["quit"])
        self.process.wait()
