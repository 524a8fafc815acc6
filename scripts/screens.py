"""Picture every screen of the page for the documents: ``make screens``.

A real referee watches the bundled recording's pictures, a real browser shows them. Look at what comes out.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page, expect

from tests.archive.game import write_journal
from tests.demo.table import Table
from tests.web.whole import Game, one_turn_before_a_win

OUT = Path(__file__).resolve().parent.parent / "docs" / "screens"
PHONE, UPRIGHT, TABLET, DESKTOP = (390, 844), (768, 1024), (1024, 768), (1440, 900)
QUALITY = 82


class Camera:
    """Takes a screen in a size, a language and a theme, and puts all back."""

    def __init__(self, game: Game, out: Path) -> None:
        self.game, self.out = game, out

    def take(self, name: str, size: tuple[int, int], language: str = "en", theme: str = "light") -> None:
        """Write ``NAME.webp``."""
        page = self.game.page
        page.set_viewport_size({"width": size[0], "height": size[1]})
        keep(page, "theme", theme)
        keep(page, "language", language)
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        page.wait_for_timeout(1500)
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        shot = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
        assert shot is not None
        cv2.imwrite(str(self.out / f"{name}.webp"), shot, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
        keep(page, "theme", "light")
        keep(page, "language", "en")
        page.set_viewport_size({"width": TABLET[0], "height": TABLET[1]})


def keep(page: Page, key: str, value: str) -> None:
    """Choose a setting as the settings screen would."""
    page.evaluate("async ([key, value]) => (await import('/static/prefs.js')).keep(key, value)", [key, value])


def play(game: Game, camera: Camera) -> None:
    """Go through a game, taking what is worth seeing."""
    page = game.page
    game.phase("playing")
    game.open("devices")
    camera.take("pairing-phone", PHONE, "de", "dark")
    game.pair()
    game.show(1)
    game.press("turn_ended")
    game.phase("violation")
    camera.take("breach-tablet", TABLET)
    camera.take("breach-phone-de", PHONE, "de", "dark")
    camera.take("breach-upright-fr", UPRIGHT, "fr", "dark")
    game.show(0)
    game.phase("playing")
    game.show(2)
    game.press("turn_ended")
    expect(page.locator("#play")).to_have_attribute("data-turn", "2", timeout=90_000)
    page.wait_for_timeout(9000)  # until the last notice has gone
    camera.take("play-tablet", TABLET)
    camera.take("play-phone-fr", PHONE, "fr", "light")
    camera.take("play-upright-de", UPRIGHT, "de", "dark")
    keep(page, "face", "2")
    camera.take("play-turned", TABLET, theme="dark")
    keep(page, "face", "0")
    game.press("correct")
    game.field("A1", +1)
    camera.take("correct-tablet", TABLET)
    camera.take("correct-phone-de", PHONE, "de", "light")
    page.click("[data-key=cancel]")
    game.open("record")
    camera.take("record-desktop-fr", DESKTOP, "fr", "dark")
    game.open("games")
    expect(page.locator(".game")).to_have_count(3)
    camera.take("games-phone-de", PHONE, "de", "light")
    game.open("table")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.look img')].every(one => one.complete && one.naturalWidth)"
    )
    camera.take("table-desktop-de", DESKTOP, "de", "light")
    game.open("settings")
    camera.take("settings-upright-fr", UPRIGHT, "fr", "light")
    game.open("play")
    game.tell("correct", changes={"board": one_turn_before_a_win(game.state()), "to_move": "red"})
    game.show(2, "dark")
    game.press("turn_ended")
    game.phase("blind")
    camera.take("blind-tablet-de", TABLET, "de", "light")
    game.press("rule_board")
    game.field("F7", piece="none")
    game.field("F8", piece="red")
    page.click("[data-key=save]")
    game.phase("finished")
    camera.take("won-tablet-de", TABLET, "de", "dark")
    game.open("new")
    camera.take("new-game-upright-de", UPRIGHT, "de", "light")


def main() -> int:
    """Take every screen."""
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REFEREE_DATA_FOLDER"] = f"{folder}/data"
        for name in ("club-1", "club-2"):
            write_journal(Path(folder) / "data" / "games" / f"{name}.journal")
        table = Table(Path(folder))
        table.show(0)
        with Game.played(table, Path(folder) / "data", TABLET) as game:
            play(game, Camera(game, OUT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
