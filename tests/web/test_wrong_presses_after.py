"""Wrong presses with the board swept, with nothing in sight, and after the end, in the games that come along.

Each leads to a sentence that helps, and to a way on. ``make browser`` plays all of them; SCREENS=DIR keeps a picture
of each.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.web.bank import Bank, Hand
from tests.web.banking import THREE, begun
from tests.web.browser import needs_browser, open_page
from tests.web.castles import castles_played
from tests.web.pressing import ALL, LONG, SIZES, helped, long
from tests.web.turned import tower_played
from tests.web.turnedturns import TURNS
from tests.web.whole import TableOnPage

pytestmark = needs_browser
SCREENS = [one.values[0] for one in ALL]
BUILT_UP = "00011k100/03r100000/011r10100/10000001/10000011/0110013b0/011002b00/00011000"
"""A board of castles of which next to nothing stands in the pictures of the set-up."""
HIGH = TURNS[12][0]
"""A tower of five levels."""


def swept(game: TableOnPage[Any], name: str) -> None:
    """Press when everything is gone: nobody is accused, and it may be put back."""
    page = game.page
    game.press("turn_ended")
    game.phase("unsure")
    expect(page.locator("#before-board")).to_be_visible()
    helped(page, f"{name}-swept", "look_again")
    expect(page.locator("[data-rule]")).to_have_count(0)
    assert {entry["verdict"] for entry in game.state()["history"][-1:]} == {"unsure"}
    game.fits()
    page.click("[data-key=restored]")
    game.phase("playing")


def nothing_in_sight(game: TableOnPage[Any], name: str) -> None:
    """Press in the dark."""
    game.press("turn_ended")
    game.phase("blind")
    helped(game.page, f"{name}-dark", "look_again", "rule_board", "not_ended")
    game.fits()


def over(page: Page, name: str, pressed: str) -> None:
    """Agree on a draw by another device; a finger on what was there before comes too late, and a key after it."""
    expect(page.locator(pressed).first).to_be_enabled()  # the press before is answered
    late = page.query_selector(pressed)
    assert late is not None
    page.evaluate(
        """async late => {
          const { command } = await import("/static/session.js");
          const done = await command("end_game", { how: "draw" });
          if (!done.ok) throw new Error(JSON.stringify(done));
          late.click();
        }""",
        late,
    )
    expect(page.locator("#play")).to_have_attribute("data-phase", "finished")
    expect(page.locator("#toast")).not_to_be_empty()
    page.keyboard.press("Space")
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "won")
    helped(page, f"{name}-over", "new_game")
    page.locator("[data-act=new_game]").first.click()
    expect(page.locator('.stage[data-screen="new"]')).to_be_visible()
    expect(page.locator("[data-key=end-first]")).to_have_count(0)


@long
@pytest.mark.parametrize(("size", "language"), SCREENS)
def test_castles(size: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    with castles_played(tmp_path, SIZES[size], language) as game:
        name = f"torres-{size}-{language}"
        game.show(0, "dark")
        nothing_in_sight(game, name)
        game.show(0)
        game.phase("unsure")  # seen again, it goes on by itself: nothing has changed
        game.press("not_ended")
        game.phase("playing")
        game.by_hand(stage="play", board=BUILT_UP)
        swept(game, name)
        over(game.page, name, "[data-act=turn_ended]")


@long
@pytest.mark.parametrize(("size", "language"), SCREENS)
def test_a_tower(size: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    with tower_played(tmp_path, HIGH, SIZES[size], language) as game:
        name = f"turris-{size}-{language}"
        game.table.put({"cam0": np.zeros((640, 800, 3), np.uint8)})
        game.all_seen()
        nothing_in_sight(game, name)
        game.shows(HIGH.tower.text)
        game.phase("unsure")
        game.press("not_ended")
        game.phase("playing")
        game.shows("")  # it fell over, and was cleared away
        swept(game, name)
        over(game.page, name, "[data-act=turn_ended]")


@pytest.mark.parametrize(("size", "language"), SCREENS if LONG else [("phone", "de")])
def test_the_banker(size: str, language: str, tmp_path: Path) -> None:
    with open_page() as any_page, ExitStack() as parts:
        browser = any_page.context.browser
        assert browser is not None
        bank = Bank(tmp_path, parts, THREE)
        name = f"terrabilis-{size}-{language}"
        page = bank.device(browser, size, "Tablet", locale=language)
        hand = begun(page)
        turn = bank.position.turn
        expect(page.locator("[data-act=turn_ended]")).to_be_enabled()  # what began the game has been answered
        for _ in range(3):  # nobody is there: a sleeve on the keyboard
            page.keyboard.press("Space")
        expect(page.locator("#toast")).not_to_be_empty()
        helped(page, f"{name}-nobody", "turn_ended")
        assert bank.position.turn == turn
        other = Hand(bank.device(browser, "phone", "Blue’s phone", player="blue", locale=language))
        expect(other.page.locator("[data-act]")).to_have_count(0)  # it is not this phone's turn, and that is said
        helped(other.page, f"{name}-other")
        hand.option("roll 1+2")
        over(page, name, "[data-act=turn_ended]")
