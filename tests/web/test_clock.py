"""A game with a clock in a real browser: chosen on the page, started by a press, stopped by a dispute, run out."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from referee.archive.export import record_of_state
from referee.daemon.gamejournal import carried_on
from referee.games import package_named
from referee.match.events import ClockMoved
from tests.web.bank import Bank
from tests.web.banking import begun, unbarred
from tests.web.browser import needs_browser

pytestmark = [needs_browser, pytest.mark.browser]
THREE = {"seats": {"first": "red", "second": "blue", "third": "green"}}


def chosen(page: Page) -> None:
    """Begin another game, with five minutes for each and Bronstein's five seconds."""
    page.evaluate("location.hash = '#/new'")
    page.select_option("[data-key=clock-total_s]", "300")
    page.select_option("[data-key=clock-bonus]", "5")
    page.select_option("[data-key=clock-kind]", "delay_s")
    page.click("[data-key=start]")
    expect(page.locator("#play")).to_be_visible()


def disputed_and_settled(bank: Bank, page: Page) -> None:
    """Verify that while a dispute is open the clock stands, however long it takes."""
    page.evaluate("location.hash = '#/record'")
    page.click("[data-key=dispute]")
    page.click(".sheet button[type=submit]")
    expect(page.locator("[data-key=settle-1]")).to_be_visible()
    page.evaluate("location.hash = '#/play'")
    expect(page.locator("#clock")).to_contain_text("a dispute is open")
    bank.forward_s += 5000
    page.evaluate("location.hash = '#/record'")
    page.click("[data-key=settle-1]")
    page.click(".sheet .choices button:first-child")
    page.evaluate("location.hash = '#/play'")
    expect(page.locator("#clock")).not_to_contain_text("a dispute is open")


def test_from_the_first_press_to_a_flag_fall(tmp_path: Path, browser: Browser) -> None:
    with ExitStack() as parts:
        bank = Bank(tmp_path, parts, THREE)
        page = bank.device(browser, "tablet", "Kitchen tablet")
        chosen(page)
        hand = begun(page)
        expect(page.locator("#clock")).to_contain_text("when the first turn is ended")
        first = bank.position.to_move.word
        hand.option("roll 1+2")
        hand.option("draw energy")
        hand.option("install eoliennes")
        hand.end()
        second = bank.position.to_move.word
        room = browser.new_page(viewport={"width": 1920, "height": 1080})
        room.goto(f"{bank.hosting.url}watch")
        expect(room.locator(f'.room-time[data-clock="{second}"]')).to_contain_text("4:5")
        assert bank.state.clock is not None
        assert (bank.state.clock.player, bank.state.clock.running) == (second, True)
        unbarred(page)
        disputed_and_settled(bank, page)
        bank.forward_s += 270
        expect(page.locator(".clock-now")).not_to_contain_text("4:", timeout=30_000)
        bank.forward_s += 60
        expect(page.locator("#ruling")).to_have_attribute("data-tone", "time", timeout=30_000)
        expect(room.locator("#room")).to_have_attribute("data-tone", "time")
        expect(room.locator(f'.room-time[data-clock="{second}"]')).to_have_text("0:00")
        page.click("[data-key=give_time]")
        page.click(f"[data-key=give-{second}-30]")
        expect(page.locator("#ruling")).not_to_have_attribute("data-tone", "time")
        expect(page.locator(".clock-now")).to_contain_text("0:")
        bank.forward_s += 40
        expect(page.locator("#ruling")).to_have_attribute("data-tone", "time", timeout=30_000)
        page.click("[data-key=end_game]")
        page.locator(".sheet .chip").first.click()
        page.click(".sheet .choices button:first-child")
        expect(page.locator("#play")).to_have_attribute("data-phase", "finished")
        kept(bank, first, second)


def kept(bank: Bank, first: str, second: str) -> None:
    """Verify that the journal tells all of it, and leads to the same state; the record says what each turn took."""
    state, journal = bank.state, bank.loop.journal.journal
    assert carried_on(journal, package_named("terrabilis").game) == state
    moved = [entry for entry in journal.entries() if entry.kind == ClockMoved.kind]
    assert [entry.data["fallen"] for entry in moved if "fallen" in entry.data][:1] == [second]
    assert moved[0].data["player"] == second
    assert state.clock is not None
    assert state.clock.left_ms[first] == 300_000
    assert state.history[0].time_ms == 0
    begun_at = next(journal.entries()).at
    assert "took 0.0 s" in record_of_state(state, begun_at).text
