"""The page in a real browser: games by clicks, undo, analysis, lessons, files, two tabs, a server that restarts."""

from __future__ import annotations

import itertools
import json
import re
import signal
import urllib.parse

import pytest

import mcrave
import mcrave.web.boards
from tests.web.serving import CHROMIUM, Server, needs_browser, serving, until

GAME = "--game", "go(size=5)", "--players", "human,uct@60"
WAIT = 300_000  # milliseconds: a search may have to be compiled first, on a busy machine


@pytest.fixture(scope="module")
def browser():
    needs_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def server():
    needs_browser()
    with serving(*GAME) as started:
        yield started


@pytest.fixture
def tab(browser, server):
    """A tab; nothing may go wrong in it, and it may ask for nothing outside."""
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: faults.append(request.url) if _is_outside(request.url, server) else None)
    page.on("websocket", lambda socket: faults.append(socket.url) if _is_outside(socket.url, server) else None)
    yield page
    context.close()
    assert not [fault for fault in faults if "WebSocket connection" not in fault], faults


def _is_outside(address: str, server: Server) -> bool:
    parts = urllib.parse.urlsplit(address)
    return parts.scheme not in ("data", "blob", "about") and parts.netloc != f"127.0.0.1:{server.port}"


def visit(page, server: Server, link: str = "") -> None:
    """Open a game in a fresh tab."""
    page.goto("about:blank")
    page.goto(f"{server.origin}/#{link}")
    page.wait_for_selector("body[data-live=yes]")


def moves(page) -> list[str]:
    """The moves so far, as the address has them."""
    link = urllib.parse.parse_qs(page.evaluate("location.hash.slice(1)"))
    return link.get("moves", [""])[0].split(".") if "moves" in link else []


def look_at(page) -> int:
    """After how many moves the position is that one looks at."""
    link = urllib.parse.parse_qs(page.evaluate("location.hash.slice(1)"))
    return int(link["at"][0]) if "at" in link else len(link.get("moves", [""])[0].split("."))


def thought(page) -> int:
    """The simulations so far, as the page tells them."""
    told = page.evaluate("document.querySelector('#main-numbers b')?.textContent ?? ''")
    return int(told.replace(",", "") or 0)


def click_cell(page, name: str) -> None:
    page.click(f'.target[data-cell="{name}"]')


def play_out(page, game: str, choose) -> list[str]:
    """Play a game against the engine to its end; `choose` picks among the legal moves."""
    rules = mcrave.game(game)
    while True:
        made = moves(page)  # once: the engine may move meanwhile
        position, count = rules.position(made), len(made)
        if position.is_over:
            break
        if position.to_move == 0:
            move = choose(position)
            if move.lower() == "pass":
                page.click('[data-do=move]:has-text("Pass")')
            else:
                click_cell(page, move)
        until(lambda count=count: len(moves(page)) > count, what="a move")
        assert count < 120
    page.wait_for_selector(".result")
    return moves(page)


def test_a_game_of_go(tab, server):
    """5×5 against the engine, to the end; then undo, redo, and the way back to the first move."""
    visit(tab, server)

    def choose(position) -> str:
        """Fill no eye: in the middle first, else pass."""
        wanted = ["C3", "B3", "D3", "C2", "C4", "B2", "D4"]
        if len(position.history()) > 16:
            return "pass"
        return next((move for move in wanted if move in position.legal_moves()), "pass")

    played = play_out(tab, "go(size=5)", choose)
    game = mcrave.game("go(size=5)")
    end = game.position(played)
    score = game.score(end.state[0])
    winner = "Black" if score > 0 else "White"
    assert tab.inner_text(".result") == f"{winner} wins by {abs(score):g} points"
    marked = tab.locator("#main-board-marks rect").count()
    assert marked == len(mcrave.web.boards.territory(end))
    tab.click("[data-do=undo]")
    until(lambda: "at=" in tab.evaluate("location.hash"), what="the move to be taken back")
    tab.wait_for_selector(".result", state="detached")
    tab.click("[data-do=first]")
    until(lambda: tab.locator("#main-board-stones circle").count() == 0, what="an empty board")
    tab.click("[data-do=last]")
    until(
        lambda: tab.locator("#main-board-stones circle").count() == len(mcrave.web.boards.pieces(end)), what="the end"
    )
    tab.locator("#main-graph .hit").nth(2).click()
    until(lambda: "at=2" in tab.evaluate("location.hash"), what="the graph to lead to move 2")


def test_a_game_of_hex(tab, server):
    visit(tab, server, "page=play&game=hex(size=4)&seats=human~uct@50")
    played = play_out(tab, "hex(size=4)", lambda position: position.legal_moves()[len(position.legal_moves()) // 2])
    end = mcrave.game("hex(size=4)").position(played)
    winner = "Black" if end.outcome(0) == 1.0 else "White"
    assert tab.inner_text(".result") == f"{winner} wins"
    ends = [len(played)]
    for _ in range(2):
        tab.click("[data-do=undo]")
        until(lambda: look_at(tab) < ends[-1], what="a move to be taken back")
        ends.append(look_at(tab))
    tab.wait_for_selector(".result", state="detached")
    for end in (ends[1], ends[0]):
        tab.click("[data-do=redo]")
        until(lambda end=end: look_at(tab) == end, what="the move to be made again")
    tab.wait_for_selector(".result")
    assert moves(tab) == played


def test_pieces_move_from_cell_to_cell(tab, server):
    """Breakthrough between two people; the second click on another piece picks that one."""
    visit(tab, server, "page=play&game=breakthrough(size=5)&seats=human~human")
    click_cell(tab, "a2")
    tab.wait_for_selector('.target[data-cell="a3"]', state="attached")
    click_cell(tab, "a3")
    until(lambda: moves(tab) == ["a2-a3"], what="the first move")
    click_cell(tab, "b4")
    tab.wait_for_selector('.target[data-cell="a3"]', state="attached")
    click_cell(tab, "a3")
    until(lambda: moves(tab) == ["a2-a3", "b4xa3"], what="the capture")
    tab.wait_for_selector('#main-status:has-text("9 on the board")')


def test_analysis(tab, server):
    """Every colouring, the table's order, the variation on hover, the tree one can walk into; and it can be ended."""
    visit(tab, server, "page=play&game=go(size=5)&seats=human~human&moves=C3")
    tab.fill("[data-change=analyst]", "uct@40s")
    tab.press("[data-change=analyst]", "Enter")
    tab.click("[data-do=analyse]")
    until(lambda: thought(tab) > 1000, what="a thousand simulations")
    tab.wait_for_selector("#main-board-heat circle", state="attached")
    for kind in ("value", "off", "ownership", "visits"):
        tab.click(f"[data-heat={kind}]")
        tab.wait_for_selector(f'[data-heat={kind}][aria-pressed="true"]')
        heat = tab.locator("#main-board-heat > *")
        until(lambda kind=kind, heat=heat: (heat.count() > 0) == (kind in ("value", "visits")), what=f"heat of {kind}")
    tab.hover("#main-table tbody tr:first-child")
    tab.wait_for_selector("#main-board-line circle", state="attached")
    assert tab.locator("#main-board-line text").last.text_content() == "1"
    tab.click("[data-sort=move]")
    tab.wait_for_selector('th[aria-sort="descending"]:has-text("Move")')
    tab.click("[data-do=analyse]")
    tab.wait_for_selector('[data-do=analyse][aria-pressed="false"]')
    names = tab.locator("#main-table tbody tr td:first-child").all_inner_texts()
    assert names == sorted(names)
    box = tab.locator("#main-tree .box").first
    way = box.get_attribute("data-way")
    box.click()
    tab.wait_for_selector(f'.crumbs [data-way="{way}"]')
    visits = [
        int(text.replace(",", "")) for text in tab.locator("#main-table tbody tr td:nth-child(2)").all_inner_texts()
    ]
    assert 0 < sum(visits) <= thought(tab)


def test_lesson(tab, server):
    """The four steps in their order; after ten simulations the root has ten; Figure 4 ends with the paper's numbers."""
    visit(tab, server, "page=learn")
    tab.click("[data-policy=mc_rave]")
    tab.click('[data-do=many][data-count="10"]')
    tab.wait_for_selector("text=10 simulations so far")
    for phase in ("1 Select", "2 Expand", "3 Playout", "4 Backup"):
        tab.click("[data-do=step]")
        tab.wait_for_selector(f'.phases .on:has-text("{phase}")')
        if phase == "1 Select":
            assert "β = " in tab.inner_text("#main-numbers")
    assert tab.locator("#main-tree .nodename").first.text_content().endswith("/11")
    assert "→" in tab.inner_text("#main-numbers")
    tab.click('[data-figure="1"]')
    for _ in range(4):
        tab.click("[data-do=step]")
    tab.wait_for_selector("#main-figure .figures:not(:has(.later))")
    assert tab.locator("#main-figure svg").count() == 5
    assert "root 3/5, L 0/1, R 2/3, RL 0/1, RR 1/1" in tab.locator("#main-figure svg").last.get_attribute("aria-label")
    tab.click('[data-figure="4"]')
    for _ in range(5):
        tab.click("[data-do=step]")
    tab.wait_for_selector('#main-figure tr:has-text("3/5")')
    rows = [re.split(r"\s+", row)[-3:] for row in tab.locator("#main-figure tbody tr").all_inner_texts()]
    assert rows == [["0/2", "2/3", "b"], ["3/5", "2/5", "a"]]


def test_compare(tab, server):
    visit(tab, server, "page=compare&game=mnk(size=3,length=3)&moves=b2")
    for side, player in (("first", "uct@300"), ("second", "uct(c=2)@300")):
        tab.fill(f"[data-change={side}]", player)
        tab.press(f"[data-change={side}]", "Enter")
    tab.click("[data-do=think]")
    tab.wait_for_selector("#main-differences table")
    until(lambda: tab.inner_text("[data-do=think]") == "Think", what="both to end")
    for side in ("left", "right"):
        assert tab.inner_text(f"#main-{side}-numbers b >> nth=0") == "300"
        assert tab.locator(f"#main-{side}-board-heat rect").count() > 0  # how many is chance: the seeds differ


def test_files(tab, server, tmp_path):
    """A game of Go is saved as SGF, JSON and SVG, and opened again."""
    visit(tab, server, "page=play&game=go(size=5)&seats=human~human&moves=C3.B2.pass.D4")
    tab.click("summary:has-text('Files')")
    for kind in ("sgf", "json", "svg"):
        with tab.expect_download() as download:
            tab.click(f"[data-kind={kind}]")
        assert download.value.suggested_filename == f"go.{kind}"
        download.value.save_as(tmp_path / f"go.{kind}")
    assert ";B[cc];W[bd];B[tt];W[db]" in (tmp_path / "go.sgf").read_text()
    assert json.loads((tmp_path / "go.json").read_text())["moves"] == ["C3", "B2", "pass", "D4"]
    assert (tmp_path / "go.svg").read_text().startswith("<svg")
    for kind in ("sgf", "json"):
        visit(tab, server, "page=play&game=mnk&seats=human~human")
        tab.click("summary:has-text('Files')")
        tab.set_input_files("[data-upload=open]", tmp_path / f"go.{kind}")
        until(lambda: moves(tab) == ["C3", "B2", "pass", "D4"], what=f"the {kind} file")
        tab.wait_for_selector('#main-status h2:has-text("go(size=5")')
    (tmp_path / "evil.sgf").write_text("(;SZ[5]PB[<img src=x>];B[<b>])")
    tab.set_input_files("[data-upload=open]", tmp_path / "evil.sgf")
    tab.wait_for_selector("#said.on")
    assert tab.locator("#said *").count() == 0


def test_new_game_by_the_form(tab, server):
    """Another game, another player, another budget."""
    visit(tab, server)
    tab.click("summary:has-text('New game')")
    tab.select_option("[name=game]", "mnk")
    tab.wait_for_selector("[name=size][value='3']", state="attached")
    tab.select_option("[name=seat1]", "uct@60")
    assert not tab.is_visible("[name=budget]")
    tab.select_option("[name=unit]", "seconds")
    tab.fill("[name=budget]", "0.25")
    tab.click("[data-do=new]")
    until(lambda: "game=mnk(size=3)&seats=human~uct@0.25s" in tab.evaluate("location.hash"), what="the new game")
    tab.wait_for_selector('.target[data-cell="b2"]', state="attached")


REMEMBER = """() => {
  window.reached = new Set();
  document.addEventListener("focusin", (event) => window.reached.add(event.target));
}"""
MISSED = """() => [...document.querySelectorAll("button, summary, input, select, a[href], [tabindex='0']")]
  .filter((each) => each.checkVisibility() && !each.disabled && !window.reached.has(each))
  .map((each) => each.outerHTML.slice(0, 80))"""
UNSEEN = """() => {
  const active = document.activeElement, shown = active.closest(".button") || active, look = getComputedStyle(shown);
  return active === document.body || (look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 1)
    ? "" : active.outerHTML.slice(0, 80);
}"""


def tab_to(page, selector: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def test_a_game_by_the_keyboard_alone(tab, server):
    """Tab reaches every control and shows where one is; arrows and Enter play to the end; Escape closes."""
    visit(tab, server, "page=play&game=mnk(size=3,length=3)&seats=human~random")
    tab.evaluate(REMEMBER)
    for _ in range(60):
        tab.keyboard.press("Tab")
        assert tab.evaluate(UNSEEN) == ""
    assert tab.evaluate(MISSED) == []
    tab_to(tab, "summary:has(+ #main-form)")
    tab.keyboard.press("Enter")
    tab_to(tab, "select[name=seat0]")
    tab.keyboard.press("Escape")
    tab.wait_for_selector("details:not([open]) > summary:focus:has(+ #main-form)")

    tab_to(tab, "#main-board")
    game, arrows = mcrave.game("mnk(size=3,length=3)"), itertools.cycle(["ArrowUp", "ArrowLeft", "ArrowDown"])

    def is_played() -> bool:
        if not game.position(moves(tab)).is_over:  # what comes too early does nothing
            tab.keyboard.press(next(arrows))
            tab.keyboard.press("Enter")
        return game.position(moves(tab)).is_over

    until(is_played, what="the end of the game")
    tab.wait_for_selector(".result")
    assert tab.locator("#main-board-stones circle").count() == len(moves(tab))
    made = len(moves(tab))
    tab_to(tab, "[data-do=undo]")
    tab.keyboard.press("Enter")
    until(lambda: look_at(tab) < made, what="a move to be taken back")
    tab.wait_for_selector("[data-do=undo]:focus")
    tab.keyboard.press("End")
    until(lambda: look_at(tab) == made, what="the way to the end")

    visit(tab, server, "page=play&game=breakthrough(size=5)&seats=human~human")
    tab_to(tab, "#main-board")
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".picked", state="attached")
    tab.keyboard.press("Escape")
    tab.wait_for_selector(".picked", state="detached")
    assert moves(tab) == []


def test_two_tabs_and_a_restart(browser, server):
    """Two tabs play games of their own; when the server comes back, both go on where they were."""
    context = browser.new_context()
    first, second = (context.new_page() for _ in range(2))
    for page, cell in ((first, "a1"), (second, "c3")):
        page.set_default_timeout(WAIT)
        visit(page, server, "page=play&game=mnk&seats=human~human")
        click_cell(page, cell)
        until(lambda page=page, cell=cell: moves(page) == [cell], what="the stone")
    assert (moves(first), moves(second)) == (["a1"], ["c3"])
    server.end(signal.SIGKILL)
    for page in (first, second):
        page.wait_for_selector("#lost:not([hidden])")
    server.__init__(*GAME, port=server.port)  # type: ignore[misc]
    for page, cell in ((first, "a1"), (second, "c3")):
        page.wait_for_selector("#lost[hidden]", state="attached")
        click_cell(page, "b2")
        until(lambda page=page, cell=cell: moves(page) == [cell, "b2"], what="the game to go on")
    context.close()


def test_narrow_and_dark(browser, server):
    """On a phone nothing is wider than the screen; the theme follows the system, and can be chosen."""
    context = browser.new_context(viewport={"width": 360, "height": 800}, color_scheme="dark")
    page = context.new_page()
    page.set_default_timeout(WAIT)
    for name in ("play", "learn", "compare", "results"):
        visit(page, server, f"page={name}&game=mnk&seats=human~human")
        page.wait_for_selector("#main .card")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    context.close()
