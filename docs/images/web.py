"""Makes the pictures of the page, `web-*.png`: `.venv/bin/python docs/images/web.py`.

It starts `mcrave play`, looks at the main views with Chromium, and ends. With a folder, every view is put there at 1280
and at 390 pixels, light and dark; without one, those that the documentation shows are put beside this file.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
GAME = "game=go(size=9)&seats=human~human&moves=E5.C4.G6.E3.C6.D6.C5.D5.D4.E4"
HEX = "game=hex(size=7)&seats=human~human&moves=d4.c3.d3.e4"
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
WAIT = 240_000  # milliseconds
VIEWS: dict[str, tuple[str, list[str], str]] = {
    "play": (f"page=play&{GAME}", ["analyst:grave@10000", "[data-do=analyse]"], "text=done"),
    "hex": (f"page=play&{HEX}", ["analyst:grave@10000", "[data-do=analyse]", "[data-heat=value]"], "text=done"),
    "learn": ("page=learn", ["[data-policy=mc_rave]", "[data-count='10']", "[data-do=step]"], ".phases .on"),
    "figure": ("page=learn", ["[data-figure='1']", *["[data-do=step]"] * 4], "#main-figure .figures:not(:has(.later))"),
    "compare": (
        f"page=compare&{GAME}",
        ["first:mc_rave@8000", "second:grave@8000", "[data-do=think]"],
        "#main-differences table",
    ),
    "results": ("page=results", ["[data-table=grave-table-9]"], "#main-table svg"),
}
LOOKS = {
    "": (1280, 800, "light"),
    "-dark": (1280, 800, "dark"),
    "-phone": (390, 800, "light"),
    "-phone-dark": (390, 800, "dark"),
}


SHOWN = {f"web-{name}" for name in ("play", "play-dark", "play-phone", "hex", "learn", "figure", "compare", "results")}


def main(folder: Path, names: set[str] | None) -> None:
    """All views in all looks, or those of these names."""
    command = [sys.executable, "-m", "mcrave", "play", "--no-browser", "--port", "0"]
    server = subprocess.Popen(
        [*command, "--results", str(HERE.parent / "papers/results.db.xz")], stdout=subprocess.PIPE, text=True
    )
    try:
        address = re.search(r"http://\S+", server.stdout.readline())[0]  # type: ignore[index, union-attr]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for look, (width, height, scheme) in LOOKS.items():
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
                page = context.new_page()
                page.set_default_timeout(WAIT)
                for name, view in VIEWS.items():
                    if names is None or f"web-{name}{look}" in names:
                        show(page, address, *view)
                        page.screenshot(path=folder / f"web-{name}{look}.png")
                        print(f"web-{name}{look}.png", flush=True)
                context.close()
            browser.close()
    finally:
        server.terminate()
        server.wait(60)


def show(page: Page, address: str, link: str, clicks: list[str], awaited: Any) -> None:
    """Bring a view to the state that is shown."""
    page.goto("about:blank")
    page.goto(f"{address}#{link}")
    page.wait_for_selector("body[data-live=yes]")
    for click in clicks:
        field, colon, text = click.partition(":")
        if colon:
            page.fill(f"[data-change={field}]", text)
            page.press(f"[data-change={field}]", "Enter")
        else:
            page.click(click)
    page.wait_for_selector(awaited)
    if "think" in clicks[-1]:
        page.wait_for_selector("[data-do=think]:has-text('Think')")
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    time.sleep(0.5)


if __name__ == "__main__":
    main(*((Path(sys.argv[1]), None) if len(sys.argv) > 1 else (HERE, SHOWN)))
