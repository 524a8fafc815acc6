"""Picture the arbiter's desk and the wall for the documents: ``python -m scripts.hall_screens``.

The hall is that of ``referee hall --demo 6``, with its mishaps; it takes some minutes. Look at what comes out.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page, expect

from scripts.screens import OUT, PHONE, QUALITY, TABLET
from tests.web.browser import open_page

LAPTOP = (1280, 800)
LONGEST_MS = 600_000
SETTLED_MS = 1500
ENOUGH = 3
"""So many things are to wait for the arbiter before pictures are taken."""


def shot(page: Page, name: str, size: tuple[int, int]) -> None:
    """Write ``NAME.webp``, in a size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(SETTLED_MS)
    picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    cv2.imwrite(str(OUT / f"{name}.webp"), picture, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])


def at_the_desk(page: Page, link: str) -> None:
    """Take the hall, and a table with a dispute."""
    page.goto(link)
    page.get_by_label("Your name").fill("Ana")
    page.locator('[data-key="send-pin"]').click()
    expect(page.locator(".need").nth(ENOUGH - 1)).to_be_visible(timeout=LONGEST_MS)
    shot(page, "desk-hall", LAPTOP)
    boards = page.locator('.need[data-what="dispute"]').filter(has_text=re.compile("Table [2356]"))
    boards.first.click(timeout=LONGEST_MS)
    expect(page.frame_locator("iframe.report").locator("h1").first).to_be_visible()
    shot(page, "desk-dispute", LAPTOP)
    page.locator('[data-key="back"]').click()
    page.locator('[data-key="language"]').select_option("de")
    page.locator('[data-key="theme"]').select_option("dark")
    shot(page, "desk-phone-de", PHONE)


def main() -> int:
    """Take every screen."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["hall", "--demo", "6", "--data", str(Path(folder) / "desk"), "--port", "0"]
        program = [sys.executable, "-c", "from referee.cli import main; main()", *command]
        hall = subprocess.Popen([*program, "--spectators", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        assert hall.stdout is not None
        try:
            link = wall = ""
            for line in hall.stdout:
                found = re.search(r"http\S+#pair=\S+", line)
                link = found.group() if found else link
                if line.startswith("For everybody"):
                    wall = line.split()[-1]
                    break
            with open_page(*LAPTOP) as page:
                at_the_desk(page, link)
                page.goto(f"{wall}?lang=fr&theme=light")
                expect(page.locator(".wall-pick").nth(5)).to_be_visible()
                page.locator(".wall-pick").nth(2).click()
                shot(page, "wall-fr", TABLET)
        finally:
            hall.terminate()
            hall.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
