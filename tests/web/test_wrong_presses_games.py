"""Wrong presses in the games that come along: each leads to a sentence that helps, and to a way on.

``make browser`` plays all of them; SCREENS=DIR keeps a picture of each.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.bank import Bank, Hand
from tests.web.banking import THREE, begun
from tests.web.browser import needs_browser, open_page
from tests.web.castles import castles_played
from tests.web.pressing import ALL, LONG, SIZES, helped, long
from tests.web.turned import tower_played
from tests.web.turnedturns import TURNS
from tests.web.whole import Game

pytestmark = needs_browser


def looks_taken(game: Game) -> int:
    """Count how often the referee looked because it was asked to."""
    events = game.page.request.get(f"{game.url}api/events?after=0&limit=500").json()["events"]
    return sum(event["kind"] == "look_taken" for event in events)


def wrong_presses(game: Game, name: str, *ways_on: str) -> None:
    """Press too early, twice, and as a stranger, on a table with cameras. ways_on: from a press too early."""
    page = game.page
    looks = looks_taken(game)
    game.press("turn_ended")  # too early: nobody has touched anything
    game.phase("unsure")
    helped(page, f"{name}-early", "not_ended", *ways_on)
    game.press("not_ended")
    game.phase("playing")
    page.locator("[data-act=turn_ended]").first.dblclick()
    game.phase("unsure")
    assert looks_taken(game) == looks + 2
    with game.guest() as stranger:
        expect(stranger.locator("#play")).to_have_attribute("data-phase", "unsure")
        expect(stranger.locator("[data-act]")).to_have_count(0)
        helped(stranger, f"{name}-stranger")
    game.press("not_ended")
    game.phase("playing")


@long
@pytest.mark.parametrize(("size", "language"), [one.values[0] for one in ALL])
def test_castles(size: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    with castles_played(tmp_path, SIZES[size], language) as game:
        wrong_presses(game, f"torres-{size}-{language}", "turn_over")


@long
@pytest.mark.parametrize(("size", "language"), [one.values[0] for one in ALL])
def test_a_tower(size: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    with tower_played(tmp_path, TURNS[0][0], SIZES[size], language) as game:
        wrong_presses(game, f"turris-{size}-{language}", "turn_over")


BANK_SIZES = {"phone": "phone", "tablet": "tablet", "desktop": "desktop"}


@pytest.mark.parametrize(("size", "language"), [one.values[0] for one in ALL] if LONG else [("phone", "de")])
def test_the_banker(size: str, language: str, tmp_path: Path) -> None:
    with open_page() as any_page, ExitStack() as parts:
        browser = any_page.context.browser
        assert browser is not None
        bank = Bank(tmp_path, parts, THREE)
        name = f"terrabilis-{size}-{language}"
        page = bank.device(browser, BANK_SIZES[size], "Tablet", locale=language)
        hand = begun(page)
        page.locator("[data-act=turn_ended]").first.click()  # too early: nobody has thrown the dice
        expect(page.locator("#toast")).not_to_be_empty()
        helped(page, f"{name}-early", "turn_ended")
        expect(page.locator("#play")).to_have_attribute("data-phase", "playing")
        hand.option("roll 1+2")
        page.locator("[data-act=turn_ended]").first.click()  # in its middle: what is missing is said
        expect(page.locator("#play")).to_have_attribute("data-phase", "unsure")
        helped(page, f"{name}-middle", "not_ended", "turn_over")
        page.locator("[data-act=not_ended]").first.click()
        expect(page.locator("#play")).to_have_attribute("data-phase", "playing")
        for option in ("draw energy", "install eoliennes"):  # what was told before stands
            hand.option(option)
        other = Hand(bank.device(browser, "tablet", "Other tablet"))
        turn = bank.position.turn
        before = bank.loop.journal.journal.last
        buttons = [each.query_selector("[data-act=turn_ended]") for each in (page, other.page)]
        for button in buttons:  # two fingers come down, whatever the page draws meanwhile
            assert button is not None
            button.evaluate("button => { button.click(); button.click(); }")
        other.heard(before + 1)
        page.wait_for_timeout(500)
        assert bank.position.turn == turn + 1
        helped(page, f"{name}-two", "turn_ended")
        stranger = browser.new_page(locale=language)  # a device nobody paired has no button, and is told why
        stranger.goto(bank.hosting.url)
        expect(stranger.locator("#play")).to_have_attribute("data-phase", "playing")
        expect(stranger.locator("[data-act]")).to_have_count(0)
