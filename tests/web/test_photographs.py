"""A game refereed by photographs: a real browser over plain HTTP, whose camera gives pictures of a drawn board."""

from __future__ import annotations

import base64
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import FilePayload, Page, expect

from referee.service.pairing import open_auth
from tests.calibration.exif import noted
from tests.demo.command import Demo
from tests.demo.table import Image
from tests.web.browser import PATIENCE_MS, launched, needs_browser
from tests.web.filmed import noisy
from tests.web.inhand import HeldTable

pytestmark = [needs_browser, pytest.mark.browser, pytest.mark.process, pytest.mark.long]
MOST_S = 120.0
WIDE = (2560, 1920)
"""As a phone's own camera gives them: larger than they are read."""


def as_phone(picture: Image, number: int = 0, taken: str = "") -> bytes:
    """Return the file that a phone held upright writes: stored lying, with its EXIF."""
    large = np.asarray(cv2.resize(picture, WIDE, interpolation=cv2.INTER_CUBIC), np.uint8)
    return noted(noisy(large, number), taken, "+00:00" if taken else "", 29, (425, 100), "Phone 9", 6)


class PhonePage:
    """The phone's page, and what the referee says."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url

    def state(self) -> dict[str, Any]:
        """Return what the API says."""
        found: dict[str, Any] = self.page.request.get(f"{self.url}api/state?lang=en").json()
        return found

    def until(self, phase: str, turn: int) -> None:
        """Wait until the game stands so."""
        by = time.monotonic() + MOST_S
        while ((state := self.state())["phase"]["id"], state["turn"]) != (phase, turn):
            assert time.monotonic() < by, (state["phase"], state["banner"], state["showing"], self.told())
            time.sleep(0.1)

    def photograph(self, *pictures: bytes) -> None:
        """Take pictures with the camera, all before the page goes on."""
        with self.page.expect_file_chooser() as chooser:
            self.page.click("[data-key=photograph]")
        files: Sequence[FilePayload] = [
            {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": one} for one in pictures
        ]
        chooser.value.set_files(files)

    def drop(self, *pictures: bytes) -> None:
        """Drop pictures on the page, as on a computer's."""
        self.page.evaluate(
            """(coded) => {
                const carried = new DataTransfer();
                for (const one of coded) {
                    const bytes = Uint8Array.from(atob(one), (sign) => sign.charCodeAt(0));
                    carried.items.add(new File([bytes], "photo.jpg", { type: "image/jpeg" }));
                }
                const how = { dataTransfer: carried, bubbles: true, cancelable: true };
                document.body.dispatchEvent(new DragEvent("drop", how));
            }""",
            [base64.b64encode(one).decode() for one in pictures],
        )

    def told(self) -> list[str]:
        """Return what is said of each picture."""
        return self.page.locator("#hand-photographs li").all_inner_texts()

    def press(self, key: str) -> None:
        """Touch a button at the bottom of the page."""
        self.page.click(f"[data-key={key}]")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))


@contextmanager
def photographed(table: HeldTable, folder: Path) -> Iterator[PhonePage]:
    """Referee a table that knows no lens, and open the page under a name that the browser does not trust."""
    (table.folder / "calibration" / "phone.json").unlink()
    with (
        Demo.run(*table.options) as run,
        launched("--host-resolver-rules=MAP *.local 127.0.0.1") as browser,
        ExitStack() as parts,
    ):
        own = run.url
        host = socket.gethostname().lower().split(".")[0]
        url = own.replace("127.0.0.1", f"{host}.local")
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.set_default_timeout(PATIENCE_MS)
        secret = open_auth(folder / "data", parts).desk.new_code().secret
        page.goto(f"{url}camera#pair={secret}")
        assert not page.evaluate("isSecureContext")
        yield PhonePage(page, own)


def test_photographs_over_plain_http_referee_turns(tmp_path: Path) -> None:
    """A legal turn by pictures of which some are wrong, a phone closed in between, and a breach put back."""
    table = HeldTable(tmp_path)
    start, first, broken, second = (
        table.walk.views(lying)
        for lying in (table.boards.start, table.boards.turns[0], table.boards.broken, table.boards.turns[1])
    )
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
        phone.photograph(as_phone(first[0], 5))
        expect(told.last).to_contain_text("This side is done")
        assert phone.state()["showing"]["views"] == 1
        page.reload()
        expect(page.locator("#hand-told")).to_contain_text("side")
        phone.photograph(as_phone(first[1]), as_phone(first[2]))
        phone.until("playing", 2)
        expect(page.locator("#hand-said")).to_have_attribute("data-tone", "legal")

        phone.press("ended")
        phone.photograph(*map(as_phone, broken))
        phone.until("violation", 2)
        phone.photograph(*map(as_phone, first))
        phone.until("playing", 2)
        phone.press("ended")
        expect(page.locator("[data-key=photograph]")).to_be_visible()
        phone.drop(*map(as_phone, second))
        phone.until("playing", 3)
        assert {camera["name"] for camera in phone.state()["cameras"]} == {"photographs"}
