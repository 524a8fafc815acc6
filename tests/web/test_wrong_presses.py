"""Wrong presses, twice, too late or by two at once: each counts once, or leads to words that help and a way on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.daemon.running import RestingSight
from tests.web.browser import needs_browser, open_page
from tests.web.examplegame import FULL, Table, board
from tests.web.pressing import helped

pytestmark = needs_browser


class Pressed:
    """A page on which wrong presses are tried, and the board behind it."""

    def __init__(self, page: Page, sight: RestingSight, table: Table) -> None:
        self.page, self.sight, self.table = page, sight, table

    def phase(self, phase: str) -> None:
        expect(self.page.locator("#play")).to_have_attribute("data-phase", phase)

    def press(self, act: str) -> None:
        self.page.locator(f"[data-act={act}]").first.click()


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the example, a distribution of its own, which lies in docs."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs" / "example-game")


@pytest.fixture
def pressed(tmp_path: Path) -> Iterator[Pressed]:
    with ExitStack() as parts:
        sight = RestingSight(patience_s=3.0)
        sight.board, sight.moving = FULL, True
        table = Table(tmp_path, [], parts, sight)
        page = parts.enter_context(open_page())
        table.open(page)
        yield Pressed(page, sight, table)


def test_wrong_presses_lead_to_a_sentence_and_a_way_on(pressed: Pressed) -> None:
    page, sight = pressed.page, pressed.sight
    pressed.phase("set-up")  # a hand still over the board
    pressed.press("look_again")
    helped(page, "begin")
    sight.moving = False
    pressed.phase("playing")

    sight.moving = True  # a hand that does not go
    pressed.press("turn_ended")
    pressed.phase("reading")
    helped(page, "not_ended")
    pressed.press("not_ended")
    pressed.phase("playing")
    sight.moving = False

    sight.board = board(R1="0111111111", R5="1111211111")
    pressed.press("turn_ended")
    expect(page.locator("#play")).to_have_attribute("data-turn", "2")
    page.goto(f"{pressed.table.hosting.url}#/new")  # a new game in the middle of this one
    expect(page.locator("[data-key=end-first]")).to_be_visible()
    page.click("[data-key=end-first]")
    page.locator(".sheet .choices button").nth(1).click()  # a draw
    page.goto(f"{pressed.table.hosting.url}#/play")
    pressed.phase("finished")
    page.keyboard.press("Space")  # after the end
    helped(page, "new_game")
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
