"""Picture the screens of a game on a turned tower for the documents: ``python -m scripts.tower_screens``.

A real referee watches drawn pictures of the tower, a real browser shows them. Look at what comes out.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from referee.games.turris.position import TurrisPosition
from referee.games.turris.tower import Tower
from referee.kinds.tower.observation import SIDES
from scripts.screens import DESKTOP, OUT, PHONE, TABLET, UPRIGHT, Camera
from tests.demo.command import Demo
from tests.games.turris.play import game as random_game
from tests.web.browser import open_page
from tests.web.turned import TurnedGame, TurnedTable
from tests.web.wrongturns import against

FOLDER = OUT / "turris"
TURNS: list[tuple[TurrisPosition, Tower]] = list(random_game(random.Random(3), {}))
BARRED = 31
"""The turn before which a barred cell is filled first."""


def breach(game: TurnedGame, camera: Camera) -> None:
    """Picture a breach: before the turn, asked for another side, and called out."""
    now, _ = TURNS[BARRED]
    camera.take("play-tablet", TABLET)
    camera.take("play-phone-de", PHONE, "de", "dark")
    camera.take("play-upright-fr", UPRIGHT, "fr", "light")
    wrong = against(now, "bonus.refill")
    assert wrong is not None
    game.shows(wrong.text)
    before = game.state()["event"]
    game.press("turn_ended")
    game.settled(before)
    camera.take("turn-it-tablet", TABLET, theme="dark")
    camera.take("turn-it-phone-fr", PHONE, "fr", "light")
    for side in (*SIDES[1:], *SIDES):
        if game.state()["phase"]["id"] == "violation":
            break
        before = game.state()["event"]
        game.shows(wrong.text, side)
        game.settled(before)
    game.phase("violation")
    camera.take("breach-tablet", TABLET)
    camera.take("breach-phone-de", PHONE, "de", "dark")


def end(game: TurnedGame, camera: Camera) -> None:
    """Picture the last bar, and the points of every side."""
    page = game.page
    game.ends(TURNS[-1][1].text)
    game.phase("finished")
    expect(page.locator(".tower-points").first).to_be_visible()
    camera.take("won-tablet", TABLET)
    camera.take("won-phone-de", PHONE, "de", "dark")
    camera.take("won-upright-fr", UPRIGHT, "fr", "dark")
    camera.take("won-desktop", DESKTOP)


def taken(first: int, shots: Callable[[TurnedGame, Camera], None]) -> None:
    """Take screens of a game that begins with a turn."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        os.environ["REFEREE_DATA_FOLDER"] = str(data)
        start = TURNS[first][0]
        table = TurnedTable(Path(folder), start.to_json())
        table.show(start.tower.text)
        with Demo.run(*table.options) as run, open_page(*TABLET) as page:
            game = TurnedGame(table, run, data, page)
            page.goto(game.url)
            game.pair()
            game.phase("playing")
            shots(game, Camera(game, FOLDER))


def main() -> int:
    """Take every screen."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    taken(BARRED, breach)
    taken(len(TURNS) - 1, end)
    return 0


if __name__ == "__main__":
    sys.exit(main())
