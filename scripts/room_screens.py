"""Picture the room's screen for the documents: ``python -m scripts.room_screens``. Look at what comes out."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

from referee.demo.recording import BUNDLED, Recording
from scripts.screens import OUT, QUALITY
from tests.web.watched import on_a_screen, some_turns_on, watched

HD, UHD = (1920, 1080), (3840, 2160)
SHOWN = (960, 540)
SETTLED_MS, REPLAYED_MS = 700, 9000
LOOKS = (
    ("watch-play-de", "terra-turrium", 4, False, HD, "?lang=de&theme=light"),
    ("watch-breach-fr", "terra-turrium", 4, True, HD, "?lang=fr&theme=dark"),
    ("watch-castles", "torres", 3, False, UHD, "?lang=en&theme=light"),
    ("watch-tower-de", "turris", 5, True, UHD, "?lang=de&theme=dark"),
    ("watch-ledger-fr", "terrabilis", 2, False, HD, "?lang=fr&theme=light"),
    ("watch-overlay", "terra-turrium", 4, False, HD, "?overlay&lang=en&theme=dark"),
)


def shot(page: Page) -> NDArray[np.uint8]:
    """Picture the page with its transparency, (height, width, 4)."""
    picture = cv2.imdecode(np.frombuffer(page.screenshot(omit_background=True), np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    return np.asarray(picture, np.uint8)


def over_a_film(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lay the page over a camera's picture, as a streaming program does."""
    film = cv2.imread(str(next(iter(Recording.open(BUNDLED).looks[4].pictures.values()))))
    assert film is not None
    height, width = picture.shape[:2]
    scale = max(width / film.shape[1], height / film.shape[0])
    film = cv2.resize(film, None, fx=scale, fy=scale)[:height, :width]
    opaque = picture[:, :, 3:].astype(np.float64) / 255
    return np.asarray(picture[:, :, :3] * opaque + film * (1 - opaque), np.uint8)


def main() -> int:
    """Take every screen."""
    for name, game, turns, broken, size, query in LOOKS:
        state = some_turns_on(game, turns, broken)
        with (
            tempfile.TemporaryDirectory() as folder,
            watched(game, Path(folder), state) as table,
            on_a_screen(table, size, query) as page,
        ):
            page.wait_for_timeout(REPLAYED_MS if broken else SETTLED_MS)
            picture = shot(page)
        whole = over_a_film(picture) if "overlay" in query else picture[:, :, :3]
        small = cv2.resize(whole, SHOWN, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(OUT / f"{name}.webp"), small, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    return 0


if __name__ == "__main__":
    sys.exit(main())
