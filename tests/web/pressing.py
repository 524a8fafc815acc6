"""Press wrongly, and say that it helps."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def helped(page: Page, *ways_on: str) -> None:
    """Verify that a headline and a sentence stand on a page, and every way on can be pressed."""
    said = [page.locator(one).inner_text().strip() for one in ("#headline", "#detail", "#advice")]
    assert said[0]
    assert any(said[1:]), said
    for way in ways_on:
        expect(page.locator(f"[data-act={way}]").first).to_be_enabled()
