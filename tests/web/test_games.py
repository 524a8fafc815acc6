"""Earlier games on the page of ``referee run``: found, opened, and deleted after two questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.archive.game import write_journal
from tests.demo.table import Table
from tests.web.browser import needs_browser
from tests.web.whole import Game, fits, sound

pytestmark = needs_browser


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    data = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
    write_journal(data / "games" / "final.journal")
    damaged = write_journal(data / "games" / "spoilt.journal")
    content = damaged.read_bytes()
    at = content.index(b'"number":6,"previous"') + 20
    damaged.write_bytes(content[:at] + b"x" + content[at + 1 :])
    table = Table(tmp_path)
    table.show(0)
    with Game.played(table, data, (390, 844), "de") as game:
        yield game


def test_a_game_is_found_opened_and_deleted(game: Game) -> None:
    page = game.page
    game.pair()
    game.open("record")
    page.click("[data-key=games]")
    expect(page.locator(".game")).to_have_count(3)
    fits(page)
    with_statistics(game)
    with_its_own_record(page)
    page.fill("[data-key=search]", "anna")
    expect(page.locator(".game")).to_have_count(1)
    page.click('[data-game="final"]')
    expect(page.locator(".game-open pre")).to_contain_text("1. red")
    fits(page)
    played_by_itself(page)
    page.click("[data-key=delete]")
    expect(page.locator(".sheet-words")).to_contain_text("6 Bilder")
    page.locator(".sheet .danger").click()
    expect(page.locator(".sheet-words")).to_contain_text("Niemand kann")
    assert (game.data / "games" / "final.journal").exists()
    page.locator(".sheet .danger").click()
    expect(page.locator("#games-found")).to_contain_text("Kein Spiel gefunden")
    assert not (game.data / "games" / "final.journal").exists()
    page.fill("[data-key=search]", "")
    page.click('[data-game="spoilt"]')
    page.click("[data-key=repair]")
    expect(page.locator(".game-open pre")).to_contain_text("turn 1, red")


def with_statistics(game: Game) -> None:
    """Let Anna ask for statistics, look at them, and delete them with one touch; nobody else is kept."""
    page, book = game.page, game.data / "players.json"
    page.click("[data-key=players]")
    expect(page.locator(".chip")).to_have_count(2)
    assert not book.exists()
    page.click("[data-key=offer-Anna]")
    expect(page.locator(".player-entry")).to_have_count(1)
    assert [one["name"] for one in json.loads(book.read_text(encoding="utf-8"))["players"]] == ["Anna"]
    page.click("[data-key=player-1]")
    expect(page.locator(".figures")).to_contain_text("Züge")
    sound(page)
    page.click("[data-key=forget]")
    expect(page.locator("[data-key=offer-Anna]")).to_be_visible()
    assert "Anna" not in book.read_text(encoding="utf-8")
    page.click("[data-key=games]")
    expect(page.locator(".game")).to_have_count(3)


def with_its_own_record(page: Page) -> None:
    """Look at how often the rulings of this table were put right; the damaged game is told, and not counted."""
    page.click("[data-key=evidence]")
    expect(page.locator(".figures p").first).to_have_text(re.compile("Von 3 Entscheidungen wurden 0 "))
    expect(page.locator("main")).to_contain_text("1 Partie lässt sich nicht lesen")
    sound(page)
    page.click("[data-key=games]")
    expect(page.locator(".game")).to_have_count(3)


def played_by_itself(page: Page) -> None:
    """Verify that a game goes on from turn to turn without a touch, stops when told to, and one can go back."""
    page.click("[data-key=replay]")
    page.select_option("[data-key=pace]", "1")
    expect(page.locator(".replay")).not_to_have_attribute("data-at", "0")
    expect(page.locator(".replay .cell").first).to_be_visible()
    page.click("[data-key=first]")
    page.click("[data-key=toggle]")
    at = page.locator(".replay").get_attribute("data-at")
    sound(page)
    expect(page.locator(".replay")).to_have_attribute("data-at", at or "")
    page.click("[data-key=back-to-game]")
    expect(page.locator(".game-open")).to_be_visible()
