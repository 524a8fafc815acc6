"""A table as spectators see it: some time late, so that nobody at it is told what to do. Pure.

What a correction replaces before anybody has seen it is never shown; what was seen is put right when the correction
comes round. What the players switch off for the room is gone at once, what they switch on comes late like all else.
What waits is kept packed, and bounded in number and bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from referee.addons.hall.desk.seen import HeardTable
from referee.addons.hall.messages import HallClock, HallMessage, HallState, RoomSwitches, parsed, payload_of
from referee.addons.hall.topics import Leaf

MOST_STATES = 30
"""States that may wait for their time, one in each part of the delay; what comes between is left out."""
MOST_WAITING_BYTES = 1024 * 1024
"""What may wait of one table, packed. A state is some kilobytes so; the longest message half of this."""
_SHOWN: tuple[tuple[Leaf, type[HallMessage]], ...] = ((Leaf.STATE, HallState), (Leaf.CLOCK, HallClock))
"""What spectators see of a table."""


@dataclass(frozen=True, slots=True)
class LateState:
    """A table as it stood at a time, Unix ms. packed: what spectators see of it. event: the newest it shows."""

    at_ms: int
    id: str
    name: str
    game: str
    event: int
    packed: tuple[bytes, ...]

    @classmethod
    def of(cls, table: HeardTable, at_ms: int) -> Self:
        """Pack a table."""
        state = table.state
        packed = (
            zlib.compress(payload_of(message), 1) if (message := table.newest.get(leaf)) is not None else b""
            for leaf, _ in _SHOWN
        )
        game, event = (state.game.id, state.event) if state is not None else ("", 0)
        return cls(at_ms, table.id, table.name, game, event, tuple(packed))

    def table(self) -> HeardTable:
        """Return the table, as far as spectators see it."""
        newest = {
            leaf: parsed(model, zlib.decompress(packed))
            for (leaf, model), packed in zip(_SHOWN, self.packed, strict=True)
            if packed
        }
        return HeardTable(self.id, self.name, b"", newest)

    @property
    def size(self) -> int:
        """Return how many bytes it takes."""
        return sum(map(len, self.packed))


@dataclass(frozen=True, slots=True)
class LateTable:
    """The state that is shown, and those whose time has not come, oldest first. newest: as it was put last."""

    shown: LateState | None = None
    waiting: tuple[LateState, ...] = ()
    newest: HeardTable | None = None

    @property
    def allowed(self) -> RoomSwitches | None:
        """Return what the players let the room see now, ``None`` where that is not known."""
        state = self.newest.state if self.newest is not None else None
        return state.room if state is not None else None

    def table(self) -> HeardTable | None:
        """Return the table as it is shown: only with what the players allowed then and allow now."""
        found, now = self.shown.table() if self.shown is not None else None, self.allowed
        if found is None or found.state is None or now is None:
            return found
        then = found.state.room
        both = RoomSwitches(
            shown=then.shown and now.shown,
            names=then.names and now.names,
            pictures=then.pictures and now.pictures,
            breaches=then.breaches and now.breaches,
        )
        return replace(found, newest={**found.newest, Leaf.STATE: found.state.model_copy(update={"room": both})})

    def put(self, table: HeardTable, now_ms: int, delay_ms: int) -> LateTable:
        """Return the table after it has changed."""
        game = table.state.game.id if table.state is not None else ""
        replaced = [(event.replaces, event.number) for event in table.game.events.values() if event.replaces]
        kept = [late for late in self.waiting if late.game != game or not _gone(late.event, replaced)]
        if self.newest is not None and _looks_like(self.newest, table):
            return LateTable(self.shown, tuple(kept), table)
        slot_ms = max(1, delay_ms // MOST_STATES)
        late = LateState.of(table, now_ms)
        if kept and kept[-1].at_ms // slot_ms == now_ms // slot_ms:
            kept.pop()  # the newer one stands for both
        while kept and sum(one.size for one in kept) + late.size > MOST_WAITING_BYTES:
            kept.pop()  # as well; the oldest stay, for else their time would never come
        return LateTable(self.shown, (*kept, late), table)

    def due(self, now_ms: int, delay_ms: int) -> LateTable:
        """Return the table as it is shown now."""
        ripe = [late for late in self.waiting if late.at_ms + delay_ms <= now_ms]
        return LateTable(ripe[-1], self.waiting[len(ripe) :], self.newest) if ripe else self


def _looks_like(one: HeardTable, other: HeardTable) -> bool:
    """Return whether spectators see the same of both."""
    return one.name == other.name and all(one.newest.get(leaf) is other.newest.get(leaf) for leaf, _ in _SHOWN)


def _gone(event: int, replaced: Iterable[tuple[int, int]]) -> bool:
    return any(first <= event < until for first, until in replaced)
