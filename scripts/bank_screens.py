"""Picture the banker's page for the documents: ``python -m scripts.bank_screens``. Look at what comes out."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from tests.web.bank import Bank, Hand
from tests.web.browser import EXECUTABLE

OUT = Path(__file__).resolve().parent.parent / "docs" / "screens" / "terrabilis"
QUALITY = 80
SETTLED_MS = 500


def take(page: Page, name: str) -> None:
    """Write ``NAME.webp``."""
    page.wait_for_timeout(SETTLED_MS)
    shot = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert shot is not None
    cv2.imwrite(str(OUT / f"{name}.webp"), shot, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])


def play(bank: Bank, tablet: Page, phone: Page, desktop: Page) -> None:
    """Go through some turns, taking what is worth seeing."""
    hand, own = Hand(tablet), Hand(phone)
    hand.press("begin")
    expect(tablet.locator("#play")).to_have_attribute("data-phase", "playing")
    take(tablet, "dice-tablet")
    hand.option("roll 1+2")
    hand.option("draw energy")
    take(tablet, "cards-tablet")
    hand.option("install eoliennes")
    hand.end()
    take(phone, "phone-de-dark")
    own.option("roll 6+6")
    hand.option("red pours green")
    hand.option("green pours yellow")
    desktop.click("[data-key=history-red]")
    take(desktop, "history-desktop-dark")
    desktop.keyboard.press("Escape")
    hand.tap("group-anytime")
    hand.tap("option-seen")
    tablet.fill('[data-key="zone.green"]', "2")
    tablet.fill('[data-key="zone.yellow"]', "3")
    hand.press("send-answers")
    hand.end()
    take(tablet, "question-tablet")


def copy(tablet: Page, phone: Page) -> None:
    """Enter a few cards of a copy."""
    tablet.evaluate("location.hash = '#/copies'")
    tablet.fill("#copy-name", "Club 1")
    tablet.click("[data-key=copy-begin]")
    tablet.click("[data-key=part-infrastructures]")
    tablet.click("[data-key=add-infrastructures]")
    tablet.fill("[data-key=name]", "Moulin")
    tablet.click("[data-key=kind-economic]")
    tablet.fill("[data-key=price]", "5000")
    take(tablet, "card-tablet")
    tablet.click("[data-key=save-row]")
    expect(tablet.locator("[data-key=row-infrastructures-moulin]")).to_be_visible()
    take(tablet, "copy-tablet")
    phone.evaluate("location.hash = '#/copies/club-1'")
    phone.click("[data-key=part-infrastructures]")
    phone.click("[data-key=row-infrastructures-moulin]")
    take(phone, "card-phone-fr")


def main() -> int:
    """Take every screen."""
    OUT.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, ExitStack() as parts:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=["--no-sandbox"])
        parts.callback(browser.close)
        folder = Path(parts.enter_context(tempfile.TemporaryDirectory()))
        three = {"seats": {"first": "red", "second": "blue", "third": "green"}}
        bank = Bank(folder, parts, three)
        tablet = bank.device(browser, "tablet", "Kitchen tablet")
        phone = bank.device(browser, "phone", "Anna's phone", "blue", locale="de", color_scheme="dark")
        desktop = bank.device(browser, "desktop", "Desk", locale="fr", color_scheme="dark")
        other = bank.device(browser, "phone", "Phone", locale="fr")
        play(bank, tablet, phone, desktop)
        copy(tablet, other)
    return 0


if __name__ == "__main__":
    sys.exit(main())
