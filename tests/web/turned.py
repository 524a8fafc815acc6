"""A tower game on the page: a real referee whose camera looks into a folder of drawn pictures, and a browser."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from referee.games import game_named
from referee.games.contract import Position, Ruling
from referee.kinds.tower.observation import SIDES
from tests.demo.table import FolderTable
from tests.vision.tower.scene import draw, pose, write_table
from tests.web.whole import TableOnPage

TURRIS = game_named("turris")
TURNS = {"south": 3.0, "west": 92.0, "north": 178.0, "east": 275.0}
"""How far the board is turned, counter-clockwise, for a side to face the camera in the south."""
ASKED = {"to the left": 1, "halfway": 2, "to the right": 3}
"""What the page asks for, and by how many sides the one before the camera goes on."""
MOST_TURNS = 8
TOLD_NOTHING_S = 10.0
"""So long after a picture was taken in its reading is over."""


class TurnedTable(FolderTable):
    """A table folder and the folder its camera looks into."""

    def __init__(self, folder: Path, position: dict[str, object]) -> None:
        super().__init__(folder, write_table(folder / "table"), ["cam0"], position)

    def show(self, tower: str, side: str = "south") -> None:
        """Put a picture of the tower, turned so that a side faces the camera, before it."""
        self.put({"cam0": draw(tower, pose(TURNS[side]), seed=self.count + 1)})


class TurnedGame(TableOnPage[TurnedTable]):
    """A running tower game and the page of one player."""

    def shows(self, tower: str, side: str = "south") -> None:
        """Put a picture before the camera and wait until it was taken in."""
        self.table.show(tower, side)
        self.all_seen()

    def ends(self, tower: str) -> dict[str, Any]:
        """Show a tower, end the turn and turn it as the page asks until the referee is sure; how the table stands."""
        self.shows(tower)
        before, facing = self.state()["event"], SIDES.index("south")
        self.press("turn_ended")
        for _ in range(MOST_TURNS):
            # A side that tells nothing new is no event; the page then says how to turn the tower on.
            state = self.settled(before, TOLD_NOTHING_S)
            if state["phase"]["id"] != "unsure":
                return state
            expect(self.page.locator("#ruling")).to_contain_text("Turn the tower")
            before = state["event"]
            facing = (facing + next(by for words, by in ASKED.items() if words in state["banner"]["advice"])) % 4
            self.shows(tower, SIDES[facing])
        return self.settled(before)

    def settled(self, before: int, or_unsure_after_s: float = 300.0) -> dict[str, Any]:
        """Wait until something newer than an event was ruled, or the referee has been unsure for so long."""
        began = time.monotonic()
        while time.monotonic() < began + 300:
            state = self.state()
            phase = state["phase"]["id"]
            if state["event"] > before and phase not in ("reading", "ruling"):
                return state
            if phase == "unsure" and time.monotonic() > began + or_unsure_after_s:
                return state
            self.page.wait_for_timeout(100)
        raise AssertionError((self.state()["phase"], self.state()["banner"], self.run.said))


def ruled(position: Position, tower: str) -> Ruling:
    """Return what the rules say of a tower seen whole."""
    return TURRIS.check(position, TURRIS.observation(tower))
