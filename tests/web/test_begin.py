"""A set-up that one camera does not see whole, in a real browser: each field it can't tell is told with one touch."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from referee.daemon import GameJournal, TableSight, TurnLoop, open_game
from referee.daemon.hosting import Hosting
from referee.games.package import GamePackage
from referee.service.settings import Page as PageSettings
from referee.values.board import Board, Field
from tests.daemon.running import RestingSight, run_in_thread
from tests.daemon.toldgrid import TERRA, TORRES, ToldEyes, flags_of, hidden, new, set_up
from tests.match.loops import QuickJournal
from tests.web.browser import needs_browser, open_page

pytestmark = [needs_browser, pytest.mark.browser]


class Table:
    """A new game refereed in a thread, and its page on a device that may act."""

    def __init__(self, folder: Path, package: GamePackage, seen: str, page: Page, parts: ExitStack) -> None:
        game = package.game
        journal = parts.enter_context(QuickJournal(folder / "game.journal"))
        self.hosting = Hosting(
            PageSettings(port=0), folder, lambda: self.loop.journal, lambda: self.loop.state, parts
        )
        self.sight, desk = RestingSight(board=seen, patience_s=3.0), self.hosting.commands
        desk.on_put(self.sight.wake)
        session = GameJournal(journal, open_game(journal, game, new(package), "Table"))
        self.loop = TurnLoop(
            game, TableSight(self.sight, ToldEyes(game.kit)), session, desk, self.hosting.publisher.publish
        )
        self.hosting.serve(self.hosting.metrics())
        run_in_thread(self.loop, self.sight.wake, parts)
        _, token = self.hosting.auth.devices.pair("Tablet")
        page.context.add_cookies([{"name": self.hosting.auth.name, "value": token, "url": self.hosting.url}])
        page.goto(self.hosting.url)


def _answered(page: Page, laid: Board, name: str) -> Locator:
    """Say of a field what stands there; return the button."""
    button = page.locator(f'[data-key="{name}-stands-{laid.stands(Field.from_name(name))}"]')
    button.click()
    return button


@pytest.mark.parametrize(("package", "size"), [(TERRA, (1024, 768)), (TERRA, (390, 844)), (TORRES, (1024, 768))])
def test_each_field_nobody_sees_is_told_with_one_touch(
    tmp_path: Path, parts: ExitStack, package: GamePackage, size: tuple[int, int]
) -> None:
    laid = set_up(package)
    pieces = [flags_of(laid, "r")[0], flags_of(laid, "y")[1]] if laid.flags.any() else []
    hides = [*(place.name for place in pieces), "A1", "H8"]
    page = parts.enter_context(open_page(*size))
    table = Table(tmp_path, package, hidden(laid, hides), page, parts)
    expect(page.locator("#headline")).to_have_text("Not all of the board can be seen")
    expect(page.locator(".mark-unsure")).to_have_count(len(hides))
    page.click("[data-act=begin]")  # one press: nobody is asked whether the position is as agreed
    expect(page.locator("#headline")).to_have_text("What stands there?")
    expect(page.locator("[data-asked]")).to_have_count(len(hides))
    for name in hides[:-1]:
        expect(_answered(page, laid, name)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-asked] [aria-pressed=true]")).to_have_count(len(hides) - 1)
    expect(page.locator(".mark-unsure")).to_have_count(1)
    _answered(page, laid, hides[-1])
    expect(page.locator("#play")).to_have_attribute("data-phase", "playing")
    for place in pieces:
        expect(page.locator(f'.cell[data-field="{place.name}"]')).to_have_attribute(
            "data-piece", r"red" if place == pieces[0] else "yellow"
        )
    assert table.loop.state.position.observed == laid


def test_a_missing_flag_is_named_and_the_whole_board_can_be_told_by_hand(tmp_path: Path, parts: ExitStack) -> None:
    laid = set_up(TERRA)
    place = flags_of(laid, "r")[0]
    page = parts.enter_context(open_page())
    table = Table(tmp_path, TERRA, laid.with_field(place, int(laid.heights[place]), 0).text, page, parts)
    page.click("[data-act=begin]")
    expect(page.locator("#detail")).to_contain_text("Red starts with 6 flags on the board, but has 5 there")
    page.click("[data-key=otherwise]")
    page.click("[data-key=save]")
    expect(page.locator("#toast")).to_contain_text("Red starts with 6 flags on the board, but has 5 there")
    page.click(f"[data-key=field-{place.name}]")
    page.click("[data-key=piece-red]")
    page.click("[data-key=save]")
    expect(page.locator("#play")).to_have_attribute("data-phase", "playing")
    assert table.loop.state.position.observed == laid


def test_flags_in_other_corners_are_played_with_after_one_touch(tmp_path: Path, parts: ExitStack) -> None:
    laid = set_up(TERRA, seats={"nw": "yellow", "ne": "red", "se": "green", "sw": "blue"})
    page = parts.enter_context(open_page())
    table = Table(tmp_path, TERRA, laid.text, page, parts)
    expect(page.locator("#headline")).to_have_text("Other seats?")
    expect(page.locator("#detail")).to_contain_text("Yellow at the top left, Red at the top right")
    expect(page.locator("[data-act=new_game]")).to_have_text("Other players or edition")
    page.click(".main[data-act=take_seats]")
    expect(page.locator("#play")).to_have_attribute("data-phase", "playing")
    assert table.loop.state.position.observed == laid
    page.click("[data-key=more]")
    page.click("[data-act=new_game]")
    for place, colour in enumerate(("yellow", "red", "green", "blue")):  # the seats just seen are kept
        expect(page.locator(f"[data-key=colour-{place}-{colour}]")).to_have_attribute("aria-pressed", "true")
