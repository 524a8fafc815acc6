"""A whole game by photographs from the first page on: one command, plain HTTP, nothing printed, a real browser."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from referee.games import package_named
from referee.opponents import Opponent, Strength, new_position
from tests.demo.command import Demo
from tests.shared import TABLES
from tests.web.barewalk import SIDES_DEG, BareWalk, photograph, straighten
from tests.web.browser import PATIENCE_MS, launched, long_game
from tests.web.inhand import GAME
from tests.web.phonepage import PhonePage

pytestmark = long_game
TURNS = 10
MOST_TOUCHES = 15
BY_CAMERA = 2
"""Touches in the phone's own camera for each picture: the shutter, and that the picture is taken over."""
NEAR = 0.015
"""Corners so near the board's, in shares of the picture's width, need not be drawn onto their places."""
MOST_S = 900.0
KNOWN = ("view", "wrong", "unneeded")
BOX = "wooden cubes of 20 mm with little banners"
TERRACE = TABLES / "terrace"
Corners = Mapping[str, tuple[float, float]]


class Played:
    """Boards of a game between engines, with the seats as they are before anybody chooses others."""

    def __init__(self, turns: int, seed: int) -> None:
        package = package_named(GAME)
        player = Opponent(package, Strength.WEAK, seed)
        position = new_position(package, 4)
        position = package.game.start_from_setup(position, player.set_up(position))
        self.boards = [position.observed.text]
        for _ in range(turns):
            turn = player.turn(position)
            position = turn.ruling.next
            self.boards.append(position.observed.text)

    def broken(self, after: int) -> str:
        """Return the board after some turns with one stone more than there are, in a corner."""
        rows = self.boards[after].split("/")
        return "/".join([*rows[:9], f"{1 + int(rows[9][0])}{rows[9][1:]}"])


class Visitor:
    """Somebody at the first page of a computer, with a phone that was never there. touches: counted so far."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.touches, self._browser = 0, browser
        self.page = browser.new_context(viewport={"width": 1024, "height": 768}).new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.goto(url)

    def touch(self, page: Page, name: str) -> None:
        """Touch a button by its words."""
        page.get_by_role("button", name=name).first.click()
        self.touches += 1

    def scan(self) -> tuple[BrowserContext, str]:
        """Let a phone in: return its browser, and the address that its camera reads from the square code."""
        with self.page.expect_response("**/api/codes**") as answered:
            self.touch(self.page, "Let a phone in")
        self.touches += 1  # the phone offers the address
        phone = self._browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        phone.set_default_timeout(PATIENCE_MS)
        return phone, str(answered.value.json()["link"])


@contextmanager
def visited() -> Iterator[Visitor]:
    """Start the one command without a table, and open the page that it names."""
    with Demo.run() as run, launched() as browser:
        yield Visitor(browser, run.url)


class Photographer(PhonePage):
    """The page of a phone whose owner photographs one side after the other."""

    def __init__(self, page: Page, url: str, visitor: Visitor) -> None:
        super().__init__(page, url)
        self._visitor = visitor

    def take(self, picture: bytes, corners: Corners | None = None) -> str:
        """Photograph; confirm the corners where they are asked for. Return what became of the picture.

        corners: as shares of the picture, by the fields there; each is drawn onto its place where it is off.
        """
        phase = self.phase
        self.photograph(picture)
        self._visitor.touches += 1 + BY_CAMERA
        known = self.page.locator("#hand-photographs li")
        confirm = self.page.locator("[data-key=touch-done]")
        by = time.monotonic() + MOST_S
        while time.monotonic() < by:
            if self.phase != phase:
                return ""
            if confirm.count() and confirm.is_enabled():
                for field, place in (corners or {}).items():
                    self._draw(field, place)
                confirm.click()
                self._visitor.touches += 1
                expect(confirm).to_have_count(0, timeout=1000 * MOST_S)
            told = known.all()
            if told and told[-1].get_attribute("data-state") in KNOWN:
                return told[-1].inner_text()
            time.sleep(0.2)
        raise AssertionError((self.state()["banner"], self.told()))

    def _draw(self, field: str, place: tuple[float, float]) -> None:
        """Draw a corner onto its place in the picture, unless it lies there."""
        picture = self.page.locator(".touch-picture").bounding_box()
        mark = self.page.locator(f".touch-mark[aria-valuetext={field}] .touch-dot").bounding_box()
        assert picture is not None
        assert mark is not None
        seen = mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2
        true = picture["x"] + place[0] * picture["width"], picture["y"] + place[1] * picture["height"]
        if np.hypot(seen[0] - true[0], seen[1] - true[1]) < NEAR * picture["width"]:
            return
        self._visitor.touches += 1
        mouse = self.page.mouse
        mouse.move(*seen)
        mouse.down()
        mouse.move(*true, steps=4)
        mouse.up()

    @property
    def phase(self) -> tuple[str, int]:
        """Return phase and turn."""
        state = self.state()
        return state["phase"]["id"], state["turn"]

    def show(self, walk: BareWalk, lying: str, until: tuple[str, int], first: int = 0) -> None:
        """Photograph side after side until the game stands so."""
        for number in range(first, first + 2 * len(SIDES_DEG)):
            self.take(walk.photograph(lying, SIDES_DEG[number % len(SIDES_DEG)], number))
            if self.phase[0] not in ("set-up", "reading", "ruling", "violation", "unsure") or self.phase == until:
                break
        assert self.phase == until, (self.state()["banner"], self.told())


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    straighten(monkeypatch)


def test_from_the_first_page_to_the_end_by_photographs() -> None:
    played, walk = Played(TURNS, seed=3), BareWalk()
    with visited() as visitor:
        visitor.touch(visitor.page, BOX)
        visitor.touch(visitor.page, "Photograph the bare board")
        expect(visitor.page.locator("[data-key=bring]")).to_be_visible()
        browser, link = visitor.scan()
        assert link.startswith("http://")
        addresses: list[str] = []
        browser.on("request", lambda request: addresses.append(request.url))
        page = browser.new_page()
        page.goto(link)
        assert not page.evaluate("isSecureContext")
        phone = Photographer(page, link.partition("camera#")[0], visitor)
        for number, side in enumerate(SIDES_DEG[:3]):
            if phone.phase[0] == "set-up":
                phone.take(walk.photograph(played.boards[0], side, number))
        phone.until("playing", 1)
        assert visitor.touches <= MOST_TOUCHES
        expect(visitor.page.locator("#headline")).to_have_text("The set-up is right")

        for turn, board in enumerate(played.boards[1:], start=1):
            if turn == 3:
                phone.press("ended")
                phone.show(walk, played.broken(2), ("violation", 3))
                phone.show(walk, played.boards[2], ("playing", 3))
            phone.press("ended")
            phone.until("reading", turn)
            if turn == 2:
                first = walk.picture(board, SIDES_DEG[0])
                assert "not in the picture" in phone.take(photograph(np.full_like(first, 150)))
                assert "at an angle" in phone.take(photograph(walk.picture(board, SIDES_DEG[0], 89.5)))
                phone.take(photograph(first))
                assert "This side is done" in phone.take(photograph(first, 5))
            if turn == 5:
                phone.take(walk.photograph(board, SIDES_DEG[0]))
                phone.page.close()
                phone.page = browser.new_page()
                phone.page.goto(f"{phone.url}camera")
            phone.show(walk, board, ("playing", turn + 1), first=int(turn in (2, 5)))
            expect(phone.page.locator("#hand-said")).to_have_attribute("data-tone", "legal")

        page = visitor.page
        page.reload()
        page.get_by_role("button", name="More").click()
        page.click("[data-act=end_game]")
        page.get_by_role("button", name="A draw").click()
        phone.until("finished", TURNS + 1)
        own = phone.url, f"blob:{phone.url}"
        assert not [one for one in addresses if "/trust" in one or not one.startswith(own)]


def corners_of(frame: Mapping[str, Any], number: int, lens: Mapping[str, Any]) -> Corners:
    """Return where a picture of ``terrace`` shows the board's corners, as shares of it, by the fields there."""
    pose, half, (width, height) = frame["camera_poses"][number], 134.0, lens["size"]
    at = np.array([[-half, half, 0.0], [half, half, 0.0], [half, -half, 0.0], [-half, -half, 0.0]])
    matrix = np.array(lens["matrix"])
    if frame["upright"][number]:
        matrix[0, 2], matrix[1, 2], width, height = height / 2, width / 2, height, width
    turn = cv2.Rodrigues(np.array(pose["rotation"]))[0]
    seen = cv2.projectPoints(at, turn, np.array(pose["translation"]), matrix, None)[0].reshape(-1, 2)
    shares = seen / (width, height)
    return {field: (float(x), float(y)) for field, (x, y) in zip(("A10", "J10", "J1", "A1"), shares, strict=True)}


@pytest.mark.skipif(not TERRACE.is_dir(), reason="needs the table terrace in REFEREE_SHARED")
def test_a_table_that_was_photographed_is_set_up_and_ruled_on() -> None:
    """Other seats, another player who begins, and a checked cloth; three turns, all legal."""
    truth = json.loads((TERRACE / "truth.json").read_text(encoding="utf-8"))
    game, (lens,) = truth["games"][0], truth["lenses"]
    with visited() as visitor:
        visitor.touch(visitor.page, BOX)
        for side in ("Wide", "Deep"):
            visitor.page.get_by_label(side).fill("268")
        visitor.touch(visitor.page, "Photograph the bare board")
        visitor.touch(visitor.page, "Other players or edition")
        for key in ("colour-0-blue", "first-yellow", "start"):
            visitor.page.click(f"[data-key={key}]")
            visitor.touches += 1
        expect(visitor.page.locator("[data-key=bring]")).to_be_visible()
        browser, link = visitor.scan()
        page = browser.new_page()
        page.goto(link)
        phone = Photographer(page, link.partition("camera#")[0], visitor)
        for turn, frame in enumerate(game["frames"]):
            if turn:
                phone.press("ended")
                phone.until("reading", turn)
            for number, name in enumerate(frame["files"]):
                if phone.phase != ("playing", turn + 1):
                    content = (TERRACE / game["name"] / name).read_bytes()
                    phone.take(content, corners_of(frame, number, lens))
            phone.until("playing", turn + 1)
            assert turn or visitor.touches <= MOST_TOUCHES
