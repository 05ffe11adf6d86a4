"""A server in a process of its own, and a browser that records what it asks for."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or "/usr/bin/chromium"


class Server:
    """`mcrave play --no-browser`, at a free port or a named one."""

    def __init__(self, *options: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "mcrave", "play", "--no-browser", "--port", str(port), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        if found is None:
            raise AssertionError(f"the server did not start: {line} {self.process.communicate(timeout=10)}")
        self.address = found[0]
        self.port = int(re.search(r":(\d+)/", self.address)[1])  # type: ignore[index]
        self.origin = f"http://127.0.0.1:{self.port}"

    def end(self, sign: int = signal.SIGINT) -> str:
        """Stop it; returns what it wrote to its error stream."""
        if self.process.stdout is not None and self.process.stdout.closed:
            return ""  # it was ended before
        if self.process.poll() is None:
            self.process.send_signal(sign)
        try:
            return self.process.communicate(timeout=120)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the server does not end") from None


@contextmanager
def serving(*options: str, port: int = 0) -> Iterator[Server]:
    """A server for a while; it must end without a word on its error stream."""
    server = Server(*options, port=port)
    try:
        yield server
    finally:
        said = server.end()
    assert "Traceback" not in said, said
    assert server.process.returncode == 0


def needs_browser() -> None:
    """Skip without Chromium or playwright; fail where CI=true."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        missing = "playwright: pip install playwright"
    else:
        if os.path.exists(CHROMIUM):
            return
        missing = "Chromium: sudo apt-get install chromium"
    if os.environ.get("CI") == "true":
        pytest.fail(f"the page's tests need {missing}")
    pytest.skip(f"the page's tests need {missing}")


def until(condition, seconds: float = 300.0, what: str = "") -> None:
    """Wait until something holds; long enough for a search to be compiled on a busy machine."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s in vain for {what or condition}"
        time.sleep(0.03)
