"""The example game of docs/develop/adding-a-game.md is played on the page, with a declared act."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import needs_browser
from tests.web.examplegame import FULL, Table, board

pytestmark = needs_browser


FOUR_MOVED = board(R1="0000111111", R5="1111311111", R6="1111131111")


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the example, a distribution of its own, which lies in docs."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs" / "example-game")


def test_a_game_nobody_knew_is_refereed_with_what_was_declared(tmp_path: Path, page: Page) -> None:
    with ExitStack() as parts:
        table = Table(tmp_path, [FULL, FOUR_MOVED, FOUR_MOVED], parts)
        table.open(page)
        page.click("[data-act=look_again]")
        expect(page.locator("#play")).to_have_attribute("data-phase", "playing")
        expect(page.locator(".cell")).to_have_count(100)
        expect(page.locator("#declaration")).to_contain_text("nothing declared")
        page.click("[data-act=turn_ended]")  # nothing declared: one press
        expect(page.locator("#headline")).to_have_text("Not legal")
        expect(page.locator(".broken-words")).to_contain_text("At most 3 pebbles are moved.")
        page.click("[data-act=put_back]")
        expect(page.locator("#headline")).to_have_text("Put back")
        page.click("[data-key=declare-open]")
        page.click("[data-key=extra-more]")
        page.click("[data-key=declare]")
        expect(page.locator("#declaration summary")).to_contain_text("Pebbles more than three: 1")
        page.click("[data-act=turn_ended]")
        expect(page.locator("#headline")).to_have_text("Legal")
        expect(page.locator("#history .log-text").first).to_contain_text("$1")
        expect(page.locator('#board .badge[data-mark="removed"]')).to_have_count(4)


def test_a_page_says_what_a_game_that_says_little_needs(tmp_path: Path, page: Page) -> None:
    with ExitStack() as parts:
        table = Table(tmp_path, [FULL], parts)
        table.open(page)
        expect(page.locator("[data-act=look_again]")).to_be_visible()
        page.evaluate("location.hash = '#/new'")
        expect(page.locator("[data-key=start]")).to_be_visible()
        page.click("[data-key=players-3]")
        expect(page.locator(".who-row")).to_have_count(3)
        page.evaluate("location.hash = '#/play'")
        told_that_no_answer_comes(page)
        expect(page.locator("#play")).to_have_attribute("data-phase", "playing")
        pieces_of_those_who_play(page)
        another_game_is_offered(page)


def told_that_no_answer_comes(page: Page) -> None:
    """Verify what is said at once where the line stands open and nothing comes back; then let the press through."""
    page.route("**/api/commands/**", lambda route: None)
    page.click("[data-act=look_again]")
    expect(page.locator("[data-act=look_again]")).to_be_disabled()
    page.keyboard.press("Space")
    expect(page.locator("#toast")).to_contain_text("still answering what was pressed before")
    expect(page.locator("#toast")).to_contain_text("No answer from the referee yet")
    toast, board = (page.locator(one).bounding_box() for one in ("#toast", "#board"))
    page.unroute("**/api/commands/**")  # lets the press through: once it is answered the toast goes
    assert toast is not None
    assert board is not None
    covered = toast["y"] + toast["height"] - board["y"]
    assert covered < 12  # the toast lies over the top of the page, not over the board


def pieces_of_those_who_play(page: Page) -> None:
    """Verify that the editor offers no others."""
    page.click("[data-key=more]")
    page.click("[data-act=correct]")
    page.click("[data-key=field-C3]")
    page.click("[data-key=piece-blue]")
    expect(page.locator('.cell[data-field="C3"]')).to_have_attribute("data-piece", "blue")
    expect(page.locator("[data-key=piece-green]")).to_have_count(0)  # nobody plays it
    page.click("[data-key=cancel]")


def another_game_is_offered(page: Page) -> None:
    """Verify that until the first turn is ruled on another game can be chosen at once, in the language chosen."""
    page.evaluate("location.hash = '#/new'")
    for language, words in (("de", "Mit dem Aufbau beginnen"), ("en", "Begin the set-up")):
        page.evaluate("async (word) => (await import('/static/prefs.js')).keep('language', word)", language)
        expect(page.locator("[data-key=start]")).to_have_text(words)
    expect(page.locator("[data-key=end-first]")).to_have_count(0)
