"""Follow a journal, event by event, and tell of each what it means for those who showed the game up to then."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from referee.games.contract import RequestError
from referee.match.events import AnyGame, Disputed, EventError, TimeTaken, event_from_json
from referee.match.phases import Phase
from referee.match.state import EntryStatus, TableState
from referee.match.transitions import TableError, begin, step
from referee.storage.chain import GENESIS, JournalEntry

_GONE = frozenset({EntryStatus.REPLACED, EntryStatus.WITHDRAWN, EntryStatus.UNDONE})


@dataclass(frozen=True, slots=True)
class Moment:
    """When something began: number of the event, and its Unix time in ms."""

    event: int = 0
    at_ms: int = 0


class Chronicle:
    """One game's journal as it was followed so far.

    state: the game as it stands, ``None`` before its first event, and where an event is none that this version knows.
    hashes: of the events. entries, disputes: by number, the events that made them. penalties: numbers of the events
    that took time from a player. phase: since when it is that.
    """

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.state: TableState | None = None
        self.began = ""
        self.hashes: list[str] = []
        self.entries: dict[int, Moment] = {}
        self.disputes: dict[int, Moment] = {}
        self.penalties: list[int] = []
        self.phase = Moment()
        self.fallen = Moment()
        self._lost = False

    @property
    def id(self) -> str:
        """Return the game's id; empty before its first event."""
        return self.hashes[0][:16] if self.hashes else ""

    @property
    def number(self) -> int:
        """Return the number of the newest event that was followed, 0 for none."""
        return len(self.hashes)

    def hash_at(self, number: int) -> str:
        """Return the hash of an event; for 0 and numbers that are not there yet the one before all."""
        return self.hashes[number - 1] if 0 < number <= len(self.hashes) else GENESIS

    def follow(self, entry: JournalEntry) -> int:
        """Take in the next event; return the number of the first event that no longer counts by it, 0 for none."""
        self.hashes.append(entry.hash)
        self.began = self.began or entry.at
        if self._lost:
            return 0
        before = self.state
        try:
            event = event_from_json(entry.kind, entry.data, self._game)
            self.state = after = begin(event) if before is None else step(before, event)
        except (EventError, TableError, RequestError):
            self._lost = True  # written by a later version: its events are passed on as they are
            return 0
        now = Moment(entry.number, unix_ms(entry.at))
        for made in after.history[len(before.history) if before is not None else 0 :]:
            self.entries[made.id] = now
        if isinstance(event, Disputed):
            self.disputes[event.dispute] = now
        if isinstance(event, TimeTaken):
            self.penalties.append(entry.number)
        if before is None or before.phase is not after.phase or len(before.history) != len(after.history):
            self.phase = now
        if fallen(after) != (before is not None and fallen(before)):
            self.fallen = now
        return 0 if before is None else self._replaced(before, after)

    def _replaced(self, before: TableState, after: TableState) -> int:
        """Return the event of the first entry that a reader has to take back."""
        gone = (
            old.id
            for old, new in zip(before.history, after.history, strict=False)
            if old is not new and new.fate in _GONE and old.fate not in _GONE
        )
        first = next(gone, None)
        return self.entries[first].event if first is not None else 0


def fallen(state: TableState) -> bool:
    """Return whether a flag has fallen that still matters."""
    return state.clock is not None and bool(state.clock.fallen) and state.phase is not Phase.FINISHED


def unix_ms(at: str) -> int:
    """Return the Unix time of a journal's time, ms."""
    return max(0, int(datetime.fromisoformat(at).timestamp() * 1000))
