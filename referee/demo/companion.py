"""What plays along at a virtual table, in the players' place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from referee.daemon import CommandQueue
from referee.games.contract import Act
from referee.match.commands import Name
from referee.match.live import Live
from referee.match.state import TableState
from referee.virtual.table import VirtualTable


class Companion(Protocol):
    """Somebody at the table."""

    def on_change(self, state: TableState, live: Live) -> None:
        """Follow the table. Called in the turn loop's thread; it must not wait."""

    def run(self, table: VirtualTable, desk: CommandQueue, pause: Callable[[float], bool]) -> None:
        """Play along, in a thread of its own, until ``pause``, which waits for seconds, says that all is to stop."""


class TableHands:
    """The hands and the button of a seat that an engine plays."""

    def __init__(self, table: VirtualTable, desk: CommandQueue) -> None:
        self._table, self._desk = table, desk

    def carry_out(self, acts: Sequence[Act], before: Any, after: Any, stop: Callable[[float], bool]) -> bool:
        """Make the table stand as ``after``, an observation, place by place; whether it was done."""
        return self._table.become(after.text)

    def press(self, player: str, declared: Mapping[str, object]) -> bool:
        """Press "turn ended" for a player, with what is declared of the turn; whether it was taken."""
        said = {"declared": dict(declared)} if declared else {}
        return self._desk.command(Name.TURN_ENDED, said, player).accepted
