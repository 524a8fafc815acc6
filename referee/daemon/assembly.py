"""Put a refereed table together: what looks at it, the loop that drives its session, the page that serves it.

Every command that referees does it here: ``run`` with and without cameras, ``demo`` with pictures and with
declarations, the virtual table, lent ones and scripts.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from referee.daemon.commandqueue import CommandQueue
from referee.daemon.gamejournal import GameJournal
from referee.daemon.hosting import Hosting
from referee.daemon.statepublisher import Publish
from referee.daemon.tablesight import TableSight
from referee.daemon.turnloop import Helpers, TurnLoop
from referee.match.events import AnyGame
from referee.service.settings import Page


def turn_loop(
    game: AnyGame,
    journal: GameJournal,
    sight: TableSight,
    commands: CommandQueue,
    publish: Publish,
    parts: ExitStack,
    helpers: Helpers | None = None,
) -> TurnLoop:
    """Return the loop that drives a table's session; it is closed when ``parts`` end."""
    commands.on_put(sight.source.wake)
    loop = TurnLoop(game, sight, journal, commands, publish, helpers)
    parts.callback(loop.close)
    return loop


class ServedTable:
    """A table with a page. Its address is taken at once, so that a second referee finds out early."""

    def __init__(
        self, page: Page, folder: Path, parts: ExitStack, make_room: Callable[[], bool] = lambda: False
    ) -> None:
        """Open the page's parts. folder: of keys and devices. make_room: asked when the disk is full.

        Raises ServerError, JournalError.
        """
        self._parts = parts
        self.hosting = Hosting(page, folder, lambda: self.loop.journal, lambda: self.loop.state, parts, make_room)

    def referee(
        self, game: AnyGame, journal: GameJournal, sight: TableSight, helpers: Helpers | None = None
    ) -> TurnLoop:
        """Return the loop of this table's game, whose events the page follows. Call it before the page is served."""
        hosting = self.hosting
        self.loop = turn_loop(game, journal, sight, hosting.commands, hosting.publisher.publish, self._parts, helpers)
        return self.loop
