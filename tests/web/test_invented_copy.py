"""Whoever plays with the invented copy is told so, and led to entering or taking in their own."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from referee.games.terrabilis.copy.files import EXAMPLE
from tests.web.bank import SIZES, Bank
from tests.web.banking import THREE, begun, unbarred
from tests.web.browser import needs_browser
from tests.web.whole import fits

pytestmark = [needs_browser, pytest.mark.browser]
NOTICE = '[data-notice="data-invented"]'
SAID = {
    "en": "The cards are invented, not those of your copy.",
    "de": "Die Karten sind erfunden, nicht die eures Exemplars.",
    "fr": "Cartes inventées, pas celles de ton exemplaire.",
}


def shared(folder: Path) -> Path:
    """Return a copy's file that somebody shared."""
    path = folder / "copy-club.json"
    path.write_text(json.dumps(json.loads(EXAMPLE.read_text(encoding="utf-8")) | {"copy": "Club 1"}))
    return path


def test_the_invented_copy_is_said_and_a_shared_one_taken_in_and_played_with(
    tmp_path: Path, browser: Browser, parts: ExitStack
) -> None:
    bank = Bank(tmp_path, parts, THREE)
    page = bank.device(browser, "tablet", "A tablet")
    expect(page.locator(NOTICE)).to_contain_text(SAID["en"])
    page.click("[data-key=enter-copy]")
    expect(page.locator("#copy-name")).to_be_visible()
    page.set_input_files("#copy-file", shared(tmp_path))
    page.click("[data-key=copy-play]")
    expect(page.locator("[data-key=copy-club-1]")).to_have_attribute("aria-pressed", "true")
    unbarred(page)
    page.click("[data-key=start]")
    expect(page.locator("#play")).to_be_visible()
    expect(page.locator(NOTICE)).to_have_count(0)
    assert bank.position.data.name == "Club 1"


def test_on_a_phone_the_choices_stand_below_what_is_said_in_few_lines(
    tmp_path: Path, browser: Browser, parts: ExitStack
) -> None:
    """In the languages of the longest words, before the game and in it."""
    bank = Bank(tmp_path, parts, THREE)
    phones = {language: bank.device(browser, "phone", "A phone", locale=language) for language in ("de", "fr")}
    for language, page in phones.items():
        expect(page.locator(NOTICE)).to_contain_text(SAID[language])
    begun(phones["de"])
    for language, page in phones.items():
        expect(page.locator("#play")).to_have_attribute("data-phase", "playing")
        expect(page.locator(NOTICE)).to_contain_text(SAID[language])
        first = page.locator("#board-words button").first
        expect(first).to_be_visible()
        box = first.bounding_box()
        assert box is not None
        assert box["y"] <= 0.42 * SIZES["phone"][1]
        fits(page)
        page.evaluate("location.hash = '#/copies'")
        expect(page.locator("#copy-name")).to_be_visible()
        fits(page)
    unbarred(page)


def test_a_copy_entered_here_is_chosen_before_the_invented_one(
    tmp_path: Path, browser: Browser, parts: ExitStack
) -> None:
    bank = Bank(tmp_path, parts, THREE)
    page = bank.device(browser, "tablet", "Kitchen tablet")
    page.evaluate("location.hash = '#/copies'")
    page.set_input_files("#copy-file", shared(tmp_path))
    expect(page.locator("[data-key=copy-share]")).to_be_visible()
    page.evaluate("location.hash = '#/new'")
    expect(page.locator("[data-key=copy-club-1]")).to_have_attribute("aria-pressed", "true")
    page.click("[data-key=copy-]")
    page.click("[data-key=start]")
    begun(page)
    expect(page.locator(NOTICE)).to_be_visible()  # played with by choice, and said all the same
    assert bank.position.data.name == "example"


def test_who_only_watches_or_plays_for_one_is_told_without_a_way(
    tmp_path: Path, browser: Browser, parts: ExitStack
) -> None:
    bank = Bank(tmp_path, parts, THREE)
    phone = bank.device(browser, "phone", "Anna's phone", "blue")
    width, height = SIZES["tablet"]
    watcher = browser.new_page(viewport={"width": width, "height": height}, locale="en")
    watcher.goto(bank.hosting.url)
    for page in (phone, watcher):
        expect(page.locator(NOTICE)).to_contain_text(SAID["en"])
        expect(page.locator("[data-key=enter-copy]")).to_have_count(0)
