"""Dialogues with the engine, in this process and with one of its own."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from mcrave.gtp import Session, Settings, serve
from mcrave.gtp.protocol import parse_request
from mcrave.gtp.serving import answer

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "mcrave.cli", "gtp"]
COMMAND = shlex.join(PROGRAM)
ENVIRONMENT = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
QUICK = Settings(player="mc_rave@30", resign=0.0, analysis=30)
REPLY = re.compile(r"([=?])(\d*)(?: ([^\n]+(?:\n[^\n]+)*)|((?:\n[^\n]+)*))\n\n")


def ask(session: Session, *lines: str) -> list[str]:
    """The replies to requests, without the empty line behind them."""
    replies = []
    for line in lines:
        said: list[str] = []
        request = parse_request(line.encode())
        assert request is not None, line
        answer(session, request, said.append)
        text = "".join(said)
        assert REPLY.fullmatch(text), repr(text)
        replies.append(text.rstrip("\n"))
    return replies


def converse(data: bytes, settings: Settings = QUICK) -> str:
    """Everything said to an input that comes all at once."""
    said: list[str] = []
    serve(Session(settings), io.BytesIO(data).read, said.append)
    return "".join(said)


def replies_in(text: str) -> list[tuple[str, str, str]]:
    """The sign, number and text of every reply; an assertion that there is nothing else."""
    found, at = [], 0
    while at < len(text):
        match = REPLY.match(text, at)
        assert match is not None, f"no reply: {text[at : at + 200]!r}"
        found.append((match[1], match[2], (match[3] or match[4] or "").strip("\n")))
        at = match.end()
    return found


class Process:
    """`mcrave gtp` in a process of its own."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [*PROGRAM, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=ENVIRONMENT,
        )

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()

    def write(self, text: str) -> None:
        """Send text as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def line(self) -> str:
        """The next line of the output."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode().rstrip("\n")

    def ask(self, command: str) -> str:
        """The reply to one command, with its sign."""
        self.write(command + "\n")
        lines = [self.line()]
        while lines[-1]:
            lines.append(self.line())
        return "\n".join(lines[:-1])
