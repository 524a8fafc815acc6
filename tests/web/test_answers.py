"""Where an answer is wanted, the answers are the large buttons."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.games import game_named
from referee.match.decision import Ask, Candidate
from referee.match.events import TurnRuled, Unsure
from referee.match.state import TableState
from referee.values.board import Field
from referee.values.words import say
from tests.web.browser import needs_browser
from tests.web.paired import paired
from tests.web.watched import ruled_on, some_turns_on

pytestmark = needs_browser
GAME = game_named("torres")
AT_IT = {"status": 409, "json": {"code": "in-progress", "detail": "This is being done at this moment."}}
SOON = "(plain => { globalThis.setTimeout = (act, ms) => plain(act, Math.min(ms, 20)); })(setTimeout)"
ASK = Ask(Field.from_name("B2"), say("Nobody sees it."), ((2, 1), (1, 0)))


def ground(page: Page, selector: str) -> str:
    found: str = page.locator(selector).first.evaluate("node => getComputedStyle(node).backgroundColor")
    return found


BOARDS = tuple(
    ((Field.from_name("B2"), stands), (Field.from_name("C3"), others))
    for stands, others in (((2, 1), (1, 0)), ((1, 0), (1, 0)), ((1, 0), (2, 0)))
)


def unsure(ask: Ask | None, candidates: tuple[Candidate, ...] = ()) -> TableState:
    state = some_turns_on("torres", 3)
    text = state.position.observed.text
    ruled = TurnRuled(text, Unsure(doubts=(Field(1, 1),), ask=ask, candidates=candidates))
    return ruled_on(state, TurnRuled.from_json(ruled.to_json(), GAME))  # as the journal keeps it


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_may_stand_there_is_the_large_choice(tmp_path: Path, theme: str) -> None:
    with paired(tmp_path, GAME, unsure(ASK), look=("en", theme)) as (page, told):
        expect(page.locator("#advice")).to_contain_text("Say what stands there")
        expect(page.locator("[data-act=look_again]")).not_to_have_class("main")
        assert ground(page, ".ask .row button") != ground(page, "[data-act=look_again]")
        answers = page.locator(".ask .row button")
        look_again = page.locator("[data-act=look_again]").bounding_box()
        assert look_again is not None
        for answer in answers.all():
            box = answer.bounding_box()
            assert box is not None
            assert box["height"] > look_again["height"]
            assert box["y"] < look_again["y"]
        page.evaluate(SOON)
        page.route("**/api/commands/tell?*", lambda sent: sent.fulfill(**AT_IT), times=6)  # a slow referee is at it
        with page.expect_response(lambda answer: "/api/commands/tell" in answer.url and answer.ok):
            answers.nth(1).click()
        assert told.commands == [("tell", {"field": "B2", "stands": "1"})]


def test_one_of_the_likeliest_boards_is_chosen_with_one_touch_that_tells_only_what_differs(tmp_path: Path) -> None:
    with paired(tmp_path, GAME, unsure(ASK, BOARDS)) as (page, told):
        group = page.get_by_role("group", name="Which of these boards stands there?")
        offered = group.get_by_role("button")
        expect(page.locator("#advice")).to_contain_text("Touch the board that stands there")
        expect(page.get_by_role("group", name="What stands on B2?")).to_have_count(0)  # the boards tell that as well
        assert [one.get_attribute("aria-label") for one in offered.all()] == [
            "C3: height 1; B2: height 2, Red",
            "C3: height 1; B2: height 1",
            "C3: height 2; B2: height 1",
        ]
        assert offered.nth(2).locator("[data-marked]").count() == 2
        assert offered.nth(2).locator("[data-field]").count() == 16  # those in doubt, and what is around them
        assert [offered.nth(n).locator("[data-field=C3]").get_attribute("data-height") for n in range(3)] == [
            "1",
            "1",
            "2",
        ]
        with page.expect_response("**/api/commands/tell?*"):
            offered.nth(2).click()
        assert told.commands == [("tell", {"field": "B2", "stands": "1", "others": {"C3": "2"}})]


def test_where_nothing_is_asked_to_look_again_is_the_large_button(tmp_path: Path) -> None:
    with paired(tmp_path, GAME, unsure(None)) as (page, _):
        expect(page.locator("[data-act=look_again]")).to_have_class("main")
