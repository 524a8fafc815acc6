"""The desk's page in a real browser, at a real broker and table: a dispute is found, looked at and settled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.addons.hall.desk.broadcastapp import create_broadcast
from referee.addons.hall.desk.deskapp import create_desk
from referee.service.pairing import open_auth, pairing_link
from referee.service.server import PageServer, address, bind
from tests.addons.hall.desk.evening import TABLE, HallEvening
from tests.web.barriers import unbarred, unbarred_in_both_themes
from tests.web.browser import needs_browser, open_page
from tests.web.whole import fits

LOOKS = (
    ((1280, 800), "dark", "fr", "Pupitre du juge-arbitre"),
    ((768, 1024), "light", "en", "Arbiter’s desk"),
    ((390, 844), "dark", "de", "Pult der Oberschiedsrichter"),
)
TOO_WIDE_PX = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[tuple[HallEvening, str, str]]:
    with ExitStack() as parts:
        evening = HallEvening(tmp_path, parts)
        auth = open_auth(tmp_path, parts)
        desk, screens = parts.enter_context(bind("127.0.0.1", 0)), parts.enter_context(bind("127.0.0.1", 0))
        parts.enter_context(
            PageServer(create_desk(evening.keeper.board, evening.keeper, auth, HEARTBEAT_S=0.3), desk)
        )
        shown = create_broadcast(evening.broadcast.wall, evening.broadcast, HEARTBEAT_S=0.3)
        parts.enter_context(PageServer(shown, screens))
        yield evening, pairing_link(address(desk), auth.desk.new_code()), address(screens)


@pytest.mark.browser
@needs_browser
def test_a_dispute_is_found_looked_at_and_settled(hall: tuple[HallEvening, str, str]) -> None:
    evening, link, screens = hall
    with open_page(1280, 800) as page:
        page.goto(link.partition("#")[0])
        expect(page.get_by_label("Code")).to_be_visible()
        expect(page.locator(".tile")).to_have_count(0)  # nothing is shown before somebody has paired
        page.goto("about:blank")
        page.goto(link)
        page.get_by_label("Your name").fill("Ana")
        page.locator('[data-key="send-pin"]').click()
        expect(page.locator(".need")).to_contain_text("It stood there before.")
        expect(page.locator(f'.tile[data-table="{TABLE}"]')).to_contain_text("Table 1")
        page.locator(f'.tile[data-table="{TABLE}"]').click()  # what is disputed is shown from there, too
        expect(page.locator('.dispute[data-open="true"]')).to_contain_text("It stood there before.")
        expect(page.locator('[data-key^="uphold"]')).to_have_count(0)  # it can only be watched
        told = evening.keeper.table(TABLE, "en")
        expect(page.locator(".trust")).to_contain_text(str(told and told["desk"]))  # as the table's page will show it
        page.get_by_label("Code of the table").fill(evening.trust.new_code())
        page.locator('[data-key="send-code"]').click()
        frame = page.frame_locator("iframe.report")
        expect(frame.locator("p").first).to_have_text("en 1")
        assert page.locator("iframe.report").get_attribute("sandbox") == ""
        page.locator('[data-key^="uphold"]').click()
        page.locator("#reason").fill("The picture shows it.")
        with page.expect_response("**/report?turn=1*"):  # the report says so, too
            page.locator('[data-key="send-order"]').click()
        expect(page.locator('.dispute[data-open="false"]')).to_contain_text("Ana: The picture shows it.")
        _in_every_look(page)
        expect(page.locator('[data-key="set-aside"]')).to_be_visible()
        assert evening.at.desk.command("undo", {"entry": 1}, "tablet").accepted
        expect(page.locator('[data-key="set-aside"]')).to_have_count(0)  # what is undone can't be set aside
        _watched(page, screens)


def _in_every_look(page: Page) -> None:
    """Look at the open table and at the hall, as large and small screens show them, in every language."""
    for (width, height), theme, language, title in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.locator('[data-key="theme"]').select_option(theme)
        page.locator('[data-key="language"]').select_option(language)
        expect(page.locator("#title")).to_have_text(title)
        fits(page, TOO_WIDE_PX)
        page.locator('[data-key="back"]').click()
        expect(page.locator(".tile")).to_be_visible()
        fits(page, TOO_WIDE_PX)
        page.locator(".tile").click()
        expect(page.locator(".orders")).to_be_visible()
    unbarred_in_both_themes(page)
    page.locator('[data-key="back"]').click()
    expect(page.locator(".tile")).to_be_visible()
    unbarred_in_both_themes(page)
    page.locator(".tile").click()


def _watched(page: Page, screens: str) -> None:
    """Look at what spectators see of the hall, and of one table, each in another language on every screen."""
    for kind, shown, (_, theme, language, _title) in zip(
        ("wall", f"table/{TABLE}", f"overlay/{TABLE}"),
        ("#large .wall-board", "#headline", "#headline"),
        LOOKS,
        strict=True,
    ):
        page.goto(f"{screens}{kind}?lang={language}&theme={theme}")
        expect(page.locator(shown)).to_be_visible()
        expect(page.locator(shown)).not_to_have_text("…")
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        for (width, height), *_ in LOOKS:
            page.set_viewport_size({"width": width, "height": height})
            fits(page, TOO_WIDE_PX)
        unbarred(page)
