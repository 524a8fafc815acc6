"""A mat is shown to the cameras by taps on the page, and dice thrown on it stand first on the banker's page."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from referee.games import package_named
from referee.kinds.ledger.requests import to_json
from tests.demo.table import FolderTable, Image
from tests.web.browser import needs_browser
from tests.web.whole import TOO_WIDE_PX, TableOnPage, sound
from vision.ledger.reader import MatReader

pytestmark = [needs_browser, pytest.mark.browser]
OAK = Path(__file__).parents[1] / "data" / "mats" / "oak"
DOCUMENT = TOO_WIDE_PX.replace("document.getElementById('main')", "document.documentElement")
TRUTH = {each["file"]: each for each in json.loads((OAK / "truth.json").read_text(encoding="utf-8"))["pictures"]}


def picture(name: str) -> Image:
    return np.asarray(cv2.imread(str(OAK / name)), np.uint8)


LANGUAGES = ("en", "de", "fr") if os.environ.get("ALL_SCREENS") else ("en",)


@pytest.fixture(params=LANGUAGES)
def game(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TableOnPage[FolderTable]]:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    folder = tmp_path / "oak"
    shutil.copytree(OAK, folder, ignore=shutil.ignore_patterns("*.jpg", "places.json", "mat.png"))
    engine = package_named("terrabilis").game
    start = engine.new_game({"seats": {"first": "red", "second": "blue"}}).to_json()
    table = FolderTable(tmp_path, folder, ["cam0"], start)
    table.put({"cam0": picture("000.jpg")})
    with TableOnPage[FolderTable].played(table, tmp_path / "data", (1024, 768), request.param) as game:
        game.pair()
        yield game


def spots(reader: MatReader, name: str, points_mm: Any, height_mm: float = 0.0) -> list[tuple[float, float]]:
    """Return where places of the mat lie in a picture, as shares of its sides."""
    (view,), _ = reader.views({"cam0": picture(name)})
    flat = np.atleast_2d(np.asarray(points_mm, np.float64))
    at = view.project(np.column_stack([flat, np.full(len(flat), height_mm)]))
    height, width = view.picture_bgr.shape[:2]
    return [(float(x) / (width - 1), float(y) / (height - 1)) for x, y in at]


def tapped(page: Page, part: str, where: Sequence[tuple[float, float]]) -> None:
    """Choose a part, tap its places and keep them."""
    chosen = page.locator(f'[data-key="part-{part}"]')
    if chosen.get_attribute("aria-pressed") != "true":
        chosen.click()
    image = page.locator(".mat-image")
    expect(image).to_have_js_property("complete", True)
    for x, y in where:
        box = image.bounding_box()
        assert box is not None
        page.locator('[data-key="picture"]').click(position={"x": x * box["width"], "y": y * box["height"]})
    expect(page.locator(".mat-tap")).to_have_count(len(where))
    page.click('[data-key="keep"]')
    expect(chosen).to_have_attribute("data-taught", "true")


@pytest.mark.skipif(not os.environ.get("ALL_SCREENS"), reason="make browser teaches the whole mat")
def test_a_mat_taught_by_taps_is_read_and_its_dice_are_proposed(game: TableOnPage[FolderTable]) -> None:
    page, taught = game.page, MatReader.open(OAK)
    places = taught.places
    page.goto(f"{game.url}mat")
    page.click('[data-key="empty"]')
    expect(page.locator(".status")).to_have_attribute("data-tone", "good")
    assert places.rolled_on is not None
    tapped(page, "rolled_on", spots(taught, "000.jpg", places.rolled_on))
    tapped(page, "track", spots(taught, "000.jpg", places.track))
    tapped(page, "zone", spots(taught, "000.jpg", places.spots))
    for word, points in places.cards.items():
        tapped(page, f"cards.{word}", spots(taught, "000.jpg", points))
    across, deep = places.card_mm
    page.fill('[data-key="size-card-width"]', str(across))
    page.fill('[data-key="size-card-depth"]', str(deep))
    page.click('[data-key="sizes"]')
    expect(page.locator(".status")).to_have_attribute("data-tone", "good")
    sound(page, DOCUMENT)
    page.click('[data-key="part-track"]')
    shot(page, "mat")

    game.table.put({"cam0": picture("002.jpg")})
    game.all_seen()
    for word, space in TRUTH["002.jpg"]["pawns"].items():
        (spot,) = spots(taught, "002.jpg", places.track[space], places.pawn_mm[0] * 0.35)
        page.click('[data-key="renew"]')
        tapped(page, f"pawns.{word}", [spot])
    written = MatReader.open(game.table.folder)
    assert np.abs(written.places.track - places.track).max() < 1.5
    assert written.places.pawns.keys() == places.pawns.keys()
    ours, theirs = (to_json(each.read({"cam0": picture("004.jpg")})) for each in (written, taught))
    assert ours["installed"] == theirs["installed"]
    assert ours["dice"] == theirs["dice"]

    page.goto(game.url)
    page.click('[data-act="begin"]')
    game.phase("playing")
    game.table.put({"cam0": picture("004.jpg")})
    low, high = sorted(TRUTH["004.jpg"]["dice"])
    first = page.locator('[data-group="roll"] button').first
    expect(first).to_have_class("bank-throw bank-seen", timeout=60_000)
    expect(first).to_have_attribute("data-key", f"option-roll {low}+{high}")
    sound(page)
    shot(page, "dice")
    first.click()
    expect(page.locator(".bank-said li")).to_have_count(1)


def shot(page: Page, name: str) -> None:
    """Keep a picture of the page, where somebody asks for them."""
    if folder := os.environ.get("SCREENS"):
        page.screenshot(path=f"{folder}/mat-{name}.png")


def test_on_a_phone_taps_are_taken_back_and_keys_do_as_well(game: TableOnPage[FolderTable]) -> None:
    page = game.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{game.url}mat")
    page.click('[data-key="part-rolled_on"]')
    shown = page.locator('[data-key="picture"]')
    shown.focus()
    for key in ("Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".mat-tap")).to_have_count(2)
    page.click('[data-key="keep"]')
    expect(page.locator(".status")).to_have_attribute("data-tone", "bad")
    said = {"en": "further apart", "de": "weiter auseinander", "fr": "plus éloignés"}
    language = page.locator("html").get_attribute("lang") or "en"
    expect(page.locator(".status")).to_contain_text(said[language])
    page.click('[data-key="undo"]')
    expect(page.locator(".mat-tap")).to_have_count(1)
    assert not (game.table.folder / "places.json").exists()
    sound(page, DOCUMENT)
    page.click('[data-key="part-symbols.6"]')
    shown.focus()
    page.keyboard.press("Enter")  # the middle of the picture, where no die lies
    expect(page.locator(".mat-tap")).to_have_count(1)
    page.click('[data-key="keep"]')
    expect(page.locator(".status")).not_to_contain_text(said[language])
    expect(page.locator(".status")).to_have_attribute("data-tone", "bad")
    assert not (game.table.folder / "symbol-6.png").exists()
    shot(page, "phone")
