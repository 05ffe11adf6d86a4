"""Start the server, open the browser, and end tidily."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import threading
import webbrowser

from aiohttp import web

from mcrave.errors import Error
from mcrave.web.limits import Allowed
from mcrave.web.security import Guard, is_loopback
from mcrave.web.server import Server
from mcrave.web.table import Table

PORTS = range(8137, 8147)  # tried in turn if none is named


def serve(
    table: Table,
    allowed: Allowed,
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
    *,
    results: str = "",
) -> None:
    """Serve the page until Ctrl-C; port 0 means any that is free, None the first of `PORTS` that is."""
    guard = Guard.of(host)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{port}/" + (f"?token={guard.token}" if guard.token else "")
    if not is_loopback(host):
        print(
            f"mcrave: warning: {host} can be reached from other machines; who knows the token can play",
            file=sys.stderr,
        )
    print(f"The page is at {address}", flush=True)
    print("Ctrl-C ends it; mcrave play --terminal plays here instead.", flush=True)
    app = Server(table, allowed, guard, results).app()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run(app, listening, address if browser and _has_display() else ""))


async def _run(app: web.Application, listening: socket.socket, address: str) -> None:
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    await web.SockSite(runner, listening).start()
    if address:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, ended.set)
    try:
        await ended.wait()
    finally:
        await runner.cleanup()


def _listen(host: str, named: int | None) -> socket.socket:
    """A socket that listens, at the port that was named or the first that is free."""
    problem: OSError | None = None
    for port in PORTS if named is None else [named]:
        try:
            return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        except (OSError, OverflowError) as error:
            problem = error if isinstance(error, OSError) else OSError(str(error))
    reason = getattr(problem, "strerror", None) or problem
    raise Error(f"cannot listen at {host} port {named or PORTS.start}: {reason}; name another with --port")


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
