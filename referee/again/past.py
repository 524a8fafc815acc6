"""The rulings of a recorded game, each with the table as it stood when it was made. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.match.events import AnyGame, TurnRuled, event_from_json
from referee.match.phases import Phase
from referee.match.state import Entry, TableState
from referee.match.transitions import TableError, begin, step
from referee.storage.journal import JournalEntry, JournalError

_STANDING = frozenset({Phase.READING, Phase.RULING, Phase.UNSURE, Phase.BLIND})
"""Phases in which the table stands as it was left when the turn ended."""


@dataclass(frozen=True, slots=True)
class PastRuling:
    """A ruling of then. number, at: its event's, at in ISO 8601, UTC; state: just before it; entry: just after it.

    untouched: nobody has touched the table since the ruling before, as far as the record tells.
    """

    number: int
    at: str
    state: TableState
    then: TurnRuled
    entry: Entry
    untouched: bool = False

    @property
    def turn(self) -> int:
        """The turn that was ruled on."""
        return self.entry.turn


def past_rulings(entries: Sequence[JournalEntry], game: AnyGame) -> tuple[PastRuling, ...]:
    """Every ruling of a journal, oldest first. Raises JournalError for events that can't be replayed."""
    found: list[PastRuling] = []
    state: TableState | None = None
    untouched = False
    try:
        for entry in entries:
            event = event_from_json(entry.kind, entry.data, game)
            before, state = state, begin(event) if state is None else step(state, event)
            if before is not None and isinstance(event, TurnRuled):
                found.append(PastRuling(entry.number, entry.at, before, event, state.history[-1], untouched))
                untouched = True
            untouched = untouched and state.phase in _STANDING
    except (TableError, ValueError, LookupError, TypeError) as error:
        raise JournalError(f"the game can't be replayed: {error}") from error
    return tuple(found)
