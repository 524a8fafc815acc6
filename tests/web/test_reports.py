"""Reports taken from the page: of a turn that is not legal, and of an earlier game on the shelf."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import needs_browser, open_page
from tests.web.reported import served
from tests.web.whole import TOO_WIDE_PX

pytestmark = needs_browser


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with served(tmp_path) as place:
        yield place


def taken(page: Page, key: str) -> bytes:
    """Return what is saved when a button is pressed."""
    with page.expect_download() as started:
        page.click(f"[data-key={key}]")
    path = started.value.path()
    expect(page.locator(f"[data-key={key}]")).to_be_enabled()
    return path.read_bytes()


def test_reports_are_taken_where_a_turn_is_disputed_and_from_the_shelf(url: str) -> None:
    with open_page(390, 844, locale="de", theme="dark") as page:
        page.goto(url)
        page.click("[data-key=report]")
        assert b"cubes.conserved" in taken(page, "report-html")
        assert taken(page, "report-pdf").startswith(b"%PDF")
        assert b"Anna" not in taken(page, "share-html")
        assert taken(page, "share-gif").startswith(b"GIF89a")
        page.goto(f"{url}#/games/earlier")
        page.reload()
        expect(page.locator(".game-open pre")).to_contain_text("1. red")
        assert b'lang="de"' in taken(page, "whole")
        with page.expect_popup() as opened:
            page.click("[data-key=report]")
        expect(opened.value.locator("h1")).to_contain_text("Zug 1")
        opened.value.close()
        assert page.evaluate(TOO_WIDE_PX) <= 0
        page.fill("[data-key=turn]", "99")
        page.click("[data-key=report-pdf]")
        expect(page.locator("#toast")).to_contain_text("Einen solchen Zug")
        page.goto(f"{url}#/games/%E0%A4%A")  # an address that was cut off opens no game
        expect(page.locator(".game")).to_have_count(2)
        page.goto(f"{url}#/games")
        expect(page.locator(".game")).to_have_count(2)
        page.select_option("[data-key=result]", "draw")
        expect(page.locator(".game")).to_have_count(0)
