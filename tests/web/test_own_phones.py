"""Two players with nothing but a phone of their own each: missing cards, and a turn ended too early."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.games.terrabilis.positions import COPY
from tests.web.bank import Bank, Hand
from tests.web.banking import begun
from tests.web.browser import needs_browser

pytestmark = [needs_browser, pytest.mark.browser]

SEATS = {"first": "red", "second": "blue"}


def lacking() -> dict[str, Any]:
    """Return a copy without hazards, whose mill has no price yet."""
    cards = [
        {name: n for name, n in card.items() if card["id"] != "mill" or name != "price"}
        for card in COPY["infrastructures"]
    ]
    return {**COPY, "infrastructures": cards, "hazards": []}


def test_two_own_phones_need_no_tablet(tmp_path: Path, browser: Browser, parts: ExitStack) -> None:
    bank = Bank(tmp_path, parts, {"seats": SEATS, "copy": lacking()}, {"ledger": {"red": {"pawn": 8}}})
    begun(bank.device(browser, "tablet", "Kitchen tablet")).page.close()
    red = Hand(bank.device(browser, "phone", "Ana's phone", "red"))
    expect(red.page.locator("#now")).to_contain_text("Red’s device")
    red.option("roll 1+1")
    red.option("draw economic")
    red.end()
    red.press("not_ended")  # a card was still to be installed
    red.tap("option-install mill")
    red.page.fill(".sheet [data-key=price]", "4000")
    red.press("send-answers")
    red.option("install mill")
    red.end()

    blue = Hand(bank.device(browser, "phone", "Ben's phone", "blue"))
    blue.option("roll 1+1")
    blue.tap("option-another card")
    blue.page.fill(".sheet [data-key=name]", "Flood; high")
    blue.page.fill('.sheet [data-key="self.money"]', "-1000")
    blue.press("send-answers")
    blue.end()
    red.option("roll 1+1")
    red.end()
    red.press("turn_over")  # nothing was done on that space
    expect(red.page.locator("#headline")).to_have_text("Not legal")
    expect(red.page.locator("#now")).to_contain_text("Red to play")
    assert [hazard.name for hazard in bank.position.data.hazards] == ["Flood; high"]
    assert bank.position.data.cards["mill"].value("price") == 4000
