"""The screen for the room: what it may show, how large it is written, and that an overlay leaves the film free."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from referee.daemon import ViewPublisher
from referee.daemon.roomscreen import RoomScreen
from referee.games import package_named
from referee.match.state import TableState
from referee.view import table_view
from referee.view.room import Room, room_view
from tests.web.browser import needs_browser
from tests.web.watched import NAMES, much_broken, on_a_screen, some_turns_on, watched

ALL = bool(os.environ.get("ALL_SCREENS"))
GAMES = {"terra-turrium": 4, "torres": 3, "turris": 5, "terrabilis": 2}
READ_FROM = 30
"""Text is at least so large a part of the screen's height: 23 mm of a 55 inch television, read from five metres.

Signs on the board (+, !, the letter in a flag) are smaller: shape and colour say the same.
"""

OBS_STYLE = "body { background-color: rgba(0, 0, 0, 0); margin: 0px auto; overflow: hidden; }"
"""What OBS lays over every page of a browser source, unless somebody changes it."""
LAY_STYLE = """css => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
"""As a browser source lays its own style over a page, past what the page allows itself."""

SMALL = """([part, within = "#room"]) => [...document.querySelectorAll(`${within} *`)]
  .filter(node => node.checkVisibility()
  && [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim())
  && !node.matches(".letter, .tower-count, .badge text, .mark-text, .sign text"))
  .map(node => {
    const scale = node.ownerSVGElement ? node.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(node).fontSize) * scale;
    return [node.textContent.trim().slice(0, 40), node.className.baseVal ?? node.className, size];
  }).filter(([, , size]) => size < innerHeight / part)"""
OUTSIDE = """() => ["#room > *", ".room-said > *", ".room-ruling > *", ".room-seats > *", ".account"]
  .flatMap(selector => [...document.querySelectorAll(selector)]).filter(node => node.checkVisibility())
  .map(node => [node.id || node.className, node.getBoundingClientRect()])
  .filter(([, box]) => box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
  .map(([name, box]) => [name, box.right, box.bottom])"""

CUT_OFF_PX = """() => { const { scrollHeight, clientHeight } = document.getElementById("ruling");
  return scrollHeight - clientHeight; }"""

CUT_SHORT = """() => [...document.querySelectorAll("#room *")].filter(node => node.checkVisibility()).filter(node => {
  const box = node.getBoundingClientRect();
  const within = node.closest(".account, .room-seat")?.getBoundingClientRect();
  const hides = getComputedStyle(node).overflowX !== "visible" && node.scrollWidth > node.clientWidth + 1;
  return hides || box.right > innerWidth + 1 || (within && box.right > within.right + 1);
}).map(node => [node.tagName, node.className, node.textContent.trim().slice(0, 40)])"""


def seen(name: str, room: Room, broken: bool = False) -> Any:
    """Return what a room is told of a game, as JSON."""
    state = some_turns_on(name, GAMES[name], broken)
    game = package_named(name).game
    shown = table_view(game, state if room.names else state.naming({}))
    return json.loads(json.dumps(room_view(shown, room)))


@pytest.mark.parametrize("name", GAMES)
def test_without_names_nobody_is_named(name: str) -> None:
    assert NAMES[0] in json.dumps(seen(name, Room()), ensure_ascii=False)
    told = json.dumps(seen(name, Room(names=False)), ensure_ascii=False)
    assert not [one for one in NAMES if one in told]


def test_a_breach_is_shown_only_where_it_may_be() -> None:
    assert seen("terra-turrium", Room(), broken=True)["violation"]["rules"]
    kept = seen("terra-turrium", Room(breaches=False), broken=True)
    assert kept["violation"] is None
    assert (kept["banner"]["tone"], kept["banner"]["fields"], kept["acts"]) == ("busy", [], [])
    assert "take.count" not in json.dumps(kept)


def test_a_hidden_room_gets_title_and_banner_only() -> None:
    assert set(seen("torres", Room(shown=False))) == {"room", "language", "title", "banner"}


def test_the_room_can_neither_act_nor_look_back() -> None:
    told = seen("terra-turrium", Room(pictures=True))
    assert not set(told) & {"actions", "history", "notices", "position", "certificate", "disputes", "choices"}
    assert told["cameras"]
    assert seen("terra-turrium", Room())["cameras"] == []


def test_what_is_set_at_the_table_is_kept(tmp_path: Path) -> None:
    board = ViewPublisher()
    board.publish({"title": "t", "banner": {}})
    room = RoomScreen(board, tmp_path / "room.json")
    version = room.snapshot()["version"]
    assert room.put({"names": False, "pictures": True}).accepted
    assert room.snapshot()["version"] != version  # whoever looks on hears of it
    again = RoomScreen(board, tmp_path / "room.json").settings()
    assert again == {"shown": True, "names": False, "pictures": True, "breaches": True}
    (tmp_path / "room.json").write_text("{", encoding="utf-8")
    assert RoomScreen(board, tmp_path / "room.json").settings()["shown"] is False


@needs_browser
@pytest.mark.browser
def test_it_is_read_from_the_other_end_of_the_room(tmp_path: Path) -> None:
    """All games, whole and broken, on two screens: nothing too small, nothing off the screen."""
    for name, turns in GAMES.items() if ALL else list(GAMES.items())[:1]:
        for broken in (False, True) if name != "terrabilis" else (False,):
            with watched(name, tmp_path, some_turns_on(name, turns, broken)) as table:
                for size in ((1920, 1080), (3840, 2160)) if ALL else ((1920, 1080),):
                    with on_a_screen(table, size, "?lang=fr&theme=dark") as page:
                        assert page.evaluate(SMALL, [READ_FROM]) == [], name
                        assert page.evaluate(OUTSIDE) == [], name
                        assert page.evaluate(CUT_OFF_PX) <= 1, name
                        assert page.locator("html").get_attribute("data-theme") == "dark"
                        expect(page.locator("#headline")).to_have_text("Non valable" if broken else "Valable")


@needs_browser
@pytest.mark.browser
def test_however_many_rules_are_broken_all_are_read(tmp_path: Path) -> None:
    """What has no room is shown part by part: never cut off, never too small, each rule in its turn."""
    for name in ("terra-turrium", "torres") if ALL else ("terra-turrium",):
        state = much_broken(name, GAMES[name])
        assert state.history[-1].ruled is not None
        assert state.history[-1].ruled.ruling is not None
        rules = len(state.history[-1].ruled.ruling.violations)
        assert rules > 2
        with watched(name, tmp_path, state) as table:
            for size in ((1920, 1080), (3840, 2160)) if ALL else ((1920, 1080),):
                for query in ("?lang=de", "?lang=fr&overlay") if ALL else ("?lang=de",):
                    with on_a_screen(table, size, query) as page:
                        assert read_in_turn(page) == rules


def read_in_turn(page: Page) -> int:
    """Count the rules that are shown one time or another, none of them cut off."""
    seen: set[str] = set()
    rules = page.locator("#rules li")
    for _ in range(rules.count() + 1):
        # An overlay's board is small, to leave the film free.
        assert page.evaluate(SMALL, [READ_FROM, "#ruling"]) == []
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(CUT_OFF_PX) <= 1
        leaf = page.locator("#leaf").text_content()
        seen |= set(page.locator("#rules li:visible").all_inner_texts())
        if len(seen) == rules.count():
            break
        page.wait_for_function("leaf => document.getElementById('leaf').textContent !== leaf", arg=leaf)
    return len(seen)


@needs_browser
@pytest.mark.browser
def test_a_breach_is_told_step_by_step(tmp_path: Path) -> None:
    state = some_turns_on("terra-turrium", 4, broken=True)
    with watched("terra-turrium", tmp_path, state) as table, on_a_screen(table) as page:
        step = page.locator("#scene").get_attribute("data-step")
        expect(page.locator("#scene")).not_to_have_attribute("data-step", step or "")
        expect(page.locator("#board .badge, #board .path")).not_to_have_count(0)
        expect(page.locator("#seats")).to_be_hidden()
        page.set_viewport_size({"width": 390, "height": 844})
        expect(page.locator("#seats")).to_be_visible()  # a phone can be scrolled: it has room for the score as well
        table.room.put({"breaches": False})
        expect(page.locator("#scene")).to_be_hidden()
        expect(page.locator("#headline")).to_have_text("Something is being settled at the table")
        table.room.put({"shown": False})
        expect(page.locator("#board-place")).to_be_hidden()


@needs_browser
@pytest.mark.browser
def test_an_overlay_leaves_the_film_free(tmp_path: Path) -> None:
    with watched("terra-turrium", tmp_path, some_turns_on("terra-turrium", 4)) as table:
        for theme in ("light", "dark"):
            with on_a_screen(table, query=f"?overlay&theme={theme}") as page:
                page.evaluate(LAY_STYLE, OBS_STYLE)
                opaque = seen_through(page) > 0
                assert 0.15 < opaque.mean() < 0.55
                assert not opaque[:300, :1000].any()  # the film, left of the board
                box = page.locator("#ruling").bounding_box()
                assert box is not None
                row = opaque[int(box["y"] + box["height"] / 2)]
                assert row[int(box["x"] + 40) : int(box["x"] + box["width"] - 40)].all()


def seen_through(page: Page) -> np.ndarray:
    """Return how opaque each pixel of the page is, 0 to 255, over nothing."""
    shot = cv2.imdecode(np.frombuffer(page.screenshot(omit_background=True), np.uint8), cv2.IMREAD_UNCHANGED)
    assert shot is not None
    assert shot.shape[2] == 4
    return shot[:, :, 3]


@needs_browser
@pytest.mark.parametrize("name", ["terra-turrium", "terrabilis"])
def test_whoever_looks_on_with_a_phone_or_a_tablet_reads_all_of_it(name: str, tmp_path: Path) -> None:
    state = some_turns_on(name, GAMES[name])
    long = {seat: f"{called} Freifrau von Hohenlohe" for seat, called in state.players.items()}
    with watched(name, tmp_path, state.naming(long)) as table:
        table.room.put({"names": True})
        with on_a_screen(table, query="?lang=fr") as page:
            for width, height in ((390, 844), (768, 1024), (1024, 768), (1440, 900)):
                page.set_viewport_size({"width": width, "height": height})
                for called in long.values():
                    expect(page.get_by_text(called).first).to_be_visible()
                assert page.evaluate(CUT_SHORT) == [], width
            pictures = page.locator("#pictures")
            assert pictures.evaluate("node => (node.hidden = false, getComputedStyle(node).display)") == "flex"


def seats_of(name: str, state: TableState) -> Any:
    """Return the seats of a game as it stands."""
    return package_named(name).game.seats(state.position)


@needs_browser
@pytest.mark.parametrize("name", ["terra-turrium", "turris", "terrabilis"])
def test_everybody_sees_how_far_each_player_has_come(name: str, tmp_path: Path) -> None:
    state = some_turns_on(name, GAMES[name])
    with watched(name, tmp_path, state) as table, on_a_screen(table) as page:
        seats = seats_of(name, state)
        shown = page.locator(".room-goal:visible")
        expect(shown).to_have_count(len(seats))
        for part, seat in zip(shown.all(), seats, strict=True):
            expect(part).to_be_visible()
            expect(part.locator(".room-step")).to_have_count(len(seat.steps))
            expect(part.locator("[data-reached=true]")).to_have_count(sum(step.reached for step in seat.steps))
            assert part.inner_text().strip()
            if name == "terrabilis":  # a letter would say nothing
                assert part.locator(".room-step").all_inner_texts()[1:] == ["Alliance", "no loan"]
        assert page.evaluate(SMALL, [READ_FROM]) == []
        assert page.evaluate(OUTSIDE) == []
