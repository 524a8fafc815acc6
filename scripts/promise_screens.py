"""Picture what a table can promise for the documents: ``python -m scripts.promise_screens``. Look at what comes out.

A rehearsal, the lamp coach, a week of the cameras, the likeliest boards, and a device's note that witnesses a game.
"""

from __future__ import annotations

import math
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page, expect

from referee.addons.week.linefile import CameraLineFile
from referee.daemon.livetable import CAMERA_LINE
from referee.games import game_named
from referee.match.decision import Candidate
from referee.match.events import TurnRuled, Unsure
from referee.match.state import TableState
from referee.values.board import Board, Field
from referee.values.camerahealth import Befell, CameraEvent, CameraSample
from referee.values.words import say
from scripts.screens import OUT, PHONE, QUALITY, TABLET
from tests.demo.table import RECORDING, Image, Table
from tests.web.paired import paired
from tests.web.watched import ruled_on, some_turns_on
from tests.web.whole import Game

HOUR_S, STEP_S = 3600.0, 120.0
EVENING = range(18, 24)
"""Hours of a day in which the lamp is on, in the week that is made up."""
LOOKS = (
    ("likely-phone", PHONE, "en", "light"),
    ("likely-tablet-fr", TABLET, "fr", "light"),
)


def keep(page: Page, name: str, settled_ms: int = 700) -> None:
    """Write what the page shows as ``NAME.webp``."""
    page.wait_for_timeout(settled_ms)
    shot = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert shot is not None
    cv2.imwrite(str(OUT / f"{name}.webp"), shot, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])


def a_week(path: Path, cameras: tuple[str, ...], now_s: float) -> None:
    """Make up how cameras did for two days: an evening each, a camera that was moved, a plug that came loose."""
    chance, file = random.Random(5), CameraLineFile(path)
    for minute in range(round(48 * HOUR_S / STEP_S)):
        at_s = now_s - 48 * HOUR_S + minute * STEP_S
        lit = time.localtime(at_s).tm_hour in EVENING
        samples = {}
        for number, camera in enumerate(cameras):
            wave = math.sin(minute / 40 + number)
            samples[camera] = CameraSample(
                0.05, 0, 8, 2.6 + 0.1 * wave + chance.gauss(0, 0.05), 0.3 + 0.05 * chance.random(),
                (150 if lit else 105) + 8 * wave + chance.gauss(0, 1), 0.002, 0.004,
            )  # fmt: skip
        file.add(at_s, samples)
    first = cameras[0]
    befell = (
        (
            30.0,
            Befell.MOVED,
            say("It was moved, or the frame was: the frame lies {n} pixels from where it lay.", n=14),
        ),
        (6.1, Befell.LOST, say("It was lost: {why}", why="unplugged")),
        (6.0, Befell.BACK, say("It came back.")),
    )
    for hours, what, words in befell:
        at_s = now_s - hours * HOUR_S
        file.add(at_s, {}, (CameraEvent(at_s, first, what, words),))


def from_one_side(path: Path) -> Image:
    """Return a picture as one weak lamp at the right would light it."""
    picture = cv2.imread(str(path))
    assert picture is not None
    light = np.linspace(0.22, 0.75, picture.shape[1])[None, :, None]
    return np.asarray(picture * light, np.uint8)


def doubted(name: str, turns: int) -> TableState:
    """Return a game some turns on, the next one read in three ways: as played, as before, and half of it."""
    state = some_turns_on(name, turns)
    before, after = state.position.observed, some_turns_on(name, turns + 1).position.observed
    assert isinstance(before, Board)
    assert isinstance(after, Board)
    changed = np.argwhere((before.heights != after.heights) | (before.flags != after.flags))
    places = tuple(sorted(Field(int(row), int(column)) for row, column in changed))[:2]

    def of(board: Board) -> Candidate:
        return tuple((place, (int(board.heights[place]), int(board.flags[place]))) for place in places)

    boards = (of(after), of(before), (of(after)[0], *of(before)[1:]))
    ruled = TurnRuled(after.text, Unsure(doubts=places, candidates=boards))
    return ruled_on(state, TurnRuled.from_json(ruled.to_json(), game_named(name)))


def likely() -> None:
    """Picture the boards that may stand there."""
    state = doubted("terra-turrium", 4)
    for name, size, language, theme in LOOKS:
        with (
            tempfile.TemporaryDirectory() as folder,
            paired(Path(folder), game_named("terra-turrium"), state, size=size, look=(language, theme)) as (page, _),
        ):
            keep(page, name, 6000)  # until the word that it is paired has gone


def at_a_table(game: Game) -> None:
    """Picture a rehearsal, the coach under a lamp that is too weak, a week of the cameras, and a note."""
    page = game.page
    game.phase("playing")
    game.pair()
    game.show(2)
    game.press("turn_ended")
    expect(page.locator("#play")).to_have_attribute("data-turn", "2", timeout=90_000)
    game.open("record")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.locator("[data-key=my-note]").click()
    keep(page, "note-phone", 6000)
    page.keyboard.press("Escape")
    game.open("table")
    expect(page.locator(".camera-line").first).to_be_visible(timeout=60_000)
    page.set_viewport_size({"width": TABLET[0], "height": TABLET[1]})
    page.locator(".camera-lines").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('.camera-lines').scrollIntoView({ block: 'start' })")
    keep(page, "camera-week")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    game.show(0)
    page.goto(f"{game.url}setup")
    page.click("[data-key=check]")
    expect(page.locator("#certificate svg").first).to_be_visible(timeout=90_000)
    page.click("[data-key=rehearsal-begin]")
    page.click("[data-key=rehearsal-look]")
    expect(page.locator(".rehearsal-task")).to_contain_text("Task 2 of", timeout=90_000)
    page.evaluate("document.querySelector('#rehearsal').scrollIntoView({ block: 'start' })")
    keep(page, "rehearsal-phone")
    page.click("[data-key=rehearsal-stop]")
    game.table.put({name: from_one_side(path) for name, path in RECORDING.looks[0].pictures.items()})
    game.all_seen()
    expect(page.locator(".lamp-meter p").first).to_be_visible(timeout=90_000)
    page.evaluate("document.querySelector('.camera').scrollIntoView({ block: 'start' })")
    keep(page, "lamp-phone", 2500)


def main() -> int:
    """Take every screen."""
    OUT.mkdir(exist_ok=True)
    likely()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        os.environ["REFEREE_DATA_FOLDER"] = str(data)
        table = Table(Path(folder))
        table.show(0)
        a_week(data / CAMERA_LINE, tuple(table.cameras), time.time())
        with Game.played(table, data, TABLET) as game:
            at_a_table(game)
    return 0


if __name__ == "__main__":
    sys.exit(main())
