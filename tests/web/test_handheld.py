"""What a phone in the hand offers and says, its camera off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.cli.gamebook import usual_start
from referee.daemon.phonecameras import LivePhones
from referee.games import game_named
from referee.games.answers import OtherSetup
from referee.match.events import GameStarted, LookTaken, PutBack, SetupChecked
from referee.match.live import CameraState, Live, ViewsWanted
from referee.match.phases import Phase
from referee.match.transitions import begin, step
from referee.values.words import say
from tests.match.fakes import StepGame, start
from tests.match.rulings import DIFFERENT, reading, ruled, state_in
from tests.vision.sources.patience import HASTY
from tests.web.browser import needs_browser
from tests.web.paired import paired
from vision.sources.address import parse_source
from vision.sources.camera import Camera

pytestmark = [needs_browser, pytest.mark.browser, pytest.mark.process]
LINES = """(node) => {
    const [range, lines] = [document.createRange(), new Set()];
    for (const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT); walk.nextNode();) {
        range.selectNode(walk.currentNode);
        for (const { top } of range.getClientRects()) lines.add(Math.round(top));
    }
    return lines.size;
}"""
"""On how many lines the words of a part stand."""
BEGUN = begin(GameStarted(start(), "Table"))


def test_a_phone_answers_for_other_seats_and_says_who_is_next(tmp_path: Path) -> None:
    other = SetupChecked((DIFFERENT,), other=OtherSetup(start(), say("Play with these seats?")))
    asked = step(step(step(BEGUN, LookTaken(1, setup=True)), reading()), other)
    with Camera("phone", parse_source("phone:ours"), patience=HASTY) as camera:
        phones = LivePhones({"phone": camera}, lambda name: None, held=("phone",))
        with paired(tmp_path / "asked", StepGame(), asked, phones=phones, size=(390, 844)) as (page, told):
            page.goto(f"{page.url.split('#')[0]}camera")
            expect(page.locator("#hand-headline")).to_have_text("Other seats?")
            page.click("[data-key=seats]")
            expect(page.locator("[data-key=seats]")).to_be_enabled()
            assert [name for name, _ in told.commands] == ["take_seats"]
        looked = step(step(step(BEGUN, LookTaken(1, setup=True)), reading()), SetupChecked(()))
        looked = step(step(looked, LookTaken(2)), reading())
        legal = step(looked, ruled(looked, "12r/1y1"))
        with paired(tmp_path / "legal", StepGame(), legal, phones=phones, size=(390, 844)) as (page, _):
            page.goto(f"{page.url.split('#')[0]}camera")
            expect(page.locator("#hand-next")).to_have_text("Yellow to play")


def test_a_set_up_that_only_a_phone_can_see_leads_to_the_code_that_lets_one_in(tmp_path: Path) -> None:
    game = game_named("terra-turrium")
    phone = CameraState("phone", ok=True, words=say("fine"), held=True)
    live = Live(cameras=(phone,), showing=ViewsWanted(0, 10))
    with paired(tmp_path, game, begin(GameStarted(usual_start(game), "Table")), live) as (page, _):
        expect(page.locator("#board > g:not([aria-hidden])")).to_have_attribute("role", "grid")  # as it is read aloud
        expect(page.locator("#actions .main")).to_have_attribute("data-key", "bring")
        with page.expect_response("**/api/codes**") as answered:
            page.click("[data-key=bring]")
        expect(page.locator(".big-code")).to_be_visible()
        link = str(answered.value.json()["link"])
        expect(page.locator(".sheet-words")).to_contain_text(link.partition("/camera#")[0])  # for who can't scan it
        other = open_other(page)
        other.goto(f"{page.url.partition('#')[0]}camera#{link.partition('#')[2]}")
        expect(page.locator(".big-code")).to_have_count(0)  # its one device has joined


def test_beside_a_phone_that_shows_a_turn_no_button_is_larger_than_the_others(tmp_path: Path) -> None:
    looked = step(step(step(BEGUN, LookTaken(1, setup=True)), reading()), SetupChecked(()))
    phones = CameraState("photographs", ok=True, words=say("fine"), held=True)
    live = Live(cameras=(phones,), showing=ViewsWanted(0, 10))
    with paired(tmp_path, StepGame(), step(looked, LookTaken(2)), live) as (page, _):
        expect(page.locator("[data-act=not_ended]")).to_be_visible()
        expect(page.locator("#actions .main")).to_have_count(0)
        expect(page.locator("#cameras")).to_have_text("Photographs fine")


def test_whoever_ended_a_turn_too_early_takes_that_back_on_the_phone(tmp_path: Path) -> None:
    looked = step(step(step(BEGUN, LookTaken(1, setup=True)), reading()), SetupChecked(()))
    live = Live(showing=ViewsWanted(0, 10))
    with Camera("phone", parse_source("phone:ours"), patience=HASTY) as camera:
        phones = LivePhones({"phone": camera}, lambda name: None, held=("phone",))
        with paired(tmp_path, StepGame(), step(looked, LookTaken(2)), live, phones=phones) as (page, told):
            page.goto(f"{page.url.split('#')[0]}camera")
            page.click("[data-key=not-ended]")
            expect(page.locator("[data-key=not-ended]")).to_be_enabled()
            assert [name for name, _ in told.commands] == ["not_ended"]


def test_a_long_headline_is_not_broken_within_a_word(tmp_path: Path) -> None:
    back = replace(step(state_in(Phase.VIOLATION), PutBack("")), clock=None)
    with Camera("phone", parse_source("phone:ours"), patience=HASTY) as camera:
        phones = LivePhones({"phone": camera}, lambda name: None, held=("phone",))
        narrow, german = (360, 740), ("de", "light")
        with paired(tmp_path, StepGame(), back, size=narrow, look=german, phones=phones) as (page, _):
            for address, headline in (("", "#headline"), ("camera", "#hand-headline")):
                page.goto(f"{page.url.split('#')[0]}{address}")
                expect(page.locator(headline)).to_have_text("Zurückgestellt")
                assert page.locator(headline).evaluate(LINES) == 1


def open_other(page: Page) -> Page:
    """Open a blank page on another device."""
    browser = page.context.browser
    assert browser is not None
    return browser.new_context().new_page()
