"""Opens the page in the middle of a game on a device four times slower: first paint, the board drawn, the weight.

A real referee (``referee run`` on folders of pictures, forty turns already in its journal) and a real Chromium with
an empty cache at every load. First paint and first contentful paint come from Chromium's own tracing; the weight is
counted by a relay between the two, so that nothing is left out: headers, workers, the state.
"""

from __future__ import annotations

import json
import os
import platform
import select
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from benchmarks.measure import Section, table
from benchmarks.midgame import TURNS, played, started
from referee.daemon.gamesfolder import GamesFolder
from tests.demo.command import Demo
from tests.demo.table import Table
from tests.web.browser import WHOLE

LOADS = 9
TRIES = 5
SLOWER = 4
FIRST_PAINT_MS = 1000.0
WEIGHT_KB = 250.0
STATE_MS = 1000.0
SIZE: ViewportSize = {"width": 1024, "height": 768}
BEGUN = "navigationStart"
CATEGORIES = ["loading", "devtools.timeline", "blink.user_timing"]
DRAWN = """() => new Promise(done => {
  const look = () => {
    const play = document.getElementById("play");
    if (!play?.dataset.version || !document.querySelector("#board text")) setTimeout(look, 5);
    else requestAnimationFrame(() => done([performance.now(), Number(play.dataset.turn)]));
  };
  look();
})"""
_CHUNK = 65536


@dataclass(frozen=True, slots=True)
class Load:
    """One load of the page, milliseconds from the navigation's start."""

    painted_ms: float
    contentful_ms: float
    drawn_ms: float
    turn: int


@contextmanager
def _referee() -> Iterator[str]:
    """Run a referee in the middle of a game. Yield its page's address."""
    with tempfile.TemporaryDirectory(prefix="referee-paint-") as name:
        folder = Path(name)
        table = Table(folder)
        book = GamesFolder(folder / "data" / "games", table.folder.name).begin(started())
        for event in played():
            book.journal.append(event.kind, event.to_json())
        book.close()
        os.environ["REFEREE_DATA_FOLDER"] = str(folder / "data")
        try:
            table.show(0)
            cameras = table.options[3:]  # without a game: the one in the journal is carried on
            with Demo.run(str(table.folder), *cameras) as run:
                yield run.url
        finally:
            del os.environ["REFEREE_DATA_FOLDER"]


def _load(browser: Browser, url: str, slower: int) -> Load:
    """Open the page with nothing known of it. Chromium's trace misses the beginning now and then: then once more."""
    for _ in range(TRIES):
        context = browser.new_context(viewport=SIZE)
        try:
            page = context.new_page()
            page.goto("about:blank")
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
            browser.start_tracing(page=page, categories=CATEGORIES)
            page.goto(url, wait_until="commit")
            drawn_ms, turn = page.evaluate(DRAWN)
            page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
            events = json.loads(browser.stop_tracing())["traceEvents"]
        finally:
            context.close()
        painted, contentful = (_painted_ms(events, name, url) for name in ("firstPaint", "firstContentfulPaint"))
        if painted is not None and contentful is not None:
            return Load(painted, contentful, drawn_ms, turn)
    raise RuntimeError(f"Chromium's traces have no first paint of {url}")


def _painted_ms(events: list[dict[str, Any]], name: str, url: str) -> float | None:
    """Return when something was painted first, ms from the start of the navigation to the page."""
    told = [(event["name"], event["ts"], event["args"]["data"]) for event in events if event["name"] in (name, BEGUN)]
    for kind, begun, data in told:
        if kind == BEGUN and data["documentLoaderURL"].startswith(url):
            id_ = data["navigationId"]
            return next(((at - begun) / 1000 for of, at, d in told if of == name and d["navigationId"] == id_), None)
    return None


class _Relay:
    """Passes connections on and counts the bytes that come back."""

    def __init__(self, port: int) -> None:
        self.bytes = 0
        self._to = port
        self._sock = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._sock.getsockname()[1]
        self._mutex = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                ours, _ = self._sock.accept()
            except OSError:
                return
            theirs = socket.create_connection(("127.0.0.1", self._to))
            threading.Thread(target=self._pass_on, args=(ours, theirs), daemon=True).start()

    def _pass_on(self, ours: socket.socket, theirs: socket.socket) -> None:
        with ours, theirs:
            while True:
                for ready in select.select([ours, theirs], [], [])[0]:
                    try:
                        data = ready.recv(_CHUNK)
                        if not data:
                            return
                        (ours if ready is theirs else theirs).sendall(data)
                    except OSError:
                        return
                    if ready is theirs:
                        with self._mutex:
                            self.bytes += len(data)

    def close(self) -> None:
        self._sock.close()


def _weight_kb(browser: Browser, url: str) -> float:
    """Return all bytes from the referee until the page is live and asks for nothing more, kB."""
    relay = _Relay(int(url.rsplit(":", 1)[1].strip("/")))
    context = browser.new_context(viewport=SIZE, locale="de")
    try:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{relay.port}/", wait_until="commit")
        page.evaluate(DRAWN)
        before, still_s = -1, time.monotonic()
        while time.monotonic() - still_s < 2.0:
            page.wait_for_timeout(100)
            if relay.bytes != before and relay.bytes - before > 200:  # a heartbeat of the stream does not count
                before, still_s = relay.bytes, time.monotonic()
        return relay.bytes / 1000
    finally:
        context.close()
        relay.close()


def measure(cases: Path | None) -> Section:
    """Open the page again and again; it needs no cases."""
    del cases
    if WHOLE is None:
        return Section("The page's first sight", ("No Chromium here.",), ("there is a Chromium to measure with",))
    load = os.getloadavg()[0]
    with ExitStack() as parts:
        url = parts.enter_context(_referee())
        playwright = parts.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=WHOLE, args=["--no-sandbox"])
        parts.callback(browser.close)
        version = browser.version
        _load(browser, url, 1)
        slow = [_load(browser, url, SLOWER) for _ in range(LOADS)]
        fast = [_load(browser, url, 1) for _ in range(LOADS)]
        weight_kb = _weight_kb(browser, url)
    rows = [
        (what, *_row([getattr(one, key) for one in slow]), *_row([getattr(one, key) for one in fast]))
        for what, key in (
            ("first paint", "painted_ms"),
            ("first contentful paint", "contentful_ms"),
            ("the board drawn as it stands", "drawn_ms"),
        )
    ]
    return Section(
        "The page's first sight",
        (
            f"The page opened {LOADS} times with an empty cache, after {TURNS} turns of a game; Chromium {version} "
            f"with its own tracing, the referee beside it, on {platform.machine()}, {os.cpu_count()} cores (load "
            f"average {load:.1f} at the start). Milliseconds from the start of the navigation.",
            "",
            *table((" ", f"{SLOWER} times slower: median", "longest", "as it is: median", "longest"), rows),
            "",
            f"Everything that comes over the line until the page is live, in German: {weight_kb:.0f} kB.",
        ),
        tuple(_broken(slow, fast, weight_kb)),
    )


def _row(values: list[float]) -> tuple[str, str]:
    return f"{statistics.median(values):.0f}", f"{max(values):.0f}"


def _broken(slow: list[Load], fast: list[Load], weight_kb: float) -> list[str]:
    broken = []
    if (first := statistics.median(one.painted_ms for one in slow)) > FIRST_PAINT_MS:
        broken.append(f"first paint within {FIRST_PAINT_MS:.0f} ms on a CPU {SLOWER} times slower: {first:.0f} ms")
    if weight_kb > WEIGHT_KB:
        broken.append(f"the page weighs at most {WEIGHT_KB:.0f} kB: {weight_kb:.0f} kB")
    if (longest := max(one.drawn_ms for one in fast)) > STATE_MS:
        broken.append(f"an opened page shows the true state within {STATE_MS:.0f} ms: {longest:.0f} ms")
    if any(one.turn != TURNS + 1 for one in (*slow, *fast)):
        broken.append("the page shows the turn the game stands at")
    return broken
