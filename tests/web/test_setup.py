"""The set-up page of ``referee run``: lights, grid, steps, and a check whose certificate the journal names."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.demo.command import Demo
from tests.demo.table import RECORDING, Table
from tests.web.browser import needs_browser, open_page
from tests.web.whole import Game, sound

pytestmark = needs_browser
PHONE = (390, 844)
TOO_WIDE_PX = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    data = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
    table = Table(tmp_path)
    table.show(0)
    with Game.played(table, data, PHONE, "de") as game:
        game.page.goto(f"{game.url}setup")
        yield game


def _picture(game: Game, camera: str) -> np.ndarray[Any, Any]:
    answer = game.page.request.get(f"{game.url}api/setup/pictures/{camera}")
    assert answer.headers["content-type"] == "image/jpeg"
    return np.asarray(cv2.imdecode(np.frombuffer(answer.body(), np.uint8), cv2.IMREAD_COLOR))


def _inked(picture: np.ndarray[Any, Any], bgr: tuple[int, int, int]) -> int:
    return int((np.abs(picture.astype(int) - bgr).max(axis=2) < 90).sum())


def test_from_lights_to_a_certificate_on_a_phone(game: Game) -> None:
    page = game.page
    lights = page.locator(".camera")
    expect(lights).to_have_count(2)
    for name in game.table.cameras:
        camera = page.locator(f'article[data-camera="{name}"]')
        expect(camera).to_have_attribute("data-light", "good")
        expect(camera.locator("img")).to_be_visible()
        expect(camera.locator(".camera-head p")).to_have_text("Diese Kamera sieht den Tisch gut.")
        expect(camera.locator(".lamp-meter meter")).to_have_attribute("value", re.compile(r"^\d+$"))
        expect(camera.locator(".lamp-meter span")).to_have_text(re.compile(r"^Licht: \d+ von 100$"))
        plain = cv2.imread(str(RECORDING.looks[0].pictures[name]))
        plain = cv2.resize(plain, (960, round(960 * plain.shape[0] / plain.shape[1])), interpolation=cv2.INTER_AREA)
        for colour in ((0, 230, 255), (255, 150, 40)):  # the grid on the board, and the one above it
            assert _inked(_picture(game, name), colour) > _inked(plain, colour) + 1000
    expect(page.locator('[data-step="check"]')).to_have_attribute("data-next", "true")
    expect(page.locator("[data-key=check]")).to_have_count(0)  # whoever is not paired only watches
    page.goto(game.url)
    game.pair()
    page.goto(f"{game.url}setup")
    page.click("[data-key=check]")
    expect(page.locator("#certificate h2")).to_contain_text("Tauglich", timeout=60_000)
    expect(page.locator("#certificate svg").first).to_be_visible()
    expect(page.locator('[data-step="check"]')).to_have_attribute("data-done", "true")
    _kept_and_noted(game)
    page.click("[data-key=rehearsal-begin]")
    expect(page.locator(".rehearsal-words")).to_contain_text("ohne Figuren")
    expect(page.locator(".rehearsal-drawing .rehearsal-text")).to_have_count(100)
    page.click("[data-key=rehearsal-skip]")
    expect(page.locator(".rehearsal-told")).to_contain_text("Ohne die erste Aufgabe")
    page.click("[data-key=rehearsal-look]")
    expect(page.locator(".rehearsal-task")).to_contain_text("Aufgabe 2 von 13", timeout=60_000)
    sound(page, TOO_WIDE_PX)
    for number in range(2, 14):
        expect(page.locator(".rehearsal-task")).to_contain_text(f"Aufgabe {number} von 13")
        page.click("[data-key=rehearsal-skip]")
    expect(page.locator(".rehearsal-told")).to_contain_text("zählten: 1;")
    expect(page.locator("[data-key=rehearsal-begin]")).to_be_enabled()
    _cameras_told(game)


def _cameras_told(game: Game) -> None:
    """Verify that the table's screen tells how the cameras did, and so do the metrics, from the same measurement."""
    page = game.page
    page.goto(f"{game.url}#/table")
    lines = page.locator('.camera-line[data-camera="cam0"] [data-line]')
    expect(lines).to_have_count(8)
    sharpness = page.locator('.camera-line[data-camera="cam0"] [data-line="sharpness"]')
    expect(sharpness.locator("b")).to_contain_text("jetzt")
    expect(sharpness.locator("polyline")).to_have_count(1)
    markers = page.locator('.camera-line[data-camera="cam0"] [data-line="markers"] b').inner_text()
    metrics = page.request.get(f"{game.url}metrics").text()
    found = re.search(r'referee_camera_markers\{camera="cam0"\} (\d+)', metrics)
    assert found is not None
    assert f"jetzt {found[1]}, " in markers
    page.click('[data-key="hours-1"]')
    expect(page.locator('[data-key="hours-1"]')).to_have_attribute("aria-pressed", "true")
    expect(lines).to_have_count(8)
    sound(page)


def _kept_and_noted(game: Game) -> None:
    """Verify that the certificate lies in the table's folder, the journal names it, and the game's page shows it."""
    events = game.page.request.get(f"{game.url}api/events?after=0&limit=100").json()["events"]
    noted = [event["data"] for event in events if event["kind"] == "table_checked"]
    assert len(noted) == 1
    assert noted[0]["by"] == "Kitchen tablet"
    kept = game.table.folder / "certificates" / f"{noted[0]['certificate']}.json"
    assert hashlib.sha256(kept.read_bytes()).hexdigest() == noted[0]["sha256"]
    assert json.loads(kept.read_bytes())["verdict"] == noted[0]["verdict"] == game.state()["certificate"]["verdict"]
    assert kept.with_suffix(".html").exists()
    paper = game.page.request.get(f"{game.url}api/setup/certificate?lang=fr")
    assert (paper.status, paper.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert '<html lang="fr">' in paper.text()
    assert "script-src" not in paper.headers["content-security-policy"]


def test_a_bad_view_and_a_missing_lens_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    table = Table(tmp_path)
    for path in (table.folder / "calibration" / "cam1").iterdir():
        path.unlink()
    for name, place in table.cameras.items():
        picture = cv2.imread(str(RECORDING.looks[0].pictures[name]))
        if name == "cam0":
            picture[:, : picture.shape[1] // 2] = 40  # half of the frame is hidden, and it is dark
            picture = cv2.GaussianBlur(picture, (0, 0), 2.5)
        cv2.imwrite(str(place / "0001.jpg"), picture)
    with Demo.run(*table.options) as run, open_page(*PHONE, locale="fr", theme="dark") as page:
        page.goto(f"{run.url}setup")
        expect(page.locator('article[data-camera="cam1"]')).to_have_attribute("data-light", "bad")
        expect(page.locator('article[data-camera="cam1"] .camera-head p')).to_contain_text("referee calibrate lenses")
        expect(page.locator('article[data-camera="cam1"] img')).to_be_visible()  # a picture to aim it by
        expect(page.locator('article[data-camera="cam0"]')).not_to_have_attribute("data-light", "good")
        expect(page.locator('[data-step="lenses"]')).to_have_attribute("data-done", "false")
        expect(page.locator("h1")).to_contain_text("Installer la table")
