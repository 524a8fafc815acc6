"""A table as spectators see it: some time late, so that nobody at it is told what to do. Pure.

What a correction replaces before anybody has seen it is never shown; what was seen is put right when the correction
comes round.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.desk.seen import HeardTable

MOST_STATES = 30
"""States that may wait for their time, one in each part of the delay; what comes between is left out."""


@dataclass(frozen=True, slots=True)
class LateState:
    """A table as it stood at a time, Unix ms."""

    at_ms: int
    table: HeardTable

    @property
    def event(self) -> int:
        """Return the number of the newest event it shows."""
        return self.table.state.event if self.table.state is not None else 0


@dataclass(frozen=True, slots=True)
class LateTable:
    """The state that is shown, and those whose time has not come, oldest first."""

    shown: LateState | None = None
    waiting: tuple[LateState, ...] = ()

    def put(self, table: HeardTable, now_ms: int, delay_ms: int) -> LateTable:
        """Return the table after it has changed."""
        game = table.state.game.id if table.state is not None else ""
        replaced = [(event.replaces, event.number) for event in table.game.events.values() if event.replaces]
        kept = tuple(
            late
            for late in self.waiting
            if late.table.state is None or late.table.state.game.id != game or not _gone(late.event, replaced)
        )
        slot_ms = max(1, delay_ms // MOST_STATES)
        if kept and kept[-1].at_ms // slot_ms == now_ms // slot_ms:
            kept = kept[:-1]  # the newer one stands for both
        return LateTable(self.shown, (*kept, LateState(now_ms, table)))

    def due(self, now_ms: int, delay_ms: int) -> LateTable:
        """Return the table as it is shown now."""
        ripe = [late for late in self.waiting if late.at_ms + delay_ms <= now_ms]
        return LateTable(ripe[-1], self.waiting[len(ripe) :]) if ripe else self


def _gone(event: int, replaced: Iterable[tuple[int, int]]) -> bool:
    return any(first <= event < until for first, until in replaced)
