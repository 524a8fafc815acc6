"""The virtual table's page: there only where there is such a table, and a turn of one's own played on it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from pydantic import ValidationError

from referee.daemon import ViewPublisher
from referee.demo.virtualdesk import PlayedTable
from referee.games import game_named
from referee.match.events import GameStarted
from referee.match.transitions import begin
from referee.opponents import OpponentError
from referee.service.server import PageServer, address, bind
from referee.values.words import say
from referee.view import table_view
from referee.virtual.table import Pace, VirtualTable
from tests.demo.command import Demo
from tests.match.fakes import StepGame, start
from tests.virtual.beside import FLAT
from tests.virtual.laid import BOARDS, laid
from tests.web.browser import needs_browser, open_page
from web.api.tablemodels import HandBody
from web.app import create_app
from web.tableparts import TableParts

TERRA, KIT = laid("terra-turrium")


class _NoTable:
    def snapshot(self, language: str = "en") -> dict[str, object]:
        return {"version": 1}

    def wait(self, version: int, timeout: float) -> bool:
        return False


def _desk(pressed: list[str], idea: Callable[[], str] | None = None, game: str = "terra-turrium") -> PlayedTable:
    setup, kit = laid(game)
    table = VirtualTable(setup, kit, lambda scene: None, BOARDS[game], Pace(0, 0, 0), lambda _: False)
    return PlayedTable(table, setup, game_named(game), pressed.append, idea)


def test_without_a_virtual_table_nothing_of_it_is_there() -> None:
    client = create_app(_NoTable()).test_client()
    assert client.get("/virtual").status_code == 404
    assert client.get("/api/virtual").get_json()["code"] == "no-virtual-table"
    assert "frame-ancestors 'none'" in client.get("/").headers["Content-Security-Policy"]


def test_with_one_its_page_shows_the_tablets_page_in_a_frame_and_nobody_elses_page_does() -> None:
    client = create_app(_NoTable(), TableParts(virtual=_desk([]))).test_client()
    answer = client.get("/virtual")
    assert answer.status_code == 200
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "frame-ancestors 'self'" in policy
    assert "script-src 'self'" in policy
    assert client.get("/").headers["X-Frame-Options"] == "SAMEORIGIN"


@pytest.mark.parametrize("lent", [True, False])
def test_who_was_lent_the_table_can_give_it_back(lent: bool) -> None:
    client = create_app(_NoTable(), TableParts(virtual=_desk([]), lent=lent)).test_client()
    assert (b'id="leave"' in client.get("/virtual").data) is lent


def test_what_lies_there_is_told_and_changes_with_an_act() -> None:
    desk = _desk([])
    before = desk.view("de")
    assert before["lying"] == BOARDS["terra-turrium"]
    assert desk.act({"do": "take", "field": "C1"}) is None
    after = desk.view("en")
    assert after["lying"] != before["lying"]
    assert isinstance(after["version"], int)
    refused = desk.act({"do": "take", "field": "A1"})
    assert refused is not None
    assert refused.text() == "Yellow stands on A1: take that piece off first."
    assert desk.fault("explode", "", "", 1.0) is not None


def test_hands_may_do_whatever_a_kind_calls_an_act() -> None:
    assert HandBody(do="turn over", field="C1").do == "turn over"
    with pytest.raises(ValidationError):
        HandBody(do="<b>")


def test_a_whole_turn_is_played_by_hands_where_somebody_has_an_idea() -> None:
    def none() -> str:
        raise OpponentError(say("Wait until it is your turn: then one can be played for you."))

    after = _desk([])
    assert after.act({"do": "take", "field": "C1"}) is None
    thought = str(after.view("en")["lying"])
    desk, waiting = _desk([], lambda: thought), _desk([], none)
    assert [bool(table.view("en")["ideas"]) for table in (desk, waiting, _desk([]))] == [True, True, False]
    assert desk.act({"do": "turn"}) is None
    assert desk.view("en")["lying"] == thought
    assert "your turn" in str(waiting.act({"do": "turn"}))
    assert _desk([]).act({"do": "turn"}) is not None, "nobody has one"


@needs_browser
@pytest.mark.browser
@pytest.mark.process
@pytest.mark.skipif(not os.environ.get("ALL_SCREENS"), reason="make browser plays it")
@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
def test_a_person_plays_a_legal_turn(width: int, theme: str) -> None:
    with Demo(None, "--play", "--game", "turris") as demo, open_page(width, 800, theme=theme) as page:
        page.goto(demo.until(r"(http://\S+/virtual#\S+)")[1])
        page.get_by_text("All fields as a list").click(timeout=60_000)
        page.get_by_role("button", name="Stand upright").click(timeout=60_000)
        page.get_by_role("button", name=re.compile("^C1: 0")).first.click()
        page.get_by_role("button", name=re.compile("^C1: 1")).first.wait_for()
        page.get_by_role("button", name="Turn ended").first.click()
        for _ in range(4):
            page.get_by_role("button", name="Turn the board").click()
        if width < 860:
            page.get_by_role("button", name="Tablet", exact=True).click()
        page.frame_locator("#tablet").get_by_text("Dark to play").first.wait_for(timeout=120_000)


@needs_browser
@pytest.mark.browser
@pytest.mark.process
def test_on_a_phone_the_tour_leads_from_above_the_table() -> None:
    with Demo(None, "--play") as demo, open_page(390, 844) as page:
        page.add_init_script(FLAT)
        page.goto(demo.until(r"(http://\S+/virtual#\S+)")[1])
        led = page.locator("#led")
        expect(led).to_contain_text("Step 1 of 6: A turn by the rules")
        for how in ("First take 3 cubes", "Then place all of them", "Choose below the table", "“Play a turn for me”"):
            expect(led).to_contain_text(how)
        led.get_by_role("button", name="Tour").click()
        tour = page.frame_locator("#tablet").locator("#tour")
        tour.locator("[data-key=tour-skip]").click()
        page.get_by_role("button", name="Table", exact=True).click()
        expect(led).to_contain_text("Step 2 of 6")
        page.set_viewport_size({"width": 1280, "height": 800})  # beside the tablet's page it stands there alone
        expect(led).to_be_hidden()
        expect(tour).to_be_visible()


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize(("game", "fields"), [("terra-turrium", 100), ("turris", 9)])
def test_a_finger_meets_its_field_on_a_phone(game: str, fields: int) -> None:
    """All of the printed frame in sight left 20 px to a field; towers on a small board hid all else."""
    board = ViewPublisher()
    board.publish(table_view(StepGame(), begin(GameStarted(start(), "Table"))))
    app = create_app(board, TableParts(virtual=_desk([], game=game)))
    with bind("127.0.0.1", 0) as sock, PageServer(app, sock), open_page(390, 844) as page:
        page.goto(f"{address(sock)}virtual")
        seen_px2, rim = page.evaluate(
            """async () => {
              const { Table3d } = await import("/static/table3d.js");
              const { brought } = await import("/static/kinds.js");
              const state = await (await fetch("/api/virtual?lang=en")).json();
              const kind = (await brought("virtual"))(state.kit);
              const node = Object.assign(document.createElement("div"), { style: "width: 366px; height: 300px" });
              document.body.append(node);
              const table = new Table3d(node);
              table.lay(kind, state.kit, state.sizes);
              table.show(state, null);
              const { left, top } = node.getBoundingClientRect();
              const at = [...Array(61).keys()].flatMap((x) => [...Array(50).keys()].map((y) => [6 * x, 6 * y]));
              const hits = at.filter(([x, y]) => table.under(left + x, top + y));
              return [36 * hits.length, hits.filter(([x, y]) => x < 6 || x > 354 || y < 6 || y > 288).length];
            }"""
        )
    assert seen_px2 / fields > 22 * 22
    assert rim < 20
