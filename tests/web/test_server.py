"""The server's door and a tab's thread: who is let in, what garbage does, how fast a closed tab is quiet."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import threading
import time

import pytest

pytest.importorskip("aiohttp", reason="the page needs aiohttp: pip install 'mcrave[web]'")

from aiohttp import ClientSession, WSServerHandshakeError
from aiohttp.test_utils import TestClient, TestServer

import mcrave
from mcrave.web import limits
from mcrave.web.lesson import Lesson
from mcrave.web.limits import Allowed
from mcrave.web.security import COOKIE, Guard
from mcrave.web.server import Server
from mcrave.web.session import Session
from mcrave.web.table import Table
from tests.web.serving import until

SEARCH = "uct@3600s"  # longer than any wait here


@pytest.fixture
def long_searches(monkeypatch):
    """Let a search take an hour, so that none ends by itself before a busy machine has come to interrupt it."""
    monkeypatch.setattr(limits, "MOST_SECONDS", 3600.0)


def first(seats: tuple[str, str] = ("human", "human"), text: str = "mnk(size=3,length=3)") -> Table:
    return Table.new(text, mcrave.game(text), list(seats))


def visit(check, guard: Guard | None = None, table: Table | None = None) -> Server:
    """Run an asynchronous check against a server of its own."""
    served = Server(table or first(), Allowed(), guard or Guard("127.0.0.1"))

    async def run() -> None:
        async with TestClient(TestServer(served.app())) as client:
            await asyncio.wait_for(check(client, served), 400)

    asyncio.run(run())
    until(
        lambda: not [thread for thread in threading.enumerate() if thread.name == "mcrave-tab"], what="all tabs to end"
    )
    return served


def origin(client: TestClient) -> dict[str, str]:
    return {"Origin": f"http://{client.host}:{client.port}"}


async def opened(client: TestClient, link: str = ""):
    """A tab that has seen its first picture."""
    socket = await client.ws_connect("/ws", headers=origin(client))
    await socket.send_json({"do": "hello", "link": link})
    await region(socket, "main")
    return socket


async def region(socket, name: str, wanted: str = "") -> str:
    """Wait for a region with a text in it."""
    while True:
        message = await socket.receive_json(timeout=200)
        if wanted in (found := message.get("put", {}).get(name, "\0")) and found != "\0":
            return found


async def asked(socket, name: str) -> str:
    """A region of a new game, although wishes may be dropped while others wait."""
    while True:
        await socket.send_json({"do": "hello", "link": "page=play&game=mnk&seats=human~human&moves=b2"})
        with contextlib.suppress(asyncio.TimeoutError):
            return await asyncio.wait_for(region(socket, name, "to move"), 3)


def test_headers_and_routes():
    async def check(client, served):
        page = await client.get("/")
        assert page.status == 200
        assert "script-src 'self'" in page.headers["Content-Security-Policy"]
        assert "unsafe" not in page.headers["Content-Security-Policy"]
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        text = await page.text()
        assert "http" not in text, "the page asks for nothing outside"
        for path, status in {
            "/static/app.js": 200, "/static/style.css": 200, "/static/icon.svg": 200, "/static/page.html": 404,
            "/static/../server.py": 404, "/static/%2e%2e%2fserver.py": 404, "/x": 404, "/ws": 403, "/static/": 404,
        }.items():  # fmt: skip
            answer = await client.get(path)
            assert answer.status == status, path
            assert "Content-Security-Policy" in answer.headers
        for way in ("post", "put", "delete", "patch"):
            assert (await getattr(client, way)("/", data=b"x" * 100_000)).status in (405, 413)

    visit(check)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "a" * 2000, "[::", "127.0.0.1.evil.example"])
def test_foreign_host_is_refused(host):
    async def check(client, served):
        assert (await client.get("/", headers={"Host": host})).status in (400, 403)

    visit(check)


@pytest.mark.parametrize(
    "headers", [{}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://127.0.0.1:1"}]
)
def test_foreign_origin_is_refused(headers):
    async def check(client, served):
        with pytest.raises(WSServerHandshakeError) as refused:
            await client.ws_connect("/ws", headers=headers)
        assert refused.value.status == 403
        assert not served.sessions

    visit(check)


def test_token():
    guard = Guard.of("0.0.0.0")

    async def check(client, served):
        for path in ("/", "/?token=wrong", "/static/app.js", "/ws", "/?token=" + guard.token[:-1]):
            assert (await client.get(path)).status == 403
        answer = await client.get(f"/?token={guard.token}", allow_redirects=False)
        assert (answer.status, answer.headers["Location"]) == (303, "/")
        assert "HttpOnly" in answer.headers["Set-Cookie"]
        assert "SameSite=Strict" in answer.headers["Set-Cookie"]
        cookie = {"Cookie": f"{COOKIE}={guard.token}"}
        async with ClientSession() as other:
            assert (await other.get(client.make_url("/"), headers=cookie)).status == 200
        socket = await client.ws_connect("/ws", headers=origin(client) | cookie)
        await socket.send_json({"do": "hello"})
        await region(socket, "main")

    visit(check, guard)


def test_number_of_tabs_is_bounded(monkeypatch):
    monkeypatch.setattr(limits, "SESSIONS", 2)

    async def check(client, served):
        tabs = [await opened(client) for _ in range(2)]
        third = await client.ws_connect("/ws", headers=origin(client))
        assert "close one" in (await third.receive_json())["say"]
        await tabs[0].close()
        while len(served.sessions) == 2:
            await asyncio.sleep(0.01)
        await opened(client)

    visit(check)


WISHES = [
    "hello",
    "page",
    "cell",
    "move",
    "undo",
    "redo",
    "goto",
    "resign",
    "pause",
    "analyse",
    "analyst",
    "new",
    "form",
    "heat",
    "sort",
    "more",
    "hover",
    "walk",
    "save",
    "open",
    "step",
    "many",
    "reset",
    "lesson",
    "policy",
    "figure",
    "think",
    "table",
    "bout",
    "stop",
]
TEXTS = [
    "a1",
    "b2",
    "play",
    "learn",
    "compare",
    "results",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "uct@5",
    "gtp:sh",
    "x.py:X",
    "sgf",
    "{}",
    "game=mnk&moves=a1",
    "(;SZ[5];B[cc])",
]
VALUES = [*TEXTS, "", "x" * 5000, -1, 10**30, 1.5, None, True, [], {}, [[[]]], "\0", "\ud800"]


def test_garbage_does_no_harm(caplog):
    """Thousands of random wishes, broken texts and bytes: the server still plays, and nothing is written unescaped."""
    dice = random.Random(5)

    def wish() -> dict[str, object]:
        keys = [
            "link",
            "page",
            "cell",
            "move",
            "at",
            "on",
            "value",
            "heat",
            "sort",
            "way",
            "kind",
            "text",
            "count",
            "policy",
            "figure",
            "table",
            "one",
            "other",
            "games",
        ]
        said: dict[str, object] = {key: dice.choice(VALUES) for key in dice.sample(keys, 5)}
        if dice.random() < 0.2:
            said |= {"game": dice.choice(["mnk", *VALUES]), "seat0": "human", "seat1": dice.choice(["human", *VALUES])}
        return said | {"do": dice.choice(WISHES)}

    async def check(client, served):
        socket = await opened(client)
        for number in range(400):
            await socket.send_str(json.dumps(wish()))
            if number % 20 == 0:  # a browser reads, too
                html = await asked(socket, "main-status")
                assert "<script" not in html
        for text in (
            "",
            "{",
            "[]",
            "1",
            '"x"',
            "null",
            "[" * 100_000,
            '{"do":5}',
            '{"do":"close"}',
            "\ud800".encode("utf-8", "replace").decode(),
        ):
            await socket.send_str(text)
        assert "to move" in await asked(socket, "main-status")
        for data in (b"", b"\xff" * 1000):
            other = await opened(client)
            await other.send_bytes(data)
            assert (await other.receive(timeout=200)).type.name in ("CLOSE", "CLOSED", "CLOSING", "TEXT")
        large = await opened(client)
        await large.send_str("x" * (limits.MOST_MESSAGE + 10))
        while (await large.receive(timeout=200)).type.name == "TEXT":
            pass
        assert "to move" in await asked(await opened(client), "main-status")

    visit(check)
    unexpected = [record for record in caplog.records if record.name == "mcrave.web"]
    assert not unexpected, [str(record.exc_info) for record in unexpected[:3]]


def test_hostile_texts_are_escaped():
    evil = "<img src=x onerror=alert(1)>"

    async def check(client, served):
        socket = await opened(client)
        await socket.send_json({"do": "new", "game": evil, "seat0": evil, "seat1": evil, "spec": evil})
        while "say" not in (message := await socket.receive_json(timeout=200)):
            pass
        assert evil[:4] in message["say"], "it is told as text; the page shows it by textContent"
        await socket.send_json({"do": "form", "value": evil})
        await socket.send_json({"do": "walk", "way": evil})
        await socket.send_json({"do": "hello", "link": f"page={evil}&game=mnk&seats=human~human"})
        message = {}
        while "main" not in message.get("put", {}):
            message = await socket.receive_json(timeout=200)
            assert "<img" not in json.dumps(message.get("put", {}))

    visit(check)


def test_a_closed_tab_ends_its_search(long_searches):
    """The search would take an hour; it is told to stop, and the tab's thread ends with it."""
    table = first((SEARCH, SEARCH))

    async def check(client, served):
        socket = await opened(client)
        session = next(iter(served.sessions))
        await region(socket, "main-numbers", "simulations")
        (engine,) = session._engines.values()
        assert session._thread.is_alive()
        assert not engine.aborted
        await socket.close()
        assert await asyncio.to_thread(session.join, 200.0)
        assert engine.aborted
        assert engine.done > 0
        assert not served.sessions

    visit(check, table=table)


def test_ten_tabs_stay_responsive(long_searches):
    """All of them search; each still answers a click, and a wish that changes only the view does not end the search.

    A search takes an hour: a tab that had to wait for another one's would not answer before the test gives up.
    """
    table = first(("human", SEARCH))

    async def check(client, served):
        tabs = [await opened(client, f"page=play&game=mnk&seats=human~{SEARCH}&moves=b2") for _ in range(10)]
        searching = list(served.sessions)
        while sum(engine.done > 0 for session in searching for engine in list(session._engines.values())) < 3:
            await asyncio.sleep(0.05)
        for tab in tabs:
            await tab.send_json({"do": "heat", "heat": "value"})
        shown = (region(tab, "main-heat", 'data-heat="value" aria-pressed="true"') for tab in tabs)
        await asyncio.gather(*shown)
        assert not any(engine.aborted for session in searching for engine in list(session._engines.values()))
        for tab in tabs:
            await tab.send_json({"do": "undo"})
        await asyncio.gather(*(region(tab, "main-status", "to move") for tab in tabs))

    visit(check, table=table)


def test_a_search_can_be_interrupted_at_any_moment():
    """Whatever comes in between, the line of moves stays legal and the tab alive."""
    dice = random.Random(2)
    sent: list[dict[str, object]] = []
    session = Session(lambda message: sent.append(message) is None, Allowed(), first(("human", "uct@40")))
    session.start()
    session.post({"do": "hello", "link": ""})
    for _ in range(60):
        cells = [f"{column}{row}" for column in "abc" for row in "123"]
        session.post(
            dice.choice(
                [
                    {"do": "cell", "cell": dice.choice(cells)},
                    {"do": "undo"},
                    {"do": "goto", "at": dice.randrange(9)},
                    {"do": "analyse"},
                    {"do": "redo"},
                ]
            )
        )
        time.sleep(dice.random() * 0.03)
    until(session.inbox.empty, what="the inbox to be empty")
    assert session._thread.is_alive()
    session.close()
    assert session.join(200.0)
    table = session.table  # nobody plays on it any more
    assert table.game.position(table.moves) == table.line[-1]
    assert any("put" in message for message in sent)


def test_a_closed_tab_ends_its_lesson(monkeypatch):
    """Of a hundred simulations that were asked for at once only those are made that were begun."""
    ended = threading.Event()
    simulations = Lesson.simulations

    def slow(lesson: Lesson, count: int) -> None:
        simulations(lesson, count)
        if lesson.count == 2:
            session.close()
            ended.set()

    monkeypatch.setattr(Lesson, "simulations", slow)
    session = Session(lambda message: True, Allowed(), first())
    session.start()
    session.post({"do": "hello", "link": "page=learn"})
    session.post({"do": "many", "count": 100})
    assert ended.wait(200.0)
    assert session.join(200.0)
    lesson = session.pages["learn"].lesson  # type: ignore[attr-defined]
    assert lesson.count == 2


def test_what_waits_is_bounded():
    """Of a flood of wishes some are dropped, mouse moves first; the end is always heard."""
    session = Session(lambda message: True, Allowed(), first())
    assert not all([session.post({"do": "hover"}) for _ in range(limits.MOST_WAITING)])
    assert session.post({"do": "undo"})
    assert not all([session.post({"do": "undo"}) for _ in range(limits.MOST_WAITING)])
    session.start()
    session.close()
    assert session.join(200.0)


def test_a_browser_that_was_behind_gets_the_last_picture():
    """What it could not take is sent again although nothing more happens."""
    page: dict[str, str] = {}
    refused: list[dict[str, object]] = []

    def receive(message: dict[str, dict[str, str]]) -> bool:
        if "put" in message and len(refused) < 3:
            refused.append(message)
            return False
        page.update(message.get("put", {}))
        return True

    session = Session(receive, Allowed(), first())
    session.start()
    session.post({"do": "hello", "link": ""})
    until(lambda: "to move" in page.get("main-status", ""), what="the picture")
    assert len(refused) == 3
    session.close()
    assert session.join(200.0)
