"""A game at a board without a printed frame: a real browser over plain HTTP, whose camera gives drawn photographs."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.web.barewalk import SIDES_DEG, BareWalk, photograph, straighten, write_bare
from tests.web.browser import long_game
from tests.web.inhand import Boards, boards
from tests.web.phonepage import opened

pytestmark = long_game


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    straighten(monkeypatch)


def looks(walk: BareWalk, lying: str, count: int = 3) -> list[bytes]:
    return [walk.photograph(lying, side, number) for number, side in enumerate(SIDES_DEG[:count])]


def test_photographs_of_a_bare_board_referee_turns(tmp_path: Path) -> None:
    """A legal turn by pictures of which some are wrong, and a breach put back; nothing is printed."""
    played: Boards = boards(2)
    write_bare(tmp_path / "table", played.start)
    game = tmp_path / "game.json"
    game.write_text(json.dumps(played.position.to_json()), encoding="utf-8")
    walk = BareWalk()
    with opened((str(tmp_path / "table"), "--game", str(game)), tmp_path) as phone:
        page = phone.page
        expect(page.locator("#hand-headline")).to_have_text("Show the set-up")
        expect(page.locator("#hand-told")).to_have_text("Photograph the whole board from one side, at an angle.")
        expect(page.locator("#hand-advice")).to_be_hidden()  # it is said once
        phone.photograph(*looks(walk, played.start))
        phone.until("playing", 1)
        expect(page.locator("#hand-detail")).to_have_text("Green begins.")
        expect(page.locator("#hand-next")).to_be_hidden()

        phone.press("ended")
        told = page.locator("#hand-photographs li")
        first = walk.picture(played.turns[0], SIDES_DEG[0])
        phone.photograph(photograph(np.full_like(first, 150)))
        expect(told.last).to_contain_text("not in the picture")
        kept = told.first.element_handle()
        phone.photograph(photograph(np.asarray(cv2.GaussianBlur(first, (0, 0), 6.0), np.uint8)))
        expect(told.last).to_contain_text("blurred")
        assert kept.evaluate("node => node.isConnected")  # a voice would read it again
        phone.photograph(photograph(np.roll(first, first.shape[1] // 2, axis=1)))
        expect(told.last).to_contain_text("board")
        phone.photograph(photograph(first))
        expect(told.last).to_contain_text("this side is seen")
        phone.photograph(photograph(first, 5))
        expect(told.last).to_contain_text("This side is done")
        page.reload()
        phone.photograph(*looks(walk, played.turns[0], 4)[1:])
        phone.until("playing", 2)
        expect(page.locator("#hand-said")).to_have_attribute("data-tone", "legal")

        phone.press("ended")
        phone.photograph(*looks(walk, played.broken))
        phone.until("violation", 2)
        expect(page.locator("#hand-told")).to_contain_text("When it is put back")
        phone.photograph(*looks(walk, played.turns[0]))
        phone.until("playing", 2)
        assert {camera["name"] for camera in phone.state()["cameras"]} == {"photographs"}
