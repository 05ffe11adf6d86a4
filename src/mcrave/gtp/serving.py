"""The loop: take a request, carry it out, reply; think ahead while none comes."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable

from mcrave.errors import Error
from mcrave.gtp.protocol import Lines, Reply, Request, parse_request
from mcrave.gtp.registry import commands
from mcrave.gtp.session import Session


def serve(session: Session, read: Callable[[int], bytes], write: Callable[[str], object]) -> None:
    r"""Answer requests until `quit` or the end of the input.

    >>> import io
    >>> from mcrave.gtp import Settings
    >>> serve(Session(Settings()), io.BytesIO(b"1 protocol_version\nfoo\n").read, lambda text: print(text, end=""))
    =1 2
    <BLANKLINE>
    ? unknown command
    <BLANKLINE>
    """
    lines = session.lines = Lines(read)
    while not session.is_finished:
        if session.settings.ponder:
            _think_ahead(session)
        line = lines.next()
        if line is None:
            break
        if (request := parse_request(*line)) is not None:
            answer(session, request, write)
    session.close()


def _think_ahead(session: Session) -> None:
    """Whatever goes wrong in the opponent's time must not lose the game."""
    try:
        session.ponder()
    except Exception:
        traceback.print_exc()


def answer(session: Session, request: Request, write: Callable[[str], object]) -> None:
    """Carry out one request; when it fails, the state is as before."""
    reply = session.reply = Reply(write, request.number)
    before = session.state
    try:
        if request.too_long:
            raise Error("line too long")
        known = commands().get(request.command)
        if known is None:
            raise Error("unknown command")
        text = known.handler(session, request.arguments) or ""
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Error as error:
        session.state = before
        reply.fail(" ".join(str(error).split()))
    except Exception as error:
        session.state = before
        traceback.print_exc()
        reply.fail(f"internal error: {type(error).__name__}")
    else:
        reply.succeed(text)


def serve_process(session: Session) -> None:
    """Answer on the process's own input and output; whatever else is printed goes to stderr."""
    sys.stdout.flush()
    ours = os.dup(1)
    os.dup2(2, 1)

    def write(text: str) -> None:
        data = memoryview(text.encode("utf-8", "replace"))
        while data:
            data = data[os.write(ours, data) :]

    try:
        serve(session, lambda size: os.read(0, size), write)
    finally:
        os.dup2(ours, 1)
        os.close(ours)
