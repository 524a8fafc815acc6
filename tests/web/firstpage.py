"""Somebody at the first page of a computer, with a phone that photographs a board, and the boards of a game."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext, Page, expect

from referee.cli import main
from referee.cli.gamebook import usual_start
from referee.games import package_named
from referee.opponents import Opponent, Strength
from tests.demo.command import Demo
from tests.web.barewalk import SIDES_DEG
from tests.web.browser import PATIENCE_MS, launched
from tests.web.inhand import GAME
from tests.web.phonepage import PhonePage

BY_CAMERA = 2
"""Touches in the phone's own camera for each picture: the shutter, and that the picture is taken over."""
NEAR = 0.015
"""Corners so near the board's, in shares of the picture's width, need not be drawn onto their places."""
MOST_S = 900.0
KNOWN = ("view", "wrong", "unneeded")
SHOWN_IN = ("set-up", "reading", "ruling", "violation", "unsure")
"""Phases in which one more side may be wanted."""
Corners = Mapping[str, tuple[float, float]]


class Walk(Protocol):
    """Photographs of what lies on a table, from all sides."""

    def photograph(self, lying: str, side_deg: float, number: int = 0) -> bytes:
        """Return the file that a phone writes."""


class Played:
    """Boards of a game between engines, with the seats as they are before anybody chooses others.

    declared: what a player declares of each turn.
    """

    def __init__(self, turns: int, seed: int, game: str = GAME, strength: Strength = Strength.WEAK) -> None:
        package = package_named(game)
        player = Opponent(package, strength, seed)
        position = usual_start(package.game)
        position = package.game.start_from_setup(position, player.set_up(position))
        self.boards: list[str] = [position.observed.text]
        self.declared: list[Mapping[str, Any]] = []
        for _ in range(turns):
            turn = player.turn(position)
            assert turn.ruling.next is not None
            position = turn.ruling.next
            self.boards.append(position.observed.text)
            self.declared.append(turn.declared)

    def broken(self, after: int) -> str:
        """Return the board after some turns with one stone more than there are, in a corner."""
        rows = self.boards[after].split("/")
        return "/".join([*rows[:-1], f"{1 + int(rows[-1][0])}{rows[-1][1:]}"])


def judged_again(data: Path) -> list[tuple[str, str]]:
    """Judge the one game that was played again, as ``referee audit --game`` does: each ruling then and now."""
    (journal,) = (data / "games").glob("*.journal")
    answered = CliRunner().invoke(main, ["audit", "--game", str(journal)])
    answers = [json.loads(line) for line in answered.stdout.splitlines()]
    assert answers, answered.stderr
    return [(one["then"]["ruling"], one["now"] and one["now"]["ruling"]) for one in answers]


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

    def let_in(self) -> Photographer:
        """Let a phone in over plain HTTP: return its page."""
        browser, link = self.scan()
        assert link.startswith("http://")
        addresses: list[str] = []
        browser.on("request", lambda request: addresses.append(request.url))
        page = browser.new_page()
        page.goto(link)
        assert not page.evaluate("isSecureContext")
        return Photographer(page, link.partition("camera#")[0], self, addresses)

    def lay(self, box: str, way: str) -> Photographer:
        """Choose a box and how its table is found, and let a phone in: return its page."""
        self.touch(self.page, box)
        self.touch(self.page, way)
        expect(self.page.locator("[data-key=bring]")).to_be_visible()
        return self.let_in()

    def end_game(self, phone: Photographer, turn: int) -> None:
        """Agree on a draw in a turn, on the computer's page; fail where the phone asked anybody else for anything."""
        self.page.reload()
        self.touch(self.page, "More")
        self.page.click("[data-act=end_game]")
        self.touch(self.page, "A draw")
        self.touches += 1
        phone.until("finished", turn)
        phone.asked_for_its_own()


@contextmanager
def visited() -> Iterator[Visitor]:
    """Start the one command without a table, and open the page that it names."""
    with Demo.run() as run, launched() as browser:
        visitor = Visitor(browser, run.url)
        expect(visitor.page.get_by_role("button", name="Watch a recorded game")).to_be_in_viewport(ratio=1)
        yield visitor


class Photographer(PhonePage):
    """The page of a phone whose owner photographs one side after the other."""

    def __init__(self, page: Page, url: str, visitor: Visitor, addresses: Sequence[str]) -> None:
        """addresses: all that its browser asked for so far."""
        super().__init__(page, url)
        self._visitor, self._addresses = visitor, addresses

    def press(self, key: str) -> None:
        """Touch a button at the bottom of the page."""
        super().press(key)
        self._visitor.touches += 1

    def open_anew(self) -> None:
        """Close the page, and open it again."""
        browser = self.page.context
        self.page.close()
        self.page = browser.new_page()
        self.page.goto(f"{self.url}camera")

    def declare(self, **numbers: int) -> None:
        """Declare numbers on the page of the game, and end the turn."""
        steps = [f"{name}-more" for name, number in numbers.items() for _ in range(number)]
        self.tell("declare-open", *steps)

    def tell(self, *keys: str) -> None:
        """Touch what has these keys on the page of the game, end the turn there, and come back to photograph."""
        for key in ("game", *keys, "turn_ended", "show"):
            self.page.locator(f'[data-key="{key}"]').first.click()
            self._visitor.touches += 1
        expect(self.page.locator("[data-key=photograph]")).to_be_visible()

    def asked_for_its_own(self) -> None:
        """Fail where anything but the table's own pages was asked for, or its certificate."""
        own = self.url, f"blob:{self.url}"
        assert not [one for one in self._addresses if "/trust" in one or not one.startswith(own)]

    def set_up(self, walk: Walk, lying: str) -> None:
        """Photograph the set-up from three sides at most, until the game begins."""
        for number, side in enumerate(SIDES_DEG[:3]):
            if self.phase[0] == "set-up":
                self.take(walk.photograph(lying, side, number))
        self.until("playing", 1)

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
                expect(self.page.locator(".touch-told")).to_be_focused()  # as a voice reads what is asked
                for field, place in (corners or {}).items():
                    self._draw(field, place)
                confirm.click()
                self._visitor.touches += 1
                expect(confirm).to_have_count(0, timeout=1000 * MOST_S)
                assert self.page.evaluate("document.activeElement.closest('#hand-buttons') !== null")
            told = known.evaluate_all("all => all.map(one => [one.dataset.state, one.innerText])")
            if told and told[-1][0] in KNOWN:
                return str(told[-1][1])
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

    def show(self, walk: Walk, lying: str, until: tuple[str, int], first: int = 0) -> None:
        """Photograph side after side until the game stands so."""
        for number in range(first, first + 2 * len(SIDES_DEG)):
            self.take(walk.photograph(lying, SIDES_DEG[number % len(SIDES_DEG)], number))
            if self.phase[0] not in SHOWN_IN or self.phase == until:
                break
        assert self.phase == until, (self.state()["banner"], self.told())

    def legal(self, walk: Walk, lying: str, turn: int, first: int = 0) -> None:
        """Photograph the end of a turn until it is ruled legal."""
        self.show(walk, lying, ("playing", turn + 1), first)
        expect(self.page.locator("#hand-said")).to_have_attribute("data-tone", "legal")

    def breach(self, walk: Walk, played: Played, turn: int) -> None:
        """End a turn with a stone too many, see that it is ruled illegal, and put it back."""
        self.press("ended")
        self.show(walk, played.broken(turn - 1), ("violation", turn))
        self.show(walk, played.boards[turn - 1], ("playing", turn))
