"""A whole game refereed from two phones in real browsers; killed, locked, reloaded and put away meanwhile."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from referee.service.pairing import open_auth
from tests.demo.frames import frames
from tests.web.browser import needs_windows, shared_browser
from tests.web.filmed import FRAME_BYTES, Phone, PhonesTable, filled, noisy, phones, with_arm
from tests.web.whole import Game, one_turn_before_a_win

ALL = bool(os.environ.get("ALL_SCREENS"))
VERDICTS = ["illegal", "legal", "legal", "legal", "illegal", "legal"]
"""Of the recorded opening."""
SEEN = 4
"""So many pictures more of each camera, and what was put before it is what it shows."""
pytestmark = [needs_windows, pytest.mark.browser, pytest.mark.process, pytest.mark.long]


@pytest.mark.parametrize("size", [4000, 65_540, 65_541, 70_000, 131_080, FRAME_BYTES])
def test_every_frame_of_a_film_has_the_same_size(size: int) -> None:
    """So it can be painted over while a browser plays it, and is still the same picture."""
    jpeg = noisy(np.full((48, 64, 3), 90, np.uint8), 1)
    grown = filled(jpeg, size)
    assert len(grown) == size
    pixels = [cv2.imdecode(np.frombuffer(one, np.uint8), cv2.IMREAD_COLOR) for one in (jpeg, grown)]
    assert np.array_equal(pixels[0], pixels[1])


class Filmed(Game):
    """The page of a table whose cameras show films."""

    def show(self, look: int, spoilt: str = "") -> None:
        pictures = self.table.recording.looks[look].pictures
        self.table.put({name: with_arm(picture) for name, picture in pictures.items()})
        self.seen()
        if spoilt:
            self.table.spoil(look, spoilt)
        else:
            self.table.put(pictures)
        self.seen()

    def seen(self, most_s: float = 120.0) -> None:
        """Wait until what was put before the cameras is what they show."""
        before, by = frames(self.url), time.monotonic() + most_s
        while any(count < before[name] + SEEN for name, count in frames(self.url).items()):
            assert time.monotonic() < by, (before, frames(self.url))
            time.sleep(0.05)

    def camera(self, name: str, well: bool, most_s: float = 120.0) -> dict[str, Any]:
        """Wait until a camera sends pictures, or sends none; what the page tells of it."""
        by = time.monotonic() + most_s
        while (found := {one["name"]: one for one in self.state()["cameras"]}[name])["ok"] is not well:
            assert time.monotonic() < by, found
            time.sleep(0.1)
        return found

    def ruled(self, look: int, back: int) -> str:
        """End a turn with a look's board; a broken one is put back, as it stood at the look ``back``. The verdict."""
        known = len(self.state()["history"])
        self.show(look)
        self.press("turn_ended")
        by = time.monotonic() + 120
        while len(history := self.state()["history"]) == known:
            assert time.monotonic() < by, self.state()["banner"]
            time.sleep(0.1)
        verdict = str(history[-1]["verdict"])
        assert verdict != "unsure", self.state()["banner"]
        if verdict == "illegal":
            self.phase("violation")
            self.show(back)
            self.phase("playing")  # the referee sees by itself that it stands as before
        return verdict


def opening(game: Filmed, between: Callable[[int], None]) -> list[str]:
    """Play the recorded opening, a turn after the other. between: what happens after each look."""
    verdicts, standing = [], 0
    for look in range(1, len(game.table.recording.looks)):
        verdicts.append(game.ruled(look, standing))
        standing = look if verdicts[-1] == "legal" else standing
        between(look)
    return verdicts


def won(game: Filmed) -> None:
    """Set Red one step before the goal, and take it while the lights are off: it is told by hand."""
    page = game.page
    game.tell("correct", changes={"board": one_turn_before_a_win(game.state()), "to_move": "red"})
    game.show(len(game.table.recording.looks) - 1, "dark")
    game.press("turn_ended")
    game.phase("blind")
    game.press("rule_board")
    game.field("F7", piece="none")
    game.field("F8", piece="red")
    page.click("[data-key=save]")
    game.phase("finished")
    expect(page.locator(".seat-winner")).to_have_attribute("data-colour", "red")


def test_a_phone_sends_what_is_new_until_it_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
    table = PhonesTable(tmp_path)
    table.show(0)
    with Filmed.played(table, data, (1024, 768)) as game, ExitStack() as parts:
        desk = open_auth(data, parts).desk
        chromium, profile = shared_browser().browser_type, tmp_path / "profile"
        phone = Phone(chromium, game.url, "cam0", table.film("cam0"), profile)
        parts.callback(phone.close)
        phone.start()
        phone.pair(desk.new_code().secret)
        phone.chosen()
        phone.page.evaluate("video.play = async () => {}, video.pause()")  # as a phone's camera that another app took
        assert "cam0" in game.camera("cam0", well=False)["words"]
        phone.page.evaluate("delete video.play")
        game.camera("cam0", well=True)
        phone.page.reload()
        phone.sends()
        phone.page.get_by_role("button", name="Stop").click()
        game.camera("cam0", well=False)
        phone.page.reload()
        expect(phone.page.get_by_role("button", name="cam0: cam0")).to_be_visible()
        phone.page.wait_for_timeout(3000)
        game.camera("cam0", well=False)


@pytest.mark.skipif(not ALL, reason="make browser plays it")
def test_a_whole_game_from_two_phones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
    table = PhonesTable(tmp_path)
    table.show(0)
    with Filmed.played(table, data, (1024, 768)) as game:
        game.pair()
        with ExitStack() as parts:
            desk = open_auth(data, parts).desk
            left, right = parts.enter_context(phones(game.page, game.url, table, lambda: desk.new_code().secret))
            game.phase("playing")

            def troubled(look: int) -> None:
                if look == 2:
                    left.killed()
                    assert "cam0" in game.camera("cam0", well=False)["words"]
                    left.start()  # still paired, and still this camera: nobody has to say so again
                    left.sends()
                    game.camera("cam0", well=True)
                elif look == 3:
                    right.locked(True)
                    game.camera("cam1", well=False)
                    right.locked(False)
                    game.camera("cam1", well=True)
                elif look == 4:
                    left.page.reload()
                    left.sends()
                    game.camera("cam0", well=True)
                elif look == 5:
                    right.hidden(True)
                    game.camera("cam1", well=False)
                    right.hidden(False)
                    game.camera("cam1", well=True)

            assert opening(game, troubled) == VERDICTS
            told = [phone.vitals() for phone in (left, right)]
            won(game)
    assert all(one["rate"] > 0 and one["age_ms"] >= 0 and 0 <= one["lost"] <= 100 for one in told)
