"""Castles are played on the page: set-up, knights, king, cards, a question, a violation, a phase's end, the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.browser import needs_browser
from tests.web.castles import CastleGame, CastleTable

ALL = bool(os.environ.get("ALL_SCREENS"))
SCREENS = [
    pytest.param(((390, 844), "de", "dark"), id="phone-de-dark"),
    pytest.param(((1024, 768), "en", "light"), id="tablet-en-light"),
]
pytestmark = needs_browser


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CastleGame]:
    size, language, theme = request.param
    data = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
    table = CastleTable(tmp_path)
    table.show(0)
    with CastleGame.played(table, data, size, language, theme) as game:
        yield game


@pytest.mark.parametrize("game", SCREENS[1:], indirect=True)
def test_a_set_up_and_a_question(game: CastleGame) -> None:
    """The short game of every test run: castles off the board, and a card that is asked for, ruled on by hand."""
    page = game.page
    game.phase("playing")
    assert "E8" in game.state()["position"]["start_fields"]
    game.pair()
    cards = {"blue": {"held": 0, "played": ["leap"]}, "red": {"held": 1, "played": []}}
    before = "00001k000/02000000/01r100100/10000000/00000001/0010013b0/000002b00/00010000"
    game.by_hand(stage="play", round=2, to_move="red", board=before, cards=cards)
    game.tell("turn_ended")
    page.wait_for_function(
        "() => ['unsure', 'blind', 'violation'].includes(document.getElementById('play').dataset.phase)",
        timeout=90_000,
    )
    after = "00001k000/03r100000/011r10100/10000000/00000001/0010013b0/000002b00/00010000"
    game.tell("rule_board", board=after)
    expect(page.locator("[data-key=reply-leap]")).to_be_visible()
    game.unbarred()
    page.click("[data-key=reply-leap]")
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "legal")
    assert game.state()["position"]["cards"]["red"] == {"held": 0, "played": ["leap"]}


@pytest.mark.parametrize("game", SCREENS, indirect=True)
@pytest.mark.skipif(not ALL, reason="make browser plays it")
def test_a_whole_game_of_castles(game: CastleGame) -> None:
    game.phase("playing")
    game.pair()
    set_up_off_the_board(game)
    cards_bought_and_declared(game)
    a_violation_put_back(game)
    an_undeclared_card_is_asked_for(game)
    a_phase_ends(game)
    the_end(game)


def set_up_off_the_board(game: CastleGame) -> None:
    """Verify that the start fields are learnt from the first look; knights and king follow, each with an advice."""
    page = game.page
    assert "E8" in game.state()["position"]["start_fields"]  # the castles agreed on stand elsewhere
    assert game.state()["position"]["stage"] == "knights"
    expect(page.locator("#advice")).not_to_be_empty()
    game.unbarred()
    for look, stage in ((1, "knights"), (2, "king"), (3, "play")):
        game.turn(look)
        assert game.state()["position"]["stage"] == stage
    game.unbarred()
    game.fits()


def cards_bought_and_declared(game: CastleGame) -> None:
    page = game.page
    game.turn(4, bought=1)
    game.turn(5, bought=1)
    game.show(6)
    game.declare(card="leap", points=1)
    game.unbarred()
    game.fits()
    game.press("turn_ended")
    expect(page.locator("#play")).to_have_attribute("data-turn", "7", timeout=120_000)
    assert game.state()["position"]["score"] == {"blue": 1, "red": 0}
    assert game.state()["position"]["cards"]["blue"] == {"held": 0, "played": ["leap"]}


def a_violation_put_back(game: CastleGame) -> None:
    page = game.page
    game.show(7)
    game.press("turn_ended")
    game.phase("violation")
    expect(page.locator('[data-rule="build.new"]')).to_be_visible()
    game.unbarred()
    game.fits()
    game.show(6)
    game.phase("playing")
    assert game.state()["history"][-1]["fate"] == "taken-back"


def an_undeclared_card_is_asked_for(game: CastleGame) -> None:
    """Verify that nobody is accused before the question is answered, neither in the headline nor in the list."""
    page = game.page
    game.show(8)
    game.press("turn_ended")
    expect(page.locator("[data-key=reply-leap]")).to_be_visible(timeout=120_000)
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "unsure")
    expect(page.locator("#breach")).to_be_hidden()
    assert {entry["verdict"] for entry in game.state()["history"][-1:]} == {"unsure"}
    game.unbarred()
    game.fits()
    page.click("[data-key=deny]")
    expect(page.locator('[data-rule="card.declared"]')).to_be_visible()
    game.tell("declare", declared={"card": "leap"})
    expect(page.locator("#play")).to_have_attribute("data-turn", "8", timeout=120_000)
    assert game.state()["position"]["cards"]["red"] == {"held": 0, "played": ["leap"]}


def a_phase_ends(game: CastleGame) -> None:
    page = game.page
    game.turn(9)
    game.turn(10, bought=1)
    game.turn(11, bought=1)
    game.turn(12, points=1)
    expect(page.locator("#account")).to_be_visible()
    shares = page.locator(".share").evaluate_all("all => all.map(one => [one.dataset.player, one.dataset.after])")
    assert shares == [["red", "26"], ["blue", "16"]]
    page.locator("button.line").first.click()
    expect(page.locator("#board .layer-marks *").first).to_be_attached()
    game.unbarred()
    game.fits()
    position = game.state()["position"]
    assert (position["stage"], position["to_move"], position["first"]) == ("king", "blue", "red")
    game.turn(13)
    assert game.state()["position"]["stage"] == "play"
    assert game.state()["to_move"] == "red"


def the_end(game: CastleGame) -> None:
    """End the last turn of phase 3, ruled on by hand: points and ranking."""
    page = game.page
    game.by_hand(phase=3, round=4, first="red", to_move="blue", stage="play")
    game.show(13)
    game.press("turn_ended")
    expect(page.locator("[data-act=turn_over]")).to_be_visible(timeout=120_000)  # nothing changed: that is asked
    game.press("turn_over")
    game.phase("finished")
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "won")
    places = page.locator(".share-place").all_text_contents()
    assert places == ["1.", "2."]
    game.unbarred()
    game.fits()
    game.open("record")
    expect(page.locator(".entry .tally")).to_be_visible()
    game.unbarred()
