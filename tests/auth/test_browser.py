"""The page's modules in a real browser: one stream for all tabs, nothing missed, nothing done twice."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from flask import request
from playwright.sync_api import Browser, BrowserContext, Page, Route

from referee.archive.measures import witnesses_file
from referee.service.pairing import pairing_link
from referee.service.server import PageServer, bind
from referee.storage.journal import Journal, write_rows
from referee.storage.signednote import WitnessNote
from referee.storage.witnesses import read_witnessed, witnesses_of
from tests.auth.house import House
from tests.web.browser import needs_browser
from web.streams import StreamSlots

pytestmark = needs_browser

FOLLOW = """
async (language) => {
  const { follow } = await import("/static/live.js");
  window.heard = { states: [], events: [], links: [] };
  window.line = follow({
    language,
    onState: (state) => heard.states.push(state),
    onEvent: (event) => heard.events.push(event.number),
    onConnection: (link) => heard.links.push(link),
  });
}
"""


class Served:
    """A house whose door can be shut and opened again at the same address."""

    def __init__(self, house: House) -> None:
        self.house = house
        house.app.config["HEARTBEAT_S"] = 0.5
        self.parts = ExitStack()
        self.port = 0
        self.open()

    def open(self) -> None:
        sock = bind("127.0.0.1", self.port)
        self.port = sock.getsockname()[1]
        self.parts.callback(sock.close)
        self.server = self.parts.enter_context(PageServer(self.house.app, sock))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def streams(self) -> int:
        return int(self.house.app.config["MAX_STREAMS"]) - self.house.services.streams.free

    def happen(self, count: int = 1) -> None:
        for _ in range(count):
            self.house.journal.append("note", {})
            self.house.board.publish({"last": self.house.journal.last})


class Cable:
    """A line between browser and server that can be cut."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._pairs: list[socket.socket] = []
        self.cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self.cut:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self._target))
            self._pairs += [near, far]
            for here, there in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=[here, there], daemon=True).start()

    def _carry(self, here: socket.socket, there: socket.socket) -> None:
        try:
            while data := here.recv(65536):
                there.sendall(data)
        except OSError:
            pass
        for end in (here, there):
            end.close()

    def cut_off(self) -> None:
        self.cut = True
        for end in self._pairs:
            with closing(end):
                end.shutdown(socket.SHUT_RDWR) if end.fileno() >= 0 else None
        self._pairs.clear()

    def close(self) -> None:
        self.cut_off()
        self._listener.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    served = Served(house)
    with served.parts:
        yield served
        house.board.close()


def opened(context: BrowserContext, url: str, language: str = "en") -> Page:
    """Open a bare page of this origin that follows the table; what it hears lies in ``heard``."""
    page = context.new_page()
    page.goto(f"{url}static/icon.svg")
    # A document of the page's own origin without the page: it brings the same rules for scripts.
    page.goto(f"{url}api/session")
    page.evaluate(FOLLOW, language)
    until(page, "heard.states.length > 0")
    return page


def until(page: Page, expression: str, seconds: float = 20.0) -> None:
    """Wait for a condition; the page's own rules forbid playwright's way of doing that (eval)."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never: {expression}; {page.evaluate('heard.links.slice(-3)')}"
        page.wait_for_timeout(50)


def numbers(page: Page) -> Any:
    return page.evaluate("heard.events")


def test_tabs_share_one_stream_and_each_hears_everything_once(served: Served, context: BrowserContext) -> None:
    served.happen(2)
    tabs = [opened(context, served.url) for _ in range(3)]
    assert served.streams == 1
    served.happen(3)
    for tab in tabs:
        until(tab, "heard.states.at(-1).last === 5")
        assert numbers(tab) == [3, 4, 5]
        assert tab.evaluate("heard.links.at(-1).state") == "live"
    tabs[0].close()
    served.happen()
    until(tabs[1], "heard.states.at(-1).last === 6")
    assert numbers(tabs[1]) == [3, 4, 5, 6]
    german = opened(context, served.url, "de")
    assert served.streams == 2, "another language is another stream"
    german.close()


def test_a_page_that_was_cut_off_says_so_and_catches_up(served: Served, context: BrowserContext) -> None:
    cable = Cable(served.port)
    served.happen(1)
    page = opened(context, f"http://127.0.0.1:{cable.port}/")
    served.happen(2)
    until(page, "heard.states.at(-1).last === 3")
    cable.cut_off()
    until(page, "heard.links.at(-1).state === 'lost'")
    until(page, "heard.links.at(-1).seconds >= 2")
    served.happen(250)
    cable.cut = False
    until(page, "heard.states.at(-1).last === 253")
    until(page, "heard.links.at(-1).state === 'live'")
    assert numbers(page) == list(range(2, 254))
    cable.close()


def test_a_page_without_a_stream_polls_and_misses_nothing(served: Served, context: BrowserContext) -> None:
    served.happen(3)
    served.house.swap(streams=StreamSlots(0))
    page = opened(context, served.url)
    until(page, "heard.links.at(-1).state === 'polling'")
    served.happen(230)
    until(page, "heard.states.at(-1).last === 233")
    assert numbers(page) == list(range(4, 234))


def test_a_browser_without_shared_workers_follows_too(served: Served, context: BrowserContext) -> None:
    context.add_init_script("delete globalThis.SharedWorker")
    page = opened(context, served.url)
    served.happen(2)
    until(page, "heard.states.at(-1).last === 2")
    assert numbers(page) == [1, 2]
    page.evaluate("line.close()")


def test_a_restarted_referee_is_found_again(served: Served, context: BrowserContext) -> None:
    served.happen(2)
    page = opened(context, served.url)
    served.house.board.close()
    served.server.__exit__(None, None, None)
    until(page, "heard.links.at(-1).state === 'lost'")
    from referee.daemon import ViewPublisher

    served.house.board = ViewPublisher()
    served.house.board.publish({"last": 2})
    served.house.app = served.house.new_app()
    served.open()
    served.happen(1)
    until(page, "heard.states.at(-1).last === 3")
    assert numbers(page) == [3]


def test_a_scanned_code_pairs_and_leaves_no_trace_in_the_address(served: Served, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{served.url}api/session")
    link = pairing_link(served.url, served.house.auth.desk.new_code()).replace("/#", "/api/session#")
    page.goto("about:blank")
    page.goto(link)
    answer = page.evaluate(
        """async () => {
          const session = await import("/static/session.js");
          const secret = session.scannedSecret();
          return { ...await session.pairByLink(secret, "Tablet"), again: session.scannedSecret() };
        }"""
    )
    assert answer["paired"]
    assert answer["again"] is None
    assert "#" not in page.url
    assert page.evaluate("document.cookie") == "", "scripts can't see the session"


def test_a_command_sent_twice_by_a_bad_line_is_done_once(served: Served, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{served.url}api/session")
    code = served.house.auth.desk.new_code()
    lost = []

    def lose_the_first_answer(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort("connectionreset")

    page.route("**/api/commands/*", lose_the_first_answer)
    answer = page.evaluate(
        """async (pin) => {
          const { pairByPin, command } = await import("/static/session.js");
          await pairByPin(pin, "Tablet");
          return await command("note", { field: "D4" }, 0);
        }""",
        code.pin,
    )
    assert lost == [200]
    assert (answer["ok"], answer["result"]) == (True, {"event": 1})
    assert served.house.journal.last == 1


def test_another_sites_page_can_neither_read_nor_act(house: House, served: Served, browser: Any) -> None:
    """A page at another port of the same machine: to browsers the same site, so cookies travel."""
    seen: list[list[object]] = []
    house.app.before_request(lambda: seen.append([request.method, request.path, house.auth.name in request.cookies]))
    tablet = house.pair()
    context = browser.new_context()
    context.add_cookies([{"name": house.auth.name, "value": tablet.cookie, "url": served.url, "sameSite": "Strict"}])
    with bind("127.0.0.1", 0) as sock, PageServer(_evil(), sock):
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{sock.getsockname()[1]}/")
        before = house.treasure()
        told = page.evaluate(
            """async (url) => {
              const attempts = [
                fetch(url + "api/session", { credentials: "include" }),
                fetch(url + "api/state", { credentials: "include" }),
                fetch(url + "api/codes", { method: "POST", credentials: "include", body: "{}" }),
                fetch(url + "api/commands/note", {
                  method: "POST", credentials: "include", mode: "no-cors", body: "{}",
                }).then((answer) => answer.text()),
                new Promise((good, bad) => Object.assign(new Image(), { onload: good, onerror: bad,
                  src: url + "static/icon.svg" })),
              ];
              return (await Promise.allSettled(attempts)).map((one) => one.status + (one.value || ""));
            }""",
            served.url,
        )
        assert told == ["rejected"] * 5
        assert ["POST", "/api/commands/note", True] in seen, "it was sent, with the cookie, and refused"
        assert house.treasure() == before
        context.close()


def _evil() -> Any:
    from flask import Blueprint, Flask

    from web.contract import Access, endpoint

    app, pages = Flask("evil"), Blueprint("evil", __name__)

    @endpoint(pages, "GET", "/", Access.PUBLIC, "evil")
    def page() -> str:
        return "<!doctype html><title>evil</title>"

    app.register_blueprint(pages)
    return app


WITNESS = """async () => {
  const { learnSession } = await import("/static/store.js");
  await learnSession();
  const { keptNotes, witness } = await import("/addons/witnesses/witness.js");
  await witness();
  return (await keptNotes()).map(({ events, broken }) => [events, Boolean(broken)]);
}"""


def lies_about_the_game(route: Route) -> None:
    """Answer with the head the table signed, and another game's name around it."""
    answer = route.fetch()
    route.fulfill(response=answer, json={**answer.json(), "game": "0" * 16})


def test_a_paired_page_signs_a_journal_that_grew_and_none_that_was_rewritten(
    served: Served, context: BrowserContext
) -> None:
    house = served.house
    _, token = house.auth.devices.pair("Anna’s phone")
    page = context.new_page()
    page.goto(f"{served.url}api/session")
    served.happen(3)
    assert page.evaluate(WITNESS) == []
    assert not witnesses_file(house.journal.path).exists(), "who is not paired signs nothing"
    context.add_cookies([{"name": house.auth.name, "value": token, "url": served.url}])
    for events in (3, 8, 8):
        served.happen(events - house.journal.last)
        assert page.evaluate(WITNESS) == [[events, False]]
    entries = list(house.journal.entries())
    kept = read_witnessed(witnesses_file(house.journal.path))
    assert [(one.device, WitnessNote.parse(one.note).head.events) for one in kept] == [
        ("Anna’s phone", 3),
        ("Anna’s phone", 8),
    ]
    (found,) = witnesses_of(kept, entries)
    assert found.events == 8
    write_rows(house.folder / "anew.journal", [(1, entries[0].body, entries[0].hash)])
    with Journal(house.folder / "anew.journal") as anew:
        house.journal = anew
        served.happen(9)
        page.route("**/api/witness?*", lies_about_the_game)
        assert page.evaluate(WITNESS) == [[8, False]]
        assert not witnesses_file(anew.path).exists(), "a name that nobody signed made it forget what it signed"
        page.unroute("**/api/witness?*")
        assert page.evaluate(WITNESS) == [[8, True]]
        assert not witnesses_file(anew.path).exists()
