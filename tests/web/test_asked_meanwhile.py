"""What a page asks or lets be put right holds for the table as it stood then; who comes too late is told so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.buttonbox.box import until
from tests.daemon.running import RestingSight
from tests.web.bank import Bank
from tests.web.banking import THREE
from tests.web.browser import needs_browser, open_page
from tests.web.examplegame import FULL, Table, board

pytestmark = needs_browser
LEGAL = board(R1="0111111111", R5="1111211111")
FOUR_MOVED = board(R1="0000111111", R5="1111311111", R6="1111131111")


class Stones:
    """Three Stones with a page, and somebody at the door who acts, too."""

    def __init__(self, folder: Path, parts: ExitStack) -> None:
        self.sight = RestingSight(patience_s=3.0)
        self.sight.board = FULL
        self.table = Table(folder, [], parts, self.sight)
        self.page: Page = parts.enter_context(open_page())
        self.table.open(self.page)
        self.phase("playing")

    def phase(self, phase: str) -> None:
        expect(self.page.locator("#play")).to_have_attribute("data-phase", phase)

    def door(self, command: str, **arguments: object) -> None:
        """Have somebody at the door press something."""
        assert self.table.hosting.commands.command(command, arguments, "Door").accepted

    def choose(self, act: str) -> None:
        """Choose something from the sheet of further actions."""
        self.page.click("[data-key=more]")
        self.page.click(f".sheet [data-act={act}]")

    def told_that_somebody_was_faster(self) -> None:
        expect(self.page.locator("#toast")).to_contain_text("Somebody was faster")


@pytest.fixture
def stones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stones]:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs" / "example-game")
    with ExitStack() as parts:
        yield Stones(tmp_path, parts)


def test_all_agree_accepts_only_the_breach_that_was_shown(stones: Stones) -> None:
    page, state = stones.page, lambda: stones.table.loop.state
    stones.sight.board = FOUR_MOVED
    page.click("[data-act=turn_ended]")
    stones.phase("violation")
    page.click("[data-act=accept]")
    stones.door("put_back")
    stones.door("turn_ended")  # the same board is another turn
    until(lambda: len(state().history) == 2 and state().phase.value == "violation")
    page.locator(".sheet .main").click()
    stones.told_that_somebody_was_faster()
    assert not any(entry.counts for entry in state().history)


def test_a_correction_lets_a_turn_stand_that_was_ruled_on_meanwhile(stones: Stones) -> None:
    page, state = stones.page, lambda: stones.table.loop.state
    stones.choose("correct")
    expect(page.locator("[data-key=save]")).to_be_visible()
    stones.sight.board = LEGAL
    stones.door("turn_ended")
    until(lambda: state().position.turn == 2)
    expect(page.locator("#play")).to_have_attribute("data-turn", "2")
    page.click("[data-key=save]")
    stones.told_that_somebody_was_faster()
    assert state().position.observed.text == LEGAL
    expect(page.locator("#editor")).to_be_hidden()


def test_a_sheet_says_what_can_not_be_done_any_more_and_goes_with_its_screen(stones: Stones) -> None:
    page = stones.page
    page.goto(f"{stones.table.hosting.url}#/settings")
    page.goto(f"{stones.table.hosting.url}#/play")
    page.click("[data-key=more]")
    page.go_back()
    expect(page.locator(".sheet")).to_have_count(0)
    page.go_forward()
    page.click("[data-key=more]")
    stones.door("end_game", how="abandoned")
    stones.phase("finished")
    page.click(".sheet [data-act=end_game]")
    stones.told_that_somebody_was_faster()


def test_what_is_told_all_the_same_is_told_of_the_turn_it_was_asked_in(tmp_path: Path) -> None:
    poor = {"ledger": {"red": {"money": 1000}}}
    with ExitStack() as parts, open_page() as tablet:
        bank = Bank(tmp_path, parts, THREE, poor)
        bank.let_in(tablet.context, "Tablet", page=tablet)
        tablet.click("[data-act=begin]")
        expect(tablet.locator("#play")).to_have_attribute("data-phase", "playing")
        tell = bank.hosting.commands.command
        assert tell("declare", {"declared": {"acts": "roll 1+2; draw energy"}}, "Door").accepted
        tablet.locator('[data-key="option-install eoliennes"]').first.click()
        expect(tablet.locator(".sheet")).to_be_visible()
        assert tell("declare", {"declared": {"acts": "roll 1+2; draw energy; discard usine"}}, "Door").accepted
        assert tell("turn_ended", {}, "Door").accepted
        until(lambda: bank.state.position.to_move.word == "blue")
        expect(tablet.locator("#play")).to_have_attribute("data-turn", "2")
        tablet.get_by_role("button", name="Tell it all the same").click()
        expect(tablet.locator("#toast")).to_contain_text("faster")
        assert not bank.state.turn.declared
