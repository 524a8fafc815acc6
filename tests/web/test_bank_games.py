"""Whole games on the banker's page: won, lost together, with loans and an elimination; two tablets and a phone.

They take a while: ``make browser`` plays them.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from referee.archive.export import record_of_state
from referee.games import package_named
from referee.games.record import parse_record
from tests.web.bank import Bank, Hand
from tests.web.banking import THREE, USUAL_TAPS, account, begun, unbarred
from tests.web.browser import needs_browser

pytestmark = [
    needs_browser,
    pytest.mark.skipif(not os.environ.get("ALL_SCREENS"), reason="make browser plays the long games"),
]


def replays(bank: Bank) -> None:
    """Verify that the game's record tells the same game again."""
    package = package_named("terrabilis")
    record = parse_record(record_of_state(bank.state, "2026-01-01T00:00:00Z").text)
    position = package.records.start(record)
    for entry in record.turns:
        ruling = package.records.play(position, entry)
        assert ruling.legal, entry
        position = ruling.next
    assert position.to_json() == bank.position.to_json()


def test_three_players_to_the_win_on_two_tablets_and_a_phone(
    tmp_path: Path, browser: Browser, parts: ExitStack
) -> None:
    bank = Bank(tmp_path, parts, THREE | {"target": 3})
    kitchen = bank.device(browser, "tablet", "Kitchen tablet")
    other = bank.device(browser, "upright", "Other tablet", locale="de", color_scheme="dark")
    phone = bank.device(browser, "phone", "Anna's phone", "blue", locale="fr")
    red, green, blue = begun(kitchen), Hand(other), Hand(phone)

    red.option("roll 1+3")  # told wrongly, and taken back
    expect(kitchen.locator('[data-group="hazard"]')).to_be_visible()
    red.option("undo")
    red.option("roll 1+2")
    red.option("draw economic")
    red.option("install artisans")
    red.end()
    unbarred(kitchen)

    blue.option("roll 6+6")  # the phone's own turn: a catastrophe, on which the others choose on their tablets
    red.option("red pours green")
    green.option("green pours yellow")
    unbarred(other)
    blue.end()
    unbarred(phone)
    assert bank.position.zone == (2, 2)

    green.option("roll 1+4")  # the Alliance
    green.option("join")
    green.option("red joins")
    green.end()
    assert {who.word for who, line in bank.position.ledger.items() if line.member} == {"red", "green"}

    developed(red, "1+2", "energy", "eoliennes")
    blue.option("roll 1+1")
    blue.option("answer normal energy")
    blue.end()
    developed(green, "1+2", "social", "reserve")
    red.option("roll 1+1")
    red.option("draw economic")
    red.option("install maraichage")
    red.end()
    for page in (kitchen, other, phone):
        expect(page.locator("#play")).to_have_attribute("data-phase", "finished")
        unbarred(page)
    assert [winner.word for winner in bank.position.winners] == ["red"]
    replays(bank)


def developed(hand: Hand, dice: str, pile: str, card: str) -> None:
    """Play a usual turn: four touches."""
    hand.taps = 0
    hand.option(f"roll {dice}")
    hand.option(f"draw {pile}")
    hand.option(f"install {card}")
    hand.end()
    assert hand.taps == USUAL_TAPS


def test_a_difference_is_asked_first_and_a_changed_declaration_puts_it_right(
    tmp_path: Path, browser: Browser, parts: ExitStack
) -> None:
    bank = Bank(tmp_path, parts, THREE, {"ledger": {"red": {"pawn": 4}}})
    tablet = bank.device(browser, "tablet", "Kitchen tablet")
    hand = begun(tablet)
    hand.option("roll 4+4")
    hand.option("blue pours green")
    hand.option("green pours yellow")
    compared(hand, {"zone.green": "1", "zone.yellow": "3"})
    hand.end()
    expect(tablet.locator("#ruling")).to_have_attribute("data-tone", "unsure")
    expect(tablet.locator('[data-key="way-0"]')).to_contain_text("Blue: Pour a yellow counter")
    unbarred(tablet)
    hand.press("way-0")
    expect(tablet.locator("#ruling")).to_have_attribute("data-tone", "legal")
    assert bank.position.zone == (1, 3)
    hand.option("roll 1+1")
    hand.option("answer normal money")
    counted(hand, "blue", {"money": "30000"})
    hand.end()
    expect(tablet.locator("#ruling")).to_have_attribute("data-tone", "unsure")
    hand.press("turn_over")  # nothing was told wrongly: only now it is a breach, which all let stand
    expect(tablet.locator('[data-rule="ledger.count"]')).to_be_visible()
    unbarred(tablet)
    tablet.click('[data-act="accept"]')
    tablet.click(".sheet .row button:last-child")
    expect(tablet.locator("#play")).to_have_attribute("data-phase", "playing")
    expect(account(tablet, "blue", "money")).to_have_attribute("data-value", "30000")


def asked(hand: Hand, option: str, answers: dict[str, str]) -> None:
    """Answer what an option asks."""
    button = hand.page.locator(f'[data-key="option-{option}"]')
    if not button.is_visible():
        hand.tap("group-anytime")
    hand.tap(f"option-{option}")
    for key, text in answers.items():
        hand.page.fill(f'[data-key="{key}"]', text)
    hand.press("send-answers")


def compared(hand: Hand, answers: dict[str, str]) -> None:
    """Say what lies on the table."""
    asked(hand, "seen", answers)


def counted(hand: Hand, who: str, answers: dict[str, str]) -> None:
    """Let a player count."""
    asked(hand, f"{who} counts", answers)


def test_lost_together(tmp_path: Path, browser: Browser, parts: ExitStack) -> None:
    two = {"seats": {"first": "red", "second": "blue"}}
    bank = Bank(tmp_path, parts, two, {"ledger": {"red": {"pawn": 4}, "blue": {"yellow": 1}}})
    tablet = bank.device(browser, "tablet", "Kitchen tablet", locale="fr", color_scheme="dark")
    hand = begun(tablet)
    hand.option("roll 4+4")
    hand.option("blue pours yellow")
    hand.end()
    expect(tablet.locator("#play")).to_have_attribute("data-phase", "finished")
    assert bank.position.winners == ()
    unbarred(tablet)
    replays(bank)


def test_loans_and_an_elimination(tmp_path: Path, browser: Browser, parts: ExitStack) -> None:
    loan = {"lap": 1, "repaid": None}
    ledger = {"red": {"pawn": 20, "loans": [loan], "money": 9000}, "blue": {"loans": [loan], "money": 40000}}
    bank = Bank(tmp_path, parts, THREE, {"lap": 2, "ledger": ledger})
    tablet = bank.device(browser, "tablet", "Kitchen tablet")
    phone = bank.device(browser, "phone", "Anna's phone", "blue")
    hand, own = begun(tablet), Hand(phone)
    expect(tablet.locator(".reminders")).to_contain_text("Red must repay 22,000 Terras by the end of this lap")
    hand.folded("green borrows")
    expect(account(tablet, "green", "money")).to_have_attribute("data-value", "46000")
    hand.option("undo")
    hand.option("roll 6+6")  # the lap ends
    own.folded("blue repays")  # on the own phone
    unbarred(phone)
    hand.end()
    expect(tablet.locator('[data-account="red"] .badges')).to_contain_text("out")
    assert bank.position.ledger[bank.position.players[0]].out
    assert bank.position.to_move.word == "blue"
    assert not bank.position.ledger[bank.position.players[1]].open_loans
    own.option("roll 1+1")
    own.option("answer expert energy")
    own.end()
    hand.option("roll 1+2")
    hand.option("draw social")
    hand.option("discard ecole")
    hand.end()
    unbarred(tablet)
    assert bank.position.to_move.word == "blue"
    replays(bank)
