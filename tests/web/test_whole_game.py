"""A game is played through on the page: set-up, legal, put back, accepted, unsure, corrected, blind, won."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from referee.archive.measures import witnesses_file
from referee.cli import main
from referee.storage.witnesses import read_witnessed
from tests.demo.table import Table
from tests.vision.sources.patience import eventually
from tests.web.browser import needs_browser
from tests.web.whole import Game, one_turn_before_a_win

ALL = bool(os.environ.get("ALL_SCREENS"))
LOOKS = [
    pytest.param(((1024, 768), "en", "light"), id="tablet-en-light"),
    pytest.param(((390, 844), "de", "dark"), id="phone-de-dark"),
    pytest.param(((1440, 900), "fr", "dark"), id="desktop-fr-dark"),
    pytest.param(((768, 1024), "fr", "light"), id="upright-fr-light"),
    pytest.param(((844, 390), "en", "dark"), id="sideways-en-dark"),
]
pytestmark = needs_browser


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    size, language, theme = request.param
    data = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
    table = Table(tmp_path)
    table.show(0)
    with Game.played(table, data, size, language, theme) as game:
        yield game


@pytest.mark.parametrize("game", LOOKS[:1], indirect=True)
@pytest.mark.skipif(ALL, reason="the whole game has all of it")
def test_a_breach_is_put_back_and_a_turn_is_legal(game: Game) -> None:
    """The short game of every test run."""
    game.phase("playing")
    game.pair()
    broken_and_put_back(game)
    legal_by_the_space_key(game)
    witnessed_by_itself(game)
    earlier_turn_put_right(game)


@pytest.mark.parametrize("game", LOOKS, indirect=True)
@pytest.mark.skipif(not ALL, reason="make browser plays it")
def test_a_whole_game(game: Game) -> None:
    page = game.page
    game.phase("playing")
    expect(page.locator("[data-key=pair]")).to_be_visible()  # whoever is not paired only watches
    game.unbarred()
    game.pair()
    expect(page.locator("[data-act=turn_ended]")).to_be_visible()
    broken_and_put_back(game)
    legal_by_the_space_key(game)
    unsure_until_seen_clearly(game)
    accepted(game)
    seen_by_who_comes_later(game)
    corrected_and_undone(game)
    blind_and_won(game)
    what_stays(game)


def broken_and_put_back(game: Game) -> None:
    page = game.page
    game.show(1)
    game.press("turn_ended")
    game.phase("violation")
    expect(page.locator('[data-rule="build.occupied"]')).to_be_visible()
    expect(page.locator("#board-place")).to_be_hidden()  # a breach takes the screen
    expect(page.locator('#after-board [data-marked="D6"]')).to_have_count(1)
    page.locator(".picture img").first.scroll_into_view_if_needed()  # on a phone they lie below, and load when seen
    expect(page.locator(".picture img").first).to_have_js_property("complete", True)
    assert page.locator(".task").count() >= 5
    game.unbarred()
    game.fits()
    game.show(0)
    game.phase("playing")  # seen to be put back: nobody had to say so
    assert game.state()["history"][0]["fate"] == "taken-back"


def legal_by_the_space_key(game: Game) -> None:
    page = game.page
    game.show(2)
    expect(page.locator("#progress")).to_be_visible(timeout=60_000)
    page.locator("body").press(" ")
    expect(page.locator("#play")).to_have_attribute("data-turn", "2", timeout=90_000)
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "legal")
    expect(page.locator("#board .path").first).to_be_visible()
    game.unbarred()
    game.fits()


def witnessed_by_itself(game: Game) -> None:
    """Verify that the paired page has signed after each ruling, unasked, and gives its note away."""
    page, journal = game.page, next((game.data / "games").glob("*.journal"))
    eventually(lambda: len(read_witnessed(witnesses_file(journal))) > 1)
    game.open("record")
    page.click("[data-key=my-note]")
    with page.expect_download() as download:
        page.click(".sheet [data-key^=keep-]")
    game.unbarred()
    page.keyboard.press("Escape")
    verified = CliRunner().invoke(main, ["journal", "verify", str(journal), "--note", str(download.value.path())])
    assert verified.exit_code == 0, verified.output
    assert re.search(r"Kitchen tablet witnessed rulings (1–)?\d+ of \d+", verified.output), verified.output
    assert "events that Kitchen tablet signed" in verified.output


def earlier_turn_put_right(game: Game) -> None:
    """Say otherwise how turn 1 was, and then as it was: turn 2, ruled since, is judged again each time."""
    page = game.page
    game.open("play")
    game.show(3)
    game.press("turn_ended")
    expect(page.locator("#play")).to_have_attribute("data-turn", "3", timeout=90_000)
    before = game.state()["position"]["board"]
    _put_right(game, 2, {"A2": +1, "A1": -1})
    expect(page.locator("#detail")).to_contain_text("Turn 1 of Yellow was put right.")
    expect(page.locator("#detail")).to_contain_text("1 later turn was judged again and stands.")
    for name in ("A1", "A2"):  # the cameras saw turn 2 end otherwise than is said now
        expect(page.locator(f'#board [data-field="{name}"]')).to_have_attribute("data-shade", "open")
    state = game.state()
    told = [(entry["fate"], entry["fate_words"], entry["open"]) for entry in state["history"]]
    assert told[1:] == [("stands", "put right", []), ("stands", "judged again", ["A1", "A2"])]
    assert state["history"][1]["after"] == state["history"][2]["before"]
    game.unbarred()
    game.fits()
    _put_right(game, 2, {"A2": -1, "A1": +1})
    state = game.state()
    assert state["position"]["board"] == before
    last = state["history"][2]
    # A busy computer may have lost a camera meanwhile: what the other doesn't see alone stays open.
    assert len(last["pictures"]) < 2 or [entry["open"] for entry in state["history"]] == [[], [], []]


def _put_right(game: Game, entry: int, higher: dict[str, int]) -> None:
    page = game.page
    game.open(f"record/{entry}")
    # Beside much else Playwright has waited for ever for pages that these lead to, which are none.
    page.click(".entry [data-key=wrong]", no_wait_after=True)
    page.click(".sheet [data-key=wrong-other]", no_wait_after=True)
    expect(page.locator("#now")).to_have_text("How did the board stand after turn 1?")
    expect(page.locator("#board .touch:focus")).to_have_count(1)
    for name, change in higher.items():
        game.field(name, change)
    expect(page.locator(".edited")).to_have_count(len(higher))
    game.unbarred()
    game.fits()
    page.click("[data-key=save]")
    expect(page.locator("#editor")).to_be_hidden()


def unsure_until_seen_clearly(game: Game) -> None:
    page = game.page
    game.show(3, "blurred")
    game.press("turn_ended")
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "unsure", timeout=90_000)
    expect(page.locator("#before-board")).to_be_visible()  # nobody is accused: so the board stood, and two ways on
    expect(page.locator("[data-key=restored]")).to_be_visible()
    expect(page.locator("[data-key=go-on]")).to_be_visible()
    expect(page.locator(".task")).to_have_count(len(game.state()["swept"]["tasks"]))
    game.unbarred()
    game.fits()
    game.show(3)
    game.press("look_again")
    expect(page.locator("#play")).to_have_attribute("data-turn", "3", timeout=90_000)
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "legal")


def accepted(game: Game) -> None:
    game.show(6)  # two turns at once: no turn of one player explains that
    game.press("turn_ended")
    game.phase("violation")
    expect(game.page.locator("#ruling-added [data-key=wrong]")).to_be_visible()
    game.press("accept", sure=True)
    game.phase("playing")
    entry = game.state()["history"][-1]
    assert (entry["fate"], entry["by"]) == ("accepted", "Kitchen tablet")


def seen_by_who_comes_later(game: Game) -> None:
    """Open the page on another device in the middle of the game: it shows what the table knows, and may not act."""
    with game.guest() as page:
        state = game.shown_by(page)
        expect(page.locator("#history li")).to_have_count(min(6, len(state["history"])))
        drawn = page.locator("#board .cell").evaluate_all(
            "all => all.map(one => [one.dataset.field, one.dataset.height])"
        )
        assert dict(drawn) == {field["name"]: str(field["height"]) for field in state["board"]["fields"]}
        expect(page.locator("[data-key=pair]")).to_be_visible()
        expect(page.locator("[data-act=turn_ended]")).to_have_count(0)


def corrected_and_undone(game: Game) -> None:
    page, before = game.page, game.state()["position"]["board"]
    free = [field for field in game.state()["board"]["fields"] if not field["piece"]]
    game.press("correct")
    game.field(min(free, key=lambda field: field["height"])["name"], +1)
    expect(page.locator("[data-key=save]")).to_be_disabled()  # one cube too many: it is said, and not sent
    expect(page.locator(".editor-wrong")).to_contain_text("1")
    game.field(max(free, key=lambda field: field["height"])["name"], -1)
    expect(page.locator(".editor-wrong")).to_have_count(0)
    expect(page.locator(".edited")).to_have_count(2)
    game.unbarred()
    game.fits()
    page.click("[data-key=save]")
    expect(page.locator("#editor")).to_be_hidden()
    entry = game.state()["history"][-1]
    assert (entry["what"], entry["by"]) == ("correction", "Kitchen tablet")
    assert game.state()["position"]["board"] != before
    game.press("undo", sure=True)
    game.phase("restoring")
    assert game.state()["position"]["board"] == before
    game.press("put_back")
    game.phase("playing")


def blind_and_won(game: Game) -> None:
    page = game.page
    game.tell("correct", changes={"board": one_turn_before_a_win(game.state()), "to_move": "red"})
    game.show(6, "dark")
    game.press("turn_ended")
    game.phase("blind")
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "unsure")
    game.unbarred()
    game.press("rule_board")
    game.field("F7", piece="none")
    game.field("F8", piece="red")
    page.click("[data-key=save]")
    game.phase("finished")
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "won")
    expect(page.locator(".seat-winner")).to_have_attribute("data-colour", "red")
    game.unbarred()


def what_stays(game: Game) -> None:
    """Verify that the record can be gone through, disputed and taken away; a new game can be begun."""
    page = game.page
    game.open("record")
    entries = len(game.state()["history"])
    expect(page.locator(".turns li")).to_have_count(entries)
    page.locator(".turns a").last.click()
    expect(page.locator(".entry")).to_have_attribute("data-entry", "1")
    page.click("[data-key=dispute]")
    page.fill("#dispute-words", "It was D5.")
    page.click(".sheet .main")
    expect(page.locator(".disputes")).to_contain_text("It was D5.")
    game.unbarred()
    game.fits()
    for key, begins in (("as-text", b"[game "), ("as-json", b"{"), ("as-picture", b"\x89PNG")):
        with page.expect_download() as download:
            page.click(f"[data-key={key}]")
        assert Path(download.value.path()).read_bytes().startswith(begins)
    page.click("[data-key=checkpoint]")
    expect(page.locator(".qr")).to_be_visible()
    page.keyboard.press("Escape")
    for screen in ("table", "settings", "devices", "new"):
        game.open(screen)
        page.wait_for_timeout(300)
        game.unbarred()
        game.fits()
    page.click("[data-key=players-2]")
    page.click("[data-key=seating-2]")
    game.show(0)  # of another game: it stands there before this one is begun
    page.fill("[data-key=name-0]", "Anna")
    page.click("[data-key=start]")  # at once: what was typed must not cost a touch
    game.phase("set-up")
    assert "Anna" in {seat["name"] for seat in game.state()["seats"]}
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "unsure", timeout=60_000)  # looked at unasked
    assert game.state()["setup"]["differences"]
    assert game.state()["position"]["options"] == {"two_player_territories": "opposite"}
    assert game.state()["history"] == []
    game.unbarred()
