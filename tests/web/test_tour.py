"""The tour of a first start: six steps, each done at the table, in three languages, and left for good.

SCREENS=DIR keeps a picture of each step.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.daemon.running import RestingSight
from tests.web.browser import needs_browser, open_page
from tests.web.examplegame import FULL, Table, board

pytestmark = [needs_browser, pytest.mark.browser]
SCREENS = os.environ.get("SCREENS")
LEGAL = board(R1="0011111111", R5="1111311111")
BREACH = board(R1="0000001111", R5="1111311111", R6="1111331111")
STEPS = {
    "en": ("A turn by the rules", "A turn against the rules", "Put back", "A question in place of a guess"),
    "de": ("Ein Zug nach den Regeln",),
    "fr": ("Un tour conforme aux règles",),
}


class Toured:
    """A page with the tour on it, and the board behind it."""

    def __init__(self, page: Page, sight: RestingSight, table: Table) -> None:
        self.page, self.sight, self.table, self.shots = page, sight, table, 0

    def step(self, title: str, number: int) -> None:
        expect(self.page.locator("#tour .tour-step")).to_contain_text(title)
        expect(self.page.locator("#tour li[data-done]")).to_have_count(number - 1)
        self.photograph()

    def photograph(self) -> None:
        if SCREENS:
            self.shots += 1
            size = self.page.viewport_size
            assert size is not None
            language = self.page.evaluate("document.documentElement.lang")
            self.page.screenshot(path=f"{SCREENS}/tour-{language}-{size['width']}-{self.shots}.png")

    def end_turn(self) -> None:
        self.page.locator("[data-act=turn_ended]").first.click()

    def phase(self, name: str) -> None:
        expect(self.page.locator("#play")).to_have_attribute("data-phase", name)


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs" / "example-game")


@pytest.fixture(params=[("en", 1024, 768)])
def toured(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Toured]:
    language, width, height = request.param
    with ExitStack() as parts:
        sight = RestingSight(patience_s=3.0)
        sight.board = FULL
        table = Table(tmp_path, [], parts, sight, tour=True)
        page = parts.enter_context(open_page(width, height, locale=language))
        table.open(page)
        yield Toured(page, sight, table)


def test_six_steps_are_done_at_the_table(toured: Toured) -> None:
    page, sight = toured.page, toured.sight
    legal, breach, back, question = STEPS["en"]
    toured.step(legal, 1)
    page.click("[data-key=tour-fold]")
    expect(page.locator("[data-key=tour-skip]")).to_have_count(0)
    expect(page.locator("#tour .tour-step")).to_contain_text(legal)
    sight.board = LEGAL
    toured.end_turn()
    toured.step(breach, 2)
    expect(page.locator("[data-key=tour-skip]")).to_be_visible()  # folded for that step alone
    expect(page.locator("#tour .tour-done")).to_contain_text(legal)
    sight.board = BREACH
    toured.end_turn()
    toured.step(back, 3)
    sight.board = LEGAL  # put back, and nobody presses anything
    toured.step(question, 4)
    toured.phase("playing")
    toured.end_turn()
    expect(page.locator("#tour")).to_contain_text("accuses nobody")
    toured.photograph()
    page.locator("[data-act=not_ended]").first.click()
    toured.step("A correction", 5)
    page.locator("#actions [data-key=more]").click()
    page.click("[data-act=correct]")
    page.locator('[data-key="field-A1"]').click()
    page.click("[data-key=higher]")
    page.click("[data-key=save]")
    toured.step("The record", 6)
    page.click("[data-key=tour-record]")
    expect(page.locator("#screen")).to_be_visible()
    expect(page.locator("#tour")).to_contain_text("That was the tour")
    toured.photograph()
    expect(page.locator("[data-key=tour-finish]")).to_be_in_viewport(ratio=1)  # the record does not push it out
    page.click("[data-key=tour-finish]")
    expect(page.locator("#tour")).to_be_hidden()
    page.goto(toured.table.hosting.url)
    toured.phase("playing")
    expect(page.locator("#tour")).to_be_hidden()  # once is enough


@pytest.mark.parametrize("toured", [("en", 390, 844)], indirect=True)
def test_a_device_that_comes_while_others_play_is_offered_the_tour_and_an_onlooker_is_not(toured: Toured) -> None:
    toured.step(STEPS["en"][0], 1)
    with open_page() as onlooker:
        onlooker.goto(toured.table.hosting.url)
        expect(onlooker.locator("#actions [data-key=pair]")).to_be_visible()
        expect(onlooker.locator("#tour")).to_be_attached()
        expect(onlooker.locator("#tour")).to_be_hidden()
    toured.sight.board = LEGAL
    toured.end_turn()
    toured.step(STEPS["en"][1], 2)
    with open_page(390, 844) as second:
        tour = second.locator("#tour")
        toured.table.open(second)
        expect(tour.locator("[data-key=tour-take]")).to_be_visible()
        expect(tour.locator(".tour-step")).to_have_count(0)
        if SCREENS:
            second.screenshot(path=f"{SCREENS}/tour-offered.png")
        second.goto(f"{toured.table.hosting.url}#/record")
        expect(second.locator("#screen")).to_be_visible()
        expect(tour).to_be_hidden()
        second.goto(toured.table.hosting.url)
        second.reload()
        second.click("[data-key=tour-take]")
        expect(tour.locator(".tour-step")).to_contain_text(STEPS["en"][0])
        second.click("[data-key=tour-leave]")
        expect(tour).to_be_hidden()
    toured.page.reload()
    toured.step(STEPS["en"][1], 2)  # who has begun the tour goes on with it


@pytest.mark.skipif(not os.environ.get("ALL_SCREENS"), reason="make browser plays it")
@pytest.mark.parametrize("toured", [("de", 390, 844), ("fr", 1600, 900)], indirect=True)
def test_it_speaks_every_language_and_is_skipped_step_by_step(toured: Toured) -> None:
    page = toured.page
    toured.step(STEPS[page.evaluate("document.documentElement.lang")][0], 1)
    for done in (1, 3, 4, 5):  # who breaks no rule has nothing to put back
        page.click("[data-key=tour-skip]")
        expect(page.locator("#tour li[data-done]")).to_have_count(done)
    page.click("[data-key=tour-skip]")
    page.click("[data-key=tour-finish]")
    expect(page.locator("#tour")).to_be_hidden()


@pytest.mark.skipif(not os.environ.get("ALL_SCREENS"), reason="make browser plays it")
def test_it_is_left_for_good(toured: Toured) -> None:
    toured.page.click("[data-key=tour-leave]")
    expect(toured.page.locator("#tour")).to_be_hidden()
    toured.page.reload()
    toured.phase("playing")
    expect(toured.page.locator("#tour")).to_be_hidden()
