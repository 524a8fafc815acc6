"""In a browser one touch beside a ruling shows what may truly stand there, and one more puts the ruling right."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from referee.addons.trackrecord.casekeeper import LABELS, cases_folder
from tests.demo.table import Table
from tests.vision.sources.patience import eventually
from tests.web.browser import needs_browser
from tests.web.whole import Game

ALL = bool(os.environ.get("ALL_SCREENS"))
LONG = pytest.mark.skipif(not ALL, reason="make browser does it in every size")
LOOKS = [
    pytest.param(((390, 844), "de", "dark"), id="phone-de-dark"),
    pytest.param(
        ((1024, 768), "en", "light"), id="tablet-en-light", marks=pytest.mark.skipif(not ALL, reason="long")
    ),
    pytest.param(((1440, 900), "fr", "dark"), id="desktop-fr-dark", marks=pytest.mark.skipif(not ALL, reason="long")),
]
pytestmark = [needs_browser, pytest.mark.browser, pytest.mark.process]


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    size, language, theme = request.param
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    table = Table(tmp_path)
    table.show(0)
    with Game.played(table, tmp_path / "data", size, language, theme) as game:
        yield game


@pytest.mark.parametrize("game", LOOKS, indirect=True)
def test_one_touch_puts_a_ruling_right(game: Game) -> None:
    page = game.page
    game.phase("playing")
    expect(page.locator("[data-key=wrong]")).to_have_count(0)  # nothing is ruled on yet, and nobody is paired
    game.pair()
    for shown in (2, 3):
        game.show(shown)
        game.press("turn_ended")
        expect(page.locator("#play")).to_have_attribute("data-turn", str(shown), timeout=90_000)
    _pictured(game, "ruling")
    earlier, newest = game.state()["history"]

    # The newest ruling: it is withdrawn and given anew.
    page.click("#ruling-added [data-key=wrong]")
    _touched(game, "newest")
    eventually(lambda: game.state()["history"][-1]["by_hand"])
    _, first, second = game.state()["history"]
    assert (first["entry"], first["fate"]) == (newest["entry"], "withdrawn")
    assert second["after"] != newest["after"] or second["verdict"] != newest["verdict"]
    expect(page.locator("[data-key=wrong]")).to_be_visible()  # what people said can be wrong as well
    game.unbarred()
    _pictured(game, "after")

    # An earlier one: the record is put right, and what was ruled since is judged again.
    game.open(f"record/{earlier['entry']}")
    game.fits()
    _pictured(game, "record")
    page.click(".entry [data-key=wrong]")
    _touched(game, "earlier")
    eventually(lambda: game.state()["history"][0]["fate_words"] == "put right")
    assert game.state()["history"][0]["after"] != earlier["after"]
    game.unbarred()
    _pictured(game, "put-right")

    (journal,) = (game.data / "games").glob("*.journal")
    eventually(lambda: len(_labels(journal)) == 2)
    assert [(label["entry"], label["ruled"]) for label in _labels(journal)] == [
        (one["entry"], one["after"]) for one in (earlier, newest)
    ]
    assert [len(label["pictures"]) for label in _labels(journal)] == [2, 2]


def _touched(game: Game, name: str) -> None:
    """Touch the likeliest of the boards that are offered."""
    boards = game.page.locator(".sheet .candidate")
    expect(boards.first).to_be_visible()
    game.unbarred()
    game.fits()
    _pictured(game, name)
    boards.first.click()


def _labels(journal: Path) -> list[dict[str, Any]]:
    file = cases_folder(journal) / LABELS
    found: list[dict[str, Any]] = json.loads(file.read_text()) if file.exists() else []
    return found


def _pictured(game: Game, name: str) -> None:
    """Keep a picture of the page where somebody wants to look at it."""
    if folder := os.environ.get("PICTURES_TO"):
        size = game.page.viewport_size
        assert size is not None
        game.page.screenshot(path=f"{folder}/wrong-{size['width']}-{name}.png")
