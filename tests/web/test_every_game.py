"""Games on a board and games of accounts are played on the page in the same way, from a wrong press to a late one.

Cameras are told what stands there: reading it is proved at pictures (tests/demo, tests/virtual). ``make browser``
plays each game in every size and language; SCREENS=DIR keeps a picture of each step.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from referee.daemon.nocameras import NoCameras
from referee.games import names, package_named
from referee.games.package import GamePackage
from referee.games.record import RecordEntry, parse_record
from tests.daemon.running import RestingSight
from tests.virtual.made import breach
from tests.web.barriers import unbarred
from tests.web.browser import needs_browser, open_page
from tests.web.examplegame import Table
from tests.web.pressing import helped
from tests.web.whole import fits

pytestmark = [needs_browser, pytest.mark.browser]
SIZES = {"phone": (390, 844), "tablet": (1024, 768), "desktop": (1600, 900)}
LANGUAGES = ("en", "de", "fr")
SCREENS = os.environ.get("SCREENS")
EVERY_LOOK = [(size, language) for size in SIZES for language in LANGUAGES]
GAMES = [name for name in names() if package_named(name).game.kit.kind in ("grid", "ledger")]
"""A tower is turned before a camera: test_turned_game plays it."""
ONCE = [("phone", "de"), ("tablet", "fr"), ("desktop", "en"), ("phone", "en")]
LOOKS = (
    [(game, *look) for game in GAMES for look in EVERY_LOOK]
    if os.environ.get("ALL_SCREENS")
    else [(game, *ONCE[number % len(ONCE)]) for number, game in enumerate(GAMES)]
)

PRESSED = """selector => {
  const button = document.querySelector(selector);
  button?.click();
  return button?.disabled === false;
}"""


class Played:
    """A game of which nothing need be seen, its page, and a turn of its playthrough, right and wrong."""

    def __init__(self, package: GamePackage, folder: Path, parts: ExitStack, page: Page, name: str) -> None:
        assert package.playthrough is not None
        self.package, self.page, self._name, self._shots = package, page, name, 0
        start, self.right, self.wrong = _a_turn(package)
        self.sight = self.seeing()
        self.table = Table(folder, [], parts, self.sight, game=package.game, start=start)
        self.shows(self.lying)
        self.table.open(page)
        expect(page.locator("#play")).to_have_attribute("data-phase", re.compile("set-up|playing"))
        self.other("begin")
        self.phase("playing")

    def seeing(self) -> Any:
        return NoCameras()

    def shows(self, text: str) -> None:
        """Have this stand on the table."""

    @property
    def lying(self) -> str:
        """Return what stands there by the rules."""
        return str(self.table.loop.state.position.observed.text)

    def other(self, command: str, **arguments: object) -> bool:
        """Have another device send a command."""
        return self.table.tell(command, **arguments)

    def phase(self, name: str) -> None:
        expect(self.page.locator("#play")).to_have_attribute("data-phase", name)

    def press(self, act: str) -> None:
        """Press a button of the page, on its sheet where it is not at hand."""
        button = self.page.locator(f"[data-act={act}]")
        if not button.count():
            self.page.click("[data-key=more]")
        button.first.click()

    def stands_again(self) -> None:
        """Say that all is put back."""
        self.press("put_back")

    def ended(self, phase: str) -> None:
        """Press that the turn has ended, at once: a press during which its button changes would count for nothing."""
        self.page.wait_for_function(PRESSED, arg="[data-act=turn_ended]")
        self.phase(phase)

    def plays(self, entry: RecordEntry, phase: str) -> None:
        """Play a turn, right or wrong, and end it."""
        self.declares(entry)
        assert self.package.laid is not None
        self.shows(self.package.laid(self.table.loop.state.position, entry))
        self.ended(phase)

    def declares(self, entry: RecordEntry) -> None:
        said = self.package.records.declared(entry)
        if said:
            assert self.other("declare", declared=said)
            # A press carries what the page knows of the declaration.
            newest = self.table.hosting.publisher.snapshot()["version"]
            expect(self.page.locator("#play")).to_have_attribute("data-version", str(newest))

    def helped(self, *ways_on: str) -> None:
        """Verify that a headline and a sentence stand there, and every way on can be pressed; photograph it."""
        self._shots += 1
        if SCREENS:
            self.page.screenshot(path=f"{SCREENS}/{self._name}-{self._shots:02d}.png")
        helped(self.page, *ways_on)
        fits(self.page)


def _a_turn(package: GamePackage) -> tuple[Any, RecordEntry, RecordEntry]:
    """Return the first position of a game's playthrough at which a turn can go wrong, its turn, and a wrong one."""
    assert package.playthrough is not None
    record = parse_record(package.playthrough.read_text(encoding="utf-8"))
    now: Any = package.records.start(record)
    for entry in record.turns:
        for seed in range(5):
            if found := breach(random.Random(seed), package, now, entry):
                return now, entry, found[0]
        now = package.records.play(now, entry).next
    raise AssertionError(f"no turn of {package.game.name} goes wrong")


class Grid(Played):
    """A game on a grid."""

    def seeing(self) -> Any:
        return RestingSight(patience_s=3.0)

    def shows(self, text: str) -> None:
        self.sight.board, self.sight.blind_s = text, 0.0

    def stands_again(self) -> None:
        """Wait: it is seen."""

    def lost(self) -> None:
        self.sight.blind_s = 9.0

    @property
    def swept(self) -> str:
        return re.sub("[a-z]", "", re.sub("[1-9]", "0", self.lying))


KINDS = {"grid": Grid, "ledger": Played}


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Played]:
    name, size, language = request.param
    package = package_named(name)
    with ExitStack() as parts:
        page = parts.enter_context(open_page(*SIZES[size], locale=language))
        yield KINDS[package.game.kit.kind](package, tmp_path, parts, page, f"{name}-{size}-{language}")


@pytest.mark.parametrize("game", LOOKS, indirect=True, ids=["-".join(look) for look in LOOKS])
def test_it_is_played_from_a_press_too_early_to_its_end(game: Played) -> None:
    pressed_too_early(game)
    broken_and_put_back(game)
    played_and_undone(game)
    if isinstance(game, Grid):
        in_the_dark(game)
        swept(game)
    over(game)


def pressed_too_early(game: Played) -> None:
    """Press before anything was touched, and twice; who is not paired has no button."""
    if game.package.game.kit.kind == "ledger":
        game.press("turn_ended")
        expect(game.page.locator("#toast")).not_to_be_empty()
        game.helped("turn_ended")
        game.phase("playing")
        return
    looks = game.table.loop.state.look
    game.page.locator("[data-act=turn_ended]").first.dblclick()
    game.phase("unsure")
    assert game.table.loop.state.look == looks + 1
    game.helped("not_ended", "turn_over")
    game.press("not_ended")
    game.phase("playing")


def broken_and_put_back(game: Played) -> None:
    """Break a rule: it is named, and what is put back is seen to be."""
    state, page = game.table.loop.state, game.page
    game.plays(game.wrong, "violation")
    expect(page.locator("[data-rule]").first).to_be_visible()
    game.helped("accept", "put_back")
    unbarred(page)
    put_back(game, state.position.observed.text, "violation")
    assert game.table.loop.state.position.to_json() == state.position.to_json()


def put_back(game: Played, text: str, phase: str) -> None:
    """Put back what stood there; where it is seen, nobody has to say so."""
    game.phase(phase)
    game.shows(text)
    game.stands_again()
    game.phase("playing")


def played_and_undone(game: Played) -> None:
    """Play a turn, take it back, and play it again."""
    page, before = game.page, game.table.loop.state.position
    turn = page.locator(f'#play[data-turn="{before.turn + 1}"]')
    for again in (False, True):
        game.plays(game.right, "playing")
        expect(turn).to_be_visible()
        expect(page.locator("#ruling")).to_have_attribute("data-tone", "legal")
        if not again:
            after = game.table.loop.state.position.to_json()
            game.press("undo")
            page.click(".sheet .row button:last-child")
            put_back(game, before.observed.text, "restoring")
            assert game.table.loop.state.position.to_json() == before.to_json()
    assert game.table.loop.state.position.to_json() == after


def in_the_dark(game: Grid) -> None:
    """Press while nothing is seen; seen again, it goes on by itself."""
    lying = game.lying
    game.lost()
    game.press("turn_ended")
    game.phase("blind")
    game.helped("look_again", "rule_board", "not_ended")
    game.shows(lying)
    game.phase("unsure")  # nothing has changed
    game.press("not_ended")
    game.phase("playing")


def swept(game: Grid) -> None:
    """Press with everything swept: nobody is accused, and it may be put back."""
    page, lying = game.page, game.lying
    game.shows(game.swept)
    game.ended("unsure")
    expect(page.locator("#before-board")).to_be_visible()
    game.helped("look_again")
    expect(page.locator("[data-rule]")).to_have_count(0)
    assert game.table.get("api/state")["history"][-1]["verdict"] == "unsure"
    page.click("[data-key=restored]")
    game.shows(lying)
    game.phase("playing")


def over(game: Played) -> None:
    """Agree on a draw by another device; a finger on what was there before comes too late, and a key after it."""
    page = game.page
    expect(page.locator("[data-act=turn_ended]").first).to_be_enabled()  # the press before is answered
    late = page.query_selector("[data-act=turn_ended]")
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
    game.phase("finished")
    expect(page.locator("#toast")).not_to_be_empty()
    page.keyboard.press("Space")
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "won")
    game.helped("new_game")
    game.press("new_game")
    expect(page.locator('.stage[data-screen="new"]')).to_be_visible()
    expect(page.locator("[data-key=end-first]")).to_have_count(0)
