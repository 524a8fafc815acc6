"""A whole game of castles on the page: a real referee, its cameras looking into folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from referee.demo.recording import Recording
from referee.games import package_named
from tests.demo.table import Table
from tests.web.whole import Game

FOLDER = package_named("torres").recording
assert FOLDER is not None
RECORDING = Recording.open(FOLDER)


class CastleTable(Table):
    """The table of the recorded game of castles."""

    def __init__(self, folder: Path, position: dict[str, Any] | None = None) -> None:
        super().__init__(folder, RECORDING, position)


class CastleGame(Game):
    """A running table and the page of one player, with what the game of castles needs besides."""

    def turn(self, look: int, **declared: Any) -> None:
        """Show the board of a look, declare this on the page, and end the turn."""
        before = self.state()["turn"]
        self.show(look)
        self.declare(**declared)
        self.press("turn_ended")
        expect(self.page.locator("#play")).to_have_attribute("data-turn", str(before + 1), timeout=120_000)

    def declare(self, **declared: Any) -> None:
        """Fill in the form as fingers do; it goes along with the turn's end."""
        page = self.page
        if not declared:
            return
        page.click("[data-key=declare-open]")
        for key, value in declared.items():
            if isinstance(value, int):
                for _ in range(value):
                    page.click(f"[data-key={key}-more]")
            else:
                page.select_option(f"[data-key={key}]", value)

    def by_hand(self, **changes: Any) -> None:
        """Correct the position, as the page's commands allow."""
        self.tell("correct", changes=changes)
