"""Wrong presses on every screen: each leads to a sentence that helps, and to a way on.

SCREENS=DIR keeps a picture of each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import needs_browser, open_page
from tests.web.examplegame import FULL, Table, board
from tests.web.pressing import ALL, SIZES, Sight, helped

pytestmark = needs_browser


class Pressed:
    """A page on which wrong presses are tried, and the board behind it."""

    def __init__(self, page: Page, sight: Sight, table: Table, name: str) -> None:
        self.page, self.sight, self.table, self.name, self.shots = page, sight, table, name, 0

    def phase(self, phase: str) -> None:
        expect(self.page.locator("#play")).to_have_attribute("data-phase", phase)

    def helped(self, *ways_on: str) -> None:
        """Verify that a headline and a sentence stand there, and every way on can be pressed; photograph it."""
        self.shots += 1
        helped(self.page, f"{self.name}-{self.shots:02d}", *ways_on)

    def press(self, act: str) -> None:
        self.page.locator(f"[data-act={act}]").first.click()


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the example, a distribution of its own, which lies in docs."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs" / "example-game")


@pytest.fixture(params=ALL if os.environ.get("ALL_SCREENS") else [("tablet", "en")])
def pressed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pressed]:
    size, language = request.param
    with ExitStack() as parts:
        sight = Sight()
        sight.board, sight.moving = FULL, True
        table = Table(tmp_path, [], parts, sight)
        page = parts.enter_context(open_page(*SIZES[size], locale=language))
        table.open(page)
        yield Pressed(page, sight, table, f"{size}-{language}")


def test_wrong_presses_lead_to_a_sentence_and_a_way_on(pressed: Pressed) -> None:
    page, sight = pressed.page, pressed.sight
    pressed.phase("set-up")  # a hand still over the board
    pressed.press("look_again")
    pressed.helped("begin")
    sight.moving = False
    pressed.phase("playing")

    pressed.press("turn_ended")  # too early: nobody has touched anything
    pressed.phase("unsure")
    pressed.helped("turn_over", "not_ended")
    pressed.press("not_ended")
    pressed.phase("playing")

    looks = pressed.table.loop.state.look
    page.locator("[data-act=turn_ended]").first.dblclick()  # twice
    pressed.phase("unsure")
    assert pressed.table.loop.state.look == looks + 1
    pressed.press("not_ended")
    pressed.phase("playing")

    sight.moving = True  # a hand that does not go
    pressed.press("turn_ended")
    pressed.phase("reading")
    pressed.helped("not_ended")
    pressed.press("not_ended")
    pressed.phase("playing")
    sight.moving = False

    sight.blind_s = 9.0  # nobody sees the table
    pressed.press("turn_ended")
    pressed.phase("blind")
    pressed.helped("look_again", "rule_board", "not_ended")
    sight.blind_s = 0.0
    pressed.phase("unsure")  # seen again, it goes on by itself
    pressed.press("not_ended")
    pressed.phase("playing")

    sight.board = "/".join(["0000000000"] * 10)  # swept
    pressed.press("turn_ended")
    expect(page.locator("#breach")).to_be_visible()
    pressed.helped("look_again")
    expect(page.locator("#breach button").first).to_be_enabled()
    sight.board = FULL
    pressed.phase("playing")  # seen to be back, without a press

    page.goto(f"{pressed.table.hosting.url}#/new")  # a new game in the middle of this one
    expect(page.locator("[data-key=end-first]")).to_be_visible()
    page.click("[data-key=end-first]")
    page.locator(".sheet .choices button").nth(1).click()  # a draw
    page.goto(f"{pressed.table.hosting.url}#/play")
    pressed.phase("finished")
    page.keyboard.press("Space")  # after the end
    pressed.helped("new_game")
    pressed.phase("finished")


REDRAWN = """async () => {
    const { byId, forgetDrawn } = await import("/static/dom.js");
    const { changed } = await import("/static/store.js");
    forgetDrawn(byId("actions"));
    changed();
}"""


def test_a_press_counts_for_the_turn_it_began_in_whatever_is_drawn_meanwhile(pressed: Pressed) -> None:
    page, sight, tell = pressed.page, pressed.sight, pressed.table.hosting.commands.command
    button = page.locator("[data-act=turn_ended]")
    sight.moving = False
    pressed.phase("playing")

    button.focus()
    page.keyboard.down(" ")
    page.evaluate(REDRAWN)
    page.keyboard.up(" ")
    pressed.phase("unsure")
    pressed.press("not_ended")
    pressed.phase("playing")

    button.hover()
    page.mouse.down()
    assert tell("pause", {}, "Door").accepted
    expect(button).to_have_count(0)
    assert tell("resume", {}, "Door").accepted
    expect(button).to_be_enabled()
    page.mouse.up()
    pressed.phase("unsure")
    pressed.press("not_ended")
    pressed.phase("playing")

    button.hover()
    page.mouse.down()
    looks = pressed.table.loop.state.look
    sight.board = board(R1="0111111111", R5="1111211111")
    assert tell("turn_ended", {}, "Door").accepted  # somebody else's press is faster
    expect(page.locator("#play")).to_have_attribute("data-turn", "2")
    expect(button).to_be_enabled()  # the next player's
    page.mouse.up()
    page.wait_for_timeout(300)
    assert pressed.table.loop.state.look == looks + 1


def test_two_tablets_at_once_end_one_turn(pressed: Pressed) -> None:
    page, sight = pressed.page, pressed.sight
    sight.moving = False
    pressed.phase("playing")
    browser = page.context.browser
    assert browser is not None
    other = browser.new_page(locale="en")
    pressed.table.open(other)
    expect(other.locator("[data-act=turn_ended]")).to_be_enabled()
    looks = pressed.table.loop.state.look
    buttons = [tablet.query_selector("[data-act=turn_ended]") for tablet in (page, other)]
    for button in buttons:  # two fingers come down, whatever the page draws meanwhile
        assert button is not None
        button.evaluate("button => button.click()")
    for tablet in (page, other):
        expect(tablet.locator("#play")).to_have_attribute("data-phase", "unsure")
    assert pressed.table.loop.state.look == looks + 1
    stranger = browser.new_page(locale="en")  # a device nobody paired has no button, and is told why
    stranger.context.clear_cookies()
    stranger.goto(pressed.table.hosting.url)
    expect(stranger.locator("#play")).to_have_attribute("data-phase", "unsure")
    expect(stranger.locator("[data-act]")).to_have_count(0)
