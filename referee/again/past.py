"""Collect the rulings of a recorded game, each with the table as it stood when it was made."""

from __future__ import annotations

from dataclasses import dataclass

from referee.match.events import TurnRuled
from referee.match.state import Entry, TableState


@dataclass(frozen=True, slots=True)
class PastRuling:
    """A ruling of then. number, at: its event's, at in ISO 8601, UTC; state: just before it; entry: just after it."""

    number: int
    at: str
    state: TableState
    then: TurnRuled
    entry: Entry

    @property
    def turn(self) -> int:
        """Return the turn that was ruled on."""
        return self.entry.turn
