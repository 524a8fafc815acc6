"""Referee Three Stones, the game of the manual, in a thread."""

from __future__ import annotations

import importlib
import json
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Page

from referee.daemon import GameJournal, Helpers, TableSight, TurnLoop, open_game
from referee.daemon.hosting import Hosting
from referee.daemon.nocameras import NoCameras
from referee.games.contract import Position
from referee.match.events import AnyGame
from referee.match.phases import Phase
from referee.service.settings import Page as PageSettings
from tests.daemon.running import RestingSight, run_in_thread
from tests.daemon.toldgrid import ToldEyes
from tests.match.fakes import FakeSight
from tests.match.loops import QuickJournal
from web.tableparts import TableParts

FULL = "/".join(["1" * 10] * 10)


def board(**changed: str) -> str:
    """Return the full board with some rows, named R10 to R1, written otherwise."""
    rows = {f"R{10 - index}": row for index, row in enumerate(FULL.split("/"))}
    return "/".join((rows | changed).values())


class Table:
    """Three Stones, or another game, refereed in a thread, with a device that may act.

    looks: what stands there at each look. start: where it begins.
    """

    def __init__(
        self,
        folder: Path,
        looks: list[str],
        parts: ExitStack,
        sight: FakeSight | NoCameras | None = None,
        tour: bool = False,
        game: AnyGame | None = None,
        start: Position | None = None,
    ) -> None:
        game = game or importlib.import_module("three_stones").package().game
        journal = parts.enter_context(QuickJournal(folder / "game.journal"))
        self.hosting = Hosting(
            PageSettings(port=0), folder, lambda: self.loop.journal, lambda: self.loop.state, parts
        )
        sight, desk = sight or RestingSight(looks), self.hosting.commands
        desk.on_put(sight.wake)
        start = start or game.new_game(
            {"seats": {game.choices().places[0].id: "red", game.choices().places[1].id: "blue"}}
        )
        reader = ToldEyes(game.kit) if game.kit.kind == "grid" else None
        session = GameJournal(journal, open_game(journal, game, start, "Recorded game"))
        metrics, publish = self.hosting.metrics(), self.hosting.publisher.publish
        self.loop = TurnLoop(game, TableSight(sight, reader), session, desk, publish, Helpers(metrics))
        self.hosting.serve(metrics, brings=TableParts(tour=tour), game=game)
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
