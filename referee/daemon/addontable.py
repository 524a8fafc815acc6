"""Let add-ons join a table: ``join`` in an add-on's module ``table`` is given the table before it is served."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from referee.addons import addon_modules
from referee.daemon.commandqueue import CommandQueue
from referee.daemon.livetable import LiveTable
from referee.daemon.publisher import ViewPublisher
from referee.daemon.resultcache import ResultCache
from referee.match.events import AnyGame
from referee.match.live import Notice
from referee.match.state import TableState
from referee.service.settings import Settings
from referee.storage.journal import Journal
from referee.values.metrics import Metrics
from referee.values.words import Words
from web.tableparts import TableParts


@dataclass(frozen=True, slots=True)
class AddOnTable:
    """A table as add-ons are given it.

    url: of its page. folder: of keys and devices. table: the table's folder, where it has one. games: folder of the
    games refereed here, where they are kept. journal, state: of the game played now. cache: of what takes long to
    make. live: its cameras, where it has some. offered: what its page has without add-ons. parts: ends what an add-on
    begins.
    """

    url: str
    folder: Path
    settings: Settings
    game: AnyGame | None
    table: Path | None
    games: Path | None
    journal: Callable[[], Journal]
    state: Callable[[], TableState]
    publisher: ViewPublisher
    commands: CommandQueue
    metrics: Metrics
    cache: ResultCache
    live: LiveTable | None
    offered: TableParts
    parts: ExitStack
    services: dict[type, object] = field(default_factory=dict)
    """What add-ons' addresses work with, by type (``web.services.Services.of``)."""
    notices: list[Callable[[], tuple[Notice, ...]]] = field(default_factory=list)
    """What add-ons tell everybody at the table, asked whenever it is shown."""
    reliability: list[Callable[[], tuple[Words, ...]]] = field(default_factory=list)
    """Lines by add-ons on how far the table is to be believed: at the end of reports, and at a hall's desk."""
    once_served: list[Callable[[], None]] = field(default_factory=list)
    """What add-ons begin as soon as the page answers."""

    def reliability_lines(self) -> tuple[Words, ...]:
        """Return what add-ons say now on how far the table is to be believed."""
        return tuple(line for told in self.reliability for line in told())

    def offer(self, service: object) -> None:
        """Give an add-on's addresses what they work with."""
        self.services[type(service)] = service

    def joined(self) -> TableParts:
        """Have every add-on join; return what the page has with them."""
        for module in addon_modules("table"):
            module.join(self)
        return replace(self.offered, addons=self.services)
