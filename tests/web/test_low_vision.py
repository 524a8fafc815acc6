"""Pages for eyes that see less: colours that the system chooses, a page made twice as large, pieces without colour.

SCREENS=DIR keeps pictures.
"""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from referee.daemon import ViewPublisher
from referee.match.events import GameStarted, LookTaken, SetupAccepted
from referee.match.live import Live, RestoreTask
from referee.match.transitions import begin, step
from referee.values.board import Field
from referee.view import table_view
from tests.match.fakes import StepGame, start
from tests.match.rulings import reading, ruled
from tests.virtual.beside import beside, referee_beside
from tests.web.barriers import barriers, unbarred_in_both_themes
from tests.web.browser import needs_browser, open_page
from tests.web.noticeboard import Served
from tests.web.paired import paired
from tests.web.whole import fits

pytestmark = [needs_browser, pytest.mark.browser]
SCREENS = os.environ.get("SCREENS")
GAME = StepGame()
LOOKED = step(step(begin(GameStarted(start(), "Recorded game")), LookTaken(1)), reading())
LEGAL, BROKEN = step(LOOKED, ruled(LOOKED, "12r/1y1")), step(LOOKED, ruled(LOOKED, "11r/1y3"))
TWICE = [(512, 384), (640, 400), (384, 512)]
"""Usual screens, on their side and upright, on which all is shown twice as large."""
DESK = (1280, 800)
SEEN = """(node, within) => {
  const { top, bottom } = node.getBoundingClientRect();
  const box = document.querySelector(within).getBoundingClientRect();
  const middle = (top + bottom) / 2;
  const at = document.elementFromPoint(box.left + box.width / 2, middle);
  return top >= box.top - 1 && bottom <= box.bottom + 1 && at !== null && document.querySelector(within).contains(at);
}"""

FREE = """() => {
  const box = document.querySelector("#main").getBoundingClientRect();
  const rows = Array.from({ length: 50 },
    (_, k) => document.elementFromPoint(box.left + 20, box.top + (k + 0.5) / 50 * box.height));
  return rows.filter(node => node && !node.closest("#actions")).length / rows.length;
}"""
"""Which share of what scrolls nothing lies over that stays in place."""


def ground(button: Locator) -> tuple[int, ...]:
    """Return the commonest colour of a button, as it is on the screen."""
    picture = cv2.imdecode(np.frombuffer(button.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    colours, counts = np.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
    return tuple(int(value) for value in colours[counts.argmax()])


MARKED = """node => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "HighlightText";
  return getComputedStyle(node).color === getComputedStyle(probe).color;
}"""
"""Whether the words have the colour that goes with the system's ground of what is chosen."""


def kept(page: Page, name: str) -> None:
    if SCREENS:
        page.screenshot(path=f"{SCREENS}/{name}.png")


def test_the_screen_that_is_open_stands_out_where_the_system_chooses_colours(board: ViewPublisher) -> None:
    server = Served(board)
    with server.parts, open_page(*DESK, theme="dark", forced_colours=True) as page:
        page.goto(f"{server.url}#/settings")
        expect(page.locator("[data-key=language-en]")).to_be_visible()
        kept(page, "forced-settings")
        assert ground(page.locator(".tab[aria-current]")) != ground(page.locator("[data-key=play].tab"))
        assert page.locator(".tab[aria-current]").evaluate(MARKED)
        assert ground(page.locator("[data-key=language-en]")) != ground(page.locator("[data-key=language-de]"))
        # It reckons with the page's own colours, which are not those on the screen.
        assert [one for one in barriers(page) if one[0] != "color-contrast"] == []
        board.close()


@pytest.mark.parametrize("name", ["terra-turrium", "torres", "turris"])
def test_chosen_tools_and_pieces_are_told_apart_where_the_system_chooses_colours(name: str) -> None:
    with beside(name, DESK, look=("en", "dark"), forced_colours=True, flat=True) as page:
        tools = page.locator("#tools")
        expect(tools.locator("[aria-pressed=true]")).to_have_count(1)
        assert ground(tools.locator("[aria-pressed=true]")) != ground(tools.locator("[aria-pressed=false]").first)
        if name == "turris":  # bars are no pieces with letters
            return
        told_by_letter_and_outline(page)
        page.emulate_media(forced_colors="none", color_scheme="light")
        told_by_letter_and_outline(page)


def told_by_letter_and_outline(page: Page) -> None:
    """Verify that pieces in lists differ by their letters."""
    signs = page.locator("#tools .sign")
    expect(signs.first).to_be_visible()
    letters = signs.locator("text").all_text_contents()
    assert len(letters) == len(set(letters)) > 1
    if page.locator("#fields").is_hidden():
        page.get_by_text("All fields as a list").click()
    held = page.locator("#fields button").filter(has=page.locator(".sign"))
    expect(held.first).to_be_visible()
    assert set(held.locator(".sign text").all_text_contents()) <= set(letters)


def test_a_page_twice_as_large_shows_the_ruling_and_lets_one_read_it(tmp_path: Path) -> None:
    todo = (RestoreTask(Field.from_name("B1"), "1", "3"),)
    with paired(tmp_path, GAME, BROKEN, Live(tasks=todo), TWICE[0]) as (page, _):
        expect(page.locator("#headline")).to_have_text("Not legal")
        expect(page.locator("#actions button").first).to_be_visible()
        for width, height in TWICE:
            page.set_viewport_size({"width": width, "height": height})
            kept(page, f"twice-{width}")
            for part in ("#headline", ".broken-words", ".task"):
                page.locator(part).first.evaluate("node => node.scrollIntoView({ block: 'nearest' })")
                assert page.locator(part).first.evaluate(SEEN, "#main"), part
            page.locator("#main").evaluate("node => { node.scrollTop = 0; }")
            assert page.evaluate(FREE) >= 0.9
            fits(page)
        unbarred_in_both_themes(page)


def test_a_page_that_is_scrolled_down_shows_the_ruling_that_comes(board: ViewPublisher, page: Page) -> None:
    server = Served(board)
    with server.parts:
        page.goto(server.url)
        for width, height in ((390, 844), (1024, 768), *TWICE):
            board.publish(table_view(GAME, LOOKED))
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator("#headline")).not_to_have_text("Legal")
            page.locator("#main").evaluate("node => { node.scrollTop = node.scrollHeight; }")
            board.publish(table_view(GAME, LEGAL))
            expect(page.locator("#headline")).to_have_text("Legal")
            assert page.locator("#headline").evaluate(SEEN, "#main")
        board.close()


@pytest.mark.parametrize("size", [(390, 844), (640, 400)])
def test_the_virtual_table_scrolled_down_to_its_list_shows_the_ruling_that_comes(size: tuple[int, int]) -> None:
    with referee_beside("terra-turrium", size, flat=True) as table:
        page = table.page
        expect(page.locator("#strip")).to_have_attribute("data-tone", "legal")
        page.get_by_text("All fields as a list").click()
        page.locator("#board").evaluate("node => { node.scrollTop = node.scrollHeight; }")
        table.breaks()
        expect(page.locator("#strip")).to_have_attribute("data-tone", "illegal")
        assert page.locator("#said h2").evaluate(SEEN, "#board")


def test_what_a_hand_changes_on_the_virtual_table_is_told_to_whoever_does_not_see_it() -> None:
    with referee_beside("terra-turrium", DESK, flat=True) as at:
        alone = at.page.locator("#stage button[aria-label$=': 1 cube']").first
        field = str(alone.get_attribute("aria-label")).partition(":")[0]
        at.table.act({"do": "take", "field": field})
        expect(at.page.get_by_role("status").filter(has_text=f"{field}: 0 cubes")).to_have_count(1)


def test_no_line_parts_a_short_word_at_its_hyphen(tmp_path: Path) -> None:
    state = step(begin(GameStarted(start())), SetupAccepted("tablet"))
    with paired(tmp_path, GAME, state, size=(390, 800)) as (page, _):
        expect(page.locator("#headline")).to_have_text("The set-up is right")
        parted = """() => {
          const node = document.querySelector("#headline");
          const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const at = walker.currentNode.data.indexOf("set-up");
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(walker.currentNode, at);
            range.setEnd(walker.currentNode, at + 6);
            return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
          }
        }"""
        for width in range(240, 400, 4):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(parted) is False, width
