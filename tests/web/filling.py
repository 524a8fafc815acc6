"""Run a game of castles in a thread, with devices that may act and the real sketch of a button box on its line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from referee.daemon import GameJournal, Helpers, TableSight, TurnLoop, open_game
from referee.daemon.buttons import Buttons
from referee.daemon.hosting import Hosting
from referee.games import game_named
from referee.match.phases import Phase
from referee.service.settings import Page as PageSettings
from referee.storage.journal import Journal
from tests.buttonbox.box import Box, until
from tests.daemon.running import RestingSight, run_in_thread
from tests.daemon.toldgrid import ToldEyes
from tests.games.torres.tables import BEFORE, position_data, text_of
from tests.match.loops import QuickJournal
from tests.web.line import Line

CASTLES = game_named("torres")
BLUE = 1
"""Blue's button: each player of several has one, in playing order."""
BLUES_TURN = text_of(BEFORE | {"A2": "2"})


class FilledIn:
    """The table; Blue's first turn, or what else is seen, has been played on the board when it begins."""

    def __init__(
        self, folder: Path, parts: ExitStack, journal: Journal, seen: str = BLUES_TURN, **position: Any
    ) -> None:
        self.hosting = Hosting(
            PageSettings(port=0), folder, lambda: self.loop.journal, lambda: self.loop.state, parts
        )
        self.sight, desk = RestingSight(board=seen), self.hosting.commands
        desk.on_put(self.sight.wake)
        self.buttons, self.line = Buttons(CASTLES, desk), Line(self.hosting.publisher)
        start = CASTLES.position(position_data() | position)
        kept = GameJournal(journal, open_game(journal, CASTLES, start, "test"))
        helpers = Helpers(on_change=self.buttons.on_change)
        self.loop = TurnLoop(
            CASTLES, TableSight(self.sight, ToldEyes(CASTLES.kit)), kept, desk, self.line.publish, helpers=helpers
        )
        self.hosting.serve(self.hosting.metrics())
        run_in_thread(self.loop, self.sight.wake, parts)
        if self.loop.state.phase is Phase.SET_UP:
            assert desk.command("begin", {}, "test").accepted

    def open(self, page: Page, name: str = "Tablet", player: str = "") -> Page:
        """Open the page on a device that is paired, its form unfolded."""
        desk = self.hosting.auth.desk
        _, token = desk.pair_by_secret(desk.new_code(player=player).secret, name)
        page.context.add_cookies([{"name": self.hosting.auth.name, "value": token, "url": self.hosting.url}])
        page.goto(self.hosting.url)
        page.click("[data-key=declare-open]")
        return page

    def plugged(self, box: Box, parts: ExitStack) -> None:
        """Connect a button box to the table."""
        box.plug()
        parts.enter_context(self.buttons.attach(box.url))
        until(lambda: not self.buttons.notices)

    def declared(self, **said: object) -> None:
        """Wait until this is declared of the turn under way."""
        until(lambda: dict(self.loop.state.turn.declared) == said)

    def bought(self, cards: int) -> None:
        """Wait until Blue's turn is over, with so many cards."""
        until(lambda: self.loop.state.last_counting)
        assert self.loop.state.position.to_json()["cards"]["blue"]["held"] == cards


@contextmanager
def filled_in(folder: Path, **position: Any) -> Iterator[tuple[FilledIn, ExitStack]]:
    """Open a table in a folder, taken up again where a game lies there."""
    with ExitStack() as parts:
        journal = parts.enter_context(QuickJournal(folder / "game.journal"))
        yield FilledIn(folder, parts, journal, **position), parts
