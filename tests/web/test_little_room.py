"""Devices with little room: a disk that is full, and a small screen with letters twice as large."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.daemon.running import RestingSight
from tests.web.browser import needs_browser, open_page
from tests.web.examplegame import FULL, Table

pytestmark = needs_browser
KEEP_OLD = """async () => {
    const kept = await caches.open("page");
    await kept.put(new Request(`${location.origin}/static/icon.svg`), new Response("old"));
}"""
FETCHED = "async (path) => (await (await fetch(path)).text()).length"
TWICE = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":root { font-size: 200% !important }");
    document.adoptedStyleSheets.push(sheet);
}"""


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the example, a distribution of its own, which lies in docs."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs" / "example-game")


def test_where_nothing_more_can_be_kept_what_the_referee_answers_is_shown(tmp_path: Path) -> None:
    with ExitStack() as parts, open_page() as page:
        table = Table(tmp_path, [FULL], parts)
        table.open(page)
        page.wait_for_function("() => navigator.serviceWorker.controller || navigator.serviceWorker.ready")
        page.reload()
        page.wait_for_function("() => Boolean(navigator.serviceWorker.controller)")
        page.evaluate(KEEP_OLD)
        devtools = page.context.new_cdp_session(page)
        origin = table.hosting.url.rstrip("/")
        devtools.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1000})
        assert page.evaluate(FETCHED, "/static/icon.svg") > len("old")
        assert page.evaluate(FETCHED, "/static/handheld.js") > 0
        page.reload()
        expect(page.locator("#headline")).not_to_be_empty()


def test_with_letters_twice_as_large_tabs_and_sheets_fit_a_phone(tmp_path: Path) -> None:
    with ExitStack() as parts, open_page(390, 844, locale="de") as page:
        sight = RestingSight(patience_s=3.0)
        sight.board = FULL
        table = Table(tmp_path, [], parts, sight)
        table.open(page)
        expect(page.locator("#play")).to_have_attribute("data-phase", "playing")
        page.evaluate(TWICE)
        for part in ("#nav", "#main"):
            assert page.locator(part).evaluate("part => part.scrollWidth <= part.clientWidth"), part
        page.click("[data-key=more]")
        page.click(".sheet [data-act=end_game]")
        for button in page.locator(".sheet button").all():
            place = button.bounding_box()
            assert place is not None
            assert 0 <= place["x"] <= place["x"] + place["width"] <= 390
