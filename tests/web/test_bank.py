"""The page as the game's banker: a usual turn takes four touches, a phone declares for one player."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.bank import Bank, Hand
from tests.web.banking import THREE, USUAL_TAPS, account, begun, unbarred
from tests.web.browser import needs_browser

pytestmark = [needs_browser, pytest.mark.browser]


def test_how_many_infrastructures_win_is_agreed_before_play(
    tmp_path: Path, browser: Browser, parts: ExitStack
) -> None:
    bank = Bank(tmp_path, parts, THREE)
    tablet = bank.device(browser, "tablet", "Kitchen tablet")
    tablet.evaluate("location.hash = '#/new'")
    expect(tablet.locator(".stepper-value")).to_have_text("12")
    for left in range(11, 7, -1):
        tablet.click("[data-key=target-less]")
        expect(tablet.locator(".stepper-value")).to_have_text(str(left))
    unbarred(tablet)
    tablet.click("[data-key=start]")
    expect(tablet.locator("[data-key=begin]")).to_have_class("main")
    begun(tablet)
    assert bank.position.target == 8
    end, more = (tablet.locator(f"[data-key={key}]") for key in ("turn_ended", "more"))
    assert end.evaluate("node => node.offsetLeft") < more.evaluate("node => node.offsetLeft")
    expect(tablet.locator("[data-account=red]")).to_contain_text("0 of 8 cards")


def test_a_usual_turn_takes_four_touches_and_a_phone_declares_for_one_player(
    tmp_path: Path, browser: Browser, parts: ExitStack
) -> None:
    bank = Bank(tmp_path, parts, THREE)
    tablet = bank.device(browser, "tablet", "Kitchen tablet")
    hand = begun(tablet)
    hand.option("roll 1+2")
    hand.option("draw energy")
    expect(tablet.locator('[data-key="option-install eoliennes"]')).to_contain_text("−8,500 Terras")
    hand.option("install eoliennes")
    expect(account(tablet, "red", "money")).to_have_attribute("data-value", "20500")
    hand.end()
    assert hand.taps == USUAL_TAPS
    assert bank.position.to_move.word == "blue"
    phone = bank.device(browser, "phone", "Anna's phone", "blue")
    own = Hand(phone)
    own.option("roll 1+1")
    own.option("answer expert money")
    own.end()
    expect(phone.locator("#now")).to_contain_text("Green to play")
    expect(phone.locator(".bank-throw")).to_have_count(0)  # another player's dice are not its own
    expect(phone.locator("[data-act=turn_ended]")).to_have_count(0)
    assert bank.state.history[-1].player.word == "blue"
    unbarred(tablet)
    unbarred(phone)
    phone.get_by_role("button", name="History of Blue").click()
    expect(phone.locator(".account-history tbody tr")).to_have_count(1)
    expect(phone.locator(".account-history")).to_contain_text(re.compile(r"Prize.*\+5,000 Terras.*38,000"))
    too_wide_px = "node => node.scrollWidth - node.clientWidth"
    assert phone.locator(".account-history").evaluate(too_wide_px) <= 0  # a balance cut off reads as another number


def test_keys_do_as_well_and_what_is_no_number_is_neither_dropped_nor_taken_for_another(
    tmp_path: Path, browser: Browser, parts: ExitStack
) -> None:
    """Who plays with keys stays where the last key was pressed."""
    bank = Bank(tmp_path, parts, THREE)
    tablet = bank.device(browser, "tablet", "Kitchen tablet")
    begun(tablet)
    acts = ("roll 1+2", "draw energy", "install eoliennes")
    for told, key in enumerate(acts, 1):
        option = tablet.locator(f'[data-key="option-{key}"]')
        expect(tablet.locator("[data-act=turn_ended]")).to_be_enabled()  # what was told before is answered
        option.press("Enter")
        expect(tablet.locator(".bank-said li")).to_have_count(told)
        assert tablet.evaluate("document.activeElement.contains(document.querySelector('.bank-said'))")
        assert tablet.evaluate("document.activeElement !== document.body")
    tablet.click("[data-key=group-anytime]")
    tablet.click('[data-key="option-blue counts"]')
    for typed in ("1.5", "12a", "-5", "33,0000"):
        tablet.fill(".sheet [data-key=money]", typed)
        tablet.click("[data-key=send-answers]")
        expect(tablet.locator("#toast")).to_contain_text("Terras: type a whole number from 0 on.")
        expect(tablet.locator(".sheet [data-key=money]")).to_be_focused()
    tablet.fill(".sheet [data-key=money]", "33,000")
    tablet.click("[data-key=send-answers]")
    expect(tablet.locator(".sheet")).to_be_hidden()
    assert bank.state.turn.declared == {"acts": "; ".join((*acts, "blue counts money=33000"))}
