"""The server: the page, three static files, and one websocket for each tab."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any

from aiohttp import WSMsgType, web

from mcrave.web import limits
from mcrave.web.limits import Allowed
from mcrave.web.security import COOKIE, HEADERS, Guard
from mcrave.web.session import Session
from mcrave.web.table import Table

STATIC = {"app.js": "text/javascript", "style.css": "text/css", "icon.svg": "image/svg+xml"}
MOST_BACKLOG = 12  # messages for a browser that does not read them
log = logging.getLogger("mcrave.web")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """What all tabs share."""

    def __init__(self, first: Table, allowed: Allowed, guard: Guard, results: str = "") -> None:
        """`first` is the game of a new tab."""
        self.first, self.allowed, self.guard, self.results = first, allowed, guard, results
        self.sessions: set[Session] = set()
        folder = files("mcrave.web").joinpath("static")
        self.static = {name: folder.joinpath(name).read_bytes() for name in (*STATIC, "page.html")}

    def app(self) -> web.Application:
        """The routes; anything else is not found."""
        app = web.Application(middlewares=[self._guarded], client_max_size=1 << 14)
        app.router.add_get("/", self._page)
        app.router.add_get("/static/{name}", self._static)
        app.router.add_get("/ws", self._socket)
        app.on_shutdown.append(self._shutdown)
        return app

    @web.middleware  # type: ignore[untyped-decorator,unused-ignore]
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Every request passes here: who asks, and what the browser may do with the answer."""
        if not self.guard.host_ok(request.headers.get("Host", "")):
            return _refused("this server is not known by that name")
        given = request.query.get("token") or request.cookies.get(COOKIE)
        if not self.guard.token_ok(given):
            return _refused("open the address with ?token=… that the server printed")
        try:
            response = await handler(request)
        except web.HTTPException as error:
            response = web.Response(status=error.status, text=f"{error.status} {error.reason}\n")
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    async def _page(self, request: web.Request) -> web.StreamResponse:
        if request.query.get("token") and self.guard.token:
            answer = web.Response(status=303, headers={"Location": "/"})
            answer.set_cookie(COOKIE, self.guard.token, httponly=True, samesite="Strict")
            return answer
        return web.Response(body=self.static["page.html"], content_type="text/html", charset="utf-8")

    async def _static(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if name not in STATIC:
            raise web.HTTPNotFound
        return web.Response(body=self.static[name], content_type=STATIC[name], charset="utf-8")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if not self.guard.origin_ok(request.headers.get("Origin"), request.headers.get("Host", "")):
            return _refused("a websocket is opened by this server's own page")
        socket = web.WebSocketResponse(max_msg_size=limits.MOST_MESSAGE, heartbeat=20.0)
        if not socket.can_prepare(request).ok:
            raise web.HTTPBadRequest
        await socket.prepare(request)
        if len(self.sessions) >= limits.SESSIONS:
            await socket.send_str(json.dumps({"say": f"{limits.SESSIONS} tabs are open; close one", "full": True}))
            await socket.close()
            return socket
        await self._serve(socket)
        return socket

    async def _serve(self, socket: web.WebSocketResponse) -> None:
        """One tab, until it is closed."""
        loop, outbox = asyncio.get_running_loop(), asyncio.Queue[dict[str, Any] | None]()

        def send(message: dict[str, Any]) -> bool:
            if outbox.qsize() > MOST_BACKLOG and "put" in message:
                return False
            with contextlib.suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(outbox.put_nowait, message)
            return True

        session = Session(send, self.allowed, self.first, self.results)
        self.sessions.add(session)
        session.start()
        writer = asyncio.create_task(_write(socket, outbox))
        try:
            async for message in socket:
                if message.type != WSMsgType.TEXT:
                    break
                wish = _read(message.data)
                if wish is not None:
                    session.post(wish)  # a wish too many is dropped
        finally:
            self.sessions.discard(session)
            session.close()
            writer.cancel()
            if not socket.closed:
                await socket.close()

    async def _shutdown(self, app: web.Application) -> None:
        """No search may run any more when the memory is given back."""
        ending = list(self.sessions)
        for session in ending:
            session.close()
        for session in ending:
            await asyncio.to_thread(session.join, 2.0)


async def _write(socket: web.WebSocketResponse, outbox: asyncio.Queue[dict[str, Any] | None]) -> None:
    while (message := await outbox.get()) is not None:
        try:
            await socket.send_str(json.dumps(message))
        except (ConnectionError, RuntimeError):
            return


def _read(text: str) -> dict[str, Any] | None:
    """A wish, or nothing if it cannot be read."""
    try:
        wish = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return wish if isinstance(wish, dict) and isinstance(wish.get("do"), str) and wish["do"] != "close" else None


def _refused(reason: str) -> web.Response:
    return web.Response(status=403, text=f"403 {reason}\n", headers=HEADERS)
