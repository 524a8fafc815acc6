"""A phone in the hand at a virtual table: what it sends, and a turn refereed by nothing else.

SCREENS=DIR keeps pictures.
"""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from referee.demo.heldphone import HELD_S, LONGEST_HERE, ONCE_AROUND, STEP_S, HeldPhone
from referee.games import game_named
from referee.match.decision import ShowFrom
from referee.match.live import ViewsWanted
from referee.values.words import say
from referee.virtual.folder import make_table
from referee.virtual.lenses import PHONE
from referee.virtual.table import Pace, VirtualTable
from tests.demo.command import Demo
from tests.virtual.beside import FLAT
from tests.virtual.laid import BOARDS
from tests.web.browser import needs_browser, open_page

KIT = game_named("terra-turrium").kit
SCREENS = os.environ.get("SCREENS")


class Hand:
    """A virtual table with a phone, whose thread makes as many steps as a test wants."""

    def __init__(self, folder: Path) -> None:
        setup = make_table(folder, "terra-turrium", held=True)
        self.table = VirtualTable(
            setup, KIT, lambda scene: None, BOARDS["terra-turrium"], Pace(0, 0, 0), lambda _: False
        )
        self.sent: list[tuple[float, float]] = []
        self.pictures: list[bytes] = []
        self._left = 0
        self.phone = HeldPhone(self.table, setup, KIT, self._offered, self._stopped)

    def _offered(self, camera: str, jpeg: bytes, age_s: float) -> bool:
        assert (camera, age_s) == (PHONE, 0.0)
        self.sent.append(self.phone.side)
        self.pictures.append(jpeg)
        return True

    def _stopped(self, seconds: float) -> bool:
        assert seconds == STEP_S
        self._left -= 1
        return self._left < 0

    def steps(self, count: int) -> list[tuple[float, float]]:
        """Let some time pass, and return the sides pictures were sent from."""
        self.sent.clear()
        self._left = count
        self.phone.run()
        return list(self.sent)


@pytest.fixture
def hand(tmp_path: Path) -> Hand:
    return Hand(tmp_path)


def test_a_phone_that_nobody_holds_sends_nothing(hand: Hand) -> None:
    assert hand.steps(5) == []
    hand.phone.hold(90, 45)
    before = hand.table.version
    assert hand.steps(3) == [(90, 45)] * 3
    hand.phone.away()
    assert hand.table.version > before, "the page hears of it"
    assert hand.steps(3) == []


def test_a_phone_that_is_left_alone_goes_off(hand: Hand) -> None:
    hand.phone.hold(90, 45)
    assert len(hand.steps(round(2 * HELD_S / STEP_S))) == round(HELD_S / STEP_S) - 1
    assert not hand.phone.on


def test_its_pictures_show_the_board(hand: Hand) -> None:
    hand.phone.hold(180, 50)
    hand.steps(1)
    picture = cv2.imdecode(np.frombuffer(hand.pictures[0], np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (960, 1280, 3)


def test_a_walk_goes_on_with_every_view_to_the_side_that_is_wanted(hand: Hand) -> None:
    hand.phone.follow(ViewsWanted(0, 10))
    hand.phone.walk()
    (first,) = hand.steps(1)
    assert hand.steps(1) == [first], "no view came yet"
    hand.phone.follow(ViewsWanted(1, 10, show=ShowFrom(150, 35, (), say("Come"))))
    assert hand.steps(1) == [(150, 35)]
    assert len(set(hand.steps(2 * LONGEST_HERE))) > 1, "where no view comes it goes on all the same"
    hand.phone.follow(None)
    assert hand.steps(2) == []
    assert not hand.phone.on


def test_where_nothing_is_asked_a_walk_goes_once_around(hand: Hand) -> None:
    hand.phone.walk()
    assert len(set(hand.steps(100))) == ONCE_AROUND
    assert not hand.phone.on


@needs_browser
@pytest.mark.browser
@pytest.mark.long
def test_the_set_up_and_a_turn_are_shown_by_a_phone_that_is_walked_around() -> None:
    with Demo(None, "--play", "--phone", "--people", "4") as run, open_page(1280, 900) as page:
        page.add_init_script(FLAT)
        page.goto(run.until(r"http://\S+/virtual#\S+")[0])
        walked_around(page)


def walked_around(page: Page) -> None:
    """Show the set-up, and the turn after it."""
    expect(page.locator("#phone .ring")).to_be_visible(timeout=60_000)
    tablet = page.frame_locator("#tablet")
    expect(tablet.locator("#headline")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Walk around for me").click()
    expect(tablet.locator("#headline")).to_have_text("The set-up is right", timeout=120_000)
    expect(tablet.locator("#tour .tour-step")).to_contain_text("1 of 7: A phone in the hand")
    page.get_by_role("button", name="Play a turn for me").click()
    expect(page.get_by_role("button", name="Walk around for me")).to_be_enabled(timeout=60_000)
    if not os.environ.get("ALL_SCREENS"):
        return  # tests/virtual/test_scripts.py plays turns in this way, tests/web/test_in_hand.py on the page
    page.get_by_role("button", name="Turn ended").click()
    expect(tablet.locator("#play")).to_have_attribute("data-phase", "reading", timeout=60_000)
    page.get_by_role("button", name="Walk around for me").click()
    expect(tablet.locator("#headline")).to_have_text("Legal", timeout=120_000)
    expect(tablet.locator("#tour .tour-step")).not_to_contain_text("A phone in the hand")
    if SCREENS:
        page.screenshot(path=f"{SCREENS}/virtual-phone.png")
