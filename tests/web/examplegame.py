"""Referee Three Stones, the game of the manual, in a thread."""

from __future__ import annotations

import importlib
import json
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from playwright.sync_api import Page

from referee.daemon import GameJournal, Helpers, TableSight, TurnLoop, open_game
from referee.daemon.hosting import Hosting
from referee.match.events import AnyGame
from referee.match.phases import Phase
from referee.service.settings import Page as PageSettings
from referee.values.belief import BoardBelief, Prior
from referee.values.partial import PartialBoard
from tests.daemon.running import run_in_thread
from tests.match.fakes import FakeSight, Pictures
from tests.match.loops import QuickJournal
from vision.reading import CameraView, Reading
from web.tableparts import TableParts

LETTERS = "rygb"


FULL = "/".join(["1" * 10] * 10)


def board(**changed: str) -> str:
    """Return the full board with some rows, named R10 to R1, written otherwise."""
    rows = {f"R{10 - index}": row for index, row in enumerate(FULL.split("/"))}
    return "/".join((rows | changed).values())


class BoardEyes:
    """Reads a "picture" that holds a board text, and is sure of it."""

    def read(self, pictures: Pictures, expect: Prior | None = None, *, since: Any = None) -> Reading:
        text = pictures["cam0"].tobytes().decode()
        seen = PartialBoard.parse(text, 10, 10, LETTERS)
        heights = np.where(np.arange(8) == seen.heights[..., None], 0.0, -30.0)
        pieces = np.where(np.arange(5) == seen.pieces[..., None], 0.0, -30.0)
        return Reading(
            belief=BoardBelief(heights, pieces, LETTERS),
            text=text,
            confidence=np.full((10, 10), 0.99),
            stones={},
            clear=True,
            blocked=(),
            cameras=dict.fromkeys(("cam0", "cam1"), CameraView(8, 0.3)),
            duration_ms=1.0,
        )


class Table:
    """Three Stones refereed in a thread, with a device that may act. looks: what stands there at each look."""

    def __init__(
        self,
        folder: Path,
        looks: list[str],
        parts: ExitStack,
        sight: FakeSight | None = None,
        tour: bool = False,
        game: AnyGame | None = None,
    ) -> None:
        game = game or importlib.import_module("three_stones").package().game
        journal = parts.enter_context(QuickJournal(folder / "game.journal"))
        self.hosting = Hosting(
            PageSettings(port=0), folder, lambda: self.loop.journal, lambda: self.loop.state, parts
        )
        sight, desk = sight or FakeSight(looks), self.hosting.commands
        desk.on_put(sight.wake)
        start = game.new_game({"seats": {game.choices().places[0].id: "red", game.choices().places[1].id: "blue"}})
        session = GameJournal(journal, open_game(journal, game, start, "Recorded game"))
        metrics, publish = self.hosting.metrics(), self.hosting.publisher.publish
        self.loop = TurnLoop(game, TableSight(sight, BoardEyes()), session, desk, publish, Helpers(metrics))
        self.hosting.serve(metrics, brings=TableParts(tour=tour))
        run_in_thread(self.loop, sight.wake, parts)

    @property
    def phase(self) -> Phase:
        return self.loop.state.phase

    def tell(self, name: str, **arguments: object) -> bool:
        """Give a command, and wait until the referee has done with what follows; return whether it was accepted."""
        told, until = self.hosting.commands.command(name, arguments, "Tablet"), time.monotonic() + 60
        while (self.loop.busy or self.loop.state.awaiting) and time.monotonic() < until:
            time.sleep(0.005)
        return told.accepted

    def get(self, path: str, language: str = "en") -> Any:
        """Return what an address answers to a device that is paired."""
        _, token = self.hosting.auth.devices.pair("Tablet")
        headers = {"Cookie": f"{self.hosting.auth.name}={token}", "Accept-Language": language}
        with urlopen(Request(f"{self.hosting.url}{path}", headers=headers), timeout=60) as answer:
            return json.load(answer)

    def open(self, page: Page) -> None:
        """Open the page on a device that is paired."""
        _, token = self.hosting.auth.devices.pair("Tablet")
        page.context.add_cookies([{"name": self.hosting.auth.name, "value": token, "url": self.hosting.url}])
        page.goto(self.hosting.url)
