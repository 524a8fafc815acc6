"""The page in a real browser, over a real server, with a table of ours behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from referee.daemon import ViewPublisher
from referee.match.events import GameStarted, LookTaken, PutBack, Verdict
from referee.match.live import Live, RestoreTask
from referee.match.transitions import begin, step
from referee.service.server import PageServer, bind
from referee.values.board import Field
from referee.view import table_view
from tests.match.fakes import StepGame, start
from tests.match.rulings import reading, ruled
from tests.untyped import untyped
from tests.web.browser import needs_browser, open_page
from tests.web.noticeboard import Served
from web.app import create_app

pytestmark = needs_browser
GAME = StepGame()
BEGUN = begin(GameStarted(start(), "Recorded game"))
LOOKED = step(step(BEGUN, LookTaken(1)), reading())


@pytest.fixture
def served(board: ViewPublisher) -> Iterator[Served]:
    server = Served(board, HEARTBEAT_S=0.3)
    with server.parts:
        yield server
        board.close()


@pytest.fixture(scope="module")
def opened() -> Iterator[tuple[Served, Page]]:
    board = ViewPublisher()
    board.publish(table_view(GAME, BEGUN))
    server = Served(board, HEARTBEAT_S=0.3)
    with server.parts, open_page() as page:
        page.goto(server.url)
        yield server, page
        board.close()


@pytest.fixture
def at(opened: tuple[Served, Page]) -> tuple[Served, Page]:
    """Return a page that others use, too: the game has just begun, and it is seen as on a tablet."""
    served, page = opened
    served.board.publish(table_view(GAME, BEGUN))
    page.set_viewport_size({"width": 1024, "height": 768})
    page.evaluate("location.hash = '#/play'")
    expect(page.locator("#play")).to_have_attribute("data-version", str(served.board.snapshot()["version"]))
    return opened


def test_states_arrive_and_are_drawn(at: tuple[Served, Page]) -> None:
    served, page = at
    expect(page.locator("#board .cell")).to_have_count(4)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    expect(page.locator("#now")).to_contain_text("Red to play")
    served.board.publish(table_view(GAME, step(LOOKED, ruled(LOOKED, "12r/1y1"))))
    expect(page.locator("#headline")).to_have_text("Legal")
    expect(page.locator("#now")).to_contain_text("Yellow to play")
    expect(page.locator('.cell[data-field="B2"]')).to_have_attribute("data-height", "2")
    expect(page.locator('.badge[data-mark="placed"]')).to_have_attribute("data-on", "B2")
    expect(page.locator("#history li")).to_have_count(1)
    assert page.title() == "Legal · Steps"


def test_another_language_reaches_what_the_signs_on_the_board_mean(at: tuple[Served, Page]) -> None:
    served, page = at
    state = step(LOOKED, ruled(LOOKED, "12r/1y1"))
    served.board.publish(lambda language: table_view(GAME, state, language=language))
    expect(page.locator("#legend")).to_have_text("+ built")
    page.goto(f"{served.url}#/settings")
    page.locator("[data-key=language-de]").click()
    page.goto(f"{served.url}#/")
    expect(page.locator("#legend")).to_have_text("+ gebaut")
    page.goto(f"{served.url}#/settings")
    expect(page.locator("[data-key=help]")).to_have_attribute("href", "/help?lang=de")
    expect(page.locator("[data-key=manual]")).to_have_attribute("href", "/docs")
    page.locator("[data-key=language-en]").click()


def test_violations_and_doubts_are_marked_on_the_board(at: tuple[Served, Page]) -> None:
    served, page = at
    served.board.publish(table_view(GAME, step(LOOKED, ruled(LOOKED, "11r/1y3"))))
    expect(page.locator("#headline")).to_have_text("Not legal")
    expect(page.locator(".broken-words")).to_contain_text("Exactly one stone")
    expect(page.locator(".broken-where")).to_contain_text("The turn")
    expect(page.locator('[data-rule="step.one"]')).to_be_visible()
    expect(page.locator("#board .mark-illegal")).to_have_attribute("data-marked", "B1")
    served.board.publish(table_view(GAME, step(LOOKED, ruled(LOOKED, "11r/1y1", Verdict.UNSURE))))
    expect(page.locator("#headline")).to_have_text("Can’t tell, please look at A2")
    expect(page.locator(".mark-unsure")).to_have_attribute("data-marked", "A2")
    expect(page.locator("#ruling-words")).to_have_attribute("aria-live", "polite")


def test_what_is_put_back_is_ticked_off_and_a_breach_is_said_in_full(at: tuple[Served, Page]) -> None:
    served, page = at
    broken = step(LOOKED, ruled(LOOKED, "11r/1y3"))
    todo = (
        RestoreTask(Field.from_name("B1"), "1", "3"),
        RestoreTask(Field.from_name("A2"), "1", "2"),
    )
    served.board.publish(table_view(GAME, broken, Live(tasks=todo)))
    expect(page.locator(".tasks-left")).to_have_text("2 fields left")
    expect(page.locator(".task-done")).to_have_count(0)
    expect(page.locator("#ruling-words")).to_contain_text("Exactly one stone")  # read out, though drawn below
    expect(page.locator("#detail")).to_have_class(re.compile("for-reader"))
    served.board.publish(table_view(GAME, broken, Live(tasks=(replace(todo[0], seen="1", done=True), todo[1]))))
    expect(page.locator(".tasks-left")).to_have_text("1 field left")
    expect(page.locator('.task-done[data-field="B1"]')).to_contain_text("done")
    hidden = RestoreTask(Field.from_name("A2"), "1")  # behind something: nobody can see it done
    served.board.publish(table_view(GAME, broken, Live(tasks=(replace(todo[0], done=True), hidden))))
    expect(page.locator('.task[data-field="A2"]')).to_contain_text("out of the cameras’ sight")
    expect(page.locator("#advice")).to_contain_text("The cameras can’t see A2")
    one = table_view(GAME, broken, Live(tasks=(replace(todo[0], done=True),)))
    assert one["banner"]["advice"] == "Still to put back: 0 of 1 field."
    served.board.publish(table_view(GAME, step(broken, PutBack(""))))
    expect(page.locator("#headline")).to_have_text("Put back")
    expect(page.locator("#breach")).to_be_hidden()
    expect(page.locator("#board .badge")).to_have_count(0)


def test_the_page_polls_when_there_is_no_stream_left(board: ViewPublisher, page: Page) -> None:
    server = Served(board, MAX_STREAMS=0)
    with server.parts:
        page.goto(server.url)
        expect(page.locator("#connection-words")).to_have_text("Live (slow)")
        board.publish(table_view(GAME, step(LOOKED, ruled(LOOKED, "12r/1y1"))))
        expect(page.locator("#headline")).to_have_text("Legal")
        board.close()


def test_a_lost_connection_is_said_and_made_good(board: ViewPublisher, page: Page) -> None:
    first = Served(board, HEARTBEAT_S=0.3)
    with first.parts:
        page.goto(first.url)
        expect(page.locator("#connection-words")).to_have_text("Live")
        board.close()
    expect(page.locator("#connection-words")).to_contain_text("Connection lost, last seen")
    again = ViewPublisher()
    again.publish(table_view(GAME, step(LOOKED, ruled(LOOKED, "12r/1y1"))))
    with ExitStack() as parts:
        sock = parts.enter_context(bind("127.0.0.1", first.port))
        parts.enter_context(PageServer(create_app(again), sock))
        expect(page.locator("#headline")).to_have_text("Legal", timeout=15000)
        expect(page.locator("#connection-words")).to_have_text("Live")
        again.close()


SEAT = """async ([value, at, seen]) => {
  const { seatCard } = await import('/static/counters.js');
  const counter = { id: 'attacks', name: 'attacks', value, of: 5, track: { fields: 5, at, ring: false }, seen };
  document.getElementById('tried')?.remove();
  const card = seatCard({ colour: 'red', name: 'Red', goal: '', counters: [counter] });
  card.id = 'tried';
  document.body.append(card);
}"""


def test_a_counts_fields_are_as_many_as_were_counted_and_its_marker_is_told(at: tuple[Served, Page]) -> None:
    """A marker may stand on field 1 before anything was counted: drawn there it was read as a count of one."""
    _, page = at
    counter, row = page.locator("[data-counter=attacks]"), page.locator(".track-row")
    for value, place, seen, told in ((0, 1, None, ""), (0, 1, 2, "1"), (3, 4, None, "4"), (5, 0, None, "off")):
        page.evaluate(SEAT, [value, place, seen])
        expect(counter.locator(".pip")).to_have_count(5)
        expect(counter.locator(".pip-on")).to_have_count(value)
        expect(row.locator(".track-ought")).to_have_count(int(bool(told)))
        if told:
            expect(row.locator(".track-ought")).to_contain_text(told)
        expect(row.locator(".track-differs")).to_have_count(int(seen is not None))


def test_a_screen_that_fails_to_load_is_reported_and_loaded_again(served: Served, page: Page) -> None:
    page.add_init_script("delete Navigator.prototype.serviceWorker")  # what a worker fetches can't be held up here
    page.goto(f"{served.url}?plain")  # joined, no screen is fetched
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    page.route("**/statistics/players.js", lambda route: route.abort())
    page.goto(f"{served.url}?plain#/players")
    expect(page.locator("#screen")).to_contain_text("load the page again")
    page.goto(f"{served.url}?plain#/record")
    expect(page.locator("#screen")).not_to_contain_text("load the page again")
    page.unroute("**/statistics/players.js")
    page.goto(f"{served.url}?plain#/players")
    page.reload()
    expect(page.locator("#screen h2, #screen h1").first).to_be_visible()


def test_what_was_said_on_one_screen_does_not_follow_to_the_next(at: tuple[Served, Page]) -> None:
    _, page = at
    expect(page.locator("#board .cell")).to_have_count(4)
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=1))  # so that it does not go by itself
    page.evaluate(
        "async () => (await import('/static/store.js')).toast('It was not done, and here is why.', 'trouble')"
    )
    expect(page.locator("#toast")).to_have_text("It was not done, and here is why.")
    page.clock.run_for(1700)  # what was said a moment ago may be why the screen changes
    page.evaluate("location.hash = '#/settings'")
    expect(page.locator("#toast")).to_be_hidden()


def test_nothing_is_wider_than_the_screen(at: tuple[Served, Page]) -> None:
    _, page = at
    expect(page.locator("#board .cell")).to_have_count(4)
    for width, height in ((390, 844), (768, 1024), (1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_last_turns_keep_their_room_beside_many_counts(at: tuple[Served, Page]) -> None:
    """Four players with much to count fill the side of a tablet: the last turns still show two of them."""
    served, page = at
    shown = untyped(table_view(GAME, step(LOOKED, ruled(LOOKED, "12r/1y1"))))
    counter = {"id": "made", "name": "Towers of their own", "value": 3, "of": 9, "fixed": False, "seen": None}
    counters = [counter | {"id": f"made{n}", "track": None} for n in range(8)]
    seats = [seat | {"counters": counters} for seat in shown["seats"]]
    turns = [shown["history"][0] | {"entry": n} for n in range(1, 6)]
    expect(page.locator("#headline")).to_be_visible()
    served.board.publish(shown | {"seats": [*seats, *seats], "history": turns})
    expect(page.locator("#history li")).to_have_count(5)
    log, second = (page.locator(one).bounding_box() for one in ("#log", "#history li:nth-child(2)"))
    assert log is not None
    assert second is not None
    assert second["y"] + 44 <= log["y"] + log["height"]


def test_the_record_fetches_older_turns_when_somebody_looks_for_them(board: ViewPublisher, page: Page) -> None:
    server = Served(board)
    shown = untyped(table_view(GAME, step(LOOKED, ruled(LOOKED, "12r/1y1"))))
    turns = [shown["history"][0] | {"entry": number, "turn": number} for number in range(1, 302)]
    with server.parts:
        board.publish(shown | {"history": turns})
        page.goto(f"{server.url}#/record")
        expect(page.locator(".turns li")).to_have_count(50)
        page.get_by_role("link", name="Older turns").click()
        expect(page.locator(".entry")).to_have_attribute("data-entry", "251")
        expect(page.locator(".turns li")).to_have_count(50)
        page.get_by_role("link", name="First turn").click()
        expect(page.locator(".entry")).to_have_attribute("data-entry", "1")
        board.publish(shown | {"history": [turn | {"words": "seen anew"} for turn in turns]})
        expect(page.locator(".entry-words")).to_have_text("seen anew")
        page.get_by_role("link", name="Newer turns").click()
        page.get_by_role("link", name="Turn before").click()
        page.get_by_role("link", name="Last turn").click()
        expect(page.locator(".entry")).to_have_attribute("data-entry", "301")
        board.close()


def test_the_record_begins_at_its_head_whichever_turn_is_chosen(board: ViewPublisher, page: Page) -> None:
    server = Served(board)
    shown = untyped(table_view(GAME, step(LOOKED, ruled(LOOKED, "12r/1y1"))))
    text = "-A1 H2-H3-H4-G4 " * 9
    turns = [shown["history"][0] | {"entry": n, "text": text.strip()} for n in range(1, 30)]
    with server.parts:
        board.publish(shown | {"history": turns})
        page.goto(f"{server.url}#/record")
        expect(page.locator(".turns li")).to_have_count(29)
        for (width, height), entry in product(((390, 844), (1024, 768)), (29, 1, 20)):
            page.set_viewport_size({"width": width, "height": height})
            page.locator(f".turns [data-key=entry-{entry}]").click()
            expect(page.locator(".entry")).to_have_attribute("data-entry", str(entry))
            expect(page.locator("#screen h1")).to_be_in_viewport(ratio=1)
            broken = page.evaluate(
                "() => [...document.querySelectorAll('.act')].map(act => act.getClientRects().length)"
            )
            assert set(broken) == {1}  # no act of the notation is broken at its hyphens
        board.close()
