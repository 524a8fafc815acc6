"""Somebody who sees nothing plays at the virtual table: by keys, by the accessibility tree, and by what is spoken."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.demo.command import Demo
from tests.virtual.beside import FLAT
from tests.web.browser import needs_browser, open_page

pytestmark = [needs_browser, pytest.mark.browser, pytest.mark.process]

RECORD = """
globalThis.said = [];
globalThis.SpeechSynthesisUtterance = class extends EventTarget {
  constructor(words) { super(); this.words = words; } };
Object.defineProperty(globalThis, "speechSynthesis", { value: {
  speaking: false, cancel() {}, getVoices: () => [{}],
  speak(one) { said.push(one.words); setTimeout(() => one.dispatchEvent(new Event("end"))); } } });
"""
"""A browser without windows has no voice: what it would say is written down."""

UNDERSTANDS = """
globalThis.SpeechRecognition = class extends EventTarget {
  static async available({ langs, processLocally }) {
    return processLocally && langs[0] === "en" ? "available" : "unavailable";
  }
  get processLocally() { return this.local; }
  set processLocally(local) { this.local = local; }
  start() {
    if (!this.local) throw new Error("sound would leave the device");
    globalThis.hears = (words) => {
      const event = new Event("result");
      const result = Object.assign([{ transcript: words }], { isFinal: true });
      this.dispatchEvent(Object.assign(event, { resultIndex: 0, results: [result] }));
    };
  }
  abort() { globalThis.hears = () => {}; }
};
"""
"""It understands no speech either: here it understands English, as one does that has the words on the device."""

WALK = """
() => {
  const heard = [];
  const press = (key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const here = () => document.activeElement.getAttribute("aria-label");
  document.querySelector("#board [role=gridcell][tabindex='0']").focus();
  for (let up = 0; up < 30; up += 1) press("ArrowUp");
  for (let row = null; row !== here();) {
    press("Home");
    row = here();
    for (let last = null; last !== here(); press("ArrowRight")) heard.push(last = here());
    press("Home");
    press("ArrowDown");
  }
  return heard;
}
"""
"""From field to field with the keys: what each is called."""


LATER: dict[int, list[tuple[str, tuple[str, ...]]]] = {
    3: [("Put King", ("D8",))],
    4: [("Put Blue", ("C7",)), ("Put a block", ("B6", "E2"))],
    5: [("Put Orange", ("E3",)), ("Put a block", ("G3",))],
    6: [("Put a block", ("D6",))],
}
"""What is done in the turns that are seldom played: tools and fields."""


class Listener:
    """A player who knows only what is said."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tablet: FrameLocator = page.frame_locator("#tablet")
        self.frame = page.frames[1]

    def do(self, tool: str, *fields: str) -> None:
        """Choose what the hand does and do it on fields of the list, each until the list says that it is done."""
        self.page.get_by_role("button", name=tool, exact=True).click()
        for field in fields:
            button = self.page.locator("#fields").get_by_role("button", name=f"{field}:")
            before = button.get_attribute("aria-label")
            assert before is not None
            button.press("Enter")
            expect(button).not_to_have_accessible_name(before)

    def end_turn(self, headline: str) -> None:
        self.page.locator("#tools").get_by_role("button", name="Turn ended").press("Enter")
        self.comes(headline)

    def comes(self, headline: str) -> None:
        expect(self.tablet.get_by_role("status").get_by_role("heading", name=headline)).to_be_visible()

    def sets(self, *settings: str) -> None:
        """Switch settings on and come back."""
        self.tablet.get_by_role("link", name="Settings").press("Enter")
        for name in settings:
            on = self.tablet.get_by_role("group", name=name).get_by_role("button", name="On")
            on.press("Enter")
            expect(on).to_have_attribute("aria-pressed", "true")
        self.tablet.get_by_role("link", name="Play", exact=True).press("Enter")

    def said(self) -> list[str]:
        """Return what was spoken since something was asked for last."""
        spoken: list[str] = self.frame.evaluate("said")
        return spoken

    def hears(self, *words: str) -> None:
        """Have everything read aloud, with the key, wherever the focus is."""
        self.frame.evaluate("said.length = 0")
        self.page.keyboard.press("Alt+r")
        told = "\n".join(self.said())
        assert [one for one in words if one not in told] == [], told

    def knows(self) -> None:
        """Compare what is heard of the fields with what lies on the table."""
        lying = self.page.evaluate("async () => (await fetch('/api/virtual')).json()")
        letters = {kind["letter"]: kind["name"] for kind in lying["kit"]["pieces"]}
        there = sorted(_fields(lying["lying"], letters))
        assert sorted(self.frame.evaluate(WALK)) == there


def _fields(text: str, letters: dict[str, str]) -> list[str]:
    rows = text.split("/")
    told = []
    for index, line in enumerate(rows):
        cells: list[str] = []
        for sign in line:
            if sign in letters:
                cells[-1] += f", {letters[sign]}"
            else:
                cells.append(f"{chr(65 + len(cells))}{len(rows) - index}: height {int(sign, 36)}")
        told += cells
    return told


TURNS = 6 if os.environ.get("ALL_SCREENS") else 2
"""make browser plays all six."""


def test_a_player_who_sees_nothing_knows_what_stands_where_and_what_may_follow() -> None:
    with Demo(None, "--play", "--game", "torres", "--people", "2") as demo, open_page(1280, 800) as page:
        address = demo.until(r"(http://\S+/virtual#\S+)")[1]
        page.context.add_init_script(FLAT + RECORD + UNDERSTANDS)
        page.goto(address)
        page.get_by_text("All fields as a list").click()
        player = Listener(page)
        player.comes("The set-up is right")
        player.sets("Rulings spoken aloud", "“Turn ended”, “yes” and “no” may be spoken")
        player.knows()
        player.hears("Blue to play", "Blue puts one knight", "What may follow: Turn ended", "C6 height 1")

        player.do("Put Blue", "C6")
        player.end_turn("Legal")
        player.knows()
        player.hears("C6: height 1, Blue; before: height 1", "Orange to play")

        player.do("Put Orange", "F3", "D8")
        player.end_turn("Not legal")
        assert any("Orange puts one own knight on a free castle" in words for words in player.said()), "unasked"
        player.hears(
            "Torres (1999)",
            "D8: height 1, Orange; before: height 1",
            "It is put back",
            "Still to put back: F3: height 1; D8: height 1",
        )
        expect(
            player.tablet.get_by_role("figure", name="As it stands now").get_by_role(
                "img", name="Orange: D8 height 1, F3 height 1"
            )
        ).to_be_visible()
        player.do("Take a piece off", "D8", "F3")
        player.comes("Put back")
        player.do("Put Orange", "F3")
        player.frame.evaluate("hears('The turn ended badly')")  # talk about turns ends none
        player.frame.evaluate("hears('Turn ended.')")
        player.comes("Legal")
        assert "Heard: Turn ended" in player.said()
        player.knows()
        for turn in range(3, TURNS + 1):
            for tool, fields in LATER[turn]:
                player.do(tool, *fields)
            player.end_turn("Legal")
            player.tablet.locator(f'#play[data-turn="{turn + 1}"]').wait_for()
            player.knows()
            player.hears(f"Turn {turn + 1}")
