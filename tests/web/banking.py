"""Begin a game at the banker's page, and look at its accounts."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.web.bank import Hand
from tests.web.barriers import barriers
from tests.web.whole import TOO_SMALL, TOO_WIDE_PX

THREE = {"seats": {"first": "red", "second": "blue", "third": "green"}}


USUAL_TAPS = 4


def unbarred(page: Page) -> None:
    """Verify that axe finds nothing, nothing is too wide, and everything to touch is large enough."""
    assert barriers(page) == []
    assert page.evaluate(TOO_WIDE_PX) <= 0
    assert page.evaluate(TOO_SMALL) == []


def account(page: Page, player: str, part: str) -> Any:
    """Return a part of a player's account on a page."""
    return page.locator(f'[data-account="{player}"] [data-part="{part}"]')


def begun(page: Page) -> Hand:
    """Begin the game on the tablet, and return the hand."""
    hand = Hand(page)
    hand.press("begin")
    expect(page.locator("#play")).to_have_attribute("data-phase", "playing")
    hand.taps = 0
    return hand
