"""A copy of the game entered on the page, card by card, beside a photograph of each; it is shared as a file."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.buttonbox.box import until
from tests.web.bank import Bank
from tests.web.banking import THREE, unbarred
from tests.web.browser import needs_browser

pytestmark = [needs_browser, pytest.mark.browser]


def card(folder: Path) -> Path:
    """Write a photograph of a card, larger than what is kept of it."""
    picture = np.full((1800, 1200, 3), (70, 130, 200), np.uint8)
    cv2.putText(picture, "5000", (200, 900), cv2.FONT_HERSHEY_SIMPLEX, 9, (20, 20, 20), 30)
    path = folder / "card.jpg"
    assert cv2.imwrite(str(path), picture)
    return path


def fill(page: Page, name: str, price: str) -> None:
    """Type what stands on a card."""
    page.fill("[data-key=name]", name)
    page.click("[data-key=kind-economic]")
    page.fill("[data-key=price]", price)


def kept(page: Page, name: str) -> int:
    """Return the pixels a side of the picture that a card's sheet shows, once it is loaded."""
    page.click(f"[data-key=row-infrastructures-{name}]")
    image = page.locator(".copy-picture")
    expect(image).to_be_visible()
    expect(image).not_to_have_js_property("naturalHeight", 0)
    return int(image.evaluate("image => image.naturalHeight"))


def test_a_card_is_photographed_before_its_values_are_typed(
    tmp_path: Path, browser: Browser, parts: ExitStack
) -> None:
    bank = Bank(tmp_path, parts, THREE)
    page = bank.device(browser, "phone", "Anna's phone")
    page.evaluate("location.hash = '#/copies'")
    page.fill("#copy-name", "Club 1")
    page.click("[data-key=copy-begin]")
    expect(page.locator("#copy-first")).to_contain_text("A game can begin once the track and the country cards")
    page.click("[data-key=part-infrastructures]")
    page.click("[data-key=add-infrastructures]")
    (tmp_path / "words.jpg").write_text("no picture")
    page.set_input_files("[data-key=picture-file]", tmp_path / "words.jpg")
    expect(page.locator("#toast")).to_contain_text("no picture that can be read")
    page.set_input_files("[data-key=picture-file]", card(tmp_path))
    expect(page.locator(".copy-picture")).to_be_visible()
    unbarred(page)
    fill(page, "Moulin", "5000")
    page.click("[data-key=save-next]")
    expect(page.locator("[data-key=name]")).to_have_value("")
    expect(page.locator(".copy-picture")).to_be_hidden()
    fill(page, "Four", "3000")
    page.locator("[data-key=save-row]").evaluate("button => { button.click(); button.click(); }")  # pressed twice
    assert kept(page, "moulin") == 1400
    page.keyboard.press("Escape")
    page.click("[data-key=row-infrastructures-four]")
    expect(page.locator(".copy-picture")).to_be_hidden()

    page.set_input_files("[data-key=picture-file]", card(tmp_path))  # one that was forgotten
    held: list[Route] = []
    page.route("**/api/copies/club-1?*", lambda route: held.append(route))
    page.click("[data-key=save-row]")
    until(lambda: (page.wait_for_timeout(10), held)[1])
    expect(page.locator(".sheet")).to_have_count(1)  # until the page knows what was saved
    held[0].continue_()
    page.unroute("**/api/copies/club-1?*")
    expect(page.locator(".sheet")).to_have_count(0)
    expect(page.locator("[data-key=row-infrastructures-four]")).to_be_focused()
    assert kept(page, "four") == 1400
    page.keyboard.press("Escape")
    with page.expect_download() as shared:
        page.click("[data-key=copy-share]")
    cards = json.loads(shared.value.path().read_text(encoding="utf-8"))["infrastructures"]
    assert [(one["name"], one["price"]) for one in cards] == [("Moulin", 5000), ("Four", 3000)]

    page.click("[data-key=row-infrastructures-four]")
    page.click("[data-key=picture-remove]")
    expect(page.locator(".copy-picture")).to_be_hidden()
    expect(page.locator("[data-key=picture-remove]")).to_be_hidden()
    page.keyboard.press("Escape")
    page.click("[data-key=copy-delete]")
    page.click(".sheet .danger")
    page.wait_for_url("**/#/copies")
    expect(page.locator("#copy-name")).to_be_visible()
    expect(page.locator(".copy-list")).to_have_count(0)
    assert not [path for path in tmp_path.rglob("*") if path.stem == "club-1"]


def test_what_a_copy_lacks_for_a_game_is_said_until_it_is_entered(
    tmp_path: Path, browser: Browser, parts: ExitStack
) -> None:
    bank = Bank(tmp_path, parts, THREE)
    page = bank.device(browser, "phone", "Anna's phone")
    page.evaluate("location.hash = '#/copies'")
    page.fill("#copy-name", "Club 1")
    page.click("[data-key=copy-begin]")
    page.click("[data-key=part-track]")
    page.click("[data-key=row-track-all]")
    for space in ("develop", "hazard"):
        page.click(f"[data-key=spaces-add-{space}]")
    page.click("[data-key=save-row]")
    page.click("[data-key=copy-play]")
    page.click("[data-key=start]")
    expect(page.locator(".ask[role=alert]")).to_contain_text("Country card of Red, Terras: this is missing")
    unbarred(page)
    page.click("[data-key=enter-missing]")
    expect(page.locator("[data-key=part-countries]")).to_contain_text("16 missing")
