"""A game refereed by one phone in a hand and nothing else: a real browser whose camera walks around a drawn board."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from referee.service.pairing import open_auth
from tests.demo.command import Demo
from tests.demo.frames import frames
from tests.shared import TABLES
from tests.vision.sources.webcam import webcam
from tests.web.browser import needs_browser, shared_browser
from tests.web.filmed import Phone
from tests.web.inhand import LOW_DEG, FilmTable, HeldTable, MixedTable, PhotographedTable

pytestmark = [needs_browser, pytest.mark.browser, pytest.mark.process, pytest.mark.long]
PORTRAIT: ViewportSize = {"width": 390, "height": 844}
MOST_S = 120.0
ALL = bool(os.environ.get("ALL_SCREENS"))
BUSY = ("reading", "ruling")
SEEN = 4
"""So many pictures more of each fixed camera, and what was put before it is what it shows."""


class InHand:
    """The phone's page, and what the referee says."""

    def __init__(self, table: FilmTable, phone: Phone, url: str) -> None:
        self.table, self.phone, self.page, self.url = table, phone, phone.page, url

    def state(self) -> dict[str, Any]:
        """Return what the API says."""
        found: dict[str, Any] = self.page.request.get(f"{self.url}api/state?lang=en").json()
        return found

    def until(self, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Wait until the state is so."""
        by = time.monotonic() + MOST_S
        while not holds(state := self.state()):
            assert time.monotonic() < by, (state["phase"], state["banner"], state["showing"])
            time.sleep(0.1)
        return state

    def seen(self) -> None:
        """Wait until the fixed cameras show what was put before them."""
        before, by = frames(self.url), time.monotonic() + MOST_S
        while any(count < before[name] + SEEN for name, count in frames(self.url).items() if name in LOW_DEG):
            assert time.monotonic() < by, (before, frames(self.url))
            time.sleep(0.05)

    def tell(self, name: str, **arguments: object) -> None:
        """Send a command through the page's own module."""
        done = self.page.evaluate(
            "async ([name, args]) => (await import('/static/session.js')).command(name, args)", [name, arguments]
        )
        assert done["ok"], done

    def press(self, key: str) -> None:
        """Touch a button at the bottom of the page."""
        self.page.click(f"[data-key={key}]")

    def ended(self) -> str:
        """End the turn and show the board until it is ruled on; the page then says so, the camera off. The verdict.

        A machine that is slow reads too few views before a look's time is over: the board is shown on then.
        """
        known = len(self.state()["history"])
        self.press("ended")
        for _ in range(3):
            state = self.until(partial(_is_ruled, known))
            expect(self.page.locator("#hand")).to_have_attribute("data-on", "false")
            expect(self.page.locator("#hand-headline")).to_have_text(str(state["banner"]["headline"]))
            verdict = str(state["history"][-1]["verdict"])
            if verdict != "unsure":
                return verdict
            known = len(state["history"])
            self.press("show")
        raise AssertionError("the referee does not settle, however often the board is shown")


def _is_ruled(known: int, state: dict[str, Any]) -> bool:
    return len(state["history"]) > known and state["phase"]["id"] not in BUSY


@contextmanager
def in_hand(table: FilmTable, folder: Path) -> Iterator[InHand]:
    """Referee a table, and open the page on a paired phone."""
    with Demo.run(*table.options) as run, ExitStack() as parts:
        url = run.url
        phone = Phone(shared_browser().browser_type, url, "phone", table.film, folder / "profile")
        parts.callback(phone.close)
        phone.start()
        phone.page.set_viewport_size(PORTRAIT)
        phone.pair(open_auth(folder / "data", parts).desk.new_code().secret)
        yield InHand(table, phone, url)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))


def test_one_phone_referees_a_game_from_the_set_up_to_its_end(tmp_path: Path) -> None:
    table = HeldTable(tmp_path)
    with in_hand(table, tmp_path) as hand:
        whole_game(hand, table)


PORCH = TABLES / "porch"


@pytest.mark.skipif(not (ALL and PORCH.exists()), reason="make browser plays it, where photographed tables lie")
def test_a_film_around_a_photographed_board_is_refereed_as_it_was_played(tmp_path: Path) -> None:
    """A turn that was ruled illegal is taken back and shown as it stood before."""
    table = PhotographedTable(tmp_path, PORCH, "game1a")
    with in_hand(table, tmp_path) as hand:
        hand.press("show")
        hand.until(lambda now: now["phase"]["id"] == "playing")
        standing = 0
        for number, frame in enumerate(table.frames[1:], 1):
            table.put(number)
            legal = frame["turn"]["legal"]
            assert hand.ended() == ("legal" if legal else "illegal"), number
            if legal:
                standing = number
                continue
            assert hand.state()["violation"]
            table.put(standing)
            hand.press("show")
            hand.until(lambda now: now["phase"]["id"] == "playing")


@pytest.mark.skipif(not ALL, reason="make browser plays it")
def test_a_phone_settles_what_two_fixed_cameras_leave_unsure(tmp_path: Path) -> None:
    with ExitStack() as parts:
        table = MixedTable(tmp_path, [parts.enter_context(webcam()) for _ in LOW_DEG])
        hand = parts.enter_context(in_hand(table, tmp_path))
        expect(hand.page.locator("#hand-headline")).to_have_text("Ready to begin", timeout=120_000)
        hand.tell("begin")  # the fixed cameras see the set-up by themselves
        hand.until(lambda now: now["phase"]["id"] == "playing")
        for board, verdicts in zip(
            table.boards.turns, (("legal",), ("unsure", "legal"), ("unsure", "legal")), strict=True
        ):
            settled(hand, table, board, verdicts)
        expect(hand.page.locator("#hand")).to_have_attribute("data-on", "false")


def settled(hand: InHand, table: MixedTable, board: str, verdicts: tuple[str, ...]) -> None:
    """Play a turn, and show it with the phone where the fixed cameras leave it unsure. verdicts: as they come."""
    known = len(hand.state()["history"])
    table.reach(board)
    hand.seen()
    table.put(board)
    hand.seen()
    hand.tell("turn_ended")  # by another device: the phone lies on the table, its camera off
    state = hand.until(partial(_is_ruled, known))
    if len(verdicts) > 1:
        assert state["phase"]["id"] == "unsure", state["banner"]
        expect(hand.page.locator("#hand-advice")).to_contain_text(str(state["showing"]["show"]["message"]))
        hand.press("show")
        state = hand.until(partial(_is_ruled, known + 1))
    assert tuple(entry["verdict"] for entry in state["history"][known:]) == verdicts, state["banner"]


def whole_game(hand: InHand, table: HeldTable) -> None:
    """Spoil a view, let the phone sleep, play a turn, and end the game."""
    page = hand.page
    expect(page.locator("#hand-headline")).to_have_text("Show the set-up")
    hand.press("show")
    hand.until(lambda now: now["phase"]["id"] == "playing")
    expect(page.locator("#hand")).to_have_attribute("data-on", "false")

    table.put(table.boards.turns[0], blurred=True)
    hand.press("ended")
    expect(page.locator("#hand-told")).to_contain_text("blurred", timeout=60_000)
    assert hand.state()["showing"]["views"] == 0
    hand.phone.locked(True)
    hand.until(lambda now: not any(camera["words"].endswith("shows the board.") for camera in now["cameras"]))
    hand.phone.locked(False)
    table.put(table.boards.turns[0])
    expect(page.locator("#hand")).to_have_attribute("data-on", "false")
    hand.press("show")
    hand.until(lambda now: now["phase"]["id"] == "playing" and now["turn"] == 2)

    hand.tell("end_game", how="agreement")
    hand.until(lambda now: now["finished"])
    expect(page.locator("#hand-headline")).to_have_text("Nobody wins")
