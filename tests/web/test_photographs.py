"""A game refereed by photographs: a real browser over plain HTTP, whose camera gives pictures of a drawn board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from tests.calibration.exif import noted
from tests.demo.table import Image
from tests.web.browser import needs_browser
from tests.web.filmed import noisy
from tests.web.inhand import HeldTable
from tests.web.phonepage import PhonePage, opened

pytestmark = [needs_browser, pytest.mark.browser, pytest.mark.process, pytest.mark.long]
WIDE = (2560, 1920)
"""As a phone's own camera gives them: larger than they are read."""


def as_phone(picture: Image, number: int = 0, taken: str = "") -> bytes:
    """Return the file that a phone held upright writes: stored lying, with its EXIF."""
    large = np.asarray(cv2.resize(picture, WIDE, interpolation=cv2.INTER_CUBIC), np.uint8)
    return noted(noisy(large, number), taken, "+00:00" if taken else "", 29, (425, 100), "Phone 9", 6)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))


def edge_px(what: Locator, side: str) -> float:
    """Return how far down the top or the bottom of what is shown lies, CSS pixels."""
    found: float = what.evaluate("(node, side) => node.getBoundingClientRect()[side]", side)
    return found


@contextmanager
def photographed(table: HeldTable, folder: Path) -> Iterator[PhonePage]:
    """Referee a table that knows no lens."""
    (table.folder / "calibration" / "phone.json").unlink()
    with opened(table.options, folder) as phone:
        yield phone


def test_photographs_over_plain_http_referee_turns(tmp_path: Path) -> None:
    """A legal turn by pictures some of them wrong, chosen or dropped, with a phone closed in between."""
    table = HeldTable(tmp_path)
    start, first = (table.walk.views(lying) for lying in (table.boards.start, table.boards.turns[0]))
    with photographed(table, tmp_path) as phone:
        page = phone.page
        expect(page.locator("#hand-headline")).to_have_text("Show the set-up")
        assert page.locator("[data-key=show]").count() == 0
        phone.photograph(*(as_phone(one, number) for number, one in enumerate(start)))
        phone.until("playing", 1)

        phone.press("ended")
        phone.photograph(as_phone(first[0], taken="2020:01:01 12:00:00"))
        told = page.locator("#hand-photographs li")
        expect(told.last).to_contain_text("taken before the turn ended")
        phone.photograph(as_phone(np.asarray(cv2.GaussianBlur(first[0], (0, 0), 6.0), np.uint8)))
        expect(told.last).to_contain_text("blurred")
        phone.photograph(as_phone(first[0]))
        expect(told.last).to_contain_text("this side is seen")
        page.set_viewport_size({"width": 320, "height": 568})  # as small as phones are
        phone.photograph(as_phone(first[0], 5))
        expect(told.last).to_contain_text("This side is done")
        assert edge_px(told.last, "bottom") <= edge_px(page.locator("[data-key=photograph]"), "top")
        assert phone.state()["showing"]["views"] == 1
        page.reload()
        expect(page.locator("#hand-told")).to_contain_text(re.compile("side|Come round"))
        phone.drop(as_phone(first[1]), as_phone(first[2]))
        phone.until("playing", 2)
        expect(page.locator("#hand-said")).to_have_attribute("data-tone", "legal")
        assert {camera["name"] for camera in phone.state()["cameras"]} == {"photographs"}
