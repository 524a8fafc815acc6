"""Define what plays along at a virtual table, in the players' place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from referee.daemon import CommandQueue
from referee.match.live import Live
from referee.match.state import TableState
from referee.virtual.table import VirtualTable


class Companion(Protocol):
    """Somebody at the table."""

    def on_change(self, state: TableState, live: Live) -> None:
        """Follow the table. Called in the turn loop's thread; it must not wait."""

    def idea(self) -> str:
        """Return what lies there after a turn that a person may play. Raises OpponentError where there is none."""

    def people(self, state: TableState) -> tuple[str, ...]:
        """Return the colours of the seats that people play."""

    def run(self, table: VirtualTable, desk: CommandQueue, pause: Callable[[float], bool]) -> None:
        """Play along, in a thread of its own, until ``pause``, which waits for seconds, says that all is to stop."""
