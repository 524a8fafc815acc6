"""In a browser one touch beside a ruling shows what may truly stand there, and one more puts the ruling right."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

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
    game.show(2)
    game.press("turn_ended")
    expect(page.locator("#play")).to_have_attribute("data-turn", "2", timeout=90_000)
    given = game.state()["history"][-1]
    page.click("#ruling-added [data-key=wrong]")
    boards = page.locator(".sheet .candidate")
    expect(boards).to_have_count(4)
    game.unbarred()
    game.fits()
    _pictured(game, "sheet")
    boards.first.click()
    eventually(lambda: game.state()["history"][-1]["by_hand"])
    first, second = game.state()["history"][-2:]
    assert (first["entry"], first["fate"]) == (given["entry"], "withdrawn")
    assert second["after"] != given["after"] or second["verdict"] != given["verdict"]
    (journal,) = (game.data / "games").glob("*.journal")
    eventually((cases_folder(journal) / LABELS).exists)
    (label,) = json.loads((cases_folder(journal) / LABELS).read_text())
    assert (label["entry"], len(label["pictures"])) == (given["entry"], 2)
    expect(page.locator("[data-key=wrong]")).to_be_visible()  # what people said can be wrong as well
    game.unbarred()
    _pictured(game, "after")


def _pictured(game: Game, name: str) -> None:
    """Keep a picture of the page where somebody wants to look at it."""
    if folder := os.environ.get("PICTURES_TO"):
        size = game.page.viewport_size
        assert size is not None
        game.page.screenshot(path=f"{folder}/wrong-{size['width']}-{name}.png")
