"""Let add-ons join a table: ``join`` in an add-on's module ``table`` is given the table before it is served."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from referee.addons import addon_modules
from referee.daemon.livetable import LiveTable
from referee.daemon.resultcache import ResultCache
from referee.values.metrics import Metrics


@dataclass(frozen=True, slots=True)
class AddOnTable:
    """A table as add-ons are given it.

    folder: of keys and devices. games: folder of the games refereed here, where they are kept. cache: of what takes
    long to make. live: its cameras, where it has some. parts: ends what an add-on begins.
    """

    folder: Path
    games: Path | None
    metrics: Metrics
    cache: ResultCache
    live: LiveTable | None
    parts: ExitStack
    services: dict[type, object] = field(default_factory=dict)
    """What add-ons' addresses work with, by type (``web.services.Services.of``)."""

    def offer(self, service: object) -> None:
        """Give an add-on's addresses what they work with."""
        self.services[type(service)] = service

    def joined(self) -> AddOnTable:
        """Have every add-on join."""
        for module in addon_modules("table"):
            module.join(self)
        return self
