"""A person tries the referee: the virtual table in a browser, the tour beside it, and seats that answer every turn.

SCREENS=DIR keeps pictures.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from referee.games import package_named
from referee.games.contract import Act
from referee.opponents import Opponent, Strength
from tests.demo.command import Demo
from tests.web.browser import needs_browser, open_page

pytestmark = [
    needs_browser,
    pytest.mark.browser,
    pytest.mark.process,
    pytest.mark.skipif(not os.environ.get("ALL_SCREENS"), reason="make browser plays it"),
]
SCREENS = os.environ.get("SCREENS")
PATIENCE_S = 240.0
PACKAGE = package_named("terra-turrium")


class Visitor:
    """Somebody at the virtual table."""

    def __init__(self, page: Page, demo: Demo) -> None:
        link = demo.until(r"(http://\S+/virtual\S*)")[1]
        self.page, self.url = page, link.partition("/virtual")[0]
        page.goto(link)
        self.tablet: FrameLocator = page.frame_locator("#tablet")
        self.wait(lambda state: state["phase"]["id"] == "playing")

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.request.get(f"{self.url}/api/state?lang=en").json()
        return found

    def wait(self, there: Any) -> dict[str, Any]:
        by = time.monotonic() + PATIENCE_S
        while not there(state := self.state()):
            assert time.monotonic() < by, (state["phase"], state["banner"], state["turn"])
            self.page.wait_for_timeout(300)
        return state

    def hand(self, **act: str) -> None:
        """Carry out one act of a hand, as the page sends it."""
        answer = self.page.evaluate(
            "async body => (await import('/static/session.js')).act('POST', '/api/virtual/acts', body)",
            act,
        )
        assert answer["ok"], (act, answer)

    def play(self, acts: tuple[Act, ...], letter: str) -> None:
        for act in acts:
            names = [field.name for field in act.fields]
            if act.kind in ("take", "build"):
                self.hand(do="take" if act.kind == "take" else "put", field=names[0])
                continue
            for field in act.captures:
                self.hand(do="lift", field=field.name)
            if act.kind == "enter":
                self.hand(do="piece", field=names[-1], piece=letter)
            elif names[0] != names[-1]:
                self.hand(do="move", field=names[0], to=names[-1])

    def end_turn(self) -> None:
        self.tablet.locator("[data-act=turn_ended]").first.click()

    def press(self) -> None:
        """Press the button box, as the page beside the table has it."""
        self.page.get_by_role("button", name="Turn ended").first.click()

    def photograph(self, name: str) -> None:
        if SCREENS:
            self.page.screenshot(path=f"{SCREENS}/seats-{name}.png")


@pytest.fixture
def visitor() -> Iterator[Visitor]:
    with Demo(None, "--play", "--strength", "weak") as demo, open_page(1440, 900) as page:
        yield Visitor(page, demo)


def test_a_visitor_takes_the_tour_and_every_seat_answers(visitor: Visitor) -> None:
    tour = visitor.tablet.locator("#tour .tour-step")
    expect(tour).to_contain_text("A turn by the rules", timeout=60_000)
    state = visitor.state()
    first, players = state["turn"], len(state["seats"])
    position = PACKAGE.game.position(state["position"])
    turn = Opponent(PACKAGE, Strength.WEAK, seed=3).turn(position)
    visitor.play(turn.acts, position.to_move.letter)
    visitor.photograph("1")
    visitor.end_turn()
    state = visitor.wait(lambda now: now["turn"] > first)
    assert state["history"][0]["verdict"] == "legal"
    expect(tour).to_contain_text("A turn against the rules")
    visitor.photograph("2")

    state = visitor.wait(lambda now: now["turn"] == first + players and now["phase"]["id"] == "playing")
    assert [entry["turn"] for entry in state["history"] if entry["counts"]] == list(range(first, first + players))
    visitor.photograph("3")

    free = [cell["name"] for cell in state["board"]["fields"] if cell["height"] == 1 and not cell["piece"]]
    for name in free[:4]:  # one more than a turn may take
        visitor.hand(do="take", field=name)
        visitor.hand(do="put", field=free[4])
    visitor.end_turn()
    visitor.wait(lambda now: now["violation"])
    expect(tour).to_contain_text("Put back")
    visitor.photograph("4")
    for name in free[:4]:
        visitor.hand(do="take", field=free[4])
        visitor.hand(do="put", field=name)
    visitor.wait(lambda now: now["phase"]["id"] == "playing" and not now["violation"])
    expect(tour).to_contain_text("A question in place of a guess")
    visitor.photograph("5")

    visitor.end_turn()  # nothing was touched
    visitor.wait(lambda now: now["phase"]["id"] == "unsure")
    visitor.tablet.locator("[data-act=not_ended]").first.click()
    expect(tour).to_contain_text("A correction")
    visitor.photograph("6")
    visitor.tablet.locator("#actions [data-key=more]").click()
    visitor.tablet.locator("[data-act=correct]").click()
    for name, key in ((free[0], "lower"), (free[1], "higher")):
        visitor.tablet.locator(f'[data-key="field-{name}"]').click()
        visitor.tablet.locator(f"[data-key={key}]").click()
    visitor.photograph("7")
    visitor.tablet.locator("[data-key=save]").click()
    visitor.hand(do="take", field=free[0])
    visitor.hand(do="put", field=free[1])
    expect(tour).to_contain_text("The record")
    visitor.tablet.locator("[data-key=tour-record]").click()
    expect(tour).to_contain_text("That was the tour")
    expect(visitor.tablet.locator("#screen")).to_be_visible()
    visitor.photograph("8")
    visitor.tablet.locator("[data-key=tour-finish]").click()
    expect(visitor.tablet.locator("#tour")).to_be_hidden()

    state = visitor.state()
    assert [entry["what"] for entry in state["history"]].count("correction") == 1
    position = PACKAGE.game.position(state["position"])
    visitor.play(Opponent(PACKAGE, Strength.WEAK, seed=5).turn(position).acts, position.to_move.letter)
    visitor.press()
    state = visitor.wait(lambda now: now["turn"] > position.turn or now["violation"])
    assert not state["violation"], state["violation"]  # the board was laid as it was corrected
