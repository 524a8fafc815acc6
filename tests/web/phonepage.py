"""The page of a phone that photographs a table, in a browser that does not trust the table."""

from __future__ import annotations

import base64
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import FilePayload, Page

from referee.service.pairing import open_auth
from tests.demo.command import Demo
from tests.web.browser import PATIENCE_MS, launched

MOST_S = 300.0


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


@contextmanager
def opened(options: Sequence[str], folder: Path) -> Iterator[PhonePage]:
    """Referee a table, and open the phone's page under a name that the browser does not trust."""
    with (
        Demo.run(*options) as run,
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
