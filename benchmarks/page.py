"""How long the page takes: to start, to answer a click, and to end the search of a closed tab.

    python benchmarks/page.py [--repeats 5] [--clicks 5] [--player grave@0.2s]

Starts are from the command `mcrave play --no-browser` to the page's answer, with compiled code on disk; the first is
thrown away. A click is one in Chromium, to the engine's stone in the page, less the seconds that the player may think;
the first click at a server, which loads the search, is thrown away. A closed tab is timed from the end of its
websocket to the end of the thread that searched. Starts and clicks take turns; medians and the worst are told.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request
from typing import Any

from aiohttp.test_utils import TestClient, TestServer
from playwright.sync_api import Page, sync_playwright

import mcrave
from mcrave.web.limits import Allowed
from mcrave.web.security import Guard
from mcrave.web.server import Server
from mcrave.web.session import Session
from mcrave.web.table import Table

GAME = "go(size=9)"
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
# Resolves with milliseconds when two stones stand on the board.
CLICK = """(cell) => new Promise((resolve) => {
  const began = performance.now();
  const look = () => {
    if (document.querySelectorAll("#main-board-stones circle").length < 2) return;
    watch.disconnect();
    resolve(performance.now() - began);
  };
  const watch = new MutationObserver(look);
  watch.observe(document.getElementById("main"), { childList: true, subtree: true });
  document.querySelector(`.target[data-cell="${cell}"]`).dispatchEvent(new MouseEvent("click", { bubbles: true }));
})"""


def started() -> tuple[subprocess.Popen[str], str, float]:
    """A server, its address, and the seconds until the page came."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "mcrave", "play", "--no-browser", "--port", "0", "--game", GAME]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None, "the server did not start"
    with urllib.request.urlopen(found[0]) as answer:
        answer.read()
    return process, found[0], time.perf_counter() - began


def clicked(page: Page, address: str, player: str, thinking: float) -> float:
    """Seconds from a click to the engine's stone, less its thinking."""
    page.goto("about:blank")
    page.goto(f"{address}#page=play&game={GAME}&seats=human~{player}")
    page.wait_for_selector('.target[data-cell="E5"]', state="attached")
    return float(page.evaluate(CLICK, "E5")) / 1000 - thinking


def closed(repeats: int) -> list[float]:
    """Seconds from the end of a tab to the end of its search, which would take a minute."""
    table = Table.new(GAME, mcrave.game(GAME), ["uct@60s", "uct@60s"])

    async def one(client: TestClient[Any, Any], server: Server) -> float:
        socket = await client.ws_connect("/ws", headers={"Origin": f"http://{client.host}:{client.port}"})
        await socket.send_json({"do": "hello", "link": ""})
        while "simulations" not in (await socket.receive_json()).get("put", {}).get("main-numbers", ""):
            pass
        session: Session = next(iter(server.sessions))
        began = time.perf_counter()
        await socket.close()
        assert await asyncio.to_thread(session.join, 60.0)
        return time.perf_counter() - began

    async def all_of_them() -> list[float]:
        server = Server(table, Allowed(), Guard("127.0.0.1"))
        async with TestClient(TestServer(server.app())) as client:
            return [await one(client, server) for _ in range(repeats)]

    return asyncio.run(all_of_them())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--clicks", type=int, default=5, help="of each server")
    parser.add_argument("--player", default="grave@0.2s", help="who answers; its budget must be in seconds")
    given = parser.parse_args()
    thinking = float(given.player.rpartition("@")[2].removesuffix("s"))
    starts, clicks = list[float](), list[float]()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(300_000)
        for repeat in range(given.repeats + 1):
            process, address, seconds = started()
            try:
                answers = [clicked(page, address, given.player, thinking) for _ in range(given.clicks + 1)]
            finally:
                process.terminate()
                process.wait(60)
            if repeat:
                starts.append(seconds)
                clicks += answers[1:]
        browser.close()
    print("| what | median s | worst s | times | wanted below |\n| --- | ---: | ---: | ---: | ---: |")
    rows = {
        "start to the page's answer": (starts, 3.0),
        f"click to the stone, without {given.player}'s thinking": (clicks, 0.15),
        "closed tab to the end of its search": (closed(given.repeats), 1.0),
    }
    for name, (times, wanted) in rows.items():
        print(f"| {name} | {statistics.median(times):.3f} | {max(times):.3f} | {len(times)} | {wanted:g} |")


if __name__ == "__main__":
    main()
