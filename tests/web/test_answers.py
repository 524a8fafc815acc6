"""Where an answer is wanted, the answers are the large buttons."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.games import game_named
from referee.judging.decision import Ask
from referee.match.events import TurnRuled, Verdict
from referee.match.state import TableState
from referee.values.board import Field
from referee.values.words import say
from tests.web.browser import needs_browser
from tests.web.paired import paired
from tests.web.watched import ruled_on, some_turns_on

pytestmark = needs_browser
GAME = game_named("torres")
ASK = Ask(Field.from_name("B2"), say("Nobody sees it."), ((2, 1), (1, 0)))


def ground(page: Page, selector: str) -> str:
    found: str = page.locator(selector).first.evaluate("node => getComputedStyle(node).backgroundColor")
    return found


def unsure(ask: Ask | None) -> TableState:
    state = some_turns_on("torres", 3)
    return ruled_on(state, TurnRuled(Verdict.UNSURE, state.position.observed.text, None, (Field(1, 1),), ask=ask))


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
        with page.expect_response("**/api/commands/tell?*"):
            answers.nth(1).click()
        assert told.commands == [("tell", {"field": "B2", "stands": "1"})]


def test_where_nothing_is_asked_to_look_again_is_the_large_button(tmp_path: Path) -> None:
    with paired(tmp_path, GAME, unsure(None)) as (page, _):
        expect(page.locator("[data-act=look_again]")).to_have_class("main")
