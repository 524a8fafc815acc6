"""Who does not know a game finds on the page how it is played and how its turns are written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from referee.games import game_named
from referee.games.contract import Explains
from referee.values.words import LANGUAGES
from tests.web.browser import needs_browser
from tests.web.paired import paired
from tests.web.watched import some_turns_on

LINES = 5
GAMES = ["terra-turrium", "torres", "turris", "terrabilis"]
SCREENS = os.environ.get("SCREENS")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_five_lines_in_every_language(name: str) -> None:
    game = game_named(name)
    assert isinstance(game, Explains)
    found = game.explained(some_turns_on(name, 1).position)
    told = {language: [line.text(language) for line in found.how] for language in LANGUAGES}
    assert {len(lines) for lines in told.values()} == {LINES}
    assert all(len(line) < 170 for lines in told.values() for line in lines)
    assert not set(told["en"]) & set(told["de"])
    assert found.signs


@needs_browser
@pytest.mark.parametrize(("name", "width", "look"), [
    ("terra-turrium", 390, ("de", "dark")), ("torres", 1024, ("en", "light")), ("turris", 390, ("fr", "light")),
])  # fmt: skip
def test_it_is_read_on_the_page(name: str, width: int, look: tuple[str, str], tmp_path: Path) -> None:
    game, state = game_named(name), some_turns_on(name, 3)
    assert isinstance(game, Explains)
    found = game.explained(state.position)
    with paired(tmp_path, game, state, size=(width, 800), look=look) as (page, _):
        expect(page.locator("#log .signs")).to_contain_text(found.signs[0][1].text(look[0]))
        if SCREENS:
            page.screenshot(path=f"{SCREENS}/explained-{name}-1.png")
        page.click("[data-key=how]")
        expect(page.locator(".how li")).to_have_text([line.text(look[0]) for line in found.how])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if SCREENS:
            page.screenshot(path=f"{SCREENS}/explained-{name}-2.png")
        page.keyboard.press("Escape")
        page.click("#actions [data-key=more]")
        expect(page.locator("[data-key=help]")).to_have_text({"de": "Hilfe", "en": "Help", "fr": "Aide"}[look[0]])
        if SCREENS:
            page.screenshot(path=f"{SCREENS}/more-{name}.png")
        page.keyboard.press("Escape")
        page.goto(page.url.split("#")[0] + "#/record")
        expect(page.locator(".entry .signs")).to_contain_text(found.signs[0][0])
