"""A whole game on the page: a real referee, its cameras looking into folders, a real browser in a player's hands."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import numpy as np
from playwright.sync_api import Page, expect

from referee.games.terra_turrium.colours import Colour, board_of, parse_board
from referee.service.pairing import open_auth
from referee.values.board import Field
from tests.demo.command import Demo
from tests.demo.frames import frames
from tests.demo.table import FolderTable, Table
from tests.web.barriers import unbarred, unbarred_in_both_themes
from tests.web.browser import open_page

TOO_WIDE_PX = "() => { const main = document.getElementById('main'); return main.scrollWidth - main.clientWidth; }"
TOO_SMALL = """() => [...document.querySelectorAll("button, a, input, summary")]
  .filter(node => node.checkVisibility()).map(node => {
    const { width, height } = (node.closest("label") ?? node).getBoundingClientRect();
    return [node.outerHTML.slice(0, 120), width, height];
  }).filter(([, width, height]) => width < 44 || height < 44)"""
"""WCAG 2.2 asks for 24 px; fingers around a table, for 44."""


def sound(page: Page, too_wide_px: str = TOO_WIDE_PX) -> None:
    """Verify that nothing is too wide or too small to touch, and axe finds nothing in either theme."""
    fits(page, too_wide_px)
    unbarred_in_both_themes(page)


def fits(page: Page, too_wide_px: str = TOO_WIDE_PX) -> None:
    """Verify that nothing is wider than the screen, and everything to touch is large enough."""
    assert page.evaluate(too_wide_px) <= 0
    small = page.evaluate(TOO_SMALL)
    assert small == [], small


AnyTable = TypeVar("AnyTable", bound=FolderTable)


class TableOnPage(Generic[AnyTable]):
    """A running table and the page of one player."""

    def __init__(self, table: AnyTable, run: Demo, data: Path, page: Page, url: str = "") -> None:
        self.table, self.run, self.data, self.page = table, run, data, page
        self.url = url or run.url

    @classmethod
    @contextmanager
    def played(
        cls, table: AnyTable, data: Path, size: tuple[int, int], language: str = "en", theme: str = "light"
    ) -> Iterator[Self]:
        """Referee a table, its data in the folder the environment names, and open the page in a browser."""
        with Demo.run(*table.options) as run, open_page(*size, locale=language, theme=theme) as page:
            game = cls(table, run, data, page)
            page.goto(game.url)
            yield game

    def state(self) -> dict[str, Any]:
        """Return what the API says, in English."""
        answer = self.page.request.get(f"{self.url}api/state?lang=en")
        found: dict[str, Any] = answer.json()
        return found

    def all_seen(self, most_s: float = 120.0) -> None:
        """Wait until the referee has taken in every picture put before every camera."""
        by = time.monotonic() + most_s
        while any(count < self.table.count for count in frames(self.url).values()):
            assert time.monotonic() < by, (self.table.count, frames(self.url), self.run.said)
            time.sleep(0.1)

    @contextmanager
    def guest(self) -> Iterator[Page]:
        """Open the page on a device that is not paired."""
        browser = self.page.context.browser
        assert browser is not None
        context = browser.new_context(viewport=self.page.viewport_size)
        try:
            page = context.new_page()
            page.goto(self.url)
            yield page
        finally:
            context.close()

    def shown_by(self, page: Page, most_s: float = 30.0) -> dict[str, Any]:
        """Wait until a page shows the newest state, and return that."""
        by = time.monotonic() + most_s
        while (state := self.state())["version"] != int(page.locator("#play").get_attribute("data-version") or 0):
            assert time.monotonic() < by
            page.wait_for_timeout(50)
        return state

    def phase(self, name: str) -> None:
        """Wait for a phase on the page."""
        expect(self.page.locator("#play")).to_have_attribute("data-phase", name, timeout=90_000)

    def pin(self) -> str:
        """Return the digits 'referee pair' would show."""
        with ExitStack() as parts:
            return open_auth(self.data, parts).desk.new_code().pin

    def pair(self) -> None:
        """Pair the page by typing the digits."""
        self.open("devices")
        self.page.fill("#pin", self.pin())
        self.page.fill("#device-name", "Kitchen tablet")
        self.page.click("[data-key=send-pin]")
        expect(self.page.locator("#play")).to_be_visible()

    def open(self, screen: str) -> None:
        """Go to a screen the way a link does."""
        self.page.evaluate("to => { location.hash = to; }", f"#/{screen}")
        expect(self.page.locator(f'.stage[data-screen="{screen.split("/")[0]}"]')).to_be_visible()

    def press(self, action: str, sure: bool = False) -> None:
        """Touch a button of the bar, or on the sheet behind 'More'; sure: and say yes to what is asked."""
        button = self.page.locator(f'[data-act="{action}"]')
        if not button.count():
            self.page.click("[data-key=more]")
        button.click()
        if sure:
            self.page.click(".sheet .row button:last-child")

    def field(self, name: str, height: int = 0, piece: str | None = None) -> None:
        """Touch a field in the editor, make it so much higher or lower, and put a piece on it ('none': off it)."""
        self.page.locator(f'[data-key="field-{name}"]').click(no_wait_after=True)  # it leads to no other page
        for _ in range(abs(height)):
            self.page.click("[data-key=higher]" if height > 0 else "[data-key=lower]", no_wait_after=True)
        if piece:
            self.page.click(f"[data-key=piece-{piece}]")

    def tell(self, name: str, **arguments: Any) -> None:
        """Send a command through the page's own module."""
        done = self.page.evaluate(
            "async ([name, args]) => (await import('/static/session.js')).command(name, args)", [name, arguments]
        )
        assert done["ok"], done

    def unbarred(self) -> None:
        """Verify that axe finds nothing."""
        unbarred(self.page)

    def fits(self) -> None:
        """Verify that nothing is wider than the screen, and everything to touch is large enough."""
        fits(self.page)


class Game(TableOnPage[Table]):
    """A running table of a recorded game and the page of one player."""

    def show(self, look: int, spoilt: str = "") -> None:
        """Put the pictures of a look before the cameras, whole or spoilt, and wait until every camera has read them.

        Folders are looked into once a second. A hand takes longer from the board to a button; a test does not.
        """
        if spoilt:
            self.table.spoil(look, spoilt)
        else:
            self.table.show(look)
        self.all_seen()


def one_turn_before_a_win(state: dict[str, Any]) -> str:
    """Return board text: red has the goal but for the flag on F7, one step from the single stone on F8."""
    board = parse_board(state["position"]["board"])
    heights = np.ones((10, 10), np.int8)
    flags = board.flags.copy()
    flags[flags == int(Colour.RED)] = 0
    for name, height in {"J10": 6, "J9": 5, "J8": 4, "J7": 3, "G7": 2, "F7": 2}.items():
        at = Field.from_name(name)
        heights[at], flags[at] = height, int(Colour.RED)
    return board_of(heights, flags).text
