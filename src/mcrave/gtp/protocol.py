r"""Lines that come in, replies that go out.

A request is one line: an optional number, a command, arguments. A reply is `=` or `?`, the number again, a text, and
an empty line. Control characters are dropped, a tab is a space, what follows a `#` is a comment, and lines without
anything else are no requests (GTP 2, section 2). A line of any length takes a bounded amount of memory.
"""

from __future__ import annotations

import queue
import re
import sys
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

MOST_BYTES = 1 << 16  # of a line; what is longer is answered by an error
MOST_WAITING = 1 << 10  # lines that are read ahead
CHUNK = 1 << 16
INTERRUPT = b"# interrupt"

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Request(NamedTuple):
    """One line that asks for something."""

    number: str
    """As it was written; empty if there is none."""
    command: str
    arguments: tuple[str, ...]
    too_long: bool = False


def parse_request(line: bytes, too_long: bool = False) -> Request | None:
    r"""The request in a line, None if there is none.

    >>> parse_request(b"12 play black\td4 # why?\r\n")
    Request(number='12', command='play', arguments=('black', 'd4'), too_long=False)
    >>> parse_request(b"# a comment") is None
    True
    """
    text = _CONTROL.sub("", line.decode("utf-8", "replace").replace("\t", " "))
    match = re.match(r"\s*([0-9]*)(?:\s+|(?=[^0-9\s])|$)(.*)", text.partition("#")[0], re.ASCII | re.DOTALL)
    assert match is not None, "the pattern matches any text"
    words = match[2].split()
    if not words and not match[1]:
        return Request("", "", (), True) if too_long else None
    command, *arguments = words or [""]
    return Request(match[1], command, tuple(arguments), too_long)


def split_lines(read: Callable[[int], bytes]) -> Iterator[tuple[bytes, bool]]:
    r"""Lines without their end, and whether only the beginning of a line is given as it was too long.

    >>> import io
    >>> list(split_lines(io.BytesIO(b"name\nver").read))
    [(b'name', False), (b'ver', False)]
    """
    pending, too_long = b"", False
    while chunk := read(CHUNK):
        first = True
        for part in chunk.split(b"\n"):
            if not first:
                yield pending, too_long
                pending, too_long = b"", False
            first = False
            too_long = too_long or len(pending) + len(part) > MOST_BYTES
            pending = (pending + part)[:MOST_BYTES]
    if pending:
        yield pending, too_long


class Lines:
    """Lines of input, read in a thread of their own: so a search sees that the next one has come."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        """Begin to read; `read(n)` waits for at least one byte and gives at most n, none at the end."""
        self._waiting: queue.Queue[tuple[bytes, bool] | None] = queue.Queue(MOST_WAITING)
        self._taken, self._interrupt_at = 0, -1  # how many lines were taken, and where the last interrupt stands
        threading.Thread(target=self._fetch, args=(read,), daemon=True, name="gtp input").start()

    def _fetch(self, read: Callable[[int], bytes]) -> None:
        try:
            for number, line in enumerate(split_lines(read)):
                if line[0].strip().lower() == INTERRUPT:
                    self._interrupt_at = number
                self._waiting.put(line)
        except (OSError, ValueError) as error:  # the other side is gone: as at the end of the input
            print(f"mcrave gtp: input: {error}", file=sys.stderr)
        self._waiting.put(None)

    def next(self) -> tuple[bytes, bool] | None:
        """The next line, None at the end of the input; waits for it."""
        line = self._waiting.get()
        self._taken += 1
        return line

    @property
    def are_waiting(self) -> bool:
        """Whether a line, or the end of the input, has come."""
        return not self._waiting.empty()

    @property
    def is_interrupted(self) -> bool:
        """Whether `# interrupt` stands behind the line that was taken last."""
        return self._interrupt_at >= self._taken


class Reply:
    """The reply to one request, which may come in pieces."""

    def __init__(self, write: Callable[[str], object], number: str) -> None:
        """Nothing is written yet."""
        self._write, self._number = write, number
        self._begun = False

    def say(self, line: str) -> None:
        """Write a line now, while the command goes on; the reply is a success from here on."""
        if not self._begun:
            self._write(f"={self._number}\n")
            self._begun = True
        self._write(_tidy(line) + "\n")

    def succeed(self, text: str = "") -> None:
        """End the reply; a text that begins with an empty line stands below the sign, not behind it."""
        gap, text = "\n" if text.startswith("\n") else " ", _tidy(text)
        if self._begun:
            self._write(f"{text}\n\n" if text else "\n")
        else:
            self._write(f"={self._number}{gap if text else ''}{text}\n\n")

    def fail(self, text: str) -> None:
        """End the reply with an error, if nothing was written yet."""
        if self._begun:
            print(f"mcrave gtp: {text}", file=sys.stderr)
            self._write("\n")
        else:
            self._write(f"?{self._number} {_tidy(text)}\n\n")


def _tidy(text: str) -> str:
    """No empty line, as that would end the reply, and no control characters."""
    lines = (_CONTROL.sub("", line.replace("\t", " ")).rstrip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
