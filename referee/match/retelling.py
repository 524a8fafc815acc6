"""Step over the event that tells earlier turns anew: their rulings stand, what they did is known better."""

from __future__ import annotations

from dataclasses import replace

from referee.match.events import Legal, TurnsRetold
from referee.match.state import TableError, TableState


def turns_retold(state: TableState, moved: TableState, event: TurnsRetold) -> TableState:
    """Return the state in which earlier turns stand as they are known now. Raises TableError."""
    for turn in event.turns:
        entry = state.entry(turn.entry)
        if entry is None or not entry.counts or entry.ruled is None or not isinstance(entry.ruled.found, Legal):
            raise TableError(f"entry {turn.entry} of the record is no legal turn that could be told anew")
        after = turn.ruling.next
        assert after is not None, "a turn is told with the position after it"
        found = replace(entry.ruled.found, ruling=turn.ruling, open=turn.open)
        ruled = replace(entry.ruled, observed=after.observed.text, found=found)
        look = entry.retold if entry is state.last else state.look  # of the newest turn its own look tells
        moved = moved.with_entry(replace(entry, before=turn.before, after=after, ruled=ruled, retold=look))
    return moved
