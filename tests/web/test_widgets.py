"""What is not a grid is drawn too: a tower from its sides, a ledger as a banker keeps it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from referee.daemon import ViewPublisher
from referee.match.events import GameStarted
from referee.match.transitions import begin
from referee.values.paints import paint_of
from referee.view import table_view
from tests.match.fakes import StepGame, start
from tests.web.barriers import unbarred
from tests.web.browser import needs_browser, open_page
from tests.web.noticeboard import Served

pytestmark = needs_browser
LEVELS = ["......EWu", "x.......d"]


def view(**changes: object) -> Any:
    """Return a state of the tiny game with some keys changed."""
    shown = json.loads(json.dumps(table_view(StepGame(), begin(GameStarted(start(), "Recorded game")))))
    return shown | {"phase": {"id": "playing", "words": "Playing"}} | changes


def piece(word: str, letter: str) -> Mapping[str, object]:
    return {
        "letter": letter,
        "word": word,
        "name": word.capitalize(),
        "shape": "pawn",
        "paint": paint_of(word).to_json(),
        "most": 20,
        "owner": word,
    }


def tower(levels: list[str]) -> Any:
    shown = view()
    kit = shown["kit"] | {"kind": "tower", "pieces": [piece("dark", "d"), piece("light", "l")]}
    board = {"kind": "tower", "key": "tower", "columns": 3, "rows": 3, "levels": [list(level) for level in levels]}
    return shown | {"kit": kit, "board": board, "position": shown["position"] | {"tower": "/".join(levels)}}


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[ViewPublisher, Page]]:
    board = ViewPublisher()
    board.publish(view())
    server = Served(board)
    with server.parts, open_page() as page:
        page.goto(server.url)
        yield board, page
        board.close()


Draw = Callable[..., Page]


@pytest.fixture
def draw(shared: tuple[ViewPublisher, Page]) -> Draw:
    """Return what draws a state on a page that others use, too: they only look at it."""
    board, page = shared

    def put(shown: Any, width: int = 1024, height: int = 768) -> Page:
        page.set_viewport_size({"width": width, "height": height})
        board.publish(shown)
        expect(page.locator("#play")).to_have_attribute("data-version", str(board.snapshot()["version"]))
        return page

    return put


@contextmanager
def drawn(shown: Any, width: int = 1024, height: int = 768) -> Iterator[Page]:
    """Open a page on which a state is drawn."""
    board = ViewPublisher()
    board.publish(shown)
    server = Served(board)
    with server.parts, open_page(width, height) as page:
        page.goto(server.url)
        expect(page.locator("#play")).to_have_attribute("data-phase", "playing")
        yield page
        board.close()


def signs(page: Page, side: int) -> list[str]:
    """Return what the squares of one side show, from the lowest left one."""
    return (
        page.locator(".elevation")
        .nth(side)
        .locator("[data-cell]")
        .evaluate_all("all => all.map(one => one.dataset.cell + one.dataset.sign)")
    )


def test_a_board_is_told_with_the_piece_that_is_nobodys(draw: Draw) -> None:
    shown = view()
    shown["seats"] = [seat for seat in shown["seats"] if seat["colour"] == "red"]
    page = draw(shown)
    pieces, bare = "Red: B2 height 1. Yellow: A1 height 1", "All fields without a piece: height 1"
    said = f"The board seen from above. {pieces}. {bare}"
    expect(page.get_by_role("group", name=said, exact=True)).to_be_visible()


CLEARED = """async () => {
  const { block, clear, THREE, upright } = await import("/static/solids.js");
  const [forgotten, group] = [[], new THREE.Group()];
  group.add(block([1, 1, 1], "#fff"), upright(new THREE.BoxGeometry(), "#fff"));
  for (const [index, { geometry, material }] of group.children.entries()) {
    for (const part of [geometry, material].flat()) part.addEventListener("dispose", () => forgotten.push(index));
  }
  clear(group);
  return [group.children.length, forgotten];
}"""


def test_a_virtual_table_forgets_what_lies_there_no_more_but_keeps_its_blocks(draw: Draw) -> None:
    page = draw(view())
    assert page.evaluate(CLEARED) == [0, [1, 1]]


def test_a_tower_is_seen_from_four_sides_and_turned_with_a_touch() -> None:
    with drawn(tower(LEVELS)) as page:
        front = ["a1.1E", "b1.1W", "c1.1u", "a3.2x", "c1.2d"]
        right = ["c1.1u", "c1.2d", "a3.2x"]
        assert signs(page, 0) == front
        assert signs(page, 1) == right
        expect(page.locator(".plan [data-cell]")).to_have_count(4)
        colours = page.evaluate(
            """() => ["a1.1", "c1.1"].map(name =>
                getComputedStyle(document.querySelector(`[data-cell="${name}"] rect`)).fill)"""
        )
        assert len(set(colours)) == 2
        unbarred(page)
        page.click("[data-key=tower-right]")
        expect(page.locator(".elevation").first.locator("[data-cell]")).to_have_count(3)
        assert signs(page, 0) == right


def test_at_the_end_the_squares_that_count_are_marked_with_their_points(draw: Draw) -> None:
    shown = tower(LEVELS)
    shown["board"]["areas"] = [
        {"picture": "south", "player": "light", "points": 2, "cells": ["a1.1", "b1.1"]},
        {"picture": "south", "player": "dark", "points": 2, "cells": ["c1.1", "c1.2"]},
        {"picture": "roof", "player": "light", "points": 1, "cells": ["a1.1"]},
    ]
    page = draw(shown)
    front = page.locator(".elevation").first
    expect(front.locator("[data-cell]:has(.tower-counted)")).to_have_count(4)
    expect(front.locator("[data-points=light]")).to_have_text("2")
    expect(page.locator(".elevation").nth(1).locator(".tower-counted")).to_have_count(0)
    expect(page.locator(".plan .tower-counted")).to_have_count(1)
    unbarred(page)


def test_a_towers_cell_is_corrected_by_a_touch_and_sent_only_when_all_is_told() -> None:
    with drawn(tower(LEVELS)) as page:
        page.evaluate("import('/static/editor.js').then(module => module.editBoard('correct'))")
        expect(page.locator("[data-key=save]")).to_be_disabled()
        expect(page.locator(".editor-wrong")).to_have_text(
            "Not yet told: square a3.2. Touch it and choose how its bar lies, or “Empty”."
        )
        expect(page.locator('[data-key="cell-a3.2"]')).to_have_attribute("aria-pressed", "true")  # it is at hand
        for signs in ("↑ ↓ ← →", "⤒ ⤓", "■", "?"):
            expect(page.locator(".tower-legend li").filter(has_text=signs)).to_have_count(1)
        page.click("[data-key=bar-none]")
        expect(page.locator(".editor-wrong")).to_have_count(0)
        page.click("[data-key=level-down]")
        page.click('[data-key="cell-a2.1"]')
        page.click("[data-key=bar-n]")
        expect(page.locator('[data-key="cell-a3.1"]')).to_have_attribute("data-sign", "s")
        expect(page.locator('[data-key="cell-a3.1"]')).to_have_accessible_name("a3.1: Dark, to the front")
        expect(page.locator(".editor-sum")).to_have_text("3 squares changed")
        sent = page.evaluate(
            "Promise.all(['/static/store.js', '/kinds/tower/editor.js'].map(name => import(name)))"
            ".then(([store, editor]) => editor.towerEditor.text(store.known.editing.board))"
        )
        assert sent == "s..n..EWu/........d"
        unbarred(page)
        page.click("[data-key=step-back]")
        expect(page.locator(".editor-sum")).to_have_text("1 square changed")


LEDGER: dict[str, Any] = {
    "kind": "ledger",
    "accounts": [
        {"player": "red", "name": "Anna", "amount": 30000, "history": [{"words": "Loan", "amount": 20000}]},
        {"player": "yellow", "name": "Ben", "amount": None, "history": []},
    ],
    "gauge": {
        "name": "Zone",
        "value": 5,
        "of": 10,
        "parts": [{"name": "green", "value": 2, "paint": "red"}, {"name": "yellow", "value": 3, "paint": "yellow"}],
    },
    "options": [{"id": "loan", "name": "Take a loan", "amounts": [20000]}],
}


@pytest.mark.parametrize("size", [(390, 844), (1024, 768)])
def test_a_ledger_shows_accounts_and_gauge(draw: Draw, size: tuple[int, int]) -> None:
    page = draw(view(board=LEDGER), *size)
    expect(page.locator(".account").first).to_contain_text("30,000")
    expect(page.locator(".account").first).to_contain_text("+20,000")
    expect(page.locator(".account").last).to_contain_text("?")
    expect(page.locator(".tube .drop-on")).to_have_count(5)
    expect(page.locator("#board")).to_be_hidden()
    expect(page.locator(".bank-option")).to_have_count(0)  # who is not paired chooses nothing
    assert (
        page.evaluate("document.getElementById('main').scrollWidth - document.getElementById('main').clientWidth")
        <= 0
    )
    unbarred(page)


def test_who_looks_on_is_shown_what_was_told_of_the_turn(draw: Draw) -> None:
    told = [{"act": {"roll": [1, 2]}, "words": "Dice 1 and 2"}, {"act": {"draw": "energy"}, "words": "Draw: energy"}]
    money = {"id": "money", "name": "Terras", "value": 1}
    accounts = [account | {"parts": [money]} for account in LEDGER["accounts"]]
    undo = {"id": "undo", "kind": "undo", "name": "Take back: Draw: energy", "amounts": []}
    page = draw(view(board=LEDGER | {"acts": told, "accounts": accounts, "options": [undo]}))
    expect(page.locator("#board-words .bank-said li")).to_have_text(["Dice 1 and 2", "Draw: energy"])
    expect(page.locator("#board-words button")).to_have_count(0)
    unbarred(page)


def test_any_size_any_letters_any_shapes(draw: Draw) -> None:
    shown = view()
    pieces = [piece("purple", "p") | {"shape": "knight"}, piece("black", "k") | {"shape": "king"}]
    kit = {"columns": list("ABCDEFGH"), "rows": [2, 1], "block": "arched", "pieces": pieces}
    fields = [
        {"name": f"{column}{row}", "height": 3, "piece": word}
        for row in (2, 1)
        for column, word in zip("ABCDEFGH", ["purple", "black", "?", *[None] * 5], strict=True)
    ]
    board = {"kind": "grid", "text": "", "columns": kit["columns"], "rows": kit["rows"], "fields": fields}
    page = draw(shown | {"kit": shown["kit"] | kit, "board": board})
    expect(page.locator("#board .cell")).to_have_count(16)
    expect(page.locator("#board .arch")).to_have_count(16 * 3)
    expect(page.locator('#board .piece[data-paint="purple"]')).to_have_count(2)
    assert page.locator('#board .piece[data-paint="black"]').first.evaluate("one => one.tagName") == "path"
    expect(page.locator("#board .piece-text").first).to_have_text("3P")
