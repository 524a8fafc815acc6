"""The journal's events as the page's EventLog, the newest in memory, so that many listeners cost one reading."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence

from referee.storage.journal import Journal, JournalEntry
from web.tableview import Happening

KEPT = 1000
"""Events kept in memory; a listener who was away for longer gets them from the file."""
NAME_LENGTH = 16


class JournalFeed:
    """The events of the journal that is open now. ``journal`` gives it: a new game has a new one."""

    def __init__(self, journal: Callable[[], Journal]) -> None:
        self._journal = journal
        self._mutex = threading.Lock()
        self._of: Journal | None = None
        self._name = ""
        self._recent: deque[Happening] = deque(maxlen=KEPT)

    @property
    def game(self) -> str:
        """Return the beginning of the hash of the journal's first event, which no other journal shares."""
        with self._mutex:
            self._catch_up()
            return self._name or "0" * NAME_LENGTH

    @property
    def last(self) -> int:
        """Return the number of the newest event, 0 before the first."""
        return self._journal().last

    def after(self, number: int, limit: int) -> Sequence[Happening]:
        """Return the events that follow the one with that number, oldest first, at most ``limit``."""
        with self._mutex:
            journal = self._catch_up()
            if not self._recent or number >= self._recent[-1].number:
                return ()
            if number + 1 >= self._recent[0].number:
                return [event for event in self._recent if event.number > number][:limit]
        found: list[Happening] = []
        for entry in journal.entries(number):
            if len(found) == limit:
                break
            found.append(_told(entry))
        return found

    def _catch_up(self) -> Journal:
        journal = self._journal()
        if journal is not self._of:
            self._of, self._name = journal, ""
            self._recent.clear()
        known = self._recent[-1].number if self._recent else 0
        if journal.last > known:
            for entry in journal.entries(known):
                if entry.number == 1:
                    self._name = entry.hash[:NAME_LENGTH]
                self._recent.append(_told(entry))
        return journal


def _told(entry: JournalEntry) -> Happening:
    return Happening(entry.number, entry.kind, entry.at, entry.data)
