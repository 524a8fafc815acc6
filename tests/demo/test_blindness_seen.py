"""In a browser every ruling made while a camera was off, covered, turned or late says so, on any page and screen."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.demo.webcams import RECORDING, Cameras, Run, refereed
from tests.web.browser import needs_browser, open_page
from tests.web.whole import TableOnPage, sound

ALL = bool(os.environ.get("ALL_SCREENS"))
TURNED_DEG = 3.0
"""A camera so far turned about its own axis still sees the whole frame."""
pytestmark = [needs_browser, pytest.mark.browser, pytest.mark.process]


def off(run: Run, cameras: Cameras) -> None:
    web = cameras.of["cam0"]
    web.fault = "stall"
    web.shutdown()
    web.server_close()
    run.told("cam0", "cam0 can't be reached")
    cameras.show(3)


def covered(run: Run, cameras: Cameras) -> None:
    cameras.show(3, covered=True)


def turned(run: Run, cameras: Cameras) -> None:
    cameras.show(3)
    picture = RECORDING.looks[3].load()["cam0"]
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), TURNED_DEG, 1.0)
    moved = cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
    noisy = [
        np.clip(moved + noise, 0, 255).astype(np.uint8)
        for noise in np.random.default_rng(1).normal(0, 2, (3, 1, 1, 1))
    ]
    cameras.of["cam0"].own = [bytes(cv2.imencode(".jpg", one)[1]) for one in noisy]


def late(run: Run, cameras: Cameras) -> None:
    """Let a camera lag: it shows the board before the turn and the one after it by turns, and never stands still."""
    before = cameras.of["cam0"].own
    cameras.show(3)
    web = cameras.of["cam0"]
    web.own = [picture for pair in zip(before, web.own, strict=True) for picture in pair]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Run, Cameras]]:
    with refereed(tmp_path, monkeypatch) as made:
        yield made


LONG = pytest.mark.skipif(not ALL, reason="make browser does all of them")


@pytest.mark.parametrize(
    ("befalls", "words", "screen"),
    [
        pytest.param(off, "Ruled on without cam0: cam0 sent no pictures.", (390, 844, "dark"), id="off"),
        pytest.param(
            covered, "Ruled on without cam0: cam0’s picture is dark", (1024, 768, "light"), id="covered", marks=LONG
        ),
        pytest.param(turned, "cam0 was moved since the turn before", (1440, 900, "dark"), id="turned", marks=LONG),
        pytest.param(
            late, "cam0 did not show the board standing still in time", (390, 844, "light"), id="late", marks=LONG
        ),
    ],
)
def test_a_ruling_says_what_befell_a_camera(
    table: tuple[Run, Cameras],
    befalls: Callable[[Run, Cameras], None],
    words: str,
    screen: tuple[int, int, str],
) -> None:
    run, cameras = table
    width, height, theme = screen
    cameras.show(2)
    before = run.until(lambda state: state["turn"] == 2)
    assert not before["history"][-1]["sightless"]
    with open_page(width, height, theme=theme) as page:
        page.goto(run.url)
        expect(page.locator("#play")).to_have_attribute("data-turn", "2")
        befalls(run, cameras)
        if befalls is late:  # nobody waits for a camera that never stands still once somebody asks
            game: TableOnPage[Any] = TableOnPage(
                cameras, run.demo, Path(os.environ["REFEREE_DATA_FOLDER"]), page, run.url
            )
            game.pair()
            game.press("turn_ended")
        run.until(lambda state: len(state["history"]) > len(before["history"]))
        expect(page.locator("#detail")).to_contain_text(words)
        sound(page)
        if folder := os.environ.get("PICTURES_TO"):
            page.screenshot(path=f"{folder}/blind-{befalls.__name__}.png")
        page.evaluate("location.hash = '#/record'")
        expect(page.locator(".entry-head")).to_contain_text(words)


@LONG
def test_a_set_up_changed_in_a_game_is_told_on_every_page(tmp_path: Path, table: tuple[Run, Cameras]) -> None:
    run, _ = table
    file, words = tmp_path / "table" / "table.json", "set-up was changed while this game is played"
    data = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(data | {"pitch_mm": [41.0, 41.0]}), encoding="utf-8")
    run.until(lambda state: any(words in notice["words"] for notice in state["notices"]))
    with open_page(390, 844, theme="dark") as page:
        page.goto(run.url)
        for screen in ("", "#/record", "#/table", "#/games"):
            page.evaluate(f"location.hash = '{screen}'")
            expect(page.locator("#notices")).to_contain_text(words)
            expect(page.locator("#notices")).to_be_visible()
        sound(page)
