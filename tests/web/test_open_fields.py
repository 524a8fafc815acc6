"""A real page draws what nobody knows yet as not known, on the board, in the list of turns and in the record."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import needs_browser, open_page
from tests.web.watched import OPEN, left_open, some_turns_on, told_anew, watched

pytestmark = needs_browser
NAMES = sorted(place.name for place in OPEN)


def _pale(page: Page, board: str) -> None:
    for name in NAMES:
        cell = page.locator(f'{board} [data-field="{name}"]')
        expect(cell).to_have_attribute("data-shade", "open")
        expect(cell).to_have_attribute("data-height", "?")
    assert page.locator(f'{board} .number[data-shade="open"]').all_text_contents() == ["?"] * len(NAMES)


@pytest.mark.parametrize(("size", "theme"), [((390, 844), "dark"), ((1024, 768), "light")])
def test_open_fields_are_pale_and_a_turn_told_anew_is_marked(
    tmp_path: Path, size: tuple[int, int], theme: str
) -> None:
    state = left_open(told_anew(some_turns_on("terra-turrium", 4), 3))
    with watched("terra-turrium", tmp_path, state) as table, open_page(*size, theme=theme) as page:
        page.goto(table.url)
        expect(page.locator("#detail")).to_contain_text("Turn 3 is known now: ")
        expect(page.locator("#detail")).to_contain_text("Not known yet: what stands on D6 and E7.")
        _pale(page, "#board")
        expect(page.locator("#legend")).to_contain_text("? not known yet")
        assert "Not known yet: " in (page.locator("#board").get_attribute("aria-label") or "")
        page.goto(f"{table.url}#/record/4")
        _pale(page, ".pair figure:last-child")
        expect(page.locator(".entry .open-words")).to_contain_text("Not known yet: ")
        expect(page.locator('.turns [data-turn="3"] .retold')).to_have_attribute(
            "title", "Told anew: later pictures showed more of this turn."
        )
        expect(page.locator('.turns [data-turn="4"] .retold')).to_have_count(0)
