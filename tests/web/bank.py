"""A game of which everything is declared, refereed in a thread, with tablets and phones that may act."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Response, expect

from referee.daemon import GameJournal, TableSight, TurnLoop, open_game
from referee.daemon.hosting import Hosting
from referee.daemon.nocameras import NoCameras
from referee.games import package_named
from referee.match.state import TableState
from referee.service.settings import Page as PageSettings
from referee.storage.journal import Journal
from tests.daemon.running import run_in_thread
from tests.web.line import Line

SIZES = {"tablet": (1024, 768), "phone": (390, 844), "upright": (768, 1024), "desktop": (1440, 900)}


HEARD = """async (event) => {
  const { known } = await import("/static/store.js");
  const busy = known.sending || ["reading", "ruling"].includes(known.state.phase.id);
  return known.state.event >= event && !busy;
}"""


class Bank:
    """One table. choice: of the new game; change: keys of the position it begins from, put right by hand."""

    def __init__(
        self, folder: Path, parts: ExitStack, choice: Mapping[str, Any], change: Mapping[str, Any] | None = None
    ) -> None:
        game = package_named("terrabilis").game
        start = game.new_game(choice)
        if change:
            start = game.corrected(start, change)
        self.journal = parts.enter_context(Journal(folder / "game.journal"))
        self.hosting = Hosting(
            PageSettings(port=0), folder, lambda: self.loop.journal, lambda: self.loop.state, parts
        )
        sight, desk = NoCameras(), self.hosting.commands
        desk.on_put(sight.wake)
        session = GameJournal(self.journal, open_game(self.journal, game, start, ""), None, self._another)
        self.folder, self.parts, self.forward_s = folder, parts, 0.0
        self.line = Line(self.hosting.publisher)
        self.loop = TurnLoop(
            game, TableSight(sight), session, desk, self.line.publish,
            clock=lambda: time.monotonic() + self.forward_s,
        )  # fmt: skip
        self.hosting.serve(self.hosting.metrics(), game=game)
        run_in_thread(self.loop, sight.wake, parts)

    def _another(self) -> tuple[Journal, None]:
        """Return the journal of the next game."""
        return self.parts.enter_context(Journal(self.folder / "next.journal")), None

    @property
    def state(self) -> TableState:
        """Return the game as it stands."""
        return self.loop.state

    @property
    def position(self) -> Any:
        """Return the position as it stands."""
        return self.loop.state.position

    def let_in(self, context: BrowserContext, name: str, player: str = "", page: Page | None = None) -> Page:
        """Open the page on a device that is paired, for one player only where one is given. page: an open one."""
        desk = self.hosting.auth.desk
        _, token = desk.pair_by_secret(desk.new_code(player=player).secret, name)
        context.add_cookies([{"name": self.hosting.auth.name, "value": token, "url": self.hosting.url}])
        page = page or context.new_page()
        page.goto(self.hosting.url)
        expect(page.locator("#play")).to_have_attribute("data-version", re.compile(r"\d"))
        return page

    def device(self, browser: Browser, kind: str, name: str, player: str = "", **options: Any) -> Page:
        """Open the page on a device of its own kind."""
        width, height = SIZES[kind]
        context = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", **{"locale": "en", **options}
        )
        return self.let_in(context, name, player)


class Hand:
    """Somebody's hand on a page. taps: how often it touched since ``counted``."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, key: str) -> None:
        """Touch what has this key, once it is there."""
        self.page.locator(f'[data-key="{key}"]').first.click()
        self.taps += 1

    def option(self, ident: str) -> None:
        """Touch a button of the banker, and wait until the page shows what came of it."""
        self.press(f"option-{ident}")

    def folded(self, ident: str) -> None:
        """Touch a button among those for any time."""
        button = self.page.locator(f'[data-key="option-{ident}"]')
        if not button.is_visible():
            self.tap("group-anytime")
        self.option(ident)

    def end(self) -> None:
        """End the turn."""
        self.press("turn_ended")

    def press(self, key: str) -> None:
        """Touch what sends a command, and wait until the page shows what came of that.

        The page may still be about to hear of what was done before, so a newer event alone does not tell.
        """
        with self.page.expect_response(_carried_out) as answer:
            self.tap(key)
        self.heard(answer.value.json()["result"]["event"])

    def heard(self, event: int) -> None:
        """Wait until the page knows this event, and no turn is being ruled on."""
        by = time.monotonic() + 30
        while not self.page.evaluate(HEARD, event):
            assert time.monotonic() < by
            self.page.wait_for_timeout(30)


def _carried_out(answer: Response) -> bool:
    """Return whether this answers a command that was carried out. The page sends drafts by itself."""
    return answer.ok and "/api/commands/" in answer.url and "/draft" not in answer.url
