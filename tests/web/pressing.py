"""Press wrongly, in every size and language, and say that it helps."""

from __future__ import annotations

import os
import threading

import pytest
from playwright.sync_api import Page, expect

from tests.match.fakes import FakeSight

SIZES = {"phone": (390, 844), "tablet": (1024, 768), "desktop": (1600, 900)}


LANGUAGES = ("en", "de", "fr")


SCREENS = os.environ.get("SCREENS")


ALL = [
    pytest.param((size, language), marks=pytest.mark.long, id=f"{size}-{language}")
    for size in SIZES
    for language in LANGUAGES
]


class Sight(FakeSight):
    """Cameras that show what a test says, and sleep in between."""

    def __init__(self) -> None:
        super().__init__(patience_s=3.0)
        self._woken = threading.Event()

    def wait(self, timeout_s: float) -> None:
        self._woken.wait(0.05)
        self._woken.clear()

    def wake(self) -> None:
        self._woken.set()


def helped(page: Page, name: str, *ways_on: str) -> None:
    """Verify that a headline and a sentence stand on a page, and every way on can be pressed; photograph it."""
    if SCREENS:
        page.screenshot(path=f"{SCREENS}/{name}.png")
    said = [page.locator(one).inner_text().strip() for one in ("#headline", "#detail", "#advice")]
    assert said[0]
    assert any(said[1:]), said
    for way in ways_on:
        expect(page.locator(f"[data-act={way}]").first).to_be_enabled()


LONG = bool(os.environ.get("ALL_SCREENS"))


long = pytest.mark.skipif(not LONG, reason="make browser plays the long games")
