"""On a phone the virtual table says what is ruled, who you are and where what is.

SCREENS=DIR keeps pictures; ALL_SCREENS=1 looks in every language, light and dark.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from referee.values.words import LANGUAGES
from tests.virtual.beside import beside, referee_beside
from tests.web.browser import needs_browser

pytestmark = [needs_browser, pytest.mark.browser]
PHONE, TABLET, DESK = (390, 844), (768, 1024), (1280, 800)
LOOKS = [(language, theme) for language in LANGUAGES for theme in ("light", "dark")]
INSIDE = """node => { const { left, right, top, bottom } = node.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight; }"""

CUT = "all => all.filter(one => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth).length"


@pytest.mark.parametrize("look", LOOKS if os.environ.get("ALL_SCREENS") else LOOKS[:1])
@pytest.mark.parametrize("name", ["terra-turrium", "torres", "turris"])
def test_a_phone_shows_the_ruling_and_who_you_are_on_the_table(name: str, look: tuple[str, str]) -> None:
    # In space once for each kind of board, and small: without a graphics card that takes seconds.
    flat = name == "terra-turrium"
    with beside(name, PHONE, look, broken=True, flat=flat) as page:
        said = page.locator("#said")
        expect(said.locator("h2")).to_be_visible()
        expect(page.locator("#strip")).to_have_attribute("data-tone", "illegal")
        for width, height in (PHONE, TABLET) if flat else (PHONE,):
            page.set_viewport_size({"width": width, "height": height})
            assert said.locator("h2").evaluate(INSIDE)
            assert page.locator("#you b").evaluate(INSIDE)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if look[0] == "en":
            expect(said).to_contain_text("Not legal")
            expect(page.locator("#you")).to_contain_text("You are ")


def test_what_is_to_be_put_back_is_told_by_its_field_and_decided_on_the_tablet() -> None:
    with beside("terra-turrium", PHONE, broken=True, flat=True) as page:
        expect(page.locator("#back li").first).to_be_visible()
        fields = page.locator("#back li").evaluate_all("all => all.map(one => one.dataset.field)")
        assert fields
        expect(page.locator("#back li").first).to_contain_text(re.compile(rf"{fields[0]}: \d cubes?"))
        assert page.locator(".stage, .flat button").evaluate_all(CUT) == 0
        expect(page.locator("#told")).to_contain_text("paired")
        page.get_by_role("button", name="Answer on the tablet").click()
        expect(page.locator("#tablet")).to_be_visible()


def test_a_hand_puts_everything_back_at_one_touch(tmp_path: Path) -> None:
    with referee_beside("terra-turrium", PHONE, broken=True, flat=True, folder=tmp_path) as told:
        back = told.page.locator("[data-key=put-back-for-me]")
        expect(back).to_have_text("Put it back for me")
        assert told.table.scene.lying != told.before
        with told.page.expect_response(re.compile("/api/virtual/acts")) as answer:
            back.click()
        assert answer.value.ok
        assert told.table.scene.lying == told.before


def test_whoever_had_a_turn_played_is_told_what_comes_next(tmp_path: Path) -> None:
    with referee_beside("terra-turrium", PHONE, flat=True, folder=tmp_path) as told:
        told.page.locator("[data-key=play-for-me]").click()
        expect(told.page.locator("#told")).to_have_text("That was the turn. Now touch “Turn ended”.")


def test_beside_the_tablet_only_who_you_are_is_said() -> None:
    with beside("terra-turrium", DESK, flat=True) as page:
        expect(page.locator("#you")).to_contain_text("You are ")
        expect(page.locator("#said")).to_be_hidden()


@pytest.mark.parametrize(("name", "last"), [("torres", "H8"), ("turris", "C3")])
def test_fields_are_named_in_the_list_and_along_the_rim(name: str, last: str) -> None:
    with beside(name, PHONE, flat=True) as page:
        page.get_by_text("All fields as a list").click()
        expect(page.locator("#fields button").first).to_contain_text(f"A{last[1]}")
        page.locator("#fields button[tabindex='0']").focus()
        for key in ("ArrowDown", "ArrowRight", "ArrowUp"):  # at the rim it stays where it is
            page.keyboard.press(key)
        expect(page.locator("#fields button:focus")).to_contain_text("B2")
        page.keyboard.press("Shift+Tab")
        expect(page.locator("#fields button:focus")).to_have_count(0)
        page.keyboard.press("Tab")
        expect(page.locator("#fields button:focus")).to_contain_text("B2")
        rim = page.evaluate(
            """async ([columns, rows]) => {
              const { rimNames } = await import("/static/coordinates.js");
              const kit = { columns: Array(columns).fill(0), rows: Array(rows).fill(0) };
              return rimNames(kit, (row, col) => [10 * (col + 0.5), 10 * (row + 0.5)], [40, 40], 10)
                .map(name => [name.userData.name, name.position.x, name.position.y]);
            }""",
            [ord(last[0]) - ord("A") + 1, int(last[1])],
        )
        assert {name for name, _, _ in rim} == {*"ABCDEFGH"[: ord(last[0]) - 64], *"12345678"[: int(last[1])]}
        assert all(max(abs(x), abs(y)) > 40 for _, x, y in rim), "none lies on the board"
