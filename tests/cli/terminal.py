"""A terminal for tests: runs `mcrave` as its own process, types into it, and reads its screen."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "mcrave.cli"]
ENVIRONMENT = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "TERM": "xterm-256color"}
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[()][A-Z0-9])|\r")
PATIENCE = 120.0  # seconds; a cold start compiles


def mcrave(*arguments: str, text: str = "", timeout: float = PATIENCE) -> subprocess.CompletedProcess[str]:
    """Run a command without a terminal, with this text on its input."""
    return subprocess.run(
        [*COMMAND, *arguments], input=text, capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT, timeout=timeout
    )


class Terminal:
    """A command that believes it talks to a person."""

    def __init__(self, *arguments: str) -> None:
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=ROOT,
            env=ENVIRONMENT | {"COLUMNS": "100", "LINES": "40"},
            start_new_session=True,
        )
        os.close(theirs)
        self.seen = ""
        self.read = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.ours)

    def wait_for(self, text: str) -> str:
        """Everything shown since the last wait, up to this text."""
        end = time.monotonic() + PATIENCE
        while (at := self.seen.find(text, self.read)) < 0:
            assert time.monotonic() < end, f"{text!r} did not come; the screen was\n{self.seen[self.read :]}"
            if not self._receive():
                at = self.seen.find(text, self.read)
                assert at >= 0, f"ended without {text!r}; the screen was\n{self.seen[self.read :]}"
        found = self.seen[self.read : at + len(text)]
        self.read = at + len(text)
        return found

    def type(self, line: str, end: str = "\n") -> None:
        """Type a line."""
        os.write(self.ours, (line + end).encode())

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        os.killpg(self.process.pid, signal.SIGINT)

    def exit_code(self) -> int:
        """Wait for the end."""
        while self._receive():
            pass
        return self.process.wait(PATIENCE)

    def _receive(self) -> bool:
        ready, _, _ = select.select([self.ours], [], [], 1.0)
        if not ready:
            return self.process.poll() is None
        try:
            data = os.read(self.ours, 65536)
        except OSError:  # the other side has closed
            return False
        self.seen += ESCAPES.sub("", data.decode(errors="replace"))
        return bool(data)
